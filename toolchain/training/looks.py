"""Looks at coins that nobody has struck, to learn what makes two coins of one kind.

Designs of renderer.inventions are shaded on the grid of the unwrap itself, by the renderer's model
of metal, light, wear and dirt: thousands of looks in minutes. A kind is a design, a design seen in
a mirror, or the middle of one inside the rim of another: like coins that differ in a part.
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

from renderer.inventions import invented
from renderer.metal import GRID, METALS, LightRig
from renderer.relief import Relief
from training.appearance import polar_points

FAMILY = 4
"""Designs that share rim, words and layout."""
DIAMETER = 24.0
SIDE, RADIUS = 256, 104
SIZES = (144, 104, 72)
"""Sides of the pictures of a design: coins of 117, 84 and 58 pixels."""
MOST_WEAR = 0.65
"""More worn coins can hardly be read by eye."""
STATES = 3
"""Tables of a light: new metal, worn metal, dirt."""


def strike(count: int, seed: int) -> NDArray[np.float16]:
    """Height maps of `count` designs in millimetres, [count, 256, 256]."""
    heights = np.empty((count, SIDE, SIDE), np.float16)
    for number in range(count):
        relief = Relief(DIAMETER)
        invented(relief, seed * 100_000 + number // FAMILY, seed * 100_000 + number)
        heights[number] = cv2.resize(relief.height, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return heights


@dataclass
class Designs:
    """Designs at one size: height and slopes, as struck and softened, [N, 6, size, size]."""

    channels: Tensor
    top: Tensor


def build_designs(heights: NDArray[np.float16]) -> list[Designs]:
    """The designs at every size of `SIZES`."""
    result = []
    for size in SIZES:
        pixels = RADIUS / SIDE * 2 * size / DIAMETER
        out = np.empty((len(heights), 6, size, size), np.float16)
        for number, whole in enumerate(heights):
            height = cv2.resize(whole.astype(np.float32), (size, size),
                                interpolation=cv2.INTER_AREA)  # fmt: skip
            soft = cv2.GaussianBlur(height, (0, 0), max(0.24 * pixels, 0.6))
            for place, one in enumerate((height, soft)):
                out[number, 3 * place] = one
                out[number, 3 * place + 1] = cv2.Sobel(one, cv2.CV_32F, 1, 0) * (pixels / 8)
                out[number, 3 * place + 2] = cv2.Sobel(one, cv2.CV_32F, 0, 1) * (pixels / 8)
        top = np.quantile(heights[:, ::8, ::8].astype(np.float32), 0.97, axis=(1, 2)) + 1e-3
        result.append(Designs(torch.from_numpy(out), torch.from_numpy(top.astype(np.float32))))
    return result


@dataclass
class Lights:
    """Lamps with a metal each: what the metal sends up by its normal, and what a camera makes."""

    tables: Tensor  # [N, 3 * STATES, GRID, GRID]
    ground: Tensor  # [N, 3], light of a white ground
    tarnishing: Tensor  # [N]
    exposed: Tensor  # [N, 3], gains of the camera


def draw_lights(count: int, random: np.random.Generator) -> Lights:
    """Light, metal and camera by lot, as the renderer draws them."""
    names = ["aluminium", "nickel", "cupronickel", "bronze", "copper", "steel"]
    tables, grounds, tarnishing, exposed = [], [], [], []
    for _ in range(count):
        rig = LightRig.draw(random)
        metal = METALS[str(random.choice(names))]
        tone = np.array(metal.reflectance, np.float32) * random.normal(1, 0.02, 3)
        tone = tone.astype(np.float32)
        oxide = np.array(metal.tarnish, np.float32) * np.float32(random.uniform(0.5, 1.3))
        low, high = metal.roughness
        shine = float(np.clip(low + (high - low) * random.uniform(0, 0.4), 0.05, 0.8))
        worn = float(np.clip(low + (high - low) * random.uniform(0.4, 1.1), 0.05, 0.8))
        states = (
            rig.look(tone, shine, tone * np.float32(metal.diffuse * 0.8)),
            rig.look(tone, worn, tone * np.float32(metal.diffuse * 1.4)),
            rig.look(tone * 0.25 + oxide * 0.25, min(worn * 1.8 + 0.1, 0.8), oxide * 0.6),
        )
        tables.append(np.concatenate([state.transpose(2, 0, 1) for state in states]))
        white = rig.irradiance()
        mean = 0.55 * float(white.mean()) * random.uniform(0.05, 0.8)
        mean += 0.45 * float(states[0][GRID // 2, GRID // 2].mean())
        gain = random.uniform(0.2, 0.34) * (max(mean, 1e-3) / 0.3) ** 0.35 / max(mean, 1e-3)
        warmth = random.normal(0, 0.05)
        exposed.append(gain * np.array([1 + warmth, 1 + random.normal(0, 0.015), 1 - warmth]))
        grounds.append(white)
        tarnishing.append(metal.tarnishing)
    return Lights(
        torch.from_numpy(np.stack(tables)).float(),
        torch.from_numpy(np.stack(grounds)).float(),
        torch.tensor(tarnishing).float(),
        torch.from_numpy(np.stack(exposed)).float(),
    )


@dataclass
class Kinds:
    """What lies in the middle of each kind, what around it, and how."""

    inner: Tensor
    outer: Tensor
    border: Tensor  # radius of the border, in coin radii
    turn: Tensor  # of what lies around it
    mirror: Tensor  # 1, or -1 for a mirrored one


def draw_kinds(designs: int, count: int, random: np.random.Generator) -> Kinds:
    """A third each are designs, mirrored ones, and mixed ones."""
    inner = np.arange(count) % designs
    mixed = random.random(count) < 0.35
    mixed[: min(designs, count)] = False
    outer = np.where(mixed, random.integers(designs, size=count), inner)
    return Kinds(
        torch.from_numpy(inner),
        torch.from_numpy(outer),
        torch.from_numpy(random.uniform(0.5, 0.72, count)).float(),
        torch.from_numpy(np.where(mixed, random.uniform(0, 2 * np.pi, count), 0)).float(),
        torch.from_numpy(np.where(np.arange(count) // designs % 2 == 1, -1.0, 1.0)).float(),
    )


def _noise(generator: torch.Generator, count: int, rows: int, columns: int) -> Tensor:
    """Smooth noise of about unit variance on the grid, [count, 48, 160]."""
    grid = torch.randn(count, 1, rows, columns, generator=generator)
    wide = functional.pad(grid, (1, 1, 0, 0), mode="circular")
    scaled = functional.interpolate(
        wide, (48, 160 * (columns + 2) // columns), mode="bicubic", align_corners=False
    )
    return scaled[:, 0, :, :160]


def _sampled(designs: Designs, index: Tensor, x: Tensor, y: Tensor, turn: Tensor, mirror: Tensor):
    """Channels [N, 6, 48, 160] of designs turned by `turn`; slopes along the picture's axes."""
    cosine, sine = torch.cos(turn), torch.sin(turn)
    # Points of the picture in the design's own axes.
    own_x, own_y = (x * cosine + y * sine) * mirror, -x * sine + y * cosine
    grid = torch.stack((own_x, own_y), dim=-1) * (2 * RADIUS / SIDE)
    got = functional.grid_sample(
        designs.channels[index].float(), grid, padding_mode="border", align_corners=False
    )
    for place in (1, 4):
        right, down = got[:, place] * mirror, got[:, place + 1].clone()
        got[:, place] = right * cosine - down * sine
        got[:, place + 1] = right * sine + down * cosine
    return got


def shade(
    designs: Designs, kinds: Kinds, lights: Lights, kind: Tensor, light: Tensor,
    generator: torch.Generator,
) -> Tensor:  # fmt: skip
    """One look at a coin of each of `kind` [N] under each of `light` [N].

    Returns uint8 [N, 3, 48, 160].
    """
    n = len(kind)

    def uniform(low: float, high: float) -> Tensor:
        return torch.rand(n, 1, 1, generator=generator) * (high - low) + low

    def normal(spread: float) -> Tensor:
        return torch.randn(n, 1, 1, generator=generator) * spread

    radius, angle = polar_points()
    turn = uniform(0, 2 * math.pi)
    x, y = radius * torch.cos(angle), radius * torch.sin(angle)
    grow = torch.exp(normal(0.015))
    skew, strain = normal(0.012), normal(0.012)
    x, y = x * grow * (1 + strain) + y * skew, y * grow * (1 - strain) + x * skew
    x, y = x + normal(0.018), y + normal(0.018)
    distance = torch.sqrt(x * x + y * y)

    mirror = kinds.mirror[kind][:, None, None]
    got = _sampled(designs, kinds.inner[kind], x, y, turn, mirror)
    mixed = kinds.inner[kind] != kinds.outer[kind]
    if mixed.any():
        around = _sampled(
            designs, kinds.outer[kind][mixed], x[mixed], y[mixed],
            turn[mixed] + kinds.turn[kind][mixed][:, None, None], mirror[mixed],
        )  # fmt: skip
        outside = (distance[mixed] > kinds.border[kind][mixed][:, None, None])[:, None]
        got[mixed] = torch.where(outside, around, got[mixed])

    # Wear rounds edges and flattens what stands highest, as renderer.coin has it.
    age = torch.from_numpy(
        np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator)))
        .beta(1.6, 2.2, n).clip(0, MOST_WEAR).astype(np.float32)
    )[:, None, None]  # fmt: skip
    top = designs.top[kinds.inner[kind]][:, None, None]
    share = 0.5 * age
    height = got[:, 0] + (got[:, 3] - got[:, 0]) * share
    ceiling = top * (1.15 - 0.45 * age)
    flat = torch.where(height > ceiling, 0.35, 1.0) * uniform(0.8, 1.35)
    right = (got[:, 1] + (got[:, 4] - got[:, 1]) * share) * flat
    down = (got[:, 2] + (got[:, 5] - got[:, 2]) * share) * flat
    rough = uniform(0.004, 0.03) * (0.5 + age)
    right = right + rough * _noise(generator, n, 48, 160) + 0.03 * age * _noise(generator, n, 6, 16)
    down = down + rough * _noise(generator, n, 48, 160) + 0.03 * age * _noise(generator, n, 6, 16)
    shoulder = 8 * (distance - 0.965).clamp(0, 0.05) * uniform(0.5, 1.2)
    right, down = right - shoulder * x, down - shoulder * y
    inverse = 1 / torch.sqrt(1 + right * right + down * down)
    dome = normal(0.05)
    across = -right * inverse + x * (normal(0.09) + dome) + y * normal(0.09) + normal(0.04)
    along = -down * inverse + x * normal(0.09) + y * (normal(0.09) + dome) + normal(0.04)

    tables = lights.tables[light]
    lustre = uniform(0.05, 0.3) * (1 - age) * (torch.rand(n, 1, 1, generator=generator) < 0.55)
    bright: Tensor | float = 0.0
    near = distance.clamp_min(0.05)
    for step in (-1.0, 0.0, 1.0):
        normals = torch.stack((across - y / near * lustre * step,
                               along + x / near * lustre * step), dim=-1)  # fmt: skip
        bright = bright + functional.grid_sample(
            tables[:, :6], normals, padding_mode="border", align_corners=True
        ) / 3
    clean = bright[:, :3] + (bright[:, 3:6] - bright[:, :3]) * age[:, None]
    dull = functional.grid_sample(
        tables[:, 6:], torch.stack((across, along), dim=-1), padding_mode="border",
        align_corners=True,
    )  # fmt: skip
    cavity = ((got[:, 3] - height) / top.clamp_min(0.05)).clamp(0, 1)
    blotches = uniform(0.2, 0.9) * _noise(generator, n, 5, 14)
    blotches = blotches + uniform(0.2, 0.7) * _noise(generator, n, 20, 60)
    amount = lights.tarnishing[light][:, None, None] * age * (0.75 + 0.35 * blotches + 1.4 * cavity)
    colour = clean + (dull - clean) * amount.clamp(0, 0.97)[:, None]
    colour = colour * (1 - (cavity * uniform(0.3, 0.9)).clamp(0, 0.7))[:, None]

    albedo = uniform(0.03, 0.8)[:, None] * (1 + 0.2 * torch.randn(n, 3, 1, 1, generator=generator))
    ground = lights.ground[light][:, :, None, None] * albedo
    shadow = 1 - 0.7 * torch.exp(-(distance - 1).clamp_min(0) / uniform(0.03, 0.15))
    ground = ground * (shadow * (1 + 0.05 * _noise(generator, n, 48, 160)))[:, None]
    colour = torch.where((distance > 1)[:, None], ground, colour)
    light_there = uniform(0.75, 1.25)[:, None]
    picture = colour * lights.exposed[light][:, :, None, None] * light_there
    level = (torch.rand(n, 1, 1, 1, generator=generator) * 0.006 + 0.002) * 1.2
    noise = torch.stack([_noise(generator, n, 36, 120) for _ in range(3)], dim=1)
    picture = picture.clamp_min(0)
    picture = (picture + level * torch.sqrt(picture + 0.02) * noise).clamp_min(0)
    knee = torch.where(picture < 0.7, picture, 0.7 + 0.3 * (1 - torch.exp(-(picture - 0.7) / 0.3)))
    encoded = torch.where(
        knee <= 0.0031308, 12.92 * knee, 1.055 * knee.clamp_min(1e-6) ** (1 / 2.4) - 0.055
    )
    return torch.round(encoded * 255).clamp(0, 255).to(torch.uint8)
