"""Trains the network that names a coin's face from its polar unwrap.

The faces of training.faces are classes of their own; two more are "foreign" (a coin that is not
named) and "not-a-coin". `--hold-out SOURCE` leaves whole sources out and measures on them.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, multiprocessing
from torch.nn import functional

from training.appearance import (
    POLAR_COLUMNS,
    POLAR_ROWS,
    Level,
    build_levels,
    unwrap_plain,
    unwrap_varied,
)
from training.checkpoints import Progress, load_checkpoint, save_checkpoint
from training.faces import FOREIGN, NOT_A_COIN, Face, read_faces
from training.network import NetworkSpec, TrainableNetwork
from training.not_coins import background_patches

BATCH = 256
PEAK_RATE = 2e-3
# How often coins appear at each of appearance.LEVEL_SIZES.
LEVEL_WEIGHTS = (0.2, 0.3, 0.3, 0.15, 0.05)

# The eagle sides of the 1999 and 2003 aluminium coins differ only in size and small print, and so
# do those of the round brass coins of 1991 and 1997: a network made to tell them apart learns the
# photographs instead, such as that a browned coin is Rp50. Their targets share this much, and what
# the sizes in the picture tell decides.
EAGLE_SIDES = (
    ("50-1999-garuda", "100-1999-garuda", "200-2003-garuda", "500-2003-garuda"),
    ("50-1991-garuda", "500-1997-garuda"),
)
EAGLE_SHARED = 0.40


def classifier_spec(classes: int) -> NetworkSpec:
    """The network: 48 radii by 160 angles, convolutions that wrap around the angle."""
    spec = NetworkSpec("classifier", (POLAR_ROWS, POLAR_COLUMNS, 3), circular=True)
    x = spec.conv("input", 16, 3, 2)
    x = spec.conv(x, 24)
    x = spec.conv(x, 40, 3, 2)
    x = spec.residual(x)
    x = spec.conv(x, 72, 3, 2)
    x = spec.residual(x)
    x = spec.conv(x, 128, (6, 3), same=False)
    x = spec.average(x)
    embedding = spec.conv(x, 64, 1, relu=False, normalised=False)
    spec.output("embedding", embedding)
    spec.output("logits", spec.conv(embedding, classes, 1, relu=False, normalised=False))
    return spec


@dataclass
class Coins:
    """The cut-outs of one run: pictures at every size and what they show."""

    levels: list[Level]
    label: NDArray[np.int64]  # class index of each
    source: NDArray[np.str_]
    group: NDArray[np.str_]


def read_coins(cache: Path, faces: list[Face], keep: callable, seed: int) -> Coins:
    """Loads cut-outs for which `keep(source, split)`, plus patches that show no coin."""
    names = [face.name for face in faces]
    images, masks, labels, sources, groups = [], [], [], [], []
    for name in ("cutouts.npz", "rendered.npz", "mistaken.npz"):
        if not (cache / name).exists():
            continue
        archive = np.load(cache / name, allow_pickle=False)
        chosen = [
            i
            for i, (source, split, face) in enumerate(
                zip(archive["source"], archive["split"], archive["face"], strict=True)
            )
            if face in names and keep(str(source), str(split))
        ]
        images.append(archive["image"][chosen])
        masks.append(archive["usable"][chosen])
        labels += [names.index(face) for face in archive["face"][chosen]]
        sources += [str(s) for s in archive["source"][chosen]]
        groups += [f"{s}/{g}" for s, g in zip(
            archive["source"][chosen], archive["group"][chosen], strict=True)]
    patches = background_patches(1200, seed)
    if len(patches) and keep("backgrounds", "train"):
        images.append(patches)
        masks.append(np.ones(patches.shape[:3], np.uint8))
        labels += [names.index(NOT_A_COIN)] * len(patches)
        sources += ["backgrounds"] * len(patches)
        groups += [f"backgrounds/{i}" for i in range(len(patches))]
    return Coins(
        build_levels(np.concatenate(images), np.concatenate(masks)),
        np.array(labels),
        np.array(sources),
        np.array(groups),
    )


def draw_batch(coins: Coins, sampler: Sampler, generator: torch.Generator) -> tuple:
    """One batch: pixels [256, 3, 48, 160], and the index of each cut-out."""
    index = sampler.draw(BATCH)
    level_of = sampler.random.choice(len(coins.levels), 4, p=LEVEL_WEIGHTS)
    parts = [
        unwrap_varied(coins.levels[level], torch.from_numpy(part), generator)
        for level, part in zip(level_of, np.split(index, 4), strict=True)
    ]
    return torch.cat(parts).to(torch.bfloat16), torch.from_numpy(index)


def draw_forever(coins: Coins, faces: list[Face], seed: int, queue: multiprocessing.Queue) -> None:
    """Body of the process that makes samples beside the one that trains."""
    torch.set_num_threads(1)
    sampler = Sampler(coins, faces, seed)
    generator = torch.Generator().manual_seed(seed)
    while True:
        queue.put(draw_batch(coins, sampler, generator))


class Sampler:
    """Draws cut-outs: first the class, then the physical coin, then one picture of it."""

    def __init__(self, coins: Coins, faces: list[Face], seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.members: list[list[NDArray[np.int64]]] = []
        weights = []
        for index, face in enumerate(faces):
            here = np.flatnonzero(coins.label == index)
            by_group: dict[str, list[int]] = {}
            for i in here:
                by_group.setdefault(coins.group[i], []).append(int(i))
            self.members.append([np.array(group) for group in by_group.values()])
            if not len(here):
                weights.append(0.0)
            elif face.kind == FOREIGN:
                weights.append(3.0 if face.name == FOREIGN else 0.6)
            elif face.name == NOT_A_COIN:
                weights.append(5.0)
            else:
                common = 1.5 if face.withdrawn else 2.0
                weights.append(common * min(1, len(by_group) / 2) ** 0.5)
        self.probability = np.array(weights) / sum(weights)

    def draw(self, count: int) -> NDArray[np.int64]:
        """Indices of `count` cut-outs."""
        classes = self.random.choice(len(self.members), count, p=self.probability)
        out = np.empty(count, np.int64)
        for i, c in enumerate(classes):
            groups = self.members[c]
            group = groups[self.random.integers(len(groups))]
            out[i] = group[self.random.integers(len(group))]
        return out


def soft_targets(faces: list[Face], smoothing: float = 0.05) -> Tensor:
    """Target distribution of each class: mostly itself."""
    n = len(faces)
    target = torch.full((n, n), smoothing / n) + torch.eye(n) * (1 - smoothing)
    for alike in EAGLE_SIDES:
        eagles = [i for i, face in enumerate(faces) if face.name in alike]
        for i in eagles:
            target[i, i] -= EAGLE_SHARED
            for j in eagles:
                target[i, j] += EAGLE_SHARED / len(eagles)
    return target


@torch.no_grad()
def measure(
    network: torch.nn.Module, coins: Coins, faces: list[Face], level_index: int = 2, turns: int = 4
) -> tuple[Tensor, Tensor]:
    """Mean logits [N, classes] of every cut-out over some turns, and its labels."""
    network.eval()
    total = 0
    for turn in range(turns):
        rows = []
        for start in range(0, len(coins.label), 128):
            index = torch.arange(start, min(start + 128, len(coins.label)))
            angle = turn * 2 * math.pi / turns + 0.1
            pixels = unwrap_plain(coins.levels[level_index], index, angle)
            rows.append(network(pixels)["logits"][:, :, 0, 0])
        total = total + torch.cat(rows)
    return total / turns, torch.from_numpy(coins.label)


def summarise(
    logits: Tensor, labels: Tensor, sources: NDArray[np.str_], faces: list[Face]
) -> str:
    """Per source: right face, right value, and value wrong at half confidence."""
    probability = logits.softmax(dim=1)
    values = torch.tensor([face.value for face in faces])
    by_value = {v: probability[:, values == v].sum(dim=1) for v in sorted(set(values.tolist()))}
    keys = torch.tensor(list(by_value))
    stack = torch.stack(list(by_value.values()), dim=1)
    best, which = stack.max(dim=1)
    truth = values[labels]
    lines = []
    for source in sorted(set(sources)):
        here = torch.from_numpy(sources == source)
        right_face = (logits.argmax(1) == labels)[here].float().mean().item()
        right = (keys[which] == truth)[here].float().mean().item()
        named = here & (keys[which] != 0) & (best > 0.7)
        wrong = (named & (keys[which] != truth)).sum().item()
        lines.append(
            f"  {source:12s} n={int(here.sum()):4d} face {right_face:.3f} value {right:.3f}"
            f" named at 0.7 {int(named.sum()):4d} of which wrong {int(wrong)}"
        )
    return "\n".join(lines)


def save_held_out(path: Path, network: torch.nn.Module, coins: Coins, faces: list[Face]) -> None:
    """Stores what the network says of coins from sources it never saw, at three sizes."""
    logits = []
    for level_index in (1, 2, 3):
        said, truth = measure(network, coins, faces, level_index)
        print(f"coins {coins.levels[level_index].size} pixels to a patch:")
        print(summarise(said, truth, coins.source, faces), flush=True)
        logits.append(said.numpy())
    np.savez(
        path,
        logits=np.stack(logits),
        label=coins.label,
        source=coins.source,
        group=coins.group,
        faces=np.array([face.name for face in faces]),
    )


def train(arguments: argparse.Namespace) -> None:
    """One run, resumed from its checkpoint when there is one; nothing when it has finished."""
    path = arguments.cache / f"classifier{arguments.suffix}.pt"
    state = load_checkpoint(path)
    if state and state["finished"]:
        print(f"{path}: trained already; remove it to train again")
        return
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    faces = read_faces()
    held_out = set(arguments.hold_out)
    coins = read_coins(
        arguments.cache,
        faces,
        lambda source, split: split == "train" and source not in held_out,
        arguments.seed,
    )
    checks = read_coins(
        arguments.cache,
        faces,
        lambda source, split: split == "train" and source in held_out,
        arguments.seed,
    ) if held_out else None
    print(f"{len(coins.label)} cut-outs, {len(set(coins.group))} coins", flush=True)

    network = TrainableNetwork(classifier_spec(len(faces))).to(memory_format=torch.channels_last)
    average = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=arguments.rate, weight_decay=0.03)
    progress = Progress(arguments.minutes)
    if arguments.start and not state:
        started = load_checkpoint(arguments.start)
        if started is None:
            raise SystemExit(f"{arguments.start}: not there; train it first or leave out --start")
        network.load_state_dict(started["network"])
        average.load_state_dict(started["average"])
    if state:
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        progress.resume(state["progress"])
        print(f"resumed at step {progress.step}", flush=True)

    sampler = Sampler(coins, faces, arguments.seed + progress.step)
    generator = torch.Generator().manual_seed(arguments.seed + progress.step)
    queue = multiprocessing.Queue(maxsize=6)
    maker = multiprocessing.Process(
        target=draw_forever,
        args=(coins, faces, arguments.seed + progress.step + 1, queue),
        daemon=True,
    )
    maker.start()
    targets = soft_targets(faces)
    labels = torch.from_numpy(coins.label)

    calibration = [
        unwrap_varied(level, torch.from_numpy(sampler.draw(64)), generator, strength=0.7)
        for level in coins.levels[:4]
    ]

    def checkpoint(finished: bool) -> None:
        save_checkpoint(
            path,
            {
                "spec": network.spec,
                "faces": [face.name for face in faces],
                "network": network.state_dict(),
                "average": average.state_dict(),
                "optimiser": optimiser.state_dict(),
                "progress": progress.state(),
                "finished": finished,
                "calibration": calibration,
            },
        )

    saved = reported = time.monotonic()
    smoothed = float("nan")
    while not progress.done:
        fraction = progress.fraction
        rate = arguments.rate * min(1, progress.step / 200)
        rate *= 0.5 + 0.5 * math.cos(math.pi * fraction)
        for group in optimiser.param_groups:
            group["lr"] = rate + 1e-6
        pixels, index = queue.get()
        pixels = pixels.contiguous(memory_format=torch.channels_last)
        network.train()
        with torch.autocast("cpu", torch.bfloat16):
            logits = network(pixels)["logits"][:, :, 0, 0]
        target = targets[labels[index]]
        loss = -(target * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        progress.advance()
        decay = min(0.998, (progress.step + 1) / (progress.step + 25))
        with torch.no_grad():
            for mean, now in zip(
                average.state_dict().values(), network.state_dict().values(), strict=True
            ):
                if mean.dtype.is_floating_point:
                    mean.lerp_(now, 1 - decay)
                else:
                    mean.copy_(now)
        value = loss.item()
        smoothed = value if math.isnan(smoothed) else 0.99 * smoothed + 0.01 * value
        now = time.monotonic()
        if now - reported > arguments.report_seconds:
            reported = now
            print(f"{progress.bar()} loss {smoothed:.3f}", flush=True)
            if checks is not None:
                logits, truth = measure(average, checks, faces)
                print(summarise(logits, truth, checks.source, faces), flush=True)
        if now - saved > 120:
            saved = now
            checkpoint(finished=False)
    checkpoint(finished=True)
    if checks is not None:
        save_held_out(arguments.cache / f"held-out{arguments.suffix}.npz", average, checks, faces)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="train_classifier", description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="folder of cut-outs, checkpoints")
    parser.add_argument("--minutes", type=float, default=60, help="how long to train")
    parser.add_argument("--hold-out", nargs="*", default=[], help="sources to measure on instead")
    parser.add_argument("--suffix", default="", help="added to the checkpoint's name")
    parser.add_argument("--start", type=Path, help="begin with the weights of this checkpoint")
    parser.add_argument("--rate", type=float, default=PEAK_RATE, help="highest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--report-seconds", type=float, default=60)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
