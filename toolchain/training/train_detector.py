"""Trains the detector for a number of minutes; resumes where it stopped."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from training import compose_sources, detector
from training.compose import VISIBLE, Composer, Library, Scene
from training.compose_effects import chance
from training.compose_photographs import Photographs
from training.compose_pool import Field, Sample, SamplePool
from training.network import TrainableNetwork
from training.training_loop import TrainingLoop, add_training_arguments

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
        coins = np.zeros((len(photograph.outlines), 7), np.float32)
        coins[:, :5] = photograph.outlines[:, :5]
        coins[:, :4] *= scale
        coins[:, :2] += (left, top)
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
                f"  {threshold:.1f} {name:11} recall {m['recall']:.4f} of {m['coins']:.0f}, "
                f"invented {m['invented']:.3f} a picture, |ln size| {m['size']:.4f}, "
                f"centre {m['centre']:.4f} R"
            )
    return "\n".join(rows)


def main() -> None:
    """Trains the detector, with checkpoints, and reports on the sources held out."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    add_training_arguments(parser, "detector", 35)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--photographs", type=float, default=0.35, help="share of photographs")
    parser.add_argument("--reuse", type=float, default=3.0, help="times a sample is used")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    network = TrainableNetwork(detector.detector_spec())
    torch.nn.init.constant_(network.bias["centre"], -4.0)
    torch.nn.init.normal_(network.weight["centre"], std=0.01)
    loop = TrainingLoop(arguments, network)

    photographs = compose_sources.photographs_from_arguments(arguments)
    library = compose_sources.library_from_arguments(arguments, photographs=photographs)
    loop.note(f"{len(photographs.photographs)} photographs, {len(library.weights)} cut-outs")
    photographed: list[Scene] = []
    composed: list[Scene] = []
    if arguments.held_out:
        held = compose_sources.photographs_from_arguments(arguments, validation=True)
        held_library = compose_sources.library_from_arguments(arguments, validation=True)
        photographed = validation_scenes(held_library, held, 0)
        composed = validation_scenes(held_library, Photographs([]), 200)
        del held_library
    pool = SamplePool(
        maker(library, photographs, arguments.photographs),
        FIELDS,
        slots=3072,
        workers=arguments.workers,
        reuse=arguments.reuse,
        seed=arguments.seed + loop.progress.step,
    )

    def batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
        sample = pool.batch(arguments.batch)
        pixels = detector.to_input(sample["picture"])
        targets = torch.from_numpy(sample["target"]).float()
        return detector.mirrored(pixels, targets) if step % 2 else (pixels, targets)

    def short_report(network: TrainableNetwork) -> str:
        return report(network, photographed[:40], composed[:60])

    try:
        loop.run(
            batch, detector.loss, short_report if arguments.held_out else None, report_every=420
        )
    finally:
        pool.close()
    if arguments.held_out:
        loop.note("held out:\n" + report(loop.average.module, photographed, composed))


if __name__ == "__main__":
    main()
