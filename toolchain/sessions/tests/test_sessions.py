"""Sessions are judged rightly, and played the same way twice."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from renderer.scene import Truth
from renderer.session import STEPS, Moment, Player, session
from sessions.__main__ import REPOSITORY, main, missed, report
from sessions.judge import judge
from sessions.play import HEIGHT, WIDTH, Played, PlayError, play


def coins(*values: int) -> tuple[Truth, ...]:
    return tuple(
        Truth(value, False, f"{value}-2016-number", 100.0 * i, 100.0, 70.0)
        for i, value in enumerate(values)
    )


def moments(*parts: tuple[int, tuple[int, ...], str, float]) -> list[Moment]:
    """Parts of so many frames, with these values, in a step, with that much of a hand."""
    return [
        Moment(step, coins(*values), step == "rest", hand, False)
        for count, values, step, hand in parts
        for _ in range(count)
    ]


def total(frame: int, amount: int, count: int, unsure: int = 0) -> dict[str, Any]:
    return {"event": "total", "total": amount, "coins": count, "unsure": unsure, "frame": frame,
            "ms": 100 * frame}


def kinds(played: Played) -> list[str]:
    return [fault.kind for fault in judge(played).faults]


PUT = moments((12, (500,), "rest", 0), (6, (500,), "put", 0.1), (14, (500, 200), "rest", 0))


def test_a_session_told_rightly_has_no_fault() -> None:
    verdict = judge(Played(1, PUT, [total(3, 500, 1), total(22, 700, 2)]))
    assert verdict.is_exact
    assert verdict.faults == []
    assert verdict.delays == pytest.approx([0.3, 0.4])
    assert verdict.steps == ["put"]


def test_a_total_that_is_not_so_is_wrong() -> None:
    assert kinds(Played(1, PUT, [total(3, 200, 1), total(4, 500, 1), total(22, 700, 2)])) == [
        "wrong"
    ]


def test_more_than_there_is_is_counted_double() -> None:
    assert kinds(Played(1, PUT, [total(3, 1000, 2), total(5, 500, 1), total(22, 700, 2)])) == [
        "double"
    ]


def test_the_right_total_again_is_repeated() -> None:
    again = [total(3, 500, 1), total(7, 500, 1), total(22, 700, 2)]
    assert kinds(Played(1, PUT, again)) == ["repeated"]


def test_anything_told_with_a_hand_in_view_is_a_fault() -> None:
    events = [total(3, 500, 1), {"event": "coin-added", "frame": 14, "ms": 1400},
              {"event": "hold", "frame": 13, "ms": 1300}, total(22, 700, 2)]
    assert kinds(Played(1, PUT, events)) == ["in hand"]


def test_a_change_never_told_is_silent_and_not_exact() -> None:
    assert kinds(Played(1, PUT, [total(3, 500, 1)])) == ["silent", "final"]


def test_a_coin_marked_unsure_is_not_exact() -> None:
    assert kinds(Played(1, PUT, [total(3, 500, 1), total(22, 500, 2, 1)])) == [
        "unsure", "silent", "final"
    ]


def test_the_targets_are_missed_by_each_kind_of_fault(capsys: pytest.CaptureFixture[str]) -> None:
    good = judge(Played(1, PUT, [total(3, 500, 1), total(22, 700, 2)]))
    assert missed([good]) == []
    late = judge(Played(2, PUT, [total(11, 500, 1), total(31, 700, 2)]))
    double = judge(Played(3, PUT, [total(3, 1500, 2), total(22, 700, 2)]))
    silent = judge(Played(4, PUT, [total(3, 500, 1)]))
    for bad in (late, double, silent):
        assert len(missed([bad])) >= 1
    report([good, silent])
    printed = capsys.readouterr().out
    assert "exact at the end   1 (50.0%)" in printed
    assert "seed 4 (put)" in printed


def test_the_same_seed_plays_the_same_session() -> None:
    first, second = (list(session(3, steps=["put"])) for _ in range(2))
    assert len(first) == len(second)
    for one, other in zip(first, second, strict=True):
        assert one.moment == other.moment
        assert np.array_equal(one.picture, other.picture)


def test_a_step_changes_what_it_says() -> None:
    player = Player(5)
    player.lay(3)
    before = sorted(coin.face for coin in player.coins)
    changes = {"put": 1, "flick": 1, "take": -1}
    for name, (_, step) in STEPS.items():
        there = len(player.coins)
        frames = list(step(player))
        assert frames, name
        assert all(frame.picture.shape == (HEIGHT, WIDTH, 3) for frame in frames)
        grown = len(player.coins) - there
        assert grown == changes.get(name, grown if name == "pour" else 0), name
        assert (grown > 2) == (name == "pour"), name
        reaches = max(frame.moment.hand for frame in frames) > 0.001
        assert reaches == (name in ("put", "take", "slide", "cover")), name
    assert sorted(coin.face for coin in player.coins) != before


def test_a_few_sessions_are_counted_by_the_built_program(
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = Path(os.environ.get("RECEH", REPOSITORY / ".build" / "debug" / "receh"))
    assert main(["--quick", "--check", "--receh", str(program)]) == 0, capsys.readouterr().out


def script(path: Path, text: str) -> list[str]:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return [str(path)]


def test_a_kept_film_is_played_again_to_the_byte(tmp_path: Path) -> None:
    tell = script(tmp_path / "tell", 'md5sum < "$2" | sed \'s/\\(.*\\)  -/{"event":"\\1"}/\'')
    rendered = play(tell, 9, tmp_path)
    again = play(tell, 9, tmp_path)
    assert rendered.moments == again.moments
    assert rendered.events == again.events
    assert len((tmp_path / "00009.jsonl").read_text().splitlines()) == len(rendered.moments)
    assert json.dumps(rendered.events) != "[]"


def test_a_command_that_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlayError, match=r"session 9: .*: no such light"):
        play(script(tmp_path / "fail", "echo no such light >&2; exit 1"), 9)


def test_the_command_plays_sessions_in_processes_of_their_own(tmp_path: Path) -> None:
    tell = script(tmp_path / "tell", "cat > /dev/null")
    for seed in (3, 4):
        play(tell, seed, tmp_path)
    run = subprocess.run(
        [sys.executable, "-m", "sessions", "--seeds", "3,4", "--films", str(tmp_path), "--receh",
         *tell], capture_output=True, text=True, check=False, cwd=REPOSITORY / "toolchain",
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("2 sessions, 0 totals said"), run.stdout
