"""Trains the refiner for a number of minutes on what the detector finds; resumes."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from training import compose_sources, detector, refiner
from training.compose import BOXED, FITTED, SPRITE, VISIBLE, Composer, Library, Scene
from training.compose_effects import chance
from training.compose_photographs import Photographs
from training.compose_pool import Field, Sample, SamplePool
from training.network import TrainableNetwork
from training.training_loop import TrainingLoop, add_training_arguments, load_network

FIELDS = {
    "patch": Field((refiner.SIDE, refiner.SIDE, 3), "uint8"),
    "target": Field((8,), "float32"),
}


@torch.no_grad()
def found_by_detector(
    network: torch.nn.Module, picture: NDArray[np.uint8], threshold: float
) -> NDArray[np.float32]:
    """The detector's x, y, d [N, 3] in the pixels of a picture of any size."""
    fitted, scale, left, top = detector.letterbox(picture)
    with torch.autocast("cpu", torch.bfloat16):
        outputs = network(detector.to_input(fitted[None]))
    found = detector.decode(outputs, threshold)[0]
    diameters = np.sqrt(found[:, 2] * found[:, 3])
    where = np.column_stack([found[:, :2] - (left, top), diameters])
    return (where / scale).astype(np.float32)


def samples_of(scene: Scene, where: NDArray[np.float32], rng: np.random.Generator) -> list[Sample]:
    """Patches and targets, in random order; sure negatives no more than twice the coins."""
    where = where[where[:, 2] > 6]
    if not len(where):
        return []
    wanted = refiner.targets(scene, where, 0.1)
    order = rng.permutation(len(where))
    negatives = 2 * int(wanted[:, refiner.COIN].sum()) + 3
    chosen = []
    for index in order:
        if wanted[index, refiner.COIN] == 0:
            negatives -= 1
        if wanted[index, refiner.COIN] > 0 or negatives >= 0:
            chosen.append(index)
    pictures = refiner.patches(scene.picture, where[chosen])
    return [
        {"patch": picture, "target": wanted[index]}
        for picture, index in zip(pictures, chosen, strict=True)
    ]


def maker(
    library: Library, photographs: Photographs, share: float, finder: torch.nn.Module
) -> Callable[[int], Callable[[], list[Sample]]]:
    """Makes patches of composed scenes and, for a `share`, of photographs."""

    def start(seed: int) -> Callable[[], list[Sample]]:
        torch.set_num_threads(1)
        composer = Composer(library, seed)
        rng = composer.rng

        def make() -> list[Sample]:
            if len(photographs.photographs) > 0 and chance(rng, share):
                scene = photographs.scene(rng, library.noise, 640, 480, smallest=20, largest=420)
            else:
                # Empty grounds too: what the detector sees in them are the mistakes to learn.
                most = 0 if chance(rng, 0.25) else 24
                scene = composer.scene(640, 480, smallest=20, largest=440, most=most)
            where = [refiner.jittered(rng, scene, 8), refiner.mistaken(rng, scene, 6)]
            where.append(found_by_detector(finder, scene.picture, 0.1)[:16])
            # A closer look, as the product takes at parts of photographs.
            left, top = int(rng.integers(0, 321)), int(rng.integers(0, 241))
            part = np.ascontiguousarray(scene.picture[top : top + 240, left : left + 320])
            closer = found_by_detector(finder, part, 0.1)[:16]
            where.append(closer + np.array([left, top, 0], np.float32))
            return samples_of(scene, np.concatenate(where), rng)

        return make

    return start


@torch.no_grad()
def measure(
    network: torch.nn.Module, scenes: list[Scene], seed: int, passes: int = 2
) -> dict[str, float]:
    """Coins kept, mistakes kept, and errors of the outline after one and two passes."""
    rng = np.random.default_rng(seed)
    network.eval()
    scores: list[tuple[float, bool]] = []
    errors: list[list[float]] = []
    for scene in scenes:
        for kind in (refiner.jittered(rng, scene, 12), refiner.mistaken(rng, scene, 8)):
            if not len(kind):
                continue
            where = kind
            first = refiner.targets(scene, where)
            for _ in range(passes):
                pixels = refiner.to_input(refiner.patches(scene.picture, where))
                with torch.autocast("cpu", torch.bfloat16):
                    outputs = network(pixels)
                outline = outputs["outline"].flatten(1).float().numpy()
                score = torch.sigmoid(outputs["coinness"].float()).flatten().numpy()
                previous, where = where, refiner.refined(where, outline)
            for index in range(len(where)):
                if first[index, refiner.COIN_WEIGHT] > 0:
                    scores.append((float(score[index]), first[index, refiner.COIN] > 0))
            truth = refiner.targets(scene, previous)
            sure = (truth[:, refiner.OUTLINE_WEIGHT] > 0) & (first[:, refiner.OUTLINE_WEIGHT] > 0)
            errors.extend((outline - truth[:, :5])[sure].tolist())
    values = np.abs(np.array(errors).reshape(-1, 5))
    kept = [score > 0.5 for score, coin in scores if coin]
    wrong = [score > 0.5 for score, coin in scores if not coin]
    return {
        "kept": float(np.mean(kept)),
        "mistakes kept": float(np.mean(wrong)),
        "centre": float(np.median(np.hypot(values[:, 0], values[:, 1]))),
        "scale": float(np.median(values[:, 2])),
        "scale 90%": float(np.quantile(values[:, 2], 0.9)),
        "strain": float(np.median(np.hypot(values[:, 3], values[:, 4]))),
    }


def report(network: torch.nn.Module, groups: dict[str, list[Scene]]) -> str:
    """One line for each group of scenes and number of passes."""
    rows = []
    for name, scenes in groups.items():
        for passes in (1, 2):
            m = measure(network, scenes, 5, passes)
            values = "  ".join(f"{key} {value:.4f}" for key, value in m.items())
            rows.append(f"  {name:11} pass {passes}: {values}")
    return "\n".join(rows)


def validation_scenes(library: Library, photographs: Photographs) -> dict[str, list[Scene]]:
    """Composed scenes and photographs of the held-out sources, always the same."""
    composer = Composer(library, 78)
    composed = [composer.scene(640, 480, smallest=28, largest=440, most=24) for _ in range(80)]
    whole = []
    for photograph in photographs.photographs[:60]:
        coins = np.zeros((len(photograph.outlines), 7), np.float32)
        coins[:, :5] = photograph.outlines[:, :5]
        coins[:, VISIBLE] = 1
        coins[:, SPRITE] = np.where(photograph.outlines[:, 5] > 0, FITTED, BOXED)
        whole.append(Scene(photograph.levels[0], coins))
    return {"composed": composed} | ({"photographs": whole} if whole else {})


def main() -> None:
    """Trains the refiner, with checkpoints, and reports on the sources held out."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    add_training_arguments(parser, "refiner", 20)
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--photographs", type=float, default=0.3, help="share of photographs")
    parser.add_argument("--detector", default="detector", help="checkpoint that finds mistakes")
    parser.add_argument("--reuse", type=float, default=6.0, help="times a sample is used")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    network = TrainableNetwork(refiner.refiner_spec())
    torch.nn.init.normal_(network.weight["outline"], std=0.01)
    loop = TrainingLoop(arguments, network)

    photographs = compose_sources.photographs_from_arguments(arguments)
    library = compose_sources.library_from_arguments(arguments, photographs=photographs)
    finder = load_network(arguments.cache, arguments.detector, detector.detector_spec())
    loop.note(f"{len(photographs.photographs)} photographs, {len(library.weights)} cut-outs")
    groups: dict[str, list[Scene]] = {}
    if arguments.held_out:
        held = compose_sources.photographs_from_arguments(arguments, validation=True)
        held_library = compose_sources.library_from_arguments(arguments, validation=True)
        groups = validation_scenes(held_library, held)
        del held_library
    seed = arguments.seed + loop.progress.step
    pool = SamplePool(
        maker(library, photographs, arguments.photographs, finder),
        FIELDS,
        slots=40000,
        workers=arguments.workers,
        reuse=arguments.reuse,
        seed=seed,
    )
    rng = np.random.default_rng(seed)

    def batch(_: int) -> tuple[torch.Tensor, torch.Tensor]:
        sample = pool.batch(arguments.batch)
        pixels, wanted = refiner.to_input(sample["patch"]), torch.from_numpy(sample["target"])
        if chance(rng, 0.5):
            pixels, wanted = refiner.mirrored(pixels, wanted)
        if chance(rng, 0.5):
            pixels, wanted = refiner.transposed(pixels, wanted)
        return pixels.contiguous(memory_format=torch.channels_last), wanted

    def short_report(network: TrainableNetwork) -> str:
        return report(network, {name: scenes[:20] for name, scenes in groups.items()})

    try:
        loop.run(batch, refiner.loss, short_report if groups else None, report_every=300)
    finally:
        pool.close()
    if groups:
        loop.note("held out:\n" + report(loop.average.module, groups))


if __name__ == "__main__":
    main()
