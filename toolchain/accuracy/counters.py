"""The counters compared: the receh command, what people use today, our own float networks."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from accuracy.matching import FoundCoin
from training.labels import DataError, read_picture

Counted = dict[str, tuple[int | None, list[FoundCoin]]]
"""For each picture its total (None: the counter failed on it) and its coins."""


def count_with_command(command: list[str], data: Path, names: list[str]) -> Counted:
    """Runs a command that prints `receh count --json` lines for the pictures."""
    if shutil.which(command[0]) is None:
        raise DataError(f"no {command[0]}; build it: swift build -c release --product receh")
    run = subprocess.run(
        [*command, *(str(data / name) for name in names)], capture_output=True, text=True
    )
    counted: Counted = {name: (None, []) for name in names}
    by_path = {str(data / name): name for name in names}
    for line in run.stdout.splitlines():
        try:
            row = json.loads(line)
            coins = [
                FoundCoin(
                    coin["x"],
                    coin["y"],
                    coin["diameter"],
                    coin["value"],
                    coin["confidence"],
                    coin.get("withdrawn", False),
                )
                for coin in row["coins"]
            ]
            counted[by_path[row["file"]]] = (row["total"], coins)
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                f"{command[0]} printed no line of the contract: {line!r} ({error})"
            ) from None
    failed = [name for name, (total, _) in counted.items() if total is None]
    if failed:
        why = run.stderr.strip().splitlines()[-1:] or ["no error line"]
        print(f"accuracy: {command[0]} failed on {', '.join(failed)}: {why[0]}")
    return counted


def _gold_share(picture: NDArray[np.uint8], x: float, y: float, low: float, high: float) -> float:
    """Share of gold-coloured pixels between two radii round a centre."""
    height, width = picture.shape[:2]
    size = math.ceil(high)
    top, left = max(0, int(y) - size), max(0, int(x) - size)
    window = picture[top : min(height, int(y) + size), left : min(width, int(x) + size)]
    if window.size == 0:
        return 0.0
    rows, columns = np.mgrid[: window.shape[0], : window.shape[1]]
    distance = np.hypot(columns + left - x, rows + top - y)
    hsv = cv2.cvtColor(window, cv2.COLOR_RGB2HSV)
    gold = (hsv[..., 0] > 10) & (hsv[..., 0] < 35) & (hsv[..., 1] > 70)
    ring = (distance >= low) & (distance < high)
    return float(gold[ring].mean()) if ring.any() else 0.0


SILVER = ((100, 23.0), (1000, 24.15), (200, 25.0), (500, 27.1))
"""Value and diameter in millimetres of the silver-coloured coins in circulation."""


def count_with_hough(picture: NDArray[np.uint8]) -> list[FoundCoin]:
    """OpenCV's circles with a rule of diameter and colour, as counting tutorials teach it.

    Gold coins are Rp500, gold with a silver ring Rp1000 (both withdrawn); silver ones get the
    value whose diameter fits best at the scale that fits all coins of the picture best.
    """
    scale = min(1.0, 1000 / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), 5)
    side = min(grey.shape)
    # Of the settings tried on these very photographs, the most favourable to the baseline.
    circles = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT_ALT,
        1.5,
        side / 12,
        param1=300,
        param2=0.8,
        minRadius=max(8, side // 40),
        maxRadius=side // 2,
    )
    if circles is None:
        return []
    coins = [(x / scale, y / scale, r / scale) for x, y, r in circles.reshape(-1, 3)]
    gold = [_gold_share(picture, x, y, 0, 0.55 * r) > 0.5 for x, y, r in coins]
    silver = [2 * r for (_, _, r), is_gold in zip(coins, gold, strict=True) if not is_gold]
    best = _best_scale(silver)
    found = []
    for (x, y, r), is_gold in zip(coins, gold, strict=True):
        if is_gold:
            ring = _gold_share(picture, x, y, 0.75 * r, 0.95 * r) > 0.5
            found.append(FoundCoin(x, y, 2 * r, 500 if ring else 1000, 1.0, True))
        else:
            value = min(SILVER, key=lambda row: abs(math.log(2 * r / best / row[1])))[0]
            found.append(FoundCoin(x, y, 2 * r, value, 1.0))
    return found


def _best_scale(diameters: list[float]) -> float:
    """Pixels a millimetre at which the diameters come nearest those of silver coins."""
    if not diameters:
        return 1.0
    candidates = [d / size for d in diameters for _, size in SILVER]
    return min(
        candidates,
        key=lambda scale: sum(
            min(abs(math.log(d / scale / size)) for _, size in SILVER) for d in diameters
        ),
    )


def hough_counts(data: Path, names: list[str]) -> Counted:
    """The baseline's answer for each picture."""
    counted: Counted = {}
    for name in names:
        coins = count_with_hough(read_picture(data / name))
        counted[name] = (sum(c.value for c in coins if not c.withdrawn), coins)
    return counted
