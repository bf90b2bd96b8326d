"""Makes probabilities come true: temperature and the threshold below which a coin is "unsure".

Reads held-out*.npz, what classifiers said of coins from sources they never saw (train_classifier
--hold-out), and prints the temperature of least surprise, the reliability curve at it, and for
each threshold how many coins are named and how many of those wrongly.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.faces import read_faces

Floats = NDArray[np.float64]
BINS = np.array([0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001])
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995)


def softmax(logits: Floats, temperature: float) -> Floats:
    """Probabilities over the last axis."""
    scaled = logits / temperature
    scaled = scaled - scaled.max(axis=-1, keepdims=True)
    weights = np.exp(scaled)
    return weights / weights.sum(axis=-1, keepdims=True)


def by_value(probability: Floats, values: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
    """Probability of each distinct value (0 for what is not named), and the values."""
    distinct = np.unique(values)
    sums = [probability[:, values == value].sum(axis=1) for value in distinct]
    return np.stack(sums, axis=1), distinct


def surprise(
    logits: Floats, truth: NDArray[np.int64], values: NDArray[np.int64], temperature: float
) -> float:
    """Mean negative logarithm of the probability given to the true value."""
    sums, distinct = by_value(softmax(logits, temperature), values)
    column = np.searchsorted(distinct, truth)
    return float(-np.log(sums[np.arange(len(truth)), column] + 1e-9).mean())


def best_temperature(logits: Floats, truth: NDArray[np.int64], values: NDArray) -> float:
    """The temperature of least surprise, to 2 %."""
    grid = 0.3 * 1.02 ** np.arange(120)
    return float(min(grid, key=lambda t: surprise(logits, truth, values, t)))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="confidence", description=__doc__)
    parser.add_argument("held_out", type=Path, nargs="+", help="held-out*.npz files")
    parser.add_argument("--temperature", type=float, help="use this one instead of the best")
    arguments = parser.parse_args()
    faces = read_faces()
    names = [face.name for face in faces]
    values = np.array([face.value for face in faces])
    all_logits, all_labels, all_sources = [], [], []
    for file in arguments.held_out:
        archive = np.load(file)
        if list(archive["faces"]) != names:
            parser.error(f"{file}: made with other faces; train that fold again")
        for size in archive["logits"]:
            all_logits.append(size.astype(np.float64))
            all_labels.append(archive["label"])
            all_sources.append(archive["source"])
    logits, labels = np.concatenate(all_logits), np.concatenate(all_labels)
    sources = np.concatenate(all_sources)
    truth = values[labels]
    temperature = arguments.temperature or best_temperature(logits, truth, values)
    sums, distinct = by_value(softmax(logits, temperature), values)
    said, sure = distinct[sums.argmax(axis=1)], sums.max(axis=1)
    loss = surprise(logits, truth, values, temperature)
    print(f"temperature {temperature:.3f}, surprise {loss:.3f}")
    print("reliability: probability said, coins, share right")
    for low, high in itertools.pairwise(BINS):
        here = (sure >= low) & (sure < high)
        if here.any():
            share = (said == truth)[here].mean()
            print(f"  {low:5.2f}-{min(high, 1):4.2f}  {here.sum():6d}  {share:.3f}")
    print("threshold: coins named, of rupiah named right, named wrong of all coins")
    rupiah = truth != 0
    for threshold in THRESHOLDS:
        named = (sure >= threshold) & (said != 0)
        right = (named & (said == truth) & rupiah).sum() / max(1, rupiah.sum())
        wrong = (named & (said != truth)).sum() / len(truth)
        print(f"  {threshold:5.3f}  {named.sum():6d}  {right:.3f}  {wrong:.4f}")
    print("by source: right value when forced, named wrong at 0.9")
    for source in sorted(set(sources)):
        here = sources == source
        named = here & (sure >= 0.9) & (said != 0)
        wrong = (named & (said != truth)).sum()
        print(f"  {source:12s} {(said == truth)[here].mean():.3f}  {wrong} of {here.sum()}")


if __name__ == "__main__":
    main()
