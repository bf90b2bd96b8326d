"""Reads photographs of one's own coins, labelled with any common tool.

Three formats are understood, told apart by what the folder holds:

- Create ML: a JSON list of `{"image", "annotations": [{"label", "coordinates": {x, y, width,
  height}}]}`; x and y are the box's *centre* in pixels.
- COCO: a JSON object with `images`, `annotations` (`bbox` = left, top, width, height in pixels)
  and `categories`.
- YOLO text: a folder `labels` beside `images`, lines `class x y w h` (centre and size as shares of
  the picture), and the class names in `classes.txt` or `data.yaml`.

A label names a face of faces.csv ("500-2016-number"), a value ("500", "Rp500"; the face is then
found by comparing pictures), or "foreign" for any other coin.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps

from training.faces import FOREIGN, read_faces
from training.labels import DataError

PICTURES = (".jpg", ".jpeg", ".png")


@dataclass(frozen=True)
class LabelledBox:
    """One labelled coin: its box in pixels of the picture as displayed."""

    name: str
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class LabelledPicture:
    """One photograph with its boxes."""

    path: Path
    boxes: tuple[LabelledBox, ...]


@dataclass(frozen=True)
class CoinClass:
    """What a label says: a face, or only a value."""

    face: str | None
    value: int


def coin_class(name: str, where: str) -> CoinClass:
    """The face or value that a label names; `where` goes into the error."""
    faces = {face.name: face for face in read_faces()}
    cleaned = name.strip().lower()
    if cleaned in faces:
        return CoinClass(cleaned, faces[cleaned].value)
    if cleaned in ("other", "another coin", "asing"):
        return CoinClass(FOREIGN, 0)
    number = re.fullmatch(r"(?:rp\.?\s*)?(\d{1,2}\.\d{3}|\d+)(?:\s*rupiah)?", cleaned)
    value = int(number.group(1).replace(".", "")) if number else 0
    if value in {face.value for face in faces.values()} - {0}:
        return CoinClass(None, value)
    raise DataError(
        f"{where}: the label {name!r} is no value (50, 100, 200, 500, 1000), no face of faces.csv "
        "and not 'foreign'; rename it"
    )


def read_dataset(folder: Path) -> list[LabelledPicture]:
    """All labelled photographs of a folder, in the order of the label files."""
    if not folder.is_dir():
        raise DataError(f"{folder}: no such folder")
    pictures: list[LabelledPicture] = []
    for path in sorted(folder.rglob("*.json")):
        content = _read_json(path)
        if isinstance(content, list):
            pictures += _create_ml(path, content)
        elif isinstance(content, dict) and "annotations" in content and "images" in content:
            pictures += _coco(path, content)
    for labels in sorted(folder.rglob("labels")):
        if labels.is_dir():
            pictures += _yolo(folder, labels)
    if not pictures:
        raise DataError(
            f"{folder}: no labelled photographs; expected a Create ML or COCO .json, "
            "or YOLO text in a folder labels/"
        )
    return pictures


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except (ValueError, OSError) as error:
        raise DataError(f"{path}: not readable as JSON ({error}); export it again") from None


def _picture_size(path: Path, where: str) -> tuple[int, int]:
    try:
        with Image.open(path) as image:
            return ImageOps.exif_transpose(image).size
    except OSError:
        raise DataError(f"{where}: the picture {path} is missing or unreadable") from None


def _checked(
    name: str, box: tuple[float, float, float, float], size: tuple[int, int], where: str
) -> LabelledBox:
    """The box, if it lies in the picture (two pixels of slack for rounding)."""
    left, top, width, height = box
    inside = (
        left >= -2 and top >= -2 and left + width <= size[0] + 2 and top + height <= size[1] + 2
    )
    if not (width >= 1 and height >= 1 and inside):
        raise DataError(
            f"{where}: the box {[round(v, 1) for v in box]} (left, top, width, height) does not "
            f"lie in the picture of {size[0]} x {size[1]} pixels"
        )
    coin_class(name, where)
    return LabelledBox(name, left, top, width, height)


def _number(table: Any, key: str, where: str) -> float:
    value = table.get(key) if isinstance(table, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{where}: `{key}` must be a number, found {value!r}")
    return float(value)


def _field(table: Any, key: str, kind: type, where: str) -> Any:
    value = table.get(key) if isinstance(table, dict) else None
    if not isinstance(value, kind):
        raise DataError(f"{where}: `{key}` must be a {kind.__name__}, found {value!r}")
    return value


def _create_ml(path: Path, rows: list[Any]) -> list[LabelledPicture]:
    pictures = []
    for index, row in enumerate(rows):
        where = f"{path}, entry {index}"
        # Create ML itself writes "image", some converters "imagefilename".
        key = "image" if isinstance(row, dict) and "image" in row else "imagefilename"
        picture = path.parent / _field(row, key, str, where)
        size = _picture_size(picture, where)
        boxes = []
        for number, entry in enumerate(_field(row, "annotations", list, where)):
            spot = f"{where}, annotation {number}"
            place = _field(entry, "coordinates", dict, spot)
            x, y, width, height = (
                _number(place, name, spot) for name in ("x", "y", "width", "height")
            )
            label = _field(entry, "label", str, spot)
            box = (x - width / 2, y - height / 2, width, height)
            boxes.append(_checked(label, box, size, spot))
        pictures.append(LabelledPicture(picture, tuple(boxes)))
    return pictures


def _coco(path: Path, content: dict[str, Any]) -> list[LabelledPicture]:
    names = {}
    for row in _field(content, "categories", list, str(path)):
        names[row.get("id")] = _field(row, "name", str, f"{path}, categories")
    pictures: dict[Any, tuple[Path, tuple[int, int], list[LabelledBox]]] = {}
    for index, row in enumerate(_field(content, "images", list, str(path))):
        where = f"{path}, image {index}"
        name = _field(row, "file_name", str, where)
        beside = [path.parent / name, path.parent / "images" / name, path.parent.parent / name]
        picture = next((p for p in beside if p.exists()), beside[0])
        pictures[row.get("id")] = (picture, _picture_size(picture, where), [])
    for index, row in enumerate(_field(content, "annotations", list, str(path))):
        where = f"{path}, annotation {index}"
        box = _field(row, "bbox", list, where)
        if len(box) != 4 or not all(isinstance(v, int | float) for v in box):
            raise DataError(f"{where}: `bbox` must be four numbers, found {box!r}")
        if row.get("image_id") not in pictures:
            raise DataError(f"{where}: no image has the id {row.get('image_id')!r}")
        if row.get("category_id") not in names:
            raise DataError(f"{where}: no category has the id {row.get('category_id')!r}")
        _, size, boxes = pictures[row["image_id"]]
        left, top, width, height = (float(v) for v in box)
        boxes.append(_checked(names[row["category_id"]], (left, top, width, height), size, where))
    return [LabelledPicture(picture, tuple(boxes)) for picture, _, boxes in pictures.values()]


def _class_names(folder: Path, labels: Path) -> list[str]:
    """Names from classes.txt, or from the `names` of data.yaml (a list or a numbered table)."""
    for place in (labels, labels.parent, folder):
        plain = place / "classes.txt"
        if plain.exists():
            return [line.strip() for line in plain.read_text().splitlines() if line.strip()]
        table = place / "data.yaml"
        if table.exists():
            text = table.read_text()
            inline = re.search(r"^names:\s*\[(.*?)\]", text, re.MULTILINE | re.DOTALL)
            if inline:
                return [part.strip().strip("'\"") for part in inline.group(1).split(",")]
            block = re.search(r"^names:\s*\n((?:[ \t-]+\S.*\n?)+)", text, re.MULTILINE)
            if block:
                lines = block.group(1).splitlines()
                return [re.sub(r"^\s*(?:-|\d+\s*:)\s*", "", v).strip("'\" ") for v in lines]
            raise DataError(f"{table}: found no `names:` with the classes' names")
    raise DataError(f"{labels}: YOLO labels need the classes' names in classes.txt or data.yaml")


def _yolo(folder: Path, labels: Path) -> list[LabelledPicture]:
    files = [path for path in sorted(labels.glob("*.txt")) if path.name != "classes.txt"]
    if not files:
        return []
    names = _class_names(folder, labels)
    pictures = []
    for path in files:
        candidates = [
            place / (path.stem + ending)
            for place in (labels.parent / "images", labels)
            for ending in PICTURES
        ]
        picture = next((p for p in candidates if p.exists()), candidates[0])
        size = _picture_size(picture, str(path))
        boxes = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            try:
                index, x, y, width, height = (float(v) for v in line.split())
            except ValueError:
                raise DataError(f"{where}: expected `class x y w h`, found {line!r}") from None
            if not (index.is_integer() and 0 <= index < len(names)):
                raise DataError(f"{where}: class {line.split()[0]} is not one of {names}")
            box = (
                (x - width / 2) * size[0],
                (y - height / 2) * size[1],
                width * size[0],
                height * size[1],
            )
            boxes.append(_checked(names[int(index)], box, size, where))
        pictures.append(LabelledPicture(picture, tuple(boxes)))
    return pictures
