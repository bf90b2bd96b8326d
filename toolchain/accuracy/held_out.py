"""Leave-one-source-out: what the classifier said of sources that its training left out.

Training with `--hold-out SOURCE` stores held-out*.npz in the cache: logits [levels, coins,
faces] at several resolutions, and each coin's label, source and group. What they say at the
finest resolution gives the temperature that makes probabilities come true, and the threshold
below which a coin is "unsure".
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accuracy.report import print_reliability
from accuracy.statistics import Bin, wilson
from training.faces import read_faces
from training.labels import DataError

THRESHOLDS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.97, 0.98, 0.99)


@dataclass(frozen=True)
class Fold:
    """What one training said of the coins it never saw."""

    logits: NDArray[np.float32]
    """[coins, faces]"""
    faces: list[str]
    face: NDArray[np.int64]
    """The true one's index, of each coin."""
    source: NDArray[np.str_]
    group: NDArray[np.str_]


def read_fold(path: Path) -> Fold:
    """A file of `train_classifier --hold-out`."""
    with np.load(path) as file:
        names = [str(name) for name in file["faces"]]
        # The finest of the stored sizes comes first.
        return Fold(file["logits"][0], names, file["label"], file["source"], file["group"])


def value_probabilities(
    logits: NDArray[np.float32], names: list[str], temperature: float
) -> tuple[NDArray[np.float64], list[tuple[int, bool]]]:
    """Probabilities summed over the faces of one value (and withdrawn or not), [coins, values]."""
    table = {face.name: face for face in read_faces()}
    unknown = [name for name in names if name not in table]
    if unknown:
        raise DataError(f"held-out results name faces that faces.csv lacks: {unknown}")
    keys = [(table[name].value, table[name].withdrawn) for name in names]
    values = sorted(set(keys))
    scaled = logits.astype(np.float64) / temperature
    scaled -= scaled.max(1, keepdims=True)
    shares = np.exp(scaled)
    shares /= shares.sum(1, keepdims=True)
    sums = np.stack([shares[:, [k == v for k in keys]].sum(1) for v in values], 1)
    return sums, values


def true_values(fold: Fold, values: list[tuple[int, bool]]) -> NDArray[np.int64]:
    """The index in `values` of what each coin is worth."""
    table = {face.name: (face.value, face.withdrawn) for face in read_faces()}
    return np.array([values.index(table[fold.faces[k]]) for k in fold.face])


def best_temperature(folds: list[Fold]) -> float:
    """The divisor of the logits at which the true values surprise least, to 2 %."""

    def surprise(temperature: float) -> float:
        total = 0.0
        for fold in folds:
            shares, values = value_probabilities(fold.logits, fold.faces, temperature)
            truth = true_values(fold, values)
            total -= float(np.log(shares[np.arange(len(truth)), truth] + 1e-9).sum())
        return total

    return float(min(0.3 * 1.02 ** np.arange(120), key=surprise))


def print_held_out(files: list[Path], threshold: float, temperature: float | None) -> list[Bin]:
    """Prints one row a source and a table over thresholds; the reliability curve of them all.

    Without a `temperature`, the best one is used and printed.
    """
    folds = [read_fold(path) for path in files]
    if temperature is None:
        temperature = best_temperature(folds)
    print(f"temperature {temperature:.2f}, coins named from {threshold} on")
    print(
        f"{'left-out source':18s} {'shots':>6s} {'coins':>6s} {'right':>6s} {'wrong':>6s} "
        f"{'unsure':>6s}   wrong, 95 % interval"
    )
    confidences: list[float] = []
    right: list[bool] = []
    rupiah = 0
    for fold in folds:
        shares, values = value_probabilities(fold.logits, fold.faces, temperature)
        truth = true_values(fold, values)
        best, sure = shares.argmax(1), shares.max(1)
        money = np.array([value > 0 for value, _ in values])
        rupiah += int(money[truth].sum())
        named = (sure >= threshold) & money[best]
        for name in sorted(set(fold.source)):
            here = fold.source == name
            good = int((here & named & (best == truth)).sum())
            bad = int((here & named & (best != truth)).sum())
            # Many shots of one coin say little more than one: the interval is that of coins.
            coins = len(set(fold.group[here]))
            low, high = wilson(round(bad * coins / int(here.sum())), coins)
            print(
                f"{name:18s} {int(here.sum()):6d} {coins:6d} {good:6d} {bad:6d} "
                f"{int(here.sum()) - good - bad:6d}   {100 * low:.1f} to {100 * high:.1f} %"
            )
        confidences += [float(v) for v, m in zip(sure, money[best], strict=True) if m]
        right += [bool(v) for v, m in zip(best == truth, money[best], strict=True) if m]
    print()
    print(f"Named at a threshold, over all left-out coins, {rupiah} of them rupiah:")
    order, good_ones = np.array(confidences), np.array(right)
    for step in THRESHOLDS:
        kept = order >= step
        wrong = int((kept & ~good_ones).sum())
        print(f"  {step:.2f}: {int(kept.sum()):5d} named, {wrong:4d} of them wrong")
    print()
    return print_reliability(confidences, right)
