"""Where the camera stands over the table, and where coins lie on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from training.compose_effects import Random, chance

RUPIAH_DIAMETERS = np.array([20, 23, 23, 25, 25, 24, 24, 27, 27.2, 26, 24.15, 24.1])

# How coins lie.
FEW, SCATTERED, TOUCHING, GRID, PILE, TOUCHING_SPREAD = range(6)


def conic(matrix: NDArray[np.float64]) -> tuple[float, float, float, float, float]:
    """The ellipse x, y, a, b, angle that a homography makes of the unit circle."""
    inverse = np.linalg.inv(matrix)
    q = inverse.T @ np.diag([1.0, 1.0, -1.0]) @ inverse
    centre = np.linalg.solve(q[:2, :2], -q[:2, 2])
    level = -(q[2, 2] + q[:2, 2] @ centre)
    values, vectors = np.linalg.eigh(q[:2, :2] / level)
    a, b = 1 / np.sqrt(values[0]), 1 / np.sqrt(values[1])
    return centre[0], centre[1], a, b, np.arctan2(vectors[1, 0], vectors[0, 0])


def camera(rng: Random, width: int, height: int, coin: float) -> NDArray[np.float64]:
    """Homography from table millimetres to pixels; 25 mm are `coin` pixels in the middle."""
    focal = width * rng.uniform(0.8, 1.8)
    tilt = abs(rng.normal(0, 0.28)) if chance(rng, 0.85) else rng.uniform(0, 0.9)
    tilt = min(tilt, 0.95)
    towards = rng.normal(np.pi / 2, 0.3) if chance(rng, 0.6) else rng.uniform(0, 2 * np.pi)
    axis = np.array([-np.sin(towards), np.cos(towards), 0.0]) * tilt
    turn, _ = cv2.Rodrigues(axis)
    distance = focal * 25 / coin
    pose = np.column_stack([turn[:, 0], turn[:, 1], (0, 0, distance)])
    intrinsic = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    return intrinsic @ pose


def layout(
    rng: Random,
    view: NDArray[np.float64],
    width: int,
    height: int,
    most: int,
    weights: NDArray[np.float64],
    known_diameters: NDArray[np.float64],
) -> list[tuple[float, float, float, int]]:
    """Where coins lie: x, y, diameter in millimetres, and cut-out.

    `weights` says how likely each cut-out is, `known_diameters` how large, 0 where unknown.
    """
    mode = int(rng.choice(6, p=[0.25, 0.22, 0.18, 0.1, 0.1, 0.15]))
    if mode == FEW and chance(rng, 0.85):
        return []
    to_table = np.linalg.inv(view)
    middle = to_table @ (width / 2, height / 2, 1)
    scale = width / 320
    right = to_table @ (width / 2 + 10 * scale, height / 2, 1)
    step = abs(right[0] / right[2] - middle[0] / middle[2]) / 10 / scale
    room = width * height * step * step / 25**2
    count = min(most, 1 + int(rng.exponential(0.35) * room) + int(rng.integers(0, 6)))
    if mode == FEW:
        count = min(count, 2)
    closeness = (0.97, rng.uniform(1, 1.6), 1.0, 1.0, rng.uniform(0.35, 0.9), 0.97)[mode]
    sprites = rng.choice(len(weights), size=count, p=weights)
    if chance(rng, 0.15):
        sprites[:] = rng.choice(sprites, size=count)
    known = known_diameters[sprites]
    foreign = np.where(
        rng.random(count) < 0.3, rng.choice(RUPIAH_DIAMETERS, count), rng.uniform(16, 29, count)
    )
    diameters = np.where(known > 0, known, foreign)
    centre = middle[:2] / middle[2]
    spread = np.sqrt(count) * 25 * rng.uniform(0.3, 0.6)
    pitch = 25 * rng.uniform(1.08, 1.8)
    columns = max(1, round(np.sqrt(count) * rng.uniform(0.6, 1.8)))
    grid_turn = rng.normal(0, 0.25)
    turn = np.array(
        [[np.cos(grid_turn), -np.sin(grid_turn)], [np.sin(grid_turn), np.cos(grid_turn)]]
    )
    placed = np.zeros((0, 3))
    result = []
    for k in range(count):
        diameter = diameters[k]
        for _ in range(12):
            if mode == GRID:
                cell = np.array([k % columns - columns / 2, k // columns - count / columns / 2])
                spot = centre + turn @ (cell + rng.normal(0, 0.05, 2)) * pitch
            elif mode == PILE or (mode == TOUCHING and k == 0):
                spot = centre + rng.normal(0, spread, 2)
            elif mode in (TOUCHING, TOUCHING_SPREAD) and k > 0 and chance(rng, 0.85):
                other = placed[rng.integers(len(placed))]
                angle = rng.uniform(0, 2 * np.pi)
                gap = (other[2] + diameter) / 2 * (1 + abs(rng.normal(0, 0.02)))
                spot = other[:2] + gap * np.array([np.cos(angle), np.sin(angle)])
            else:
                pixel = rng.uniform((-0.02, -0.02), (1.02, 1.02)) * (width, height)
                point = to_table @ (pixel[0], pixel[1], 1)
                spot = point[:2] / point[2]
            apart = np.hypot(*(placed[:, :2] - spot).T)
            if (apart >= (placed[:, 2] + diameter) / 2 * closeness).all():
                placed = np.vstack([placed, (*spot, diameter)])
                result.append((spot[0], spot[1], diameter, int(sprites[k])))
                break
    return result
