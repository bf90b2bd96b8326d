"""How far from what was taught a coin may look, chosen on kinds of which none was learned from.

They are coins of no country (renderer.strangers), photographed by the renderer as the product
stands: five views of one specimen of each face, other specimens under the same lamp, and others
under other lamps. The radius is such that few looks at other kinds come within it; where sizes are
known, other kinds of about the same size alone count as such.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from renderer.camera import Development
from renderer.coin import OUTLINE, shade_coin, wear_of
from renderer.faces import OTHERS, Face
from renderer.metal import GRID, LightRig
from renderer.strangers import foreign
from training.appearance import POLAR_COLUMNS, POLAR_REACH, POLAR_ROWS
from training.likeness import similarities

Picture = NDArray[np.uint8]
FACES = 80
"""Faces drawn, two of each kind."""
VIEWS, SAME_LIGHT, OTHER_LIGHTS = 5, 4, 4
MOST_WEAR = 0.5
PATCH, PATCH_RADIUS = 144, 48.0
SIZE_ERROR = 0.012
"""Standard deviation of the logarithm of a measured diameter."""
SIZE_TOLERANCE = float(np.log(1.045))
"""What the product allows, in Sources/Detection/TaughtCoins.swift."""


def unwrap(
    picture: Picture, x: float, y: float, radius: float, rng: np.random.Generator
) -> Picture:
    """A coin's unwrap, uint8 [48, 160, 3], its outline found a little wrongly.

    Args:
        picture: RGB, uint8 [height, width, 3].
        x: The centre in pixels, 0 at the left edge of the first.
        y: The same downwards.
        radius: In pixels.
        rng: Of the errors.
    """
    step = radius / PATCH_RADIUS
    left, top = x - step * PATCH / 2, y - step * PATCH / 2
    matrix = np.array([[step, 0, left + step / 2 - 0.5], [0, step, top + step / 2 - 0.5]])
    patch = cv2.warpAffine(
        picture, matrix, (PATCH, PATCH), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    angle = 2 * np.pi * (np.arange(POLAR_COLUMNS) + 0.5) / POLAR_COLUMNS
    strain, skew = rng.normal(0, 0.01, 2)
    across = np.cos(angle) * (1 + strain) + np.sin(angle) * skew
    down = np.sin(angle) * (1 - strain) + np.cos(angle) * skew
    reach = PATCH_RADIUS * POLAR_REACH * float(np.exp(rng.normal(0, SIZE_ERROR)))
    rows = (np.arange(POLAR_ROWS)[:, None] + 0.5) / POLAR_ROWS * reach
    centre = PATCH / 2 - 0.5 + rng.normal(0, 0.015, 2) * PATCH_RADIUS
    return cv2.remap(
        patch, (centre[0] + rows * across).astype(np.float32),
        (centre[1] + rows * down).astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip


@dataclass(frozen=True)
class _Scene:
    rig: LightRig
    development: Development
    ground: NDArray[np.float32]
    pixels: float
    """In a millimetre."""


def _scene(rng: np.random.Generator) -> _Scene:
    rig = LightRig.draw(rng)
    ground = (rng.uniform(0.03, 0.8) * rng.uniform(0.7, 1.3, 3)).astype(np.float32)
    half = np.full(3, 0.7, np.float32)
    metal = float(rig.look(half, 0.25, half * 0.1)[GRID // 2, GRID // 2].mean())
    mean = 0.55 * float((ground * rig.irradiance()).mean()) + 0.45 * metal
    development = Development.draw(rng, mean, clean=True)
    return _Scene(rig, development, ground, 640 / float(rng.uniform(150, 210)))


def _specimen(rng: np.random.Generator) -> int:
    while True:
        mine = int(rng.integers(2**31))
        if wear_of(mine) <= MOST_WEAR:
            return mine


def _look(face: Face, scene: _Scene, mine: int, rng: np.random.Generator) -> Picture:
    size = int(np.ceil(face.diameter * scene.pixels / OUTLINE))
    colour, alpha, _ = shade_coin(
        face.name, size, np.random.default_rng(mine), scene.rig, float(rng.uniform(0, 2 * np.pi))
    )
    grain = rng.normal(1, 0.03, (size, size, 1))
    ground = scene.rig.irradiance() * scene.ground * grain * (1 - alpha[..., None])
    linear = (colour * alpha[..., None] + ground) * rng.uniform(0.85, 1.1)
    developed = scene.development.develop(linear.astype(np.float32), rng)
    picture = scene.development.compress(developed)
    return unwrap(picture, size / 2, size / 2, OUTLINE * size / 2, rng)


def check_diameters(faces: int, seed: int) -> NDArray[np.float64]:
    """Millimetres of the kinds, two faces each."""
    return np.random.default_rng([seed, 1]).uniform(18, 28, faces // 2)


def check_looks(faces: int, seed: int) -> NDArray[np.uint8]:
    """Views of each face, then looks in the same light, then in others: [faces, 13, 48, 160, 3]."""
    diameters = check_diameters(faces, seed)
    count = VIEWS + SAME_LIGHT + OTHER_LIGHTS
    pictures = np.empty((faces, count, POLAR_ROWS, POLAR_COLUMNS, 3), np.uint8)
    for kind, diameter in enumerate(diameters):
        rng = np.random.default_rng([seed, 2, kind])
        metal = str(rng.choice(["nickel", "cupronickel", "bronze", "aluminium"]))
        home, away = _scene(rng), [_scene(rng) for _ in range(OTHER_LIGHTS)]
        taught = _specimen(rng)
        for side in range(2):
            design, name = int(rng.integers(2**31)), f"check-{seed}-{kind}-{side}"
            face = Face(
                name, 0, False, float(diameter), 1.9, metal,
                lambda relief, _, design=design: foreign(relief, np.random.default_rng(design)),
                dies=1,
            )  # fmt: skip
            OTHERS[name] = face
            looks = [_look(face, home, taught, rng) for _ in range(VIEWS)]
            looks += [_look(face, home, _specimen(rng), rng) for _ in range(SAME_LIGHT)]
            looks += [_look(face, scene, _specimen(rng), rng) for scene in away]
            pictures[2 * kind + side] = looks
            del OTHERS[name]
    return pictures


def common(views: Tensor) -> Tensor:
    """What views [K, V, F, A] of each face have in common, [K, F, A], as the product adds them."""
    total = views[:, 0].clone()
    for number in range(1, views.shape[1]):
        one = views[:, number]
        turned = torch.stack([torch.roll(one, turn, 2) for turn in range(one.shape[2])])
        best = (turned * views[None, :, 0]).sum((2, 3)).argmax(0)
        total += turned[best, torch.arange(len(one))]
    return total / total.flatten(1).norm(dim=1)[:, None, None]


@dataclass(frozen=True)
class Distances:
    """How far looks are from the kind they are of, and from others."""

    same_light: NDArray[np.float64]
    other_lights: NDArray[np.float64]
    others: NDArray[np.float64]
    others_of_size: NDArray[np.float64]
    """The same where sizes are known: infinite for kinds of another size."""


def distances(looks: Tensor, diameters: NDArray[np.float64], seed: int = 1) -> Distances:
    """Of looks [faces, 13, F, A] of length 1, by the views and by what they have in common."""
    faces, count = looks.shape[:2]
    views, rest = looks[:, :VIEWS], looks[:, VIEWS:].flatten(0, 1)
    near = similarities(rest, views.flatten(0, 1)).reshape(len(rest), faces, VIEWS).amax(2)
    near = torch.maximum(near, similarities(rest, common(views)))
    # From either face of a kind: [faces, looks, kinds].
    away = 1 - near.reshape(faces, count - VIEWS, faces // 2, 2).amax(3).numpy()
    rng = np.random.default_rng(seed)
    own, others, sized = [], [], []
    for face in range(faces):
        kind = face // 2
        own.append(away[face, :, kind])
        foreign_kinds = np.delete(np.arange(faces // 2), kind)
        measured = np.log(diameters[kind]) + rng.normal(0, SIZE_ERROR, (count - VIEWS, 1))
        fits = np.abs(measured - np.log(diameters[foreign_kinds])) < SIZE_TOLERANCE
        far = away[face][:, foreign_kinds]
        others.append(far.ravel())
        sized.append(np.where(fits, far, np.inf).ravel())
    mine = np.stack(own)
    return Distances(
        mine[:, :SAME_LIGHT].ravel(), mine[:, SAME_LIGHT:].ravel(), np.concatenate(others),
        np.concatenate(sized),
    )


def radius(others: NDArray[np.float64], taken: float) -> float:
    """The distance within which that share of looks at other kinds comes."""
    return float(np.quantile(others, taken, method="lower"))


def curve(found: Distances) -> list[str]:
    """Right against taken, with sizes known and not."""
    lines = []
    for name, others in (("sizes known", found.others_of_size), ("sizes unknown", found.others)):
        for taken in (0.02, 0.01, 0.005, 0.003, 0.001):
            within = radius(others, taken)
            lines.append(
                f"{name}, {100 * taken:.1f} % of other kinds' looks taken: radius {within:.3f}, "
                f"same light {100 * (found.same_light < within).mean():.1f} % right, "
                f"other lights {100 * (found.other_lights < within).mean():.1f} %"
            )
    return lines
