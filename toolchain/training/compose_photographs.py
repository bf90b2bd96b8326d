"""Annotated photographs as scenes: random windows at random scales, with their coins."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training import compose_effects
from training.compose import BOXED, FITTED, MAJOR, MINOR, SPRITE, TURN, VISIBLE, Scene, X, Y
from training.compose_effects import Random, chance, log_uniform
from training.compose_outlines import OutlineStore

# Folder, and how much of it is drawn.
SOURCES = {
    "phone-a": ("rupiah/phone-a", 1.0),
    "phone-b": ("rupiah/phone-b", 1.0),
    "thai": ("foreign/thai", 4.0),
    "euro": ("foreign/euro", 2.5),
    "malaysia": ("foreign/malaysia", 2.0),
}
LONGEST_SIDE = 1280
OUTSIDE = (128, 128, 128)


@dataclass
class Photograph:
    """A photograph at full, half and quarter size, and its coins.

    `boxes` [N, 4] are x, y, width, height; `outlines` [N, 6] as in `compose_outlines`.
    """

    levels: list[NDArray[np.uint8]]
    boxes: NDArray[np.float32]
    outlines: NDArray[np.float32]
    source: str


class Photographs:
    """Annotated photographs, drawn by the weights of their sources."""

    def __init__(self, photographs: list[Photograph]) -> None:
        self.photographs = photographs
        counts = {p.source: 0 for p in photographs}
        for photograph in photographs:
            counts[photograph.source] += 1
        weights = np.array([SOURCES[p.source][1] / counts[p.source] for p in photographs])
        self.weights = weights / weights.sum() if len(weights) else weights

    def scene(
        self,
        rng: Random,
        noise: NDArray[np.float32],
        width: int = 320,
        height: int = 240,
        *,
        smallest: float = 12,
        largest: float = 220,
    ) -> Scene:
        """A window in which one labelled coin is `smallest` to `largest` pixels wide."""
        photograph = self.photographs[rng.choice(len(self.photographs), p=self.weights)]
        box = photograph.boxes[rng.integers(len(photograph.boxes))]
        zoom = min(log_uniform(rng, smallest, largest) / float(max(box[2:])), 2.0)
        rows, columns = photograph.levels[0].shape[:2]
        # No smaller than half of the whole photograph in the window.
        zoom = max(zoom, 0.45 * min(width / columns, height / rows))
        quarter = int(rng.integers(4))
        mirror = -1.0 if chance(rng, 0.5) else 1.0
        cos, sin = (1, 0, -1, 0)[quarter] * zoom, (0, 1, 0, -1)[quarter] * zoom
        linear = np.array([[cos * mirror, -sin], [sin * mirror, cos]])
        focus = box[:2] if chance(rng, 0.8) else rng.uniform((0, 0), (columns, rows))
        spot = rng.uniform((0.05, 0.05), (0.95, 0.95)) * (width, height)
        shift = spot - linear @ focus
        # Where the photograph is larger than the window, the window stays inside it.
        corners = linear @ np.array([[0, columns], [0, rows]])
        low, high = corners.min(axis=1) + shift, corners.max(axis=1) + shift
        for axis, size in enumerate((width, height)):
            if high[axis] - low[axis] >= size:
                shift[axis] += min(0, -low[axis]) + max(0, size - high[axis])
            else:
                shift[axis] += (size - high[axis] - low[axis]) / 2
        low, high = corners.min(axis=1) + shift, corners.max(axis=1) + shift
        picture = _window(photograph.levels, linear, shift, width, height)
        coins = _coins(photograph.outlines, linear, shift, width, height)
        view = picture.astype(np.float32) * np.float32(1 / 255)
        if chance(rng, 0.4):
            compose_effects.uneven_light(rng, view, rng.uniform(0.05, 0.25))
        if chance(rng, 0.7):
            picture = compose_effects.photograph(rng, view, noise)
            _letterboxed(picture, low, high)
        return Scene(picture, coins)

    def coin_free(self, rng: Random, count: int) -> list[NDArray[np.uint8]]:
        """Up to `count` parts of photographs, 160 pixels or more a side, without any coin."""
        found: list[NDArray[np.uint8]] = []
        for _ in range(count * 8):
            if len(found) == count or not self.photographs:
                break
            photograph = self.photographs[rng.integers(len(self.photographs))]
            if photograph.source == "malaysia":
                continue
            picture = photograph.levels[0]
            rows, columns = picture.shape[:2]
            height, width = rng.uniform(0.25, 0.7, 2) * (rows, columns)
            left, top = rng.uniform((0, 0), (columns - width, rows - height))
            boxes = photograph.boxes
            margin = boxes[:, 2:] * 0.56
            low, high = boxes[:, :2] - margin, boxes[:, :2] + margin
            clear = (high[:, 0] < left) | (low[:, 0] > left + width)
            clear |= (high[:, 1] < top) | (low[:, 1] > top + height)
            if clear.all() and min(height, width) >= 160:
                part = picture[int(top) : int(top + height), int(left) : int(left + width)]
                found.append(part.copy())
        return found


def _letterboxed(
    picture: NDArray[np.uint8], low: NDArray[np.float64], high: NDArray[np.float64]
) -> None:
    """Makes everything outside the photograph grey again."""
    left, top = np.maximum(0, np.round(low)).astype(int)
    right, bottom = np.maximum(0, np.round(high)).astype(int)
    picture[:top] = picture[bottom:] = OUTSIDE
    picture[:, :left] = picture[:, right:] = OUTSIDE


def _window(
    levels: list[NDArray[np.uint8]],
    linear: NDArray[np.float64],
    shift: NDArray[np.float64],
    width: int,
    height: int,
) -> NDArray[np.uint8]:
    zoom = np.sqrt(abs(np.linalg.det(linear)))
    level = 0
    while level + 1 < len(levels) and zoom * 2**level < 0.6:
        level += 1
    scaled = linear * 2**level
    # Pixel centres lie half a pixel inside, in the photograph as in the window.
    offset = shift + scaled @ (0.5, 0.5) - 0.5
    matrix = np.column_stack([scaled, offset])
    return cv2.warpAffine(
        levels[level],
        matrix,
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=OUTSIDE,
    )


def _coins(
    outlines: NDArray[np.float32],
    linear: NDArray[np.float64],
    shift: NDArray[np.float64],
    width: int,
    height: int,
) -> NDArray[np.float32]:
    coins = np.zeros((len(outlines), 7), np.float32)
    zoom = np.sqrt(abs(np.linalg.det(linear)))
    axis = np.column_stack([np.cos(outlines[:, 4]), np.sin(outlines[:, 4])]) @ linear.T
    coins[:, [X, Y]] = outlines[:, :2] @ linear.T + shift
    coins[:, [MAJOR, MINOR]] = outlines[:, 2:4] * zoom
    coins[:, TURN] = np.arctan2(axis[:, 1], axis[:, 0])
    coins[:, SPRITE] = np.where(outlines[:, 5] > 0, FITTED, BOXED)
    grid = np.mgrid[-0.95:1:20j, -0.95:1:20j].reshape(2, -1).T
    grid = grid[np.hypot(*grid.T) < 1]
    points = coins[:, None, [X, Y]] + grid[None] * coins[:, MAJOR, None, None]
    inside = ((points > 0) & (points < (width, height))).all(axis=2)
    coins[:, VISIBLE] = inside.mean(axis=1)
    return coins[coins[:, VISIBLE] > 0]


def load_photographs(
    data: Path,
    excluded: set[str],
    outlines: OutlineStore,
    *,
    held_out: tuple[str, ...] = (),
    validation: bool = False,
) -> Photographs:
    """Reads every labelled photograph that is not excluded, of the sources asked for."""
    result = []
    for source, (folder, _) in SOURCES.items():
        if (source in held_out) != validation:
            continue
        for path in sorted((data / folder / "images").iterdir()):
            labels = data / folder / "labels" / f"{path.stem}.txt"
            if str(path.relative_to(data)) in excluded or not labels.exists():
                continue
            rows = [line.split() for line in labels.read_text().splitlines() if line.strip()]
            picture = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
            if picture is None or not rows:
                continue
            factor = min(1.0, LONGEST_SIDE / max(picture.shape[:2]))
            if factor < 1:
                size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
                picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
            levels = [picture]
            for _ in range(2):
                levels.append(
                    cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
                )
            height, width = picture.shape[:2]
            boxes = np.array([[float(v) for v in row[1:5]] for row in rows], np.float32)
            boxes *= (width, height, width, height)
            boxes = boxes[boxes[:, 2:].min(axis=1) > 12]
            if len(boxes):
                found = outlines.outlines(str(path.relative_to(data)), picture, boxes)
                result.append(Photograph(levels, boxes, found, source))
        outlines.save()
    return Photographs(result)
