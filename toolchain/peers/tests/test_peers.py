"""The parts of the comparison that need no engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from peers.estimates import BOARDS, Kernel, Work, estimate
from peers.loops import Loop, busiest_loop, loops_of
from peers.measure import Core, Layer, Timing, bulk, share_of_peak
from peers.processors import write_processor
from peers.report import Results, fastest_peer, missed_goals
from peers.scales import is_rectified, largest_magnitude, weight_scales
from training.graph import Conv2D, Graph, ModelError, Tensor, quantise_multipliers


def graph_of(minimum: int, zero_point: int) -> Graph:
    """One convolution whose weight scales are known."""
    tensors = [Tensor(4, 4, 2, 0.5, 3), Tensor(4, 4, 2, 0.25, zero_point)]
    scales = np.array([0.01, 0.02])
    multiplier, shift = quantise_multipliers(scales * tensors[0].scale / tensors[1].scale)
    weights = np.ones((2, 1, 1, 2), np.int8)
    operator = Conv2D(0, 1, weights, np.zeros(2, np.int32), multiplier, shift, minimum=minimum)
    return Graph("g", tensors, [operator], {"pixels": 0}, {"out": 1})


def test_weight_scales_come_back_from_the_requantisation_factors() -> None:
    graph = graph_of(-128, 0)
    assert weight_scales(graph, graph.operators[0]) == pytest.approx([0.01, 0.02], rel=1e-8)


def test_a_relu_is_seen_by_its_clamp_or_by_its_grid_and_other_clamps_are_refused() -> None:
    assert is_rectified(graph_of(5, 5), graph_of(5, 5).operators[0])
    assert is_rectified(graph_of(-128, -128), graph_of(-128, -128).operators[0])
    assert not is_rectified(graph_of(-128, 5), graph_of(-128, 5).operators[0])
    with pytest.raises(ModelError):
        is_rectified(graph_of(7, 5), graph_of(7, 5).operators[0])


def test_the_largest_magnitude_is_at_the_grids_further_end() -> None:
    assert largest_magnitude(Tensor(1, 1, 1, 0.5, -128)) == 127.5
    assert largest_magnitude(Tensor(1, 1, 1, 0.5, 27)) == 77.5


def test_the_bulk_is_the_fewest_layers_that_hold_the_share() -> None:
    layers = [Layer(name, work, work, 1, 1e-9) for name, work in (("a", 50), ("b", 35), ("c", 15))]
    assert [layer.text for layer in bulk(layers)] == ["a", "b"]
    assert share_of_peak(bulk(layers), Core(85e9, 1e9)) == pytest.approx(0.5)


def results(ratio: float, share: float) -> Results:
    """A run in which the peer takes `ratio` times as long and layers reach `share` of peak."""
    names = ("detector", "refiner", "classifier", "whole frame")
    row = {"Receh": Timing([[100.0, 101.0]]), "Peer": Timing([[100.0 * ratio, 101.0 * ratio]])}
    layers = {name: [Layer("a", 400, 100, 1, 100 / (share * 1e9))] for name in names[:3]}
    versions = {"Receh": "x", "Peer": "y"}
    return Results(versions, {name: dict(row) for name in names}, {}, layers, Core(1e9, 1e9), 1)


def test_goals_that_are_reached_are_not_missed() -> None:
    assert missed_goals(results(1.6, 0.7)) == []


def test_a_peer_that_is_nearly_as_fast_misses_the_goals_but_the_refiners() -> None:
    missed = missed_goals(results(1.2, 0.7))
    assert [line.split(":")[0] for line in missed] == ["detector", "classifier", "whole frame"]


def test_a_peer_that_is_faster_misses_every_row_and_a_low_share_its_networks() -> None:
    assert len(missed_goals(results(0.9, 0.5))) == 6


def test_the_ratio_is_the_median_of_rounds_not_of_all_runs() -> None:
    ours = Timing([[1.0], [1.0], [10.0]])
    peer = Timing([[2.0], [2.0], [20.0]])
    assert fastest_peer({"Receh": ours, "Peer": peer}) == ("Peer", 2.0)


def test_a_loops_products_are_those_of_its_instructions() -> None:
    loop = Loop("neon", ("smull v0.8h, v1.8b, v2.8b", "sdot v0.4s, v1.16b, v2.16b", "b.ne 1b"))
    assert loop.products == 24


def test_products_of_words_are_half_as_many_an_instruction() -> None:
    loop = Loop("neon", ("smlal v12.4s, v8.4h, v0.h[1]", "smlal2 v13.4s, v8.8h, v0.h[1]"))
    assert loop.products == 8 and loop.is_of_words
    assert not Loop("neon", ("smlal v12.8h, v8.8b, v0.8b",)).is_of_words


LISTING = """
outer:
        mov x0, #0
1:
        smull v1.8h, v2.8b, v3.8b
        b 3f
2:
        smlal v1.4s, v2.4h, v3.h[0]
3:
        smlal v1.4s, v2.4h, v3.h[1]
        b.ne 2b
        subs x1, x1, #1
        b.ne 1b
.LBB0_2:                                // =>This Inner Loop
        smull v1.8h, v2.8b, v3.8b
        cbnz x3, .LBB0_2
        b.ne outer
"""


def test_loops_are_found_by_what_branches_back_even_with_labels_inside() -> None:
    loops = loops_of("neon", LISTING)
    assert [len(loop.lines) for loop in loops] == [3, 2]
    assert busiest_loop(loops).lines[-1].startswith("cbnz")
    assert busiest_loop(loops, of_words=True).products == 8


def test_convolutions_in_tiles_take_the_cycles_of_their_own_loop() -> None:
    bytes_loop = Loop("neon", ("smull v1.8h, v2.8b, v3.8b", "b.ne 1b"))
    words_loop = Loop("neon", ("smlal v1.4s, v2.4h, v3.h[0]", "b.ne 1b"))
    board = BOARDS[0]
    kernel = Kernel((bytes_loop, 2.0), (words_loop, 3.0))
    work = Work.of_operators([(80, 0), (160, 40), (0, 0)])
    assert work == Work(240, 80, 40)
    # Ten turns of two instructions each, and ten others.
    found = estimate(50, work, kernel, board)
    assert found.cycles == pytest.approx(10 * 2.0 + 10 * 3.0 + 10 * board.other)
    with pytest.raises(ValueError, match="tiles"):
        estimate(50, work, Kernel((bytes_loop, 2.0), None), board)


def test_an_emulated_program_finds_the_boards_processor(tmp_path: Path) -> None:
    write_processor(tmp_path, "cortex-a53")
    assert "asimddp" not in (tmp_path / "proc/cpuinfo").read_text()
    write_processor(tmp_path, "cortex-a76")
    text = (tmp_path / "proc/cpuinfo").read_text()
    assert "asimddp" in text and "0xd0b" in text
    assert (tmp_path / "sys/devices/system/cpu/present").read_text() == "0\n"
