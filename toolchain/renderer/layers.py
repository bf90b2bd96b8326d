"""Hands and things that come between the camera and the coins, ready to be placed."""

from __future__ import annotations

import cv2
import numpy as np

from .arrays import Floats
from .hand import Hand
from .stage import Layer

SKINS = [
    (0.42, 0.25, 0.17), (0.5, 0.33, 0.25), (0.3, 0.17, 0.1), (0.2, 0.11, 0.07), (0.58, 0.4, 0.32)
]
"""Linear albedos of skin, from light to dark."""

_HALVED = 2
"""A hand has no fine detail: it is drawn at this fraction and enlarged."""


def hand_layer(
    bearing: float, size: float, skin: tuple[float, float, float], pose: str
) -> tuple[Layer, int]:
    """A hand whose finger tips (pinch) or middle (flat) lie at the middle of the layer.

    Returns the layer and the pixels from its corner to that point, along both axes.
    """
    reach = int(size * 2.9)
    small = reach // _HALVED
    hand = Hand(small, small, bearing, size / _HALVED, skin, pose)
    # Drawing is linear in the light below: what black and white become tells all.
    black = np.zeros((2 * small, 2 * small, 3), np.float32)
    white = np.ones((2 * small, 2 * small, 3), np.float32)
    hand.draw(black, np.ones(3, np.float32))
    hand.draw(white, np.ones(3, np.float32))
    side = 2 * small * _HALVED
    own = cv2.resize(black, (side, side), interpolation=cv2.INTER_LINEAR)
    through = cv2.resize((white - black)[..., 0], (side, side), interpolation=cv2.INTER_LINEAR)
    return Layer(through[..., None], own), small * _HALVED


def thing_layer(rng: np.random.Generator, width: float, height: float) -> tuple[Layer, int, int]:
    """A sheet, a card, a phone or a cup seen from above, `width` × `height` pixels.

    Returns the layer and where its middle is.
    """
    room = int(0.35 * max(width, height)) + 20
    columns, rows = int(width) + 2 * room, int(height) + 2 * room
    mask = np.zeros((rows, columns), np.uint8)
    x0, y0, x1, y1 = room, room, room + int(width), room + int(height)
    is_round = rng.random() < 0.3
    if is_round:
        axes = (int(width / 2), int(width / 2))
        cv2.ellipse(mask, (columns // 2, rows // 2), axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
    else:
        corner = int(rng.uniform(0, 0.12) * min(width, height))
        cv2.rectangle(mask, (x0 + corner, y0), (x1 - corner, y1), 255, -1)
        cv2.rectangle(mask, (x0, y0 + corner), (x1, y1 - corner), 255, -1)
        for x, y in ((x0, y0), (x1, y0), (x0, y1), (x1, y1)):
            cx = x + corner if x == x0 else x - corner
            cy = y + corner if y == y0 else y - corner
            cv2.circle(mask, (cx, cy), corner, 255, -1, cv2.LINE_AA)
    tone = rng.uniform(0.03, 0.8) * np.array([1, 1, 1], np.float32)
    tone *= rng.uniform(0.7, 1.2, 3).astype(np.float32)
    albedo = np.tile(np.clip(tone, 0.02, 0.9), (rows, columns, 1)).astype(np.float32)
    for _ in range(int(rng.integers(0, 14))):
        y = int(rng.uniform(y0, y1))
        cv2.line(albedo, (x0 + 12, y), (int(rng.uniform(x0 + 12, x1)), y),
                 (tone * rng.uniform(0.3, 0.8)).tolist(), 2)
    if is_round:
        inner = (columns // 2, rows // 2)
        cv2.circle(albedo, inner, int(width * 0.42), (tone * 0.35).tolist(), -1, cv2.LINE_AA)
    cover: Floats = (cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32) / 255)[..., None]
    shadow = cv2.GaussianBlur(np.roll(mask, (6, 5), (0, 1)), (0, 0), 5).astype(np.float32) / 255
    turned = float(rng.uniform(0, 360))
    matrix = cv2.getRotationMatrix2D((columns / 2, rows / 2), turned, 1.0)
    side = int(np.hypot(rows, columns)) + 2
    matrix[:, 2] += [(side - columns) / 2, (side - rows) / 2]
    layered = np.dstack([albedo * cover, cover, shadow])
    seen = cv2.warpAffine(layered, matrix, (side, side), flags=cv2.INTER_LINEAR)
    through = (1 - seen[..., 3:4]) * (1 - 0.45 * seen[..., 4:5])
    return Layer(through, np.ascontiguousarray(seen[..., :3])), side // 2, side // 2


def soft_shadow(
    rng: np.random.Generator, rows: int, columns: int, depth: float, progress: float,
    bearing: float, penumbra: float,
) -> Floats:
    """What someone leaning over leaves of the light: 1 in the open, `1 - depth` in the shadow.

    Its edge, `penumbra` pixels soft, has crossed the share `progress` of the canvas.
    """
    xs = np.arange(columns, dtype=np.float32)[None, :] - columns / 2
    ys = np.arange(rows, dtype=np.float32)[:, None] - rows / 2
    along = xs * np.cos(bearing) + ys * np.sin(bearing)
    span = np.hypot(rows, columns) / 2 + 2 * penumbra
    edge = np.float32(-span + 2 * span * progress)
    wobble = 30 * np.sin((ys * np.cos(bearing) - xs * np.sin(bearing)) / 90 + rng.uniform(0, 6))
    inside = 1 / (1 + np.exp((along - edge + wobble) / np.float32(penumbra / 4)))
    result: Floats = (1 - np.float32(depth) * inside).astype(np.float32)[..., None]
    return result
