"""Counts the evaluation photographs and prints how right the counts are.

For every source and overall: coins found, missed and invented; rupiah valued right, wrong and
unsure; other coins named; photographs whose total is exact, and those with a wrong total and no
coin marked unsure; intervals, a confusion table, the reliability of the confidences, and the same
figures for OpenCV's HoughCircles with a rule of diameter and colour. An annotated picture of every
fault goes to the output folder, which git ignores.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from accuracy.counters import count_with_command, hough_counts
from accuracy.drawing import draw_faults, draw_reliability
from accuracy.held_out import print_held_out
from accuracy.report import (
    TARGETS,
    missed_targets,
    named_confidences,
    print_confusion,
    print_counters,
    print_reliability,
    print_shares,
    print_sources,
)
from accuracy.score import PictureScore, score
from accuracy.truth import read_truth
from training.folders import REPOSITORY, default_cache, default_data
from training.labels import DataError


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        prog="Benchmarks/accuracy",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=default_data(), help="the data folder (RECEH_DATA)")
    command = REPOSITORY / ".build/release/receh"
    add("--receh", type=Path, default=command, help="the command to measure")
    add("--model", type=Path, help="measure this model file instead of the built-in one")
    add("--sources", help="only these sources, a comma between them, such as scenes,singles")
    peer = "another counter that prints the same JSON, such as the float networks; repeatable"
    add("--peer", action="append", default=[], metavar="NAME=COMMAND", help=peer)
    out = REPOSITORY / ".build/accuracy"
    add("--out", type=Path, default=out, help="folder for annotated pictures")
    own = "also count with the float networks of this training cache, and with int8 simulated"
    add("--own", type=Path, metavar="CACHE", help=own)
    add("--no-baseline", action="store_true", help="leave HoughCircles out")
    add("--held-out", action="store_true", help="report leave-one-source-out results of training")
    add("--cache", type=Path, default=default_cache(), help="training cache with held-out*.npz")
    add("--threshold", type=float, default=0.9, help="confidence to name a coin, --held-out only")
    divisor = "divisor of the logits, --held-out only (default: the best)"
    add("--temperature", type=float, help=divisor)
    add("--check", action="store_true", help=f"exit with 1 unless: {TARGETS}".replace("%", "%%"))
    options = parser.parse_args()
    try:
        if options.held_out:
            return report_held_out(options)
        return report_photographs(options)
    except DataError as error:
        print(f"accuracy: {error}", file=sys.stderr)
        return 1


def report_held_out(options: argparse.Namespace) -> int:
    """Prints the leave-one-source-out tables."""
    files = sorted(options.cache.glob("held-out*.npz"))
    if not files:
        raise DataError(
            f"no held-out*.npz in {options.cache}; run training.train_classifier --hold-out SOURCE"
        )
    bins = print_held_out(files, options.threshold, options.temperature)
    draw_reliability(bins, options.out / "reliability-held-out.png")
    return 0


def report_photographs(options: argparse.Namespace) -> int:
    """Counts the photographs and prints every table."""
    if not (options.data / "eval.txt").exists():
        raise DataError(f"{options.data} has no eval.txt; name the data folder with --data")
    truth = read_truth(options.data)
    if options.sources:
        wanted = set(options.sources.split(","))
        unknown = wanted - {picture.source for picture in truth}
        if unknown:
            raise DataError(f"--sources: no evaluation photographs of {', '.join(sorted(unknown))}")
        truth = [picture for picture in truth if picture.source in wanted]
    names = [picture.name for picture in truth]
    command = [str(options.receh), "count", "--json"]
    if options.model:
        command += ["--model", str(options.model)]
    ours = score(truth, count_with_command(command, options.data, names))
    answers: dict[str, list[PictureScore]] = {"receh": ours}
    for peer in options.peer:
        name, _, line = peer.partition("=")
        answers[name] = score(truth, count_with_command(shlex.split(line), options.data, names))
    if options.own:
        peer = [sys.executable, "-m", "accuracy.float_counter", "--cache", str(options.own)]
        for name, line in (("own in float", peer), ("own, int8 simulated", [*peer, "--int8"])):
            answers[name] = score(truth, count_with_command(line, options.data, names))
    if not options.no_baseline:
        answers["HoughCircles + rules"] = score(truth, hough_counts(options.data, names))
    print_sources(ours)
    print()
    print_shares(ours)
    print()
    print("Coins by value (w: withdrawn)")
    print_confusion(ours)
    print()
    print("Reliability of the confidences of named coins")
    bins = print_reliability(*named_confidences(ours))
    print()
    print("All counters on the same photographs")
    print_counters(answers)
    print()
    written = draw_faults(options.data, ours, options.out / "faults")
    draw_reliability(bins, options.out / "reliability.png")
    print(f"{len(written)} annotated photographs with a fault in {options.out / 'faults'}")
    missed = missed_targets(ours)
    for target in missed:
        print(f"not reached: {target}")
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
