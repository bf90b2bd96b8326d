"""Tests of the model file's writer, its checks, and the integer reference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from training.engine_fixture import dense, depthwise, main, plane_graph, ring_graph
from training.graph_checks import check_graph
from training.integer_reference import requantise, run_graph
from training.model_file import (
    Add,
    Conv2D,
    Graph,
    Label,
    ModelError,
    Padding,
    Tensor,
    add_multipliers,
    model_bytes,
    quantise_multiplier,
    read_model,
    write_model,
)

FIXTURES = Path(__file__).resolve().parents[3] / "Tests/EngineTests/Fixtures"


def two_graphs() -> list[Graph]:
    generator = np.random.default_rng(3)
    return [plane_graph(generator), ring_graph(generator)]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    labels = [Label("50-1999-oriole", 50, False, "coin", 20.0, "aluminium")]
    path = tmp_path / "model"
    write_model(path, two_graphs(), labels, {"detector.threshold": 0.5})
    graphs, read_labels, parameters = read_model(path)
    assert read_labels == labels
    assert parameters == {"detector.threshold": 0.5}
    assert model_bytes(graphs, read_labels, parameters) == path.read_bytes()


def test_a_changed_byte_is_seen(tmp_path: Path) -> None:
    content = bytearray(model_bytes(two_graphs(), [], {}))
    content[1000] ^= 1
    path = tmp_path / "model"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="damaged"):
        read_model(path)


def test_the_committed_fixture_is_what_the_generator_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["engine_fixture", "--output", str(tmp_path)])
    main()
    for name in ("small.model", "small.expected"):
        assert (tmp_path / name).read_bytes() == (FIXTURES / name).read_bytes()


@pytest.mark.parametrize("factor", [1e-9, 0.0003, 0.25, 0.5, 0.7, 0.9999999999])
def test_a_multiplier_is_within_one_part_in_a_billion(factor: float) -> None:
    multiplier, shift = quantise_multiplier(factor)
    assert 1 << 30 <= multiplier < 1 << 31
    assert 0 <= shift <= 30
    assert multiplier / 2.0 ** (31 + shift) == pytest.approx(factor, rel=1e-9)


@pytest.mark.parametrize("factor", [0.0, -0.5, 1.0, 3.0, 1e-12])
def test_a_factor_out_of_range_is_refused(factor: float) -> None:
    with pytest.raises(ModelError):
        quantise_multiplier(factor)


def test_requantisation_rounds_halves_up() -> None:
    values = np.array([3, -3, 3, -3])
    shifts = np.array([0, 0, 2, 2])
    assert requantise(values, np.int64(1 << 30), shifts).tolist() == [2, -1, 1, 0]


def scaled(total: int, operator: Conv2D, channel: int) -> int:
    high = (total * int(operator.multiplier[channel]) + (1 << 30)) >> 31
    shift = int(operator.shift[channel])
    return (high + (1 << (shift - 1) if shift else 0)) >> shift


@pytest.mark.parametrize("circular", [False, True])
@pytest.mark.parametrize("stride", [(1, 1), (2, 3)])
@pytest.mark.parametrize("kind", [dense, depthwise])
def test_a_convolution_is_what_plain_loops_compute(
    kind: object, stride: tuple[int, int], circular: bool
) -> None:
    generator = np.random.default_rng(4)
    padding = Padding(1, 0, 1, 1, circular)
    is_dense = kind is dense
    channels = 3 if is_dense else 2
    shape = (3, 3, 3, 2) if is_dense else (3, 3, 2)
    height, width = (4 + 1 - 3) // stride[0] + 1, (5 + 2 - 3) // stride[1] + 1
    tensors = [Tensor(4, 5, 2, 0.1, 7), Tensor(height, width, channels, 0.1, -9)]
    operator = (dense if is_dense else depthwise)(generator, 0, 1, shape, stride, padding)
    graph = Graph("g", tensors, [operator], {"in": 0}, {"out": 1})
    check_graph(graph)
    picture = generator.integers(-128, 128, (4, 5, 2)).astype(np.int8)
    found = run_graph(graph, {"in": picture})["out"]
    for y, x, channel in np.ndindex(height, width, channels):
        total = int(operator.bias[channel])
        for ky, kx, depth in np.ndindex(3, 3, 2):
            if not is_dense and depth != channel:
                continue
            row, column = y * stride[0] + ky - 1, x * stride[1] + kx - 1
            if circular:
                column %= 5
            if 0 <= row < 4 and 0 <= column < 5:
                place = (channel, ky, kx, depth) if is_dense else (ky, kx, channel)
                total += (int(picture[row, column, depth]) - 7) * int(operator.weights[place])
        expected = min(max(scaled(total, operator, channel) - 9, -128), 127)
        assert found[y, x, channel] == expected


def test_a_sum_is_within_one_step_of_the_real_sum() -> None:
    tensors = [Tensor(9, 9, 4, 0.03, 5), Tensor(9, 9, 4, 0.11, -40), Tensor(9, 9, 4, 0.16, 2)]
    operator = Add(0, 1, 2, *add_multipliers(*tensors))
    graph = Graph("g", tensors, [operator], {"a": 0, "b": 1}, {"out": 2})
    generator = np.random.default_rng(5)
    first, second = generator.integers(-128, 128, (2, 9, 9, 4)).astype(np.int8)
    found = run_graph(graph, {"a": first, "b": second})["out"].astype(float)
    real = (first - 5.0) * 0.03 + (second + 40.0) * 0.11
    assert np.abs(found - np.clip(np.round(real / 0.16) + 2, -128, 127)).max() <= 1


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"bias": np.full(24, 1 << 30, np.int32)}, "overflow"),
        ({"weights": np.full((24, 3, 3, 16), -128, np.int8)}, "-127"),
        ({"padding": Padding()}, "its output tensor is"),
        ({"padding": Padding(3, 1, 1, 1)}, "smaller than the kernel"),
        ({"input": 4}, "not written before"),
        ({"output": 2}, "written before"),
        ({"shift": np.full(24, 31, np.uint8)}, "shifts"),
        ({"minimum": 5, "maximum": 4}, "ordered"),
    ],
)
def test_a_graph_the_engine_would_refuse_is_refused_by_name(
    change: dict[str, object], problem: str
) -> None:
    graph = two_graphs()[0]
    graph.operators[3] = replace(graph.operators[3], **change)
    with pytest.raises(ModelError, match=rf"plane, operator 3 \(Conv2D\).*{problem}"):
        check_graph(graph)
