"""What a quantised network is made of: tensors, operators, graphs and the table of faces.

The meaning of every operator, to the bit, is `integer_reference.py`; what makes a graph well
formed is `graph_checks.py`; how it is stored is `model_file.py`, from which to import.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

MULTIPLIER_MINIMUM = 1 << 30
SHIFT_MAXIMUM = 30
ADD_MULTIPLIER_MAXIMUM = 32767
ACCUMULATOR_MAXIMUM = 1 << 30


class ModelError(ValueError):
    """A network that cannot be written, with what is wrong and the way out."""


@dataclass(frozen=True)
class Tensor:
    """An int8 tensor of one picture, height x width x channels: real = scale * (q - zero_point)."""

    height: int
    width: int
    channels: int
    scale: float
    zero_point: int = 0

    @property
    def shape(self) -> tuple[int, int, int]:
        """Height, width and channels."""
        return (self.height, self.width, self.channels)


@dataclass(frozen=True)
class Padding:
    """Rows and columns added around a convolution's input.

    They hold the input's zero point, except that with `circular` the columns added at the left
    are the picture's last ones and those at the right its first ones.
    """

    top: int = 0
    bottom: int = 0
    left: int = 0
    right: int = 0
    circular: bool = False


@dataclass
class Conv2D:
    """Dense convolution. `weights` int8 [O, KH, KW, I] in -127...127, the rest [O]."""

    input: int
    output: int
    weights: NDArray[np.int8]
    bias: NDArray[np.int32]
    multiplier: NDArray[np.int32]
    shift: NDArray[np.uint8]
    stride: tuple[int, int] = (1, 1)
    padding: Padding = field(default_factory=Padding)
    minimum: int = -128
    maximum: int = 127


@dataclass
class DepthwiseConv2D:
    """One filter a channel. `weights` int8 [KH, KW, C] in -127...127, the rest [C]."""

    input: int
    output: int
    weights: NDArray[np.int8]
    bias: NDArray[np.int32]
    multiplier: NDArray[np.int32]
    shift: NDArray[np.uint8]
    stride: tuple[int, int] = (1, 1)
    padding: Padding = field(default_factory=Padding)
    minimum: int = -128
    maximum: int = 127


@dataclass
class Add:
    """Sum of two tensors of the same shape. See `add_multipliers`."""

    first: int
    second: int
    output: int
    first_multiplier: int
    second_multiplier: int
    shift: int
    minimum: int = -128
    maximum: int = 127


@dataclass
class Upsample2x:
    """Each element repeated twice in both directions; scale and zero point stay."""

    input: int
    output: int


@dataclass
class AveragePoolGlobal:
    """Mean of each channel over the picture. The multiplier contains 1 / (height * width)."""

    input: int
    output: int
    multiplier: int
    shift: int
    minimum: int = -128
    maximum: int = 127


@dataclass
class MaxPool2D:
    """Largest element of each window; padding never wins; scale and zero point stay."""

    input: int
    output: int
    kernel: tuple[int, int]
    stride: tuple[int, int]
    padding: Padding = field(default_factory=Padding)


Operator = Conv2D | DepthwiseConv2D | Add | Upsample2x | AveragePoolGlobal | MaxPool2D


@dataclass
class Graph:
    """One network: operators in the order they run, over tensors named by their index.

    `inputs` and `outputs` name tensors. Each tensor is an input or written by one operator.
    """

    name: str
    tensors: list[Tensor]
    operators: list[Operator]
    inputs: dict[str, int]
    outputs: dict[str, int]


@dataclass(frozen=True)
class Label:
    """One row of the table of faces, in the order of the classifier's logits."""

    name: str
    value: int
    withdrawn: bool
    kind: str
    diameter_mm: float
    metal: str


def quantise_multiplier(real: float) -> tuple[int, int]:
    """Return `(multiplier, shift)` with real ~ multiplier / 2**31 / 2**shift.

    `real` is input scale * weight scale / output scale and must be above 2**-32 and below 1.
    """
    if not (0.0 < real < 1.0):
        raise ModelError(f"requantisation factor {real} is not in (0, 1): widen the output scale")
    mantissa, exponent = math.frexp(real)
    multiplier = round(mantissa * (1 << 31))
    if multiplier == 1 << 31:
        multiplier >>= 1
        exponent += 1
    if exponent > 0:
        return (1 << 31) - 1, 0
    if -exponent > SHIFT_MAXIMUM:
        raise ModelError(
            f"requantisation factor {real} is too small: give an all-zero channel the largest "
            "weight scale of its layer"
        )
    return multiplier, -exponent


def quantise_multipliers(
    real: NDArray[np.float64],
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """`quantise_multiplier` for each channel."""
    pairs = [quantise_multiplier(float(factor)) for factor in np.asarray(real).ravel()]
    return (
        np.array([multiplier for multiplier, _ in pairs], np.int32),
        np.array([shift for _, shift in pairs], np.uint8),
    )


def add_multipliers(first: Tensor, second: Tensor, output: Tensor) -> tuple[int, int, int]:
    """Return `(first_multiplier, second_multiplier, shift)` of an `Add`.

    Each multiplier over 2**shift is its input's scale over the output's; the larger one gets
    all 15 bits.
    """
    factors = (first.scale / output.scale, second.scale / output.scale)
    shift = SHIFT_MAXIMUM
    while shift > 1 and max(round(f * (1 << shift)) for f in factors) > ADD_MULTIPLIER_MAXIMUM:
        shift -= 1
    multipliers = [round(f * (1 << shift)) for f in factors]
    if max(multipliers) > ADD_MULTIPLIER_MAXIMUM:
        raise ModelError(f"add: input scales {factors} times the output's: widen the output scale")
    return multipliers[0], multipliers[1], shift


def average_pool_multiplier(source: Tensor, output: Tensor) -> tuple[int, int]:
    """Return `(multiplier, shift)` of an `AveragePoolGlobal`."""
    return quantise_multiplier(source.scale / output.scale / (source.height * source.width))
