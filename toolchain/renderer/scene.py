"""Coins on a tray, photographed, with the truth about every coin.

`Tray` holds what stays the same from frame to frame: ground, light, camera. The same
`Tray` with more coins is the next frame of a film.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import cv2
import numpy as np

from .arrays import Bytes, Floats, Points
from .camera import Development, Pinhole
from .coin import OUTLINE, shade_coin
from .faces import FACES, OTHERS, Face
from .ground import GROUNDS
from .hand import Hand
from .metal import GRID, LightRig


@dataclass(frozen=True)
class Lying:
    """A coin on the tray: where, which way, and its own dice."""

    face: str
    x: float
    """Millimetres right of the tray's middle."""
    y: float
    """Millimetres below it."""
    angle: float
    """Radians the design is turned clockwise."""
    seed: int
    """Of its wear, dirt and die."""
    raised: float = 0.0
    """Millimetres above the tray: on other coins."""

    @property
    def spec(self) -> Face:
        """The face's data."""
        return FACES.get(self.face) or OTHERS[self.face]


@dataclass(frozen=True)
class Truth:
    """What is so about one coin of a picture."""

    value: int
    """Rupiah; 0 if it is not rupiah."""
    withdrawn: bool
    face: str
    x: float
    """Pixels."""
    y: float
    diameter: float
    """The outline's longer axis, pixels."""


@dataclass(frozen=True)
class Scene:
    """A finished picture and its truth."""

    picture: Bytes
    """uint8 [height, width, 3], sRGB."""
    coins: list[Truth]

    @property
    def total(self) -> int:
        """Rupiah of legal tender in the picture."""
        return sum(coin.value for coin in self.coins if not coin.withdrawn)

    def as_dictionary(self) -> dict[str, object]:
        """Total and coins, ready for JSON."""
        return {"total": self.total, "coins": [asdict(coin) for coin in self.coins]}


def scatter(
    rng: np.random.Generator,
    faces: Sequence[str],
    across: float,
    down: float,
    gap: float = 0.0,
) -> list[Lying]:
    """Places `faces` on a field of `across` × `down` millimetres without overlaps.

    Coins may touch at `gap` 0. Those that find no room are left out.
    """
    placed: list[Lying] = []
    for face in faces:
        spec = FACES.get(face) or OTHERS[face]
        r = spec.diameter / 2
        for _ in range(200):
            x = rng.uniform(-across / 2 + r, across / 2 - r)
            y = rng.uniform(-down / 2 + r, down / 2 - r)
            if placed and rng.random() < 0.2:
                near = placed[int(rng.integers(len(placed)))]
                a = rng.uniform(0, 2 * np.pi)
                reach = r + near.spec.diameter / 2 + gap + 0.1
                x, y = near.x + reach * np.cos(a), near.y + reach * np.sin(a)
            if abs(x) > across / 2 - r or abs(y) > down / 2 - r:
                continue
            if all(
                np.hypot(x - other.x, y - other.y) >= r + other.spec.diameter / 2 + gap
                for other in placed
            ):
                placed.append(
                    Lying(face, float(x), float(y), float(rng.uniform(0, 2 * np.pi)),
                          int(rng.integers(2**31)))
                )
                break
    return placed


class Tray:
    """Ground, light and camera of a scene."""

    def __init__(
        self,
        rng: np.random.Generator,
        width: int = 640,
        height: int = 480,
        view: float = 200.0,
        ground: str | None = None,
        tilt: float | None = None,
        clean: bool = False,
    ) -> None:
        """A tray of which the camera sees `view` millimetres across.

        `clean` is a board's fixed webcam under decent light; otherwise a phone anywhere.
        """
        self.width, self.height, self.view = width, height, view
        lean = float(abs(rng.normal(0, 0.12))) if tilt is None else tilt
        turn = 0.0 if clean else float(rng.uniform(-0.3, 0.3))
        self.camera = Pinhole.above(
            width, height, view, lean, float(rng.uniform(0, 2 * np.pi)), turn
        )
        self.lights = LightRig.draw(rng)
        name = ground or str(rng.choice(list(GROUNDS)))
        self.scale = width / view
        self._span = view * 1.5
        self._side = int(self._span * self.scale)
        albedo = GROUNDS[name](rng, self._side, self._side, self.scale)
        if not clean:
            middle = ((self._side - 1) / 2,) * 2
            turned = cv2.getRotationMatrix2D(middle, float(rng.uniform(0, 360)), 1.0)
            albedo = cv2.warpAffine(
                albedo, turned, (self._side, self._side), borderMode=cv2.BORDER_REFLECT
            )
        self.albedo: Floats = albedo
        bearing = rng.normal(0, 0.25, 2)
        axis = np.linspace(-1, 1, self._side, dtype=np.float32)
        self.uneven: Floats = np.clip(
            1 + bearing[0] * axis[None, :] + bearing[1] * axis[:, None], 0.25, 2
        ).astype(np.float32)
        ground_light = float((self.albedo.mean((0, 1)) * self.lights.irradiance()).mean())
        half = np.full(3, 0.7, np.float32)
        metal_light = float(self.lights.look(half, 0.25, half * 0.1)[GRID // 2, GRID // 2].mean())
        mean = 0.55 * ground_light + 0.45 * metal_light
        self.development = Development.draw(rng, mean, clean)
        self._faces: dict[tuple[str, int, float, int, int], tuple[Floats, Floats]] = {}

    def _lit_ground(self, coins: Sequence[Lying]) -> Floats:
        """The ground's light in tray coordinates, shadows and all."""
        side, scale = self._side, self.scale
        light = np.zeros((side, side, 3), np.float32)
        rig = self.lights

        def discs(dx: float, dy: float, grow: float = 0.0) -> Bytes:
            mask = np.zeros((side, side), np.uint8)
            for coin in coins:
                top = coin.raised + coin.spec.thickness
                x = (coin.x + dx * top) * scale + side / 2
                y = (coin.y + dy * top) * scale + side / 2
                radius = (coin.spec.diameter / 2 + grow) * scale
                cv2.circle(mask, (int(x * 16), int(y * 16)), int(radius * 16), 255, -1,
                           cv2.LINE_AA, 4)
            return mask

        for i in range(rig.lamps):
            d = rig.directions[i]
            mask = discs(-float(d[0] / d[2]), -float(d[1] / d[2]))
            soft = cv2.GaussianBlur(mask, (0, 0), max(0.25 * scale, 0.5))
            clear = 1 - soft.astype(np.float32) / 255
            light += clear[..., None] * (rig.colours[i] * d[2])
        sky = (rig.colours[rig.lamps :] * rig.directions[rig.lamps :, 2:3]).sum(0)
        near = cv2.GaussianBlur(discs(0, 0, 0.2), (0, 0), max(1.6 * scale, 0.6))
        open_sky = 1 - 0.75 * near.astype(np.float32) / 255
        light += open_sky[..., None] * sky
        lit: Floats = light * self.uneven[..., None] * self.albedo
        return lit

    def _face(self, coin: Lying, size: int) -> tuple[Floats, Floats]:
        # Distant light falls alike on a coin wherever it lies, so one that slides is shaded once.
        key = (coin.face, coin.seed, coin.angle, size, id(self.lights))
        if key not in self._faces:
            colour, alpha, _ = shade_coin(
                coin.face, size, np.random.default_rng(coin.seed), self.lights, coin.angle
            )
            self._faces[key] = (colour, alpha)
        return self._faces[key]

    def lay(self, picture: Floats, coin: Lying) -> None:
        """Draws one coin into the picture: shadow on its neighbours, side, face."""
        spec = coin.spec
        circle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        ring = np.column_stack(
            [coin.x + spec.diameter / 2 * np.cos(circle),
             coin.y + spec.diameter / 2 * np.sin(circle)]
        )
        low = self.camera.project(np.column_stack([ring, np.full(72, coin.raised)]))
        top = coin.raised + spec.thickness
        high = self.camera.project(np.column_stack([ring, np.full(72, top)]))
        extent = np.concatenate([low, high])
        margin = 6
        x0, y0 = np.maximum(np.floor(extent.min(0)).astype(int) - margin, 0)
        x1 = min(int(extent[:, 0].max()) + margin, self.width)
        y1 = min(int(extent[:, 1].max()) + margin, self.height)
        if x1 <= x0 or y1 <= y0:
            return
        part = picture[y0:y1, x0:x1]
        shape = (y1 - y0, x1 - x0)
        light = self._uneven_at(coin)

        if coin.raised > 0:
            shadow = np.zeros(shape, np.uint8)
            _fill(shadow, (low - [x0, y0]) * 1.0)
            shadow = cv2.GaussianBlur(shadow, (0, 0), max(1.2 * self.scale, 1))
            part *= (1 - 0.6 * shadow.astype(np.float32) / 255)[..., None]

        across = float(np.ptp(high, axis=0).max()) / OUTLINE * 1.15
        size = int(np.clip(16 * np.ceil(across / 16), 48, 1024))
        colour, alpha = self._face(coin, size)
        half = spec.diameter / 2 / OUTLINE
        to_tray = np.array(
            [[2 * half / size, 0, coin.x - half + half / size],
             [0, 2 * half / size, coin.y - half + half / size], [0, 0, 1]]
        )
        shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        matrix = shift @ self.camera.plane(top) @ to_tray
        layered = np.dstack([colour * (alpha[..., None] * np.float32(light)), alpha])
        seen = cv2.warpPerspective(
            layered, matrix, (shape[1], shape[0]), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
        )
        side = np.zeros(shape, np.uint8)
        _fill(side, cv2.convexHull((extent - [x0, y0]).astype(np.float32))[:, 0])
        heart = slice(size // 2 - 4, size // 2 + 4)
        tone = np.median(colour[heart, heart], (0, 1))
        cover = side.astype(np.float32) / 255
        if coin.face == "washer":
            disc = np.zeros(shape, np.uint8)
            _fill(disc, high - [x0, y0])
            cover *= 1 - (disc.astype(np.float32) / 255) * (1 - seen[..., 3])
        cover = cover[..., None]
        part += (tone * np.float32(0.45 * light) - part) * cover
        part *= 1 - seen[..., 3:]
        part += seen[..., :3]

    def _uneven_at(self, coin: Lying) -> float:
        column = int(np.clip(coin.x * self.scale + self._side / 2, 0, self._side - 1))
        row = int(np.clip(coin.y * self.scale + self._side / 2, 0, self._side - 1))
        return float(self.uneven[row, column])

    def truth(self, coin: Lying) -> Truth:
        circle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        r = coin.spec.diameter / 2
        ring = np.column_stack(
            [coin.x + r * np.cos(circle), coin.y + r * np.sin(circle),
             np.full(72, coin.raised + coin.spec.thickness)]
        )
        seen = self.camera.project(ring)
        (x, y), axes, _ = cv2.fitEllipse(seen.astype(np.float32))
        return Truth(
            coin.spec.value, coin.spec.withdrawn, coin.face, round(float(x), 2),
            round(float(y), 2), round(float(max(axes)), 2),
        )

    def _light(self, coins: Sequence[Lying], hand: Hand | None) -> Floats:
        """The light that reaches the camera, linear RGB."""
        ground = self._lit_ground(coins)
        to_tray = np.array(
            [[1 / self.scale, 0, -self._span / 2], [0, 1 / self.scale, -self._span / 2], [0, 0, 1]]
        )
        picture: Floats = cv2.warpPerspective(
            ground, self.camera.plane(0) @ to_tray, (self.width, self.height),
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT,
        )
        for coin in sorted(coins, key=lambda each: each.raised):
            self.lay(picture, coin)
        if hand is not None:
            hand.draw(picture, self.lights.irradiance())
        return picture

    def photograph(
        self, coins: Sequence[Lying], rng: np.random.Generator, hand: Hand | None = None
    ) -> Scene:
        """Takes the picture; `rng` is the sensor's noise."""
        return self.photographs(coins, rng, 1, hand)[0]

    def photographs(
        self, coins: Sequence[Lying], rng: np.random.Generator, count: int,
        hand: Hand | None = None,
    ) -> list[Scene]:
        """Takes `count` pictures of what does not move: only the sensor's noise differs."""
        light = self._light(coins, hand)
        truth = [self.truth(coin) for coin in coins]
        return [
            Scene(self.development.compress(self.development.develop(light, rng)), truth)
            for _ in range(count)
        ]


def _fill(mask: Bytes, outline: Points) -> None:
    cv2.fillPoly(mask, [np.rint(np.asarray(outline) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)


def render_scene(
    rng: np.random.Generator,
    width: int = 640,
    height: int = 480,
    faces: Sequence[str] | None = None,
    view: float | None = None,
    ground: str | None = None,
    others: float = 0.25,
    clean: bool = False,
) -> Scene:
    """One photograph of coins by lot.

    Args:
        rng: All dice come from here.
        width: Pixels.
        height: Pixels.
        faces: The coins to lay, by name; by lot if not given.
        view: Millimetres across the picture; by lot if not given.
        ground: A name in `ground.GROUNDS`; by lot if not given.
        others: The share of scenes with things that are not rupiah among the coins.
        clean: A fixed webcam under decent light rather than any phone.
    """
    seen = float(rng.uniform(110, 320)) if view is None else view
    tray = Tray(rng, width, height, seen, ground, clean=clean)
    if faces is None:
        room = int(0.55 * seen * seen * height / width / 700)
        count = int(rng.integers(1, max(min(room, 24), 2)))
        names = list(FACES)
        chosen = [names[int(rng.integers(len(names)))] for _ in range(count)]
        if rng.random() < others:
            strange = list(OTHERS)
            chosen += [
                strange[int(rng.integers(len(strange)))] for _ in range(rng.integers(1, 4))
            ]
        rng.shuffle(chosen)
    else:
        chosen = list(faces)
    coins = scatter(rng, chosen, seen * 0.88, seen * 0.88 * height / width)
    return tray.photograph(coins, rng)
