"""Tests of the readers of one's own labelled photographs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from training.datasets import LabelledBox, coin_class, read_dataset
from training.labels import DataError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one picture, 200 x 100."""
    (tmp_path / "images").mkdir()
    Image.new("RGB", (200, 100)).save(tmp_path / "images" / "a.png")
    Image.new("RGB", (200, 100)).save(tmp_path / "a.png")
    return tmp_path


def write_create_ml(folder: Path, **changes: object) -> None:
    coordinates = {"x": 60, "y": 50, "width": 40, "height": 30} | changes
    rows = [{"image": "a.png", "annotations": [{"label": "Rp500", "coordinates": coordinates}]}]
    (folder / "Annotations.json").write_text(json.dumps(rows))


def write_coco(folder: Path, bbox: list[float], category: int = 7) -> None:
    content = {
        "images": [{"id": 1, "file_name": "a.png", "width": 200, "height": 100}],
        "categories": [{"id": 7, "name": "500-2016-number"}],
        "annotations": [{"image_id": 1, "category_id": category, "bbox": bbox}],
    }
    (folder / "coco.json").write_text(json.dumps(content))


def write_yolo(folder: Path, line: str) -> None:
    (folder / "labels").mkdir()
    (folder / "labels" / "a.txt").write_text(line)
    (folder / "data.yaml").write_text("names: ['100', '500']\n")


def test_create_ml_boxes_are_given_by_their_centres(folder: Path) -> None:
    write_create_ml(folder)
    assert read_dataset(folder)[0].boxes == (LabelledBox("Rp500", 40, 35, 40, 30),)


def test_coco_boxes_are_given_by_their_corners(folder: Path) -> None:
    write_coco(folder, [40, 35, 40, 30])
    assert read_dataset(folder)[0].boxes == (LabelledBox("500-2016-number", 40, 35, 40, 30),)


def test_yolo_boxes_are_shares_of_the_picture(folder: Path) -> None:
    write_yolo(folder, "1 0.3 0.5 0.2 0.3\n")
    (box,) = read_dataset(folder)[0].boxes
    assert box.name == "500"
    assert (box.left, box.top, box.width, box.height) == pytest.approx((40, 35, 40, 30))


def test_yolo_names_may_be_a_numbered_table(folder: Path) -> None:
    write_yolo(folder, "1 0.3 0.5 0.2 0.3\n")
    (folder / "data.yaml").write_text("train: images\nnames:\n  0: '100'\n  1: foreign\nnc: 2\n")
    assert read_dataset(folder)[0].boxes[0].name == "foreign"


def test_a_rotated_phone_picture_is_measured_as_displayed(folder: Path) -> None:
    exif = Image.Exif()
    exif[274] = 6
    Image.new("RGB", (200, 100)).save(folder / "a.png", exif=exif)
    write_create_ml(folder, x=50, y=180)
    assert read_dataset(folder)[0].boxes[0].top == 165


def test_a_box_outside_the_picture_is_refused(folder: Path) -> None:
    write_create_ml(folder, x=195)
    with pytest.raises(DataError, match=r"entry 0, annotation 0.*200 x 100"):
        read_dataset(folder)


def test_a_box_without_a_number_is_refused(folder: Path) -> None:
    write_create_ml(folder, width=None)
    with pytest.raises(DataError, match="`width` must be a number"):
        read_dataset(folder)


def test_an_unknown_category_is_refused(folder: Path) -> None:
    write_coco(folder, [0, 0, 10, 10], category=9)
    with pytest.raises(DataError, match="no category has the id 9"):
        read_dataset(folder)


def test_a_broken_yolo_line_is_named(folder: Path) -> None:
    write_yolo(folder, "1 0.3 0.5 0.2 0.3\n1 0.3 half 0.2 0.3\n")
    with pytest.raises(DataError, match=r"a\.txt:2: expected `class x y w h`"):
        read_dataset(folder)


def test_a_class_without_a_name_is_refused(folder: Path) -> None:
    write_yolo(folder, "2 0.3 0.5 0.2 0.3\n")
    with pytest.raises(DataError, match="class 2 is not one of"):
        read_dataset(folder)


def test_a_missing_picture_is_named(folder: Path) -> None:
    write_create_ml(folder)
    (folder / "a.png").unlink()
    with pytest.raises(DataError, match=r"a\.png is missing"):
        read_dataset(folder)


def test_broken_json_is_named(folder: Path) -> None:
    (folder / "Annotations.json").write_text('[{"image": ')
    with pytest.raises(DataError, match=r"Annotations\.json: not readable as JSON"):
        read_dataset(folder)


def test_a_folder_without_labels_says_what_was_expected(folder: Path) -> None:
    with pytest.raises(DataError, match="Create ML or COCO"):
        read_dataset(folder)


@pytest.mark.parametrize(
    ("name", "face", "value"),
    [
        ("500", None, 500),
        ("Rp 1.000", None, 1000),
        ("100 rupiah", None, 100),
        ("1000-2010-Angklung", "1000-2010-angklung", 1000),
        ("foreign", "foreign", 0),
    ],
)
def test_a_label_names_a_face_or_a_value(name: str, face: str | None, value: int) -> None:
    said = coin_class(name, "here")
    assert (said.face, said.value) == (face, value)


@pytest.mark.parametrize("name", ["5000", "coin", "25", "500-1999-garuda", "0"])
def test_a_label_that_names_neither_is_refused(name: str) -> None:
    with pytest.raises(DataError, match="here: the label"):
        coin_class(name, "here")
