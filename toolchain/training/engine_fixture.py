"""Writes a small model, inputs and expected outputs by which the engine's tests hold it to
`integer_reference.py`.

The networks have random weights; together they use every operator, kernels of several sizes,
strides, both paddings, zero points and clamps. The results are written to
`Tests/EngineTests/Fixtures`: `small.model`, and `small.expected`, which holds for each graph in
order its input and then its outputs, all int8.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.integer_reference import run_graph
from training.model_file import (
    Add,
    AveragePoolGlobal,
    Conv2D,
    DepthwiseConv2D,
    Graph,
    Label,
    MaxPool2D,
    Padding,
    Tensor,
    Upsample2x,
    add_multipliers,
    average_pool_multiplier,
    quantise_multipliers,
    write_model,
)


def _factors(
    generator: np.random.Generator, channels: int, products: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]:
    """A bias, and multipliers that spread sums of so many products over about the int8 range."""
    spread = 127.0 / (4 * 75 * 75 * np.sqrt(products))
    bias = generator.integers(-40_000, 40_000, channels).astype(np.int32)
    return bias, *quantise_multipliers(spread * generator.uniform(0.5, 3.0, channels))


def dense(
    generator: np.random.Generator,
    source: int,
    target: int,
    shape: tuple[int, int, int, int],
    stride: tuple[int, int] = (1, 1),
    padding: Padding | None = None,
    minimum: int = -128,
    maximum: int = 127,
) -> Conv2D:
    """A random convolution with weights of `shape` [O, KH, KW, I]."""
    weights = generator.integers(-127, 128, shape).astype(np.int8)
    factors = _factors(generator, shape[0], shape[1] * shape[2] * shape[3])
    padding = padding or Padding()
    return Conv2D(source, target, weights, *factors, stride, padding, minimum, maximum)


def depthwise(
    generator: np.random.Generator,
    source: int,
    target: int,
    shape: tuple[int, int, int],
    stride: tuple[int, int] = (1, 1),
    padding: Padding | None = None,
) -> DepthwiseConv2D:
    """A random depthwise convolution with weights of `shape` [KH, KW, C]."""
    weights = generator.integers(-127, 128, shape).astype(np.int8)
    factors = _factors(generator, shape[2], shape[0] * shape[1])
    return DepthwiseConv2D(source, target, weights, *factors, stride, padding or Padding())


def plane_graph(generator: np.random.Generator) -> Graph:
    """A small detector: a stem, a residual sum, a shortcut from a coarser level, two heads."""
    same = Padding(1, 1, 1, 1)
    tensors = [
        Tensor(18, 22, 3, 1 / 128),
        Tensor(9, 11, 16, 0.05, -128),
        Tensor(9, 11, 16, 0.04, 3),
        Tensor(9, 11, 16, 0.06, -7),
        Tensor(5, 6, 24, 0.05, -128),
        Tensor(10, 12, 24, 0.05, -128),
        Tensor(10, 12, 1, 0.08, 12),
        Tensor(9, 11, 5, 0.07, -20),
    ]
    operators = [
        dense(generator, 0, 1, (16, 3, 3, 3), (2, 2), Padding(0, 1, 0, 1), -128, 100),
        depthwise(generator, 1, 2, (3, 3, 16), padding=same),
        Add(1, 2, 3, *add_multipliers(tensors[1], tensors[2], tensors[3])),
        dense(generator, 3, 4, (24, 3, 3, 16), (2, 2), same),
        Upsample2x(4, 5),
        dense(generator, 5, 6, (1, 1, 1, 24)),
        dense(generator, 3, 7, (5, 1, 1, 16), minimum=-100),
    ]
    return Graph("plane", tensors, operators, {"picture": 0}, {"centre": 6, "size": 7})


def ring_graph(generator: np.random.Generator) -> Graph:
    """A small classifier of unrolled coins: circular padding, pools, a fully connected end."""
    tensors = [
        Tensor(8, 20, 3, 1 / 128),
        Tensor(8, 20, 12, 0.05, -11),
        Tensor(4, 10, 12, 0.05, -11),
        Tensor(4, 10, 40, 0.05, -128),
        Tensor(2, 5, 40, 0.04, 5),
        Tensor(1, 1, 40, 0.02, 1),
        Tensor(1, 1, 19, 0.1, 0),
        Tensor(1, 1, 33, 0.1, -3),
    ]
    operators = [
        dense(generator, 0, 1, (12, 3, 5, 3), padding=Padding(1, 1, 2, 2, True)),
        MaxPool2D(1, 2, (3, 3), (2, 2), Padding(1, 0, 1, 0, True)),
        dense(generator, 2, 3, (40, 3, 3, 12), padding=Padding(1, 1, 1, 1, True)),
        depthwise(generator, 3, 4, (3, 3, 40), (2, 2), Padding(1, 0, 1, 0, True)),
        AveragePoolGlobal(4, 5, *average_pool_multiplier(tensors[4], tensors[5])),
        dense(generator, 5, 6, (19, 1, 1, 40)),
        dense(generator, 4, 7, (33, 2, 5, 40)),
    ]
    return Graph("ring", tensors, operators, {"picture": 0}, {"logits": 6, "embedding": 7})


def main() -> None:
    """Write the fixture."""
    parser = argparse.ArgumentParser(description=__doc__)
    repository = Path(__file__).resolve().parents[2]
    parser.add_argument(
        "--output",
        type=Path,
        default=repository / "Tests/EngineTests/Fixtures",
        help="folder to write small.model and small.expected to (default: %(default)s)",
    )
    folder: Path = parser.parse_args().output
    generator = np.random.default_rng(20)
    graphs = [plane_graph(generator), ring_graph(generator)]
    labels = [
        Label("500-2003-garuda", 500, False, "rupiah", 27.2, "aluminium"),
        Label("100-1978-house", 100, True, "rupiah", 28.5, "cupronickel"),
    ]
    parameters = {"detector.threshold": 0.25, "scale.sigma": 0.03125}
    folder.mkdir(parents=True, exist_ok=True)
    write_model(folder / "small.model", graphs, labels, parameters)
    expected = bytearray()
    for graph in graphs:
        shape = graph.tensors[0].shape
        picture = generator.integers(-128, 128, shape).astype(np.int8)
        outputs = run_graph(graph, {"picture": picture})
        expected += picture.tobytes()
        for values in outputs.values():
            expected += values.tobytes()
    (folder / "small.expected").write_bytes(bytes(expected))


if __name__ == "__main__":
    main()
