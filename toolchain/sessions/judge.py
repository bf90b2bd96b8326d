"""Holds what was said against what was so."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from renderer.session import RATE, Moment
from sessions.play import Played

HAND = 0.0005
"""The share of the picture from which on a hand is in view: 150 pixels."""

_TELLING = ("total", "coin-added", "coin-removed")


@dataclass(frozen=True)
class Fault:
    """Something that should not have been said, or was not."""

    kind: str
    """wrong, double, repeated, in hand, unsure, silent or final."""
    frame: int
    text: str


@dataclass
class Verdict:
    """How one session was told."""

    seed: int
    steps: list[str]
    is_exact: bool = False
    """Whether the last total said is what lies there, every coin named."""
    announcements: int = 0
    delays: list[float] = field(default_factory=list)
    """Seconds from rest to the right total, one for each change that was told."""
    renamed: int = 0
    """Coins said to have been put down that had been said before."""
    light_holds: int = 0
    """Holds while only the light changed."""
    faults: list[Fault] = field(default_factory=list)

    def count(self, kind: str) -> int:
        """How many faults of a kind there are."""
        return sum(fault.kind == kind for fault in self.faults)


@dataclass(frozen=True)
class State:
    """The same coins on the tray from one frame to another."""

    first: int
    end: int
    rest: int | None
    """The first frame from which nothing moves and nothing is in the way until the end or for
    more than half a second; none if there is no such frame."""
    total: int
    coins: int


def states(moments: list[Moment]) -> list[State]:
    """The session as a row of states."""
    result = []
    first = 0
    for frame in range(1, len(moments) + 1):
        if frame < len(moments) and _money(moments[frame]) == _money(moments[first]):
            continue
        total, coins = _money(moments[first])
        result.append(State(first, frame, _rest(moments, first, frame), total, coins))
        first = frame
    return result


def _money(moment: Moment) -> tuple[int, int]:
    return moment.total, len(moment.coins)


def _rest(moments: list[Moment], first: int, end: int) -> int | None:
    for frame in range(first, end):
        following = moments[frame : min(end, frame + RATE // 2 + 1)]
        if len(following) > RATE // 2 and all(moment.is_at_rest for moment in following):
            return frame
    return None


def judge(played: Played) -> Verdict:
    """Holds one session against the truth."""
    moments = played.moments
    verdict = Verdict(played.seed, played.steps)
    telling = [event for event in played.events if event["event"] in _TELLING]
    totals = [event for event in telling if event["event"] == "total"]
    verdict.announcements = len(totals)
    for event in telling:
        moment = moments[min(event["frame"], len(moments) - 1)]
        if moment.hand > HAND:
            said = f"{event['event']} with {moment.hand:.1%} of the picture a hand ({moment.step})"
            verdict.faults.append(Fault("in hand", event["frame"], said))
    _judge_states(moments, totals, verdict)
    last = totals[-1] if totals else None
    truth = moments[-1]
    verdict.is_exact = last is not None and _is_right(last, truth)
    if not verdict.is_exact:
        told = _told(last) if last is not None else "nothing"
        is_so = f"{truth.total} in {len(truth.coins)} coins"
        verdict.faults.append(
            Fault("final", len(moments) - 1, f"ends with {told}; there are {is_so}")
        )
    added = sum(event["event"] == "coin-added" for event in telling)
    verdict.renamed = max(0, added - _put_down(moments))
    verdict.light_holds = sum(
        event["event"] == "hold" and moments[event["frame"]].step in ("lamp", "expose", "shadow")
        for event in played.events
    )
    return verdict


def _judge_states(
    moments: list[Moment], totals: list[dict[str, Any]], verdict: Verdict
) -> None:
    """Judges every announcement, and every change that should have been announced."""
    previous: tuple[int, int] | None = None
    for state in states(moments):
        said = [event for event in totals if state.first <= event["frame"] < state.end]
        is_told = previous == (state.total, state.coins)
        for event in said:
            truth = moments[event["frame"]]
            where = event["frame"]
            if event["coins"] > len(truth.coins) or event["total"] > truth.total:
                verdict.faults.append(Fault("double", where, _compared(event, truth)))
            elif not _is_right(event, truth):
                kind = "unsure" if event["unsure"] > 0 else "wrong"
                verdict.faults.append(Fault(kind, where, _compared(event, truth)))
            elif is_told:
                verdict.faults.append(Fault("repeated", where, _compared(event, truth)))
            else:
                is_told = True
                if state.rest is not None:
                    delay = max(0, where - state.rest) / RATE
                    verdict.delays.append(delay)
            previous = (event["total"], event["coins"]) if event["unsure"] == 0 else None
        if not is_told and state.rest is not None and state.end - state.rest > RATE:
            verdict.faults.append(
                Fault("silent", state.rest, f"{state.total} in {state.coins} coins never said")
            )


def _is_right(event: dict[str, Any], truth: Moment) -> bool:
    return (
        event["total"] == truth.total and event["unsure"] == 0
        and event["coins"] == len(truth.coins)
    )


def _told(event: dict[str, Any]) -> str:
    unsure = f", {event['unsure']} of them unsure" if event["unsure"] else ""
    return f"{event['total']} in {event['coins']} coins{unsure}"


def _compared(event: dict[str, Any], truth: Moment) -> str:
    return f"said {_told(event)}; there are {truth.total} in {len(truth.coins)} ({truth.step})"


def _put_down(moments: list[Moment]) -> int:
    """How many coins came onto the tray, those there from the start among them."""
    count = len(moments[0].coins)
    for before, after in pairwise(moments):
        count += max(0, len(after.coins) - len(before.coins))
    return count
