"""Endless appearances of few coins: unwrapped samples for the classifier, made in batches.

A coin cut-out is split once into a smooth base, its relief and the relief's gradients. A sample
draws a place, size and outline error of the detection, then lights the relief anew: under
another lamp the same relief inverts its light and dark, so contrast and direction are drawn at
random rather than learned from the few photographs. Everything is evaluated directly at the
points of the polar grid, which makes a sample cost well under a millisecond.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

POLAR_ROWS = 48
POLAR_COLUMNS = 160
POLAR_REACH = 1.10  # outermost radius sampled, in coin radii

CUTOUT_SIZE = 256
CUTOUT_RADIUS = 104.0

# Sizes the cut-outs are kept at: a coin of radius 13 pixels is the least that can be read at
# all, one of 58 pixels is more than the patch the product takes.
LEVEL_SIZES = (144, 104, 72, 52, 34)


@dataclass
class Level:
    """All cut-outs at one size: channels are colour 3, base 3, gradient 2, usable 1."""

    size: int
    channels: Tensor  # uint8 [N, 9, size, size]; gradients are offset by 128


def build_levels(images: NDArray[np.uint8], usable: NDArray[np.uint8]) -> list[Level]:
    """Prepares cut-outs uint8 [N, 256, 256, 3] and masks uint8 [N, 256, 256] at every size."""
    levels = []
    for size in LEVEL_SIZES:
        out = np.zeros((len(images), 9, size, size), np.uint8)
        sigma = 0.10 * size * CUTOUT_RADIUS / CUTOUT_SIZE
        for i, (image, mask) in enumerate(zip(images, usable, strict=True)):
            small = cv2.resize(image, (size, size), interpolation=cv2.INTER_AREA)
            base = cv2.GaussianBlur(small, (0, 0), sigma)
            light = small.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)
            dx = cv2.Sobel(light, cv2.CV_32F, 1, 0, ksize=3) / 4
            dy = cv2.Sobel(light, cv2.CV_32F, 0, 1, ksize=3) / 4
            out[i, 0:3] = small.transpose(2, 0, 1)
            out[i, 3:6] = base.transpose(2, 0, 1)
            out[i, 6] = np.clip(dx + 128, 0, 255)
            out[i, 7] = np.clip(dy + 128, 0, 255)
            out[i, 8] = cv2.resize(mask * 255, (size, size), interpolation=cv2.INTER_AREA)
        levels.append(Level(size, torch.from_numpy(out)))
    return levels


def polar_points() -> tuple[Tensor, Tensor]:
    """Radius (in coin radii) and angle of every point of the grid, each [48, 160]."""
    rows = (torch.arange(POLAR_ROWS) + 0.5) / POLAR_ROWS * POLAR_REACH
    columns = (torch.arange(POLAR_COLUMNS) + 0.5) / POLAR_COLUMNS * (2 * math.pi)
    radius, angle = torch.meshgrid(rows, columns, indexing="ij")
    return radius, angle


_RADIUS, _ANGLE = polar_points()


def _uniform(generator: torch.Generator, n: int, low: float, high: float) -> Tensor:
    return torch.rand(n, 1, 1, generator=generator) * (high - low) + low


def _chance(generator: torch.Generator, n: int, probability: float) -> Tensor:
    return torch.rand(n, 1, 1, generator=generator) < probability


def _blotches(generator: torch.Generator, x: Tensor, y: Tensor, cells: int) -> Tensor:
    """Smooth random fields in [-1, 1] at points x, y [N, H, W] of the coin's plane."""
    n = x.shape[0]
    noise = torch.rand(n, 1, cells, cells, generator=generator) * 2 - 1
    grid = torch.stack((x, y), dim=-1) / 1.3
    return functional.grid_sample(noise, grid, padding_mode="reflection", align_corners=False)[:, 0]


def unwrap_plain(level: Level, index: Tensor, turn: float = 0.0) -> Tensor:
    """The grid without any change of appearance: float [N, 3, 48, 160] of (pixel - 128) / 128."""
    x = _RADIUS * torch.cos(_ANGLE + turn)
    y = _RADIUS * torch.sin(_ANGLE + turn)
    grid = torch.stack((x, y), dim=-1) * (2 * CUTOUT_RADIUS / CUTOUT_SIZE)
    pixels = level.channels[index, 0:3].float()
    grid = grid.expand(len(index), -1, -1, -1)
    sampled = functional.grid_sample(pixels, grid, padding_mode="border", align_corners=False)
    return (sampled - 128) / 128


def unwrap_varied(
    level: Level, index: Tensor, generator: torch.Generator, strength: float = 1.0
) -> Tensor:
    """Unwrapped samples with a fresh appearance each: float [N, 3, 48, 160]."""
    n = len(index)
    # Where the product believes the coin to be: centre, size and outline are a little off.
    turn = _uniform(generator, n, 0, 2 * math.pi)
    grow = torch.exp(0.035 * strength * torch.randn(n, 1, 1, generator=generator))
    stretch = 0.035 * strength * torch.randn(n, 1, 1, generator=generator)
    axis = _uniform(generator, n, 0, math.pi)
    shift_x = 0.030 * strength * torch.randn(n, 1, 1, generator=generator)
    shift_y = 0.030 * strength * torch.randn(n, 1, 1, generator=generator)
    x = _RADIUS * torch.cos(_ANGLE + turn) * grow
    y = _RADIUS * torch.sin(_ANGLE + turn) * grow
    along = x * torch.cos(axis) + y * torch.sin(axis)
    x = x + stretch * along * torch.cos(axis)
    y = y + stretch * along * torch.sin(axis)
    # A slight keystone, as from a camera that does not look straight down.
    keystone = 1 + 0.04 * strength * torch.randn(n, 1, 1, generator=generator) * along
    x = x * keystone + shift_x
    y = y * keystone + shift_y

    grid = torch.stack((x, y), dim=-1) * (2 * CUTOUT_RADIUS / CUTOUT_SIZE)
    channels = level.channels[index].float()
    sampled = functional.grid_sample(channels, grid, padding_mode="border", align_corners=False)
    colour, base = sampled[:, 0:3] / 255, sampled[:, 3:6] / 255
    slope_x, slope_y = (sampled[:, 6] - 128) / 255, (sampled[:, 7] - 128) / 255
    usable = (sampled[:, 8:9] / 255).clamp(0, 1)

    # Relief: as photographed, or with other contrast, inverted, or lit from another side.
    detail = colour - base
    relit = _chance(generator, n, 0.6)
    contrast = torch.where(
        relit, _uniform(generator, n, -0.5, 1.3), _uniform(generator, n, 0.35, 1.8)
    )
    lamp = _uniform(generator, n, 0, 2 * math.pi)
    power = torch.where(relit, _uniform(generator, n, 0.0, 2.5), _uniform(generator, n, 0, 0.3))
    # Slopes are per pixel: a smaller picture of the same coin has steeper ones.
    sharpness = (level.size / 72) ** 0.5
    shade = power * sharpness * (slope_x * torch.cos(lamp) + slope_y * torch.sin(lamp))
    picture = base + detail * contrast[:, None] + shade[:, None]
    picture = picture * usable + base * (1 - usable)

    # Toning all over the coin: brass browns and reddens, aluminium greys.
    tone = torch.exp(0.14 * torch.randn(n, 3, 1, 1, generator=generator))
    picture = torch.where(_chance(generator, n, 0.4)[:, None], picture * tone, picture)

    # Tarnish and dirt.
    field = _blotches(generator, x, y, 9)[:, None]
    tint = 1 + 0.25 * torch.randn(n, 3, 1, 1, generator=generator)
    amount = _uniform(generator, n, 0, 0.35)[:, None] * _chance(generator, n, 0.5)[:, None]
    picture = picture * (1 - amount * field.clamp_min(0) * tint)

    # What lies beyond the rim.
    rim = _uniform(generator, n, 0.985, 1.03)
    beyond = (torch.sqrt(x * x + y * y) > rim)[:, None]
    ground = torch.rand(n, 3, 1, 1, generator=generator)
    grey = torch.rand(n, 1, 1, 1, generator=generator)
    ground = torch.where(_chance(generator, n, 0.5)[:, None], grey.expand(-1, 3, -1, -1), ground)
    texture = 0.15 * _uniform(generator, n, 0, 1)[:, None] * _blotches(generator, x, y, 24)[:, None]
    replaced = beyond & _chance(generator, n, 0.6)[:, None]
    picture = torch.where(replaced, ground + texture, picture)

    # Light falling off across the coin, glare, and something lying over a part of it.
    side = _uniform(generator, n, 0, 2 * math.pi)
    slope = _uniform(generator, n, 0, 0.45)
    picture = picture * (1 + slope * (x * torch.cos(side) + y * torch.sin(side)))[:, None]
    glare_x, glare_y = _uniform(generator, n, -1, 1), _uniform(generator, n, -1, 1)
    width = _uniform(generator, n, 0.15, 0.6)
    glare = torch.exp(-((x - glare_x) ** 2 + (y - glare_y) ** 2) / (2 * width * width))
    strong = _uniform(generator, n, 0, 0.8) * _chance(generator, n, 0.3)
    picture = picture + (glare * strong)[:, None]
    cover_angle = _uniform(generator, n, 0, 2 * math.pi)
    cover_from = _uniform(generator, n, 0.15, 1.0)
    bend = _uniform(generator, n, -0.4, 0.4)
    across = x * torch.cos(cover_angle) + y * torch.sin(cover_angle)
    beside = y * torch.cos(cover_angle) - x * torch.sin(cover_angle)
    covered = (across + bend * beside * beside > cover_from) & _chance(generator, n, 0.2)
    lid = torch.rand(n, 3, 1, 1, generator=generator)
    lid = lid + 0.3 * _blotches(generator, x, y, 12)[:, None]
    picture = torch.where(covered[:, None], lid, picture)

    # The camera: white balance, saturation, exposure, gamma, noise.
    balance = torch.exp(0.13 * torch.randn(n, 3, 1, 1, generator=generator))
    exposure = torch.exp(0.30 * torch.randn(n, 1, 1, 1, generator=generator))
    luminance = picture.mean(dim=1, keepdim=True)
    saturation = _uniform(generator, n, 0.35, 1.5)[:, None]
    saturation = torch.where(
        _chance(generator, n, 0.04)[:, None], torch.zeros_like(saturation), saturation
    )
    picture = luminance + (picture - luminance) * saturation
    picture = (picture * balance * exposure).clamp(0, 1.2)
    gamma = torch.exp(0.30 * torch.randn(n, 1, 1, 1, generator=generator))
    picture = (picture + 1e-4) ** gamma
    level_shift = 0.05 * torch.randn(n, 1, 1, 1, generator=generator)
    noise = torch.randn(picture.shape, generator=generator)
    coarse = functional.interpolate(
        torch.randn(n, 3, 24, 80, generator=generator), scale_factor=2, mode="bilinear"
    )
    grain = _uniform(generator, n, 0, 0.05)[:, None] ** 1.0
    picture = picture + level_shift + grain * (0.5 * noise + coarse)
    pixels = torch.round(picture * 255).clamp(0, 255)
    return (pixels - 128) / 128
