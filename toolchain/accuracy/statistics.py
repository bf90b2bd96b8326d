"""Intervals of shares, and the reliability of confidences."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

Z95 = 1.959964


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share; (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    scale = 1 + Z95**2 / trials
    middle = (share + Z95**2 / (2 * trials)) / scale
    half = Z95 / scale * math.sqrt(share * (1 - share) / trials + Z95**2 / (4 * trials**2))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Bin:
    """Coins whose confidence lies in one range."""

    low: float
    high: float
    count: int
    confidence: float
    """Their mean confidence."""
    right: int


BIN_EDGES = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)


def reliability(confidences: list[float], right: list[bool]) -> list[Bin]:
    """How often coins named with a confidence were right, by range of confidence."""
    bins = []
    for low, high in itertools.pairwise(BIN_EDGES):
        last = high == BIN_EDGES[-1]
        chosen = [
            (c, r)
            for c, r in zip(confidences, right, strict=True)
            if low <= c < high or (last and c >= high)
        ]
        if chosen:
            mean = sum(c for c, _ in chosen) / len(chosen)
            bins.append(Bin(low, high, len(chosen), mean, sum(r for _, r in chosen)))
    return bins


def calibration_error(bins: list[Bin]) -> float:
    """The expected calibration error: the mean gap of confidence and share right."""
    total = sum(b.count for b in bins)
    gaps = (b.count * abs(b.confidence - b.right / b.count) for b in bins)
    return sum(gaps) / total if total else 0.0
