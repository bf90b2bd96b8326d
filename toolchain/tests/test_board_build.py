"""The board's command, under emulation, answers what the host's does, byte for byte."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from renderer import render_scene
from renderer.film import Script, film

REPOSITORY = Path(__file__).resolve().parents[2]
HOST = REPOSITORY / ".build" / "debug" / "receh"
BOARD = REPOSITORY / ".build-aarch64" / "emulated" / "receh"

COINS = [
    "1000-2016-number", "1000-1993-palm", "500-2003-jasmine", "200-2016-number",
    "100-1999-cockatoo", "button", "foreign",
]


def answer(program: Path, processor: str, *words: str | Path) -> tuple[int, bytes]:
    """Exit status and output of a run as one processor, which the host's command ignores."""
    assert program.exists(), f"{program} is not built: run toolchain/test"
    done = subprocess.run(
        [program, *words],
        capture_output=True, check=False, env={**os.environ, "RECEH_PROCESSOR": processor},
    )
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Scenes sharp and as a bad camera sees them, as PNG and JPEG, and one that is no picture."""
    folder = tmp_path_factory.mktemp("pictures")
    paths = []
    for seed, ground, clean, ending in (
        (71, "wood", True, "png"), (72, "stone", False, "png"), (73, "paper", False, "jpg"),
    ):
        scene = render_scene(
            np.random.default_rng(seed), 800, 600, COINS, 200, ground, clean=clean
        )
        paths.append(folder / f"{seed}.{ending}")
        assert cv2.imwrite(str(paths[-1]), scene.picture[..., ::-1])
    paths.append(folder / "broken.jpg")
    paths[-1].write_bytes(paths[-2].read_bytes()[:2000])
    return paths


@pytest.mark.parametrize("processor", ["cortex-a53", "cortex-a76"])
def test_pictures_are_counted_as_on_the_host(pictures: list[Path], processor: str) -> None:
    host = answer(HOST, processor, "count", "--json", *pictures)
    assert b'"value":1000' in host[1]
    assert answer(BOARD, processor, "count", "--json", *pictures) == host


def test_a_film_is_told_as_on_the_host(tmp_path: Path) -> None:
    script = Script(["1000-2016-number", "500-2003-jasmine"], 8, 4, 1)
    scenes = film(np.random.default_rng(75), script, 640, 480, "plain", 170)
    for number, scene in enumerate(scenes):
        assert cv2.imwrite(str(tmp_path / f"{number:03}.png"), scene.picture[..., ::-1])
    words = ("run", "--source", tmp_path, "--json", "--no-voice")
    host = answer(HOST, "", *words)
    assert b'"total":1500' in host[1]
    assert answer(BOARD, "cortex-a53", *words) == host


def test_the_same_is_annotated(pictures: list[Path], tmp_path: Path) -> None:
    drawn = []
    for name, program in (("host", HOST), ("board", BOARD)):
        path = tmp_path / f"{name}.png"
        assert answer(program, "max", "count", "--annotate", path, pictures[0])[0] == 0
        drawn.append(cv2.imread(str(path)))
    assert np.array_equal(drawn[0], drawn[1])


def test_the_boards_command_holds_nothing_of_the_folder_it_was_built_in() -> None:
    command = (REPOSITORY / ".build-aarch64" / "receh").read_bytes()
    assert len(command) <= 1.5 * 1024 * 1024
    assert str(REPOSITORY).encode() not in command
