"""From a trained network in floating point to the int8 graph the engine runs.

Weights are symmetric per output channel; activations have a scale and a zero point each, from
calibration. A ReLU is a clamp at the zero point. Where a layer is followed by nothing but its
addition, the addition's grid is used as it stands: every tensor keeps its own.
"""

from __future__ import annotations

import numpy as np
import torch

from training.float_scaling import exact_multipliers
from training.graph import (
    Add,
    AveragePoolGlobal,
    Conv2D,
    DepthwiseConv2D,
    Graph,
    Padding,
    Tensor,
    Upsample2x,
    add_multipliers,
    average_pool_multiplier,
    quantise_multipliers,
)
from training.network import FoldedNetwork, Node, weight_scales


def _convolution(
    network: FoldedNetwork, node: Node, tensors: list[Tensor], source: int, target: int
) -> Conv2D | DepthwiseConv2D:
    weight = network.weight[node.name].detach()
    scales = weight_scales(weight)
    # A channel that is all but zero would need a factor below the smallest there is.
    scales = torch.maximum(scales, scales.max() * 1e-4)
    rounded = torch.round(weight / scales[:, None, None, None]).clamp(-127, 127).numpy()
    factors = scales.double().numpy() * tensors[source].scale
    bias = np.round(network.bias[node.name].detach().double().numpy() / factors)
    multiplier, shift = quantise_multipliers(factors / tensors[target].scale)
    zero, minimum = tensors[target].zero_point, tensors[target].zero_point if node.relu else -128
    is_tiled = tuple(weight.shape[2:]) == (3, 3) and tuple(node.stride) == (1, 1)
    multiplier = exact_multipliers(
        multiplier, shift, minimum - zero, 127 - zero, is_tiled=is_tiled
    )
    rows, columns = node.padding
    common = {
        "input": source,
        "output": target,
        "bias": bias.astype(np.int32),
        "multiplier": multiplier,
        "shift": shift,
        "stride": node.stride,
        "padding": Padding(rows, rows, columns, columns, node.circular),
        "minimum": minimum,
    }
    if node.groups == 1:
        return Conv2D(weights=rounded.transpose(0, 2, 3, 1).astype(np.int8), **common)
    return DepthwiseConv2D(weights=rounded[:, 0].transpose(1, 2, 0).astype(np.int8), **common)


def quantise(network: FoldedNetwork) -> Graph:
    """The int8 graph of a calibrated network; its input is called "pixels"."""
    spec = network.spec
    index = {node.name: i for i, node in enumerate(spec.nodes)}
    tensors = []
    for node in spec.nodes:
        scale, zero = network.grid(node.name)
        # The scale is stored as a 32-bit number: compute with the number that is stored.
        tensors.append(Tensor(*node.shape, float(np.float32(scale)), zero))
    operators = []
    for node in spec.nodes[1:]:
        sources = [index[name] for name in node.inputs]
        target = index[node.name]
        minimum = tensors[target].zero_point if node.relu else -128
        if node.operator == "conv":
            operators.append(_convolution(network, node, tensors, sources[0], target))
        elif node.operator == "add":
            first, second, shift = add_multipliers(
                tensors[sources[0]], tensors[sources[1]], tensors[target]
            )
            operators.append(Add(*sources, target, first, second, shift, minimum))
        elif node.operator == "upsample":
            operators.append(Upsample2x(sources[0], target))
        else:
            multiplier, shift = average_pool_multiplier(tensors[sources[0]], tensors[target])
            operators.append(AveragePoolGlobal(sources[0], target, multiplier, shift))
    outputs = {name: index[source] for name, source in spec.outputs.items()}
    return Graph(spec.name, tensors, operators, {"pixels": 0}, outputs)
