"""The table of coin faces the classifier tells apart."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

FOREIGN = "foreign"
"""A coin that is not named. Faces such as "foreign-euro-1c" are of this kind too: a network that
tells the strangers it has met from one another keeps new ones apart from rupiah better than one
that has a single class for them all."""
NOT_A_COIN = "not-a-coin"


@dataclass(frozen=True)
class Face:
    """One side of one series: its value in rupiah (0 where none is named) and its size."""

    name: str
    value: int
    withdrawn: bool
    diameter: float  # millimetres, 0 where unknown
    metal: str
    kind: str  # what stands on it


def is_foreign(name: str) -> bool:
    """Whether a face is one of a coin that is not named."""
    return name == FOREIGN or name.startswith(f"{FOREIGN}-")


def read_faces() -> list[Face]:
    """All faces of faces.csv in the order of the classes; "not-a-coin" comes last."""
    with (Path(__file__).parent / "faces.csv").open() as file:
        faces = [
            Face(
                row["face"],
                int(row["value"]),
                row["withdrawn"] == "1",
                float(row["diameter_mm"] or 0),
                row["metal"],
                row["kind"],
            )
            for row in csv.DictReader(file)
        ]
    others = [face for face in faces if face.name != NOT_A_COIN]
    return [*others, Face(NOT_A_COIN, 0, False, 0, "", NOT_A_COIN)]
