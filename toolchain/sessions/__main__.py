"""Plays scripted sessions to receh and reports how it counted over time.

A session is seven to twelve seconds of film at 10 frames a second, 640 x 480: coins are put down,
taken away, pushed, poured and covered by hands and things, lamps go on and off, the exposure steps,
shadows pass, the camera is knocked and shaken, in an order drawn from the session's seed. The
renderer knows what is so in every frame.

This measures counting over time, and so the usual cast is easy to tell apart: coins of current
legal tender, at most a third worn, with the side up that tells their value, on wood, stone or a
plain tray, in light that does not burn them out. --hard lays any side of coins more than half worn,
on patterned cloth and newsprint too, and lets the camera expose for the ground, so that coins which
cannot be told apart count as well: how well they are is what Benchmarks/accuracy measures.

  exact      the last total said is what lies there at the end, every coin named
  wrong      a total that was not so, with no coin marked unsure
  double     more coins or more money than there were, whatever the cause
  repeated   the right total said again although nothing had changed
  in hand    a total or a coin told while a hand is in view
  unsure     a total that was told with a coin marked unsure
  silent     a change never told although nothing moved for more than a second
  delay      from the first frame at rest to the right total
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from renderer.session import HARD
from sessions.judge import Verdict
from sessions.measure import measure
from sessions.play import PlayError

REPOSITORY = Path(__file__).resolve().parents[2]
TARGETS = "99 % exact, no double count, nothing told in hand, median delay at most 0.5 s"
KINDS = ("wrong", "double", "repeated", "in hand", "unsure", "silent")


def _numbers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: give numbers, such as 3,17") from None


def report(verdicts: list[Verdict]) -> None:
    """Prints what was measured, and every fault."""
    delays = np.array([delay for verdict in verdicts for delay in verdict.delays])
    exact = sum(verdict.is_exact for verdict in verdicts)
    print(f"{len(verdicts)} sessions, {sum(v.announcements for v in verdicts)} totals said")
    print(f"  exact at the end   {exact} ({exact / len(verdicts):.1%})")
    for kind in KINDS:
        faults = sum(verdict.count(kind) for verdict in verdicts)
        sessions = sum(verdict.count(kind) > 0 for verdict in verdicts)
        print(f"  {kind:18} {faults} in {sessions} sessions")
    if len(delays):
        low, middle, high = np.quantile(delays, [0.05, 0.5, 0.95])
        print(f"  delay              median {middle:.2f} s, 5 % {low:.2f} s, 95 % {high:.2f} s,"
              f" of {len(delays)}")
    print(f"  coins named anew   {sum(v.renamed for v in verdicts)}")
    print(f"  holds for light    {sum(v.light_holds for v in verdicts)}")
    by_step: Counter[str] = Counter()
    with_step: Counter[str] = Counter()
    for verdict in verdicts:
        for step in set(verdict.steps):
            with_step[step] += 1
            by_step[step] += not verdict.is_exact
    listed = ", ".join(f"{step} {by_step[step]} of {with_step[step]}" for step in sorted(with_step))
    print(f"  not exact, by step {listed}")
    for verdict in verdicts:
        if verdict.faults:
            print(f"seed {verdict.seed} ({', '.join(verdict.steps)})")
            for fault in verdict.faults:
                print(f"  frame {fault.frame}: {fault.kind}: {fault.text}")


def missed(verdicts: list[Verdict]) -> list[str]:
    """The targets not reached."""
    result = []
    exact = sum(verdict.is_exact for verdict in verdicts)
    if exact < 0.99 * len(verdicts):
        result.append(f"exact in {exact} of {len(verdicts)} sessions; at least 99 % are wanted")
    for kind in ("double", "in hand"):
        faults = sum(verdict.count(kind) for verdict in verdicts)
        if faults:
            result.append(f"{kind}: {faults}; none are allowed")
    delays = [delay for verdict in verdicts for delay in verdict.delays]
    if not delays or float(np.median(delays)) > 0.5:
        result.append("the median delay is more than 0.5 s")
    return result


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="Benchmarks/sessions", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--sessions", type=int, default=500, help="how many (default 500)")
    add("--first", type=int, default=0, help="seed of the first (default 0)")
    add("--seeds", type=_numbers, help="only these, a comma between them")
    add("--quick", action="store_true", help="8 sessions")
    add("--hard", action="store_true", help="any side of worn coins, on any ground, in any light")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="sessions played side by side")
    command = REPOSITORY / ".build/release/receh"
    add("--receh", type=Path, default=command, help="the command to measure")
    add("--model", type=Path, help="count with this model file instead of the built-in one")
    add("--films", type=Path, help="keep films in this folder, 35 MB each, and use them again")
    text = f"exit with 1 unless: {TARGETS}".replace("%", "%%")
    add("--check", action="store_true", help=text)
    options = parser.parse_args(arguments)
    if not options.receh.exists():
        print(f"sessions: {options.receh} is missing; build it with 'swift build -c release'"
              " or name it with --receh", file=sys.stderr)
        return 1
    count = 8 if options.quick else options.sessions
    seeds = options.seeds or list(range(options.first, options.first + count))
    line = [str(options.receh), "run", "--json", "--no-voice"]
    if options.model is not None:
        line += ["--model", str(options.model)]
    if options.films is not None:
        options.films.mkdir(parents=True, exist_ok=True)
    cast = HARD if options.hard else None
    work = partial(measure, command=line, films=options.films, cast=cast)
    verdicts = []
    try:
        # Spawned, not forked: a fork of a process in which OpenCV has threads can wait for ever for
        # a lock that one of them held.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(max(1, options.jobs), mp_context=context) as pool:
            for verdict in pool.map(work, seeds):
                verdicts.append(verdict)
                print(f"\r{len(verdicts)} of {len(seeds)}", end="", file=sys.stderr, flush=True)
    except PlayError as error:
        print(f"\nsessions: {error}", file=sys.stderr)
        return 1
    print(file=sys.stderr)
    report(verdicts)
    failures = missed(verdicts)
    for failure in failures:
        print(f"not reached: {failure}")
    return 1 if options.check and failures else 0


if __name__ == "__main__":
    sys.exit(main())
