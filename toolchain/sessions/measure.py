"""Plays one session and judges it.

In a module of its own: a spawned process does not import a package's `__main__`.
"""

from __future__ import annotations

from pathlib import Path

import cv2

from renderer.session import Cast
from sessions.judge import Verdict, judge
from sessions.play import play


def measure(seed: int, command: list[str], films: Path | None, cast: Cast | None) -> Verdict:
    """How session `seed` was told; see `play` for the arguments."""
    cv2.setNumThreads(1)
    return judge(play(command, seed, films, cast))
