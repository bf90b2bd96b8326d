"""Scaling by floats gives the results of the rule, for multipliers chosen for it."""

import numpy as np

from training.float_scaling import exact_multiplier, exact_multipliers, is_exact
from training.graph import quantise_multiplier


def test_most_small_shifts_are_exact_as_they_are_and_few_large_ones() -> None:
    generator = np.random.default_rng(3)
    found = {7: 0, 11: 0}
    for shift in found:
        for _ in range(40):
            multiplier = int(generator.integers(1 << 30, 1 << 31))
            found[shift] += is_exact(multiplier, shift, 0, 255)
    assert found[7] == 40
    assert found[11] < 20


def test_a_multiplier_chosen_is_exact_and_close() -> None:
    generator = np.random.default_rng(4)
    for _ in range(12):
        wanted, shift = quantise_multiplier(float(generator.uniform(1 / 3000, 1 / 1500)))
        chosen = exact_multiplier(wanted, shift, -128, 127, (1, 576, 144))
        assert abs(chosen - wanted) < wanted * 1e-4
        for unit in (1, 576, 144):
            assert is_exact(chosen, shift, -128, 127, unit)


def test_floats_scale_every_accumulator_near_a_change_as_the_rule_does() -> None:
    multiplier = exact_multiplier(1_500_000_000, 9, 0, 255, (1,))
    rounding, unit = (1 << 30) + (1 << 39), 1 << 40
    scale = multiplier / unit
    origin = round(128 / scale)
    accumulators = np.arange(-200, int(256 / scale) + 200, dtype=np.int64)
    expected = np.clip((accumulators * multiplier + rounding) // unit, 0, 255)
    best = 0
    # One multiplication and addition, rounded once, by some addend.
    for addend in np.linspace(-1e-3, 1e-3, 4001):
        exact = (accumulators - origin) * float(np.float32(scale)) + float(np.float32(addend))
        results = np.clip(np.round(np.float32(exact)).astype(np.int64) + 128, 0, 255)
        best = max(best, int((results == expected).sum()))
    assert best == len(accumulators)


def test_a_result_that_cannot_be_had_leaves_the_multiplier_as_it_is() -> None:
    assert exact_multiplier(1 << 30, 30, -128, 127, (1,)) == 1 << 30
    kept = exact_multipliers(
        np.array([1 << 30], np.int32), np.array([30], np.uint8), -128, 127, is_tiled=True
    )
    assert kept.tolist() == [1 << 30]
