"""Plays a session to the command and gathers what it says."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from renderer.scene import Truth
from renderer.session import Cast, Frame, Moment, as_yuv, header, session

WIDTH, HEIGHT = 640, 480


class PlayError(Exception):
    """The command did not run to its end."""


@dataclass(frozen=True)
class Played:
    """One session as it was, and as it was told."""

    seed: int
    moments: list[Moment]
    """What is so, frame by frame."""
    events: list[dict[str, Any]]
    """What the command said, in order."""

    @property
    def steps(self) -> list[str]:
        """What was done, in order."""
        steps: list[str] = []
        for moment in self.moments:
            if not moment.is_at_rest and (not steps or steps[-1] != moment.step):
                steps.append(moment.step)
        return steps


def play(
    command: list[str], seed: int, films: Path | None = None, cast: Cast | None = None
) -> Played:
    """Plays session `seed` to `command`, whose last word is to be its source.

    Args:
        command: A `receh run` with its options, without `--source`.
        seed: Of the session.
        films: A folder in which films are kept, so that they need not be rendered again.
        cast: What sessions are made of; the usual one if not given.
    """
    film = films / f"{seed:05}.y4m" if films is not None else None
    notes = film.with_suffix(".jsonl") if film is not None else None
    if film is not None and notes is not None and notes.exists():
        moments = [_moment(json.loads(line)) for line in notes.read_text().splitlines()]
        done = subprocess.run(
            [*command, "--source", str(film)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise PlayError(f"session {seed}: {command[0]}: {done.stderr.strip()}")
        return Played(seed, moments, [json.loads(line) for line in done.stdout.splitlines()])
    moments = []
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complaint:
        with subprocess.Popen(
            [*command, "--source", "/dev/stdin"], stdin=subprocess.PIPE, stdout=said,
            stderr=complaint,
        ) as process:
            assert process.stdin is not None
            # A command that ends early is asked for its status below.
            with suppress(BrokenPipeError):
                for chunk in _stream(session(seed, cast), moments, film):
                    process.stdin.write(chunk)
            with suppress(BrokenPipeError):
                process.stdin.close()
            status = process.wait()
        said.seek(0)
        complaint.seek(0)
        if status != 0:
            raise PlayError(f"session {seed}: {command[0]}: {complaint.read().strip()}")
        events = [json.loads(line) for line in said]
    if notes is not None:
        notes.write_text("".join(json.dumps(asdict(moment)) + "\n" for moment in moments))
    return Played(seed, moments, events)


def _stream(
    frames: Iterator[Frame], moments: list[Moment], film: Path | None
) -> Iterator[bytes]:
    """The bytes of a video; keeps what is so, and a copy of the video."""
    kept = film.open("wb") if film is not None else None
    try:
        chunk = header(WIDTH, HEIGHT)
        if kept is not None:
            kept.write(chunk)
        yield chunk
        for frame in frames:
            moments.append(frame.moment)
            chunk = as_yuv(frame.picture)
            if kept is not None:
                kept.write(chunk)
            yield chunk
    finally:
        if kept is not None:
            kept.close()


def _moment(fields: dict[str, Any]) -> Moment:
    coins = tuple(Truth(**coin) for coin in fields.pop("coins"))
    return Moment(coins=coins, **fields)
