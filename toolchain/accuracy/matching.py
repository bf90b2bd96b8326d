"""Pairs the coins a counter found with the coins that are there."""

from __future__ import annotations

import math
from dataclasses import dataclass

from accuracy.truth import TrueCoin

SAME_COIN = 0.5
"""Overlap (intersection over union of the two discs) from which a find is the coin."""


@dataclass(frozen=True)
class FoundCoin:
    """One coin as a counter reports it, in pixels of the picture as displayed."""

    x: float
    y: float
    diameter: float
    value: int
    """Rupiah; 0 for a coin it won't name."""
    confidence: float = 0.0
    withdrawn: bool = False


def disc_overlap(x: float, y: float, radius: float, u: float, v: float, other: float) -> float:
    """Intersection over union of two discs, 0...1."""
    distance = math.hypot(x - u, y - v)
    if distance >= radius + other:
        return 0.0
    small, large = min(radius, other), max(radius, other)
    if distance <= large - small:
        return (small / large) ** 2 if large > 0 else 0.0
    a = (distance**2 + radius**2 - other**2) / (2 * distance * radius)
    b = (distance**2 + other**2 - radius**2) / (2 * distance * other)
    lens = radius**2 * math.acos(max(-1, min(1, a))) + other**2 * math.acos(max(-1, min(1, b)))
    lens -= 0.5 * math.sqrt(
        max(
            0.0,
            (-distance + radius + other)
            * (distance + radius - other)
            * (distance - radius + other)
            * (distance + radius + other),
        )
    )
    return lens / (math.pi * (radius**2 + other**2) - lens)


def match(truth: list[TrueCoin], found: list[FoundCoin]) -> tuple[dict[int, int], list[int]]:
    """(true index -> found index, indices of invented coins): the best overlaps first."""
    pairs = []
    for i, coin in enumerate(truth):
        x, y = coin.centre
        radius = math.sqrt(coin.width * coin.height) / 2
        for j, find in enumerate(found):
            overlap = disc_overlap(x, y, radius, find.x, find.y, find.diameter / 2)
            if overlap >= SAME_COIN:
                pairs.append((overlap, i, j))
    matched: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(pairs, reverse=True):
        if i not in matched and j not in taken:
            matched[i] = j
            taken.add(j)
    return matched, [j for j in range(len(found)) if j not in taken]
