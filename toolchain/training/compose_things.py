"""Things that are not coins: round sprites drawn at random, and long things that cover coins.

A sprite is 256x256 RGBA whose outline is the circle of radius 104 round (128, 128), like the
coin cut-outs, so that both are laid on a scene by the same code.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from training.compose_backgrounds import random_colour, skin_colour
from training.compose_effects import Picture, Random, chance, log_uniform, soft_field

SIDE = 256
OUTLINE = 104.0

Sprite = NDArray[np.float32]

_y, _x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) - 127.5
RADIUS = np.hypot(_x, _y) / OUTLINE
ANGLE = np.arctan2(_y, _x)


def disc(radius: float | NDArray[np.float32] = 1.0) -> NDArray[np.float32]:
    """Coverage 0...1 of a disc of the given radius in outlines, one pixel soft."""
    return np.clip((radius - RADIUS) * OUTLINE + 0.5, 0, 1)


def _ring(inner: float, outer: float) -> NDArray[np.float32]:
    return disc(outer) - disc(inner)


def _shade(rng: Random) -> NDArray[np.float32]:
    angle = rng.uniform(0, 2 * np.pi)
    slope = (_x * np.cos(angle) + _y * np.sin(angle)) / OUTLINE
    return 1 + slope * np.float32(rng.uniform(0, 0.35))


def _bevel(rng: Random, radius: float, width: float) -> NDArray[np.float32]:
    """Light on one side and dark on the other of a raised circle."""
    angle = rng.uniform(0, 2 * np.pi)
    return np.exp(-(((RADIUS - radius) / width) ** 2)) * np.cos(ANGLE - angle)


def _compose(colour: NDArray[np.float32], alpha: NDArray[np.float32]) -> Sprite:
    picture = np.empty((SIDE, SIDE, 4), np.float32)
    picture[:, :, :3] = np.clip(colour, 0, 255)
    picture[:, :, 3] = alpha * 255
    return picture


def _button(rng: Random) -> Sprite:
    colour = random_colour(rng) * _shade(rng)[:, :, None]
    if chance(rng, 0.4):
        colour += soft_field(rng, SIDE, SIDE, 7)[:, :, None] * np.float32(rng.uniform(2, 20))
    rim = rng.uniform(0.6, 0.9)
    colour += (_bevel(rng, rim, 0.05) * rng.uniform(20, 70))[:, :, None]
    colour += (_bevel(rng, 0.95, 0.06) * rng.uniform(0, 50))[:, :, None]
    alpha = disc()
    holes = int(rng.choice([2, 4, 4]))
    distance, size = rng.uniform(0.16, 0.3), rng.uniform(0.06, 0.12)
    turn = rng.uniform(0, np.pi)
    thread = random_colour(rng) if chance(rng, 0.2) else None
    for k in range(holes):
        angle = turn + 2 * np.pi * k / holes
        middle = distance * np.cos(angle), distance * np.sin(angle)
        hole = np.hypot(_x / OUTLINE - middle[0], _y / OUTLINE - middle[1])
        cover = np.clip((size - hole) * OUTLINE + 0.5, 0, 1)
        if thread is None:
            alpha = alpha * (1 - cover * 0.9)
            colour = colour * (1 - 0.6 * cover[:, :, None])
        else:
            colour = colour * (1 - cover[:, :, None]) + thread * cover[:, :, None]
    return _compose(colour, alpha)


def _mark(
    rng: Random, colour: NDArray[np.float32], ink: NDArray[np.float32]
) -> NDArray[np.float32]:
    """A word, a star or a stripe printed in the middle."""
    mask = np.zeros((SIDE, SIDE), np.uint8)
    kind = rng.random()
    if kind < 0.5:
        word = "".join(chr(c) for c in rng.integers(65, 91, int(rng.integers(2, 7))))
        size = 3.2 / len(word) * rng.uniform(0.8, 1.6)
        thick = int(rng.integers(2, 12))
        (w, h), _ = cv2.getTextSize(word, 0, size, thick)
        cv2.putText(mask, word, (128 - w // 2, 128 + h // 2), 0, size, 255, thick, cv2.LINE_AA)
    elif kind < 0.75:
        tips = int(rng.integers(3, 9)) * 2
        turn = rng.uniform(0, np.pi)
        radii = np.where(np.arange(tips) % 2 == 0, 70, rng.uniform(20, 60))
        angles = turn + np.arange(tips) * 2 * np.pi / tips
        points = np.stack([128 + radii * np.cos(angles), 128 + radii * np.sin(angles)], 1)
        cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
    else:
        half = int(rng.integers(8, 40))
        cv2.rectangle(mask, (0, 128 - half), (255, 128 + half), 255, -1)
    turned = cv2.getRotationMatrix2D((128, 128), rng.uniform(0, 360), 1)
    cover = cv2.warpAffine(mask, turned, (SIDE, SIDE)).astype(np.float32)[:, :, None] / 255
    return colour * (1 - cover) + ink * cover


def _bottle_cap(rng: Random) -> Sprite:
    """A crown cap from above (printed, with its teeth) or from below (lined)."""
    teeth = 21
    scallop = 1 - rng.uniform(0.02, 0.06) * (0.5 + 0.5 * np.cos(ANGLE * teeth))
    paint = random_colour(rng)
    colour = paint * _shade(rng)[:, :, None]
    outside = disc(1.0) - disc(rng.uniform(0.72, 0.85))
    flutes = np.cos(ANGLE * teeth) * rng.uniform(20, 70)
    colour = colour + (outside * flutes)[:, :, None]
    colour += (_bevel(rng, 0.8, 0.08) * rng.uniform(20, 80))[:, :, None]
    if chance(rng, 0.7):
        colour = _mark(rng, colour, random_colour(rng))
    else:
        liner = disc(rng.uniform(0.65, 0.8))[:, :, None]
        colour = colour * (1 - liner) + random_colour(rng) * liner
        colour += (_bevel(rng, 0.55, 0.05) * 30)[:, :, None]
    colour += (np.exp(-((RADIUS * 2) ** 2)) * rng.uniform(0, 60))[:, :, None]
    return _compose(colour, disc(scallop))


def _screw_cap(rng: Random) -> Sprite:
    """A plastic bottle's or jar's lid: ribbed side, plain or printed top."""
    ribs = int(rng.integers(40, 120))
    top = rng.uniform(0.8, 0.93)
    paint = random_colour(rng)
    colour = paint * _shade(rng)[:, :, None]
    side = _ring(top, 1.0)
    colour = colour * (1 - side * (0.25 + 0.15 * np.cos(ANGLE * ribs)))[:, :, None]
    colour += (_bevel(rng, top, 0.03) * rng.uniform(10, 60))[:, :, None]
    if chance(rng, 0.5):
        colour = _mark(rng, colour, random_colour(rng))
    for _ in range(int(rng.integers(0, 3))):
        colour += (_bevel(rng, rng.uniform(0.2, 0.7), 0.02) * 40)[:, :, None]
    return _compose(colour, disc())


def _washer(rng: Random) -> Sprite:
    metal = np.float32(rng.uniform(70, 210)) * np.array([1, 1, 1.02], np.float32)
    if chance(rng, 0.3):
        metal *= np.array([1.05, 0.85, 0.5], np.float32)
    hole = rng.uniform(0.3, 0.75)
    scratches = rng.standard_normal((SIDE, SIDE)).astype(np.float32)
    colour = metal * _shade(rng)[:, :, None]
    colour += (cv2.GaussianBlur(scratches, (0, 0), 1.5) * 14)[:, :, None]
    bevels = _bevel(rng, 0.97, 0.04) + _bevel(rng, hole, 0.04)
    colour += (bevels * rng.uniform(10, 60))[:, :, None]
    sheen = np.cos(2 * (ANGLE - rng.uniform(0, 3.2)))
    colour *= (1 + sheen * rng.uniform(0, 0.3))[:, :, None]
    return _compose(colour, _ring(hole, 1.0))


def _ring_band(rng: Random) -> Sprite:
    """A finger ring, rubber band or key ring: an outline with nothing in it."""
    inner = rng.uniform(0.78, 0.94)
    colour = random_colour(rng) * _shade(rng)[:, :, None]
    colour += (_bevel(rng, (1 + inner) / 2, (1 - inner) / 3) * rng.uniform(10, 110))[:, :, None]
    return _compose(colour, _ring(inner, 1.0))


def _ball(rng: Random) -> Sprite:
    """A marble, orange, pill or bead, lit from one side."""
    towards = rng.uniform(-0.6, 0.6, 2)
    height = np.sqrt(np.clip(1 - RADIUS**2, 0, 1))
    light = (_x * towards[0] + _y * towards[1]) / OUTLINE + height * rng.uniform(0.5, 1)
    colour = random_colour(rng) * (rng.uniform(0.1, 0.4) + np.clip(light, 0, 1.5))[:, :, None]
    peel = rng.standard_normal((SIDE, SIDE)).astype(np.float32)
    colour += (cv2.GaussianBlur(peel, (0, 0), 1.5) * rng.uniform(0, 30))[:, :, None]
    shine = np.hypot(_x / OUTLINE - towards[0] * 0.6, _y / OUTLINE - towards[1] * 0.6)
    colour += (np.exp(-((shine / rng.uniform(0.05, 0.25)) ** 2)) * rng.uniform(0, 200))[:, :, None]
    return _compose(colour, disc())


def _plate(rng: Random) -> Sprite:
    """A plate, saucer, bowl or cup from above."""
    colour = np.float32(rng.uniform(120, 250)) + rng.normal(0, 12, 3).astype(np.float32)
    if chance(rng, 0.3):
        colour = random_colour(rng)
    picture = colour * _shade(rng)[:, :, None]
    inner = rng.uniform(0.55, 0.8)
    picture += (_bevel(rng, inner, rng.uniform(0.02, 0.08)) * rng.uniform(10, 60))[:, :, None]
    picture += (_bevel(rng, 0.98, 0.03) * rng.uniform(10, 60))[:, :, None]
    if chance(rng, 0.4):
        band = _ring(inner + 0.05, min(0.99, inner + rng.uniform(0.08, 0.2)))[:, :, None]
        picture = picture * (1 - band) + random_colour(rng) * band
    if chance(rng, 0.4):
        food = disc(inner * rng.uniform(0.6, 0.95))[:, :, None]
        texture = soft_field(rng, SIDE, SIDE, 12)[:, :, None] * np.float32(25)
        picture = picture * (1 - food) + (random_colour(rng) + texture) * food
    return _compose(picture, disc())


def _sticker(rng: Random) -> Sprite:
    """A flat paper disc, plain or printed."""
    colour = np.zeros((SIDE, SIDE, 3), np.float32) + random_colour(rng)
    if chance(rng, 0.5):
        border = _ring(rng.uniform(0.8, 0.95), 1.0)[:, :, None]
        colour = colour * (1 - border) + random_colour(rng) * border
    if chance(rng, 0.6):
        colour = _mark(rng, colour, random_colour(rng))
    return _compose(colour, disc())


def _optical_disc(rng: Random) -> Sprite:
    """A CD: silver with a hole and a rainbow."""
    hue = (np.cos(ANGLE[:, :, None] * 2 + np.array([0, 2, 4], np.float32)) * 40).astype(np.float32)
    colour = np.float32(rng.uniform(120, 200)) + hue * np.float32(rng.uniform(0.2, 1.4))
    colour -= (_ring(0.12, 0.3) * 40)[:, :, None]
    return _compose(colour, _ring(0.12, 1.0))


def _flower(rng: Random) -> Sprite:
    """Petals, cogs, knobs and nuts: round-ish with an uneven outline."""
    petals = int(rng.integers(3, 14))
    outline = 1 - rng.uniform(0.1, 0.35) * (0.5 + 0.5 * np.cos(ANGLE * petals))
    colour = random_colour(rng) * _shade(rng)[:, :, None]
    colour += soft_field(rng, SIDE, SIDE, 9)[:, :, None] * np.float32(12)
    middle = disc(rng.uniform(0.15, 0.5))[:, :, None]
    colour = colour * (1 - middle) + random_colour(rng) * middle
    return _compose(colour, disc(outline))


def _polygon(rng: Random) -> Sprite:
    """Nuts, dice and tiles: three to six straight sides."""
    sides = int(rng.integers(3, 7))
    sector = np.mod(ANGLE + rng.uniform(0, 6.3), 2 * np.pi / sides) - np.pi / sides
    outline = np.cos(np.pi / sides) / np.cos(sector)
    colour = random_colour(rng) * _shade(rng)[:, :, None]
    if chance(rng, 0.5):
        colour = _mark(rng, colour, random_colour(rng))
    alpha = disc(outline.astype(np.float32))
    if sides == 6 and chance(rng, 0.6):
        alpha = alpha * (1 - disc(0.45))
    return _compose(colour, alpha)


ROUND: tuple[Callable[[Random], Sprite], ...] = (
    _button,
    _button,
    _bottle_cap,
    _bottle_cap,
    _screw_cap,
    _washer,
    _ring_band,
    _ball,
    _ball,
    _plate,
    _sticker,
    _optical_disc,
    _flower,
    _polygon,
)


def round_things(seed: int, count: int) -> list[NDArray[np.uint8]]:
    """`count` round sprites that are not coins, every kind in turn."""
    rng = np.random.default_rng(seed)
    return [ROUND[i % len(ROUND)](rng).astype(np.uint8) for i in range(count)]


def _lay(
    picture: Picture, owner: NDArray[np.int16], mask: NDArray[np.uint8], colour: NDArray[np.float32]
) -> None:
    """Covers the picture with an evenly coloured, slightly rounded shape and its shadow."""
    sigma = 4.0 * picture.shape[0] / 240
    rounded = cv2.GaussianBlur(mask, (0, 0), sigma).astype(np.float32) * (1 / 255)
    cover = mask.astype(np.float32) * (1 / 255)
    picture *= (1 - 0.45 * rounded)[:, :, None]
    light = (0.35 + 0.65 * rounded)[:, :, None] * colour
    picture += (light - picture) * cover[:, :, None]
    owner[mask > 127] = 0


def lay_finger(
    rng: Random, picture: Picture, owner: NDArray[np.int16], tip: NDArray[np.float64], width: float
) -> None:
    """One finger reaching in from outside the picture to `tip`, `width` pixels thick."""
    tone = skin_colour(rng) / 255
    height, columns = picture.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    away = tip + np.array([np.cos(angle), np.sin(angle)]) * (height + columns)
    mask = np.zeros((height, columns), np.uint8)
    start = (round(float(tip[0])), round(float(tip[1])))
    end = (round(float(away[0])), round(float(away[1])))
    cv2.line(mask, start, end, 255, max(2, round(width)), cv2.LINE_AA)
    _lay(picture, owner, mask, tone.astype(np.float32))
    if chance(rng, 0.6):
        nail = np.zeros_like(mask)
        axes = (max(1, round(width * 0.33)), max(1, round(width * 0.25)))
        cv2.ellipse(nail, start, axes, np.degrees(angle), 0, 360, 255, -1, cv2.LINE_AA)
        cover = nail.astype(np.float32)[:, :, None] * (0.6 / 255)
        picture += (np.clip(tone * 1.25, 0, 1).astype(np.float32) - picture) * cover


def lay_stick(
    rng: Random,
    picture: Picture,
    owner: NDArray[np.int16],
    through: NDArray[np.float64],
    unit: float,
) -> None:
    """A pen, cable, blade or clip wire crossing the point `through`; `unit` is a coin's width."""
    height, columns = picture.shape[:2]
    angle = rng.uniform(0, np.pi)
    length = log_uniform(rng, 1, 8) * unit
    delta = np.array([np.cos(angle), np.sin(angle)]) * length
    start, end = through - delta * rng.random(), through + delta * rng.random()
    width = max(1, round(log_uniform(rng, 0.04, 0.5) * unit))
    mask = np.zeros((height, columns), np.uint8)
    cv2.line(
        mask,
        (round(float(start[0])), round(float(start[1]))),
        (round(float(end[0])), round(float(end[1]))),
        255,
        width,
        cv2.LINE_AA,
    )
    _lay(picture, owner, mask, (random_colour(rng).clip(0, 255) / 255).astype(np.float32))


def lay_block(
    rng: Random, picture: Picture, owner: NDArray[np.int16], at: NDArray[np.float64], unit: float
) -> None:
    """A box, card, phone or note lying at `at`, with a darker or lighter frame."""
    sides = log_uniform(rng, 1, 6) * unit, log_uniform(rng, 1, 6) * unit
    turned = ((float(at[0]), float(at[1])), sides, float(rng.uniform(0, 180)))
    corners = cv2.boxPoints(turned).astype(np.int32)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA)
    colour = (random_colour(rng).clip(0, 255) / 255).astype(np.float32)
    _lay(picture, owner, mask, colour)
    if chance(rng, 0.5):
        edge = np.zeros_like(mask)
        cv2.polylines(edge, [corners], True, 255, max(1, round(unit * 0.05)), cv2.LINE_AA)
        cover = edge.astype(np.float32)[:, :, None] * (1 / 255)
        picture += (colour * np.float32(rng.uniform(0, 1.6)) - picture) * cover
