"""Tests of the accuracy benchmark."""

from __future__ import annotations

import csv

import cv2
import numpy as np
import pytest

from accuracy.counters import count_with_hough
from accuracy.matching import FoundCoin, disc_overlap, match
from accuracy.score import MISSED, RIGHT, UNSURE, WRONG, confusion, score, tally
from accuracy.statistics import calibration_error, reliability, wilson
from accuracy.truth import TABLE, TrueCoin, TruePicture
from training.faces import read_faces

FACES = {face.name: face for face in read_faces()}


def coin(x: float, face: str, group: str = "") -> TrueCoin:
    """A coin 100 pixels wide whose centre lies at (x, 50)."""
    origin = f"p#{x}"
    return TrueCoin(origin, x - 50, 0, 100, 100, FACES[face], group or origin)


def find(x: float, value: int, withdrawn: bool = False, diameter: float = 100) -> FoundCoin:
    return FoundCoin(x, 50, diameter, value, 0.9, withdrawn)


def scored(coins: list[TrueCoin], found: list[FoundCoin]):
    total = sum(f.value for f in found if not f.withdrawn)
    return score([TruePicture("p", "s", coins)], {"p": (total, found)})[0]


def test_overlap_of_equal_apart_and_nested_discs() -> None:
    assert disc_overlap(0, 0, 10, 0, 0, 10) == 1
    assert disc_overlap(0, 0, 10, 25, 0, 10) == 0
    assert disc_overlap(0, 0, 10, 1, 0, 5) == pytest.approx(0.25)


def test_a_coin_is_matched_once_and_the_rest_is_invented() -> None:
    matched, invented = match(
        [coin(50, "500-2016-number")], [find(60, 500), find(50, 500), find(400, 500)]
    )
    assert matched == {0: 1}
    assert invented == [0, 2]


def test_a_find_of_half_the_size_is_not_the_coin() -> None:
    matched, _ = match([coin(50, "500-2016-number")], [find(50, 500, diameter=60)])
    assert matched == {}


def test_outcomes_of_coins() -> None:
    result = scored(
        [
            coin(50, "500-2016-number"),
            coin(250, "200-2003-garuda"),
            coin(450, "100-1999-garuda"),
            coin(650, "1000-2016-number"),
            coin(850, "foreign"),
            coin(1050, "foreign"),
        ],
        [find(50, 500), find(250, 500), find(450, 0), find(850, 0), find(1050, 100)],
    )
    assert [c.outcome for c in result.coins] == [RIGHT, WRONG, UNSURE, MISSED, RIGHT, WRONG]
    assert not result.exact


def test_a_withdrawn_coin_must_be_called_withdrawn_and_adds_nothing() -> None:
    coins = [coin(50, "500-1997-jasmine")]
    said_so = scored(coins, [find(50, 500, withdrawn=True)])
    assert said_so.coins[0].outcome == RIGHT
    assert said_so.exact
    not_said = scored(coins, [find(50, 500)])
    assert not_said.coins[0].outcome == WRONG
    assert not_said.misled


def test_a_wrong_total_with_an_unsure_coin_misleads_nobody() -> None:
    result = scored([coin(50, "500-2016-number")], [find(50, 0)])
    assert not result.exact
    assert not result.misled


def test_money_invented_on_an_empty_table_is_counted() -> None:
    result = scored([], [find(50, 500)])
    assert tally([result]).invented == 1
    assert result.misled
    assert confusion([result])["nothing", "500"] == 1


def test_a_coin_photographed_twice_counts_once_with_its_worse_outcome() -> None:
    twice = [coin(50, "500-2016-number", "one"), coin(250, "500-2016-number", "one")]
    sums = tally([scored(twice, [find(50, 500), find(250, 0)])])
    assert sums.rupiah.total() == 2
    assert sums.rupiah_once == {UNSURE: 1}


def test_wilson_intervals_match_published_values() -> None:
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-3)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-3)


def test_reliability_of_perfect_and_overconfident_answers() -> None:
    sure = reliability([1.0] * 4, [True, True, True, False])
    assert len(sure) == 1
    assert calibration_error(sure) == pytest.approx(0.25)
    assert calibration_error(reliability([0.5] * 4, [True, False] * 2)) == 0


def test_the_baseline_finds_a_gold_and_a_silver_coin() -> None:
    picture = np.full((400, 600, 3), 240, np.uint8)
    cv2.circle(picture, (150, 200), 80, (120, 122, 125), -1)
    cv2.circle(picture, (430, 200), 78, (190, 150, 40), -1)
    found = sorted(count_with_hough(picture), key=lambda coin: coin.x)
    assert [coin.x for coin in found] == pytest.approx([150, 430], abs=8)
    assert not found[0].withdrawn
    assert (found[1].value, found[1].withdrawn) == (500, True)


def test_every_true_coin_has_a_face_and_lies_in_an_evaluation_picture() -> None:
    with TABLE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["face"] for row in rows} <= set(FACES)
    shared = [row["group"] for row in rows if row["group"]]
    assert len(shared) == 26
    assert len(set(shared)) == 13
