"""Times our networks beside other engines that run the same networks with the same weights.

Exports every network of the model to ONNX (QDQ), TFLite and ncnn int8, compares outputs, and
times LiteRT (XNNPACK), ncnn, ONNX Runtime, OpenVINO and TFLite Micro in turns with ours, one
thread each on one core: each network alone, and whole camera frames, which the peers convert,
scale and cut with OpenCV. Then our operators one by one against the core's measured peak.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

from peers.engines import ENGINES
from peers.measure import Core, compare, measure_layers, time_in_turns
from peers.players import OURS, Player, PlayerError, start
from peers.report import (
    FRAME_PARTS,
    Results,
    differences_table,
    full_report,
    layers_table,
    machine_lines,
    missed_goals,
    short_table,
    times_table,
    work_lines,
)
from peers.to_ncnn import write_ncnn
from peers.to_onnx import write_onnx
from peers.to_tflite import write_tflite
from training.graph import Graph
from training.model_file import read_model

REPOSITORY = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- peers:begin -->", "<!-- peers:end -->"
# Half of what the second-level cache of small cores holds: tensors of one operator.
READ_BYTES = 256 << 10


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        prog="Benchmarks/peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    model = REPOSITORY / "Sources/CModel/receh.model"
    add("--model", type=Path, default=model, help="the model file (default: the built-in one)")
    add("--quick", action="store_true", help="fewer runs: under a minute in all")
    add("--check", action="store_true", help="exit with 1 and say which goal falls short")
    add("--write", action="store_true", help="write Benchmarks/PEERS.md and the README's table")
    options = parser.parse_args()
    folder = REPOSITORY / ".build-peers/run"
    folder.mkdir(parents=True, exist_ok=True)
    graphs = read_model(options.model)[0]
    for graph in graphs:
        write_onnx(graph, folder / f"{graph.name}.onnx")
        write_tflite(graph, folder / f"{graph.name}.tflite")
        write_ncnn(graph, folder / graph.name)
    binary = REPOSITORY / ".build/release/engine-benchmark"
    try:
        players = start(list(ENGINES), binary, options.model, folder, folder)
        try:
            results = measure(players, graphs, folder, options.quick)
        finally:
            for player in players.values():
                player.close()
    except (PlayerError, subprocess.TimeoutExpired) as error:
        print(f"peers: {error}", file=sys.stderr)
        return 1
    show(results)
    if options.write:
        report = "\n".join(full_report(results))
        (REPOSITORY / "Benchmarks/PEERS.md").write_text(report.rstrip() + "\n")
        write_readme(results)
    missed = missed_goals(results)
    for goal in missed:
        print(f"not reached: {goal}")
    return 1 if options.check and missed else 0


def measure(
    players: dict[str, Player], graphs: list[Graph], folder: Path, is_quick: bool
) -> Results:
    """Everything there is to measure."""
    seconds, rounds = (0.25, 5) if is_quick else (3.0, 15)
    picture = REPOSITORY / "toolchain/renderer/tray.jpg"
    ours = players[OURS]
    pieces = 2 if is_quick else 12
    differences = {g.name: compare(players, g, picture, folder, pieces) for g in graphs}
    timings = {
        graph.name: time_in_turns(players, f"time {graph.name}", seconds, rounds)
        for graph in graphs
    }
    timings["whole frame"] = time_in_turns(players, "frame", seconds, rounds)
    runs = 101 if is_quick else 1001
    layers = {graph.name: measure_layers(ours, graph.name, runs) for graph in graphs}
    core = Core(ours.numbers("peak")[0], ours.numbers(f"read {READ_BYTES}")[0])
    versions = {name: player.greeting for name, player in players.items()}
    parts = {
        name: statistics.median(ours.numbers(f"part {name} {runs}")) * 1e-9 for name in FRAME_PARTS
    }
    return Results(versions, timings, differences, layers, core, rounds, parts)


def show(results: Results) -> None:
    """Prints all tables."""
    print("\n".join(machine_lines(results)))
    print("\n" + "\n".join(times_table(results)))
    print("\n" + "\n".join(differences_table(results)))
    print("\n" + "\n".join(work_lines(results)))
    for network, layers in results.layers.items():
        print(f"\n{network}\n" + "\n".join(layers_table(layers, results.core)))


def write_readme(results: Results) -> None:
    """Puts the short table where the README has room for it."""
    path = REPOSITORY / "README.md"
    text = path.read_text()
    if BEGIN not in text or END not in text:
        raise SystemExit(f"peers: {path} has no lines {BEGIN} and {END}")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    body = "\n".join([*short_table(results), "", *machine_lines(results), *work_lines(results)[:2]])
    path.write_text(f"{before}{BEGIN}\n{body}\n{END}{after}")


if __name__ == "__main__":
    sys.exit(main())
