"""The command that trains without some sources, from outside, as far as it goes without photos."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

FOLDS = Path(__file__).parents[1] / "folds"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What the command answers."""
    return subprocess.run(
        [FOLDS, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--minutes", "ten"), "--minutes ten is no whole number of minutes"),
        (("--threshold", "80"), "--threshold 80 is no probability"),
        (("--minutes",), "no value after --minutes"),
        (("--fold",), "unknown option --fold"),
    ],
)
def test_a_wrong_option_is_named_and_nothing_is_done(
    arguments: tuple[str, ...], told: str
) -> None:
    answer = run(*arguments)
    assert answer.returncode == 2
    assert told in answer.stderr


def test_missing_cut_outs_are_named_with_the_way_out(tmp_path: Path) -> None:
    answer = run("--cache", str(tmp_path))
    assert answer.returncode == 1
    assert f"{tmp_path}/cutouts.npz is missing: run toolchain/train first" in answer.stderr
    assert not (tmp_path / "folds").exists()
