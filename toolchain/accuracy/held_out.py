"""Leave-one-source-out: what the classifier said of sources that its training left out.

Training with `--hold-out SOURCE` stores held-out*.npz in the cache: logits [levels, coins,
faces] at several resolutions, and each coin's label, source and group.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accuracy.report import print_reliability
from accuracy.statistics import Bin, wilson
from training.faces import read_faces
from training.labels import DataError


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


def print_held_out(files: list[Path], threshold: float, temperature: float) -> list[Bin]:
    """Prints one row a source and a table over thresholds; the reliability curve of them all."""
    confidences: list[float] = []
    right: list[bool] = []
    print(
        f"{'left-out source':18s} {'shots':>6s} {'coins':>6s} {'right':>6s} {'wrong':>6s} "
        f"{'unsure':>6s}   wrong, 95 % interval"
    )
    for path in files:
        with np.load(path) as file:
            logits, label, source, group, names = (
                file[name] for name in ("logits", "label", "source", "group", "faces")
            )
        shares, values = value_probabilities(logits[-1], [str(n) for n in names], temperature)
        table = {face.name: (face.value, face.withdrawn) for face in read_faces()}
        truth = np.array([values.index(table[str(names[k])]) for k in label])
        best = shares.argmax(1)
        sure = shares.max(1)
        money = np.array([value > 0 for value, _ in values])
        named = (sure >= threshold) & money[best]
        for name in sorted(set(source)):
            here = source == name
            good = int((here & named & (best == truth)).sum())
            bad = int((here & named & (best != truth)).sum())
            # Many shots of one coin say little more than one: the interval is that of coins.
            coins = len(set(group[here]))
            low, high = wilson(round(bad * coins / int(here.sum())), coins)
            print(
                f"{name:18s} {int(here.sum()):6d} {coins:6d} {good:6d} {bad:6d} "
                f"{int(here.sum()) - good - bad:6d}   {100 * low:.1f} to {100 * high:.1f} %"
            )
        confidences += [float(v) for v, m in zip(sure, money[best], strict=True) if m]
        right += [bool(v) for v, m in zip(best == truth, money[best], strict=True) if m]
    print()
    print("Named at a threshold, over all left-out coins:")
    order = np.array(confidences)
    good_ones = np.array(right)
    for step in (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99):
        kept = order >= step
        wrong = int((kept & ~good_ones).sum())
        print(f"  {step:.2f}: {int(kept.sum()):5d} named, {wrong:4d} of them wrong")
    print()
    return print_reliability(confidences, right)
