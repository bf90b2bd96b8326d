"""Grounds to lay coins on: photographs of textures, parts of photographs, and drawn ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.compose_effects import Random, chance, log_uniform, soft_field

Bytes = NDArray[np.uint8]

DRAWN_SIDE = 512
SKIN = np.array(
    [
        [224, 172, 135],
        [198, 134, 96],
        [165, 105, 70],
        [141, 85, 54],
        [240, 200, 170],
        [105, 66, 46],
    ],
    np.float32,
)


def random_colour(rng: Random) -> NDArray[np.float32]:
    """A paint, cloth or table colour, 0...255 RGB: often grey or brown, sometimes vivid."""
    kind = rng.random()
    if kind < 0.35:
        return np.float32(rng.uniform(10, 250)) + rng.normal(0, 8, 3).astype(np.float32)
    if kind < 0.6:
        base = np.array([150, 105, 65], np.float32) * np.float32(rng.uniform(0.3, 1.6))
        return base + rng.normal(0, 12, 3).astype(np.float32)
    return rng.uniform(0, 255, 3).astype(np.float32)


def skin_colour(rng: Random) -> NDArray[np.float32]:
    """A skin tone, 0...255 RGB."""
    a, b = SKIN[rng.integers(len(SKIN))], SKIN[rng.integers(len(SKIN))]
    return (a + (b - a) * np.float32(rng.random())) * np.float32(rng.uniform(0.75, 1.1))


def _tinted(rng: Random, field: NDArray[np.float32], contrast: float) -> Bytes:
    tint = rng.uniform(0.7, 1.3, 3).astype(np.float32)
    picture = random_colour(rng) + field[:, :, None] * tint * np.float32(contrast)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _layers(rng: Random, side: int, stretch: float = 1.0) -> NDArray[np.float32]:
    total = np.zeros((side, side), np.float32)
    cells = 3
    weight = 1.0
    while cells < side:
        rows = max(2, min(side, int(cells * stretch)))
        nodes = rng.standard_normal((rows, cells)).astype(np.float32)
        layer = cv2.resize(nodes, (side, side), interpolation=cv2.INTER_CUBIC)
        total += layer * np.float32(weight)
        cells *= 2
        weight *= rng.uniform(0.45, 0.9)
    return total


def _plain(rng: Random, side: int) -> Bytes:
    return _tinted(rng, _layers(rng, side), log_uniform(rng, 0.5, 8))


def _blank(rng: Random, side: int) -> Bytes:
    """A scanner's lid, a catalogue's page, a black cloth: nothing at all."""
    level = 255 - log_uniform(rng, 0.5, 40) if chance(rng, 0.7) else log_uniform(rng, 1, 40)
    return np.full((side, side, 3), level, np.uint8)


def _mottled(rng: Random, side: int) -> Bytes:
    return _tinted(rng, _layers(rng, side), log_uniform(rng, 8, 40))


def _wood(rng: Random, side: int) -> Bytes:
    return _tinted(rng, _layers(rng, side, rng.uniform(6, 40)), log_uniform(rng, 5, 30))


def _cloth(rng: Random, side: int) -> Bytes:
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    pitch = rng.uniform(3, 12)
    weave = np.sin(x * (2 * np.pi / pitch)) * rng.uniform(0.2, 1)
    weave += np.sin(y * (2 * np.pi / pitch)) * rng.uniform(0.2, 1)
    if chance(rng, 0.4):
        bands = rng.uniform(30, 150)
        weave += 2 * np.sign(np.sin(x * (2 * np.pi / bands))) * rng.uniform(0, 1)
        weave += 2 * np.sign(np.sin(y * (2 * np.pi / bands))) * rng.uniform(0, 1)
    return _tinted(rng, weave + 0.5 * _layers(rng, side), log_uniform(rng, 4, 25))


def _squared_paper(rng: Random, side: int) -> Bytes:
    picture = _plain(rng, side)
    picture[:] = 255 - (255 - picture) // int(rng.integers(2, 8))
    pitch = int(rng.integers(10, 45))
    colour = [int(v) for v in rng.uniform(90, 200, 3)]
    for position in range(0, side, pitch):
        cv2.line(picture, (0, position), (side, position), colour, 1, cv2.LINE_AA)
        if pitch % 2:
            cv2.line(picture, (position, 0), (position, side), colour, 1, cv2.LINE_AA)
    return picture


def _printed_page(rng: Random, side: int) -> Bytes:
    picture = _plain(rng, side)
    if chance(rng, 0.8):
        picture[:] = 255 - (255 - picture) // 5
    ink = [int(v) for v in rng.uniform(0, 90, 3)]
    letters = "abcdefghijklmnopqrstuvwxyz    ABDEGKMNPRSTU0123456789,.-"
    y = 10
    while y < side:
        size = 1.6 if chance(rng, 0.06) else rng.uniform(0.3, 0.5)
        if chance(rng, 0.05):
            left, height = int(rng.integers(0, side // 2)), int(rng.integers(40, 120))
            block = [int(v) for v in random_colour(rng).clip(0, 255)]
            right = left + int(rng.integers(60, 200))
            cv2.rectangle(picture, (left, y), (right, y + height), block, -1)
            y += height
        text = "".join(letters[i] for i in rng.integers(len(letters), size=70))
        font = int(rng.integers(0, 8))
        cv2.putText(picture, text, (int(rng.integers(0, 30)), y), font, size, ink, 1, cv2.LINE_AA)
        y += int(10 + 28 * size)
    return picture


def _banknote(rng: Random, side: int) -> Bytes:
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    pattern = np.zeros((side, side, 3), np.float32) + random_colour(rng)
    for _ in range(5):
        a, b, c, d = rng.uniform(0.01, 0.15, 4)
        wave = np.sin(x * a + 8 * np.sin(y * b)) + np.sin(y * c + 8 * np.sin(x * d))
        pattern += wave[:, :, None] * rng.uniform(-18, 18, 3).astype(np.float32)
    picture = np.clip(pattern, 0, 255).astype(np.uint8)
    for _ in range(6):
        centre = tuple(int(v) for v in rng.integers(0, side, 2))
        colour = [int(v) for v in rng.uniform(0, 200, 3)]
        if chance(rng, 0.5):
            text = str(int(rng.integers(1, 10)) * 1000)
            cv2.putText(picture, text, centre, 0, rng.uniform(1, 3), colour, 3, cv2.LINE_AA)
        else:
            for radius in range(10, int(rng.integers(30, 90)), 6):
                axes = (radius, int(radius * 0.7))
                cv2.ellipse(picture, centre, axes, rng.uniform(0, 180), 0, 300, colour, 1)
    return picture


def _palm(rng: Random, side: int) -> Bytes:
    tone = skin_colour(rng)
    field = _layers(rng, side) * np.float32(rng.uniform(4, 14))
    picture = np.clip(tone + field[:, :, None] * np.array([1, 0.8, 0.7], np.float32), 0, 255)
    picture = picture.astype(np.uint8)
    for _ in range(int(rng.integers(3, 14))):
        start = rng.uniform(0, side, 2)
        bend = rng.normal(0, 0.25, 30).cumsum() + rng.uniform(0, 6.3)
        steps = np.stack([np.cos(bend), np.sin(bend)], 1) * rng.uniform(4, 14)
        points = (start + steps.cumsum(0)).astype(np.int32)
        colour = [int(v) for v in tone * np.float32(rng.uniform(0.55, 0.85))]
        cv2.polylines(picture, [points], False, colour, int(rng.integers(1, 4)), cv2.LINE_AA)
    return cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.6, 2))


def _pebbles(rng: Random, side: int) -> Bytes:
    picture = _mottled(rng, side)
    for _ in range(int(rng.integers(100, 900))):
        centre = tuple(int(v) for v in rng.integers(0, side, 2))
        axes = (int(log_uniform(rng, 2, 18)), int(log_uniform(rng, 2, 18)))
        colour = [int(v) for v in random_colour(rng).clip(0, 255)]
        cv2.ellipse(picture, centre, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 2))


def _dotted_cloth(rng: Random, side: int) -> Bytes:
    """Dots and rings in print: round, regular, and no coins."""
    picture = _cloth(rng, side) if chance(rng, 0.5) else _plain(rng, side)
    pitch = int(rng.integers(24, 120))
    radius = int(pitch * rng.uniform(0.15, 0.42))
    colour = [int(v) for v in random_colour(rng).clip(0, 255)]
    thickness = -1 if chance(rng, 0.6) else int(rng.integers(1, 5))
    for row, y in enumerate(range(0, side + pitch, pitch)):
        for x in range((row % 2) * pitch // 2, side + pitch, pitch):
            cv2.circle(picture, (x, y), radius, colour, thickness, cv2.LINE_AA)
    return picture


def _drawn_circles(rng: Random, side: int) -> Bytes:
    """Circles drawn with a pen or printed as diagrams on paper."""
    picture = _squared_paper(rng, side) if chance(rng, 0.4) else _plain(rng, side)
    for _ in range(int(rng.integers(2, 14))):
        centre = tuple(int(v) for v in rng.integers(0, side, 2))
        colour = [int(v) for v in rng.uniform(0, 160, 3)]
        radius = int(log_uniform(rng, 8, 120))
        cv2.circle(picture, centre, radius, colour, int(rng.integers(1, 6)), cv2.LINE_AA)
    return picture


def _tiles(rng: Random, side: int) -> Bytes:
    picture = _mottled(rng, side)
    pitch = int(rng.integers(60, 260))
    joint = [int(v) for v in random_colour(rng).clip(0, 255)]
    width = int(rng.integers(1, 9))
    offset = int(rng.integers(0, pitch))
    for position in range(offset, side, pitch):
        cv2.line(picture, (0, position), (side, position), joint, width)
        cv2.line(picture, (position, 0), (position, side), joint, width)
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


DRAWN: tuple[Callable[[Random, int], Bytes], ...] = (
    _plain,
    _blank,
    _plain,
    _mottled,
    _wood,
    _wood,
    _cloth,
    _squared_paper,
    _printed_page,
    _banknote,
    _palm,
    _pebbles,
    _dotted_cloth,
    _drawn_circles,
    _tiles,
)


def drawn_backgrounds(seed: int, count: int) -> list[Bytes]:
    """`count` drawn grounds, every kind in turn."""
    rng = np.random.default_rng(seed)
    return [DRAWN[i % len(DRAWN)](rng, DRAWN_SIDE) for i in range(count)]


def photographed_backgrounds(
    data: Path, excluded: set[str], longest_side: int = 900
) -> list[Bytes]:
    """The background photographs training may see, RGB."""
    pictures = []
    for path in sorted((data / "backgrounds").glob("*/*.jpg")):
        if str(path.relative_to(data)) in excluded:
            continue
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
        if picture is None:
            continue
        factor = longest_side / max(picture.shape[:2])
        if factor < 1:
            picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        pictures.append(picture)
    return pictures


def window(rng: Random, picture: Bytes, width: int, height: int) -> NDArray[np.float32]:
    """A turned, zoomed, mirrored window [H, W, 3] of 0...1 on a background."""
    rows, columns = picture.shape[:2]
    fit = max(width / columns, height / rows)
    zoom = log_uniform(rng, fit, max(fit * 1.2, 2.0 * height / 240))
    angle = rng.uniform(0, 2 * np.pi) if chance(rng, 0.5) else rng.normal(0, 0.05)
    mirror = -1.0 if chance(rng, 0.5) else 1.0
    cos, sin = np.cos(angle) * zoom, np.sin(angle) * zoom
    linear = np.array([[cos * mirror, -sin], [sin * mirror, cos]], np.float32)
    span = np.array([max(0, columns - width / zoom), max(0, rows - height / zoom)])
    centre = np.array([columns, rows]) / 2 + rng.uniform(-0.5, 0.5, 2) * span
    shift = np.array([width / 2, height / 2]) - linear @ centre
    matrix = np.column_stack([linear, shift]).astype(np.float32)
    seen = cv2.warpAffine(
        picture, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    return seen.astype(np.float32) * np.float32(1 / 255)


def colour_jitter(rng: Random, picture: NDArray[np.float32]) -> None:
    """Another paint on the same ground."""
    picture *= np.exp(rng.normal(0, 0.2, 3)).astype(np.float32)
    if chance(rng, 0.3):
        picture += soft_field(rng, *picture.shape[:2], 3)[:, :, None] * np.float32(0.06)
