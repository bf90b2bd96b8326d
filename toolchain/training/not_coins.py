"""Patches that show no coin: what the detector may bring by mistake."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.appearance import CUTOUT_SIZE
from training.folders import default_data


def training_backgrounds() -> list[Path]:
    """Background pictures that are not kept aside for measuring."""
    data = default_data()
    kept_aside = set((data / "eval.txt").read_text().split())
    files = sorted((data / "backgrounds").rglob("*.jpg"))
    return [file for file in files if str(file.relative_to(data)) not in kept_aside]


def background_patches(count: int, seed: int) -> NDArray[np.uint8]:
    """Squares cut anywhere from background pictures: uint8 [count, 256, 256, 3] RGB."""
    random = np.random.default_rng(seed)
    files = training_backgrounds()
    out = np.empty((count, CUTOUT_SIZE, CUTOUT_SIZE, 3), np.uint8)
    filled = 0
    while filled < count:
        picture = cv2.imread(str(files[filled % len(files)]))
        side = int(min(picture.shape[:2]) * random.uniform(0.1, 0.9))
        y = random.integers(picture.shape[0] - side + 1)
        x = random.integers(picture.shape[1] - side + 1)
        square = picture[y : y + side, x : x + side, ::-1]
        size = (CUTOUT_SIZE, CUTOUT_SIZE)
        out[filled] = cv2.resize(square, size, interpolation=cv2.INTER_AREA)
        filled += 1
    return out
