"""Trains the detector for a number of minutes; resumes where it stopped."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from training import compose_sources, detector
from training.compose import VISIBLE, Composer, Library, Scene
from training.compose_effects import chance
from training.compose_photographs import Photographs
from training.compose_pool import Field, Sample, SamplePool
from training.network import TrainableNetwork
from training.training_run import AveragedWeights, Budget, load_checkpoint, save_checkpoint

FIELDS = {
    "picture": Field((detector.HEIGHT, detector.WIDTH, 3), "uint8"),
    "target": Field((6, detector.ROWS, detector.COLUMNS), "float16"),
}


def _shrunk(scene: Scene, rng: np.random.Generator) -> Scene:
    """The scene letterboxed as a tall, square or wide picture would be: its sides cut to grey."""
    picture = scene.picture.copy()
    if chance(rng, 0.7):
        margin = int(rng.uniform(0, 0.3) * detector.WIDTH)
        picture[:, :margin] = picture[:, detector.WIDTH - margin :] = 128
        low, high, axis = margin, detector.WIDTH - margin, 0
    else:
        margin = int(rng.uniform(0, 0.25) * detector.HEIGHT)
        picture[:margin] = picture[detector.HEIGHT - margin :] = 128
        low, high, axis = margin, detector.HEIGHT - margin, 1
    coins = scene.coins.copy()
    around = detector.boxes(coins)
    near = around[:, axis] - around[:, 2 + axis] / 2
    far = near + around[:, 2 + axis]
    inside = (np.minimum(far, high) - np.maximum(near, low)).clip(0) / (far - near + 1e-6)
    coins[:, VISIBLE] *= inside
    outside = (around[:, axis] < low) | (around[:, axis] >= high)
    coins[outside, VISIBLE] = np.minimum(coins[outside, VISIBLE], 0.5)
    return Scene(picture, coins, scene.ignored)


def maker(
    library: Library, photographs: Photographs, share: float
) -> Callable[[int], Callable[[], list[Sample]]]:
    """Makes samples: `share` of them from photographs, the rest composed."""

    def start(seed: int) -> Callable[[], list[Sample]]:
        composer = Composer(library, seed)
        rng = composer.rng

        def make() -> list[Sample]:
            if len(photographs.photographs) and chance(rng, share):
                scene = photographs.scene(rng, library.noise)
            else:
                scene = composer.scene(smallest=14)
            if chance(rng, 0.12):
                scene = _shrunk(scene, rng)
            return [{"picture": scene.picture, "target": detector.target(scene)}]

        return make

    return start


def match(
    found: NDArray[np.float32], true: NDArray[np.float32]
) -> tuple[list[tuple[int, int]], set[int]]:
    """Pairs detections with coins, best first; gives pairs and the detections left over."""
    pairs, left = [], set()
    taken: set[int] = set()
    for index, one in enumerate(found):
        radius = true[:, 2:4].mean(axis=1) / 2
        apart = np.hypot(true[:, 0] - one[0], true[:, 1] - one[1]) / radius
        apart[list(taken)] = np.inf
        best = int(apart.argmin()) if len(apart) else -1
        ratio = (one[2] + one[3]) / 4 / radius[best] if best >= 0 else 0
        if best >= 0 and apart[best] < 0.5 and 0.6 < ratio < 1.6:
            pairs.append((index, best))
            taken.add(best)
        else:
            left.add(index)
    return pairs, left


def validation_scenes(
    library: Library, photographs: Photographs, composed: int, seed: int = 77
) -> list[Scene]:
    """Whole photographs, letterboxed, and composed scenes, always the same."""
    scenes = []
    for photograph in photographs.photographs:
        picture, scale, left, top = detector.letterbox(photograph.levels[0])
        coins = np.zeros((len(photograph.boxes), 7), np.float32)
        coins[:, :2] = photograph.boxes[:, :2] * scale + (left, top)
        coins[:, 2:4] = photograph.boxes[:, 2:] * scale / 2
        coins[:, VISIBLE] = 1
        scenes.append(Scene(picture, coins))
    composer = Composer(library, seed)
    return scenes + [composer.scene(smallest=14) for _ in range(composed)]


@torch.no_grad()
def measure(network: torch.nn.Module, scenes: list[Scene], threshold: float) -> dict[str, float]:
    """Recall, inventions a picture, and median errors of diameter and centre in radii."""
    network.eval()
    coins = hits = invented = 0
    sizes: list[float] = []
    centres: list[float] = []
    for first in range(0, len(scenes), 16):
        part = scenes[first : first + 16]
        pixels = detector.to_input(np.stack([scene.picture for scene in part]))
        with torch.autocast("cpu", torch.bfloat16):
            outputs = network(pixels)
        for scene, found in zip(part, detector.decode(outputs, threshold), strict=True):
            true = detector.boxes(scene.coins)
            pairs, left = match(found, true)
            seen = scene.coins[:, VISIBLE] > 0.6
            seen &= (true[:, 0] > 0) & (true[:, 0] < detector.WIDTH)
            seen &= (true[:, 1] > 0) & (true[:, 1] < detector.HEIGHT)
            coins += int(seen.sum())
            hits += sum(bool(seen[coin]) for _, coin in pairs)
            invented += len(left)
            for one, coin in pairs:
                sizes.append(abs(np.log(found[one, 2:4].mean() / true[coin, 2:4].mean())))
                away = np.hypot(*(found[one, :2] - true[coin, :2]))
                centres.append(float(away) / true[coin, 2:4].mean() * 2)
    return {
        "recall": hits / max(1, coins),
        "invented": invented / max(1, len(scenes)),
        "size": float(np.median(sizes)) if sizes else 1.0,
        "centre": float(np.median(centres)) if centres else 1.0,
        "coins": coins,
    }


def report(network: torch.nn.Module, photographed: list[Scene], composed: list[Scene]) -> str:
    """A table over thresholds."""
    rows = []
    for threshold in (0.2, 0.3, 0.4, 0.5):
        for name, scenes in (("photographs", photographed), ("composed", composed)):
            if not scenes:
                continue
            m = measure(network, scenes, threshold)
            rows.append(
                f"  {threshold:.1f} {name:11} recall {m['recall']:.4f} of {m['coins']:.0f}, invented "
                f"{m['invented']:.3f} a picture, |ln size| {m['size']:.4f}, centre {m['centre']:.4f} R"
            )
    return "\n".join(rows)


def main() -> None:
    """Trains the detector, with checkpoints, and reports on the sources held out."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    compose_sources.add_source_arguments(parser)
    parser.add_argument("--minutes", type=float, default=35, help="wall time, over all runs")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=3e-3, help="highest learning rate")
    parser.add_argument("--photographs", type=float, default=0.35, help="share of photographs")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--reuse", type=float, default=3.0, help="times a sample is used")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="detector", help="checkpoint's name in the cache")
    parser.add_argument("--start-from", help="name of a checkpoint whose weights to begin with")
    parser.add_argument("--restart", action="store_true", help="ignore an unfinished checkpoint")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(arguments.seed)
    cache: Path = arguments.cache
    path = cache / f"{arguments.name}.pt"

    photographs = compose_sources.photographs_from_arguments(arguments)
    library = compose_sources.library_from_arguments(arguments, photographs=photographs)
    photographed: list[Scene] = []
    composed: list[Scene] = []
    if arguments.held_out:
        held = compose_sources.photographs_from_arguments(arguments, validation=True)
        held_library = compose_sources.library_from_arguments(arguments, validation=True)
        photographed = validation_scenes(held_library, held, 0)
        composed = validation_scenes(held_library, Photographs([]), 200)
        del held_library

    spec = detector.detector_spec()
    network = TrainableNetwork(spec).to(memory_format=torch.channels_last)
    torch.nn.init.constant_(network.bias["centre"], -4.0)
    torch.nn.init.normal_(network.weight["centre"], std=0.01)
    step, spent = 0, 0.0
    optimiser = torch.optim.AdamW(network.parameters(), lr=arguments.rate, weight_decay=1e-4)
    average = None
    if path.exists() and not arguments.restart:
        stored = load_checkpoint(path)
        network.load_state_dict(stored["training"])
        optimiser.load_state_dict(stored["optimiser"])
        step, spent = stored["step"], stored["spent"]
        average = AveragedWeights(network)
        average.module.load_state_dict(stored["network"])
        average.steps = step
    elif arguments.start_from:
        stored = load_checkpoint(cache / f"{arguments.start_from}.pt")
        network.load_state_dict(stored["network"])
    average = average or AveragedWeights(network)
    budget = Budget(arguments.minutes, cache / "logs" / f"{arguments.name}.log", spent=spent)
    budget.note(
        f"{spec.macs() / 1e6:.1f} MMAC, {spec.weights() / 1e3:.0f} kB, "
        f"{len(photographs.photographs)} photographs, {len(library.weights)} cut-outs"
    )
    pool = SamplePool(
        maker(library, photographs, arguments.photographs),
        FIELDS,
        slots=3072,
        workers=arguments.workers,
        reuse=arguments.reuse,
        seed=arguments.seed + step,
    )

    def save() -> None:
        content = {
            "network": average.module.state_dict(),
            "training": network.state_dict(),
            "optimiser": optimiser.state_dict(),
            "step": step,
            "spent": budget.spent,
            "held_out": arguments.held_out,
        }
        save_checkpoint(path, content)

    running: dict[str, float] = {}
    next_save = next_report = 0.0
    try:
        while budget.fraction < 1:
            sample = pool.batch(arguments.batch)
            pixels = detector.to_input(sample["picture"])
            targets = torch.from_numpy(sample["target"]).float()
            if step % 2:
                pixels, targets = detector.mirrored(pixels, targets)
            for group in optimiser.param_groups:
                group["lr"] = budget.rate(arguments.rate)
            network.train()
            with torch.autocast("cpu", torch.bfloat16):
                outputs = network(pixels)
            total, parts = detector.loss(outputs, targets)
            optimiser.zero_grad(set_to_none=True)
            total.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            average.update(network)
            step += 1
            for name, value in parts.items():
                running[name] = 0.98 * running.get(name, value) + 0.02 * value
            if step % 50 == 0:
                budget.show(step, "  ".join(f"{k} {v:.4f}" for k, v in running.items()))
            if budget.spent > next_save:
                save()
                next_save = budget.spent + 120
            if budget.spent > next_report and arguments.held_out and step > 500:
                budget.note(report(average.module, photographed[:40], composed[:60]))
                next_report = budget.spent + 420
    finally:
        save()
        pool.close()
    budget.note(f"after {step} steps:\n" + report(average.module, photographed, composed))


if __name__ == "__main__":
    main()
