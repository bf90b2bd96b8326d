"""Parts many designs share: rims, rings of beads, the dice for a choice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .relief import RADIUS, SIZE, Relief, ellipse

Draw = Callable[[Relief, np.random.Generator], None]
"""Strikes a design into an empty relief; the dice are for what differs from die to die."""


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


def pick(rng: np.random.Generator, *options: str) -> str:
    """One of the options, by the dice."""
    return str(options[int(rng.integers(len(options)))])


def polygon_rim(relief: Relief, sides: int, inner: float, height: float) -> None:
    """A raised border whose inner edge is a polygon touching the circle `inner`."""
    ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    dx, dy = (xs - SIZE / 2) / RADIUS, (ys - SIZE / 2) / RADIUS
    r, a = np.hypot(dx, dy), np.arctan2(dx, -dy)
    sector = np.mod(a, 2 * np.pi / sides) - np.pi / sides
    t = np.clip((r - inner * np.cos(np.pi / sides) / np.cos(sector)) / 0.03, 0, 1)
    raised = (t * t * (3 - 2 * t) * height).astype(np.float32)
    np.maximum(relief.height, raised, out=relief.height)


def teeth(relief: Relief, inner: float, count: int, height: float) -> None:
    """Short radial teeth between `inner` and the rim."""
    ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    dx, dy = (xs - SIZE / 2) / RADIUS, (ys - SIZE / 2) / RADIUS
    r, a = np.hypot(dx, dy), np.arctan2(dy, dx)
    wave = (0.5 + 0.5 * np.sin(a * count)) * (r > inner) * height
    np.maximum(relief.height, wave.astype(np.float32), out=relief.height)
