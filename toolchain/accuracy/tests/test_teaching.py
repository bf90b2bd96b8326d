"""Tests of how taught coins are scored, and of the table of photographed ones."""

from __future__ import annotations

from accuracy.taught_kinds import VIEWS, faces_of, photographed_faces
from accuracy.teaching import Kind, Score, report
from renderer.faces import OTHERS


def found(x: float, value: int = 0, name: str = "") -> dict:
    coin = {"x": x, "y": 100, "diameter": 60, "value": value}
    return {**coin, "name": name} if name else coin


def test_each_coin_of_the_kind_is_right_wrong_unsure_or_missed() -> None:
    score = Score()
    discs = [(float(x), 100.0, 30.0) for x in (100, 200, 300, 400)]
    coins = [found(101, name="sen"), found(198, value=500), found(305), found(900)]
    score.judge("sen", discs, coins, "tray 1")
    assert (score.right, score.wrong, score.unsure, score.missed) == (1, 1, 1, 1)
    assert (score.others, score.taken, score.coins) == (1, 0, 4)
    assert score.faults == ["tray 1: taken for Rp500"]


def test_another_coin_that_takes_the_name_is_told_of() -> None:
    score = Score()
    coins = [found(100, name="sen"), found(300, name="sen"), found(500, name="baht")]
    score.judge("sen", [(100.0, 100.0, 30.0)], coins, "tray 2")
    assert (score.right, score.others, score.taken) == (1, 2, 1)
    assert "300" in score.faults[0]


def test_a_name_taught_as_rupiah_of_another_kind_is_not_right() -> None:
    score = Score()
    score.judge("sen", [(100.0, 100.0, 30.0)], [found(100, name="baht")], "tray 3")
    assert score.right == 0


def scores(right: int, unsure: int, taken: int, sort: str = "same tray") -> list:
    score = Score(right=right, unsure=unsure, others=1000, taken=taken)
    return [(Kind("koin", []), {(sort, "frames"): score})]


def test_the_goal_is_missed_by_unsure_coins_and_by_taken_names(capsys) -> None:
    assert report(scores(96, 4, 5))
    assert not report(scores(94, 6, 0))
    assert not report(scores(100, 0, 6))
    assert "94 of 100 right" in capsys.readouterr().out


def test_worn_coins_may_be_unsure_but_no_name_may_be_taken() -> None:
    assert report(scores(10, 90, 0, "worn"))
    assert not report(scores(100, 0, 6, "worn"))


def test_both_faces_of_a_drawn_kind_are_of_one_metal_and_size() -> None:
    one, other = (OTHERS[name] for name in faces_of(3, 9))
    assert one.metal == other.metal and one.diameter == other.diameter
    assert one.name != other.name


def test_every_photographed_face_has_views_and_a_coin_besides() -> None:
    pictures: dict[tuple[str, str], set[str]] = {}
    for kind, face, picture, _ in photographed_faces():
        pictures.setdefault((kind, face), set()).add(picture)
    assert len({kind for kind, _ in pictures}) == 11
    assert all(len(names) > VIEWS for names in pictures.values()), pictures.keys()
