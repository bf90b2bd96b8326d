"""Coins nobody has struck, for learning what makes two coins of one kind.

Rim, words and layout come from the dice of a family, as coins of one country share them, and in
most families what sort of motif they bear; the motif comes from the dice of the design. Motifs are
made of curves, strokes, letters and the renderer's plants, figures and portraits.
`strangers.foreign`, which draws the coins that teaching is measured with, lays them out otherwise.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import figures, older, portraits
from .lettering import FONTS, arc, straight
from .parts import beads, polygon_rim, rim, teeth
from .relief import Relief, curve, ellipse

Dice = np.random.Generator
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FIGURES = (
    lambda relief, rng, h: figures.cockatoo(relief, rng, h),
    lambda relief, rng, h: figures.starling(relief, rng, h),
    lambda relief, rng, h: figures.oriole(relief, rng, h),
    lambda relief, rng, h: figures.angklung(relief, rng, h),
    lambda relief, _, h: figures.oil_palm(relief, h),
    lambda relief, _, h: figures.jasmine_1991(relief, h),
    lambda relief, _, h: figures.jasmine_1997(relief, h),
    lambda relief, rng, _: older.komodo(relief, rng),
    lambda relief, rng, _: older.wayang(relief, rng),
    lambda relief, rng, _: older.bird_of_paradise(relief, rng),
)


def _word(rng: np.random.Generator, low: int, high: int) -> str:
    return "".join(_LETTERS[int(i)] for i in rng.integers(26, size=int(rng.integers(low, high))))


def _font(rng: np.random.Generator) -> str:
    return str(rng.choice(list(FONTS)))


def _blob(rng: np.random.Generator, cx: float, cy: float, radius: float) -> np.ndarray:
    """A closed smooth outline."""
    count = int(rng.integers(5, 12))
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False) + rng.uniform(0, 2 * np.pi)
    reach = radius * rng.uniform(0.45, 1.15, count)
    return curve(list(zip(cx + reach * np.cos(angle), cy + reach * np.sin(angle), strict=True)),
                 closed=True)  # fmt: skip


def _creature(relief: Relief, rng: np.random.Generator, _: Dice, h: float) -> None:
    """A body of blobs with limbs."""
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.uniform(-0.35, 0.35, 2)
        relief.shape(_blob(rng, x, y, rng.uniform(0.15, 0.5)), h * rng.uniform(0.5, 1),
                     rng.uniform(0.15, 0.8))  # fmt: skip
    for _ in range(int(rng.integers(1, 9))):
        start = rng.uniform(-0.4, 0.4, 2)
        path = [tuple(start + rng.uniform(-0.45, 0.45, 2) * k / 2) for k in range(4)]
        relief.line(path, [rng.uniform(0.02, 0.12), rng.uniform(0.01, 0.06)], h,
                    mode="cut" if rng.random() < 0.25 else "raise")  # fmt: skip


def _number(relief: Relief, rng: np.random.Generator, shared: Dice, h: float) -> None:
    """A large number or monogram near the middle; those of a family differ in its text."""
    text = (
        str(int(rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 75, 100, 250])))
        if rng.random() < 0.75
        else _word(rng, 1, 4)
    )
    cap = shared.uniform(0.35, 0.85)
    relief.strike(
        straight(text, _font(shared), shared.uniform(-0.15, 0.15), shared.uniform(0, 0.5), cap,
                 min(1.5, cap * shared.uniform(0.5, 0.85) * len(text)),
                 weight=shared.uniform(-0.02, 0.06)), h, shared.uniform(0.1, 0.3),
        "cut" if shared.random() < 0.1 else "raise",
    )  # fmt: skip
    if shared.random() < 0.6:
        relief.strike(straight(_word(rng, 3, 9), _font(shared), 0, shared.uniform(0.55, 0.78),
                               shared.uniform(0.1, 0.17), shared.uniform(0.5, 1.1)), h * 0.8, 0.12)


def _rosette(relief: Relief, rng: np.random.Generator, shared: Dice, h: float) -> None:
    """Something with the symmetry of a wheel; those of a family differ in the number of spokes."""
    kind = shared.integers(5)
    inner, outer = shared.uniform(0.05, 0.4), shared.uniform(0.4, 0.7)
    count = int(np.clip(shared.integers(4, 16) + rng.integers(-2, 3), 3, 17))
    for i in range(count):
        a = 2 * np.pi * i / count
        at = np.array([np.sin(a), -np.cos(a)])
        if kind == 0:
            relief.line([tuple(at * inner), tuple(at * outer)],
                        [0.03 + 0.2 / count] * 2, h, smooth=False)  # fmt: skip
        elif kind == 1:
            relief.shape(ellipse(*(at * outer * 0.7), outer * 0.3, outer * 0.14, a), h, 0.3)
        elif kind == 2:
            figures.leaf(relief, tuple(at * outer), tuple(at * inner), 0.18, h)
        elif kind == 3:
            beside = np.array([at[1], -at[0]]) * 2.5 / count
            relief.shape(np.array([at * outer, at * inner + beside * inner,
                                   at * inner - beside * inner]), h, 0.4)  # fmt: skip
        else:
            relief.shape(ellipse(*(at * outer * 0.8), 0.1, 0.1), h, 0.2)
    relief.shape(ellipse(0, 0, inner, inner), h, 0.4)


def _arms(relief: Relief, rng: np.random.Generator, _: Dice, h: float) -> None:
    """A shield, divided and charged, with strokes at its sides."""
    half, top, bottom = rng.uniform(0.22, 0.5), rng.uniform(-0.6, -0.3), rng.uniform(0.3, 0.65)
    shield = curve([(-half, top), (half, top), (half * 0.9, (top + bottom) / 2), (0, bottom),
                    (-half * 0.9, (top + bottom) / 2)], closed=True)  # fmt: skip
    relief.shape(shield, h * 0.6, 0.1)
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(-half, half), rng.uniform(top, bottom)
        if rng.random() < 0.5:
            relief.line([(x, top), (x, bottom)], 0.04, h * 0.5, mode="add", smooth=False)
        else:
            relief.line([(-half, y), (half, y)], 0.04, h * 0.5, mode="add", smooth=False)
    relief.shape(_blob(rng, 0, 0, half * 0.6), h * 0.5, 0.2, "add")
    for side in (-1, 1):
        for _ in range(int(rng.integers(0, 4))):
            relief.line([(side * half, rng.uniform(top, 0)), (side * rng.uniform(0.5, 0.75),
                        rng.uniform(-0.4, 0.4))], [0.08, 0.02], h)  # fmt: skip


def _building(relief: Relief, rng: np.random.Generator, _: Dice, h: float) -> None:
    """A front of columns under a roof, or towers."""
    base, count = rng.uniform(0.2, 0.5), int(rng.integers(2, 9))
    width = rng.uniform(0.4, 0.7)
    for x in np.linspace(-width, width, count):
        tall = rng.uniform(0.3, 0.9) if rng.random() < 0.4 else 0.55
        half = rng.uniform(0.02, 0.09)
        relief.shape(np.array([(x - half, base), (x + half, base), (x + half, base - tall),
                               (x - half, base - tall)]), h, 0.1)  # fmt: skip
    if rng.random() < 0.7:
        peak = base - rng.uniform(0.7, 1.0)
        relief.shape(np.array([(-width, base - 0.55), (width, base - 0.55), (0, peak)]), h * 0.8)
    relief.line([(-0.75, base), (0.75, base)], 0.05, h, smooth=False)


def _map(relief: Relief, rng: np.random.Generator, _: Dice, h: float) -> None:
    """Islands, and lines or dots about them."""
    for _ in range(int(rng.integers(3, 10))):
        relief.shape(_blob(rng, *rng.uniform(-0.55, 0.55, 2), rng.uniform(0.06, 0.28)), h, 0.1)
    if rng.random() < 0.5:
        for x in np.linspace(-0.6, 0.6, int(rng.integers(3, 8))):
            relief.line([(x, -0.75), (x * rng.uniform(0.5, 1), 0.75)], 0.02, h * 0.6)


def _portrait(relief: Relief, rng: np.random.Generator, _: Dice, h: float) -> None:
    portraits.portrait(relief, rng, portraits.stranger(rng), h)
    if rng.random() < 0.5:
        relief.shape(_blob(rng, rng.uniform(-0.2, 0.2), -0.45, 0.3), h * 1.1, 0.2)


def _plants(relief: Relief, rng: np.random.Generator, _: Dice, h: float) -> None:
    """A wreath or a branch, with or without a blossom."""
    count, low, sweep = int(rng.integers(4, 14)), rng.uniform(0.35, 0.6), rng.uniform(2, 6.2)
    start = rng.uniform(0, 2 * np.pi)
    for i in range(count):
        a = start + sweep * i / count
        root = (low * np.cos(a), low * np.sin(a))
        b = a + rng.uniform(0.2, 0.7)
        figures.leaf(relief, (0.72 * np.cos(b), 0.72 * np.sin(b)), root, rng.uniform(0.1, 0.3), h)
    if rng.random() < 0.5:
        figures.flower(relief, *rng.uniform(-0.15, 0.15, 2), rng.uniform(0.15, 0.4), h,
                       int(rng.integers(4, 10)), rng.uniform(0, 6))


def _figure(relief: Relief, rng: np.random.Generator, _: Dice, h: float) -> None:
    _FIGURES[int(rng.integers(len(_FIGURES)))](relief, rng, h)
    turn = rng.integers(4)
    relief.height = np.ascontiguousarray(np.rot90(relief.height, int(turn)))
    if rng.random() < 0.5:
        relief.height = np.ascontiguousarray(relief.height[:, ::-1])


_MOTIFS: tuple[tuple[float, Callable[[Relief, Dice, Dice, float], None]], ...] = (
    (3, _number), (2, _creature), (2, _rosette), (1, _arms), (1, _building), (1, _map),
    (2.5, _portrait), (1, _plants), (1, _figure),
)  # fmt: skip


def _motif(dice: Dice) -> Callable[[Relief, Dice, Dice, float], None]:
    weights = np.array([weight for weight, _ in _MOTIFS])
    return _MOTIFS[int(dice.choice(len(_MOTIFS), p=weights / weights.sum()))][1]


def invented(relief: Relief, family: int, design: int) -> None:
    """Strikes one design of one family; the same two numbers always strike the same."""
    own = np.random.default_rng([17, design])
    shared = np.random.default_rng([18, family])
    h = own.uniform(0.07, 0.15)
    # Coins of most families are hard to tell apart: all with a portrait, say.
    motif = _motif(shared if shared.random() < 0.7 else own)
    motif(relief, own, shared, h)
    if own.random() < 0.2:
        layer = Relief(relief.millimetres)
        (_number if own.random() < 0.5 else _creature)(layer, own, own, h * 0.8)
        np.maximum(relief.height, layer.height, out=relief.height)

    border = shared.random()
    if border < 0.8:
        rim(relief, shared.uniform(0.03, 0.13), h * 1.1)
    if border > 0.7:
        polygon_rim(relief, int(shared.choice([6, 7, 8, 10, 11, 12])), 0.97, h)
    if shared.random() < 0.3:
        beads(relief, 0.88, int(shared.integers(40, 130)), shared.uniform(0.009, 0.02), h * 0.6)
    if shared.random() < 0.12:
        teeth(relief, 0.9, int(shared.integers(40, 140)), h * 0.6)
    font, cap = _font(shared), shared.uniform(0.09, 0.15)
    if shared.random() < 0.75:
        words = " ".join(_word(shared, 3, 9) for _ in range(int(shared.integers(1, 4))))
        relief.strike(arc(words, font, 0.78, shared.uniform(-40, 40), cap,
                          min(300.0, len(words) * shared.uniform(9, 14))), h * 0.8, 0.12)
    if shared.random() < 0.6:
        text = str(int(own.integers(1930, 2030))) if shared.random() < 0.7 else _word(shared, 3, 8)
        relief.strike(arc(text, font, 0.9, shared.uniform(140, 220), cap, feet_out=True),
                      h * 0.8, 0.12)
    if shared.random() < 0.15:
        ring = ellipse(0, 0, 0.69, 0.69, count=120)
        relief.line(np.concatenate([ring, ring[:1]]), 0.012, 0.04, 0.06, "cut", False)
