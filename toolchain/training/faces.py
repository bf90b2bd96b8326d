"""The table of coin faces the classifier tells apart."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

FOREIGN = "foreign"
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
