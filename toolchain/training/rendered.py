"""Coins drawn by the renderer, in the form of cut-outs, for the faces photographs lack.

Each face is struck several times with other light, wear and metal; what lies around a coin is
the renderer's own ground. They are a source of their own called "rendered".
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from renderer import FACES, OTHERS, OUTLINE, render_coin
from training.appearance import CUTOUT_RADIUS, CUTOUT_SIZE
from training.faces import FOREIGN, NOT_A_COIN

# What the classifier calls the renderer's things that are no rupiah coin.
STRANGERS = {"foreign": FOREIGN, "washer": NOT_A_COIN, "button": NOT_A_COIN, "cap": NOT_A_COIN}


def draw_cutout(name: str, random: np.random.Generator) -> NDArray[np.uint8]:
    """One coin on a plain ground of any colour: uint8 [256, 256, 3], outline radius 104."""
    size = 256
    picture, _ = render_coin(name, size, random)
    alpha = picture[..., 3:].astype(np.float32) / 255
    ground = np.full((size, size, 3), random.uniform(0, 255, 3) if random.random() < 0.5
                     else random.uniform(0, 255), np.float32)
    together = picture[..., :3] * alpha + ground * (1 - alpha)
    scale = CUTOUT_RADIUS / (OUTLINE * size / 2)
    shift = CUTOUT_SIZE / 2 - scale * size / 2
    matrix = np.array([[scale, 0, shift], [0, scale, shift]], np.float32)
    return cv2.warpAffine(
        together, matrix, (CUTOUT_SIZE, CUTOUT_SIZE), flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_REPLICATE,
    ).round().clip(0, 255).astype(np.uint8)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="rendered", description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="where rendered.npz is written")
    parser.add_argument("--each", type=int, default=40, help="pictures of each face")
    parser.add_argument("--strangers", type=int, default=120, help="pictures of each other thing")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random = np.random.default_rng(arguments.seed)
    images, faces = [], []
    for name in FACES:
        for _ in range(arguments.each):
            images.append(draw_cutout(name, random))
            faces.append(name)
    for name in OTHERS:
        for _ in range(arguments.strangers):
            images.append(draw_cutout(name, random))
            faces.append(STRANGERS[name])
    count = len(images)
    np.savez(
        arguments.cache / "rendered.npz",
        image=np.stack(images),
        usable=np.ones((count, CUTOUT_SIZE, CUTOUT_SIZE), np.uint8),
        face=np.array(faces),
        source=np.array(["rendered"] * count),
        group=np.array([f"{face}-{i}" for i, face in enumerate(faces)]),
        split=np.array(["train"] * count),
    )
    print(f"{arguments.cache}/rendered.npz: {count} coins")


if __name__ == "__main__":
    main()
