"""Finds near-duplicates of the evaluation pictures among the training pictures.

Web pictures travel: the same scan turns up in many collections, cropped, recoloured, mirrored or
turned.  A coin's signature is its polar unwrap, freed of light, colour and rim; two coins are the
same picture when their unwraps correlate at some rotation.  Whole pictures are compared by a
perceptual hash.  Exit status 1 when a training coin duplicates an evaluation coin.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.folders import default_cache
from training.labels import DataError, read_picture

Floats = NDArray[np.float32]

SAME_PICTURE = 0.80
"""Correlation from which two coins are one picture: on the shipped data, copies reach 0.93 to
0.99, and different coins of one design seldom 0.75: erring means leaving a good coin out."""
SAME_HASH = 8
"""Differing bits, of 63, up to which two pictures may be one; thumbnails then decide."""
SAME_THUMBNAIL = 0.97
"""Correlation of two thumbnails from which the pictures are one."""

_ROWS, _COLUMNS = 40, 320


def signature(image: NDArray[np.uint8], usable: NDArray[np.uint8], radius: float) -> Floats:
    """The unit-length polar signature of one cut-out, [rows, columns]."""
    angle = 2 * np.pi * (np.arange(_COLUMNS) + 0.5) / _COLUMNS
    distance = radius * (0.15 + 0.73 * (np.arange(_ROWS) + 0.5) / _ROWS)
    middle = image.shape[0] / 2 - 0.5
    x = (middle + distance[:, None] * np.cos(angle)).astype(np.float32)
    y = (middle + distance[:, None] * np.sin(angle)).astype(np.float32)
    grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY).astype(np.float32)
    grey = cv2.GaussianBlur(grey, (0, 0), 1.5)
    grey -= cv2.GaussianBlur(grey, (0, 0), 8)
    polar = cv2.remap(grey, x, y, cv2.INTER_LINEAR)
    seen = cv2.remap(usable.astype(np.float32), x, y, cv2.INTER_LINEAR) > 0.99
    # Without each ring's mean, which every round coin shares, only the design is left.
    count = np.maximum(seen.sum(1, keepdims=True), 1)
    polar = np.where(seen, polar - (polar * seen).sum(1, keepdims=True) / count, 0)
    deviation = np.sqrt((polar**2).sum() / max(seen.sum(), 1))
    polar = np.clip(polar / max(float(deviation), 1e-3), -3, 3) * seen
    polar *= np.sqrt(distance / distance.mean())[:, None]
    return (polar / max(float(np.linalg.norm(polar)), 1e-6)).astype(np.float32)


def correlations(first: Floats, second: Floats) -> Floats:
    """The highest correlation over all rotations of each pair, [first, second]."""
    a = np.fft.rfft(first, axis=2).transpose(2, 0, 1)
    b = np.conj(np.fft.rfft(second, axis=2)).transpose(2, 1, 0)
    # One matrix product a frequency is much faster than one transform a pair of rows.
    spectrum = np.ascontiguousarray(np.matmul(a, b).transpose(1, 2, 0))
    best = np.empty((len(first), len(second)), np.float32)
    for row in range(len(first)):
        best[row] = np.fft.irfft(spectrum[row], n=_COLUMNS, axis=1).max(1)
    return best


def _signatures(
    image: NDArray[np.uint8], usable: NDArray[np.uint8], chosen: NDArray[np.int64], radius: float
) -> Floats:
    if len(chosen) == 0:
        return np.zeros((0, _ROWS, _COLUMNS), np.float32)
    return np.stack([signature(image[i], usable[i], radius) for i in chosen])


def find_coin_duplicates(
    image: NDArray[np.uint8],
    usable: NDArray[np.uint8],
    split: NDArray[np.str_],
    radius: float = 104.0,
) -> list[tuple[int, int, float]]:
    """(evaluation index, training index, correlation) of coins that are one picture."""
    held_out = np.flatnonzero(split == "eval")
    train = np.flatnonzero(split == "train")
    against = _signatures(image, usable, held_out, radius)
    found = []
    for start in range(0, len(train), 256):
        part = train[start : start + 256]
        score = correlations(against, _signatures(image, usable, part, radius))
        for row, column in zip(*np.nonzero(score >= SAME_PICTURE), strict=True):
            pair = (int(held_out[row]), int(part[column]), float(score[row, column]))
            found.append(pair)
    return found


def same_picture_groups(
    image: NDArray[np.uint8],
    usable: NDArray[np.uint8],
    chosen: NDArray[np.int64],
    groups: list[str],
    radius: float = 104.0,
) -> list[str]:
    """Gives coins of one picture one group: a copy of `groups` with those of `chosen` merged."""
    marks = _signatures(image, usable, chosen, radius)
    score = correlations(marks, marks)
    merged = list(groups)
    for row, column in zip(*np.nonzero(np.triu(score >= SAME_PICTURE, 1)), strict=True):
        old, new = merged[chosen[column]], merged[chosen[row]]
        merged = [new if group == old else group for group in merged]
    return merged


def picture_hash(picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """63 bits of the lowest frequencies of a picture's brightness."""
    grey = cv2.resize(
        cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (32, 32), interpolation=cv2.INTER_AREA
    )
    low = cv2.dct(grey.astype(np.float32))[:8, :8].reshape(-1)[1:]
    return low > np.median(low)


def find_picture_duplicates(
    data: Path, held_out: list[str], train: list[str]
) -> list[tuple[str, str]]:
    """(evaluation picture, training picture) pairs that look the same, mirrored ones too."""
    known = [(name, *_hash_and_thumbnail(read_picture(data / name))) for name in held_out]
    found = set()
    for name in train:
        picture = read_picture(data / name)
        for view in (picture, np.ascontiguousarray(picture[:, ::-1])):
            bits, thumbnail = _hash_and_thumbnail(view)
            for other, other_bits, other_thumbnail in known:
                alike = int(np.sum(bits != other_bits)) <= SAME_HASH
                if alike and float(np.sum(thumbnail * other_thumbnail)) >= SAME_THUMBNAIL:
                    found.add((other, name))
    return sorted(found)


def _hash_and_thumbnail(picture: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], Floats]:
    small = cv2.resize(picture, (48, 48), interpolation=cv2.INTER_AREA).astype(np.float32)
    small -= small.mean()
    return picture_hash(picture), small / max(float(np.linalg.norm(small)), 1e-6)


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=default_cache(), help="folder of cutouts.npz")
    options = parser.parse_args()
    path = options.cache / "cutouts.npz"
    if not path.exists():
        print(f"duplicates: no {path}; run training.cutouts first", file=sys.stderr)
        return 1
    try:
        with np.load(path) as file:
            image, usable, split, origin = (
                file[name] for name in ("image", "usable", "split", "origin")
            )
    except (OSError, KeyError, ValueError) as error:
        raise DataError(f"{path}: not a cut-out file ({error}); make it again") from None
    for index in np.flatnonzero(split == "duplicate-of-eval"):
        print(f"left out: {origin[index]}")
    left = find_coin_duplicates(image, usable, split)
    for held_out, train, score in left:
        print(f"DUPLICATE in training: {origin[train]} of {origin[held_out]} ({score:.2f})")
    print(f"{len(left)} duplicates of evaluation coins left in training")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
