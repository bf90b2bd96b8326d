"""One engine in a process of its own: answers questions on standard input, one a line.

    time NETWORK RUNS       nanoseconds of processor time of each run
    output NETWORK IN OUT   runs on the elements in file IN, writes all outputs to OUT as float32
    frame RUNS              the same for whole frames, see `peers.frame`
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from peers.engines import ENGINES, Engine
from peers.frame import FrameWorker
from training.graph import Graph
from training.model_file import read_model


def _times(run: Callable[[], None], count: int) -> str:
    times = []
    for _ in range(count):
        start = time.process_time_ns()
        run()
        times.append(time.process_time_ns() - start)
    return " ".join(str(t) for t in times)


class Worker:
    """The networks of a model in one engine, loaded when first asked for."""

    def __init__(self, name: str, model: Path, folder: Path) -> None:
        self.kind = ENGINES[name]
        self.graphs: dict[str, Graph] = {g.name: g for g in read_model(model)[0]}
        self.folder = folder
        self.engines: dict[str, Engine] = {}
        self.frame: FrameWorker | None = None

    def engine(self, network: str) -> Engine:
        """The network, loaded, with a picture set."""
        if network not in self.engines:
            graph = self.graphs[network]
            engine = self.kind(graph, self.folder)
            noise = np.random.default_rng(1)
            engine.set_input(noise.integers(-128, 128, graph.tensors[0].shape).astype(np.int8))
            self.engines[network] = engine
        return self.engines[network]

    def answer(self, words: list[str]) -> str:
        """The answer to one question."""
        match words:
            case ["time", network, count]:
                return _times(self.engine(network).run, int(count))
            case ["output", network, source, target]:
                engine = self.engine(network)
                shape = engine.graph.tensors[0].shape
                engine.set_input(np.fromfile(source, np.int8).reshape(shape))
                engine.run()
                values = [value.ravel() for value in engine.results()]
                np.concatenate(values).astype(np.float32).tofile(target)
                return "written"
            case ["frame", count]:
                if self.frame is None:
                    names = ("detector", "refiner", "classifier")
                    self.frame = FrameWorker(*(self.engine(name) for name in names))
                return _times(self.frame.run, int(count))
        return f"error: unknown question {' '.join(words)}"


def main() -> int:
    """Answers until standard input ends: worker ENGINE MODEL FOLDER."""
    name, model, folder = sys.argv[1:4]
    worker = Worker(name, Path(model), Path(folder))
    # Engines print to standard output as well: answers have their own mark.
    print("@ready " + worker.kind.version(), flush=True)
    for line in sys.stdin:
        print("@" + worker.answer(line.split()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
