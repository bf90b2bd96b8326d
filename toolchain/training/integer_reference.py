"""The operators in numpy, integer only: what the engine must compute, bit for bit.

`run_graph` takes and gives int8 arrays, one picture [H, W, C] or a batch [N, H, W, C].

Requantisation, the one rule: with accumulator a, multiplier m and shift s,

    high   = (a * m + 2**30) >> 31                      rounding half up, in 64 bits
    result = (high + (2**(s - 1) if s > 0 else 0)) >> s

then the output's zero point is added and the sum clamped. Both steps are one ARM instruction
each (SQRDMULH, SRSHL), and every processor has the integer operations to do the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from training.graph import (
    Add,
    AveragePoolGlobal,
    Conv2D,
    DepthwiseConv2D,
    Graph,
    MaxPool2D,
    Operator,
    Padding,
    Tensor,
    Upsample2x,
)
from training.graph_checks import operator_inputs, windowed_shape

Activations = NDArray[np.int8]


def requantise(
    accumulator: NDArray[np.int64], multiplier: NDArray[np.int64], shift: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Scale accumulators by multiplier / 2**31 / 2**shift; the last axis is the channel."""
    high = (accumulator * multiplier + (1 << 30)) >> 31
    half = np.where(shift > 0, np.int64(1) << np.maximum(shift - 1, 0), 0)
    return (high + half) >> shift


def _clamped(values: NDArray[np.int64], zero_point: int, low: int, high: int) -> Activations:
    return np.clip(values + zero_point, low, high).astype(np.int8)


def _padded(x: NDArray[np.generic], padding: Padding, fill: int) -> NDArray[np.generic]:
    columns = ((0, 0), (0, 0), (padding.left, padding.right), (0, 0))
    rows = ((0, 0), (padding.top, padding.bottom), (0, 0), (0, 0))
    if padding.circular:
        x = np.pad(x, columns, mode="wrap")
    else:
        x = np.pad(x, columns, constant_values=fill)
    return np.pad(x, rows, constant_values=fill)


def _taps(
    x: NDArray[np.generic], operator: Conv2D | DepthwiseConv2D | MaxPool2D, kernel: tuple[int, int]
) -> list[tuple[int, int, NDArray[np.generic]]]:
    """For each place of the kernel, what of the padded input meets it, [N, OH, OW, C]."""
    no_padding = type(operator.padding)()
    unpadded = MaxPool2D(0, 0, kernel, operator.stride, no_padding)
    height, width = windowed_shape(x.shape[1], x.shape[2], kernel, unpadded)
    step_y, step_x = operator.stride
    return [
        (
            row,
            column,
            x[
                :,
                row : row + (height - 1) * step_y + 1 : step_y,
                column : column + (width - 1) * step_x + 1 : step_x,
                :,
            ],
        )
        for row in range(kernel[0])
        for column in range(kernel[1])
    ]


def _convolve(operator: Conv2D | DepthwiseConv2D, source: Tensor, x: Activations) -> NDArray:
    # Sums of products of 9-bit by 8-bit integers stay below 2**31, so that float64 is exact.
    centred = _padded(x.astype(np.float64) - source.zero_point, operator.padding, 0)
    weights = operator.weights.astype(np.float64)
    if isinstance(operator, Conv2D):
        total: NDArray | float = 0.0
        for row, column, part in _taps(centred, operator, weights.shape[1:3]):
            total = total + part @ weights[:, row, column, :].T
    else:
        total = 0.0
        for row, column, part in _taps(centred, operator, weights.shape[0:2]):
            total = total + part * weights[row, column, :]
    return np.asarray(total).astype(np.int64) + operator.bias.astype(np.int64)


def run_operator(graph: Graph, operator: Operator, inputs: list[Activations]) -> Activations:
    """Run one operator on a batch [N, H, W, C]."""
    sources = [graph.tensors[index] for index in operator_inputs(operator)]
    target = graph.tensors[operator.output]
    x = inputs[0]
    match operator:
        case Conv2D() | DepthwiseConv2D():
            scaled = requantise(
                _convolve(operator, sources[0], x),
                operator.multiplier.astype(np.int64),
                operator.shift.astype(np.int64),
            )
            return _clamped(scaled, target.zero_point, operator.minimum, operator.maximum)
        case Add():
            total = (x.astype(np.int64) - sources[0].zero_point) * operator.first_multiplier
            total += (inputs[1].astype(np.int64) - sources[1].zero_point) * (
                operator.second_multiplier
            )
            scaled = (total + (1 << (operator.shift - 1))) >> operator.shift
            return _clamped(scaled, target.zero_point, operator.minimum, operator.maximum)
        case Upsample2x():
            return x.repeat(2, axis=1).repeat(2, axis=2)
        case AveragePoolGlobal():
            total = (x.astype(np.int64) - sources[0].zero_point).sum(axis=(1, 2), keepdims=True)
            scaled = requantise(total, np.int64(operator.multiplier), np.int64(operator.shift))
            return _clamped(scaled, target.zero_point, operator.minimum, operator.maximum)
        case MaxPool2D():
            padded = _padded(x, operator.padding, -128)
            parts = [part for _, _, part in _taps(padded, operator, operator.kernel)]
            return np.maximum.reduce(parts)


def run_graph(graph: Graph, inputs: dict[str, Activations]) -> dict[str, Activations]:
    """Run a network on named int8 inputs and return its named int8 outputs."""
    values: dict[int, Activations] = {}
    single = False
    for name, index in graph.inputs.items():
        x = np.asarray(inputs[name])
        single = x.ndim == 3
        x = x[None] if single else x
        if x.dtype != np.int8 or x.shape[1:] != graph.tensors[index].shape:
            expected = graph.tensors[index].shape
            raise ValueError(f"input {name}: is {x.dtype} {x.shape}, must be int8 {expected}")
        values[index] = x
    for operator in graph.operators:
        sources = [values[index] for index in operator_inputs(operator)]
        values[operator.output] = run_operator(graph, operator, sources)
    return {
        name: values[index][0] if single else values[index] for name, index in graph.outputs.items()
    }


def dequantise(tensor: Tensor, values: Activations) -> NDArray[np.float32]:
    """The real numbers int8 values stand for."""
    return (values.astype(np.float32) - tensor.zero_point) * np.float32(tensor.scale)
