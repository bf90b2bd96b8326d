"""Pixels that were drawn onto a picture rather than photographed: boxes, words, watermarks."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.labels import Coin, pixel_box, read_boxes
from training.outline import Pixels

# Colours in which the tiles' boxes and words are drawn (RGB).
_DRAWN = np.array(
    [
        (26, 214, 187), (20, 220, 160), (0, 194, 224), (28, 210, 226), (207, 240, 30),
        (210, 210, 20), (255, 111, 221), (11, 32, 105), (4, 42, 255), (0, 237, 60), (17, 31, 104),
    ],
    np.int32,
)  # fmt: skip


def spoiled_pixels(
    picture: Pixels, boxes: list[tuple[float, float, float, float]]
) -> NDArray[np.bool_]:
    """Where a tile has boxes, class words or file names drawn on it."""
    height, width = picture.shape[:2]
    spoiled = np.zeros((height, width), bool)
    spoiled[:3] = spoiled[-3:] = True
    spoiled[:, :3] = spoiled[:, -3:] = True
    spoiled[10:44] = True
    for left, top, box_width, box_height in boxes:
        lines = np.zeros((height, width), np.uint8)
        corner = (round(left), round(top))
        opposite = (round(left + box_width), round(top + box_height))
        cv2.rectangle(lines, corner, opposite, 1, 9)
        spoiled |= lines > 0
    distance = np.abs(picture[:, :, None, :].astype(np.int32) - _DRAWN).max(-1).min(-1)
    drawn = (distance < 34).astype(np.uint8)
    drawn = cv2.morphologyEx(drawn, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    # A word's ground is a filled rectangle: take its hull, so that the letters go as well.
    count, labels, stats, _ = cv2.connectedComponentsWithStats(drawn)
    for label in range(1, count):
        x, y, w, h, area = stats[label]
        if area < 20:
            continue
        if 8 <= h <= 44 and w >= 14 and area > 0.3 * w * h:
            spoiled[max(0, y - 4) : y + h + 4, max(0, x - 4) : x + w + 4] = True
        else:
            spoiled |= cv2.dilate((labels == label).astype(np.uint8), np.ones((9, 9))) > 0
    return spoiled


def strip_width(picture: Pixels) -> int:
    """Width of the site's name strip at the right edge of a catalogue scan; 0 when none."""
    width = picture.shape[1]
    columns = picture[:, int(width * 0.92) :].astype(np.int32)
    bluish = (columns[..., 2] - columns[..., 0] > 6) & (columns.mean(-1) > 130)
    pale = columns.min(-1) > 225
    share = (bluish | pale).mean(0)
    typical = bluish.mean(0) > 0.35
    run = 0
    for index in range(columns.shape[1] - 1, -1, -1):
        if share[index] < 0.93 or not typical[index]:
            if run == 0 and index >= columns.shape[1] - 3:
                continue
            break
        run = columns.shape[1] - index
    return run + 2 if run >= 8 else 0


_CAPTIONED = ("200/003.jpg", "200/006.jpg", "200/010.jpg", "200/014.jpg", "500/007.jpg")


def spoiled_part(coin: Coin, picture: Pixels, data: Path) -> NDArray[np.bool_] | None:
    """Pixels of the coin's picture that are drawings or watermarks rather than photograph."""
    height, width = picture.shape[:2]
    if coin.source in ("ds1", "ds2"):
        boxes = []
        if "_clean/" not in coin.picture:
            boxes = [pixel_box(box, (width, height)) for box in read_boxes(data / coin.picture)]
        return spoiled_pixels(picture, boxes)
    if coin.source == "scans":
        strip = strip_width(picture)
        spoiled = np.zeros((height, width), bool)
        if strip:
            spoiled[:, -strip:] = True
        # A few have a caption below instead.
        if coin.picture.endswith(_CAPTIONED):
            spoiled[round(height * 0.955) :] = True
        return spoiled
    return None
