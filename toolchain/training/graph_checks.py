"""What makes a graph well formed: the same rules that `Sources/Engine` checks at load."""

from __future__ import annotations

import numpy as np

from training.graph import (
    ACCUMULATOR_MAXIMUM,
    ADD_MULTIPLIER_MAXIMUM,
    MULTIPLIER_MINIMUM,
    SHIFT_MAXIMUM,
    Add,
    AveragePoolGlobal,
    Conv2D,
    DepthwiseConv2D,
    Graph,
    MaxPool2D,
    ModelError,
    Operator,
    Upsample2x,
)


def operator_inputs(operator: Operator) -> list[int]:
    """The indices of the tensors an operator reads."""
    if isinstance(operator, Add):
        return [operator.first, operator.second]
    return [operator.input]


def windowed_shape(
    height: int, width: int, kernel: tuple[int, int], operator: Conv2D | DepthwiseConv2D | MaxPool2D
) -> tuple[int, int]:
    """Height and width of what a convolution or pool gives."""
    padding, stride = operator.padding, operator.stride
    return (
        (height + padding.top + padding.bottom - kernel[0]) // stride[0] + 1,
        (width + padding.left + padding.right - kernel[1]) // stride[1] + 1,
    )


def _expect(condition: bool, graph: Graph, index: int, problem: str) -> None:
    if not condition:
        kind = type(graph.operators[index]).__name__
        raise ModelError(f"graph {graph.name}, operator {index} ({kind}): {problem}")


def _check_window(graph: Graph, index: int, kernel: tuple[int, int]) -> None:
    operator = graph.operators[index]
    source, target = graph.tensors[operator.input], graph.tensors[operator.output]
    padding = operator.padding
    sides = (padding.top, padding.bottom, padding.left, padding.right)
    _expect(
        all(0 <= side <= 255 for side in sides)
        and all(1 <= size <= 255 for size in (*kernel, *operator.stride)),
        graph,
        index,
        "kernel and stride must be 1...255, padding 0...255",
    )
    _expect(
        padding.top < kernel[0]
        and padding.bottom < kernel[0]
        and padding.left < kernel[1]
        and padding.right < kernel[1],
        graph,
        index,
        "padding must be smaller than the kernel",
    )
    if padding.circular:
        _expect(
            padding.left <= source.width and padding.right <= source.width,
            graph,
            index,
            "circular padding must not exceed the width",
        )
    expected = windowed_shape(source.height, source.width, kernel, operator)
    _expect(
        expected == (target.height, target.width),
        graph,
        index,
        f"gives {expected}, its output tensor is {target.shape[:2]}",
    )


def _check_convolution(graph: Graph, index: int) -> None:
    operator = graph.operators[index]
    source, target = graph.tensors[operator.input], graph.tensors[operator.output]
    weights = operator.weights
    if isinstance(operator, Conv2D):
        _expect(weights.ndim == 4, graph, index, "weights must be [O, KH, KW, I]")
        channels, kernel_height, kernel_width, depth = weights.shape
        _expect(depth == source.channels, graph, index, "weights and input differ in channels")
        magnitude = np.abs(weights.astype(np.int64)).sum(axis=(1, 2, 3))
    else:
        _expect(weights.ndim == 3, graph, index, "weights must be [KH, KW, C]")
        kernel_height, kernel_width, channels = weights.shape
        _expect(channels == source.channels, graph, index, "weights and input differ in channels")
        magnitude = np.abs(weights.astype(np.int64)).sum(axis=(0, 1))
    _check_window(graph, index, (kernel_height, kernel_width))
    _expect(channels == target.channels, graph, index, "weights and output differ in channels")
    _expect(
        weights.dtype == np.int8 and int(weights.min()) >= -127,
        graph,
        index,
        "weights must be int8 in -127...127",
    )
    for name in ("bias", "multiplier", "shift"):
        _expect(
            getattr(operator, name).shape == (channels,),
            graph,
            index,
            f"{name} must have one value a channel",
        )
    _expect(
        int(operator.multiplier.min()) >= MULTIPLIER_MINIMUM
        and int(operator.multiplier.max()) < 1 << 31
        and int(operator.shift.min()) >= 0
        and int(operator.shift.max()) <= SHIFT_MAXIMUM,
        graph,
        index,
        "multipliers must be in [2**30, 2**31) and shifts 0...30: use quantise_multipliers",
    )
    bound = 255 * magnitude + np.abs(operator.bias.astype(np.int64))
    _expect(
        int(bound.max()) <= ACCUMULATOR_MAXIMUM,
        graph,
        index,
        f"channel {int(bound.argmax())} could overflow 2**30: its bias or weights are too large",
    )


def _check_operator(graph: Graph, index: int) -> None:
    operator = graph.operators[index]
    source = graph.tensors[operator_inputs(operator)[0]]
    target = graph.tensors[operator.output]
    same_quantisation = (source.scale, source.zero_point) == (target.scale, target.zero_point)
    match operator:
        case Conv2D() | DepthwiseConv2D():
            _check_convolution(graph, index)
        case Add():
            second = graph.tensors[operator.second]
            _expect(
                source.shape == second.shape == target.shape, graph, index, "shapes must be equal"
            )
            _expect(
                0 <= operator.first_multiplier <= ADD_MULTIPLIER_MAXIMUM
                and 0 <= operator.second_multiplier <= ADD_MULTIPLIER_MAXIMUM
                and 1 <= operator.shift <= SHIFT_MAXIMUM,
                graph,
                index,
                "multipliers must be 0...32767, the shift 1...30: use add_multipliers",
            )
        case Upsample2x():
            expected = (source.height * 2, source.width * 2, source.channels)
            _expect(expected == target.shape, graph, index, "output must be twice as large")
            _expect(same_quantisation, graph, index, "scale and zero point must stay")
        case AveragePoolGlobal():
            _expect(target.shape == (1, 1, source.channels), graph, index, "output must be 1x1xC")
            _expect(source.height * source.width <= 1 << 16, graph, index, "picture is too large")
            _expect(
                MULTIPLIER_MINIMUM <= operator.multiplier < 1 << 31
                and 0 <= operator.shift <= SHIFT_MAXIMUM,
                graph,
                index,
                "multiplier out of range: use average_pool_multiplier",
            )
        case MaxPool2D():
            _check_window(graph, index, operator.kernel)
            _expect(source.channels == target.channels, graph, index, "channels must stay")
            _expect(same_quantisation, graph, index, "scale and zero point must stay")
    if not isinstance(operator, Upsample2x | MaxPool2D):
        _expect(
            -128 <= operator.minimum <= operator.maximum <= 127,
            graph,
            index,
            "minimum and maximum must be ordered int8",
        )


def check_graph(graph: Graph) -> None:
    """Raise `ModelError`, naming graph and operator, unless the engine would load the graph."""

    def expect(condition: bool, problem: str) -> None:
        if not condition:
            raise ModelError(f"graph {graph.name}: {problem}")

    count = len(graph.tensors)
    expect(bool(graph.inputs) and bool(graph.outputs), "needs an input and an output")
    for index, tensor in enumerate(graph.tensors):
        expect(
            all(1 <= size <= 4096 for size in tensor.shape)
            and tensor.height * tensor.width * tensor.channels <= 1 << 22,
            f"tensor {index}: sizes {tensor.shape} must be 1...4096, 4 MiB together",
        )
        expect(
            np.isfinite(np.float32(tensor.scale)) and np.float32(tensor.scale) > 0,
            f"tensor {index}: scale must be positive",
        )
        expect(-128 <= tensor.zero_point <= 127, f"tensor {index}: zero point is not int8")
    for tensor in [*graph.inputs.values(), *graph.outputs.values()]:
        expect(0 <= tensor < count, f"port names tensor {tensor} of {count}")
    written = set(graph.inputs.values())
    expect(len(written) == len(graph.inputs), "two inputs share a tensor")
    for index, operator in enumerate(graph.operators):
        for source in operator_inputs(operator):
            _expect(source in written, graph, index, f"reads tensor {source}, not written before")
        _expect(0 <= operator.output < count, graph, index, "writes a tensor there is not")
        _expect(operator.output not in written, graph, index, "writes a tensor written before")
        _check_operator(graph, index)
        written.add(operator.output)
    expect(written == set(range(count)), "has tensors nothing writes: remove them")
