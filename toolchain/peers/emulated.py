"""Loads a network into one peer and runs it a number of times, and nothing else.

Its executed instructions are counted from outside: `python -m peers.emulated ENGINE MODEL FOLDER
NETWORK RUNS`, ENGINE being the name of a class of `peers.engines`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from peers import engines
from training.model_file import read_model


def main() -> int:
    """Runs the network."""
    kind, model, folder, network, runs = sys.argv[1:6]
    graph = next(g for g in read_model(Path(model))[0] if g.name == network)
    engine = getattr(engines, kind)(graph, Path(folder))
    engine.set_input(np.zeros(graph.tensors[0].shape, np.int8))
    for _ in range(int(runs)):
        engine.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
