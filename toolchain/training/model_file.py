"""The model file: how quantised networks are written and read.

The byte layout is documented once, in `Sources/Engine/ModelFormat.swift`, and mirrored by the
`struct` formats below. Build graphs from the dataclasses of `graph.py`, all of which can be
imported from here, then call `write_model`: it checks them by the rules of the engine's loader,
so that a mistake shows where it was made and not on the board.
"""

from __future__ import annotations

import enum
import math
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.graph import (
    Add,
    AveragePoolGlobal,
    Conv2D,
    DepthwiseConv2D,
    Graph,
    Label,
    MaxPool2D,
    ModelError,
    Operator,
    Padding,
    Tensor,
    Upsample2x,
    add_multipliers,
    average_pool_multiplier,
    quantise_multiplier,
    quantise_multipliers,
)
from training.graph_checks import check_graph

__all__ = [
    "Add",
    "AveragePoolGlobal",
    "Conv2D",
    "DepthwiseConv2D",
    "Graph",
    "Label",
    "MaxPool2D",
    "ModelError",
    "Operator",
    "Padding",
    "Tensor",
    "Upsample2x",
    "add_multipliers",
    "average_pool_multiplier",
    "check_graph",
    "model_bytes",
    "quantise_multiplier",
    "quantise_multipliers",
    "read_model",
    "write_model",
]

MAGIC = b"RECEHNET"
VERSION = 1
HEADER = struct.Struct("<8sIIII14I")
GRAPH = struct.Struct("<32sIIIIIIII")
TENSOR = struct.Struct("<HHHbBfI")
PORT = struct.Struct("<32sII")
OPERATOR = struct.Struct("<10BbbHHHBBBBHiiiIIIIIII")
LABEL = struct.Struct("<32s16s32sIfII")
PARAMETER = struct.Struct("<32sfI")

SECTION_ALIGNMENT = 64
ARRAY_ALIGNMENT = 16
NO_TENSOR = 0xFFFF


class Kind(enum.IntEnum):
    """The number that stands for an operator in the file."""

    CONV2D = 1
    DEPTHWISE_CONV2D = 2
    ADD = 3
    UPSAMPLE_2X = 4
    AVERAGE_POOL_GLOBAL = 5
    MAX_POOL_2D = 6


def _text(text: str, size: int) -> bytes:
    if not 0 < len(text) < size or not all(" " <= character <= "~" for character in text):
        raise ModelError(f"name {text!r}: must be 1 to {size - 1} printable ASCII characters")
    return text.encode()


class _Weights:
    """Gathers the arrays of the weights section, each at an aligned offset."""

    def __init__(self) -> None:
        self.bytes = bytearray()

    def add(self, array: NDArray[np.generic], dtype: str) -> int:
        """Appends an array at the next aligned place; its offset."""
        self.bytes += bytes(-len(self.bytes) % ARRAY_ALIGNMENT)
        offset = len(self.bytes)
        self.bytes += np.ascontiguousarray(array, dtype=dtype).tobytes()
        return offset


def _operator_bytes(operator: Operator, weights: _Weights) -> bytes:
    kind = Kind.CONV2D
    kernel, stride, padding = (1, 1), (1, 1), Padding()
    second = NO_TENSOR
    minimum, maximum = -128, 127
    shift, first_multiplier, second_multiplier = 0, 0, 0
    offsets = (0, 0, 0, 0)
    match operator:
        case Conv2D() | DepthwiseConv2D():
            dense = isinstance(operator, Conv2D)
            kind = Kind.CONV2D if dense else Kind.DEPTHWISE_CONV2D
            kernel = operator.weights.shape[1:3] if dense else operator.weights.shape[0:2]
            stride, padding = operator.stride, operator.padding
            offsets = (
                weights.add(operator.weights, "<i1"),
                weights.add(operator.bias, "<i4"),
                weights.add(operator.multiplier, "<i4"),
                weights.add(operator.shift, "<u1"),
            )
        case Add():
            kind, second, shift = Kind.ADD, operator.second, operator.shift
            first_multiplier = operator.first_multiplier
            second_multiplier = operator.second_multiplier
        case Upsample2x():
            kind = Kind.UPSAMPLE_2X
        case AveragePoolGlobal():
            kind, shift = Kind.AVERAGE_POOL_GLOBAL, operator.shift
            first_multiplier = operator.multiplier
        case MaxPool2D():
            kind, kernel = Kind.MAX_POOL_2D, operator.kernel
            stride, padding = operator.stride, operator.padding
    if not isinstance(operator, Upsample2x | MaxPool2D):
        minimum, maximum = operator.minimum, operator.maximum
    source = operator.first if isinstance(operator, Add) else operator.input
    return OPERATOR.pack(
        kind, kernel[0], kernel[1], stride[0], stride[1],
        padding.top, padding.bottom, padding.left, padding.right, int(padding.circular),
        minimum, maximum, source, second, operator.output, shift, 0, 0, 0, 0,
        first_multiplier, second_multiplier, 0, *offsets, 0, 0, 0,
    )  # fmt: skip


def model_bytes(graphs: list[Graph], labels: list[Label], parameters: dict[str, float]) -> bytes:
    """The whole model file, as `write_model` writes it."""
    weights = _Weights()
    sections: list[list[bytes]] = [[], [], [], [], [], [], []]
    graph_rows, tensor_rows, port_rows, operator_rows, _, label_rows, parameter_rows = sections
    for graph in graphs:
        check_graph(graph)
        graph_rows.append(
            GRAPH.pack(
                _text(graph.name, 32),
                len(tensor_rows),
                len(graph.tensors),
                len(operator_rows),
                len(graph.operators),
                len(port_rows),
                len(graph.inputs),
                len(graph.outputs),
                0,
            )
        )
        tensor_rows += [
            TENSOR.pack(*tensor.shape, tensor.zero_point, 0, tensor.scale, 0)
            for tensor in graph.tensors
        ]
        ports = list(graph.inputs.items()) + list(graph.outputs.items())
        port_rows += [PORT.pack(_text(name, 32), tensor, 0) for name, tensor in ports]
        operator_rows += [_operator_bytes(operator, weights) for operator in graph.operators]
    for label in labels:
        label_rows.append(
            LABEL.pack(
                _text(label.name, 32),
                _text(label.kind, 16),
                _text(label.metal, 32),
                label.value,
                label.diameter_mm,
                int(label.withdrawn),
                0,
            )
        )
    for name, value in parameters.items():
        if not math.isfinite(value):
            raise ModelError(f"parameter {name} is {value}: must be finite")
        parameter_rows.append(PARAMETER.pack(_text(name, 32), value, 0))

    body = bytearray()
    directory: list[int] = []
    for index, rows in enumerate(sections):
        content = bytes(weights.bytes) if index == 4 else b"".join(rows)
        body += bytes(-(HEADER.size + len(body)) % SECTION_ALIGNMENT)
        directory += [HEADER.size + len(body), len(content) if index == 4 else len(rows)]
        body += content
    body += bytes(-(HEADER.size + len(body)) % SECTION_ALIGNMENT)
    size = HEADER.size + len(body)
    header = HEADER.pack(MAGIC, VERSION, size, 0, 0, *directory)
    checksum = zlib.crc32(header[24:] + body)
    return HEADER.pack(MAGIC, VERSION, size, checksum, 0, *directory) + body


def write_model(
    path: Path | str, graphs: list[Graph], labels: list[Label], parameters: dict[str, float]
) -> int:
    """Write the model file and return its size in bytes."""
    content = model_bytes(graphs, labels, parameters)
    Path(path).write_bytes(content)
    return len(content)


def _rows(content: bytes, directory: tuple[int, ...], section: int, layout: struct.Struct) -> list:
    offset, count = directory[2 * section : 2 * section + 2]
    return list(layout.iter_unpack(content[offset : offset + count * layout.size]))


def _name(field: bytes) -> str:
    return field.rstrip(b"\0").decode()


def _read_operator(row: tuple, tensors: list[Tensor], weights: bytes) -> Operator:
    kind, kernel, stride = Kind(row[0]), (row[1], row[2]), (row[3], row[4])
    padding = Padding(*row[5:9], circular=bool(row[9]))
    minimum, maximum, source, second, output, shift = row[10:16]
    first_multiplier, second_multiplier = row[20:22]

    def array(place: int, dtype: str, shape: tuple[int, ...]) -> NDArray:
        offset = row[23 + place]
        return np.frombuffer(weights, dtype, math.prod(shape), offset).reshape(shape)

    match kind:
        case Kind.CONV2D | Kind.DEPTHWISE_CONV2D:
            channels, depth = tensors[output].channels, tensors[source].channels
            dense = kind == Kind.CONV2D
            return (Conv2D if dense else DepthwiseConv2D)(
                source,
                output,
                array(0, "<i1", (channels, *kernel, depth) if dense else (*kernel, channels)),
                array(1, "<i4", (channels,)),
                array(2, "<i4", (channels,)),
                array(3, "<u1", (channels,)),
                stride,
                padding,
                minimum,
                maximum,
            )
        case Kind.ADD:
            multipliers = (first_multiplier, second_multiplier)
            return Add(source, second, output, *multipliers, shift, minimum, maximum)
        case Kind.UPSAMPLE_2X:
            return Upsample2x(source, output)
        case Kind.AVERAGE_POOL_GLOBAL:
            return AveragePoolGlobal(source, output, first_multiplier, shift, minimum, maximum)
        case Kind.MAX_POOL_2D:
            return MaxPool2D(source, output, kernel, stride, padding)


def read_model(path: Path | str) -> tuple[list[Graph], list[Label], dict[str, float]]:
    """Read what `write_model` wrote. For trusted files: the engine's loader is the strict one."""
    content = Path(path).read_bytes()
    magic, version, size, checksum, _, *directory = HEADER.unpack_from(content)
    if magic != MAGIC or version != VERSION or size != len(content):
        raise ModelError(f"{path}: not a model file of version {VERSION}")
    if zlib.crc32(content[24:]) != checksum:
        raise ModelError(f"{path}: is damaged (checksum differs): export the model again")
    sections = tuple(directory)
    all_tensors = [
        Tensor(height, width, channels, scale, zero_point)
        for height, width, channels, zero_point, _, scale, _ in _rows(content, sections, 1, TENSOR)
    ]
    ports = [(_name(name), tensor) for name, tensor, _ in _rows(content, sections, 2, PORT)]
    operator_rows = _rows(content, sections, 3, OPERATOR)
    weights = content[sections[8] : sections[8] + sections[9]]
    graphs = []
    for name, tensor, tensors, operator, operators, port, inputs, outputs, _ in _rows(
        content, sections, 0, GRAPH
    ):
        own = all_tensors[tensor : tensor + tensors]
        graphs.append(
            Graph(
                _name(name),
                own,
                [_read_operator(r, own, weights) for r in operator_rows[operator:][:operators]],
                dict(ports[port : port + inputs]),
                dict(ports[port + inputs : port + inputs + outputs]),
            )
        )
    labels = [
        Label(_name(name), value, bool(flags & 1), _name(kind), diameter, _name(metal))
        for name, kind, metal, value, diameter, flags, _ in _rows(content, sections, 5, LABEL)
    ]
    parameters = {_name(n): value for n, value, _ in _rows(content, sections, 6, PARAMETER)}
    return graphs, labels, parameters
