"""A height map that shapes are struck into, as a die strikes a coin.

Positions are in units of the coin's radius: x to the right, y down, the centre at (0, 0).
Heights are millimetres above the coin's field.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from .arrays import Bytes, Floats, Points

SIZE = 1024
"""Pixels a side of the drawing canvas."""

RADIUS = 416.0
"""Pixels of the coin's radius on the drawing canvas: 104 of 128 of the half side."""

_SHIFT = 4


def curve(points: Sequence[tuple[float, float]], closed: bool = False, steps: int = 8) -> Points:
    """A smooth (Catmull-Rom) curve through `points`, `steps` pieces between neighbours."""
    p = np.asarray(points, np.float64)
    if len(p) < 3:
        return p
    if closed:
        p = np.concatenate([p[-1:], p, p[:2]])
    else:
        p = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces = []
    for i in range(1, len(p) - 2):
        a, b, c, d = p[i - 1], p[i], p[i + 1], p[i + 2]
        pieces.append(
            0.5
            * (
                2 * b
                + (c - a) * t
                + (2 * a - 5 * b + 4 * c - d) * t**2
                + (3 * b - a - 3 * c + d) * t**3
            )
        )
    if not closed:
        pieces.append(p[-2:-1])
    return np.concatenate(pieces)


def ribbon(path: Points, widths: Sequence[float]) -> Points:
    """The outline of a brush stroke along `path` whose width runs through `widths`."""
    path = np.asarray(path, np.float64)
    along = np.linspace(0, 1, len(path))
    half = np.interp(along, np.linspace(0, 1, len(widths)), widths)[:, None] / 2
    tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True) + 1e-9
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    return np.concatenate([path + normal * half, (path - normal * half)[::-1]])


def ellipse(cx: float, cy: float, a: float, b: float, angle: float = 0.0,
            count: int = 40) -> Points:
    """The outline of an ellipse with half axes `a` and `b`, turned by `angle` radians."""
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    x, y = a * np.cos(t), b * np.sin(t)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([cx + c * x - s * y, cy + s * x + c * y], axis=1)


class Relief:
    """The canvas: `height` is float32 [SIZE, SIZE], millimetres above the field."""

    def __init__(self, millimetres: float) -> None:
        """An empty face of a coin `millimetres` across."""
        self.millimetres = millimetres
        self.height: Floats = np.zeros((SIZE, SIZE), np.float32)

    @property
    def per_millimetre(self) -> float:
        """Canvas pixels in a millimetre."""
        return RADIUS / (self.millimetres / 2)

    def mask(self, shapes: Sequence[Points]) -> Bytes:
        """The filled polygons `shapes` as an 8-bit mask."""
        mask = np.zeros((SIZE, SIZE), np.uint8)
        for shape in shapes:
            pixels = (np.asarray(shape) * RADIUS + SIZE / 2) * (1 << _SHIFT)
            cv2.fillPoly(
                mask, [np.rint(pixels).astype(np.int32)], 255, cv2.LINE_AA, _SHIFT
            )
        return mask

    def strike(
        self, mask: Bytes, height: float, bevel: float = 0.15, mode: str = "raise"
    ) -> None:
        """Strikes `mask` into the face, its edge rounded over `bevel` millimetres.

        `raise` keeps whatever is higher already, `lay` covers what is below it,
        `add` adds to it and `cut` engraves.
        """
        x, y, w, h = cv2.boundingRect(mask)
        if w == 0 or h == 0:
            return
        x0, y0 = max(x - 1, 0), max(y - 1, 0)
        rows = slice(y0, min(y + h + 1, SIZE))
        columns = slice(x0, min(x + w + 1, SIZE))
        part = mask[rows, columns]
        inside = (part > 127).astype(np.uint8)
        distance = cv2.distanceTransform(inside, cv2.DIST_L2, 3)
        t = np.minimum(distance / max(bevel * self.per_millimetre, 1.0), 1.0)
        profile = (t * (2 - t) * height).astype(np.float32)
        ground = self.height[rows, columns]
        if mode == "raise":
            np.maximum(ground, profile, out=ground)
        elif mode == "lay":
            ground[inside > 0] = profile[inside > 0]
        elif mode == "add":
            ground += profile
        elif mode == "cut":
            ground -= profile
        else:
            raise ValueError(f"mode {mode!r} is none of raise, lay, add, cut")

    def shape(
        self, outline: Points, height: float, bevel: float = 0.15, mode: str = "raise"
    ) -> None:
        """Strikes one filled outline."""
        self.strike(self.mask([outline]), height, bevel, mode)

    def line(
        self,
        points: Sequence[tuple[float, float]] | Points,
        width: float | Sequence[float],
        height: float,
        bevel: float = 0.1,
        mode: str = "raise",
        smooth: bool = True,
    ) -> None:
        """Strikes a brush stroke through `points`; `width` in coin radii, maybe tapering."""
        path = curve(list(map(tuple, points))) if smooth else np.asarray(points, np.float64)
        widths = [width, width] if isinstance(width, int | float) else list(width)
        self.strike(self.mask([ribbon(path, widths)]), height, bevel, mode)
