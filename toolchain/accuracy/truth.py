"""The truth about the evaluation photographs: every coin, where it lies and which face shows.

`truth.csv` beside this file holds numbers and names only.  `python -m accuracy.truth` writes it
anew from the data folder's boxes and the table of face labels.
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageOps

from training.faces import FOREIGN, Face, read_faces
from training.labels import HERE as TRAINING
from training.labels import DataError, pixel_box, read_boxes, read_eval, source_of

TABLE = Path(__file__).resolve().parent / "truth.csv"
_COLUMNS = ("picture", "coin", "left", "top", "width", "height", "face", "group")


@dataclass(frozen=True)
class TrueCoin:
    """A coin that lies in a picture; its box in pixels of the picture as displayed."""

    origin: str
    left: float
    top: float
    width: float
    height: float
    face: Face
    group: str
    """Coins of one group are one coin photographed twice: they count once in intervals."""

    @property
    def value(self) -> int:
        """Rupiah; 0 for a coin that must not be named."""
        return self.face.value

    @property
    def legal(self) -> int:
        """What the coin adds to the total."""
        return 0 if self.face.withdrawn else self.face.value

    @property
    def centre(self) -> tuple[float, float]:
        """The centre in pixels."""
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def diameter(self) -> float:
        """The longer axis in pixels."""
        return max(self.width, self.height)


@dataclass(frozen=True)
class TruePicture:
    """One evaluation photograph."""

    name: str
    source: str
    coins: list[TrueCoin] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The legal tender in the picture, in rupiah."""
        return sum(coin.legal for coin in self.coins)


def source_name(picture: str) -> str:
    """The source a picture is reported under."""
    return "backgrounds" if picture.startswith("backgrounds/") else source_of(picture)


def read_truth(data: Path, table: Path = TABLE) -> list[TruePicture]:
    """Every picture of eval.txt, with its coins."""
    faces = {face.name: face for face in read_faces()}
    pictures = {name: TruePicture(name, source_name(name)) for name in sorted(read_eval(data))}
    with table.open(newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            where = f"{table.name}:{number}"
            if row["picture"] not in pictures:
                raise DataError(f"{where}: {row['picture']} not in eval.txt; write truth.csv anew")
            if row["face"] not in faces:
                raise DataError(f"{where}: no face {row['face']!r} in faces.csv")
            left, top, width, height = (
                float(row[name]) for name in ("left", "top", "width", "height")
            )
            origin = f"{row['picture']}#{row['coin']}"
            pictures[row["picture"]].coins.append(
                TrueCoin(
                    origin, left, top, width, height, faces[row["face"]], row["group"] or origin
                )
            )
    return list(pictures.values())


def write_truth(data: Path, table: Path = TABLE) -> int:
    """Writes truth.csv from the label files and face_labels.csv; how many coins it has."""
    with (TRAINING / "face_labels.csv").open(newline="") as file:
        labels = {(row["picture"], row["coin"]): row for row in csv.DictReader(file)}
    rows = []
    for name in sorted(read_eval(data)):
        with Image.open(data / name) as image:
            size = ImageOps.exif_transpose(image).size
        for number, box in enumerate(read_boxes(data / name)):
            left, top, width, height = pixel_box(box, size)
            if max(width, height) < 8:
                continue  # A slip of the labeller's mouse.
            label = labels.get((name, str(number)))
            if label is None and not name.startswith("foreign/"):
                raise DataError(f"{name}: coin {number} has no face in face_labels.csv")
            rows.append(
                [
                    name, number, *(round(v, 1) for v in (left, top, width, height)),
                    label["face"] if label else FOREIGN, label["group"] if label else "",
                ]
            )  # fmt: skip
    with table.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows(rows)
    return len(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the data folder")
    print(f"{TABLE}: {write_truth(parser.parse_args().data)} coins")
