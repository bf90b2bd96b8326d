"""Which coins the photographs hold: boxes from label files, faces from face_labels.csv."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from training.faces import FOREIGN, read_faces
from training.outline import Pixels

HERE = Path(__file__).resolve().parent

SOURCES = {
    "rupiah/phone-a": "phone-a",
    "rupiah/phone-b": "phone-b",
    "rupiah/tiles/ds1": "ds1",
    "rupiah/tiles/ds2": "ds2",
    "rupiah/scans": "scans",
    "rupiah/catalogue": "catalogue",
    "rupiah/scenes": "scenes",
    "rupiah/singles": "singles",
    "foreign/thai": "thai",
    "foreign/euro-crops": "euro-crops",
    "foreign/euro": "euro",
    "foreign/malaysia": "malaysia",
}
OWN = "own"
"""The source of photographs that a user adds."""
WHOLE_FRAME = ("scans", "catalogue")
"""Sources without boxes, one coin a picture on an even ground."""


class DataError(Exception):
    """A table, label or picture is wrong; the message names it and the way out."""


@dataclass(frozen=True)
class Coin:
    """One labelled coin of one picture."""

    picture: str
    """Path relative to the data folder."""
    number: str
    """Its line in the label file, or a letter for a coin that has none."""
    face: str
    mirrored: bool
    quality: str
    group: str
    box: tuple[float, float, float, float] | None
    """left, top, width, height in pixels; None: the whole frame."""
    fixed: bool = False
    """The box is the outline itself: drawings hide the edge from the fit."""

    own: bool = False
    """One of the user's own photographs; its path stands by itself."""

    @property
    def source(self) -> str:
        """The source's short name."""
        return OWN if self.own else source_of(self.picture)

    @property
    def origin(self) -> str:
        """Names the coin: picture#number."""
        return f"{self.picture}#{self.number}"


def source_of(picture: str) -> str:
    """The source a picture belongs to, by its path below the data folder."""
    for prefix, name in SOURCES.items():
        if picture.startswith(prefix):
            return name
    raise DataError(f"{picture}: belongs to no known source; add its folder to SOURCES")


def read_picture(path: Path) -> Pixels:
    """A picture as displayed, RGB."""
    try:
        with Image.open(path) as image:
            return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    except OSError as error:
        raise DataError(f"{path}: no readable picture ({error}); re-save or remove it") from None


def read_boxes(picture: Path) -> list[tuple[int, float, float, float, float]]:
    """The YOLO boxes beside a picture: class, then centre and size as fractions."""
    path = picture.parent.parent / "labels" / (picture.stem + ".txt")
    if not path.exists():
        return []
    boxes = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip():
            continue
        fields = line.split()
        try:
            name, x, y, w, h = int(fields[0]), *(float(v) for v in fields[1:])
        except (ValueError, TypeError):
            raise DataError(f"{path}:{number}: expected `class x y w h`, found {line!r}") from None
        boxes.append((name, x, y, w, h))
    return boxes


def pixel_box(
    box: tuple[int, float, float, float, float], size: tuple[int, int]
) -> tuple[float, float, float, float]:
    """A YOLO box as left, top, width, height in pixels of a picture of (width, height)."""
    _, x, y, w, h = box
    return (x - w / 2) * size[0], (y - h / 2) * size[1], w * size[0], h * size[1]


def read_labels(data: Path, path: Path = HERE / "face_labels.csv") -> list[Coin]:
    """The rupiah coins of face_labels.csv, with their boxes; dropped ones left out."""
    faces = {face.name for face in read_faces()}
    coins = []
    with path.open(newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            where = f"{path.name}:{number}"
            if row["face"] not in faces:
                raise DataError(f"{where}: no face {row['face']!r} in faces.csv")
            if row["quality"] not in ("good", "poor", "drop"):
                raise DataError(f"{where}: quality is good, poor or drop, not {row['quality']!r}")
            if row["quality"] == "drop":
                continue
            picture = data / row["picture"]
            if not picture.exists():
                raise DataError(f"{where}: {picture} is missing; is --data right?")
            box = None
            if row["width"]:
                box = (
                    float(row["left"]),
                    float(row["top"]),
                    float(row["width"]),
                    float(row["height"]),
                )
            elif source_of(row["picture"]) not in WHOLE_FRAME:
                boxes = read_boxes(picture)
                if not row["coin"].isdigit() or int(row["coin"]) >= len(boxes):
                    raise DataError(f"{where}: the label file has no box {row['coin']!r}")
                with Image.open(picture) as image:
                    box = pixel_box(boxes[int(row["coin"])], ImageOps.exif_transpose(image).size)
            coins.append(
                Coin(
                    row["picture"],
                    row["coin"],
                    row["face"],
                    row["mirrored"] == "1",
                    row["quality"],
                    row["group"] or f"{row['picture']}#{row['coin']}",
                    box,
                    row["outline"] == "fixed",
                )
            )
    return coins


EURO = ("1c", "2c", "5c", "10c", "20c", "50c", "1e", "2e")
"""What the classes of the euro photographs mean."""


def _foreign_face(source: str, kind: int) -> str:
    """The face of a foreign coin whose label says `kind`."""
    if source == "euro":
        return f"{FOREIGN}-euro-{EURO[kind]}"
    # Thai satang are too few for a class; their two-baht neighbours look like them.
    return f"{FOREIGN}-{source}-{min(kind, 3) if source == 'thai' else kind}"


def read_foreign(data: Path) -> list[Coin]:
    """Every labelled coin of the foreign sources."""
    coins = []
    for name in ("thai", "euro", "malaysia"):
        for picture in sorted((data / "foreign" / name / "images").iterdir()):
            with Image.open(picture) as image:
                size = ImageOps.exif_transpose(image).size
            relative = str(picture.relative_to(data))
            for number, box in enumerate(read_boxes(picture)):
                coins.append(
                    Coin(
                        relative,
                        str(number),
                        _foreign_face(name, box[0]),
                        False,
                        "good",
                        relative,
                        pixel_box(box, size),
                    )
                )
    for picture in sorted((data / "foreign" / "euro-crops").glob("*/*")):
        relative = str(picture.relative_to(data))
        share = {"1c": 0.60, "2c": 0.70, "5c": 0.77, "10c": 0.73, "20c": 0.82, "50c": 0.88}
        side = 150 * share.get(picture.parent.name, 0.88)
        low = 75 - side / 2
        face = f"{FOREIGN}-euro-{picture.parent.name}"
        coins.append(Coin(relative, "0", face, False, "good", relative, (low, low, side, side)))
    return coins


def read_eval(data: Path) -> set[str]:
    """The pictures that training must not see."""
    lines = (data / "eval.txt").read_text().split("\n")
    return {line.strip() for line in lines if line.strip() and not line.startswith("#")}
