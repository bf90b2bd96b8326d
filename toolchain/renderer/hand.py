"""A hand that reaches in to put a coin down."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Bytes, Floats, Points
from .relief import ribbon


@dataclass(frozen=True)
class Hand:
    """Index finger and thumb meet at (x, y) pixels; the arm comes from `bearing` radians."""

    x: float
    y: float
    bearing: float
    size: float
    """Pixels from fingertip to wrist."""
    skin: tuple[float, float, float] = (0.42, 0.25, 0.17)
    """Linear albedo."""
    pose: str = "pinch"
    """pinch: finger and thumb meet; flat: an open hand whose middle is at (x, y)."""

    def _parts(self) -> list[Points]:
        along = np.array([np.cos(self.bearing), np.sin(self.bearing)])
        across = np.array([-along[1], along[0]])

        def at(forward: float, side: float) -> tuple[float, float]:
            p = np.array([self.x, self.y]) + (along * forward + across * side) * self.size
            return float(p[0]), float(p[1])

        s = self.size
        flat = [
            ([at(-0.5, -0.3), at(-0.2, -0.24), at(0.1, -0.18)], [0.1, 0.13, 0.16]),
            ([at(-0.62, -0.08), at(-0.25, -0.07), at(0.1, -0.06)], [0.1, 0.14, 0.17]),
            ([at(-0.56, 0.12), at(-0.2, 0.09), at(0.1, 0.06)], [0.1, 0.14, 0.17]),
            ([at(-0.38, 0.3), at(-0.1, 0.22), at(0.15, 0.16)], [0.09, 0.12, 0.15]),
            ([at(-0.12, -0.48), at(0.1, -0.36), at(0.35, -0.16)], [0.1, 0.15, 0.2]),
            ([at(-0.02, 0.0), at(0.25, 0.0), at(0.55, 0.0)], [0.46, 0.5, 0.36]),
            ([at(0.45, 0.0), at(2.0, 0.05), at(4.0, 0.1)], [0.32, 0.34, 0.42]),
        ]
        pinch = [
            ([at(0.02, -0.02), at(0.3, -0.13), at(0.62, -0.14)], [0.09, 0.13, 0.15]),
            ([at(0.02, 0.04), at(0.28, 0.16), at(0.6, 0.14)], [0.1, 0.14, 0.17]),
            ([at(0.2, -0.16), at(0.4, -0.24), at(0.66, -0.2)], [0.09, 0.13, 0.15]),
            ([at(0.32, -0.22), at(0.5, -0.29), at(0.7, -0.22)], [0.09, 0.12, 0.14]),
            ([at(0.46, -0.28), at(0.6, -0.31), at(0.76, -0.24)], [0.08, 0.11, 0.13]),
            ([at(0.5, -0.03), at(0.85, -0.04), at(1.2, 0.0)], [0.42, 0.44, 0.3]),
            ([at(1.0, 0.0), at(2.0, 0.05), at(4.0, 0.1)], [0.3, 0.34, 0.42]),
        ]
        outlines = []
        for path, widths in flat if self.pose == "flat" else pinch:
            points = np.array(path)
            fine = np.column_stack(
                [np.interp(np.linspace(0, 2, 24), np.arange(3), points[:, i]) for i in (0, 1)]
            )
            outlines.append(ribbon(fine, [w * s for w in widths]))
        return outlines

    def draw(self, picture: Floats, irradiance: Floats) -> None:
        """Draws the hand and its soft shadow over linear light."""
        rows, columns = picture.shape[:2]
        mask: Bytes = np.zeros((rows, columns), np.uint8)
        relief = np.zeros((rows, columns), np.float32)
        for outline in self._parts():
            part = np.zeros((rows, columns), np.uint8)
            cv2.fillPoly(part, [np.rint(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
            round_part = cv2.GaussianBlur(part, (0, 0), max(self.size * 0.03, 1))
            part = np.where(round_part > 140, 255, 0).astype(np.uint8)
            distance = cv2.distanceTransform(part, cv2.DIST_L2, 3)
            radius = max(float(distance.max()), 1.0)
            dome = np.sqrt(np.maximum(radius**2 - (radius - distance) ** 2, 0)) * (part > 0)
            np.maximum(relief, dome, out=relief)
            np.maximum(mask, part, out=mask)
        shadow = cv2.GaussianBlur(mask, (0, 0), self.size * 0.12).astype(np.float32) / 255
        picture *= (1 - 0.5 * shadow)[..., None]
        relief = cv2.GaussianBlur(relief, (0, 0), max(self.size * 0.012, 0.8))
        gx, gy = cv2.Sobel(relief, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(relief, cv2.CV_32F, 0, 1) / 8
        shade = np.clip((1 - 0.35 * gx - 0.25 * gy) / np.sqrt(1 + gx * gx + gy * gy), 0.15, 1.3)
        skin = np.array(self.skin, np.float32) * irradiance * np.float32(0.9)
        cover = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32)[..., None] / 255
        picture += (shade[..., None] * skin - picture) * cover
