"""ONNX with quantise and dequantise nodes (QDQ), as ONNX Runtime and OpenVINO want it.

Activations are uint8 (ours plus 128, the zero point too) and weights int8 per channel: the pair
that both engines multiply with byte dot products. Input and outputs are uint8, NCHW.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from peers.scales import is_rectified, padded_inputs, weight_scales
from training.graph import (
    Add,
    AveragePoolGlobal,
    Conv2D,
    DepthwiseConv2D,
    Graph,
    ModelError,
    Operator,
    Upsample2x,
)

OPSET = 17


class _Writer:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, values: np.ndarray) -> str:
        if all(existing.name != name for existing in self.constants):
            self.constants.append(numpy_helper.from_array(values, name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, **attributes: object) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def grid(self, tensor: int) -> list[str]:
        record = self.graph.tensors[tensor]
        return [
            self.constant(f"t{tensor}_scale", np.float32(record.scale)),
            self.constant(f"t{tensor}_zero", np.uint8(record.zero_point + 128)),
        ]

    def real(self, tensor: int, reader: int, source: str | None = None) -> str:
        """A tensor dequantised for one reader: engines fuse best when nothing is shared."""
        source = source or f"t{tensor}"
        name = f"t{tensor}_real_{reader}_{source}"
        return self.node("DequantizeLinear", [source, *self.grid(tensor)], name)

    def quantised(self, source: str, tensor: int) -> None:
        self.node("QuantizeLinear", [source, *self.grid(tensor)], f"t{tensor}")

    def wrapped(self, operator: Conv2D | DepthwiseConv2D, index: int) -> str:
        """The input with its last columns before it and its first ones after it."""
        width = self.graph.tensors[operator.input].width
        source = f"t{operator.input}"

        def part(name: str, first: int, last: int) -> str:
            bounds = [
                self.constant(f"at_{first}", np.array([first], np.int64)),
                self.constant(f"at_{last}", np.array([last], np.int64)),
                self.constant("columns", np.array([3], np.int64)),
            ]
            return self.node("Slice", [source, *bounds], f"{name}_{index}")

        left, right = operator.padding.left, operator.padding.right
        parts = [part("left", width - left, width), source, part("right", 0, right)]
        return self.node("Concat", parts, f"wrapped_{index}", axis=3)

    def convolution(self, operator: Conv2D | DepthwiseConv2D, index: int) -> None:
        scales = weight_scales(self.graph, operator)
        if isinstance(operator, Conv2D):
            weights, groups = operator.weights.transpose(0, 3, 1, 2), 1
        else:
            weights = operator.weights.transpose(2, 0, 1)[:, None]
            groups = weights.shape[0]
        zeros = np.zeros(len(scales), np.int8)
        kernel = self.node(
            "DequantizeLinear",
            [
                self.constant(f"w{index}", np.ascontiguousarray(weights)),
                self.constant(f"w{index}_scale", scales.astype(np.float32)),
                self.constant(f"w{index}_zero", zeros),
            ],
            f"w{index}_real",
            axis=0,
        )
        bias_scale = (scales * self.graph.tensors[operator.input].scale).astype(np.float32)
        bias = self.node(
            "DequantizeLinear",
            [
                self.constant(f"b{index}", operator.bias.astype(np.int32)),
                self.constant(f"b{index}_scale", bias_scale),
                self.constant(f"b{index}_zero", np.zeros(len(scales), np.int32)),
            ],
            f"b{index}_real",
            axis=0,
        )
        padding = operator.padding
        pads = [padding.top, padding.left, padding.bottom, padding.right]
        source = None
        if padding.circular and padded_inputs(padding):
            source = self.wrapped(operator, index)
            pads[1] = pads[3] = 0
        result = self.node(
            "Conv",
            [self.real(operator.input, index, source), kernel, bias],
            f"sum{index}",
            kernel_shape=list(weights.shape[2:]),
            strides=list(operator.stride),
            pads=pads,
            group=groups,
        )
        self.finish(operator, index, result)

    def finish(self, operator: Operator, index: int, result: str) -> None:
        """Quantises, after a ReLU unless the grid begins at 0 and saturates by itself."""
        zero = self.graph.tensors[operator.output].zero_point
        if is_rectified(self.graph, operator) and zero != -128:
            result = self.node("Relu", [result], f"relu{index}")
        self.quantised(result, operator.output)

    def operator(self, operator: Operator, index: int) -> None:
        match operator:
            case Conv2D() | DepthwiseConv2D():
                self.convolution(operator, index)
            case Add():
                terms = [
                    self.real(operator.first, index),
                    self.real(operator.second, index),
                ]
                self.finish(operator, index, self.node("Add", terms, f"sum{index}"))
            case Upsample2x():
                sizes = self.constant("double", np.array([1, 1, 2, 2], np.float32))
                enlarged = self.node(
                    "Resize",
                    [self.real(operator.input, index), "", sizes],
                    f"enlarged{index}",
                    mode="nearest",
                    coordinate_transformation_mode="asymmetric",
                    nearest_mode="floor",
                )
                self.quantised(enlarged, operator.output)
            case AveragePoolGlobal():
                source = self.real(operator.input, index)
                mean = self.node("GlobalAveragePool", [source], f"mean{index}")
                self.finish(operator, index, mean)
            case _:
                raise ModelError(f"{type(operator).__name__} is not exported to ONNX")


def write_onnx(graph: Graph, path: Path) -> None:
    """Writes a network as one ONNX file; inputs and outputs keep their names."""
    writer = _Writer(graph)

    def port(name: str, tensor: int) -> onnx.ValueInfoProto:
        height, width, channels = graph.tensors[tensor].shape
        return helper.make_tensor_value_info(
            name, TensorProto.UINT8, [1, channels, height, width]
        )

    for name, tensor in graph.inputs.items():
        writer.node("Identity", [name], f"t{tensor}")
    for index, operator in enumerate(graph.operators):
        writer.operator(operator, index)
    for name, tensor in graph.outputs.items():
        writer.node("Identity", [f"t{tensor}"], name)
    model = helper.make_model(
        helper.make_graph(
            writer.nodes,
            graph.name,
            [port(name, tensor) for name, tensor in graph.inputs.items()],
            [port(name, tensor) for name, tensor in graph.outputs.items()],
            writer.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=8,
    )
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
