"""What the networks and whole frames cost on the boards, by counting: no board is at hand.

Counts, under qemu-aarch64 with a plugin, the instructions that one run executes, ours and three
peers' aarch64 builds from PyPI, as each board's processor; asks llvm-mca how many cycles the
convolutions' innermost loops take on its core; and estimates milliseconds from both. The counts
are exact and repeat; everything in cycles or milliseconds is an estimate.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from peers.estimates import BOARDS, KERNELS, REPOSITORY, Kernel, Work, estimate
from peers.loops import Loop, busiest_loop, cycles, inner_loops
from peers.processors import write_processor
from peers.to_ncnn import write_ncnn
from peers.to_onnx import write_onnx
from peers.to_tflite import write_tflite
from training.graph import Graph
from training.model_file import read_model

FOLDER = REPOSITORY / ".build-peers"
# OpenVINO's aarch64 build refuses quantised convolutions that share an input.
PEERS = {"LiteRT": "LiteRt", "ONNX Runtime": "OnnxRuntime", "ncnn": "Ncnn"}
# Each start of a peer under emulation takes the better part of a minute: an A72 executes what an
# A53 does, and the refiner is small.
COMPARED = ("detector", "classifier")
PEER_CORES = ("cortex-a53", "cortex-a76")
WORK = {
    "detector": "d", "refiner": "r", "classifier": "c", "frame": "f", "coin": "o", "taught": "t"
}
# Kinds that can be taught, and looks of each: its views and what those of a face have in common.
TAUGHT_KINDS, TAUGHT_LOOKS = 8, 14


class Counter:
    """Counts the instructions of programs under emulation."""

    def __init__(self, plugin: Path, library_root: Path, python_root: Path) -> None:
        self.plugin, self.library_root, self.python_root = plugin, library_root, python_root

    def ours(self, binary: Path, model: Path, core: str, letter: str) -> int:
        """Instructions of one run of our work."""
        content = model.read_bytes()

        def count(runs: int) -> int:
            told = f"{letter}{runs}".encode() + content
            return self._count(core, self.library_root, [str(binary)], told, {})

        return (count(3) - count(1)) // 2

    def work(self, binary: Path, model: Path, core: str, letter: str) -> Work:
        """What a network's operators multiply with the kernels of a core."""
        emulator = ["qemu-aarch64", "-L", str(self.library_root), "-cpu", core, str(binary)]
        told = f"{letter.upper()}0".encode() + model.read_bytes()
        listing = subprocess.run(emulator, input=told, capture_output=True, check=True).stdout
        # The first line is memory.
        pairs = [tuple(map(int, line.split())) for line in listing.splitlines()[1:]]
        return Work.of_operators(pairs)

    def peer(self, kind: str, model: Path, folder: Path, core: str, network: str) -> int:
        """Instructions of one run of a network in a peer."""
        root = self.python_root
        write_processor(root, core)
        paths = os.pathsep.join([str(FOLDER / "aarch64-python"), str(REPOSITORY / "toolchain")])
        variables = {"PYTHONPATH": paths, "PYTHONHOME": str(root / "usr"), "OMP_NUM_THREADS": "1"}

        def count(runs: int) -> int:
            command = [str(root / "usr/bin/python3.11"), "-S", "-m", "peers.emulated"]
            command += [kind, str(model), str(folder), network, str(runs)]
            return self._count(core, root, command, b"", variables)

        # More runs than ours: the interpreter's own instructions vary a little from run to run.
        return (count(7) - count(1)) // 6

    def _count(
        self, core: str, root: Path, command: list[str], told: bytes, variables: dict[str, str]
    ) -> int:
        # Variables for the emulated program alone: the emulator must not see them.
        settings = [
            part for name, value in variables.items() for part in ("-E", f"{name}={value}")
        ]
        emulator = ["qemu-aarch64", "-L", str(root), "-cpu", core, "-plugin", str(self.plugin)]
        result = subprocess.run(
            [*emulator, "-d", "plugin", *settings, *command],
            input=told,
            capture_output=True,
            check=False,
        )
        found = re.search(rb"instructions: (\d+)", result.stderr + result.stdout)
        if result.returncode != 0 or found is None:
            tail = result.stderr.decode(errors="replace")[-400:]
            raise SystemExit(f"boards: {' '.join(command[:4])} failed as {core}: {tail}")
        return int(found[1])


def comparisons(graph: Graph) -> int:
    """Multiply-accumulates of one look's comparison with all that may have been taught."""
    likeness = graph.tensors[graph.outputs["likeness"]]
    size = likeness.height * likeness.width * likeness.channels
    # Turned each way, and once each with itself for the lengths of both.
    return TAUGHT_KINDS * TAUGHT_LOOKS * (likeness.width + 2) * size


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        prog="Benchmarks/boards",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    model = REPOSITORY / "Sources/CModel/receh.model"
    add("--model", type=Path, default=model, help="the model file (default: the built-in one)")
    add("--own", action="store_true", help="leave the peers out, whose counting takes minutes")
    add("--write", action="store_true", help="write Benchmarks/BOARDS.md")
    add("--library-root", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    graphs = {graph.name: graph for graph in read_model(options.model)[0]}
    exported = FOLDER / "run"
    exported.mkdir(parents=True, exist_ok=True)
    for graph in graphs.values():
        write_onnx(graph, exported / f"{graph.name}.onnx")
        write_ncnn(graph, exported / graph.name)
        write_tflite(graph, exported / f"{graph.name}.tflite")
    plugin = FOLDER / "libcount.so"
    counter = Counter(plugin, options.library_root, FOLDER / "aarch64")
    lines = report(counter, graphs, options.model, exported, options.own)
    print("\n".join(lines))
    if options.write:
        path = REPOSITORY / "Benchmarks/BOARDS.md"
        path.write_text("\n".join(["# Cost on the boards, by counting", "", *lines]) + "\n")
    return 0


def peer_cell(
    counter: Counter, kind: str, files: tuple[Path, Path], core: str, network: str, own: int
) -> str:
    """A peer's count and how many times ours it is, or that it does not run there."""
    try:
        found = counter.peer(kind, *files, core, network)
    except SystemExit as error:
        print(f"{kind}, {network}: {str(error)[-160:]}", file=sys.stderr)
        return "does not load"
    return f"{found / 1e3:,.0f} ({found / own:.2f} ×)"


def report(
    counter: Counter, graphs: dict[str, Graph], model: Path, exported: Path, own_only: bool
) -> list[str]:
    """All tables."""
    binary = REPOSITORY / ".build-aarch64/release/engine-count"
    mca = FOLDER / "llvm/usr/bin/llvm-mca-19"
    cores = list(dict.fromkeys(board.core for board in BOARDS))
    work: dict[str, dict[str, Work]] = {}
    for core in cores:
        done = {name: counter.work(binary, model, core, WORK[name]) for name in graphs}
        done["frame"] = done["detector"]
        done["coin"] = done["refiner"] + done["refiner"] + done["classifier"]
        compared = comparisons(graphs["classifier"])
        done["taught"] = Work(compared, compared, 0)
        work[core] = done
    own = {
        core: {name: counter.ours(binary, model, core, letter) for name, letter in WORK.items()}
        for core in cores
    }
    lines = ["Written by `Benchmarks/boards --write`.", "", "## Instructions executed", ""]
    lines += [
        "Counted under qemu-aarch64, one run, thousands; loading is not in them. Products with "
        "rows of padding, which we leave out, are not counted. MMAC are the convolutions' own: "
        "those computed in tiles, by Winograd's filtering, do about a quarter of them, on words; "
        "the fourth column says how many products are done in all. `taught` is the "
        "comparison of a coin that is not named with as many taught kinds as there may be.",
        "",
        f"| processor | work | MMAC | done | Receh | {' | '.join(PEERS)} | MAC/instruction |",
        "| --- | --- | ---: | ---: | ---: |" + " ---: |" * (len(PEERS) + 1),
    ]
    for core in cores:
        for name, count in own[core].items():
            others = []
            for kind in PEERS.values():
                if own_only or name not in COMPARED or core not in PEER_CORES:
                    others.append("–")
                else:
                    others.append(peer_cell(counter, kind, (model, exported), core, name, count))
            own_work = work[core][name]
            done_products = own_work.directly + own_work.words
            lines.append(
                f"| {core} | {name} | {own_work.products / 1e6:.2f} | {done_products / 1e6:.2f} | "
                f"{count / 1e3:,.0f} | {' | '.join(others)} | {own_work.products / count:.2f} |"
            )
    lines += ["", *loop_lines(mca), "", *estimate_lines(mca, own, work)]
    return lines


def loop_lines(mca: Path) -> list[str]:
    """The innermost loops by the models of the cores."""
    lines = [
        "## Innermost loops",
        "",
        "Estimates of llvm-mca 19 for the busiest loop of each kernel. A76 stands as the model "
        "has it, and as a Neoverse N1, the same core with a model of its own. In tiles a product "
        "of words stands for four of the convolution's where four rows are computed at once, and "
        "for 3.6 where three are; the loops that transform a tile's input, eight channels at a "
        "time, and its sums, four, stand below. Dot products, where there are such, do more "
        "directly: 32 a cycle on an A76, which multiplies and adds words four a cycle, worth 16 "
        "at most.",
        "",
        "| kernel | instructions | MAC | core | cycles | MAC/cycle |",
        "| --- | ---: | ---: | --- | ---: | ---: |",
    ]
    for kernel, models in (
        ("neon", ("cortex-a53", "cortex-a72")),
        ("dotprod", ("cortex-a76", "neoverse-n1")),
        ("i8mm", ("cortex-a710", "neoverse-n2")),
    ):
        loops = inner_loops(KERNELS / f"{kernel}.c", KERNELS / "include")
        named = [(kernel, busiest_loop(loops), True)]
        if any(loop.is_of_words for loop in loops):
            named += [
                (f"{kernel}, products in tiles", busiest_loop(loops, of_words=True), True),
                # No other loops subtract bytes, or halve products without rounding, so often.
                (f"{kernel}, input of a tile", most(loops, "ssubl"), False),
                (f"{kernel}, results of a tile", most(loops, "sqdmulh"), False),
            ]
        for name, loop, multiplies in named:
            for core in models:
                taken = cycles(mca, loop, core)
                cells = f"{loop.products} | {core} | {taken:.1f} | {loop.products / taken:.2f}"
                if not multiplies:
                    cells = f"– | {core} | {taken:.1f} | –"
                lines.append(f"| {name} | {len(loop.lines)} | {cells} |")
    return lines


def most(loops: list[Loop], name: str) -> Loop:
    """The loop that has an instruction most often."""
    return max(loops, key=lambda loop: loop.count(name))


def estimate_lines(
    mca: Path, own: dict[str, dict[str, int]], work: dict[str, dict[str, Work]]
) -> list[str]:
    """Milliseconds on each board."""
    lines = [
        "## Estimated milliseconds",
        "",
        "One core at its highest clock. The frame is 640 × 480 YUYV, scaled and looked at by the "
        "detector; each coin that is looked at anew in that frame adds its own, and one that is "
        "not named, while eight kinds are taught, the comparison besides.",
        "",
        "| board | detector | frame | each coin | compared | budget | MAC/cycle, detector "
        "| ncnn published |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for board in BOARDS:
        kernel = Kernel.of(board, mca)
        found = {
            name: estimate(own[board.core][name], work[board.core][name], kernel, board)
            for name in ("detector", "frame", "coin")
        }
        # None of its instructions are in the innermost loop of a convolution.
        found["taught"] = estimate(own[board.core]["taught"], Work(0, 0, 0), kernel, board)
        detector = found["detector"]
        cells = [f"{found[name].milliseconds(board):.1f}" for name in found]
        lines.append(
            f"| {board.name}, {board.gigahertz} GHz | {' | '.join(cells)} | {board.budget:.1f} "
            f"| {detector.products / detector.cycles:.1f} | {board.published} |"
        )
    lines += [
        "",
        "How: the multiplications run in the innermost loops, direct or in tiles, at the rate of "
        "llvm-mca's model of the core; every other counted instruction takes "
        + ", ".join(f"{b.other} cycles ({b.name})" for b in BOARDS[1:])
        + ", which is assumed. Counted instructions are exact; nothing here was timed on a board.",
        "",
        "How far off: caches are taken to hold all (weights and tensors of one operator fit the "
        "512 KB second level of these boards, but not the first, an A53 stalls on what it has not "
        "prefetched, and weights transformed for tiles are up to eight times larger), so true "
        "times are longer, by our guess up to a third on the A53 and a fifth on the others; the "
        "A53's model in llvm-mca makes loads wait for longer instructions before them to be "
        "written back, which the core does not, so its loops may be up to a fifth faster. "
        "MAC/cycle counts the convolutions' products, of which tiles do a quarter. "
        "The last column is what ncnn is published to reach on the same boards "
        "(MobileNet int8, 224 × 224, one thread: 181.9, 84.8 and 14.4 ms), measured there with "
        "all of this in it.",
    ]
    return lines


if __name__ == "__main__":
    sys.exit(main())
