"""Tests of the coins that nobody has struck."""

from __future__ import annotations

import numpy as np
import pytest

from renderer.inventions import invented
from renderer.relief import SIZE, Relief
from renderer.scene import Lying, Tray


def struck(family: int, design: int) -> np.ndarray:
    relief = Relief(24.0)
    invented(relief, family, design)
    return relief.height


def test_the_same_numbers_strike_the_same_coin() -> None:
    assert np.array_equal(struck(3, 14), struck(3, 14))


@pytest.mark.parametrize("design", range(12))
def test_every_design_bears_something_and_differs_from_its_neighbour(design: int) -> None:
    height = struck(design // 4, design)
    assert height.shape == (SIZE, SIZE) and np.isfinite(height).all()
    assert np.abs(np.gradient(height[::4, ::4])).max() > 0.005
    assert np.abs(height - struck(design // 4, design + 100)).mean() > 1e-4


def test_pictures_of_one_tray_differ_in_noise_alone() -> None:
    rng = np.random.default_rng(5)
    tray = Tray(rng, 160, 120, 80.0, clean=True, tilt=0.0)
    coin = Lying("100-2016-number", 0.0, 0.0, 0.3, 11)
    first, second = tray.photographs([coin], rng, 2)
    assert first.coins == second.coins
    difference = np.abs(first.picture.astype(int) - second.picture)
    assert 0 < difference.mean() < 8
