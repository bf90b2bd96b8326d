"""The classifier's output `likeness`: how coins look that are taught on the board.

A few convolutions of their own read the classifier's features of 12 radii and 40 angles, which stay
as they are, and give some numbers for each of 40 angles around the coin. Two looks are compared by
the cosine of all these numbers, one coin turned to lie like the other as well as can be.
"""

from __future__ import annotations

import copy
import hashlib

import torch
from torch import Tensor
from torch.nn import functional

from training.network import FoldedNetwork, NetworkSpec

NAME = "likeness"
INNER, FEATURES = 16, 8
"""Channels inside, and numbers of an angle: 40 x 8 is what the product keeps of a look."""


def source_of(spec: NetworkSpec) -> str:
    """The node of the classifier that is read: its first residual sum."""
    return next(node.name for node in spec.nodes if node.operator == "add")


def likeness_spec(shape: tuple[int, int, int]) -> NetworkSpec:
    """The convolutions on features of that shape, (radii, angles, channels)."""
    spec = NetworkSpec(NAME, shape, circular=True)
    x = spec.conv("input", INNER, 3, (2, 1))
    rows = spec.node(x).shape[0]
    x = spec.conv(x, FEATURES, (rows, 3), same=False, relu=False, normalised=False)
    spec.output(NAME, x)
    return spec


def descriptors(output: Tensor) -> Tensor:
    """Looks of length 1 [N, features, angles] in outputs [N, C, rows, angles]."""
    flat = output.flatten(1, 2)
    return functional.normalize(flat.flatten(1), dim=1).reshape(flat.shape)


def similarities(first: Tensor, second: Tensor) -> Tensor:
    """Cosines [N, M] of looks [N, F, A] and [M, F, A], each pair turned to fit best."""
    turned = torch.stack(
        [torch.roll(second, turn, 2).flatten(1) for turn in range(second.shape[2])]
    )
    return torch.einsum("nd,amd->anm", first.flatten(1), turned).amax(0)


def fingerprint(network: FoldedNetwork) -> str:
    """What tells one classifier from another."""
    digest = hashlib.sha256()
    for name in sorted(network.weight):
        digest.update(name.encode())
        digest.update(network.weight[name].detach().float().numpy().tobytes())
    return digest.hexdigest()


def with_likeness(network: FoldedNetwork, branch: FoldedNetwork) -> FoldedNetwork:
    """A calibrated classifier with the output `likeness`, made by its last operators.

    Only what comes before need be run where nothing is taught.

    Args:
        network: The classifier.
        branch: The convolutions of `likeness_spec`, calibrated on features of the classifier.
    """
    spec = copy.deepcopy(network.spec)
    weights = {key: value.detach() for key, value in network.weight.items()}
    biases = {key: value.detach() for key, value in network.bias.items()}
    ranges = dict(network.ranges)
    names = {"input": source_of(spec)}
    for node in branch.spec.nodes[1:]:
        names[node.name] = f"{NAME}-{node.name}"
        mine = copy.deepcopy(node)
        spec.nodes.append(
            type(node)(**{**mine.__dict__, "name": names[node.name],
                          "inputs": tuple(names[one] for one in node.inputs)})
        )  # fmt: skip
        weights[names[node.name]] = branch.weight[node.name].detach()
        biases[names[node.name]] = branch.bias[node.name].detach()
        ranges[names[node.name]] = branch.ranges[node.name]
    # What the logits are made of is of no use by itself.
    spec.outputs = {"logits": spec.outputs["logits"], NAME: names[branch.spec.outputs[NAME]]}
    extended = FoldedNetwork(spec, weights, biases).eval()
    extended.ranges = ranges
    return extended
