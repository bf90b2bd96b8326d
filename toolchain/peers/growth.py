"""How the time of a frame grows with the coins in it and with the size of the picture.

Scenes are drawn by the project's renderer: the same tray with 0 to 64 coins, and one of twelve
coins in sizes from 320 x 240 to 1920 x 1440. Each is counted as `receh run` counts a frame, in
processor time, in turns. Nothing may grow faster than in proportion.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from peers.players import OURS, Player, PlayerError
from renderer.faces import FACES

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = REPOSITORY / ".build-peers/growth"
COINS = (0, 1, 2, 4, 8, 16, 24, 32, 48, 64)
SIZES = ((320, 240), (640, 480), (960, 720), (1280, 960), (1600, 1200), (1920, 1440))
# Room for what the machine disturbs.
TOLERANCE = 1.25


@dataclass(frozen=True)
class Point:
    """A picture's coins or pixels, coins found, and milliseconds with their quartiles."""

    amount: int
    found: int
    median: float
    first: float
    third: float


def draw_scene(count: int, size: tuple[int, int], path: Path) -> NDArray[np.uint8]:
    """A tray with `count` coins, drawn once and kept."""
    if not path.exists():
        faces = (list(FACES) * 8)[: max(count, 1)]
        command = [sys.executable, "-m", "renderer", "scene", "--seed", "3", "--clean"]
        command += ["--view", "420", "--ground", "cloth", "--faces", ",".join(faces)]
        command += ["--picture-size", f"{size[0]}x{size[1]}", str(path)]
        subprocess.run(command, check=True, cwd=REPOSITORY / "toolchain")
    image = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)
    if count == 0:
        # The same light and size without a coin: the ground's own colours.
        image = cv2.GaussianBlur(image, (0, 0), 40)
    return image


def measure(
    player: Player, pictures: dict[int, NDArray[np.uint8]], runs: int, rounds: int
) -> list[Point]:
    """Times every picture in turns."""
    times: dict[int, list[float]] = {amount: [] for amount in pictures}
    found = {}
    for amount, image in pictures.items():
        image.tofile(FOLDER / f"{amount}.rgb")
    for _ in range(rounds):
        for amount, image in pictures.items():
            height, width = image.shape[:2]
            path = FOLDER / f"{amount}.rgb"
            numbers = player.numbers(f"find {path} {width} {height} {runs}")
            found[amount] = int(numbers[0])
            times[amount] += [number * 1e-6 for number in numbers[1:]]
    points = []
    for amount, values in times.items():
        first, median, third = statistics.quantiles(values, n=4)
        points.append(Point(amount, found[amount], median, first, third))
    return points


def grows_too_fast(points: list[Point], amount: str) -> list[str]:
    """Steps at which time grows more than in proportion to `found` coins or to pixels."""
    faults = []
    base = points[0]
    for one, other in pairwise(points[1:]):
        grown = [other.found - base.found, one.found - base.found]
        if amount == "pixels":
            grown = [other.amount, one.amount]
        cost = [other.median - base.median, one.median - base.median]
        if amount == "pixels":
            cost = [other.median, one.median]
        if min(grown[1], cost[1]) > 0 and cost[0] / cost[1] > TOLERANCE * grown[0] / grown[1]:
            faults.append(
                f"from {one.amount} to {other.amount} {amount}: {grown[0] / grown[1]:.2f} times as "
                f"much, {cost[0] / cost[1]:.2f} times as long"
            )
    return faults


def plot(parts: list[tuple[str, list[Point]]], path: Path) -> None:
    """Draws the curves side by side, with the middle half of all runs."""
    width, height, edge = 560, 380, 60
    canvas = np.full((height, width * len(parts), 3), 255, np.uint8)
    for number, (title, points) in enumerate(parts):
        left, bottom = number * width + edge, height - edge
        most = max(point.amount for point in points)
        longest = max(point.third for point in points) * 1.1

        def place(
            amount: float, time: float, most: int = most, longest: float = longest,
            left: int = left, bottom: int = bottom,
        ) -> tuple[int, int]:  # fmt: skip
            across = left + amount / most * (width - edge - 30)
            return round(across), round(bottom - time / longest * (bottom - 40))

        grey, blue = (90, 90, 90), (160, 80, 20)
        cv2.line(canvas, place(0, 0), place(most, 0), grey, 1, cv2.LINE_AA)
        cv2.line(canvas, place(0, 0), place(0, longest), grey, 1, cv2.LINE_AA)
        for before, after in pairwise(points):
            ends = place(before.amount, before.median), place(after.amount, after.median)
            cv2.line(canvas, *ends, blue, 2, cv2.LINE_AA)
        for point in points:
            low, high = place(point.amount, point.first), place(point.amount, point.third)
            cv2.line(canvas, low, high, blue, 1, cv2.LINE_AA)
            cv2.circle(canvas, place(point.amount, point.median), 4, blue, -1, cv2.LINE_AA)
        texts = [
            (title, (left, 24)),
            (f"{longest / 1.1:.2f} ms", (left - 52, 52)),
            ("0", (left - 6, bottom + 18)),
            (f"{most:,}", (left + width - edge - 90, bottom + 18)),
        ]
        for text, at in texts:
            cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, grey, 1, cv2.LINE_AA)
    cv2.imwrite(str(path), canvas)


def table(name: str, points: list[Point]) -> list[str]:
    """The points as Markdown."""
    lines = [f"| {name} | found | ms | middle half |", "| ---: | ---: | ---: | ---: |"]
    for p in points:
        lines.append(
            f"| {p.amount:,} | {p.found} | {p.median:.3f} | {p.first:.3f}–{p.third:.3f} |"
        )
    return lines


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        prog="Benchmarks/growth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    model = REPOSITORY / "Sources/CModel/receh.model"
    add("--model", type=Path, default=model, help="the model file (default: the built-in one)")
    add("--check", action="store_true", help="exit with 1 where time grows out of proportion")
    add("--write", action="store_true", help="write Benchmarks/GROWTH.md and growth.png")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    coins = {n: draw_scene(n, (640, 480), FOLDER / f"coins-{n}.png") for n in COINS}
    large = draw_scene(12, SIZES[-1], FOLDER / "large.png")
    sizes = {
        width * height: cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
        for width, height in SIZES
    }
    binary = REPOSITORY / ".build/release/engine-benchmark"
    command = [str(binary), str(options.model), "--serve"]
    try:
        player = Player(OURS, command, "", FOLDER / "log")
        try:
            by_coins = measure(player, coins, 20, 9)
            by_size = measure(player, sizes, 20, 9)
        finally:
            player.close()
    except PlayerError as error:
        print(f"growth: {error}", file=sys.stderr)
        return 1
    lines = ["Time of one frame, counted as `receh run` counts it, processor time of one core.", ""]
    lines += [*table("coins, 640 × 480", by_coins), "", *table("pixels, 12 coins", by_size), ""]
    faults = grows_too_fast(by_coins, "coins") + grows_too_fast(by_size, "pixels")
    lines += [f"- out of proportion {fault}" for fault in faults]
    if not faults:
        lines.append("No step grows faster than in proportion.")
    print("\n".join(lines))
    parts = [("ms by coins, 640 x 480", by_coins), ("ms by pixels, 12 coins", by_size)]
    if options.write:
        path = REPOSITORY / "Benchmarks"
        plot(parts, path / "growth.png")
        head = ["# How time grows", "", "Written by `Benchmarks/growth --write`.", ""]
        text = [*head, "![Time by coins and by pixels](growth.png)", "", *lines]
        (path / "GROWTH.md").write_text("\n".join(text) + "\n")
    return 1 if options.check and faults else 0


if __name__ == "__main__":
    sys.exit(main())
