"""What a camera and a lamp do to a scene: light, shade, glare, casts, blur, noise, JPEG.

Every function takes a float32 picture [H, W, 3] of 0...1 RGB and changes it in place or
returns a new one. Sizes are relative to the picture, so that one scene looks the same at any
resolution.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
Random = np.random.Generator

NOISE_BANK_SIDE = 1024


def chance(rng: Random, probability: float) -> bool:
    """True with the given probability."""
    return bool(rng.random() < probability)


def log_uniform(rng: Random, low: float, high: float) -> float:
    """A number whose logarithm is uniform between the logarithms of `low` and `high`."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def soft_field(rng: Random, height: int, width: int, cells: int) -> NDArray[np.float32]:
    """Smooth noise [H, W] of unit variance at its nodes, `cells` nodes a side."""
    nodes = rng.standard_normal((cells, cells)).astype(np.float32)
    return cv2.resize(nodes, (width, height), interpolation=cv2.INTER_CUBIC)


def noise_bank(rng: Random) -> NDArray[np.float32]:
    """Unit normal noise, made once; `sensor_noise` reads windows of it."""
    return rng.standard_normal((NOISE_BANK_SIDE, NOISE_BANK_SIDE, 3)).astype(np.float32)


def uneven_light(rng: Random, picture: Picture, strength: float) -> None:
    """Multiplies by a smooth field: lamps at one side, vignetting, soft shadows."""
    height, width = picture.shape[:2]
    field = soft_field(rng, height, width, int(rng.integers(2, 5))) * strength
    np.clip(field, -0.75, 0.75, out=field)
    picture *= (1.0 + field)[:, :, None]


def cast_shadow(rng: Random, picture: Picture) -> None:
    """Darkens one side of a random line or blob, softly: a hand, a window frame, a person."""
    height, width = picture.shape[:2]
    small = np.zeros((60, 80), np.uint8)
    count = int(rng.integers(3, 7))
    centre = rng.uniform((0, 0), (80, 60))
    spread = rng.uniform(15, 50)
    points = (centre + rng.normal(0, spread, (count, 2))).astype(np.int32)
    cv2.fillConvexPoly(small, cv2.convexHull(points), 255)
    mask = cv2.GaussianBlur(small, (0, 0), log_uniform(rng, 0.4, 6))
    mask = cv2.resize(mask, (width, height), interpolation=cv2.INTER_LINEAR)
    depth = rng.uniform(0.2, 0.75)
    tint = 1.0 - depth * rng.uniform(0.85, 1.0, 3).astype(np.float32)
    weight = mask.astype(np.float32)[:, :, None] * (1 / 255)
    picture *= 1.0 + weight * (tint - 1.0)


def hot_spot(rng: Random, picture: Picture) -> None:
    """Adds the mirror image of a lamp on a glossy ground."""
    height, width = picture.shape[:2]
    small_width = 80
    small_height = max(1, 80 * height // width)
    sigma = log_uniform(rng, 2, 25)
    x = np.arange(small_width, dtype=np.float32) - rng.uniform(0, small_width)
    y = np.arange(small_height, dtype=np.float32) - rng.uniform(0, small_height)
    stretch = log_uniform(rng, 0.4, 2.5)
    spot = np.exp(-0.5 * ((x[None, :] / sigma) ** 2 + (y[:, None] / (sigma * stretch)) ** 2))
    spot = cv2.resize(spot * rng.uniform(0.15, 0.9), (width, height))
    picture += spot[:, :, None]


def white_balance(rng: Random, picture: Picture, strength: float) -> None:
    """Warm or cold light, and a slight green or magenta error."""
    warmth = rng.normal(0, 0.14) * strength
    green = rng.normal(0, 0.05) * strength
    gains = np.exp(np.array([warmth, green, -warmth], np.float32))
    if chance(rng, 0.06 * strength):
        gains *= np.exp(rng.normal(0, 0.35, 3)).astype(np.float32)
    picture *= gains


def exposure(rng: Random, picture: Picture) -> Picture:
    """Brightness, contrast and gamma; now and then a dim or a washed-out picture."""
    if chance(rng, 0.18):
        gain = log_uniform(rng, 0.2, 0.6)
    elif chance(rng, 0.12):
        gain = log_uniform(rng, 1.3, 2.0)
    else:
        gain = log_uniform(rng, 0.6, 1.35)
    picture *= gain
    np.clip(picture, 0.0, 1.0, out=picture)
    if chance(rng, 0.5):
        picture = cv2.pow(picture, log_uniform(rng, 0.65, 1.5))
    if chance(rng, 0.25):
        mean = float(picture.mean())
        picture = (picture - mean) * rng.uniform(0.45, 1.25) + mean
    if chance(rng, 0.3):
        grey = picture.mean(axis=2, keepdims=True)
        keep = 0.0 if chance(rng, 0.2) else rng.uniform(0.2, 1.4)
        picture = grey + (picture - grey) * np.float32(keep)
    return picture


def optical_blur(rng: Random, picture: Picture, unit: float) -> Picture:
    """Defocus, shake, or a picture enlarged from a smaller one. `unit` is pixels at 240 rows."""
    choice = rng.random()
    if choice < 0.30:
        return cv2.GaussianBlur(picture, (0, 0), log_uniform(rng, 0.3, 1.6) * unit)
    if choice < 0.42:
        length = max(2, round(rng.uniform(2, 6) * unit))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        half = (length - 1) / 2
        delta = np.array([np.cos(angle), np.sin(angle)]) * half
        start, end = half - delta, half + delta
        cv2.line(
            kernel,
            (round(float(start[0])), round(float(start[1]))),
            (round(float(end[0])), round(float(end[1]))),
            1.0,
        )
        return cv2.filter2D(picture, -1, kernel / kernel.sum())
    if choice < 0.52:
        height, width = picture.shape[:2]
        factor = rng.uniform(0.4, 0.8)
        small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    if choice < 0.62:
        blurred = cv2.GaussianBlur(picture, (0, 0), 1.2 * unit)
        return cv2.addWeighted(picture, 1 + (amount := rng.uniform(0.3, 1.2)), blurred, -amount, 0)
    return picture


def sensor_noise(rng: Random, picture: Picture, bank: NDArray[np.float32]) -> None:
    """Grain, sometimes coloured, sometimes coarse as after a phone's denoiser."""
    if chance(rng, 0.25):
        return
    height, width = picture.shape[:2]
    strength = log_uniform(rng, 0.003, 0.05)
    coarse = 2 if chance(rng, 0.3) else 1
    rows, columns = -(-height // coarse), -(-width // coarse)
    top = int(rng.integers(0, NOISE_BANK_SIDE - rows + 1))
    left = int(rng.integers(0, NOISE_BANK_SIDE - columns + 1))
    window = bank[top : top + rows, left : left + columns]
    if coarse == 2:
        window = cv2.resize(window, (width, height), interpolation=cv2.INTER_LINEAR)
    if chance(rng, 0.5):
        window = window[:, :, :1]
    picture += window * np.float32(strength)


def jpeg(rng: Random, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Compresses and decompresses, at a quality between poor and fine."""
    if chance(rng, 0.35):
        return picture
    quality = int(rng.integers(25, 96))
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def to_bytes(picture: Picture) -> NDArray[np.uint8]:
    """0...1 to 0...255, clipped."""
    return cv2.convertScaleAbs(np.maximum(picture, 0.0), alpha=255.0)


def photograph(rng: Random, picture: Picture, bank: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The whole camera after the scene is lit: cast, exposure, blur, grain, JPEG."""
    unit = picture.shape[0] / 240
    if chance(rng, 0.8):
        white_balance(rng, picture, 1.0)
    picture = exposure(rng, picture)
    picture = optical_blur(rng, picture, unit)
    sensor_noise(rng, picture, bank)
    return jpeg(rng, to_bytes(picture))
