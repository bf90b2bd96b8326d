"""The built program counts what the renderer drew: photographs, films, and what is no money."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from renderer import FACES, Scene, render_scene
from renderer.film import Script, film, write_y4m
from renderer.ground import GROUNDS

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RECEH", REPOSITORY / ".build" / "debug" / "receh"))

COINS = [
    "1000-2016-number", "1000-2010-number", "500-2003-jasmine", "500-2016-number",
    "200-2003-starling", "200-2016-number", "100-1999-cockatoo", "100-2016-number",
]


def receh(*words: str | Path) -> list[dict[str, Any]]:
    """Runs the program with JSON output; the lines it printed."""
    assert PROGRAM.exists(), f"{PROGRAM} is not built: run toolchain/test, or name it in RECEH"
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def save(path: Path, scene: Scene) -> Path:
    """Writes the scene's picture without loss."""
    assert cv2.imwrite(str(path), scene.picture[..., ::-1])
    return path


def dice(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_coins_of_a_good_camera_are_found_and_valued(tmp_path: Path) -> None:
    laid = found = right = wrong = 0
    for seed, ground in ((11, "wood"), (12, "paper"), (13, "stone"), (14, "plain"), (15, "wood")):
        scene = render_scene(dice(seed), 1280, 960, COINS, 190, ground, clean=True)
        counted = receh("count", "--json", save(tmp_path / f"{seed}.png", scene))[0]
        assert len(counted["coins"]) <= len(scene.coins), f"scene {seed}: coins invented"
        laid += len(scene.coins)
        for coin in scene.coins:
            near = [
                each
                for each in counted["coins"]
                if np.hypot(each["x"] - coin.x, each["y"] - coin.y) < coin.diameter / 8
            ]
            if near:
                found += 1
                assert near[0]["diameter"] == pytest.approx(coin.diameter, rel=0.06)
                right += near[0]["value"] == coin.value
                wrong += near[0]["value"] not in (0, coin.value)
    assert laid >= 38
    assert found == laid
    assert right >= 0.9 * laid
    assert wrong == 0


@pytest.mark.parametrize("ground", list(GROUNDS))
def test_an_empty_tray_holds_no_money(tmp_path: Path, ground: str) -> None:
    scene = render_scene(dice(21), 640, 480, [], 200, ground)
    counted = receh("count", "--json", save(tmp_path / "empty.png", scene))[0]
    assert counted["total"] == 0
    assert counted["coins"] == []


def test_buttons_caps_washers_and_strange_coins_are_no_money(tmp_path: Path) -> None:
    for seed in (31, 32, 33):
        things = ["button", "cap", "washer", "foreign", "foreign"]
        scene = render_scene(dice(seed), 1280, 960, things, 190, clean=True)
        counted = receh("count", "--json", save(tmp_path / f"{seed}.png", scene))[0]
        assert counted["total"] == 0, f"scene {seed}"


def test_withdrawn_coins_are_told_of_and_not_added(tmp_path: Path) -> None:
    faces = ["500-1997-jasmine", "1000-1993-palm", "200-2016-number"]
    assert FACES[faces[0]].withdrawn and FACES[faces[1]].withdrawn
    scene = render_scene(dice(41), 1280, 960, faces, 150, "wood", clean=True)
    counted = receh("count", "--json", save(tmp_path / "old.png", scene))[0]
    assert counted["total"] == 200
    withdrawn = {coin["value"] for coin in counted["coins"] if coin.get("withdrawn")}
    assert withdrawn <= {500, 1000}


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    """A film of three coins put down and one taken away."""
    script = Script(["1000-2016-number", "500-2003-jasmine", "200-2016-number"], 12, 4, 1)
    return list(film(dice(104), script, 640, 480, "plain", 170))


def announced(events: list[dict[str, Any]]) -> list[int]:
    """The totals told, in order, without repeats."""
    totals = [event["total"] for event in events if event["event"] == "total"]
    return [total for i, total in enumerate(totals) if i == 0 or total != totals[i - 1]]


def test_a_folder_of_frames_is_totalled_coin_by_coin(scenes: list[Scene], tmp_path: Path) -> None:
    for number, scene in enumerate(scenes):
        save(tmp_path / f"frame-{number:03}.png", scene)
    events = receh("run", "--source", tmp_path, "--json", "--no-voice")
    assert events[0]["event"] == "ready"
    assert events[-1]["event"] == "stopped"
    assert [total for total in announced(events) if total] == [1000, 1500, 1700, 1500]
    assert "hold" in {event["event"] for event in events}


def test_a_y4m_film_is_totalled_coin_by_coin(scenes: list[Scene], tmp_path: Path) -> None:
    path = tmp_path / "film.y4m"
    assert write_y4m(path, (scene.picture for scene in scenes), 10) == len(scenes)
    events = receh("run", "--source", path, "--json", "--no-voice")
    assert [total for total in announced(events) if total] == [1000, 1500, 1700, 1500]
