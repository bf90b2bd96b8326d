"""A scripted film: coins put down on a tray one by one, by a hand or without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from .arrays import Bytes
from .hand import Hand
from .scene import Scene, Tray, scatter


@dataclass(frozen=True)
class Script:
    """What happens: which coins, in order, and how long each step takes in frames."""

    faces: Sequence[str]
    still: int = 14
    """Frames of an untouched tray after each coin, and before the first."""
    reach: int = 6
    """Frames of a hand in view for each coin; 0 for none."""
    removals: int = 0
    """Coins taken away again at the end, the last put down first."""


def film(
    rng: np.random.Generator,
    script: Script,
    width: int = 640,
    height: int = 480,
    ground: str | None = None,
    view: float = 200.0,
) -> Iterator[Scene]:
    """Renders the script's frames; coins keep their place and looks throughout."""
    tray = Tray(rng, width, height, view, ground, tilt=0.03, clean=True)
    field = view * 0.8
    coins = scatter(rng, script.faces, field, field * height / width, gap=1.5)
    if len(coins) < len(script.faces):
        raise ValueError(f"{len(script.faces)} coins find no room on {view:g} mm: take fewer")
    bearing = float(rng.uniform(0.2, 1.2))
    steps = list(range(1, len(coins) + 1))
    steps += list(range(len(coins) - 1, len(coins) - 1 - script.removals, -1))
    down = 0
    for _ in range(script.still):
        yield tray.photograph(coins[:down], rng)
    for after in steps:
        moved = coins[max(after, down) - 1]
        spot = tray.camera.project(np.array([[moved.x, moved.y, 0.0]]))[0]
        for i in range(script.reach):
            # In, the coin changes hands halfway, and out again.
            away = abs(2 * i / max(script.reach - 1, 1) - 1) * width * 0.4
            hand = Hand(
                float(spot[0] + away * np.cos(bearing)), float(spot[1] + away * np.sin(bearing)),
                bearing, width * 0.32,
            )
            lying = coins[: after if 2 * i >= script.reach else down]
            yield tray.photograph(lying, rng, hand)
        down = after
        for _ in range(script.still):
            yield tray.photograph(coins[:down], rng)


def write_y4m(path: Path, frames: Iterator[Bytes], rate: int = 25) -> int:
    """Writes RGB frames as YUV4MPEG2, 4:2:0, BT.601 limited range; returns their number."""
    count = 0
    with path.open("wb") as file:
        for frame in frames:
            rows, columns = frame.shape[:2]
            if count == 0:
                header = f"YUV4MPEG2 W{columns} H{rows} F{rate}:1 Ip A1:1 C420jpeg"
                file.write(f"{header} XCOLORRANGE=LIMITED\n".encode())
            file.write(b"FRAME\n")
            file.write(cv2.cvtColor(frame, cv2.COLOR_RGB2YUV_I420).tobytes())
            count += 1
    return count
