"""Tests of the output that tells coins taught on the board apart."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is for training: toolchain/setup --training")

from training.network import FoldedNetwork, TrainableNetwork  # noqa: E402
from training.quantise import quantise  # noqa: E402
from training.relief import CHANNELS, with_relief  # noqa: E402
from training.train_classifier import classifier_spec  # noqa: E402


def classifier() -> tuple[FoldedNetwork, list[torch.Tensor]]:
    torch.manual_seed(1)
    network = TrainableNetwork(classifier_spec(5)).eval().folded().eval()
    batches = [torch.rand(4, 3, 48, 160) * 2 - 1 for _ in range(2)]
    network.calibrate(batches)
    return network, batches


def test_the_other_outputs_stay_as_they_are() -> None:
    network, batches = classifier()
    extended = with_relief(network, batches)
    with torch.no_grad():
        before, after = network(batches[0]), extended(batches[0])
    assert set(after) == {"embedding", "logits", "relief"}
    assert torch.equal(before["logits"], after["logits"])
    assert torch.equal(before["embedding"], after["embedding"])
    assert network.spec.outputs.keys() == before.keys()


def test_a_turned_coin_has_a_turned_relief() -> None:
    network, batches = classifier()
    extended = with_relief(network, batches)
    with torch.no_grad():
        here = extended(batches[0])["relief"]
        turned = extended(torch.roll(batches[0], 24, dims=3))["relief"]
    assert here.shape == (4, CHANNELS, 6, 20)
    # 24 columns of the unwrap are three of the relief's angles.
    assert torch.allclose(torch.roll(here, 3, dims=3), turned, atol=1e-4)


def test_it_is_exported_with_the_rest() -> None:
    network, batches = classifier()
    graph = quantise(with_relief(network, batches))
    relief = graph.tensors[graph.outputs["relief"]]
    assert relief.shape == (6, 20, CHANNELS)
