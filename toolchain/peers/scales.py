"""What exporters need besides the graph: the real numbers its integers stand for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from training.graph import Conv2D, DepthwiseConv2D, Graph, ModelError, Operator, Padding, Tensor


def weight_scales(graph: Graph, operator: Conv2D | DepthwiseConv2D) -> NDArray[np.float64]:
    """The scale of each output channel's weights, from the requantisation factors."""
    factor = operator.multiplier.astype(np.float64) * 2.0 ** -(31 + operator.shift.astype(int))
    source, target = graph.tensors[operator.input], graph.tensors[operator.output]
    return factor * target.scale / source.scale


def is_rectified(graph: Graph, operator: Operator) -> bool:
    """Whether negative results become 0: by the clamp, or because the grid begins at 0."""
    zero = graph.tensors[operator.output].zero_point
    minimum = getattr(operator, "minimum", -128)
    if getattr(operator, "maximum", 127) != 127 or minimum not in (-128, zero):
        raise ModelError(f"{type(operator).__name__}: a clamp other than a ReLU is not exported")
    return zero == -128 or minimum == zero


def largest_magnitude(tensor: Tensor) -> float:
    """The largest real magnitude a tensor can hold."""
    zero = tensor.zero_point
    return max(abs(-128 - zero), abs(127 - zero)) * tensor.scale


def padded_inputs(padding: Padding) -> bool:
    """Whether there is any padding."""
    return bool(padding.top or padding.bottom or padding.left or padding.right)
