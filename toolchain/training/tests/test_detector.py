"""Tests of what the detector and the refiner are asked for and how their answers are read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch", reason="PyTorch is for training: toolchain/setup --training")

from training import detector, refiner  # noqa: E402
from training.compose import Scene  # noqa: E402


def _coins(*rows: tuple[float, ...]) -> NDArray[np.float32]:
    return np.array(rows, np.float32)


def _perfect(targets: NDArray[np.float32]) -> dict[str, torch.Tensor]:
    wanted = torch.from_numpy(targets.astype(np.float32))[None]
    heat = wanted[:, [detector.HEAT]].clamp(1e-4, 1 - 1e-4)
    return {
        "centre": torch.logit(heat),
        "offset": wanted[:, [detector.DX, detector.DY]],
        "size": wanted[:, [detector.LOG_WIDTH, detector.LOG_HEIGHT]],
    }


def test_a_perfect_answer_reads_back_as_the_scenes_coins() -> None:
    coins = _coins(
        (50.2, 60.9, 20, 15, 0.0, 1, 0),
        (88.0, 61.0, 19, 19, 0.3, 1, 0),
        (200.5, 120.5, 90, 80, np.pi / 2, 1, 0),
        (12.3, 200.1, 6, 6, 0, 1, 0),
    )
    scene = Scene(np.zeros((240, 320, 3), np.uint8), coins)
    found = detector.decode(_perfect(detector.target(scene)), 0.5)[0]
    boxes = detector.boxes(coins)
    assert len(found) == len(coins)
    for box in boxes:
        nearest = found[np.hypot(*(found[:, :2] - box[:2]).T).argmin()]
        assert np.allclose(nearest[:2], box[:2], atol=0.05)
        assert np.allclose(nearest[2:4], box[2:], rtol=0.01)


def test_mirrored_targets_are_the_targets_of_the_mirrored_scene() -> None:
    coins = _coins((50.3, 60.9, 20, 15, 0.0, 1, 0), (210.7, 120.2, 9, 9, 0, 1, 0))
    other = coins.copy()
    other[:, 0] = detector.WIDTH - coins[:, 0]
    picture = np.zeros((240, 320, 3), np.uint8)
    wanted = torch.from_numpy(detector.target(Scene(picture, coins)).astype(np.float32))[None]
    _, mirrored = detector.mirrored(torch.zeros(1, 3, 240, 320), wanted)
    direct = detector.target(Scene(picture, other)).astype(np.float32)
    assert np.allclose(mirrored[0].numpy(), direct, atol=2e-3)


def test_a_half_hidden_coin_is_neither_coin_nor_ground() -> None:
    scene = Scene(np.zeros((240, 320, 3), np.uint8), _coins((160, 120, 30, 30, 0, 0.45, 0)))
    heat = detector.target(scene)[detector.HEAT]
    assert heat[30, 40] == detector.IGNORED
    assert heat.max() == 0


def test_the_loss_of_a_perfect_answer_is_smaller_than_of_a_shifted_one() -> None:
    scene = Scene(np.zeros((240, 320, 3), np.uint8), _coins((101, 77, 20, 20, 0, 1, 0)))
    targets = detector.target(scene)
    wanted = torch.from_numpy(targets.astype(np.float32))[None]
    good, _ = detector.loss(_perfect(targets), wanted)
    shifted = {name: value.roll(2, 3) for name, value in _perfect(targets).items()}
    bad, _ = detector.loss(shifted, wanted)
    assert good < 0.2 * bad


def _disc(x: float, y: float, a: float, b: float, angle: float) -> Scene:
    picture = np.full((480, 640, 3), 40, np.uint8)
    box = ((x - 0.5, y - 0.5), (2 * a, 2 * b), float(np.degrees(angle)))
    cv2.ellipse(picture, box, (220, 220, 220), -1, cv2.LINE_AA)
    return Scene(picture, _coins((x, y, a, b, angle, 1, 0)))


def test_a_patch_shows_the_outline_where_the_target_says() -> None:
    scene = _disc(300, 200, 80, 66, 0.7)
    where = np.array([[306, 195, 150]], np.float32)
    patch = refiner.patches(scene.picture, where)[0]
    wanted = refiner.targets(scene, where)[0]
    assert wanted[refiner.COIN] == 1 and wanted[refiner.OUTLINE_WEIGHT] == 1
    radius = refiner.SIDE / refiner.MARGIN / 2
    rows, columns = np.nonzero(patch.mean(axis=2) > 130)
    centre = refiner.SIDE / 2 + wanted[:2] * radius
    assert abs(columns.mean() + 0.5 - centre[0]) < 0.3
    assert abs(rows.mean() + 0.5 - centre[1]) < 0.3
    mean = radius * np.exp(wanted[refiner.SCALE])
    assert abs(np.sqrt(len(rows) / np.pi) - mean) < 0.4
    spread = np.cov(columns, rows)
    angle = 0.5 * np.arctan2(2 * spread[0, 1], spread[0, 0] - spread[1, 1])
    said = 0.5 * np.arctan2(wanted[refiner.STRAIN_Y], wanted[refiner.STRAIN_X])
    assert abs(np.sin(angle - said)) < 0.1


@pytest.mark.parametrize("change", [refiner.mirrored, refiner.transposed])
def test_a_turned_patch_has_the_target_of_the_turned_scene(change: object) -> None:
    scene = _disc(300, 200, 80, 66, 0.7)
    where = np.array([[306, 195, 150]], np.float32)
    pixels = refiner.to_input(refiner.patches(scene.picture, where))
    wanted = torch.from_numpy(refiner.targets(scene, where))
    turned, target = change(pixels, wanted)
    coin = scene.coins[0]
    if change is refiner.mirrored:
        picture, place = scene.picture[:, ::-1], (640 - 306, 195)
        other = _coins((640 - coin[0], coin[1], 80, 66, -0.7, 1, 0))
    else:
        picture, place = scene.picture.transpose(1, 0, 2), (195, 306)
        other = _coins((coin[1], coin[0], 80, 66, np.pi / 2 - 0.7, 1, 0))
    there = np.array([[*place, 150]], np.float32)
    direct = refiner.patches(np.ascontiguousarray(picture), there)
    assert (turned - refiner.to_input(direct)).abs().max() < 0.02
    again = refiner.targets(Scene(np.ascontiguousarray(picture), other), there)[0]
    assert np.allclose(target[0].numpy(), again, atol=1e-5)


def test_refining_with_the_target_gives_the_true_circle() -> None:
    scene = _disc(300, 200, 80, 70, 0.2)
    where = np.array([[290, 205, 170]], np.float32)
    wanted = refiner.targets(scene, where)
    moved = refiner.refined(where, wanted[:, :5])[0]
    assert np.allclose(moved, (300, 200, 2 * np.sqrt(80 * 70)), atol=1e-3)


def test_a_wrong_size_or_place_is_no_coin() -> None:
    scene = _disc(300, 200, 80, 80, 0)
    where = np.array([[300, 200, 80], [380, 200, 160], [300, 200, 290]], np.float32)
    wanted = refiner.targets(scene, where)
    assert (wanted[:, refiner.COIN] == 0).all()
    assert (wanted[:, refiner.COIN_WEIGHT] == 1).all()
