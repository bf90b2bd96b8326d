"""TFLite, int8 throughout, for LiteRT (XNNPACK) and TFLite Micro.

Padding that "SAME" does not give is a PAD before the convolution, which XNNPACK fuses; columns
that wrap are slices put together.
"""

from __future__ import annotations

from pathlib import Path

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from peers.scales import is_rectified, padded_inputs, weight_scales
from training.graph import (
    Add,
    AveragePoolGlobal,
    Conv2D,
    DepthwiseConv2D,
    Graph,
    ModelError,
    Operator,
    Tensor,
    Upsample2x,
)

_TYPES = {
    np.dtype(np.int8): schema.TensorType.INT8,
    np.dtype(np.int32): schema.TensorType.INT32,
}


class _Writer:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.description = graph.name.encode()
        self.model.buffers = [schema.BufferT()]
        self.model.operatorCodes = []
        self.net = schema.SubGraphT()
        self.net.name = graph.name.encode()
        self.net.tensors, self.net.operators = [], []
        self.model.subgraphs = [self.net]
        self.codes: dict[int, int] = {}
        self.constants: dict[bytes, int] = {}
        for index, tensor in enumerate(graph.tensors):
            self.activation(f"t{index}", tensor.shape, tensor)

    def tensor(
        self,
        name: str,
        shape: tuple[int, ...],
        kind: int,
        buffer: int,
        grid: tuple[np.ndarray, np.ndarray, int] | None,
    ) -> int:
        record = schema.TensorT()
        record.name, record.shape, record.type, record.buffer = name.encode(), shape, kind, buffer
        if grid is not None:
            record.quantization = schema.QuantizationParametersT()
            record.quantization.scale = grid[0].astype(np.float32)
            record.quantization.zeroPoint = grid[1].astype(np.int64)
            record.quantization.quantizedDimension = grid[2]
        self.net.tensors.append(record)
        return len(self.net.tensors) - 1

    def activation(self, name: str, shape: tuple[int, int, int], grid: Tensor) -> int:
        self.model.buffers.append(schema.BufferT())
        return self.tensor(
            name,
            (1, *shape),
            schema.TensorType.INT8,
            len(self.model.buffers) - 1,
            (np.array([grid.scale]), np.array([grid.zero_point]), 0),
        )

    def constant(
        self,
        name: str,
        values: np.ndarray,
        scales: np.ndarray | None = None,
        dimension: int = 0,
    ) -> int:
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(np.ascontiguousarray(values).tobytes(), np.uint8)
        self.model.buffers.append(buffer)
        grid = None if scales is None else (scales, np.zeros(len(scales)), dimension)
        place = len(self.model.buffers) - 1
        return self.tensor(name, values.shape, _TYPES[values.dtype], place, grid)

    def operator(
        self, code: int, inputs: list[int], output: int, kind: int, options: object, version: int
    ) -> None:
        if code not in self.codes:
            record = schema.OperatorCodeT()
            record.builtinCode = code
            record.deprecatedBuiltinCode = min(code, 127)
            record.version = version
            self.codes[code] = len(self.model.operatorCodes)
            self.model.operatorCodes.append(record)
        row = schema.OperatorT()
        row.opcodeIndex, row.inputs, row.outputs = self.codes[code], inputs, [output]
        row.builtinOptionsType, row.builtinOptions = kind, options
        self.net.operators.append(row)

    def padded(self, operator: Conv2D | DepthwiseConv2D, index: int) -> int:
        """The input with the padding that the convolution itself will not add."""
        tensor = self.graph.tensors[operator.input]
        padding = operator.padding
        source, shape = operator.input, list(tensor.shape)
        columns = (padding.left, padding.right)
        if padding.circular and any(columns):
            parts = [
                self.columns(source, shape, shape[1] - columns[0], columns[0], f"left{index}"),
                source,
                self.columns(source, shape, 0, columns[1], f"right{index}"),
            ]
            shape[1] += sum(columns)
            joined = self.activation(f"wrapped{index}", tuple(shape), tensor)
            options = schema.ConcatenationOptionsT()
            options.axis = 2
            code = schema.BuiltinOperator.CONCATENATION
            kind = schema.BuiltinOptions.ConcatenationOptions
            self.operator(code, parts, joined, kind, options, 2)
            source, columns = joined, (0, 0)
        if padding.top or padding.bottom or any(columns):
            amounts = np.array(
                [[0, 0], [padding.top, padding.bottom], list(columns), [0, 0]], np.int32
            )
            shape[0] += padding.top + padding.bottom
            shape[1] += sum(columns)
            target = self.activation(f"padded{index}", tuple(shape), tensor)
            self.operator(
                schema.BuiltinOperator.PAD,
                [source, self.constant(f"padding{index}", amounts)],
                target,
                schema.BuiltinOptions.PadOptions,
                schema.PadOptionsT(),
                2,
            )
            source = target
        return source

    def columns(self, source: int, shape: list[int], first: int, count: int, name: str) -> int:
        tensor = self.net.tensors[source]
        grid = tensor.quantization
        record = Tensor(
            shape[0], count, shape[2], float(grid.scale[0]), int(grid.zeroPoint[0])
        )
        target = self.activation(name, record.shape, record)
        begin = self.constant(f"{name}_from", np.array([0, 0, first, 0], np.int32))
        size = self.constant(f"{name}_size", np.array([1, shape[0], count, shape[2]], np.int32))
        code, kind = schema.BuiltinOperator.SLICE, schema.BuiltinOptions.SliceOptions
        self.operator(code, [source, begin, size], target, kind, schema.SliceOptionsT(), 2)
        return target

    def convolution(self, operator: Conv2D | DepthwiseConv2D, index: int) -> None:
        is_dense = isinstance(operator, Conv2D)
        kernel = operator.weights.shape[1:3] if is_dense else operator.weights.shape[:2]
        is_same = self.is_same(operator, kernel)
        source = operator.input
        if padded_inputs(operator.padding) and not is_same:
            source = self.padded(operator, index)
        scales = weight_scales(self.graph, operator)
        weights = operator.weights if is_dense else operator.weights[None]
        inputs = [
            source,
            self.constant(f"w{index}", weights, scales, 0 if is_dense else 3),
            self.constant(
                f"b{index}",
                operator.bias.astype(np.int32),
                scales * self.graph.tensors[operator.input].scale,
            ),
        ]
        if is_dense:
            options = schema.Conv2DOptionsT()
            code, kind = schema.BuiltinOperator.CONV_2D, schema.BuiltinOptions.Conv2DOptions
        else:
            options = schema.DepthwiseConv2DOptionsT()
            options.depthMultiplier = 1
            code = schema.BuiltinOperator.DEPTHWISE_CONV_2D
            kind = schema.BuiltinOptions.DepthwiseConv2DOptions
        options.padding = schema.Padding.SAME if is_same else schema.Padding.VALID
        options.strideH, options.strideW = operator.stride
        options.dilationHFactor = options.dilationWFactor = 1
        options.fusedActivationFunction = self.activation_function(operator)
        self.operator(code, inputs, operator.output, kind, options, 3)

    def is_same(self, operator: Conv2D | DepthwiseConv2D, kernel: tuple[int, ...]) -> bool:
        """Whether TFLite's "SAME" pads just like this."""
        tensor, padding = self.graph.tensors[operator.input], operator.padding
        if padding.circular:
            return False
        wanted = ((padding.top, padding.bottom), (padding.left, padding.right))
        sizes = zip((tensor.height, tensor.width), kernel, operator.stride, wanted, strict=True)
        for size, extent, stride, sides in sizes:
            total = max(0, ((size + stride - 1) // stride - 1) * stride + extent - size)
            if sides != (total // 2, total - total // 2):
                return False
        return True

    def activation_function(self, operator: Operator) -> int:
        zero = self.graph.tensors[operator.output].zero_point
        if is_rectified(self.graph, operator) and zero != -128:
            return schema.ActivationFunctionType.RELU
        return schema.ActivationFunctionType.NONE

    def write(self, operator: Operator, index: int) -> None:
        match operator:
            case Conv2D() | DepthwiseConv2D():
                self.convolution(operator, index)
            case Add():
                options = schema.AddOptionsT()
                options.fusedActivationFunction = self.activation_function(operator)
                kind = schema.BuiltinOptions.AddOptions
                inputs = [operator.first, operator.second]
                code = schema.BuiltinOperator.ADD
                self.operator(code, inputs, operator.output, kind, options, 2)
            case Upsample2x():
                tensor = self.graph.tensors[operator.output]
                size = np.array([tensor.height, tensor.width], np.int32)
                self.operator(
                    schema.BuiltinOperator.RESIZE_NEAREST_NEIGHBOR,
                    [operator.input, self.constant(f"size{index}", size)],
                    operator.output,
                    schema.BuiltinOptions.ResizeNearestNeighborOptions,
                    schema.ResizeNearestNeighborOptionsT(),
                    2,
                )
            case AveragePoolGlobal():
                is_rectified(self.graph, operator)
                options = schema.ReducerOptionsT()
                options.keepDims = True
                axes = self.constant(f"axes{index}", np.array([1, 2], np.int32))
                kind = schema.BuiltinOptions.ReducerOptions
                inputs = [operator.input, axes]
                self.operator(
                    schema.BuiltinOperator.MEAN, inputs, operator.output, kind, options, 2
                )
            case _:
                raise ModelError(f"{type(operator).__name__} is not exported to TFLite")


def write_tflite(graph: Graph, path: Path) -> None:
    """Writes a network as one TFLite file; its outputs are in the graph's order."""
    writer = _Writer(graph)
    for index, operator in enumerate(graph.operators):
        writer.write(operator, index)
    writer.net.inputs = list(graph.inputs.values())
    writer.net.outputs = list(graph.outputs.values())
    builder = flatbuffers.Builder(1 << 20)
    builder.Finish(writer.model.Pack(builder), b"TFL3")
    path.write_bytes(bytes(builder.Output()))
