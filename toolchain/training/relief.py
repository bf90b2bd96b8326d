"""The classifier's output `relief`: what is where on a coin, for coins taught on the board.

What is where on a coin is read before the last convolution adds it up around the coin: features of
6 radii and 20 angles. Their correlations are taken out, so that rare features count as much as
common ones, and a random projection keeps 16 of the 72 channels' worth: products of whole coins
change little by it. Two coins are then compared by turning one to the other.

The numbers come from the calibration pictures that a checkpoint carries; nothing is trained.
"""

from __future__ import annotations

import copy

import numpy as np
import torch

from training.network import FoldedNetwork, Node

CHANNELS = 16
FLOOR = 0.01
"""Variance of a direction, beside the strongest one's, below which it is not amplified further."""


def with_relief(network: FoldedNetwork, batches: list[torch.Tensor]) -> FoldedNetwork:
    """A calibrated classifier with one more output, `relief`.

    Args:
        network: Its last convolution before the mean over all angles reads the features.
        batches: Pictures of coins, [N, 3, 48, 160].
    """
    spec = copy.deepcopy(network.spec)
    average = next(node for node in spec.nodes if node.operator == "average")
    features = spec.node(spec.node(average.inputs[0]).inputs[0])
    height, width, channels = features.shape
    with torch.no_grad():
        values = torch.cat([network.values(batch)[features.name] for batch in batches])
    rows = values.permute(0, 2, 3, 1).reshape(-1, channels).double().numpy()
    mean = rows.mean(axis=0)
    variances, directions = np.linalg.eigh(np.cov((rows - mean).T))
    whitened = directions / np.sqrt(variances + FLOOR * variances[-1])
    square = np.random.default_rng(1).normal(size=(channels, channels))
    projection = whitened @ np.linalg.qr(square)[0][:, :CHANNELS]

    name = "relief"
    node = Node(name, "conv", (features.name,), (height, width, CHANNELS))
    spec.nodes.insert(spec.nodes.index(features) + 1, node)
    spec.outputs["relief"] = name
    weights = {key: value.detach() for key, value in network.weight.items()}
    biases = {key: value.detach() for key, value in network.bias.items()}
    weights[name] = torch.from_numpy(projection.T.copy()).float()[:, :, None, None]
    biases[name] = torch.from_numpy(-mean @ projection).float()
    extended = FoldedNetwork(spec, weights, biases).eval()
    extended.calibrate(batches)
    extended.ranges = {**extended.ranges, **network.ranges}
    return extended
