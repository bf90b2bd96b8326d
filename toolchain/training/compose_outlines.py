"""The coins' outlines in annotated photographs, fitted to their edges once and remembered.

Boxes drawn by hand miss the outline by a few hundredths of the radius; sizes that tell coins
apart differ by less. Where no edge is found near a box, the box stands.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.outline import Ellipse, fit_outline

LEAST_SUPPORT = 0.75
MOST_RESIDUAL = 0.012
COLUMNS = 6  # centre x, y, major and minor semi-axis, angle, 1 where fitted


class OutlineStore:
    """Outlines by picture and label, kept in a file of the cache."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[str, NDArray[np.float32]] = {}
        self._changed = False
        if path.exists():
            stored = np.load(path, allow_pickle=False)
            self._known = dict(zip(stored["names"].astype(str), stored["outlines"], strict=True))

    def outlines(
        self, name: str, picture: NDArray[np.uint8], boxes: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Ellipses [N, 6] of the boxes x, y, width, height [N, 4] of a picture, in its pixels."""
        result = np.zeros((len(boxes), COLUMNS), np.float32)
        for index, box in enumerate(boxes):
            key = f"{name} {picture.shape[1]} " + " ".join(f"{value:.1f}" for value in box)
            if key not in self._known:
                self._known[key] = _fitted(picture, box)
                self._changed = True
            result[index] = self._known[key]
        return result

    def save(self) -> None:
        """Writes the file if anything was fitted."""
        if not self._changed:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(".part.npz")
        outlines = np.array(list(self._known.values()), np.float32).reshape(-1, COLUMNS)
        np.savez(beside, names=np.array(list(self._known)), outlines=outlines)
        beside.replace(self.path)
        self._changed = False
        print(f"{len(self._known)} outlines in {self.path}", file=sys.stderr)


def _fitted(picture: NDArray[np.uint8], box: NDArray[np.float32]) -> NDArray[np.float32]:
    x, y, width, height = (float(value) for value in box)
    fallback = np.array(
        [
            x,
            y,
            max(width, height) / 2,
            min(width, height) / 2,
            0 if width >= height else np.pi / 2,
            0,
        ],
        np.float32,
    )
    if min(width, height) < 30:
        return fallback
    outline = fit_outline(picture, Ellipse.in_box(x - width / 2, y - height / 2, width, height))
    found = outline.ellipse
    if outline.support < LEAST_SUPPORT or outline.residual > MOST_RESIDUAL:
        return fallback
    if outline.visible < 0.8 or not 0.85 < found.mean_radius / np.sqrt(width * height / 4) < 1.15:
        return fallback
    values, vectors = np.linalg.eigh(found.shape)
    angle = np.arctan2(vectors[1, 1], vectors[0, 1])
    # The fit counts from the middle of the top left pixel, scenes from its corner.
    return np.array([*(found.centre + 0.5), values[1], values[0], angle, 1], np.float32)
