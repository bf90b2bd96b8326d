"""One coin, seen from straight above: struck, worn, dirtied, lit."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from .arrays import Bytes, Floats
from .faces import FACES, OTHERS, Face
from .metal import GRID, METALS, LightRig
from .relief import SIZE, Relief

OUTLINE = 104 / 128
"""The coin's outline is a circle of this share of the half side of its picture."""

VARIANTS = 6
"""Different dies kept of each face; what is drawn on them differs a little."""

_MASTER = 512


@lru_cache(maxsize=256)
def _master(name: str, variant: int) -> Floats:
    """The struck height map of a die, float32 [_MASTER, _MASTER]."""
    face = FACES.get(name) or OTHERS[name]
    relief = Relief(face.diameter)
    face.draw(relief, np.random.default_rng([variant, len(name), *name.encode()]))
    height: Floats = cv2.resize(relief.height, (_MASTER, _MASTER), interpolation=cv2.INTER_AREA)
    assert relief.height.shape == (SIZE, SIZE)
    return height


def _noise(rng: np.random.Generator, size: int, cells: int) -> Floats:
    """Smooth noise of about unit variance, `cells` lumps across."""
    grid = rng.standard_normal((cells + 3, cells + 3)).astype(np.float32)
    big: Floats = cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC)
    return big


def _edge(face: Face, radius: Floats, angle: Floats, turn: float) -> Floats:
    """The outline's radius over the coin's, at each pixel's angle."""
    if face.outline == "cap":
        return (1 - 0.03 + 0.03 * np.cos(21 * (angle - turn))).astype(np.float32)
    return np.ones_like(radius)


def _scratches(rng: np.random.Generator, size: int, count: int) -> Floats:
    """Fine scratches as an 8-bit drawing brought to 0…1."""
    canvas = np.zeros((size, size), np.uint8)
    for _ in range(count):
        x, y = rng.uniform(0, size, 2)
        a, length = rng.uniform(0, np.pi), rng.exponential(size * 0.12) + 4
        end = (int((x + length * np.cos(a)) * 16), int((y + length * np.sin(a)) * 16))
        cv2.line(canvas, (int(x * 16), int(y * 16)), end, int(rng.integers(40, 220)), 1,
                 cv2.LINE_AA, 4)
    return canvas.astype(np.float32) / 255


def _age(rng: np.random.Generator) -> float:
    """How worn a coin is, 0 to 1, by lot."""
    return float(rng.beta(1.6, 2.2))


def wear_of(seed: int) -> float:
    """How worn `shade_coin` makes a coin whose dice start at `seed` and whose angle is given."""
    return _age(np.random.default_rng(seed))


def material(face: Face, rng: np.random.Generator) -> str:
    """The metal's name, drawn by lot where the face leaves it open."""
    if face.metal != "any":
        return face.metal
    return str(rng.choice(["aluminium", "nickel", "cupronickel", "bronze", "copper", "bimetal"]))


def shade_coin(
    face: str,
    size: int,
    rng: np.random.Generator,
    rig: LightRig,
    angle: float | None = None,
    wear: float | None = None,
) -> tuple[Floats, Floats, Floats]:
    """The light one coin sends straight up.

    Args:
        face: A name in `FACES` or `OTHERS`.
        size: Pixels a side; the outline's radius is `OUTLINE * size / 2`, centred.
        rng: All dice come from here: the same state gives the same picture.
        rig: The scene's light.
        angle: Radians the design is turned clockwise; by lot if not given.
        wear: 0 as struck to 1 worn and dirty; by lot if not given.

    Returns:
        Linear RGB, float32 [size, size, 3], in the units of `LightRig.irradiance`; how
        much of each pixel the coin covers, float32 [size, size]; and the height map,
        float32 [size, size] in millimetres above the field.
    """
    spec = FACES.get(face) or OTHERS.get(face)
    if spec is None:
        raise KeyError(f"no face {face!r}: choose one of {', '.join([*FACES, *OTHERS])}")
    turn = float(rng.uniform(0, 2 * np.pi)) if angle is None else angle
    age = _age(rng) if wear is None else wear
    variants = spec.dies or (VARIANTS * 12 if spec.value == 0 else VARIANTS)
    die = _master(face, int(rng.integers(variants)))
    if size * 2 <= _MASTER:
        die = cv2.resize(die, (_MASTER // 2, _MASTER // 2), interpolation=cv2.INTER_AREA)
    scale = size / die.shape[0]
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    middle_in, middle_out = (die.shape[0] - 1) / 2, (size - 1) / 2
    matrix = np.array(
        [
            [c, -s, middle_out - c * middle_in + s * middle_in],
            [s, c, middle_out - s * middle_in - c * middle_in],
        ]
    )
    height: Floats = cv2.warpAffine(
        die, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )

    pixels = OUTLINE * size / spec.diameter
    outline_px = OUTLINE * size / 2
    axis = np.arange(size, dtype=np.float32) - middle_out
    xs, ys = np.meshgrid(axis, axis)
    radius = np.sqrt(xs * xs + ys * ys)
    polar = np.arctan2(ys, xs) if spec.outline != "round" else radius
    edge = _edge(spec, radius, polar, turn)
    outside = radius / np.float32(outline_px) - edge

    soft = cv2.GaussianBlur(height, (0, 0), max(0.3 * pixels * (0.3 + age), 0.6))
    struck = height
    height = height + (soft - height) * np.float32(0.5 * age)
    top = np.float32(np.quantile(struck[::8, ::8], 0.97) + 1e-3)
    ceiling = top * np.float32(1.15 - 0.45 * age)
    height = np.where(height > ceiling, ceiling + (height - ceiling) * 0.35, height)
    shoulder = np.clip(outside + 0.035, 0, 0.05)
    height -= (shoulder / 0.035) ** 2 * np.float32(0.35)
    name = material(spec, rng)
    grain = rng.uniform(0.0015, 0.006) * (1.6 if name == "nickel" else 1.0)
    fine = rng.standard_normal((size, size)).astype(np.float32)
    height += fine * np.float32(grain * (0.5 + age) / max(pixels / 8, 0.7))
    height += _noise(rng, size, 9) * np.float32(0.01 * age)
    scratched = _scratches(rng, size, int(4 + 60 * age * rng.random()))
    height -= scratched * np.float32(0.02 * rng.random())

    gain = np.float32(pixels * rng.uniform(0.8, 1.35) / 8)
    gx = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3) * gain
    gy = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3) * gain
    inverse = 1 / np.sqrt(1 + gx * gx + gy * gy)
    near = rng.normal(0, 0.09, (2, 2)).astype(np.float32) / np.float32(outline_px)
    dome = np.float32(rng.normal(0, 0.05) / outline_px)
    nx = -gx * inverse + xs * (near[0, 0] + dome) + ys * near[0, 1]
    ny = -gy * inverse + xs * near[1, 0] + ys * (near[1, 1] + dome)
    tilt = rng.normal(0, 0.04, 2)
    half_grid = np.float32((GRID - 1) / 2)
    u = (nx + np.float32(tilt[0])) * half_grid + half_grid
    v = (ny + np.float32(tilt[1])) * half_grid + half_grid

    metals = ["bronze", "cupronickel"] if name == "bimetal" else [name]
    lustre = rng.uniform(0.05, 0.3) * (1 - age) if rng.random() < 0.55 else 0.0
    cavity = np.clip((soft - height) / np.maximum(top, 0.05), 0, 1)
    blotches = _noise(rng, size, int(rng.integers(3, 12))) * np.float32(rng.uniform(0.2, 0.9))
    blotches += _noise(rng, size, int(rng.integers(16, 60))) * np.float32(rng.uniform(0.2, 0.7))
    blotches += fine * np.float32(rng.uniform(0, 0.6))
    colour: Floats | None = None
    dye = rng.uniform(0.02, 0.9, 3)
    for metal_name in metals:
        metal = METALS[metal_name]
        shine = metal.roughness[0] + (metal.roughness[1] - metal.roughness[0]) * np.clip(
            age + rng.normal(0, 0.15), 0, 1
        )
        tone = np.array(metal.reflectance, np.float32) * rng.normal(1, 0.02, 3).astype(np.float32)
        scatter = tone * np.float32(metal.diffuse * (0.6 + age))
        if metal_name in ("plastic", "painted"):
            scatter = dye.astype(np.float32)
        clean = rig.look(tone, float(shine), scatter)
        oxide = np.array(metal.tarnish, np.float32) * np.float32(rng.uniform(0.5, 1.3))
        dull = rig.look(tone * 0.25 + oxide * 0.25, float(min(shine * 1.8 + 0.1, 0.8)), oxide * 0.6)
        if lustre > 0.03:
            over = np.float32(lustre) * half_grid / np.maximum(radius, 1)
            bright = np.zeros((size, size, 3), np.float32)
            for k in (-1.0, 0.0, 1.0):
                bright += cv2.remap(
                    clean, u - ys * over * np.float32(k), v + xs * over * np.float32(k),
                    cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
                )
            bright /= 3
        else:
            bright = cv2.remap(clean, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        matt = cv2.remap(dull, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        amount = np.clip(
            metal.tarnishing * (age * 0.75 + 0.35 * age * blotches + 1.4 * age * cavity), 0, 0.97
        )[..., None]
        shaded = bright + (matt - bright) * amount
        if colour is None:
            colour = shaded
        else:
            ring = np.clip((radius / np.float32(outline_px) - 0.69) * np.float32(outline_px), 0, 1)
            colour = colour + (shaded - colour) * ring[..., None]
    assert colour is not None
    shade = 1 - np.clip(cavity * rng.uniform(0.3, 0.9), 0, 0.7)
    colour *= shade[..., None]

    alpha = np.clip(0.5 - outside * np.float32(outline_px), 0, 1)
    if face == "washer":
        alpha *= np.clip((height + 0.6) * 4, 0, 1)
    return colour, alpha, height


def render_coin(
    face: str,
    size: int,
    rng: np.random.Generator,
    lights: LightRig | None = None,
    angle: float | None = None,
    wear: float | None = None,
) -> tuple[Bytes, Floats]:
    """Renders one coin from above, exposed to suit it.

    Args:
        face: A name in `FACES` or `OTHERS`.
        size: Pixels a side; the outline's radius is `OUTLINE * size / 2`, centred.
        rng: All dice come from here: the same state gives the same picture.
        lights: The scene's light; by lot if not given.
        angle: Radians the design is turned clockwise; by lot if not given.
        wear: 0 as struck to 1 worn and dirty; by lot if not given.

    Returns:
        uint8 [size, size, 4] RGBA, sRGB with straight alpha, and the height map, float32
        [size, size] in millimetres above the field.
    """
    rig = lights if lights is not None else LightRig.draw(rng)
    colour, alpha, height = shade_coin(face, size, rng, rig, angle, wear)
    inner = alpha[::4, ::4] > 0.9
    level = float(np.quantile(colour[::4, ::4][inner], rng.uniform(0.45, 0.8)))
    exposure = np.float32(rng.uniform(0.16, 0.62) / max(level, 1e-4))
    if rng.random() < 0.4:
        blurred = cv2.GaussianBlur(colour, (0, 0), rng.uniform(0.6, 2.5) * size / 256)
        colour = np.maximum(colour + (colour - blurred) * np.float32(rng.uniform(0.2, 1.4)), 0)
    picture = np.empty((size, size, 4), np.uint8)
    picture[..., :3] = encode(colour * exposure)
    picture[..., 3] = (alpha * 255 + 0.5).astype(np.uint8)
    return picture, height


def _srgb_table() -> Bytes:
    """sRGB bytes for linear light in 4096 steps, with a camera's soft shoulder."""
    x = np.linspace(0, 2, 4096)
    knee = np.where(x < 0.7, x, 0.7 + 0.3 * (1 - np.exp(-(x - 0.7) / 0.3)))
    y = np.where(knee <= 0.0031308, 12.92 * knee, 1.055 * knee ** (1 / 2.4) - 0.055)
    return np.clip(np.rint(y * 255), 0, 255).astype(np.uint8)


_SRGB = _srgb_table()


def encode(linear: Floats) -> Bytes:
    """Linear RGB (1 is white) to sRGB bytes."""
    steps = np.clip(linear * np.float32(2047.5), 0, 4095).astype(np.uint16)
    result: Bytes = _SRGB[steps]
    return result
