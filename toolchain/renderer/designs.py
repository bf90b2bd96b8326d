"""The faces of the coins in use and of those withdrawn in 2023, as functions that strike them.

Each design takes the generator's dice for what differs from die to die and year to year:
the year, the weight of the strokes, a little of the placing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import figures, portraits
from .emblem import garuda
from .lettering import arc, straight
from .parts import Draw, beads, pick, rim
from .relief import RADIUS, SIZE, Relief, ellipse


def _outlined(relief: Relief, mask: NDArray[np.bool_], height: float) -> None:
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
        font = pick(rng, "geometric", "geometric", "sans-bold", "plain-bold")
        relief.strike(arc("BANK INDONESIA", font, 0.71, 2, 0.145, 122, stretch=0.9, weight=-0.01),
                      h * 0.8, 0.12)
        digits = pick(rng, "serif", "old-style", "bookish")
        width = {"100": 1.2, "200": 1.26, "500": 1.3, "1000": 1.5}[value]
        cap = {"100": 0.68, "200": 0.66, "500": 0.66, "1000": 0.58}[value]
        y = {"1000": 0.32}.get(value, 0.34) + rng.normal(0, 0.008)
        weight = rng.uniform(0.025, 0.06) if digits != "old-style" else rng.uniform(0.01, 0.03)
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
        font = pick(rng, "geometric", "geometric", "sans-bold", "plain-bold")
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


def cockatoo(relief: Relief, rng: np.random.Generator) -> None:
    """The cockatoo of Rp100 (1999)."""
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.05, h)
    digits = pick(rng, "serif", "serif", "old-style")
    figures.cockatoo(relief, rng, h)
    relief.strike(straight("1", digits, -0.29, 0.61, 0.56, 0.32, weight=0.01), h, 0.18, "lay")
    relief.strike(straight("0", digits, 0.01, 0.62, 0.62, 0.43, weight=0.012), h, 0.2)
    relief.strike(straight("0", digits, 0.48, 0.62, 0.62, 0.45, weight=0.012), h, 0.2)
    relief.strike(straight("KAKAKTUA RAJA", "wide", 0.36, -0.23, 0.085, 0.92), h * 0.75, 0.1)
    relief.strike(straight("RUPIAH", "serif-bold", -0.08, 0.8, 0.1, 0.56), h * 0.75, 0.1)


def starling(relief: Relief, rng: np.random.Generator) -> None:
    """The starling of Rp200 (2003)."""
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.05, h)
    figures.starling(relief, rng, h)
    digits = pick(rng, "serif", "serif", "old-style")
    relief.strike(straight("200", digits, 0.03, 0.72, 0.44, 0.92, weight=rng.uniform(0.012,
                                                                                     0.035)), h,
                                                                                     0.18)
    relief.strike(straight("RUPIAH", "geometric-light", 0.02, 0.86, 0.1, 0.56, weight=0.02),
                  h * 0.75, 0.1)
    relief.strike(arc("JALAK BALI", "sans", 0.79, 4, 0.1, 58), h * 0.75, 0.1)


def jasmine_2003(relief: Relief, rng: np.random.Generator) -> None:
    """The jasmine of Rp500 (2003)."""
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.05, h)
    figures.jasmine_2003(relief, h)
    digits = pick(rng, "serif", "serif", "old-style")
    relief.strike(straight("500", digits, 0.0, 0.7, 0.58, 1.2, weight=rng.uniform(0.008, 0.035)),
                  h, 0.2)
    relief.strike(straight("RUPIAH", "geometric-light", 0.0, 0.88, 0.12, 0.7, weight=0.01),
                  h * 0.75, 0.1)
    relief.strike(arc("BUNGA MELATI", "geometric-light", 0.81, -4, 0.1, 70, weight=0.01),
                  h * 0.75, 0.1)


def oriole(relief: Relief, rng: np.random.Generator) -> None:
    """The oriole of Rp50 (1999)."""
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.06, h)
    digits = pick(rng, "serif", "bookish")
    relief.strike(straight("50", digits, -0.13, 0.6, 0.82, 1.1, weight=0.01), h, 0.2)
    figures.oriole(relief, rng, h)
    relief.strike(straight("KEPODANG", "wide", -0.37, -0.33, 0.095, 0.72), h * 0.75, 0.1)
    relief.strike(straight("RUPIAH", "serif-bold", 0.0, 0.78, 0.12, 0.7), h * 0.75, 0.1)


def jasmine_1997(relief: Relief, rng: np.random.Generator) -> None:
    """The jasmine of Rp500 (1997)."""
    h = rng.uniform(0.1, 0.15)
    rim(relief, 0.06, h)
    figures.jasmine_1997(relief, h)
    relief.strike(straight("500", "plain-bold", 0, 0.22, 0.56, 1.5), h * 1.1, 0.25)
    relief.strike(straight("RUPIAH", "wide", 0, 0.48, 0.11, 0.7, spacing=0.1), h * 0.75, 0.1)
    relief.strike(arc("BUNGA MELATI", "wide", 0.86, 180, 0.09, 80, feet_out=True), h * 0.75, 0.1)


def jasmine_1991(relief: Relief, rng: np.random.Generator) -> None:
    """The jasmine of the scalloped Rp500 (1991)."""
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


def garuda_1991(relief: Relief, rng: np.random.Generator) -> None:
    """The eagle of the scalloped Rp500 (1991)."""
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


def palm(relief: Relief, rng: np.random.Generator) -> None:
    """The oil palm of the two-metal Rp1000 (1993)."""
    h = rng.uniform(0.1, 0.14)
    rim(relief, 0.05, h)
    figures.oil_palm(relief, h)
    relief.strike(arc("KELAPA SAWIT", "sans-bold", 0.76, 2, 0.13, 118), h * 0.8, 0.1)
    relief.strike(arc("Rp1000", "serif-bold", 0.92, 180, 0.15, 62, feet_out=True), h * 0.85, 0.1)
    _ring(relief, 0.69)


def garuda_1993(relief: Relief, rng: np.random.Generator) -> None:
    """The eagle of the two-metal Rp1000 (1993)."""
    h = rng.uniform(0.1, 0.14)
    rim(relief, 0.05, h)
    garuda(relief, 0, 0.02, 0.7, h, head_right=True)
    year = str((1993, 1994, 1995, 1996, 1997, 2000)[int(rng.integers(6))])
    relief.strike(straight(year, "serif-bold", 0, 0.62, 0.12, 0.34), h * 0.75, 0.1)
    relief.strike(arc("BANK INDONESIA", "serif-bold", 0.93, 180, 0.15, 172, feet_out=True),
                  h * 0.85, 0.1)
    _ring(relief, 0.69)


def number_2010(relief: Relief, rng: np.random.Generator) -> None:
    """The number and eagle of Rp1000 (2010)."""
    h = rng.uniform(0.08, 0.12)
    rim(relief, 0.05, h)
    garuda(relief, 0, -0.39, 0.42, h, 11, lettered=False)
    relief.strike(arc("BANK INDONESIA", "old-style", 0.77, 0, 0.13, 108, stretch=0.85,
                      weight=0.01), h * 0.8, 0.1)
    _outlined(relief, straight("1000", "old-style", 0, 0.48, 0.66, 1.66, weight=0.005), h)
    relief.strike(arc("RUPIAH", "geometric-light", 0.93, 180, 0.12, 52, feet_out=True), h * 0.8,
                  0.1)


def angklung(relief: Relief, rng: np.random.Generator) -> None:
    """The angklung of Rp1000 (2010)."""
    h = rng.uniform(0.08, 0.12)
    rim(relief, 0.05, h)
    circle = ellipse(0, 0, 0.91, 0.91, count=160)
    wave = circle * (1 + 0.012 * np.sin(np.arange(160) * np.pi / 2))[:, None]
    relief.line(np.concatenate([wave, wave[:1]]), 0.014, h * 0.5, 0.06, "raise", False)
    figures.angklung(relief, rng, h)
    relief.strike(arc("ANGKLUNG", "wide", 0.73, 0, 0.1, 70), h * 0.8, 0.1)
    relief.strike(straight("2010", "serif-bold", 0, 0.82, 0.1, 0.46, spacing=0.12), h * 0.75, 0.1)
