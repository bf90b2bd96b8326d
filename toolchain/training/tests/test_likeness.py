"""Tests of the output that coins taught on the board are compared by."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is for training: toolchain/setup --training")

from training.integer_reference import run_graph  # noqa: E402
from training.likeness import (  # noqa: E402
    descriptors,
    fingerprint,
    likeness_spec,
    similarities,
    source_of,
    with_likeness,
)
from training.likeness_check import Distances, common, curve, distances, radius  # noqa: E402
from training.looks import build_designs, draw_kinds, draw_lights, shade, strike  # noqa: E402
from training.network import FoldedNetwork, TrainableNetwork  # noqa: E402
from training.quantise import quantise  # noqa: E402
from training.train_classifier import classifier_spec  # noqa: E402
from training.train_likeness import (  # noqa: E402
    LOOKS,
    Batches,
    Features,
    loss,
    same_look,
)


def networks() -> tuple[FoldedNetwork, FoldedNetwork, list[torch.Tensor]]:
    """A classifier and a branch that nothing was taught, and pictures."""
    torch.manual_seed(1)
    network = TrainableNetwork(classifier_spec(5)).eval().folded().eval()
    batches = [torch.rand(4, 3, 48, 160) * 2 - 1 for _ in range(2)]
    network.calibrate(batches)
    source = source_of(network.spec)
    branch = TrainableNetwork(likeness_spec(network.spec.node(source).shape)).eval().folded()
    with torch.no_grad():
        branch.calibrate([network.values(batch)[source] for batch in batches])
    return network, branch.eval(), batches


def test_what_the_classifier_says_stays_as_it_is() -> None:
    network, branch, batches = networks()
    extended = with_likeness(network, branch)
    with torch.no_grad():
        before, after = network(batches[0]), extended(batches[0])
    assert set(after) == {"logits", "likeness"}
    assert torch.equal(before["logits"], after["logits"])
    assert set(network.spec.outputs) == {"embedding", "logits"}


def test_the_logits_are_made_before_anything_of_the_likeness() -> None:
    network, branch, _ = networks()
    graph = quantise(with_likeness(network, branch))
    made = [operator.output for operator in graph.operators]
    last = made.index(graph.outputs["logits"])
    own = [i for i, operator in enumerate(graph.operators) if i > last]
    assert len(own) == 2
    assert made[-1] == graph.outputs["likeness"]


def test_a_turned_coin_looks_the_same_to_the_integers() -> None:
    network, branch, _ = networks()
    graph = quantise(with_likeness(network, branch))
    random = np.random.default_rng(1)
    pixels = random.integers(-128, 128, (1, 48, 160, 3)).astype(np.int8)
    here = run_graph(graph, {"pixels": pixels})["likeness"]
    turned = run_graph(graph, {"pixels": np.roll(pixels, 12, axis=2)})["likeness"]
    # 4 columns of the unwrap are one angle.
    assert here.shape == (1, 1, 40, 8)
    assert np.array_equal(np.roll(here, 3, axis=2), turned)


def test_similarity_is_that_of_the_best_turn() -> None:
    torch.manual_seed(2)
    looks = descriptors(torch.randn(3, 8, 1, 40))
    turned = torch.roll(looks, 7, 2)
    found = similarities(looks, turned)
    assert torch.allclose(found.diagonal(), torch.ones(3), atol=1e-5)
    assert (found - torch.eye(3)).max() < 0.5


def test_another_classifier_has_another_fingerprint() -> None:
    network, _, _ = networks()
    mark = fingerprint(network)
    assert mark == fingerprint(networks()[0])
    with torch.no_grad():
        network.weight["conv3"][0, 0, 0, 0] += 1e-3
    assert fingerprint(network) != mark


def test_what_views_have_in_common_does_not_depend_on_how_they_lie() -> None:
    torch.manual_seed(3)
    look = descriptors(torch.randn(1, 8, 1, 40))[0]
    views = torch.stack([torch.roll(look, turn, 1) for turn in (0, 11, 39)])[None]
    assert similarities(common(views), look[None]).item() == pytest.approx(1, abs=1e-5)


def test_the_radius_lets_in_the_share_that_was_asked_for() -> None:
    others = np.linspace(0.2, 1.2, 1001)
    assert (others < radius(others, 0.01)).mean() <= 0.01
    found = Distances(others, others, others, others)
    assert len(curve(found)) == 10


def test_coins_of_another_size_are_far_where_sizes_are_known() -> None:
    torch.manual_seed(4)
    looks = descriptors(torch.randn(4 * 13, 8, 1, 40)).reshape(4, 13, 8, 40)
    found = distances(looks, np.array([20.0, 26.0]))
    assert np.isinf(found.others_of_size).all() and np.isfinite(found.others).all()


def test_looks_at_one_kind_cost_less_than_looks_at_many() -> None:
    kinds = torch.arange(3).repeat_interleave(LOOKS)
    sharpness, threshold = torch.tensor(2.3), torch.tensor(4.0)
    same = (kinds[:, None] == kinds[None]).float()
    good = loss(same, kinds, sharpness, threshold)
    bad = loss(1 - same, kinds, sharpness, threshold)
    assert good < 0.2 * bad


def test_eagle_sides_that_look_alike_are_one_kind() -> None:
    assert same_look("500-2003-garuda") == same_look("50-1999-garuda")
    assert same_look("50-1991-garuda") == same_look("500-1997-garuda")
    assert same_look("50-1991-garuda") != same_look("50-1999-garuda")
    assert same_look("200-2016-number") == "200-2016-number"


def test_a_batch_holds_whole_families_and_photographs() -> None:
    values = np.zeros((64, 5, 2, 12, 40), np.int8) + np.arange(64)[:, None, None, None, None]
    drawn = Features(values.astype(np.int8), 1.0, 0)
    photographed = Features((values[:9] + 64).astype(np.int8), 1.0, 0)
    x, kinds = Batches(drawn, photographed, 1).draw()
    assert x.shape == (40 * LOOKS, 2, 12, 40) and len(set(kinds.tolist())) == 40
    shown = x[:: LOOKS, 0, 0, 0].int().tolist()
    assert all(one % 4 == place % 4 for place, one in enumerate(shown[:32]))
    assert all(one >= 64 for one in shown[32:]) and len(set(shown)) == 40


def test_drawn_looks_are_repeatable_and_kinds_differ() -> None:
    def draw() -> torch.Tensor:
        designs = build_designs(strike(2, 5))
        random = np.random.default_rng(6)
        lights, kinds = draw_lights(2, random), draw_kinds(2, 6, random)
        index = torch.arange(6)
        return shade(
            designs[1], kinds, lights, index, index % 2, torch.Generator().manual_seed(7)
        )  # fmt: skip

    first = draw()
    assert first.shape == (6, 3, 48, 160) and first.dtype == torch.uint8
    assert torch.equal(first, draw())
    assert all(
        (first[a].int() - first[b].int()).abs().float().mean() > 3
        for a in range(6) for b in range(a)
    )  # fmt: skip
