"""Rendered coins in the form of training cut-outs: squares of 256 pixels, outline 104 in radius."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from .arrays import Bytes
from .coin import encode, shade_coin
from .faces import FACES, OTHERS
from .ground import GROUNDS
from .metal import LightRig

SIDE = 256
"""Pixels a side of a cut-out."""

_GROUPS = 6


@dataclass(frozen=True)
class Plan:
    """How many cut-outs of what."""

    current: int = 40
    """Of each face in use."""
    withdrawn: int = 14
    """Of each face withdrawn."""
    foreign: int = 150
    """Of coins of no country."""
    strange: int = 25
    """Of each kind of thing that is no coin."""

    def faces(self) -> list[str]:
        """Every cut-out's face, in order."""
        names: list[str] = []
        for face in FACES.values():
            names += [face.name] * (self.withdrawn if face.withdrawn else self.current)
        for name in OTHERS:
            names += [name] * (self.foreign if name == "foreign" else self.strange)
        return names


def cutout(face: str, rng: np.random.Generator) -> Bytes:
    """One coin on some ground under some light: uint8 [SIDE, SIDE, 3], sRGB."""
    rig = LightRig.draw(rng)
    colour, alpha, _ = shade_coin(face, SIDE, rng, rig)
    scale = float(rng.uniform(5, 10))
    name = str(rng.choice(list(GROUNDS)))
    ground = GROUNDS[name](rng, SIDE, SIDE, scale) * rig.irradiance()
    d = rig.directions[: rig.lamps].mean(0)
    reach = np.clip(d[:2] / d[2] * scale * -2.0, -14, 14)
    moved = np.array([[1, 0, reach[0]], [0, 1, reach[1]]], np.float64)
    cast = cv2.warpAffine(alpha, moved, (SIDE, SIDE))
    cast = cv2.GaussianBlur(cast, (0, 0), float(rng.uniform(1.5, 6)))
    near = cv2.GaussianBlur(alpha, (0, 0), 2.0 * scale)
    ground *= ((1 - rng.uniform(0.2, 0.7) * cast) * (1 - 0.4 * near))[..., None]
    picture = ground + (colour - ground) * alpha[..., None]
    inner = alpha > 0.9
    level = float(np.quantile(colour[inner][::16], rng.uniform(0.5, 0.8)))
    picture = picture * np.float32(rng.uniform(0.14, 0.6) / max(level, 1e-4))
    picture = cv2.GaussianBlur(picture, (0, 0), 0.3 + float(rng.exponential(0.6)))
    picture *= np.array([1 + rng.normal(0, 0.06), 1, 1 + rng.normal(0, 0.06)], np.float32)
    spread = np.float32(rng.exponential(0.012)) * np.sqrt(np.maximum(picture, 0) + 0.02)
    picture += spread * rng.standard_normal(picture.shape, np.float32)
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(1, 3)))
        picture += (picture - soft) * np.float32(rng.uniform(0.2, 1.5))
    return encode(np.maximum(picture, 0).astype(np.float32))


def write_cutouts(path: Path, plan: Plan, seed: int) -> int:
    """Writes the plan's cut-outs as an .npz file of the training's form; returns their number.

    Arrays: image uint8 [N, 256, 256, 3], usable uint8 [N, 256, 256], and face, source,
    group, split, quality, origin and diameter, each [N].
    """
    names = plan.faces()
    image = np.stack([cutout(name, np.random.default_rng([seed, i])) for i,
                      name in enumerate(names)])
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part.npz")
    np.savez(
        beside,
        image=image,
        usable=np.ones(image.shape[:3], np.uint8),
        face=np.array([_label(name) for name in names]),
        source=np.array(["renderer"] * len(names)),
        group=np.array(_groups(names)),
        split=np.array(["train"] * len(names)),
        quality=np.array(["good"] * len(names)),
        origin=np.array([f"renderer#{seed}-{i}" for i in range(len(names))]),
        diameter=np.full(len(names), 208, np.float32),
    )
    beside.replace(path)
    return len(names)


def _label(name: str) -> str:
    return name if name in FACES or name == "foreign" else "not-a-coin"


def _groups(names: Sequence[str]) -> list[str]:
    return [f"{name}-{i % _GROUPS}" for i, name in enumerate(names)]
