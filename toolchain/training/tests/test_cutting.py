"""Tests of outlines, cut-outs, duplicates and the tables of labels."""

from __future__ import annotations

import csv

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.duplicates import SAME_PICTURE, correlations, find_coin_duplicates, signature
from training.faces import read_faces
from training.labels import HERE, DataError, source_of
from training.markings import spoiled_pixels
from training.outline import Ellipse, fit_outline, foreground_box, rectify


def draw_coin(
    centre: tuple[float, float], axes: tuple[float, float], degrees: float = 0, seed: int = 1
) -> NDArray[np.uint8]:
    """A mottled grey ellipse with a darker design on an uneven bright ground, 300 x 300."""
    random = np.random.default_rng(seed)
    ground = 205 + cv2.GaussianBlur(random.normal(0, 60, (300, 300)), (0, 0), 6)
    picture = np.repeat(ground[..., None], 3, 2).astype(np.float32)
    relief = 110 + cv2.GaussianBlur(random.normal(0, 250, (300, 300)), (0, 0), 4)
    y, x = (np.mgrid[:1200, :1200] + 0.5) / 4
    turn = np.deg2rad(degrees)
    along = ((x - centre[0]) * np.cos(turn) + (y - centre[1]) * np.sin(turn)) / axes[0]
    across = ((y - centre[1]) * np.cos(turn) - (x - centre[0]) * np.sin(turn)) / axes[1]
    inside = (along**2 + across**2 < 1).astype(np.float32)
    share = cv2.resize(inside, (300, 300), interpolation=cv2.INTER_AREA)[..., None]
    picture = picture * (1 - share) + relief[..., None] * share
    return np.clip(picture, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("degrees", [0, 30, 75, 140])
def test_a_tilted_coin_is_outlined_to_a_percent_of_its_radius(degrees: float) -> None:
    picture = draw_coin((150, 146), (90, 78), degrees)
    turn = np.deg2rad(degrees)
    half_width = np.hypot(90 * np.cos(turn), 78 * np.sin(turn))
    half_height = np.hypot(90 * np.sin(turn), 78 * np.cos(turn))
    start = Ellipse.in_box(
        150 - half_width + 5, 146 - half_height - 4, 2 * half_width * 0.96, 2 * half_height * 1.04
    )
    outline = fit_outline(picture, start)
    assert outline.support > 0.9
    assert np.abs(outline.ellipse.centre - [150, 146]).max() < 0.5
    assert outline.ellipse.axes == pytest.approx((90, 78), abs=0.5)


def test_a_plain_ground_gives_no_supported_outline() -> None:
    picture = np.full((300, 300, 3), 180, np.uint8)
    outline = fit_outline(picture, Ellipse.in_box(60, 60, 180, 180))
    assert outline.support < 0.35


def test_a_rectified_coin_fills_the_circle() -> None:
    picture = np.full((200, 240, 3), 255, np.uint8)
    cv2.ellipse(picture, (120, 100), (60, 40), 0, 0, 360, (0, 0, 0), -1)
    ellipse = Ellipse(np.array([120.5, 100.5]), np.diag([60.5, 40.5]))
    image = rectify(picture, ellipse, 256, 104.0, border=cv2.BORDER_REPLICATE)
    y, x = np.mgrid[:256, :256] + 0.5
    distance = np.hypot(x - 128, y - 128)
    assert image[distance < 101].max() < 40
    assert image[(distance > 107) & (distance < 120)].min() > 215


def test_the_object_on_even_ground_is_boxed() -> None:
    picture = np.full((100, 160, 3), 250, np.uint8)
    cv2.circle(picture, (80, 50), 30, (90, 90, 90), -1)
    assert foreground_box(picture) == pytest.approx((50, 20, 61, 61), abs=2)


def test_drawn_boxes_and_words_are_marked_unusable() -> None:
    picture = np.full((480, 480, 3), 120, np.uint8)
    cv2.rectangle(picture, (100, 120), (300, 320), (26, 214, 187), 3)
    cv2.rectangle(picture, (100, 85), (160, 119), (26, 214, 187), -1)
    spoiled = spoiled_pixels(picture, [])
    assert spoiled[100, 130]
    assert spoiled[200, 100]
    assert not spoiled[200, 200]


def test_a_turned_relit_copy_is_recognised_and_another_coin_is_not() -> None:
    first = draw_coin((150, 150), (104, 104), seed=3)[22:278, 22:278]
    matrix = cv2.getRotationMatrix2D((127.5, 127.5), 77, 1)
    turned = cv2.warpAffine(first, matrix, (256, 256), borderMode=cv2.BORDER_REPLICATE)
    turned = np.clip(turned * np.float32(0.7) + 20, 0, 255).astype(np.uint8)
    other = draw_coin((150, 150), (104, 104), seed=4)[22:278, 22:278]
    usable = np.ones((256, 256), np.uint8)
    marks = np.stack([signature(image, usable, 104.0) for image in (first, turned, other)])
    score = correlations(marks[:1], marks[1:])[0]
    assert score[0] > SAME_PICTURE
    assert score[1] < 0.5
    found = find_coin_duplicates(
        np.stack([first, turned, other]),
        np.stack([usable] * 3),
        np.array(["eval", "train", "train"]),
    )
    assert [(a, b) for a, b, _ in found] == [(0, 1)]


def test_every_label_names_a_face_once() -> None:
    faces = {face.name for face in read_faces()}
    with (HERE / "face_labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["face"] for row in rows} <= faces
    assert {row["quality"] for row in rows} <= {"good", "poor", "drop"}
    places = [(row["picture"], row["coin"]) for row in rows]
    assert len(set(places)) == len(places)


def test_every_source_is_known() -> None:
    assert source_of("foreign/euro-crops/1c/a.jpg") == "euro-crops"
    with pytest.raises(DataError, match="no known source"):
        source_of("holiday/beach.jpg")
