"""ncnn with its int8 convolutions.

ncnn's int8 grids are symmetric: a tensor's grid is the finest that holds the same range, so that
activations behind a ReLU have one bit less than ours. Weights are the same integers. Where a
convolution's output is read by convolutions alone it stays int8, as ncnn's own tool arranges it.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from peers.scales import is_rectified, largest_magnitude, padded_inputs, weight_scales
from training.graph import (
    Add,
    AveragePoolGlobal,
    Conv2D,
    Graph,
    ModelError,
    Operator,
    Upsample2x,
)
from training.graph_checks import operator_inputs

INT8_TAG = 0x000D4B38


class _Writer:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.layers: list[str] = []
        self.blobs = 0
        self.weights = bytearray()
        self.readers: dict[int, list[Operator]] = {}
        for operator in graph.operators:
            for tensor in operator_inputs(operator):
                self.readers.setdefault(tensor, []).append(operator)
        self.names: dict[int, list[str]] = {}

    def layer(
        self, kind: str, inputs: list[str], outputs: list[str], parameters: str = ""
    ) -> None:
        fields = [kind, outputs[0], str(len(inputs)), str(len(outputs)), *inputs, *outputs]
        self.layers.append(" ".join([*fields, parameters]).rstrip())
        self.blobs += len(outputs)

    def publish(self, tensor: int, name: str) -> None:
        """Gives every reader of a tensor a blob of its own."""
        count = len(self.readers.get(tensor, []))
        count += sum(place == tensor for place in self.graph.outputs.values())
        if count <= 1:
            self.names[tensor] = [name]
            return
        copies = [f"{name}_{number}" for number in range(count)]
        self.layer("Split", [name], copies)
        self.names[tensor] = copies

    def take(self, tensor: int) -> str:
        return self.names[tensor].pop()

    def input_scale(self, tensor: int) -> float:
        record = self.graph.tensors[tensor]
        return 1 / record.scale if record.zero_point == 0 else 127 / largest_magnitude(record)

    def wrapped(self, operator: Conv2D, index: int) -> str:
        width = self.graph.tensors[operator.input].width
        left, right = operator.padding.left, operator.padding.right
        source = f"source{index}"
        copies = [f"{source}_{number}" for number in range(3)]
        self.layer("Split", [self.take(operator.input)], copies)
        before, after, joined = f"left{index}", f"right{index}", f"wrapped{index}"
        for copy, part, first, end in (
            (copies[0], before, width - left, width),
            (copies[2], after, 0, right),
        ):
            bounds = f"-23309=1,{first} -23310=1,{end} -23311=1,2"
            self.layer("Crop", [copy], [part], bounds)
        self.layer("Concat", [before, copies[1], after], [joined], "0=2")
        return joined

    def convolution(self, operator: Conv2D, index: int) -> None:
        padding = operator.padding
        columns = (padding.left, padding.right)
        kind = "Convolution"
        if padding.circular and padded_inputs(padding):
            source, columns = self.wrapped(operator, index), (0, 0)
        else:
            source = self.take(operator.input)
        readers = self.readers.get(operator.output, [])
        is_output = operator.output in self.graph.outputs.values()
        stays = not is_output and all(self.takes_int8(reader) for reader in readers)
        if self.is_vector(operator.input):
            kind, stays = "InnerProduct", False
        kernel = operator.weights.shape[1:3]
        values = {
            0: operator.weights.shape[0], 1: kernel[1], 11: kernel[0], 3: operator.stride[1],
            13: operator.stride[0], 4: columns[0], 14: padding.top, 15: columns[1],
            16: padding.bottom, 5: 1, 6: operator.weights.size, 8: 102 if stays else 2,
            9: int(is_rectified(self.graph, operator)),
        }  # fmt: skip
        if kind == "InnerProduct":
            values = {0: values[0], 1: 1, 2: values[6], 8: 2, 9: values[9]}
        name = f"t{operator.output}"
        parameters = " ".join(f"{key}={value}" for key, value in values.items())
        self.layer(kind, [source], [name], parameters)
        scales = weight_scales(self.graph, operator)
        weights = operator.weights.transpose(0, 3, 1, 2).tobytes()
        self.weights += struct.pack("<I", INT8_TAG) + weights + bytes(-len(weights) % 4)
        bias = operator.bias * scales * self.graph.tensors[operator.input].scale
        self.floats(bias)
        self.floats(1 / scales)
        self.floats(np.array([self.input_scale(operator.input)]))
        if stays:
            self.floats(np.array([self.input_scale(operator.output)]))
        self.publish(operator.output, name)

    def is_vector(self, tensor: int) -> bool:
        """Whether a tensor is one pixel, of which ncnn wants inner products."""
        return self.graph.tensors[tensor].shape[:2] == (1, 1)

    def takes_int8(self, reader: Operator) -> bool:
        """Whether an operator is a convolution that reads the tensor as it is."""
        is_plain = isinstance(reader, Conv2D) and not reader.padding.circular
        return is_plain and not self.is_vector(reader.input)

    def floats(self, values: np.ndarray) -> None:
        self.weights += values.astype("<f4").tobytes()

    def operator(self, operator: Operator, index: int) -> None:
        name = f"t{operator.output}"
        match operator:
            case Conv2D():
                self.convolution(operator, index)
                return
            case Add():
                is_last = not is_rectified(self.graph, operator)
                total = name if is_last else f"sum{index}"
                inputs = [self.take(operator.first), self.take(operator.second)]
                self.layer("BinaryOp", inputs, [total], "0=0")
                if not is_last:
                    self.layer("ReLU", [total], [name])
            case Upsample2x():
                source = self.take(operator.input)
                self.layer("Interp", [source], [name], "0=1 1=2.0 2=2.0")
            case AveragePoolGlobal():
                self.layer("Pooling", [self.take(operator.input)], [name], "0=1 4=1")
            case _:
                raise ModelError(f"{type(operator).__name__} is not exported to ncnn")
        self.publish(operator.output, name)


def write_ncnn(graph: Graph, path: Path) -> None:
    """Writes `path` with the endings .param and .bin; outputs are called out0, out1, ..."""
    writer = _Writer(graph)
    for name, tensor in graph.inputs.items():
        writer.layer("Input", [], [name])
        writer.publish(tensor, name)
    for index, operator in enumerate(graph.operators):
        writer.operator(operator, index)
    for number, tensor in enumerate(graph.outputs.values()):
        writer.layer("Noop", [writer.take(tensor)], [f"out{number}"])
    head = ["7767517", f"{len(writer.layers)} {writer.blobs}"]
    path.with_suffix(".param").write_text("\n".join(head + writer.layers) + "\n")
    path.with_suffix(".bin").write_bytes(bytes(writer.weights))
