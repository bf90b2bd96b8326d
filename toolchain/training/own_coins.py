"""Adds a user's own photographs: boxes from any labelling tool, faces found where not named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from training.datasets import coin_class, read_dataset
from training.duplicates import correlations, signature
from training.faces import read_faces
from training.labels import Coin

if TYPE_CHECKING:
    from training.cutouts import Cutout

_UNNAMED = "value:"
LIKE = 0.30
"""Correlation with known coins of a face from which an unnamed coin may show it: between sources,
wrong faces were seen to reach 0.29 when they led."""
LEAD = 0.06
"""By how much the best face must lead the second."""


def read_own(folder: Path) -> list[Coin]:
    """Every labelled coin of a folder; faces not named are marked by their value."""
    coins = []
    for picture in read_dataset(folder):
        path = str(picture.path.resolve())
        for number, box in enumerate(picture.boxes):
            said = coin_class(box.name, path)
            coins.append(
                Coin(
                    path,
                    str(number),
                    said.face or f"{_UNNAMED}{said.value}",
                    False,
                    "good",
                    path,
                    (box.left, box.top, box.width, box.height),
                    own=True,
                )
            )
    return coins


def find_faces(cutouts: list[Cutout]) -> tuple[list[Cutout], list[tuple[Coin, str]]]:
    """Gives unnamed coins the face of their value that known cut-outs look most like.

    Returns the cut-outs that now have faces, and those whose face is unclear with the reason.
    """
    unnamed = [c for c in cutouts if c.coin.face.startswith(_UNNAMED)]
    if not unnamed:
        return cutouts, []
    named = [c for c in cutouts if not c.coin.face.startswith(_UNNAMED)]
    faces = {face.name: face.value for face in read_faces()}
    unclear: list[tuple[Coin, str]] = []
    for cutout in unnamed:
        value = int(cutout.coin.face.removeprefix(_UNNAMED))
        gallery = [c for c in named if faces[c.coin.face] == value and not c.coin.own]
        scores: dict[str, float] = {}
        if gallery:
            known = np.stack([_mark(c) for c in gallery])
            score = correlations(_mark(cutout)[None], known)[0]
            for face in {c.coin.face for c in gallery}:
                best = np.sort(score[[c.coin.face == face for c in gallery]])[-3:]
                scores[face] = float(best.mean())
        ranked = sorted(scores, key=lambda face: -scores[face])
        second = scores[ranked[1]] if len(ranked) > 1 else 0.0
        if ranked and scores[ranked[0]] >= LIKE and scores[ranked[0]] - second >= LEAD:
            named.append(replace(cutout, coin=replace(cutout.coin, face=ranked[0])))
        else:
            reason = f"which face of Rp{value} it shows is unclear; label it by its face's name"
            unclear.append((cutout.coin, reason))
    return named, unclear


def _mark(cutout: Cutout) -> np.ndarray:
    return signature(cutout.image, cutout.usable, 104.0)
