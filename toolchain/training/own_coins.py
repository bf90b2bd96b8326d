"""Adds a user's own photographs: boxes from any labelling tool, faces found where not named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from training.datasets import coin_class, read_dataset
from training.graph import Graph
from training.integer_reference import dequantise, run_graph
from training.labels import HERE, Coin, DataError
from training.model_file import read_model

if TYPE_CHECKING:
    from training.cutouts import Cutout

MODEL = HERE.parents[1] / "Sources" / "CModel" / "receh.model"
"""The model that names the faces of coins labelled by their value alone."""
SURE = 0.8
"""Probability, among the faces of the value, from which a face is taken."""

_UNNAMED = "value:"
_TURNS = 3


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


def find_faces(
    cutouts: list[Cutout], model: Path = MODEL
) -> tuple[list[Cutout], list[tuple[Coin, str]]]:
    """Lets the model say which face of its value an unnamed coin shows.

    Returns the cut-outs that now have faces, and those whose face is unclear with the reason.
    """
    if not any(c.coin.face.startswith(_UNNAMED) for c in cutouts):
        return cutouts, []
    graphs, labels, _ = read_model(model)
    classifier = next((graph for graph in graphs if graph.name == "classifier"), None)
    if classifier is None:
        raise DataError(f"{model} has no classifier to name faces; label coins by their faces")
    named: list[Cutout] = []
    unclear: list[tuple[Coin, str]] = []
    for cutout in cutouts:
        if not cutout.coin.face.startswith(_UNNAMED):
            named.append(cutout)
            continue
        value = int(cutout.coin.face.removeprefix(_UNNAMED))
        logits = _logits(classifier, cutout.image)
        scores = {k.name: x for k, x in zip(labels, logits, strict=True) if k.value == value}
        face = max(scores, key=lambda name: scores[name])
        share = 1 / sum(np.exp(score - scores[face]) for score in scores.values())
        if share >= SURE:
            named.append(replace(cutout, coin=replace(cutout.coin, face=face)))
        else:
            reason = f"which face of Rp{value} it shows is unclear; label it by its face's name"
            unclear.append((cutout.coin, reason))
    return named, unclear


def _logits(classifier: Graph, image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The classifier's mean logits for a cut-out, at a few rotations."""
    source = classifier.tensors[classifier.inputs["pixels"]]
    rows, columns = source.height, source.width
    total = np.float32(0)
    for turn in range(_TURNS):
        angle = 2 * np.pi * (np.arange(columns) + 0.5 + turn * columns / _TURNS) / columns
        radius = 104.0 * 1.10 * (np.arange(rows)[:, None] + 0.5) / rows
        middle = image.shape[0] / 2 - 0.5
        polar = cv2.remap(
            image,
            (middle + radius * np.cos(angle)).astype(np.float32),
            (middle + radius * np.sin(angle)).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        pixels = (polar.astype(np.int16) - 128).astype(np.int8)
        outputs = run_graph(classifier, {"pixels": pixels[None]})
        logits = dequantise(classifier.tensors[classifier.outputs["logits"]], outputs["logits"])
        total = total + logits.reshape(-1) / _TURNS
    return np.asarray(total)
