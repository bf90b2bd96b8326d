"""Composes scenes of coins from cut-outs, seeded and without end, to train the networks on.

A `Library` holds what scenes are made of, read once; a `Composer` makes one scene after
another. Run as a command it writes a contact sheet and says how fast it is.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training import compose_backgrounds, compose_effects, compose_things
from training.compose_effects import Picture, Random, chance, log_uniform
from training.compose_layout import camera, conic, layout

LEVELS = (256, 128, 64, 32)
DISC = 103.4  # pixels of the 256 cut-out taken as coin: its outline, less half a pixel
OUTLINE = 104.0

# Columns of a scene's coins.
X, Y, MAJOR, MINOR, TURN, VISIBLE, SPRITE = range(7)
# In place of the cut-out for coins of photographs: outline fitted to the edge, or box by hand.
FITTED, BOXED = -1.0, -2.0


@dataclass
class Scene:
    """A picture [H, W, 3] RGB and its coins [N, 7].

    The columns are centre x and y (the top left pixel's centre is (0.5, 0.5)), major and minor
    semi-axis in pixels, the major axis' angle from +x towards +y, the fraction of the coin's face
    that can be seen, and its cut-out (FITTED or BOXED in photographs). `things` [M, 7] are the
    round things that are no coins, in the same columns. `ignored` [K, 3] holds circles x, y,
    radius in which coins may or may not be.
    """

    picture: NDArray[np.uint8]
    coins: NDArray[np.float32]
    ignored: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    things: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 7), np.float32))


@dataclass
class Library:
    """Cut-outs, things and grounds, ready to be laid on scenes."""

    coins: dict[int, NDArray[np.uint8]]  # level -> [N, level, level, 4]
    diameters: NDArray[np.float64]  # millimetres, 0 where unknown
    weights: NDArray[np.float64]  # how likely each cut-out is to be drawn; sums to 1
    things: dict[int, NDArray[np.uint8]]
    backgrounds: list[NDArray[np.uint8]]
    noise: NDArray[np.float32]


def pyramid(sprites: NDArray[np.uint8]) -> dict[int, NDArray[np.uint8]]:
    """Sprites [N, 256, 256, 4] at every level's size."""
    levels = {LEVELS[0]: sprites}
    for level in LEVELS[1:]:
        levels[level] = np.stack(
            [cv2.resize(s, (level, level), interpolation=cv2.INTER_AREA) for s in sprites]
        )
    return levels


def load_library(
    cutouts: Path,
    data: Path,
    excluded: set[str],
    diameters: dict[str, float],
    *,
    held_out: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    seed: int = 1,
    things: int = 560,
    extra_backgrounds: list[NDArray[np.uint8]] | None = None,
) -> Library:
    """Reads cut-outs and backgrounds; `held_out` sources are left out, or `only` those used."""
    stored = np.load(cutouts, allow_pickle=False)
    source = stored["source"].astype(str)
    wanted = stored["split"].astype(str) == "train"
    wanted &= ~np.isin(source, held_out)
    if only:
        wanted &= np.isin(source, only)
    images, usable = stored["image"][wanted], stored["usable"][wanted]
    inside = compose_things.RADIUS < DISC / OUTLINE
    share = usable[:, inside].mean(axis=1)
    keep = (share > 0.93) & (stored["diameter"][wanted] > 40)
    images, usable = images[keep], usable[keep]
    source = source[wanted][keep]
    faces = stored["face"].astype(str)[wanted][keep]
    alpha = np.clip(DISC - compose_things.RADIUS * OUTLINE + 0.5, 0, 1) * 255
    sprites = np.empty((*images.shape[:3], 4), np.uint8)
    sprites[..., :3] = images
    sprites[..., 3] = alpha.astype(np.uint8)
    for sprite, mask in zip(sprites, usable, strict=True):
        hidden = (mask == 0) & inside
        if hidden.any():
            sprite[hidden, :3] = np.median(sprite[(mask != 0) & inside, :3], axis=0)
    # Sources share the draws by the square root of their size, faces evenly within a source.
    weights = np.zeros(len(source))
    for name in np.unique(source):
        here = source == name
        _, which, count = np.unique(faces[here], return_inverse=True, return_counts=True)
        even = 1 / np.sqrt(count[which])
        weights[here] = even / even.sum() * np.sqrt(here.sum())
    drawn = compose_backgrounds.drawn_backgrounds(seed, 140)
    photographed = compose_backgrounds.photographed_backgrounds(data, excluded)
    return Library(
        pyramid(sprites),
        np.array([diameters.get(face, 0.0) for face in faces]),
        weights / weights.sum(),
        pyramid(np.stack(compose_things.round_things(seed + 1, things))),
        photographed * 2 + drawn + (extra_backgrounds or []),
        compose_effects.noise_bank(np.random.default_rng(seed + 2)),
    )


class Composer:
    """Makes scenes. One seed, one sequence of scenes."""

    def __init__(self, library: Library, seed: int) -> None:
        self.library = library
        self.rng: Random = np.random.default_rng(seed)

    def scene(
        self,
        width: int = 320,
        height: int = 240,
        *,
        smallest: float = 12,
        largest: float = 220,
        most: int = 60,
    ) -> Scene:
        """One scene whose coins' diameters are `smallest` to `largest` pixels."""
        rng = self.rng
        grounds = self.library.backgrounds
        ground = grounds[rng.integers(len(grounds))]
        picture = compose_backgrounds.window(rng, ground, width, height)
        if chance(rng, 0.5):
            compose_backgrounds.colour_jitter(rng, picture)
        owner = np.zeros((height, width), np.int16)
        view = camera(rng, width, height, log_uniform(rng, smallest, largest))
        places = layout(
            rng, view, width, height, most, self.library.weights, self.library.diameters
        )
        coins: list[tuple[float, ...]] = []
        others: list[tuple[float, ...]] = []
        depth = 0.0 if chance(rng, 0.2) else rng.uniform(0.15, 0.7)
        cast = np.float32(depth), rng.normal(0, 0.12, 2), rng.uniform(0.08, 0.35)
        mood = np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
        non_coins = 0.0 if chance(rng, 0.6) else rng.uniform(0.05, 1.0)
        for x, y, diameter, sprite in places:
            thing = chance(rng, non_coins)
            if thing:
                diameter *= log_uniform(rng, 0.4, 1.4) if chance(rng, 0.8) else rng.uniform(2, 6)
            placed = self._lay_disc(
                picture, owner, view, (x, y, diameter), sprite, thing, len(coins) + 1, cast, mood
            )
            if placed is not None:
                x, y, *axes = placed
                row = (x + 0.5, y + 0.5, *axes, 1.0, -1.0 if thing else float(sprite))
                (others if thing else coins).append(row)
        self._cover(picture, owner, coins, width, height)
        shown = np.array(coins, np.float32).reshape(-1, 7)
        if len(shown):
            areas = np.bincount(owner.ravel(), minlength=len(shown) + 1)[1 : len(shown) + 1]
            shown[:, VISIBLE] = np.clip(areas / (np.pi * shown[:, MAJOR] * shown[:, MINOR]), 0, 1)
        self._light(picture)
        return Scene(
            compose_effects.photograph(rng, picture, self.library.noise),
            shown,
            things=np.array(others, np.float32).reshape(-1, 7),
        )

    def _lay_disc(
        self,
        picture: Picture,
        owner: NDArray[np.int16],
        view: NDArray[np.float64],
        place: tuple[float, float, float],
        sprite: int,
        thing: bool,
        number: int,
        cast: tuple[np.float32, NDArray[np.float64], float],
        mood: NDArray[np.float32],
    ) -> tuple[float, float, float, float, float] | None:
        """Lays one coin or thing with its shadow and edge; gives its outline if any of it shows."""
        rng = self.rng
        x, y, diameter = place
        radius = diameter / 2
        turn = rng.uniform(0, 2 * np.pi)
        cos, sin = radius * np.cos(turn), radius * np.sin(turn)
        to_table = np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1.0]])
        matrix = view @ to_table
        if matrix[2, 2] - abs(matrix[2, 0]) - abs(matrix[2, 1]) <= 0:
            return None
        cx, cy, a, b, phi = conic(matrix)
        height, width = picture.shape[:2]
        half_x = np.sqrt((a * np.cos(phi)) ** 2 + (b * np.sin(phi)) ** 2)
        half_y = np.sqrt((a * np.sin(phi)) ** 2 + (b * np.cos(phi)) ** 2)
        depth, offset, softness = cast
        reach = 1 + softness + 0.3
        left, right = int(max(0, cx - half_x * reach)), int(min(width, cx + half_x * reach + 2))
        top, bottom = int(max(0, cy - half_y * reach)), int(min(height, cy + half_y * reach + 2))
        if right - left < 2 or bottom - top < 2:
            return None
        ground = picture[top:bottom, left:right]
        u = np.arange(left, right, dtype=np.float32)[None, :] - np.float32(cx)
        v = np.arange(top, bottom, dtype=np.float32)[:, None] - np.float32(cy)
        # Shadow and edge are discs shifted away from the light and towards the viewer.
        cos, sin = np.float32(np.cos(phi)), np.float32(np.sin(phi))

        def distance(dx: float, dy: float) -> NDArray[np.float32]:
            p = ((u - dx) * cos + (v - dy) * sin) * np.float32(1 / a)
            q = ((v - dy) * cos - (u - dx) * sin) * np.float32(1 / b)
            return np.sqrt(p * p + q * q)

        shade = 1 + softness * 0.5 - distance(offset[0] * a, offset[1] * a)
        shade *= np.float32(1 / softness)
        ground *= (1 - depth * np.clip(shade, 0, 1))[:, :, None]
        sprites = self.library.things if thing else self.library.coins
        if thing:
            sprite = int(rng.integers(len(sprites[32])))
        level = next((k for k in reversed(LEVELS) if k * OUTLINE / 256 >= a * 0.9), LEVELS[0])
        unit = 256 / level / OUTLINE
        shift = -(128 - 0.5 * 256 / level) / OUTLINE
        to_disc = np.array([[unit, 0, shift], [0, unit, shift], [0, 0, 1.0]])
        window = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
        drawn = cv2.warpPerspective(
            sprites[level][sprite], window @ matrix @ to_disc, (right - left, bottom - top)
        )
        seen = drawn[:, :, :3].astype(np.float32) * np.float32(1 / 255)
        alpha = drawn[:, :, 3:].astype(np.float32) * np.float32(1 / 255)
        tilt = np.sqrt(max(0.0, 1 - (b / a) ** 2))
        if tilt > 0.25 and a > 8:
            thick = rng.uniform(0.05, 0.09) * 2 * a * tilt
            down = (-np.sin(phi), np.cos(phi)) if np.cos(phi) > 0 else (np.sin(phi), -np.cos(phi))
            below = distance(down[0] * thick, down[1] * thick)
            edge = np.clip((1 - below) * np.float32(b) + 0.5, 0, 1)
            tone = sprites[32][sprite][12:20, 12:20, :3].mean(axis=(0, 1)) / 255
            colour = (tone * rng.uniform(0.3, 1.1)).astype(np.float32)
            ground += (colour - ground) * edge[:, :, None]
            owner[top:bottom, left:right][edge > 0.5] = 0
        gain = mood * np.exp(rng.normal(0, 0.08, 3) + rng.normal(0, 0.15)).astype(np.float32)
        light = np.ones_like(shade)
        if chance(rng, 0.7):
            slope = rng.normal(0, 0.25, 2) / a
            light += u * np.float32(slope[0]) + v * np.float32(slope[1])
        if chance(rng, 0.35):
            # The bow tie that turned metal shows under one lamp.
            axis = rng.uniform(0, np.pi)
            square = u * u + v * v + np.float32(1)
            across = u * np.float32(np.cos(axis)) + v * np.float32(np.sin(axis))
            light += np.float32(rng.uniform(-0.1, 0.5)) * (2 * across * across / square - 1)
        seen = seen * (light[:, :, None] * gain)
        if chance(rng, 0.2):
            spot = rng.normal(0, 0.5, 2) * a
            size = np.float32(-0.5 / (rng.uniform(0.1, 0.5) * a) ** 2)
            glare = np.exp(((u - np.float32(spot[0])) ** 2 + (v - np.float32(spot[1])) ** 2) * size)
            seen += (glare * np.float32(rng.uniform(0.2, 0.9)))[:, :, None]
        ground += (seen - ground) * alpha
        owner[top:bottom, left:right][alpha[:, :, 0] > 0.5] = 0 if thing else number
        return cx, cy, a, b, phi

    def _cover(
        self,
        picture: Picture,
        owner: NDArray[np.int16],
        coins: list[tuple[float, ...]],
        width: int,
        height: int,
    ) -> None:
        """Fingers, sticks and blocks over the scene, most often near a coin."""
        rng = self.rng
        unit = 2 * coins[0][MAJOR] if coins else width * rng.uniform(0.05, 0.3)

        def spot() -> NDArray[np.float64]:
            if coins and chance(rng, 0.6):
                coin = coins[rng.integers(len(coins))]
                return np.array(coin[:2]) + rng.normal(0, 0.7, 2) * coin[MAJOR]
            return rng.uniform((0, 0), (width, height))

        if chance(rng, 0.12):
            for _ in range(int(rng.integers(1, 4))):
                compose_things.lay_finger(rng, picture, owner, spot(), unit * rng.uniform(0.5, 0.9))
        if chance(rng, 0.12):
            for _ in range(int(rng.integers(1, 4))):
                compose_things.lay_stick(rng, picture, owner, spot(), unit)
        if chance(rng, 0.06):
            compose_things.lay_block(rng, picture, owner, spot(), unit)

    def _light(self, picture: Picture) -> None:
        rng = self.rng
        if chance(rng, 0.7):
            compose_effects.uneven_light(rng, picture, rng.uniform(0.05, 0.35))
        if chance(rng, 0.2):
            compose_effects.cast_shadow(rng, picture)
        if chance(rng, 0.15):
            compose_effects.hot_spot(rng, picture)


def draw(scene: Scene, zoom: int = 2) -> NDArray[np.uint8]:
    """The scene enlarged, its coins outlined: green if most of them shows, else red."""
    picture = cv2.resize(scene.picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_LINEAR)
    for coin in scene.coins:
        colour = (0, 255, 0) if coin[VISIBLE] > 0.55 else (255, 0, 0)
        box = (
            (float(coin[X]) * zoom - 0.5, float(coin[Y]) * zoom - 0.5),
            (float(2 * coin[MAJOR]) * zoom, float(2 * coin[MINOR]) * zoom),
            float(np.degrees(coin[TURN])),
        )
        cv2.ellipse(picture, box, colour, 1, cv2.LINE_AA)
    return picture


def main() -> None:
    """Writes a contact sheet and prints the composer's speed."""
    from training.compose_sources import add_source_arguments, library_from_arguments

    parser = argparse.ArgumentParser(description=main.__doc__)
    add_source_arguments(parser)
    parser.add_argument("--seed", type=int, default=1, help="first scene (default %(default)s)")
    parser.add_argument("--output", type=Path, default=Path("scenes.png"), help="contact sheet")
    parser.add_argument("--time", type=int, default=100, help="scenes to time (%(default)s)")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    composer = Composer(library_from_arguments(arguments), arguments.seed)
    tiles = [draw(composer.scene()) for _ in range(12)]
    sheet = np.vstack([np.hstack(tiles[i : i + 3]) for i in range(0, 12, 3)])
    cv2.imwrite(str(arguments.output), cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR))
    start = time.process_time()
    for _ in range(arguments.time):
        composer.scene()
    print(f"{arguments.time / (time.process_time() - start):.0f} scenes/s/core")


if __name__ == "__main__":
    main()
