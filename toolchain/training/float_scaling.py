"""Multipliers near the wanted ones whose scaling 32-bit floats can do exactly.

Scaling an accumulator a to int8 follows one rule of whole numbers (`integer_reference`). Processors
with 512-bit registers do it fastest by one multiplication and addition of floats, rounded once, and
the engine does so wherever it finds, when it prepares a network, that every result is the rule's.
Whether there are floats that do depends on how close accumulators come to where results change,
which differs from one multiplier to the next by chance: at a shift of 10 about half have some, at
11 one in eight. A multiplier some millionths away, which is nothing to a network, has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Sums of convolutions computed in tiles are so many times the accumulators.
TILE_UNITS = (576, 144)
# Multipliers are at least 2**30: changes stay below one in ten thousand.
STEP = 16
MOST_STEPS = 6000
# Floats on each side of the nearest one that the engine tries as multiplier.
NEIGHBOURS = 3
# Shifts the engine scales by floats.
LARGEST_SHIFT = 17


def _firsts(multiplier: int, shift: int, lowest: int, highest: int) -> NDArray[np.int64]:
    """The least accumulator for each result above the lowest."""
    unit = 1 << (31 + shift)
    rounding = (1 << 30) + (unit >> 1 if shift > 0 else 0)
    return np.array(
        [-((rounding - number * unit) // multiplier) for number in range(lowest + 1, highest + 1)],
        np.int64,
    )


def is_exact(multiplier: int, shift: int, lowest: int, highest: int, unit: int = 1) -> bool:
    """Whether floats scale `unit` times the accumulator to the rule's results.

    `lowest` and `highest` are the results, less the zero point, beyond which all are the same.
    """
    if not 0 <= shift <= LARGEST_SHIFT:
        return False
    scale = multiplier / 2.0 ** (31 + shift)
    results = int((lowest + highest + 1) / 2)
    sums = unit * (_firsts(multiplier, shift, lowest, highest) - round(results / scale))
    boundaries = np.arange(lowest - results, highest - results) + 0.5
    room = np.spacing(np.abs(boundaries).astype(np.float32)).astype(np.float64) / 2
    nearest = np.float32(scale / unit)
    for step in range(-NEIGHBOURS, NEIGHBOURS + 1):
        candidate = nearest
        for _ in range(abs(step)):
            candidate = np.nextafter(candidate, np.float32(np.inf if step > 0 else 0))
        least = (boundaries - sums * float(candidate) + room).max(initial=-np.inf)
        most = (boundaries - (sums - unit) * float(candidate) - room).min(initial=np.inf)
        # The sum of both halved is rounded to a float, which has to stay between them.
        if least < most and least < float(np.float32((least + most) / 2)) < most:
            return True
    return False


def exact_multiplier(
    multiplier: int, shift: int, lowest: int, highest: int, units: tuple[int, ...]
) -> int:
    """The nearest multiplier, in steps, exact for all `units`; as it is if none is found."""
    for number in range(MOST_STEPS):
        offset = (number + 1) // 2 * (STEP if number % 2 else -STEP)
        candidate = multiplier + offset
        if not 1 << 30 <= candidate < 1 << 31:
            continue
        if all(is_exact(candidate, shift, lowest, highest, unit) for unit in units):
            return candidate
    return multiplier


def exact_multipliers(
    multipliers: NDArray[np.int32],
    shifts: NDArray[np.uint8],
    lowest: int,
    highest: int,
    *,
    is_tiled: bool,
) -> NDArray[np.int32]:
    """`exact_multiplier` for each channel; tiled if the convolution may be computed so."""
    units = (1, *TILE_UNITS) if is_tiled else (1,)
    return np.array(
        [
            exact_multiplier(int(multiplier), int(shift), lowest, highest, units)
            for multiplier, shift in zip(multipliers, shifts, strict=True)
        ],
        np.int32,
    )
