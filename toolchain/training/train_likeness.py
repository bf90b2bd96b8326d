"""Trains what coins are compared by that a user teaches: the classifier's output `likeness`.

The classifier stays as it is; what its features say is learned from kinds that are no coin's:
designs of renderer.inventions as they look in many lights, wear and dirt (training.looks), and from
the faces of rupiah and euro cut-outs. Looks at one kind are to be alike, at any two kinds not.

The radius within which a look is of a kind is then chosen on kinds of yet another sort, drawn by
the renderer as the product would see them (training.likeness_check), so that few coins of other
kinds come within it. Writes likeness.pt.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from training.appearance import build_levels, unwrap_varied
from training.averaged_weights import AveragedWeights
from training.checkpoints import load_checkpoint, save_checkpoint
from training.export import folded_network
from training.likeness import (
    NAME,
    descriptors,
    fingerprint,
    likeness_spec,
    similarities,
    source_of,
)
from training.likeness_check import (
    FACES,
    check_diameters,
    check_looks,
    curve,
    distances,
    radius,
)
from training.looks import FAMILY, build_designs, draw_kinds, draw_lights, shade, strike
from training.network import FoldedNetwork, TrainableNetwork
from training.train_classifier import EAGLE_SIDES

LIGHTS, SPECIMENS = 3, 4
"""Lights that a drawn kind is seen in, and coins in each."""
PHOTOGRAPHS = 36
"""Looks at a photographed face."""
KINDS, LOOKS = 40, 4
"""Of a batch."""
PEAK_RATE = 3e-3


@dataclass
class Features:
    """The classifier's features of looks, as the int8 graph has them."""

    values: NDArray[np.int8]  # [kinds, looks, C, H, W]
    scale: float
    zero: int

    def real(self, chosen: NDArray[np.int8]) -> Tensor:
        """Real numbers of some of them."""
        return (torch.from_numpy(chosen).float() - self.zero) * self.scale


def drawn_looks(designs: int, kinds: int, lights: int, seed: int) -> NDArray[np.uint8]:
    """Looks at kinds that nobody has struck, [kinds, LIGHTS * SPECIMENS, 48, 160, 3]."""
    random = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    sizes = build_designs(strike(designs, seed))
    light_of, kind_of = draw_lights(lights, random), draw_kinds(designs, kinds, random)
    pictures = np.empty((kinds, LIGHTS * SPECIMENS, 48, 160, 3), np.uint8)
    for start in range(0, kinds, 16):
        kind = torch.arange(start, min(kinds, start + 16))
        for number in range(LIGHTS):
            light = torch.from_numpy(random.integers(lights, size=len(kind)))
            size = sizes[int(random.choice(len(sizes), p=(0.35, 0.4, 0.25)))]
            looks = shade(
                size, kind_of, light_of, kind.repeat_interleave(SPECIMENS),
                light.repeat_interleave(SPECIMENS), generator,
            )  # fmt: skip
            looks = looks.permute(0, 2, 3, 1).reshape(len(kind), SPECIMENS, 48, 160, 3)
            pictures[start : start + 16, number * SPECIMENS :][:, :SPECIMENS] = looks.numpy()
    return pictures


def same_look(face: str) -> str:
    """The face, or what stands for all that differ from it in size and small print alone."""
    return next((alike[0] for alike in EAGLE_SIDES if face in alike), face)


def photographed_looks(cache: Path, seed: int) -> NDArray[np.uint8]:
    """Looks at rupiah and euro faces by photographs, [faces, PHOTOGRAPHS, 48, 160, 3].

    Faces that differ in size and small print alone are one. Other foreign cut-outs show either
    side.
    """
    archive = np.load(cache / "cutouts.npz", allow_pickle=False)
    face, source, split = archive["face"], archive["source"], archive["split"]
    usable = (split == "train") & ((source == "euro") | ~np.char.startswith(face, "foreign"))
    usable &= face != "foreign"
    names = np.array([same_look(str(name)) for name in face])
    random = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    of_face = []
    for name in sorted(set(names[usable])):
        here = random.permutation(np.flatnonzero(usable & (names == name)))[:40]
        if len(here) >= 2:
            of_face.append(here)
    chosen = np.concatenate(of_face)
    levels = build_levels(archive["image"][chosen], archive["usable"][chosen])[:3]
    pictures = np.empty((len(of_face), PHOTOGRAPHS, 48, 160, 3), np.uint8)
    first = 0
    for number, here in enumerate(of_face):
        times = -(-PHOTOGRAPHS // len(here))
        order = [random.permutation(len(here)) for _ in range(times)]
        index = torch.from_numpy(np.concatenate(order)[:PHOTOGRAPHS] + first)
        first += len(here)
        for place, level in enumerate(levels):
            looks = unwrap_varied(level, index[place::3], generator, strength=0.6)
            pixels = (looks * 128 + 128).round().clamp(0, 255).to(torch.uint8)
            pictures[number, place::3] = pixels.permute(0, 2, 3, 1).numpy()
    return pictures


@torch.no_grad()
def features(network: FoldedNetwork, pictures: NDArray[np.uint8]) -> Features:
    """What the branch reads, of unwraps [kinds, looks, 48, 160, 3]."""
    source = source_of(network.spec)
    scale, zero = network.grid(source)
    height, width, channels = network.spec.node(source).shape
    flat = pictures.reshape(-1, *pictures.shape[2:])
    values = np.empty((len(flat), channels, height, width), np.int8)
    simulate, network.simulate_int8 = network.simulate_int8, True
    for start in range(0, len(flat), 64):
        part = torch.from_numpy(flat[start : start + 64].copy()).permute(0, 3, 1, 2)
        real = network.values((part.float() - 128) / 128)[source]
        codes = torch.round(real / scale) + zero
        values[start : start + 64] = codes.clamp(-128, 127).to(torch.int8).numpy()
    network.simulate_int8 = simulate
    shape = (*pictures.shape[:2], channels, height, width)
    return Features(values.reshape(shape), scale, zero)


class Batches:
    """Draws kinds, neighbours together, and looks at each; every look turned at random."""

    def __init__(self, drawn: Features, photographed: Features, seed: int) -> None:
        self.parts = (drawn, photographed)
        self.random = np.random.default_rng(seed)

    def draw(self) -> tuple[Tensor, Tensor]:
        """Features [KINDS * LOOKS, C, H, W] and the kind of each."""
        drawn, photographed = self.parts
        of_photographs = min(8, len(photographed.values))
        # Whole families: what lies on a tray may be hard to tell apart.
        families = self.random.choice(
            len(drawn.values) // FAMILY, (KINDS - of_photographs) // FAMILY, replace=False
        )
        chosen = [
            (drawn, (families[:, None] * FAMILY + np.arange(FAMILY)).ravel()),
            (photographed, self.random.choice(len(photographed.values), of_photographs, False)),
        ]
        looks, kinds = [], []
        for part, which in chosen:
            for kind in which:
                look = self.random.choice(part.values.shape[1], LOOKS, replace=False)
                looks.append(part.real(part.values[kind, look]))
            kinds += [len(kinds) + i for i in range(len(which))]
        x = torch.cat(looks)
        turns = self.random.integers(x.shape[3], size=len(x))
        x = torch.stack([torch.roll(a, int(t), 2) for a, t in zip(x, turns, strict=True)])
        return x, torch.arange(len(kinds)).repeat_interleave(LOOKS)


def loss(similarity: Tensor, kinds: Tensor, sharpness: Tensor, threshold: Tensor) -> Tensor:
    """How badly one threshold tells looks at one kind from looks at two.

    Half of it asks that of every pair, of those near the threshold most; the rest asks that looks
    at one kind are nearer than any others of the batch.
    """
    same = kinds[:, None] == kinds[None]
    self_pairs = torch.eye(len(kinds), dtype=torch.bool)
    logits = torch.exp(sharpness) * similarity - threshold
    together = functional.softplus(-logits)[same & ~self_pairs].mean()
    others = logits[~same]
    apart = functional.softplus(others)
    weight = torch.sigmoid(others.detach()) + 0.02
    apart = 0.5 * (weight * apart).sum() / weight.sum() + 5 * apart.mean()
    scaled = (20 * similarity).masked_fill(self_pairs, -1e9)
    ranked = scaled - scaled.logsumexp(1, keepdim=True)
    contrast = -(ranked * (same & ~self_pairs)).sum(1) / (LOOKS - 1)
    return together + apart + 0.3 * contrast.mean()


def train(arguments: argparse.Namespace) -> None:
    """One run."""
    path = arguments.cache / f"{NAME}.pt"
    checkpoint = load_checkpoint(arguments.cache / f"{arguments.classifier}.pt")
    if checkpoint is None:
        raise SystemExit(f"{arguments.cache}/{arguments.classifier}.pt: not there; train it first")
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    classifier = folded_network(checkpoint)
    mark = fingerprint(classifier)
    before = load_checkpoint(path)
    asked = [arguments.steps, arguments.taken, arguments.unsized_taken]
    if before and before["classifier"] == mark and before["asked"] == asked:
        print(f"{path}: trained already; remove it to train again")
        return
    looks = arguments.cache / "looks.npz"
    if not looks.exists():
        print("drawing looks", flush=True)
        np.savez(
            looks,
            drawn=drawn_looks(arguments.designs, 2 * arguments.designs, 200, arguments.seed),
            photographed=photographed_looks(arguments.cache, arguments.seed),
            check=check_looks(FACES, arguments.seed + 1),
        )
    with np.load(looks) as archive:
        names = ("drawn", "photographed", "check")
        drawn, photographed, check = (features(classifier, archive[name]) for name in names)
    batches = Batches(drawn, photographed, arguments.seed)
    shape = classifier.spec.node(source_of(classifier.spec)).shape
    network = TrainableNetwork(likeness_spec(shape))
    average = AveragedWeights(network)
    sharpness = torch.nn.Parameter(torch.tensor(2.3))
    threshold = torch.nn.Parameter(torch.tensor(4.0))
    optimiser = torch.optim.AdamW(
        [{"params": network.parameters(), "weight_decay": 0.02},
         {"params": [sharpness, threshold], "weight_decay": 0}], lr=PEAK_RATE,
    )  # fmt: skip
    smoothed = float("nan")
    for step in range(arguments.steps):
        rate = PEAK_RATE * min(1, step / 50)
        rate *= 0.5 + 0.5 * np.cos(np.pi * step / arguments.steps)
        for group in optimiser.param_groups:
            group["lr"] = rate + 1e-6
        x, kinds = batches.draw()
        look = descriptors(network(x)[NAME])
        value = loss(similarities(look, look), kinds, sharpness, threshold)
        optimiser.zero_grad(set_to_none=True)
        value.backward()
        optimiser.step()
        average.update(network, 0.99)
        smoothed = value.item() if smoothed != smoothed else 0.98 * smoothed + 0.02 * value.item()
        if step % 100 == 99:
            print(f"step {step + 1} of {arguments.steps}, loss {smoothed:.3f}", flush=True)
    calibration = [batches.draw()[0] for _ in range(4)]
    folded = average.module.folded().eval()
    folded.calibrate(calibration)
    folded.simulate_int8 = True
    with torch.no_grad():
        flat = check.values.reshape(-1, *check.values.shape[2:])
        parts = [folded(check.real(flat[i : i + 64]))[NAME] for i in range(0, len(flat), 64)]
        look = descriptors(torch.cat(parts))
        look = look.reshape(*check.values.shape[:2], *look.shape[1:])
        found = distances(look, check_diameters(FACES, arguments.seed + 1))
    print("\n".join(curve(found)))
    save_checkpoint(
        path,
        {
            "spec": network.spec,
            "average": average.module.state_dict(),
            "calibration": calibration,
            "classifier": mark,
            "asked": asked,
            "radius": radius(found.others_of_size, arguments.taken),
            "unsized-radius": radius(found.others, arguments.unsized_taken),
        },
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="train_likeness", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--cache", type=Path, required=True, help="folder of the checkpoints")
    parser.add_argument("--classifier", default="classifier", help="name of its checkpoint")
    parser.add_argument("--steps", type=int, default=700, help="batches to learn from")
    parser.add_argument("--designs", type=int, default=800, help="designs to draw")
    # Of single looks: the product goes by the sum of several, of which fewer are taken.
    parser.add_argument(
        "--taken", type=float, default=0.01,
        help="share of looks at other kinds that may come within the radius where sizes are known",
    )  # fmt: skip
    parser.add_argument(
        "--unsized-taken", type=float, default=0.001, help="the same where sizes are not known"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
