"""Every face of the rupiah coins a counter meets, as a function that strikes it.

Each design takes the generator's dice for what differs from die to die and year to year:
the year, the weight of the strokes, a little of the placing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import figures, portraits
from .emblem import garuda
from .lettering import arc, straight
from .relief import RADIUS, SIZE, Relief, ellipse

Draw = Callable[[Relief, np.random.Generator], None]


@dataclass(frozen=True)
class Face:
    """One side of one series of one denomination."""

    name: str
    value: int
    """Rupiah; 0 for what is not rupiah."""
    withdrawn: bool
    diameter: float
    """Millimetres."""
    thickness: float
    """Millimetres."""
    metal: str
    draw: Draw
    outline: str = "round"
    """round, scalloped (Rp500 1991), twelve (old Rp100), cap (a crown cap)."""


def rim(relief: Relief, width: float, height: float, step: float = 0.05) -> None:
    """A raised rim `width` coin radii wide, with a soft inner edge."""
    ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    r = np.hypot(xs - SIZE / 2, ys - SIZE / 2) / RADIUS
    t = np.clip((r - (1 - width)) / step, 0, 1)
    np.maximum(relief.height, (t * t * (3 - 2 * t) * height).astype(np.float32), out=relief.height)


def beads(relief: Relief, radius: float, count: int, size: float, height: float) -> None:
    """A ring of dots inside the rim."""
    mask = relief.mask(
        [
            ellipse(radius * np.sin(a), -radius * np.cos(a), size, size, count=12)
            for a in np.linspace(0, 2 * np.pi, count, endpoint=False)
        ]
    )
    relief.strike(mask, height, 0.1)


def _pick(rng: np.random.Generator, *options: str) -> str:
    return str(options[int(rng.integers(len(options)))])


def _outlined(relief: Relief, mask: np.ndarray, height: float) -> None:
    """Digits of 2016: a raised edge round a slightly hollow body."""
    relief.strike(mask, height, 0.22)
    relief.strike(mask, height * 0.18, 0.7, "add")


def number_2016(value: str) -> Draw:
    """The number side of 2016: BANK INDONESIA over the number, RUPIAH, 2016."""

    def draw(relief: Relief, rng: np.random.Generator) -> None:
        h = rng.uniform(0.09, 0.14)
        rim(relief, 0.065, h * 1.15)
        if value == "1000":
            beads(relief, 0.9, 96, 0.011, h * 0.6)
        font = _pick(rng, "geometric", "geometric", "sans-bold", "plain-bold")
        relief.strike(arc("BANK INDONESIA", font, 0.71, 2, 0.145, 122, stretch=0.9, weight=-0.01),
                      h * 0.8, 0.12)
        digits = _pick(rng, "serif", "old-style", "bookish")
        width = {"100": 1.2, "200": 1.26, "500": 1.3, "1000": 1.5}[value]
        cap = {"100": 0.68, "200": 0.66, "500": 0.66, "1000": 0.58}[value]
        y = {"1000": 0.32}.get(value, 0.34) + rng.normal(0, 0.008)
        weight = 0.025 if digits != "old-style" else 0.015
        _outlined(
            relief, straight(value, digits, 0, y, cap, width * rng.uniform(0.97, 1.03),
                             weight=weight), h,
        )
        relief.strike(straight("RUPIAH", font, 0, 0.62, 0.14, 0.64, weight=0.01), h * 0.8, 0.12)
        relief.strike(straight("2016", font, 0, 0.82, 0.12, 0.36), h * 0.75, 0.12)

    return draw


def portrait_2016(sitter: portraits.Sitter, name: str, sweep: float) -> Draw:
    """The portrait side of 2016: emblem at the left, sitter at the right, words all round."""

    def draw(relief: Relief, rng: np.random.Generator) -> None:
        h = rng.uniform(0.08, 0.13)
        portraits.portrait(relief, rng, sitter, h)
        garuda(relief, -0.47, -0.03, 0.52, h * 0.95, 12, lettered=False)
        rim(relief, 0.06, h * 1.2)
        font = _pick(rng, "geometric", "geometric", "sans-bold", "plain-bold")
        relief.strike(
            arc("REPUBLIK INDONESIA", font, 0.765, 3, 0.125, 116, stretch=0.78), h * 0.8, 0.12,
            "add"
        )
        relief.strike(
            arc(name, font, 0.88, 182, 0.085, sweep, stretch=0.75, feet_out=True), h * 0.8, 0.1
        )

    return draw


def garuda_side(font: str, years: tuple[int, ...], scale: float, cy: float, cap: float,
                year_y: float, head_right: bool = False, radius: float = 0.9,
                sweep: float = 138) -> Draw:
    """The emblem over the year, BANK INDONESIA along the lower rim."""

    def draw(relief: Relief, rng: np.random.Generator) -> None:
        h = rng.uniform(0.1, 0.15)
        rim(relief, 0.06, h * 1.1)
        garuda(relief, 0, cy, scale * rng.uniform(0.98, 1.02), h, head_right=head_right)
        relief.strike(
            arc("BANK INDONESIA", font, radius, 180, cap, sweep, feet_out=True), h * 0.8, 0.12
        )
        year = str(years[int(rng.integers(len(years)))])
        relief.strike(straight(year, font, 0, year_y, cap * 0.78, 0.36), h * 0.75, 0.12)

    return draw


def _cockatoo(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.05, h)
    digits = _pick(rng, "serif", "serif", "old-style")
    figures.cockatoo(relief, rng, h)
    relief.strike(straight("1", digits, -0.29, 0.61, 0.56, 0.32, weight=0.01), h, 0.18, "lay")
    relief.strike(straight("0", digits, 0.01, 0.62, 0.62, 0.43, weight=0.012), h, 0.2)
    relief.strike(straight("0", digits, 0.48, 0.62, 0.62, 0.45, weight=0.012), h, 0.2)
    relief.strike(straight("KAKAKTUA RAJA", "wide", 0.36, -0.23, 0.085, 0.92), h * 0.75, 0.1)
    relief.strike(straight("RUPIAH", "serif-bold", -0.08, 0.8, 0.1, 0.56), h * 0.75, 0.1)


def _starling(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.05, h)
    figures.starling(relief, rng, h)
    digits = _pick(rng, "serif", "serif", "old-style")
    relief.strike(straight("200", digits, 0.03, 0.72, 0.44, 0.92, weight=0.012), h, 0.18)
    relief.strike(straight("RUPIAH", "geometric-light", 0.02, 0.86, 0.1, 0.56, weight=0.02),
                  h * 0.75, 0.1)
    relief.strike(arc("JALAK BALI", "sans", 0.79, 4, 0.1, 58), h * 0.75, 0.1)


def _jasmine_2003(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.05, h)
    figures.jasmine_2003(relief, h)
    digits = _pick(rng, "serif", "serif", "old-style")
    relief.strike(straight("500", digits, 0.0, 0.7, 0.58, 1.2, weight=0.008), h, 0.2)
    relief.strike(straight("RUPIAH", "geometric-light", 0.0, 0.88, 0.12, 0.7, weight=0.01),
                  h * 0.75, 0.1)
    relief.strike(arc("BUNGA MELATI", "geometric-light", 0.81, -4, 0.1, 70, weight=0.01),
                  h * 0.75, 0.1)


def _oriole(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.06, h)
    digits = _pick(rng, "serif", "bookish")
    relief.strike(straight("50", digits, -0.13, 0.6, 0.82, 1.1, weight=0.01), h, 0.2)
    figures.oriole(relief, rng, h)
    relief.strike(straight("KEPODANG", "wide", -0.37, -0.33, 0.095, 0.72), h * 0.75, 0.1)
    relief.strike(straight("RUPIAH", "serif-bold", 0.0, 0.78, 0.12, 0.7), h * 0.75, 0.1)


def _jasmine_1997(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.06, h)
    figures.jasmine_1997(relief, h)
    relief.strike(straight("500", "plain-bold", 0, 0.22, 0.56, 1.5), h * 1.1, 0.25)
    relief.strike(straight("RUPIAH", "wide", 0, 0.48, 0.11, 0.7, spacing=0.1), h * 0.75, 0.1)
    relief.strike(arc("BUNGA MELATI", "wide", 0.86, 180, 0.09, 80, feet_out=True), h * 0.75, 0.1)


def _jasmine_1991(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.09, 0.13)
    _scalloped_rim(relief, h)
    figures.jasmine_1991(relief, h)
    relief.strike(arc("Bunga Melati", "script", 0.68, 0, 0.14, 92, weight=0.02), h * 0.75, 0.1)
    relief.strike(straight("Rp500", "serif-bold", 0, 0.8, 0.2, 0.78), h * 0.9, 0.14)


def _scalloped_rim(relief: Relief, h: float) -> None:
    ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    dx, dy = (xs - SIZE / 2) / RADIUS, (ys - SIZE / 2) / RADIUS
    r, a = np.hypot(dx, dy), np.arctan2(dy, dx)
    inner = 0.94 - 0.07 * np.abs(np.cos(3 * a)) ** 0.6
    t = np.clip((r - inner) / 0.04, 0, 1)
    teeth = 0.75 + 0.25 * np.sin(a * 140) * (r > inner + 0.02)
    np.maximum(relief.height, (t * t * (3 - 2 * t) * h * teeth).astype(np.float32),
               out=relief.height)


def _garuda_1991(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.09, 0.13)
    _scalloped_rim(relief, h)
    garuda(relief, 0, -0.02, 0.88, h)
    relief.strike(arc("BANK INDONESIA", "serif-bold", 0.82, 180, 0.12, 112, feet_out=True),
                  h * 0.8, 0.1)
    year = str((1991, 1992)[int(rng.integers(2))])
    relief.strike(straight(year, "serif-bold", 0, 0.6, 0.11, 0.36), h * 0.75, 0.1)


def _ring(relief: Relief, radius: float) -> None:
    """The seam between ring and centre of a bimetal coin."""
    circle = ellipse(0, 0, radius, radius, count=120)
    relief.line(np.concatenate([circle, circle[:1]]), 0.012, 0.04, 0.06, "cut", False)


def _palm(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.1, 0.14)
    rim(relief, 0.05, h)
    figures.oil_palm(relief, h)
    relief.strike(arc("KELAPA SAWIT", "sans-bold", 0.76, 2, 0.13, 118), h * 0.8, 0.1)
    relief.strike(arc("Rp1000", "serif-bold", 0.92, 180, 0.15, 62, feet_out=True), h * 0.85, 0.1)
    _ring(relief, 0.69)


def _garuda_1993(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.1, 0.14)
    rim(relief, 0.05, h)
    garuda(relief, 0, 0.02, 0.7, h, head_right=True)
    year = str((1993, 1994, 1995, 1996, 1997, 2000)[int(rng.integers(6))])
    relief.strike(straight(year, "serif-bold", 0, 0.62, 0.12, 0.34), h * 0.75, 0.1)
    relief.strike(arc("BANK INDONESIA", "serif-bold", 0.93, 180, 0.15, 172, feet_out=True),
                  h * 0.85, 0.1)
    _ring(relief, 0.69)


def _number_2010(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.08, 0.12)
    rim(relief, 0.05, h)
    garuda(relief, 0, -0.39, 0.42, h, 11, lettered=False)
    relief.strike(arc("BANK INDONESIA", "old-style", 0.77, 0, 0.13, 108, stretch=0.85,
                      weight=0.01), h * 0.8, 0.1)
    _outlined(relief, straight("1000", "old-style", 0, 0.48, 0.66, 1.66, weight=0.005), h)
    relief.strike(arc("RUPIAH", "geometric-light", 0.93, 180, 0.12, 52, feet_out=True), h * 0.8,
                  0.1)


def _angklung(relief: Relief, rng: np.random.Generator) -> None:
    h = rng.uniform(0.08, 0.12)
    rim(relief, 0.05, h)
    circle = ellipse(0, 0, 0.91, 0.91, count=160)
    wave = circle * (1 + 0.012 * np.sin(np.arange(160) * np.pi / 2))[:, None]
    relief.line(np.concatenate([wave, wave[:1]]), 0.014, h * 0.5, 0.06, "raise", False)
    figures.angklung(relief, rng, h)
    relief.strike(arc("ANGKLUNG", "wide", 0.73, 0, 0.1, 70), h * 0.8, 0.1)
    relief.strike(straight("2010", "serif-bold", 0, 0.82, 0.1, 0.46, spacing=0.12), h * 0.75, 0.1)


def _foreign(relief: Relief, rng: np.random.Generator) -> None:
    """A coin of no country: number, words and figure as the dice fall."""
    h = rng.uniform(0.07, 0.15)
    rim(relief, rng.uniform(0.03, 0.12), h * 1.1)
    if rng.random() < 0.35:
        beads(relief, 0.88, int(rng.integers(50, 120)), 0.012, h * 0.6)
    fonts = ("serif", "serif-bold", "sans-bold", "wide", "geometric", "plain", "bookish-bold")
    letters = "ABCDEFGHIJKLMNOPRSTUVYZ"

    def word(low: int, high: int) -> str:
        return "".join(letters[int(rng.integers(len(letters)))] for _ in range(rng.integers(low,
                                                                                            high)))

    kind = rng.random()
    number = _pick(rng, "1", "2", "5", "10", "20", "25", "50", "3", "1/2", "6")
    if kind < 0.45:
        relief.strike(
            straight(number, _pick(rng, *fonts), rng.uniform(-0.2, 0.2), rng.uniform(0.2, 0.5),
                     rng.uniform(0.5, 0.9), rng.uniform(0.45, 0.6) * (1 + len(number) / 2)), h,
                     0.25,
        )
        relief.strike(straight(word(4, 8), _pick(rng, *fonts), 0, rng.uniform(0.62, 0.74), 0.13),
                      h * 0.8, 0.12)
    elif kind < 0.7:
        portraits.portrait(relief, rng, portraits.stranger(rng), h)
    elif kind < 0.85:
        for _ in range(int(rng.integers(3, 9))):
            x, y = rng.uniform(-0.4, 0.4, 2)
            figures.leaf(relief, (x + rng.uniform(-0.4, 0.4), y - rng.uniform(0.1, 0.4)), (x, y),
                         rng.uniform(0.15, 0.35), h)
        figures.flower(relief, *rng.uniform(-0.2, 0.2, 2), rng.uniform(0.2, 0.4), h,
                       int(rng.integers(5, 9)))
    else:
        points = int(rng.integers(5, 17))
        star = [
            ((0.6, 0.35)[i % 2] * np.sin(i * np.pi / points),
             -(0.6, 0.35)[i % 2] * np.cos(i * np.pi / points))
            for i in range(2 * points)
        ]
        relief.shape(np.array(star), h, rng.uniform(0.2, 1.5))
    if rng.random() < 0.8:
        relief.strike(arc(word(5, 10) + " " + word(4, 9), _pick(rng, *fonts), 0.76,
                          rng.uniform(-30, 30), 0.12, rng.uniform(80, 160)), h * 0.8, 0.12)
    if rng.random() < 0.6:
        relief.strike(arc(str(rng.integers(1950, 2026)), _pick(rng, *fonts), 0.9, 180, 0.11,
                          feet_out=True), h * 0.8, 0.12)


def _washer(relief: Relief, rng: np.random.Generator) -> None:
    rim(relief, rng.uniform(0.01, 0.05), -0.05)
    hole = rng.uniform(0.25, 0.5)
    relief.shape(ellipse(0, 0, hole, hole, count=80), 1.2, 0.2, "cut")


def _button(relief: Relief, rng: np.random.Generator) -> None:
    rim(relief, rng.uniform(0.1, 0.25), 0.4, 0.15)
    count = 4 if rng.random() < 0.6 else 2
    for i in range(count):
        a = 2 * np.pi * i / count + np.pi / 4
        relief.shape(ellipse(0.22 * np.cos(a), 0.22 * np.sin(a), 0.09, 0.09), 1.5, 0.1, "cut")


def _cap(relief: Relief, rng: np.random.Generator) -> None:
    ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    dx, dy = (xs - SIZE / 2) / RADIUS, (ys - SIZE / 2) / RADIUS
    r, a = np.hypot(dx, dy), np.arctan2(dy, dx)
    slope = np.clip((r - 0.78) / 0.22, 0, 1)
    relief.height -= (slope**1.5 * 5 * (0.75 + 0.25 * np.cos(21 * a))).astype(np.float32)
    if rng.random() < 0.6:
        font = _pick(rng, "sans-bold", "script", "plain-bold", "wide")
        relief.strike(straight(_pick(rng, "COLA", "Teh", "BIR", "SODA", "Fresh"), font, 0,
                               0.15, 0.3, rng.uniform(0.6, 1.1)), 0.08, 0.2)


_G = garuda_side
FACES: dict[str, Face] = {
    face.name: face
    for face in [
        Face("50-1999-garuda", 50, False, 20, 2.0, "aluminium",
             _G("serif-bold", (1999, 2001, 2002), 0.92, -0.06, 0.13, 0.66)),
        Face("50-1999-oriole", 50, False, 20, 2.0, "aluminium", _oriole),
        Face("100-1999-garuda", 100, False, 23, 2.0, "aluminium",
             _G("serif-bold", (1999, 2000, 2001, 2003, 2004, 2005), 0.94, -0.05, 0.12, 0.66)),
        Face("100-1999-cockatoo", 100, False, 23, 2.0, "aluminium", _cockatoo),
        Face("100-2016-portrait", 100, False, 23, 2.0, "aluminium",
             portrait_2016(portraits.JOHANNES, "Prof. Dr. Ir. HERMAN JOHANNES", 122)),
        Face("100-2016-number", 100, False, 23, 2.0, "aluminium", number_2016("100")),
        Face("200-2003-garuda", 200, False, 25, 2.3, "aluminium",
             _G("serif-bold", (2003,), 0.96, -0.03, 0.13, 0.67)),
        Face("200-2003-starling", 200, False, 25, 2.3, "aluminium", _starling),
        Face("200-2016-portrait", 200, False, 25, 2.3, "aluminium",
             portrait_2016(portraits.MANGUNKUSUMO, "Dr. TJIPTOMANGUNKUSUMO", 102)),
        Face("200-2016-number", 200, False, 25, 2.3, "aluminium", number_2016("200")),
        Face("500-1991-garuda", 500, True, 24, 1.8, "bronze", _garuda_1991, "scalloped"),
        Face("500-1991-jasmine", 500, True, 24, 1.8, "bronze", _jasmine_1991, "scalloped"),
        Face("500-1997-garuda", 500, True, 24, 1.83, "bronze",
             _G("old-style-bold", (1997, 2000, 2001, 2002, 2003), 0.96, -0.05, 0.11, 0.7,
                radius=0.88, sweep=100)),
        Face("500-1997-jasmine", 500, True, 24, 1.83, "bronze", _jasmine_1997),
        Face("500-2003-garuda", 500, False, 27, 2.5, "aluminium",
             _G("serif-bold", (2003, 2008), 1.0, 0.0, 0.13, 0.69)),
        Face("500-2003-jasmine", 500, False, 27, 2.5, "aluminium", _jasmine_2003),
        Face("500-2016-portrait", 500, False, 27.2, 2.35, "aluminium",
             portrait_2016(portraits.SIMATUPANG, "LETJEN TNI T.B. SIMATUPANG", 108)),
        Face("500-2016-number", 500, False, 27.2, 2.35, "aluminium", number_2016("500")),
        Face("1000-1993-garuda", 1000, True, 26, 2.4, "bimetal", _garuda_1993),
        Face("1000-1993-palm", 1000, True, 26, 2.4, "bimetal", _palm),
        Face("1000-2010-number", 1000, False, 24.15, 1.6, "nickel", _number_2010),
        Face("1000-2010-angklung", 1000, False, 24.15, 1.6, "nickel", _angklung),
        Face("1000-2016-portrait", 1000, False, 24.1, 1.6, "nickel",
             portrait_2016(portraits.PUDJA, "Mr. I GUSTI KETUT PUDJA", 96)),
        Face("1000-2016-number", 1000, False, 24.1, 1.6, "nickel", number_2016("1000")),
    ]
}
"""The rupiah faces by name: value, series, side."""

OTHERS: dict[str, Face] = {
    face.name: face
    for face in [
        Face("foreign", 0, False, 23, 1.9, "any", _foreign),
        Face("washer", 0, False, 22, 1.5, "steel", _washer),
        Face("button", 0, False, 20, 3.0, "plastic", _button),
        Face("cap", 0, False, 30, 6.0, "painted", _cap, "cap"),
    ]
}
"""Coin-like things that are not rupiah; their metal, size and design are drawn by lot."""

