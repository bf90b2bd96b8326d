"""`receh count --json` with the networks in floating point, to show what int8 costs.

The steps of Sources/Detection, with OpenCV's resampling and the trained weights before
quantisation, or with int8 arithmetic simulated in the same code. `Benchmarks/accuracy --own DIR`
runs both. Left out is that closer looks must bring more evidence, so the product names a little
less: compare the two rows made here with each other to see what int8 costs.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from training.checkpoints import load_checkpoint
from training.export import folded_network, read_parameters
from training.faces import FOREIGN, NOT_A_COIN, Face, read_faces
from training.labels import read_picture

Pixels = NDArray[np.uint8]
Reals = NDArray[np.float64]

INPUT_WIDTH, INPUT_HEIGHT, CELL = 320, 240, 4
PATCH, PATCH_RADIUS = 144, 48.0
LOOKS = ((2, 0.6, 36.0), (3, 0.4, 20.0), (5, 0.25, 13.0), (8, 0.15, 9.0))
LOOKS_FOR_NOTHING, SIZE_RANGE, FILLS = 2, 2.2, 0.55
SAME_COIN = 0.6
UNWRAPS = 5
SLOPES = ((-2, 0.0545), (-1, 0.2442), (0, 0.4026), (1, 0.2442), (2, 0.0545))


@dataclass
class Disc:
    """A coin under consideration: ellipse in pixels, and the probability of each face."""

    x: float
    y: float
    radius: float
    heat: float
    cosine_strain: float = 0.0
    sine_strain: float = 0.0
    coinness: float = 0.0
    faces: Reals | None = None

    @property
    def longer_axis(self) -> float:
        """In pixels."""
        return 2 * self.radius * math.exp(0.5 * math.hypot(self.cosine_strain, self.sine_strain))

    def is_same(self, other: Disc) -> bool:
        """Whether both stand for one coin."""
        reach = SAME_COIN * max(self.radius, other.radius)
        return math.hypot(self.x - other.x, self.y - other.y) < reach

    def is_detail_of(self, other: Disc) -> bool:
        """Whether this is something on the other rather than a coin."""
        distance = math.hypot(self.x - other.x, self.y - other.y)
        return self.radius < 0.5 * other.radius and distance < other.radius - 0.9 * self.radius


def to_input(pixels: Pixels) -> torch.Tensor:
    """A batch of one: (pixel - 128) / 128, channels first."""
    values = torch.from_numpy(pixels.astype(np.float32)).permute(2, 0, 1)[None]
    return (values - 128) / 128


def logit(probability: float) -> float:
    """The logit of a probability."""
    return math.log(probability / (1 - probability))


class FloatCounter:
    """The three networks and the numbers that travel with them."""

    def __init__(self, cache: Path, *, simulate_int8: bool = False) -> None:
        networks = []
        for name in ("detector", "refiner", "classifier"):
            checkpoint = load_checkpoint(cache / f"{name}.pt")
            if checkpoint is None:
                raise FileNotFoundError(f"{cache}/{name}.pt: not there; run toolchain/train first")
            network = folded_network(checkpoint).eval()
            network.simulate_int8 = simulate_int8
            networks.append(network)
        self.detector, self.refiner, self.classifier = networks
        self.parameters = read_parameters(Path(__file__).parents[1] / "training/parameters.csv")
        self.faces: list[Face] = read_faces()

    @torch.no_grad()
    def count(self, picture: Pixels) -> list[Disc]:
        """The coins of a picture, with the probabilities of their faces."""
        discs = self._locate(picture)
        kept = []
        for disc in discs:
            refined = self._refine(picture, self._refine(picture, disc, circle=True))
            if refined.coinness >= logit(self.parameters["refiner.threshold"]):
                kept.append(refined)
        kept.sort(key=lambda d: -d.coinness)
        coins: list[Disc] = []
        for disc in kept:
            if not any(disc.is_same(other) for other in coins):
                coins.append(disc)
        for coin in coins:
            coin.faces = self._identify(picture, coin)
        weighed = weigh_sizes(coins, self.faces, self.parameters, picture.shape)
        for coin, faces in zip(coins, weighed, strict=True):
            coin.faces = faces
        named = np.array([face.value > 0 for face in self.faces])
        sure = [float(coin.faces[named].sum()) for coin in coins]
        return [
            coin
            for i, coin in enumerate(coins)
            if not any(
                coin.is_detail_of(other) and sure[j] > 0.5 and sure[j] > sure[i]
                for j, other in enumerate(coins)
            )
        ]

    def _locate(self, picture: Pixels) -> list[Disc]:
        height, width = picture.shape[:2]
        found = self._look(picture, 0, 0, width, height, 1)
        seen = len(found)
        scale = max(width / INPUT_WIDTH, height / INPUT_HEIGHT)
        widest = max((2 * d.radius for d in found), default=0)
        ordered = sorted(2 * d.radius for d in found)
        typical = ordered[seen // 2] if seen else 0.0
        if seen == 0 or widest > FILLS * INPUT_HEIGHT * scale:
            found += self._look(picture, 0, 0, width, height, 2)
        for level, (count, share, limit) in enumerate(LOOKS):
            due = level < LOOKS_FOR_NOTHING if seen == 0 else typical < limit * scale
            if not due or scale * share < 0.55:
                continue
            low, high = (typical / SIZE_RANGE, typical * SIZE_RANGE) if seen >= 3 else (0, 1e9)
            part_width, part_height = max(1, round(width * share)), max(1, round(height * share))
            for row in range(count):
                top = (height - part_height) * row // (count - 1)
                for column in range(count):
                    left = (width - part_width) * column // (count - 1)
                    part = picture[top : top + part_height, left : left + part_width]
                    closer = self._look(part, left, top, width, height, 1)
                    found += [d for d in closer if low <= 2 * d.radius <= high]
        found.sort(key=lambda d: -d.heat)
        kept: list[Disc] = []
        for disc in found:
            if not any(disc.is_same(other) for other in kept):
                kept.append(disc)
        return kept[:64]

    def _look(
        self, part: Pixels, left: int, top: int, width: int, height: int, shrink: int
    ) -> list[Disc]:
        rows, columns = part.shape[:2]
        scale = max(columns / (INPUT_WIDTH // shrink), rows / (INPUT_HEIGHT // shrink))
        inner = (max(1, round(columns / scale)), max(1, round(rows / scale)))
        method = cv2.INTER_AREA if scale >= 1 else cv2.INTER_LINEAR
        canvas = np.full((INPUT_HEIGHT, INPUT_WIDTH, 3), 128, np.uint8)
        shift_x, shift_y = (INPUT_WIDTH - inner[0]) // 2, (INPUT_HEIGHT - inner[1]) // 2
        canvas[shift_y : shift_y + inner[1], shift_x : shift_x + inner[0]] = cv2.resize(
            part, inner, interpolation=method
        )
        said = self.detector(to_input(canvas))
        heat = said["centre"][0, 0]
        peak = torch.nn.functional.max_pool2d(heat[None, None], 3, 1, 1)[0, 0]
        least = logit(self.parameters["detector.threshold"])
        discs = []
        for row, column in torch.nonzero((heat == peak) & (heat >= least)).tolist():
            offset = said["offset"][0, :, row, column].clamp(-0.5, 1.5).tolist()
            size = said["size"][0, :, row, column].mean().item()
            x = ((column + offset[0]) * CELL - shift_x) * columns / inner[0]
            y = ((row + offset[1]) * CELL - shift_y) * rows / inner[1]
            radius = 16 * math.exp(min(5, size)) * scale
            slack = radius * 0.9
            outside = not (0 <= x <= columns and 0 <= y <= rows)
            cut = (
                (left > 0 and x < slack)
                or (top > 0 and y < slack)
                or (left + columns < width and x > columns - slack)
                or (top + rows < height and y > rows - slack)
            )
            if not outside and not cut:
                discs.append(Disc(x + left, y + top, radius, heat[row, column].item()))
        return discs

    def _patch(self, picture: Pixels, disc: Disc) -> Pixels:
        side = 3 * disc.radius
        scale = PATCH / side
        if scale < 1:
            # Average first: the warp alone would skip pixels.
            shrunk = max(1, int(1 / scale))
            small = cv2.resize(
                picture, None, fx=1 / shrunk, fy=1 / shrunk, interpolation=cv2.INTER_AREA
            )
            factor_x = picture.shape[1] / small.shape[1]
            factor_y = picture.shape[0] / small.shape[0]
        else:
            small, factor_x, factor_y = picture, 1.0, 1.0
        step_x, step_y = side / PATCH / factor_x, side / PATCH / factor_y
        matrix = np.array(
            [
                [step_x, 0, (disc.x - side / 2) / factor_x + 0.5 * step_x - 0.5],
                [0, step_y, (disc.y - side / 2) / factor_y + 0.5 * step_y - 0.5],
            ]
        )
        return cv2.warpAffine(
            small,
            matrix,
            (PATCH, PATCH),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )

    def _refine(self, picture: Pixels, disc: Disc, circle: bool = False) -> Disc:
        patch = self._patch(picture, disc)
        half = cv2.resize(patch, (PATCH // 2, PATCH // 2), interpolation=cv2.INTER_AREA)
        said = self.refiner(to_input(half))
        x, y, log_radius, cosine, sine = said["outline"][0, :, 0, 0].tolist()
        bound = 0.0 if circle else 1 / max(1.0, math.hypot(cosine, sine))
        return Disc(
            disc.x + disc.radius * max(-0.75, min(0.75, x)),
            disc.y + disc.radius * max(-0.75, min(0.75, y)),
            disc.radius * math.exp(max(-0.6931, min(0.6931, log_radius))),
            disc.heat,
            cosine * bound,
            sine * bound,
            said["coinness"].item(),
        )

    def _identify(self, picture: Pixels, disc: Disc) -> Reals:
        patch = self._patch(picture, disc)
        half_strain = 0.5 * np.array(
            [[disc.cosine_strain, disc.sine_strain], [disc.sine_strain, -disc.cosine_strain]]
        )
        values, vectors = np.linalg.eigh(half_strain)
        stretch = (vectors * np.exp(values)) @ vectors.T
        radius = (np.arange(48) + 0.5) / 48 * 1.10 * PATCH_RADIUS
        total = np.zeros(len(self.faces))
        for look in range(UNWRAPS):
            place = 2 * math.pi * (look - 1) / (UNWRAPS - 1)
            moved = 0.025 * PATCH_RADIUS if look else 0.0
            growth = 1.0 if look == 0 else 1.02 if look % 2 == 0 else 0.98
            turn = 2 * math.pi * 8 * look / UNWRAPS / 160
            angle = 2 * math.pi * (np.arange(160) + 0.5) / 160 + turn
            circle = np.stack((np.cos(angle), np.sin(angle)))
            across, down = stretch @ circle
            x = PATCH / 2 + moved * math.cos(place) + growth * np.outer(radius, across) - 0.5
            y = PATCH / 2 + moved * math.sin(place) + growth * np.outer(radius, down) - 0.5
            unwrapped = cv2.remap(
                patch,
                x.astype(np.float32),
                y.astype(np.float32),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            total += self.classifier(to_input(unwrapped))["logits"][0, :, 0, 0].numpy()
        scaled = total / UNWRAPS / self.parameters["classifier.temperature"]
        weights = np.exp(scaled - scaled.max())
        return weights / weights.sum()


def _bell(off: Reals, deviation: Reals | float) -> Reals:
    """Student's distribution with seven degrees of freedom."""
    return 0.45552 / deviation * (1 + 0.2 * (off / deviation) ** 2) ** -4.0


def weigh_sizes(
    coins: list[Disc], faces: list[Face], parameters: dict[str, float], shape: tuple[int, ...]
) -> list[Reals]:
    """Face probabilities after the diameters of the other coins have been heard."""
    looks = [coin.faces for coin in coins]
    if len(coins) < 2:
        return looks
    spread = np.array([{FOREIGN: 0.25, NOT_A_COIN: 0.5}.get(face.kind, 0.0) for face in faces])
    millimetres = np.log([face.diameter or 24.0 for face in faces])
    half = max(shape[:2]) / 2
    places = np.array([[coin.x / half, coin.y / half] for coin in coins])
    places -= places.mean(axis=0)
    sizes = np.log([coin.longer_axis for coin in coins])
    room = 0.1 + 5 * parameters["scale.sigma"] + 2 * parameters["scale.tilt"]
    grid = np.linspace(
        sizes.min() - millimetres.max() - room, sizes.max() - millimetres.min() + room, 256
    )
    outliers = parameters["scale.outliers"]
    sigma = max(parameters["scale.sigma"], grid[1] - grid[0])
    evidence = np.zeros((len(coins), len(faces)))
    prior = np.stack(looks)
    for slope_x, weight_x in SLOPES:
        for slope_y, weight_y in SLOPES:
            slope = np.array([slope_x, slope_y]) * parameters["scale.tilt"]
            seen = sizes - places @ slope
            off = seen[:, None, None] - grid[None, :, None] - millimetres[None, None, :]
            struck = (1 - outliers) * _bell(off, sigma) + outliers * _bell(off, 0.25)
            likely = np.where(spread > 0, _bell(off, np.maximum(spread, 0.01)), struck)
            fits = np.log(np.maximum(1e-4, (likely * prior[:, None, :]).sum(axis=2)))
            others = np.exp(fits.sum(axis=0)[None] - fits) * weight_x * weight_y
            evidence += (others[:, :, None] * likely).sum(axis=1)
    posterior = prior * evidence
    return list(posterior / posterior.sum(axis=1, keepdims=True))


def coin_row(coin: Disc, faces: list[Face], parameters: dict[str, float]) -> dict | None:
    """The coin as the contract prints it; nothing for what is no coin."""
    by_value: dict[tuple[int, bool], float] = {}
    for face, share in zip(faces, coin.faces, strict=True):
        key = (face.value, face.withdrawn)
        by_value[key] = by_value.get(key, 0.0) + float(share)
    no_coin = sum(float(coin.faces[i]) for i, f in enumerate(faces) if f.name == NOT_A_COIN)
    if no_coin > parameters["classifier.reject"]:
        return None
    unnamed = by_value.pop((0, False), 0.0)
    (value, withdrawn), best = max(by_value.items(), key=lambda item: item[1])
    row = {"x": coin.x, "y": coin.y, "diameter": coin.longer_axis}
    if best < parameters["classifier.unsure"] or best <= unnamed:
        return {"value": 0, "confidence": 1 - no_coin, **row}
    row = {"value": value, "confidence": best, **row}
    return {**row, "withdrawn": True} if withdrawn else row


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="float_counter", description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="folder of the checkpoints")
    parser.add_argument("--int8", action="store_true", help="simulate eight-bit arithmetic")
    parser.add_argument("pictures", type=Path, nargs="+")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    counter = FloatCounter(arguments.cache, simulate_int8=arguments.int8)
    for path in arguments.pictures:
        coins = counter.count(read_picture(path))
        rows = [coin_row(coin, counter.faces, counter.parameters) for coin in coins]
        rows = [row for row in rows if row is not None]
        total = sum(row["value"] for row in rows if not row.get("withdrawn"))
        unsure = sum(row["value"] == 0 for row in rows)
        print(json.dumps({"file": str(path), "total": total, "unsure": unsure, "coins": rows}))


if __name__ == "__main__":
    main()
