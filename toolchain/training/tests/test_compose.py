"""Tests of the composed scenes: what they say about coins is where the coins are."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training import compose, compose_backgrounds, compose_effects, compose_things
from training.compose import MAJOR, MINOR, VISIBLE, Composer, Library, X, Y, pyramid
from training.compose_layout import camera, conic
from training.compose_outlines import OutlineStore
from training.compose_photographs import Photograph, Photographs


@pytest.fixture(scope="module")
def library() -> Library:
    """White discs as coins, no things but discs, on dark ground."""
    disc = (compose_things.disc() * 255).astype(np.uint8)
    sprites = np.full((4, 256, 256, 4), 255, np.uint8)
    sprites[..., 3] = disc
    rng = np.random.default_rng(3)
    return Library(
        pyramid(sprites),
        np.zeros(4),
        np.full(4, 0.25),
        pyramid(np.stack(compose_things.round_things(1, 14))),
        [np.full((300, 300, 3), 20, np.uint8), *compose_backgrounds.drawn_backgrounds(1, 14)],
        compose_effects.noise_bank(rng),
    )


def test_a_seed_gives_the_same_scenes_again(library: Library) -> None:
    first, second = Composer(library, 5), Composer(library, 5)
    for _ in range(5):
        a, b = first.scene(), second.scene()
        assert np.array_equal(a.picture, b.picture)
        assert np.array_equal(a.coins, b.coins)


def test_a_projected_circle_lies_on_its_ellipse() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        matrix = camera(rng, 320, 240, 40) @ np.array([[12, 0, 9], [0, 12, -7], [0, 0, 1.0]])
        x, y, a, b, angle = conic(matrix)
        turn = np.linspace(0, 2 * np.pi, 40)
        points = matrix @ np.stack([np.cos(turn), np.sin(turn), np.ones(40)])
        points = points[:2] / points[2] - np.array([[x], [y]])
        along = points[0] * np.cos(angle) + points[1] * np.sin(angle)
        across = points[1] * np.cos(angle) - points[0] * np.sin(angle)
        assert np.allclose((along / a) ** 2 + (across / b) ** 2, 1, atol=1e-6)
        assert a >= b > 0


def test_outlines_lie_where_the_coins_were_painted(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undisturbed(_rng: object, picture: NDArray[np.float32], _bank: object) -> NDArray[np.uint8]:
        return compose_effects.to_bytes(picture)

    def one_coin_in_the_middle(
        _rng: object, view: NDArray[np.float32], width: int, height: int, *_: object
    ) -> list[tuple[float, float, float, int]]:
        spot = np.linalg.inv(view) @ (width / 2 + 11, height / 2 - 7, 1)
        return [(spot[0] / spot[2], spot[1] / spot[2], 25.0, 0)]

    monkeypatch.setattr(compose, "layout", one_coin_in_the_middle)
    monkeypatch.setattr(compose_effects, "photograph", undisturbed)
    monkeypatch.setattr(Composer, "_light", lambda *_: None)
    monkeypatch.setattr(Composer, "_cover", lambda *_: None)
    monkeypatch.setattr(library, "backgrounds", library.backgrounds[:1])
    composer = Composer(library, 8)
    checked = 0
    for _ in range(60):
        scene = composer.scene(smallest=30, largest=120)
        if len(scene.coins) != 1 or len(scene.things) or scene.coins[0, VISIBLE] < 0.97:
            continue
        coin = scene.coins[0]
        bright = scene.picture.max(axis=2) > 70
        rows, columns = np.nonzero(bright)
        assert abs(columns.mean() + 0.5 - coin[X]) < 0.07 * coin[MAJOR] + 0.3
        assert abs(rows.mean() + 0.5 - coin[Y]) < 0.07 * coin[MAJOR] + 0.3
        assert abs(bright.sum() / (np.pi * coin[MAJOR] * coin[MINOR]) - 1) < 0.15
        checked += 1
    assert checked > 20


def test_a_coin_under_another_is_said_to_be_partly_hidden(library: Library) -> None:
    composer = Composer(library, 11)
    hidden = 0
    for _ in range(60):
        scene = composer.scene()
        assert ((scene.coins[:, VISIBLE] >= 0) & (scene.coins[:, VISIBLE] <= 1)).all()
        hidden += int((scene.coins[:, VISIBLE] < 0.5).sum())
    assert hidden > 0


def test_windows_on_photographs_keep_outlines_on_their_coins(library: Library) -> None:
    picture = np.zeros((600, 800, 3), np.uint8)
    cv2.circle(picture, (420, 260), 60, (255, 255, 255), -1, cv2.LINE_AA)
    levels = [picture, cv2.resize(picture, (400, 300)), cv2.resize(picture, (200, 150))]
    boxes = np.array([[420.5, 260.5, 121, 121]], np.float32)
    outlines = np.array([[420.5, 260.5, 60.5, 60.5, 0, 1]], np.float32)
    photographs = Photographs([Photograph(levels, boxes, outlines, "thai")])
    rng = np.random.default_rng(2)
    checked = 0
    for _ in range(40):
        scene = photographs.scene(rng, library.noise, smallest=30, largest=90)
        if len(scene.coins) != 1 or scene.coins[0, VISIBLE] < 1:
            continue
        coin = scene.coins[0]
        y, x = np.mgrid[0:240, 0:320] + 0.5
        inside = np.hypot(x - coin[X], y - coin[Y]) < 0.85 * coin[MINOR]
        around = np.hypot(x - coin[X], y - coin[Y])
        around = (around > 1.2 * coin[MAJOR]) & (around < 1.5 * coin[MAJOR])
        grey = scene.picture.mean(axis=2)
        assert grey[inside].mean() > grey[around & (grey != 128)].mean() + 25
        checked += 1
    assert checked > 5


def test_a_crooked_box_is_moved_onto_the_coins_edge(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    picture = np.full((300, 400, 3), 90, np.uint8)
    box = ((210.0, 150.0), (140.0, 120.0), 30.0)
    cv2.ellipse(picture, box, (190, 180, 150), -1, cv2.LINE_AA)
    noisy = np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
    store = OutlineStore(tmp_path / "outlines.npz")
    crooked = np.array([[213.0, 147.0, 140.0, 131.0]], np.float32)
    found = store.outlines("picture", noisy, crooked)[0]
    assert found[5] == 1
    assert np.allclose(found[:2], (210.5, 150.5), atol=1.5)
    assert np.allclose(found[2:4], (70, 60), atol=1.5)
    assert abs(np.sin(found[4] - np.radians(30))) < 0.15
    store.save()
    again = OutlineStore(tmp_path / "outlines.npz").outlines("picture", noisy, crooked)[0]
    assert np.array_equal(again, found)


def test_no_drawn_thing_reaches_beyond_its_outline() -> None:
    outside = compose_things.RADIUS > 1.02
    for sprite in compose_things.round_things(2, 28):
        assert sprite[outside, 3].max() == 0
        assert sprite[..., 3].max() > 200
