"""How metals answer light: a microfacet surface under several lamps and a soft surrounding.

Lamps and surroundings are far away and the camera looks straight down, so the light a
point sends to the camera depends on its normal alone. `LightRig.look` integrates the
microfacet (GGX) reflection over all light once for a grid of normals; a coin's pixels
then only look their normal up. That is exact for distant light and quick.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Floats

GRID = 44
"""Normals a side of a look-up table: x and y from -1 to 1."""


@dataclass(frozen=True)
class Metal:
    """A surface: what it reflects head-on, how rough it is, what covers it."""

    reflectance: tuple[float, float, float]
    """Linear RGB at normal incidence."""
    roughness: tuple[float, float]
    """Range of the GGX alpha, new to worn."""
    tarnish: tuple[float, float, float]
    """Linear RGB of the oxide or dirt that gathers on it."""
    tarnishing: float
    """How much of it a coin in circulation may gather, 0 to 1."""
    diffuse: float = 0.06
    """Share of light scattered by the clean surface."""


METALS: dict[str, Metal] = {
    "aluminium": Metal((0.90, 0.905, 0.915), (0.10, 0.36), (0.42, 0.41, 0.39), 0.55, 0.10),
    "nickel": Metal((0.62, 0.60, 0.56), (0.08, 0.26), (0.30, 0.27, 0.23), 0.35, 0.03),
    "cupronickel": Metal((0.64, 0.60, 0.54), (0.10, 0.32), (0.28, 0.24, 0.19), 0.55),
    "bronze": Metal((0.86, 0.69, 0.34), (0.10, 0.34), (0.24, 0.16, 0.06), 0.9),
    "copper": Metal((0.90, 0.56, 0.40), (0.14, 0.40), (0.18, 0.09, 0.05), 0.9),
    "steel": Metal((0.56, 0.57, 0.58), (0.16, 0.40), (0.26, 0.17, 0.11), 0.5),
    "plastic": Metal((0.05, 0.05, 0.05), (0.12, 0.35), (0.3, 0.3, 0.3), 0.1, 0.6),
    "painted": Metal((0.06, 0.06, 0.06), (0.10, 0.30), (0.3, 0.3, 0.3), 0.2, 0.6),
}


def _sphere(count: int) -> Floats:
    """`count` directions spread evenly over the upper half sphere."""
    i = np.arange(count) + 0.5
    z = 1 - i / count
    a = np.pi * (1 + 5**0.5) * i
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(a), r * np.sin(a), z], axis=1).astype(np.float32)


def direction(azimuth: float, elevation: float) -> Floats:
    """A unit vector towards a lamp; x right, y down in the picture, z to the camera."""
    c = np.cos(elevation)
    return np.array(
        [c * np.cos(azimuth), c * np.sin(azimuth), np.sin(elevation)], np.float32
    )


_SKY = _sphere(128)
_axis = (np.arange(GRID, dtype=np.float32) / (GRID - 1)) * 2 - 1
_nx, _ny = np.meshgrid(_axis, _axis)
_length = np.sqrt(_nx**2 + _ny**2)
_limit = np.minimum(1.0, 0.995 / np.maximum(_length, 1e-6))
_nx, _ny = _nx * _limit, _ny * _limit
_NORMALS = np.stack([_nx, _ny, np.sqrt(1 - _nx**2 - _ny**2)], axis=-1).reshape(-1, 3)


@dataclass(frozen=True)
class LightRig:
    """All light of a scene, as directions with linear RGB strengths."""

    directions: Floats
    """[count, 3], unit vectors towards the light, y down in the picture."""
    colours: Floats
    """[count, 3], irradiance each brings to a surface facing it."""
    lamps: int
    """How many of the first directions are lamps that throw shadows."""

    @staticmethod
    def draw(rng: np.random.Generator) -> LightRig:
        """Lamps, windows, walls and a ceiling by lot."""
        kelvin = rng.uniform(-1, 1)
        tint = np.array([1 + 0.12 * kelvin, 1.0, 1 - 0.15 * kelvin], np.float32)
        count = int(rng.choice([1, 1, 1, 2, 2, 3]))
        lamps, light = [], []
        for _ in range(count):
            azimuth, elevation = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(22, 80))
            strength = rng.lognormal(0.4, 0.5) / count
            spread = rng.uniform(0.03, 0.22)
            warm = tint * np.array([1, 1, 1]) * rng.normal(1, 0.04, 3)
            points = 5
            for k in range(points):
                a = 2 * np.pi * k / points
                centre = direction(azimuth, elevation)
                jitter = np.array([np.cos(a), np.sin(a), 0]) * spread
                d = centre + jitter
                lamps.append(d / np.linalg.norm(d))
                light.append(warm * strength / points)
        sky = _SKY
        slope = rng.normal(0, [0.7, 0.7, 1.0])
        level = np.clip(0.7 + sky @ slope - 0.6 * slope[2], 0.05, None)
        for _ in range(int(rng.integers(0, 4))):
            centre = direction(rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(5, 75)))
            size = rng.uniform(0.12, 0.6)
            level += rng.uniform(0.5, 4.0) * (sky @ centre > np.cos(size))
        head = direction(rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(60, 90)))
        if rng.random() < 0.6:
            level *= 1 - rng.uniform(0.3, 0.95) * np.clip(
                (sky @ head - np.cos(rng.uniform(0.3, 0.7))) / 0.1, 0, 1
            )
        shares = rng.lognormal(-0.6, 0.6)
        weight = level * 2 / len(sky) * shares
        tones = tint[None] * (1 + (sky @ rng.normal(0, 0.06, 3))[:, None] * np.array([1, 0, -1]))
        directions = np.concatenate([np.array(lamps), sky]).astype(np.float32)
        colours = np.concatenate([np.array(light), weight[:, None] * tones]).astype(np.float32)
        return LightRig(directions, np.maximum(colours, 0), 5 * count)

    def irradiance(self) -> Floats:
        """Linear RGB a white, flat, matt table sends to the camera."""
        cosine = np.maximum(self.directions[:, 2], 0)
        result: Floats = (self.colours * cosine[:, None]).sum(0)
        return result

    def look(self, reflectance: Floats, alpha: float, diffuse: Floats) -> Floats:
        """Light sent to the camera for each normal: float32 [GRID, GRID, 3], linear RGB."""
        light = self.directions
        n_l = np.maximum(_NORMALS @ light.T, 0)
        half = light + np.array([0, 0, 1], np.float32)
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        n_h = np.clip(_NORMALS @ half.T, 0, 1)
        n_v = np.maximum(_NORMALS[:, 2:3], 0.05)
        v_h = np.clip(half[:, 2], 0, 1)
        a2 = np.float32(alpha * alpha)
        distribution = a2 / (np.pi * (n_h * n_h * (a2 - 1) + 1) ** 2)
        k = np.float32(alpha / 2)
        shadowing = 1 / ((n_l * (1 - k) + k) * (n_v * (1 - k) + k))
        weight = distribution * shadowing * n_l * np.float32(np.pi / 4)
        fresnel = (1 - v_h) ** 5
        light_a = self.colours * (1 - fresnel)[:, None]
        light_b = self.colours * fresnel[:, None]
        specular = (weight @ light_a) * reflectance + weight @ light_b
        matt = (n_l @ self.colours) * diffuse
        result: Floats = (specular + matt).reshape(GRID, GRID, 3).astype(np.float32)
        return result
