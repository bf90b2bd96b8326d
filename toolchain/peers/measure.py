"""What is measured: outputs side by side, times in turns, and each of our operators alone."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from peers.players import OURS, Player
from training.graph import Graph
from training.integer_reference import dequantise


@dataclass
class Timing:
    """One engine's times for one piece of work, in nanoseconds, round by round."""

    rounds: list[list[float]] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The median of all runs."""
        return statistics.median(self.all)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Between them lies half of all runs."""
        if len(self.all) < 2:
            return (self.median, self.median)
        first, _, third = statistics.quantiles(self.all, n=4)
        return first, third

    @property
    def all(self) -> list[float]:
        """Every run's time."""
        return [time for times in self.rounds for time in times]

    def ratio(self, other: Timing) -> float:
        """How many times as long this takes as `other`: the median over rounds."""
        pairs = zip(self.rounds, other.rounds, strict=True)
        return statistics.median(
            statistics.median(own) / statistics.median(others) for own, others in pairs
        )


@dataclass(frozen=True)
class Difference:
    """How far an engine's outputs are from ours, in steps of the output's grid."""

    largest: float
    mean: float


def time_in_turns(
    players: dict[str, Player], work: str, seconds: float, rounds: int
) -> dict[str, Timing]:
    """Times `work` (`time NETWORK` or `frame`) for about `seconds` on each engine.

    Every round asks each engine in turn, so that whatever else the machine does meets all alike.
    """
    counts = {}
    for name, player in players.items():
        once = statistics.median(player.numbers(f"{work} 3"))
        counts[name] = max(1, min(2000, round(seconds * 1e9 / rounds / once)))
    timings = {name: Timing() for name in players}
    for _ in range(rounds):
        for name, player in players.items():
            timings[name].rounds.append(player.numbers(f"{work} {counts[name]}"))
    return timings


def compare(
    players: dict[str, Player], graph: Graph, picture: Path, folder: Path, count: int
) -> dict[str, Difference]:
    """Runs the same pieces of a picture and of noise through every engine."""
    found: dict[str, list[np.ndarray]] = {name: [] for name in players if name != OURS}
    for pixels in _inputs(graph, picture, count):
        source, target = folder / "input", folder / "output"
        pixels.tofile(source)
        players[OURS].ask(f"output {graph.name} {source} {target}")
        ours = np.fromfile(target, np.int8)
        grids = [graph.tensors[index] for index in graph.outputs.values()]
        sizes = np.cumsum([int(np.prod(grid.shape)) for grid in grids])[:-1]
        parts = np.split(ours, sizes)
        expected = [dequantise(grid, part) for grid, part in zip(grids, parts, strict=True)]
        for name in found:
            players[name].ask(f"output {graph.name} {source} {target}")
            theirs = np.split(np.fromfile(target, np.float32), sizes)
            for grid, own, other in zip(grids, expected, theirs, strict=True):
                found[name].append(np.abs(own - other) / grid.scale)
    return {
        name: Difference(
            max(float(d.max()) for d in steps), float(np.mean(np.concatenate(steps)))
        )
        for name, steps in found.items()
    }


def _inputs(graph: Graph, picture: Path, count: int) -> list[np.ndarray]:
    """Pieces of a picture at random places and sizes, and one of noise."""
    height, width, _ = graph.tensors[0].shape
    image = cv2.cvtColor(cv2.imread(str(picture)), cv2.COLOR_BGR2RGB)
    generator = np.random.default_rng(3)
    inputs = []
    for _ in range(count):
        share = generator.uniform(0.15, 1)
        rows, columns = (int(share * size) for size in image.shape[:2])
        top = generator.integers(0, image.shape[0] - rows + 1)
        left = generator.integers(0, image.shape[1] - columns + 1)
        part = image[top : top + rows, left : left + columns]
        scaled = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA)
        inputs.append((scaled.astype(np.int16) - 128).astype(np.int8))
    inputs.append(generator.integers(-128, 128, (height, width, 3)).astype(np.int8))
    return inputs


# How our benchmark ends the line of an operator that runs within the next one.
BY_ROWS = ", by rows"


@dataclass(frozen=True)
class Layer:
    """One of our operators: what it does, and how fast."""

    text: str
    products: int  # the convolution's own
    work: int  # products of bytes that the core could do in the place of those it does
    bytes: int
    seconds: float


def measure_layers(player: Player, network: str, runs: int) -> list[Layer]:
    """Our operators, one by one, the median of `runs`."""
    fields = player.ask(f"steps {network}").split("|")
    times = player.numbers(f"step-times {network} {runs}")
    layers: list[Layer] = []
    before: Layer | None = None
    for text, products, in_tiles, size, time in zip(
        fields[::4], fields[1::4], fields[2::4], fields[3::4], times, strict=True
    ):
        # Tiles multiply words, of which an instruction does half as many as of bytes.
        work = 2 * int(in_tiles) or int(products)
        layer = Layer(text, int(products), work, int(size), time * 1e-9)
        if before is not None:
            layer = Layer(
                f"{before.text} and {layer.text}",
                before.products + layer.products,
                before.work + layer.work,
                before.bytes + layer.bytes,
                before.seconds + layer.seconds,
            )
        # What is made by rows is made, and timed, with the operator after it.
        before = layer if text.endswith(BY_ROWS) else None
        if before is None:
            layers.append(layer)
    return layers


@dataclass(frozen=True)
class Core:
    """What the core can do at most."""

    products: float  # multiply-accumulates a second in registers alone
    reading: float  # bytes a second from the second-level cache

    def bounds(self, layer: Layer) -> tuple[float, float]:
        """The least seconds by multiplications and by memory traffic."""
        return layer.work / self.products, layer.bytes / self.reading


def bulk(layers: list[Layer], share: float = 0.8) -> list[Layer]:
    """The fewest convolutions that together hold `share` of all multiplications."""
    total = sum(layer.products for layer in layers)
    chosen: list[Layer] = []
    for layer in sorted(layers, key=lambda layer: -layer.products):
        if sum(one.products for one in chosen) >= share * total:
            break
        chosen.append(layer)
    return chosen


def share_of_peak(layers: list[Layer], core: Core) -> float:
    """The share of the core's peak that these reach together."""
    seconds = sum(layer.seconds for layer in layers)
    return sum(layer.work for layer in layers) / seconds / core.products
