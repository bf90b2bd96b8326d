"""What OpenCV and floating point make of the pictures that the Frames tests use.

Prints, as Swift, the table in Tests/FramesTests/OpenCVReference.swift: training resizes with
OpenCV and samples with floating point, the product with whole numbers, and the two must agree to
within two grey levels. Run it again only to add cases.
"""

from __future__ import annotations

import argparse

import cv2
import numpy as np
from numpy.typing import NDArray

SIZES = (
    (640, 480),
    (641, 479),
    (1280, 720),
    (333, 500),
    (97, 31),
    (2, 3),
    (1, 1),
    (320, 240),
    (1999, 7),
    (5, 700),
)
PATCHES = ((200.3, 150.7, 61.5), (3.2, 236.1, 90.0), (160.0, 120.0, 220.4), (318.0, 2.0, 12.0))
INPUT_WIDTH, INPUT_HEIGHT = 320, 240
SIDE = 144


def picture(width: int, height: int) -> NDArray[np.uint8]:
    """The test picture: slopes that wrap around, other in every channel, and fine texture."""
    x, y, c = np.meshgrid(np.arange(width), np.arange(height), np.arange(3), indexing="xy")
    return ((x * 3 + y * 5 + c * 40 + x * y // 7) & 255).astype(np.uint8)


def letterbox(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Fit into the detector's input as the product does, resized by OpenCV."""
    height, width = image.shape[:2]
    if width * INPUT_HEIGHT >= height * INPUT_WIDTH:
        inner = (INPUT_WIDTH, max(1, int(height * INPUT_WIDTH / width + 0.5)))
    else:
        inner = (max(1, int(width * INPUT_HEIGHT / height + 0.5)), INPUT_HEIGHT)
    shrinks = inner[0] <= width and inner[1] <= height
    method = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    out = np.full((INPUT_HEIGHT, INPUT_WIDTH, 3), 128, np.uint8)
    left, top = (INPUT_WIDTH - inner[0]) // 2, (INPUT_HEIGHT - inner[1]) // 2
    out[top : top + inner[1], left : left + inner[0]] = cv2.resize(
        image, inner, interpolation=method
    )
    return out


def axis_weights(origin: float, step: float, count: int) -> NDArray[np.float64]:
    """Weights [SIDE, count] of the source pixels of one axis, edges replicated."""
    weights = np.zeros((SIDE, count))
    for i in range(SIDE):
        if step >= 1:
            begin, end = origin + i * step, origin + (i + 1) * step
            pixels = np.arange(int(np.floor(begin)), int(np.ceil(end)))
            shares = np.minimum(end, pixels + 1) - np.maximum(begin, pixels)
        else:
            place = origin + (i + 0.5) * step - 0.5
            pixels = np.array([int(np.floor(place)), int(np.floor(place)) + 1])
            shares = np.array([pixels[1] - place, place - pixels[0]])
        np.add.at(weights[i], np.clip(pixels, 0, count - 1), shares / shares.sum())
    return weights


def patch(image: NDArray[np.uint8], x: float, y: float, diameter: float) -> NDArray[np.uint8]:
    """The square patch around a coin, in floating point."""
    step = 1.5 * diameter / SIDE
    across = axis_weights(x - step * SIDE / 2, step, image.shape[1])
    down = axis_weights(y - step * SIDE / 2, step, image.shape[0])
    return np.clip(np.einsum("rh,hwc,kw->rkc", down, image, across) + 0.5, 0, 255).astype(np.uint8)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    random = np.random.default_rng(7)
    print("/// Picture size, then row, column, channel and value of one letterboxed pixel.")
    print("let letterboxReference: [(Int, Int, Int, Int, Int, UInt8)] = [")
    for width, height in SIZES:
        boxed = letterbox(picture(width, height))
        rows, columns = np.nonzero((boxed != 128).any(axis=2))
        for index in random.integers(len(rows), size=6):
            row, column, channel = int(rows[index]), int(columns[index]), int(random.integers(3))
            value = boxed[row, column, channel]
            print(f"  ({width}, {height}, {row}, {column}, {channel}, {value}),")
    print("]\n")
    print("/// Centre and diameter, then row, column, channel and value of one patch pixel, taken")
    print("/// from the 320 by 240 picture.")
    print("let patchReference: [(Float, Float, Float, Int, Int, Int, UInt8)] = [")
    for x, y, diameter in PATCHES:
        taken = patch(picture(320, 240), x, y, diameter)
        for row, column, channel in random.integers((SIDE, SIDE, 3), size=(10, 3)):
            value = taken[row, column, channel]
            print(f"  ({x}, {y}, {diameter}, {row}, {column}, {channel}, {value}),")
    print("]")


if __name__ == "__main__":
    main()
