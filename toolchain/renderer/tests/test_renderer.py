"""The renderer says the truth about what it draws, and draws the same thing twice."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from renderer import FACES, OTHERS, OUTLINE, LightRig, Tray, render_coin, render_scene, scatter
from renderer.film import Script, film, write_y4m


def dice(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("face", [*FACES, *OTHERS])
def test_every_face_renders_as_a_disc_of_the_stated_size(face: str) -> None:
    picture, height = render_coin(face, 128, dice())
    assert picture.shape == (128, 128, 4)
    assert height.shape == (128, 128)
    assert np.isfinite(height).all()
    rows, columns = np.nonzero(picture[..., 3] > 127)
    across = 128 * OUTLINE
    for axis in (rows, columns):
        assert abs((axis.max() + axis.min()) / 2 - 63.5) <= 1
        assert abs((axis.max() - axis.min() + 1) - across) <= 0.07 * across


@pytest.mark.parametrize("face", list(FACES))
def test_no_two_faces_share_a_relief(face: str) -> None:
    mine = _relief(face)
    for other in FACES:
        if other != face:
            same = float(np.corrcoef(mine.ravel(), _relief(other).ravel())[0, 1])
            # The emblem sides do look alike: there year, rim, size and metal tell them apart.
            alike = 0.995 if face.endswith("garuda") and other.endswith("garuda") else 0.97
            assert same < alike, f"{face} looks like {other}"


_reliefs: dict[str, NDArray[np.float32]] = {}


def _relief(face: str) -> NDArray[np.float32]:
    if face not in _reliefs:
        _, height = render_coin(face, 96, dice(), angle=0.0, wear=0.0)
        _reliefs[face] = height[20:76, 20:76]
    return _reliefs[face]


def test_the_same_seed_gives_the_same_picture() -> None:
    first = render_scene(dice(7), 160, 120)
    second = render_scene(dice(7), 160, 120)
    assert np.array_equal(first.picture, second.picture)
    assert first.coins == second.coins
    assert not np.array_equal(first.picture, render_scene(dice(8), 160, 120).picture)


def test_a_coin_turned_under_a_lamp_is_lit_from_the_same_side() -> None:
    directions = np.array([[0.7, 0.0, 0.714]], np.float32)
    rig = LightRig(directions, np.full((1, 3), 3.0, np.float32), 1)
    for angle in (0.0, 1.0, 2.5):
        _, height = render_coin("button", 128, dice(), rig, angle, 0.0)
        picture, _ = render_coin("button", 128, dice(), rig, angle, 0.0)
        grey = picture[..., :3].astype(np.float32).mean(2)
        slope = cv2.Sobel(cv2.GaussianBlur(height, (0, 0), 1), cv2.CV_32F, 1, 0)
        inside = picture[..., 3] > 250
        towards = grey[inside & (slope < -0.05)].mean()
        away = grey[inside & (slope > 0.05)].mean()
        assert towards > away + 10


def test_the_truth_gives_each_coins_outline() -> None:
    tray = Tray(dice(3), 480, 360, 160, "plain", tilt=0.0, clean=True)
    coins = scatter(dice(4), ["500-2016-number", "1000-1993-palm", "50-1999-oriole"], 130, 100, 4)
    scene = tray.photograph(coins, dice(5))
    assert [coin.face for coin in scene.coins] == [coin.face for coin in coins]
    for lying, coin in zip(coins, scene.coins, strict=True):
        nearness = tray.camera.distance / (tray.camera.distance - lying.spec.thickness)
        expected = lying.spec.diameter * 480 / 160 * nearness
        assert coin.diameter == pytest.approx(expected, rel=0.03)
        assert coin.value == lying.spec.value


def test_a_coin_in_the_picture_covers_the_place_the_truth_says() -> None:
    tray = Tray(dice(3), 480, 360, 160, "plain", tilt=0.15, clean=True)
    coins = scatter(dice(4), ["500-1997-jasmine"], 100, 60)
    bare = tray.photograph([], dice(5)).picture.astype(np.int32)
    laid = tray.photograph(coins, dice(5))
    changed = np.abs(laid.picture.astype(np.int32) - bare).sum(2) > 60
    truth = laid.coins[0]
    ys, xs = np.mgrid[0:360, 0:480]
    inside = np.hypot(xs - truth.x, ys - truth.y) < truth.diameter / 2 * 0.9
    outside = np.hypot(xs - truth.x, ys - truth.y) > truth.diameter
    assert changed[inside].mean() > 0.75
    assert changed[outside].mean() < 0.02


def test_the_total_leaves_withdrawn_coins_out() -> None:
    faces = ["500-1997-garuda", "200-2003-starling", "button"]
    scene = render_scene(dice(2), 320, 240, faces, 200, "paper")
    assert sorted(coin.value for coin in scene.coins) == [0, 200, 500]
    assert scene.total == 200


def test_scattered_coins_never_overlap() -> None:
    coins = scatter(dice(9), list(FACES) * 2, 300, 200)
    assert len(coins) > 20
    for i, a in enumerate(coins):
        for b in coins[:i]:
            gap = np.hypot(a.x - b.x, a.y - b.y) - (a.spec.diameter + b.spec.diameter) / 2
            assert gap > -1e-6


def test_a_film_puts_coins_down_and_takes_them_away(tmp_path: Path) -> None:
    script = Script(["100-2016-number", "1000-2016-number"], still=2, reach=2, removals=1)
    totals = [scene.total for scene in film(dice(), script, 160, 120, "wood")]
    assert totals == [0, 0, 0, 100, 100, 100, 100, 1100, 1100, 1100, 1100, 100, 100, 100]


def test_a_y4m_film_holds_every_frame(tmp_path: Path) -> None:
    frames = [np.full((12, 16, 3), level, np.uint8) for level in (0, 255)]
    path = tmp_path / "film.y4m"
    assert write_y4m(path, iter(frames)) == 2
    data = path.read_bytes()
    header, _, rest = data.partition(b"\n")
    assert header.startswith(b"YUV4MPEG2 W16 H12 F25:1")
    assert len(rest) == 2 * (6 + 16 * 12 * 3 // 2)
    assert rest[6] == 16, "black is 16 in limited range"


def test_an_unknown_face_is_named_with_the_way_out() -> None:
    with pytest.raises(KeyError, match=r"no face '25'.*500-2003-jasmine"):
        render_coin("25", 64, dice())
