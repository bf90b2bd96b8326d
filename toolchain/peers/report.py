"""The tables, in Markdown, and what of the goals is missed."""

from __future__ import annotations

import platform
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from peers.measure import Core, Difference, Layer, Timing, bulk, share_of_peak
from peers.players import OURS

FASTER = 1.5
PEAK_SHARE = 0.6
# Rows in which the fastest peer must take this many times as long; in others it may not be faster.
GOALS = {"detector": FASTER, "classifier": FASTER, "refiner": 1.0, "whole frame": FASTER}


@dataclass
class Results:
    """Everything measured in one run."""

    versions: dict[str, str]
    timings: dict[str, dict[str, Timing]]
    differences: dict[str, dict[str, Difference]]
    layers: dict[str, list[Layer]]
    core: Core
    rounds: int
    # Seconds of what a whole frame does besides the networks, and how often it does.
    parts: dict[str, float] = field(default_factory=dict)


# What a frame with one coin does besides the networks, and how often.
FRAME_PARTS = {"scaling": 1, "cutting": 3, "halving": 2, "unrolling": 1}


def machine_lines(results: Results) -> list[str]:
    """Machine, compiler and versions."""
    names = [
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False)
    engines = ", ".join(f"{name} {version}" for name, version in results.versions.items())
    return [
        f"Processor: {names[0] if names else platform.processor()} "
        f"({results.versions[OURS]} kernels), one core, one thread.",
        f"System: {platform.system()} {platform.release()}; Python {platform.python_version()}; "
        f"{swift.stdout.splitlines()[0] if swift.stdout else 'no swift'}.",
        f"Engines: {engines}.",
        f"Times are processor time, engines asked in turns, {results.rounds} rounds: medians, "
        "in brackets the middle half of all runs.",
    ]


def fastest_peer(row: dict[str, Timing]) -> tuple[str, float]:
    """The fastest peer and how many times as long as ours it takes."""
    ours = row[OURS]
    ratios = {name: timing.ratio(ours) for name, timing in row.items() if name != OURS}
    name = min(ratios, key=lambda name: ratios[name])
    return name, ratios[name]


def times_table(results: Results) -> list[str]:
    """Milliseconds of each engine and the ratio to the fastest peer."""
    names = list(results.versions)
    lines = [
        "| ms | " + " | ".join(names) + " | fastest peer takes |",
        "| --- |" + " ---: |" * (len(names) + 1),
    ]
    for work, row in results.timings.items():
        cells = []
        for name in names:
            first, third = row[name].quartiles
            cells.append(f"{_ms(row[name].median)} ({_ms(first)}–{_ms(third)})")
        lines.append(f"| {work} | {' | '.join(cells)} | {fastest_peer(row)[1]:.2f} × ours |")
    return lines


def _ms(nanoseconds: float) -> str:
    """Milliseconds with three figures."""
    value = nanoseconds * 1e-6
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def short_table(results: Results) -> list[str]:
    """The table for the README: medians alone."""
    names = list(results.versions)
    lines = [
        "| ms | " + " | ".join(f"**{n}**" if n == OURS else n for n in names) + " | ratio |",
        "| --- |" + " ---: |" * (len(names) + 1),
    ]
    for work, row in results.timings.items():
        cells = [_ms(row[name].median) for name in names]
        cells[0] = f"**{cells[0]}**"
        lines.append(f"| {work} | {' | '.join(cells)} | {fastest_peer(row)[1]:.2f} |")
    return lines


def differences_table(results: Results) -> list[str]:
    """How far outputs are from ours."""
    engines = [name for name in results.versions if name != OURS]
    lines = [
        "| steps from ours, largest (mean) | " + " | ".join(engines) + " |",
        "| --- |" + " ---: |" * len(engines),
    ]
    for network, row in results.differences.items():
        cells = [f"{row[name].largest:.1f} ({row[name].mean:.2f})" for name in engines]
        lines.append(f"| {network} | {' | '.join(cells)} |")
    return lines


def layers_table(layers: list[Layer], core: Core) -> list[str]:
    """Every operator of a network: work, time, share of peak, and which limit binds."""
    lines = [
        "| operator | MMAC | KB | µs | % of peak | binds |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for layer in layers:
        compute, memory = core.bounds(layer)
        share = f"{100 * compute / layer.seconds:.0f}" if layer.seconds > 0 else ""
        lines.append(
            f"| {layer.text} | {layer.products / 1e6:.2f} | {layer.bytes / 1e3:.1f} "
            f"| {layer.seconds * 1e6:.1f} | {share} "
            f"| {'compute' if compute >= memory else 'memory'} |"
        )
    return lines


def work_lines(results: Results) -> list[str]:
    """The shares of peak of the convolutions that hold most of the work."""
    core = results.core
    lines = [
        f"Peak of this core, multiplying in registers alone: {core.products / 1e9:.0f} GMAC/s; "
        f"reading from the second-level cache: {core.reading / 1e9:.0f} GB/s."
    ]
    if results.parts:
        lines.append(
            "Of the whole frame, besides the networks: "
            + ", ".join(
                f"{name} {1e6 * seconds:.1f} µs"
                + (f" ({FRAME_PARTS[name]} times)" if FRAME_PARTS[name] > 1 else "")
                for name, seconds in results.parts.items()
            )
            + "."
        )
    for network, layers in results.layers.items():
        chosen = bulk(layers)
        share = share_of_peak(chosen, core)
        lines.append(
            f"{network}: the {len(chosen)} rows below that hold 80 % of its work reach "
            f"{100 * share:.0f} % of the peak."
        )
    lines.append(
        "Rows of padding are not multiplied, and not counted here. MMAC are the convolutions' own; "
        "those in tiles do about a quarter of them, on words, each of which counts as two products "
        "of bytes for the share of the peak."
    )
    return lines


def missed_goals(results: Results) -> list[str]:
    """What falls short, one line each."""
    missed = []
    for work, row in results.timings.items():
        name, ratio = fastest_peer(row)
        if ratio < GOALS[work]:
            missed.append(
                f"{work}: {name} takes {ratio:.2f} times as long as ours; the goal is {GOALS[work]}"
            )
    for network in ("detector", "classifier"):
        share = share_of_peak(bulk(results.layers[network]), results.core)
        if share < PEAK_SHARE:
            missed.append(
                f"{network}: {100 * share:.0f} % of peak in the convolutions that hold 80 % of "
                f"the work; the goal is {100 * PEAK_SHARE:.0f} %"
            )
    return missed


def full_report(results: Results) -> list[str]:
    """The whole report."""
    lines = ["# Speed beside other engines", "", "Written by `Benchmarks/peers --write`.", ""]
    lines += machine_lines(results) + [""] + times_table(results) + [""]
    lines += ["Goals missed: " + (", ".join(missed_goals(results)) or "none") + ".", ""]
    lines += differences_table(results) + [""] + work_lines(results) + [""]
    for network, layers in results.layers.items():
        lines += [f"## {network}", "", *layers_table(layers, results.core), ""]
    return lines
