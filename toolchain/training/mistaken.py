"""Cuts out what the product itself mistakes for coins on pictures that show none.

The built `receh` counts the training backgrounds; every disc it lists becomes a "not-a-coin"
cut-out in mistaken.npz, for the classifier's next training.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

import cv2
import numpy as np

from training.appearance import CUTOUT_RADIUS, CUTOUT_SIZE
from training.faces import NOT_A_COIN
from training.not_coins import training_backgrounds
from training.outline import Pixels


def cut_disc(picture: Pixels, x: float, y: float, diameter: float) -> Pixels:
    """The square around a disc as a cut-out: uint8 [256, 256, 3], outline radius 104."""
    scale = 2 * CUTOUT_RADIUS / diameter
    matrix = np.array(
        [
            [scale, 0, CUTOUT_SIZE / 2 - scale * x],
            [0, scale, CUTOUT_SIZE / 2 - scale * y],
        ]
    )
    size = (CUTOUT_SIZE, CUTOUT_SIZE)
    return cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="mistaken", description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="where mistaken.npz is written")
    parser.add_argument("--receh", type=Path, required=True, help="the built command")
    parser.add_argument("--model", type=Path, help="count with this model file")
    parser.add_argument("--excluded", type=Path, help="a list of pictures never to read")
    arguments = parser.parse_args()
    excluded = set(arguments.excluded.read_text().split()) if arguments.excluded else set()
    files = [f for f in training_backgrounds() if not any(str(f).endswith(e) for e in excluded)]
    command = [str(arguments.receh), "count", "--json"]
    if arguments.model:
        command += ["--model", str(arguments.model)]
    run = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, check=False)
    # Status 1 with lines is a picture that could not be counted among others that were.
    if run.returncode not in (0, 1) or not run.stdout:
        parser.exit(1, f"mistaken: {arguments.receh} failed: {run.stderr.strip()}\n")
    images, groups = [], []
    for line in run.stdout.splitlines():
        row = json.loads(line)
        if not row["coins"]:
            continue
        picture = cv2.imread(row["file"])[:, :, ::-1]
        for coin in row["coins"]:
            images.append(cut_disc(picture, coin["x"], coin["y"], coin["diameter"]))
            groups.append(f"{Path(row['file']).stem}-{len(images)}")
    count = len(images)
    np.savez(
        arguments.cache / "mistaken.npz",
        image=np.array(images, np.uint8).reshape(-1, CUTOUT_SIZE, CUTOUT_SIZE, 3),
        usable=np.ones((count, CUTOUT_SIZE, CUTOUT_SIZE), np.uint8),
        face=np.array([NOT_A_COIN] * count),
        source=np.array(["mistaken"] * count),
        group=np.array(groups),
        split=np.array(["train"] * count),
    )
    print(f"{arguments.cache}/mistaken.npz: {count} discs on {len(files)} pictures")


if __name__ == "__main__":
    main()
