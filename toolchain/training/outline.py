"""The outline of a coin in a picture: an ellipse, found from a rough box.

A coin seen by a camera is nearly an ellipse.  Labels are boxes drawn by hand, a few pixels off;
recognition by a polar unwrap wants the outline within a percent of the radius.  `fit_outline`
follows the strongest closed edge near the box that separates coin from surroundings.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]

ANGLES = 180
WORKING_RADIUS = 120.0


@dataclass(frozen=True)
class Ellipse:
    """Points `centre + shape @ (cos t, sin t)`, in pixels; `shape` is symmetric."""

    centre: Floats
    shape: Floats

    @staticmethod
    def in_box(left: float, top: float, width: float, height: float) -> Ellipse:
        """The ellipse inscribed in an axis-parallel box, in pixels."""
        return Ellipse(
            np.array([left + width / 2, top + height / 2], float),
            np.diag([width / 2, height / 2]).astype(float),
        )

    @property
    def axes(self) -> tuple[float, float]:
        """The longer and the shorter semi-axis, in pixels."""
        values = np.linalg.eigvalsh(self.shape)
        return float(values[1]), float(values[0])

    @property
    def mean_radius(self) -> float:
        """The radius of the circle of equal area, in pixels."""
        return float(np.sqrt(abs(np.linalg.det(self.shape))))

    @property
    def diameter(self) -> float:
        """The longer axis, in pixels."""
        return 2 * self.axes[0]

    def points(self, count: int = ANGLES) -> Floats:
        """`count` points of the outline, [count, 2]."""
        angle = 2 * np.pi * np.arange(count) / count
        return self.centre + np.stack([np.cos(angle), np.sin(angle)], 1) @ self.shape.T

    def moved(self, scale: float, offset: Floats) -> Ellipse:
        """The same ellipse after `p -> p * scale + offset`."""
        return Ellipse(self.centre * scale + offset, self.shape * scale)


@dataclass(frozen=True)
class Outline:
    """A fitted outline and how well the picture supports it."""

    ellipse: Ellipse
    support: float
    """Share of the visible outline that lies on an edge, 0...1."""
    residual: float
    """Median distance of the edge from the ellipse, in radii."""
    visible: float
    """Share of the outline inside the picture, 0...1."""


def _symmetric(matrix: Floats) -> Floats:
    """The symmetric matrix that maps the unit circle onto the same ellipse."""
    values, vectors = np.linalg.eigh(matrix @ matrix.T)
    return vectors @ np.diag(np.sqrt(np.maximum(values, 1e-9))) @ vectors.T


def _smooth_path(score: Floats, step: int, cost: float) -> NDArray[np.int64]:
    """The closed path of highest score through [angle, radius], moving at most `step` an angle."""
    angles, radii = score.shape
    doubled = np.concatenate([score, score])
    total = doubled[0].copy()
    back = np.zeros((2 * angles, radii), np.int64)
    moves = np.arange(-step, step + 1)
    padded_index = np.arange(radii)[None, :] + moves[:, None]
    inside = (padded_index >= 0) & (padded_index < radii)
    clipped = np.clip(padded_index, 0, radii - 1)
    penalty = np.where(inside, cost * np.abs(moves)[:, None], 1e9)
    for row in range(1, 2 * angles):
        options = total[clipped] - penalty
        best = np.argmax(options, 0)
        back[row] = clipped[best, np.arange(radii)]
        total = options[best, np.arange(radii)] + doubled[row]
    path = np.zeros(2 * angles, np.int64)
    path[-1] = int(np.argmax(total))
    for row in range(2 * angles - 1, 0, -1):
        path[row - 1] = back[row, path[row]]
    half = angles // 2
    return np.roll(path[half : half + angles], half)


def _sample(image: Floats, points: Floats) -> Floats:
    """Bilinear samples of an H x W x C image at [.., 2] points, edges replicated."""
    # A pixel's centre is at +0.5 in outlines' coordinates and at whole numbers for OpenCV.
    maps = (points - 0.5).astype(np.float32)
    return cv2.remap(
        image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def fit_outline(
    picture: Pixels,
    start: Ellipse,
    *,
    reach: float = 0.16,
    spoiled: NDArray[np.bool_] | None = None,
    background: Floats | None = None,
    level: bool = False,
) -> Outline:
    """Follows the coin's edge from a rough ellipse.

    `picture` is RGB; `reach` is how far, in radii, the true edge may lie from the start;
    `spoiled` marks pixels that are no photograph (drawn boxes); `background` is the colour around
    the picture (RGB) when the coin touches the picture's edge, as in catalogue scans on white;
    `level` says that the ellipse's axes are those of the picture (a stretched picture of a circle).
    """
    height, width = picture.shape[:2]
    radius = max(start.mean_radius, 4.0)
    margin = 1.6 * start.axes[0] + 4
    low = np.floor(start.centre - margin).astype(int)
    high = np.ceil(start.centre + margin).astype(int)
    inner_low = np.maximum(low, 0)
    inner_high = np.minimum(high, [width, height])
    if np.any(inner_high - inner_low < 4):
        return Outline(start, 0.0, 1.0, 0.0)
    window = picture[inner_low[1] : inner_high[1], inner_low[0] : inner_high[0]]
    pads = (
        inner_low[1] - low[1],
        high[1] - inner_high[1],
        inner_low[0] - low[0],
        high[0] - inner_high[0],
    )
    if background is None:
        window = cv2.copyMakeBorder(window, *map(int, pads), cv2.BORDER_REPLICATE)
    else:
        window = cv2.copyMakeBorder(
            window, *map(int, pads), cv2.BORDER_CONSTANT, value=[float(v) for v in background]
        )
    valid = np.zeros(window.shape[:2], np.float32)
    valid[
        pads[0] : window.shape[0] - pads[1] or None, pads[2] : window.shape[1] - pads[3] or None
    ] = 1
    if background is not None:
        valid[:] = 1
    if spoiled is not None:
        part = spoiled[inner_low[1] : inner_high[1], inner_low[0] : inner_high[0]]
        y, x = pads[0], pads[2]
        valid[y : y + part.shape[0], x : x + part.shape[1]] *= 1 - part.astype(np.float32)
    scale = WORKING_RADIUS / radius
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    size = (max(8, round(window.shape[1] * scale)), max(8, round(window.shape[0] * scale)))
    small = cv2.resize(window, size, interpolation=method).astype(np.float32) / 255
    valid = cv2.resize(valid, size, interpolation=cv2.INTER_LINEAR)
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2LAB), (0, 0), 1.4).astype(np.float64)
    # Colour differences less than lightness ones count little more than noise in photographs.
    lab *= np.array([1.0, 1.5, 1.5])

    ellipse = start.moved(scale, -low * scale)
    angle = 2 * np.pi * np.arange(ANGLES) / ANGLES
    rays = np.stack([np.cos(angle), np.sin(angle)], 1)
    support, residual, visible = 0.0, 1.0, 0.0
    for span in (reach, reach, 0.75 * reach, 0.5 * reach, 0.5 * reach):
        step = 1 / 120
        around = 0.14
        radii = np.arange(1 - span - around, 1 + span + around, step)
        unit = rays[:, None, :] * radii[None, :, None]
        points = ellipse.centre + unit @ ellipse.shape.T
        colours = _sample(lab, points)
        seen = _sample(valid, points)
        gap = 2
        gradient = np.zeros(colours.shape[:2])
        gradient[:, gap:-gap] = np.linalg.norm(
            colours[:, 2 * gap :] - colours[:, : -2 * gap], axis=2
        )
        # What surrounds the coin at each angle, smoothed over neighbouring angles.
        outer = radii > 1 + 0.45 * span + 0.05
        surround = np.median(colours[:, outer], axis=1)
        stacked = np.stack([np.roll(surround, turn, 0) for turn in range(-12, 13, 3)])
        surround = np.median(stacked, axis=0)
        distance = np.linalg.norm(colours - surround[:, None], axis=2)
        inside_ring = distance[:, radii < 1 - 0.4 * span]
        outside_ring = distance[:, outer]
        threshold = max(
            3.0, 0.5 * float(np.median(inside_ring)), 1.2 * float(np.median(outside_ring))
        )
        like_coin = np.clip(distance / threshold, 0, 2) - 1
        run = int(around / step)
        cumulative = np.concatenate([np.zeros((ANGLES, 1)), np.cumsum(like_coin, 1)], 1)
        change = np.zeros_like(gradient)
        index = np.arange(run, len(radii) - run)
        before = cumulative[:, index] - cumulative[:, index - run]
        after = cumulative[:, index + run] - cumulative[:, index]
        # The change lies between two samples: at the mean of the borders before and after one.
        border = (before - after) / (2 * run)
        change[:, run : len(radii) - run - 1] = (border[:, :-1] + border[:, 1:]) / 2
        strength = gradient / (np.percentile(gradient, 92) + 1e-6)
        score = np.minimum(strength, 1.6) * (0.5 + 1.2 * np.clip(change, 0, 1)) + 0.6 * np.clip(
            change, -1, 1
        )
        score = np.where(seen > 0.9, score, 0.15)
        score -= 0.5 * ((radii - 1) / span)[None] ** 2
        score[:, : run - 2] = -4
        score[:, len(radii) - run + 2 :] = -4
        path = _smooth_path(score, 2, 0.12)
        rows = np.arange(ANGLES)
        deviation = radii[path] - 1
        quality = np.where(seen[rows, path] > 0.9, np.clip(strength[rows, path], 0, 1.5), 0.0)
        weight = quality.copy()
        design = np.stack(
            [np.ones(ANGLES), np.cos(angle), np.sin(angle), np.cos(2 * angle), np.sin(2 * angle)],
            1,
        )
        visible = float(np.mean(seen[rows, path] > 0.9))
        solution = np.zeros(5)
        ridge = np.diag([1e-3, 1e-3, 1e-3, 0.5, 1e6 if level else 0.5])
        ridge *= 1.0 + 60.0 * max(0.0, 0.7 - visible)
        for _ in range(8):
            normal = design.T @ (design * weight[:, None]) + ridge
            solution = np.linalg.solve(normal, design.T @ (deviation * weight))
            error = deviation - design @ solution
            typical = float(np.median(np.abs(error[quality > 0]))) if np.any(quality > 0) else 1.0
            spread = max(0.004, 1.5 * typical)
            weight = quality / (1 + (error / spread) ** 2) ** 2
        error = np.abs(deviation - design @ solution)
        good = quality > 0.3
        support = float(np.mean(good & (error < 0.025)) / max(visible, 0.05))
        residual = float(np.median(error[quality > 0])) if np.any(quality > 0) else 1.0
        s, dx, dy, e1, e2 = solution
        change_of_shape = np.array([[1 + s + e1, e2], [e2, 1 + s - e1]])
        ellipse = Ellipse(
            ellipse.centre + ellipse.shape @ np.array([dx, dy]),
            _symmetric(ellipse.shape @ change_of_shape),
        )
    fitted = Ellipse(ellipse.centre / scale + low, ellipse.shape / scale)
    return Outline(fitted, support, residual, visible)


def foreground_box(picture: Pixels) -> tuple[float, float, float, float] | None:
    """Box (left, top, width, height) of the one object on an even ground, by colour."""
    height, width = picture.shape[:2]
    edge = max(2, min(height, width) // 60)
    corners = [
        picture[:edge, :edge],
        picture[:edge, -edge:],
        picture[-edge:, :edge],
        picture[-edge:, -edge:],
    ]
    ground = np.median(np.concatenate([c.reshape(-1, 3) for c in corners]), 0)
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    reference = cv2.cvtColor((ground[None, None] / 255).astype(np.float32), cv2.COLOR_RGB2LAB)
    mask = (np.linalg.norm(lab - reference, axis=2) > 9).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    left, top, box_width, box_height, _ = stats[largest]
    return float(left), float(top), float(box_width), float(box_height)


def corner_colour(picture: Pixels) -> Floats:
    """The median colour (RGB) of the picture's four corners."""
    edge = max(2, min(picture.shape[:2]) // 60)
    corners = [
        picture[:edge, :edge],
        picture[:edge, -edge:],
        picture[-edge:, :edge],
        picture[-edge:, -edge:],
    ]
    return np.median(np.concatenate([c.reshape(-1, 3) for c in corners]), 0)


def rectify(
    image: NDArray[np.uint8], ellipse: Ellipse, side: int, radius: float, *, border: int
) -> NDArray[np.uint8]:
    """Resamples so that the ellipse becomes the centred circle of `radius` in side x side.

    `border` is a cv2 border mode.  Shrinking averages areas, so that small prints do not alias.
    """
    scale = min(1.0, 1.3 * radius / max(ellipse.mean_radius, 1e-6))
    margin = np.ceil(side / radius * ellipse.axes[0] * 0.75) + 4
    low = np.maximum(np.floor(ellipse.centre - margin).astype(int), 0)
    high = np.minimum(
        np.ceil(ellipse.centre + margin).astype(int), [image.shape[1], image.shape[0]]
    )
    window = image[low[1] : high[1], low[0] : high[0]]
    size = (max(1, round(window.shape[1] * scale)), max(1, round(window.shape[0] * scale)))
    factor = np.array([size[0] / window.shape[1], size[1] / window.shape[0]])
    if scale < 1:
        window = cv2.resize(window, size, interpolation=cv2.INTER_AREA)
    # A pixel's centre is at +0.5 in the ellipse's coordinates and at whole numbers for OpenCV.
    shape = np.diag(factor) @ ellipse.shape / radius
    middle = np.array([side / 2, side / 2])
    offset = (ellipse.centre - low) * factor - shape @ (middle - 0.5) - 0.5
    matrix = np.concatenate([shape, offset[:, None]], 1)
    return cv2.warpAffine(
        window,
        matrix,
        (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=border,
    )
