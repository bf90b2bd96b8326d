"""What lies among rupiah coins and is none: coins of no country, washers, buttons, caps."""

from __future__ import annotations

import numpy as np

from . import figures, portraits
from .lettering import arc, straight
from .parts import beads, pick, rim
from .relief import RADIUS, SIZE, Relief, ellipse


def foreign(relief: Relief, rng: np.random.Generator) -> None:
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
    number = pick(rng, "1", "2", "5", "10", "20", "25", "50", "3", "1/2", "6")
    if kind < 0.45:
        relief.strike(
            straight(number, pick(rng, *fonts), rng.uniform(-0.2, 0.2), rng.uniform(0.2, 0.5),
                     rng.uniform(0.5, 0.9), rng.uniform(0.45, 0.6) * (1 + len(number) / 2)), h,
                     0.25,
        )
        relief.strike(straight(word(4, 8), pick(rng, *fonts), 0, rng.uniform(0.62, 0.74), 0.13),
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
        relief.strike(arc(word(5, 10) + " " + word(4, 9), pick(rng, *fonts), 0.76,
                          rng.uniform(-30, 30), 0.12, rng.uniform(80, 160)), h * 0.8, 0.12)
    if rng.random() < 0.6:
        relief.strike(arc(str(rng.integers(1950, 2026)), pick(rng, *fonts), 0.9, 180, 0.11,
                          feet_out=True), h * 0.8, 0.12)


def washer(relief: Relief, rng: np.random.Generator) -> None:
    """A flat ring of metal."""
    rim(relief, rng.uniform(0.01, 0.05), -0.05)
    hole = rng.uniform(0.25, 0.5)
    relief.shape(ellipse(0, 0, hole, hole, count=80), 1.2, 0.2, "cut")


def button(relief: Relief, rng: np.random.Generator) -> None:
    """A button with two or four holes."""
    rim(relief, rng.uniform(0.1, 0.25), 0.4, 0.15)
    count = 4 if rng.random() < 0.6 else 2
    for i in range(count):
        a = 2 * np.pi * i / count + np.pi / 4
        relief.shape(ellipse(0.22 * np.cos(a), 0.22 * np.sin(a), 0.09, 0.09), 1.5, 0.1, "cut")


def cap(relief: Relief, rng: np.random.Generator) -> None:
    """A crown cap of a bottle."""
    ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    dx, dy = (xs - SIZE / 2) / RADIUS, (ys - SIZE / 2) / RADIUS
    r, a = np.hypot(dx, dy), np.arctan2(dy, dx)
    slope = np.clip((r - 0.78) / 0.22, 0, 1)
    relief.height -= (slope**1.5 * 5 * (0.75 + 0.25 * np.cos(21 * a))).astype(np.float32)
    if rng.random() < 0.6:
        font = pick(rng, "sans-bold", "script", "plain-bold", "wide")
        relief.strike(straight(pick(rng, "COLA", "Teh", "BIR", "SODA", "Fresh"), font, 0,
                               0.15, 0.3, rng.uniform(0.6, 1.1)), 0.08, 0.2)
