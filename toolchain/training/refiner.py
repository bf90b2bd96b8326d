"""The refiner: its network, the patches it looks at, and what it should answer.

Input 72x72x3: the square patch around a detection, 1.5 detected diameters wide. `outline` is the
ellipse relative to the detection: centre offset in detected radii, ln of the mean radius over the
detected one, and the strain ln(a / b) as a vector at twice the major axis' angle. `coinness` is
the logit of there being one coin-like disc.
"""

from __future__ import annotations

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from training.compose import BOXED, MAJOR, MINOR, SPRITE, TURN, VISIBLE, Scene, X, Y
from training.compose_effects import Random, chance, log_uniform
from training.network import NetworkSpec

SIDE = 72
MARGIN = 1.5  # patch side over detected diameter

# Columns of a target.
OFFSET_X, OFFSET_Y, SCALE, STRAIN_X, STRAIN_Y, OUTLINE_WEIGHT, COIN, COIN_WEIGHT = range(8)


def refiner_spec() -> NetworkSpec:
    """About 6 million multiply-accumulates."""
    spec = NetworkSpec("refiner", (SIDE, SIDE, 3))
    x = spec.conv("input", 16, stride=2)
    x = spec.conv(x, 24, stride=2)
    x = spec.conv(x, 24)
    x = spec.residual(spec.conv(x, 32, stride=2))
    x = spec.conv(spec.conv(x, 48, stride=2), 48)
    x = spec.conv(x, 64, 5, same=False)
    x = spec.conv(x, 64, 1)
    spec.output("outline", spec.conv(x, 5, 1, relu=False, normalised=False, name="outline"))
    spec.output("coinness", spec.conv(x, 1, 1, relu=False, normalised=False, name="coinness"))
    return spec


def patches(
    picture: NDArray[np.uint8], where: NDArray[np.float32], side: int = SIDE
) -> NDArray[np.uint8]:
    """Patches [N, side, side, 3] around centres and diameters x, y, d [N, 3] of a picture.

    As in the product: a patch of 144 pixels a side is drawn from the picture, averaged where it
    shrinks, the picture's edge repeated outside, and its pixels are averaged two by two.
    """
    result = np.empty((len(where), side, side, 3), np.uint8)
    levels = [picture]
    for index, (x, y, diameter) in enumerate(where):
        step = MARGIN * float(diameter) / 144
        level = 0
        while step > 1.5 * 2**level and min(levels[level].shape[:2]) > 1:
            level += 1
            if level == len(levels):
                previous = levels[-1]
                size = (max(1, previous.shape[1] // 2), max(1, previous.shape[0] // 2))
                levels.append(cv2.resize(previous, size, interpolation=cv2.INTER_AREA))
        source = levels[level]
        ratio = np.array([source.shape[1] / picture.shape[1], source.shape[0] / picture.shape[0]])
        stride = step * ratio
        start = np.array([x, y]) * ratio - 72 * stride + stride / 2 - 0.5
        matrix = np.array([[stride[0], 0, start[0]], [0, stride[1], start[1]]])
        drawn = cv2.warpAffine(
            source,
            matrix,
            (144, 144),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        result[index] = cv2.resize(drawn, (side, side), interpolation=cv2.INTER_AREA)
    return result


def targets(
    scene: Scene, where: NDArray[np.float32], boxed_weight: float = 0.0
) -> NDArray[np.float32]:
    """What the refiner should answer [N, 8] for detections x, y, d [N, 3] of a scene.

    `boxed_weight` is what outlines count that are only boxes drawn by hand.
    """
    result = np.zeros((len(where), 8), np.float32)
    result[:, COIN_WEIGHT] = 1
    coins = scene.coins
    if not len(coins):
        return result
    mean = np.sqrt(coins[:, MAJOR] * coins[:, MINOR])
    strain = np.log(coins[:, MAJOR] / coins[:, MINOR])
    for index, (x, y, diameter) in enumerate(where):
        radius = diameter / 2
        dx, dy = (coins[:, X] - x) / radius, (coins[:, Y] - y) / radius
        scale = np.log(mean / radius)
        away = np.hypot(dx, dy)
        # 1 at the edge of what is surely this coin, 2 where it surely is not.
        misfit = np.maximum(away / 0.25, np.abs(scale) / 0.25)
        misfit = np.where(coins[:, VISIBLE] < 0.35, np.inf, misfit)
        best = int(misfit.argmin())
        if misfit[best] > 1.45:
            continue
        sure = misfit[best] <= 1 and coins[best, VISIBLE] > 0.55
        result[index, COIN] = 1
        result[index, COIN_WEIGHT] = float(sure)
        if sure:
            angle = 2 * coins[best, TURN]
            result[index, :5] = (
                dx[best],
                dy[best],
                scale[best],
                strain[best] * np.cos(angle),
                strain[best] * np.sin(angle),
            )
            boxed = coins[best, SPRITE] == BOXED
            result[index, OUTLINE_WEIGHT] = boxed_weight if boxed else 1
    return result


def jittered(rng: Random, scene: Scene, most: int) -> NDArray[np.float32]:
    """Detections x, y, d [N, 3] near the scene's coins, good ones and tight ones."""
    shown = scene.coins[scene.coins[:, VISIBLE] > 0.35]
    if not len(shown):
        return np.zeros((0, 3), np.float32)
    shown = shown[rng.choice(len(shown), min(most, len(shown)), replace=False)]
    mean = np.sqrt(shown[:, MAJOR] * shown[:, MINOR])
    spread = np.where(rng.random(len(shown)) < 0.4, 0.04, 0.15)
    away = rng.uniform(-1, 1, (len(shown), 2)) * spread[:, None]
    scale = np.exp(rng.uniform(-1, 1, len(shown)) * spread)
    centres = shown[:, :2] + away * mean[:, None]
    return np.column_stack([centres, 2 * mean * scale]).astype(np.float32)


def mistaken(rng: Random, scene: Scene, most: int) -> NDArray[np.float32]:
    """Detections that are wrong: parts of coins, gaps between them, things, and bare ground."""
    height, width = scene.picture.shape[:2]
    result = []
    for _ in range(most):
        kind = rng.random()
        if kind < 0.35 and len(scene.things):
            thing = scene.things[rng.integers(len(scene.things))]
            mean = np.sqrt(thing[MAJOR] * thing[MINOR])
            x, y = thing[:2] + rng.uniform(-0.15, 0.15, 2) * mean
            diameter = 2 * mean * log_uniform(rng, 0.85, 1.18)
        elif kind < 0.75 and len(scene.coins):
            coin = scene.coins[rng.integers(len(scene.coins))]
            mean = np.sqrt(coin[MAJOR] * coin[MINOR])
            if chance(rng, 0.5):
                angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.4, 1.3) * mean
                x, y = coin[X] + away * np.cos(angle), coin[Y] + away * np.sin(angle)
                diameter = 2 * mean * log_uniform(rng, 0.4, 2)
            elif chance(rng, 0.5):
                x, y = coin[:2] + rng.uniform(-0.2, 0.2, 2) * mean
                diameter = 2 * mean * (log_uniform(rng, 0.35, 0.7) if chance(rng, 0.6) else 1.8)
            else:
                other = scene.coins[np.hypot(*(scene.coins[:, :2] - coin[:2]).T).argsort()[:2][-1]]
                x, y = (coin[:2] + other[:2]) / 2
                diameter = 2 * mean * log_uniform(rng, 0.4, 2)
        else:
            x, y = rng.uniform((0, 0), (width, height))
            diameter = log_uniform(rng, 8, 0.8 * height)
        result.append((x, y, diameter))
    return np.array(result, np.float32).reshape(-1, 3)


def mirrored(pixels: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """A batch and its targets, left and right exchanged."""
    wanted = wanted.clone()
    wanted[:, [OFFSET_X, STRAIN_Y]] *= -1
    return pixels.flip(3), wanted


def transposed(pixels: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """A batch and its targets, rows and columns exchanged."""
    wanted = wanted[:, [OFFSET_Y, OFFSET_X, SCALE, STRAIN_X, STRAIN_Y, 5, 6, 7]].clone()
    wanted[:, STRAIN_X] *= -1
    return pixels.transpose(2, 3), wanted


def loss(outputs: dict[str, Tensor], wanted: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Cross-entropy of coinness, absolute errors of the outline."""
    logit = outputs["coinness"].flatten()
    entropy = functional.binary_cross_entropy_with_logits(logit, wanted[:, COIN], reduction="none")
    sure = wanted[:, COIN_WEIGHT]
    coinness = (entropy * sure).sum() / sure.sum().clamp_min(1)
    weight = wanted[:, OUTLINE_WEIGHT]
    total = weight.sum().clamp_min(1)
    error = (outputs["outline"].flatten(1) - wanted[:, :5]).abs() * weight[:, None]
    offset, scale, strain = (
        error[:, :2].sum() / total,
        error[:, 2].sum() / total,
        error[:, 3:].sum() / total,
    )
    parts = {"coinness": coinness, "offset": offset, "scale": scale, "strain": strain}
    result = coinness + 4 * offset + 6 * scale + 2 * strain
    return result, {name: float(value.detach()) for name, value in parts.items()}


def to_input(pictures: NDArray[np.uint8]) -> Tensor:
    """Patches [N, 72, 72, 3] as the network's input."""
    pixels = (torch.from_numpy(pictures).permute(0, 3, 1, 2).float() - 128) / 128
    return pixels.contiguous(memory_format=torch.channels_last)


def refined(where: NDArray[np.float32], outline: NDArray[np.float32]) -> NDArray[np.float32]:
    """Detections x, y, d moved to the outlines' centres and mean diameters."""
    radius = where[:, 2] / 2
    return np.column_stack(
        [
            where[:, 0] + outline[:, 0] * radius,
            where[:, 1] + outline[:, 1] * radius,
            where[:, 2] * np.exp(outline[:, 2]),
        ]
    ).astype(np.float32)
