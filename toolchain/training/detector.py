"""The detector: its network, what it should answer for a scene, and how its answer is read.

Input 240x320x3. At a quarter of that resolution: `centre`, the logit of a coin's centre being in
the cell; `offset`, the centre in cells from the cell's top left corner; `size`, ln(width / 32)
and ln(height / 32) of the outline's box in input pixels.
"""

from __future__ import annotations

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from training.compose import MAJOR, MINOR, TURN, VISIBLE, Scene, X, Y
from training.network import NetworkSpec

HEIGHT, WIDTH, STRIDE = 240, 320, 4
ROWS, COLUMNS = HEIGHT // STRIDE, WIDTH // STRIDE
UNIT = 32.0
VISIBLE_ENOUGH, VISIBLE_TOO_LITTLE = 0.55, 0.35

# Channels of a target; IGNORED in the heat means neither coin nor ground.
HEAT, DX, DY, LOG_WIDTH, LOG_HEIGHT, WEIGHT = range(6)
IGNORED = -1.0


def detector_spec() -> NetworkSpec:
    """About 110 million multiply-accumulates."""
    spec = NetworkSpec("detector", (HEIGHT, WIDTH, 3))
    quarter = spec.conv(spec.conv("input", 16, stride=2), 16, stride=2)
    eighth = spec.residual(spec.conv(quarter, 32, stride=2))
    sixteenth = spec.residual(spec.conv(eighth, 64, stride=2))
    thirty_second = spec.residual(spec.conv(sixteenth, 96, stride=2))
    # 15 rows become 8; doubled to 16, a kernel of two rows brings them back to 15.
    coarse = spec.upsample(spec.conv(thirty_second, 48, 1))
    coarse = spec.conv(coarse, 32, (2, 1), same=False, relu=False)
    middle = spec.add(coarse, spec.conv(sixteenth, 32, 1, relu=False), relu=True)
    middle = spec.conv(middle, 32)
    up = spec.upsample(spec.conv(middle, 24, 1, relu=False))
    fine = spec.add(up, spec.conv(eighth, 24, 1, relu=False), relu=True)
    fine = spec.conv(fine, 24)
    up = spec.upsample(spec.conv(fine, 16, 1, relu=False))
    finest = spec.add(up, spec.conv(quarter, 16, 1, relu=False), relu=True)
    finest = spec.conv(finest, 16)
    spec.output("centre", spec.conv(finest, 1, 1, relu=False, normalised=False, name="centre"))
    spec.output("offset", spec.conv(finest, 2, 1, relu=False, normalised=False, name="offset"))
    spec.output("size", spec.conv(finest, 2, 1, relu=False, normalised=False, name="size"))
    return spec


def boxes(coins: NDArray[np.float32]) -> NDArray[np.float32]:
    """Centre x and y, width, height [N, 4] of the boxes around ellipses."""
    cos, sin = np.cos(coins[:, TURN]), np.sin(coins[:, TURN])
    width = 2 * np.hypot(coins[:, MAJOR] * cos, coins[:, MINOR] * sin)
    height = 2 * np.hypot(coins[:, MAJOR] * sin, coins[:, MINOR] * cos)
    return np.column_stack([coins[:, X], coins[:, Y], width, height])


def target(scene: Scene) -> NDArray[np.float16]:
    """What the detector should answer, [6, 60, 80]."""
    result = np.zeros((6, ROWS, COLUMNS), np.float32)
    heat = result[HEAT]
    around = boxes(scene.coins)
    order = np.argsort(-around[:, 2])
    for x, y, radius in scene.ignored / STRIDE:
        _disc(heat, float(x), float(y), float(radius))
    for index in order:
        x, y, width, height = (float(v) for v in around[index])
        visible = scene.coins[index, VISIBLE]
        inside = 0 <= x < WIDTH and 0 <= y < HEIGHT
        x, y = x / STRIDE, y / STRIDE
        if visible < VISIBLE_ENOUGH or not inside:
            if visible > VISIBLE_TOO_LITTLE:
                _disc(heat, x, y, 0.2 * min(width, height) / STRIDE)
            continue
        sigma = min(max(0.09 * min(width, height) / STRIDE, 0.65), 2.5)
        reach = int(3 * sigma) + 1
        column, row = int(x), int(y)
        left, right = max(0, column - reach), min(COLUMNS, column + reach + 1)
        top, bottom = max(0, row - reach), min(ROWS, row + reach + 1)
        # Measured between cells, so that the centre's own cell is exactly 1.
        across = np.arange(left, right, dtype=np.float32)[None, :]
        down = np.arange(top, bottom, dtype=np.float32)[:, None]
        blob = np.exp(-((across - column) ** 2 + (down - row) ** 2) / (2 * sigma * sigma))
        part = result[:, top:bottom, left:right]
        wins = blob > np.maximum(part[HEAT], 0)
        near = wins & (np.maximum(np.abs(across - column), np.abs(down - row)) <= 1)
        part[HEAT][wins] = blob[wins]
        part[WEIGHT][wins] = 0
        part[WEIGHT][near] = blob[near]
        part[DX][near] = (x - across + 0 * down)[near]
        part[DY][near] = (y - down + 0 * across)[near]
        part[LOG_WIDTH][near] = np.log(width / UNIT)
        part[LOG_HEIGHT][near] = np.log(height / UNIT)
    return result.astype(np.float16)


def _disc(heat: NDArray[np.float32], x: float, y: float, radius: float) -> None:
    """Marks a disc as neither coin nor ground, except where a coin already is."""
    left, right = max(0, int(x - radius)), min(COLUMNS, int(x + radius) + 2)
    top, bottom = max(0, int(y - radius)), min(ROWS, int(y + radius) + 2)
    if left >= right or top >= bottom:
        return
    across = np.arange(left, right)[None, :] + 0.5 - x
    down = np.arange(top, bottom)[:, None] + 0.5 - y
    part = heat[top:bottom, left:right]
    part[(np.hypot(across, down) <= radius + 0.7) & (part < 0.3)] = IGNORED


def mirrored(picture: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """A batch [N, C, H, W] and its targets, left and right exchanged."""
    picture, targets = picture.flip(3), targets.flip(3).clone()
    targets[:, DX] = torch.where(targets[:, WEIGHT] > 0, 1 - targets[:, DX], targets[:, DX])
    return picture, targets


def loss(outputs: dict[str, Tensor], targets: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Focal loss of the centres, absolute errors of offset and size around them."""
    logit, heat = outputs["centre"][:, 0], targets[:, HEAT]
    probability = torch.sigmoid(logit)
    positive = heat >= 0.999
    count = positive.sum().clamp_min(1)
    up = -functional.logsigmoid(logit) * (1 - probability) ** 2
    down = -functional.logsigmoid(-logit) * probability**2 * (1 - heat.clamp_min(0)) ** 4
    centre = torch.where(positive, up, down) * (heat >= 0)
    weight = targets[:, WEIGHT]
    total = weight.sum().clamp_min(1)
    offset = (outputs["offset"] - targets[:, [DX, DY]]).abs().sum(1)
    size = (outputs["size"] - targets[:, [LOG_WIDTH, LOG_HEIGHT]]).abs().sum(1)
    parts = {
        "centre": centre.sum() / count,
        "offset": (offset * weight).sum() / total,
        "size": (size * weight).sum() / total,
    }
    result = parts["centre"] + 0.5 * parts["offset"] + 1.5 * parts["size"]
    return result, {name: float(value.detach()) for name, value in parts.items()}


def letterbox(picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float, float, float]:
    """Fits a picture into the detector's input; gives it, and scale, left and top of the fit."""
    height, width = picture.shape[:2]
    scale = min(WIDTH / width, HEIGHT / height)
    columns, rows = max(1, round(width * scale)), max(1, round(height * scale))
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    result = np.full((HEIGHT, WIDTH, 3), 128, np.uint8)
    left, top = (WIDTH - columns) // 2, (HEIGHT - rows) // 2
    resized = cv2.resize(picture, (columns, rows), interpolation=kind)
    result[top : top + rows, left : left + columns] = resized
    return result, scale, left, top


def to_input(pictures: NDArray[np.uint8]) -> Tensor:
    """Pictures [N, H, W, 3] as the network's input."""
    pixels = torch.from_numpy(pictures).permute(0, 3, 1, 2)
    pixels = (pixels.float() - 128) / 128
    return pixels.contiguous(memory_format=torch.channels_last)


def decode(
    outputs: dict[str, Tensor], threshold: float, *, overlap: float = 0.35
) -> list[NDArray[np.float32]]:
    """Detections x, y, width, height, score [N, 5] of each picture, best first.

    A detection goes when a better one's centre is nearer than `overlap` of the sum of their
    radii.
    """
    logit = outputs["centre"].float()
    peak = functional.max_pool2d(logit, 3, 1, 1) == logit
    score = torch.sigmoid(logit)
    result = []
    for index in range(len(logit)):
        rows, columns = torch.nonzero(peak[index, 0] & (score[index, 0] > threshold), as_tuple=True)
        offset = outputs["offset"][index, :, rows, columns].float().numpy()
        size = np.exp(outputs["size"][index, :, rows, columns].float().numpy()) * UNIT
        x = (columns.numpy() + offset[0]) * STRIDE
        y = (rows.numpy() + offset[1]) * STRIDE
        found = np.column_stack([x, y, size[0], size[1], score[index, 0, rows, columns].numpy()])
        kept: list[NDArray[np.float32]] = []
        for one in found[np.argsort(-found[:, 4])]:
            radius = (one[2] + one[3]) / 4
            if all(
                np.hypot(one[0] - other[0], one[1] - other[1])
                > overlap * (radius + (other[2] + other[3]) / 4)
                for other in kept
            ):
                kept.append(one)
        result.append(np.array(kept, np.float32).reshape(-1, 5))
    return result
