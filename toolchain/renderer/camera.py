"""The camera: a pinhole over the tray, and what lens, sensor and JPEG do to the light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Bytes, Floats, Points
from .coin import encode


@dataclass(frozen=True)
class Pinhole:
    """A camera above the tray's middle, looking down, a little askew."""

    width: int
    height: int
    rotation: Points
    """[3, 3], tray axes to camera axes."""
    distance: float
    """Millimetres from the lens to the middle of the tray."""
    focal: float
    """Pixels."""

    @staticmethod
    def above(
        width: int, height: int, view: float, tilt: float, towards: float, turn: float,
        field: float = 0.95,
    ) -> Pinhole:
        """A camera that sees `view` millimetres across the picture's width.

        Tilted by `tilt` radians towards the bearing `towards`, turned by `turn` about
        its own axis, with a horizontal field of view of `field` radians.
        """
        focal = width / 2 / np.tan(field / 2)
        axis = np.array([-np.sin(towards), np.cos(towards), 0.0]) * tilt
        tilted = cv2.Rodrigues(axis)[0]
        turned = cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0]
        return Pinhole(width, height, tilted @ turned, view * focal / width, focal)

    def project(self, points: Points) -> Points:
        """Pixels [count, 2] of tray points [count, 3] in millimetres, z up to the camera."""
        p = np.asarray(points, np.float64) * [1, 1, -1]
        q = p @ self.rotation.T + [0, 0, self.distance]
        return q[:, :2] / q[:, 2:] * self.focal + [self.width / 2, self.height / 2]

    def plane(self, z: float) -> Points:
        """The homography from tray millimetres at height `z` to pixels."""
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * 50
        seen = self.project(np.column_stack([square, np.full(4, z)]))
        result: Points = cv2.getPerspectiveTransform(
            square.astype(np.float32), seen.astype(np.float32)
        )
        return result


@dataclass(frozen=True)
class Development:
    """How a picture is taken: drawn once for a scene, so that its frames match."""

    exposure: float
    gains: tuple[float, float, float]
    defocus: float
    motion: tuple[float, float]
    vignette: float
    sharpening: float
    noise: float
    quality: int

    @staticmethod
    def draw(rng: np.random.Generator, mean: float, clean: bool = False) -> Development:
        """By lot, exposed for a scene of linear luminance `mean`; `clean` is a good webcam."""
        target = rng.uniform(0.2, 0.34) * (max(mean, 1e-3) / 0.3) ** 0.35
        warmth = rng.normal(0, 0.02 if clean else 0.07)
        moves = rng.random() < (0.0 if clean else 0.15)
        return Development(
            exposure=float(target / max(mean, 1e-3)),
            gains=(1 + warmth, 1 + rng.normal(0, 0.015), 1 - warmth),
            defocus=float(rng.uniform(0.3, 0.6) if clean else 0.3 + rng.exponential(0.5)),
            motion=tuple(rng.normal(0, 2.5, 2)) if moves else (0.0, 0.0),
            vignette=float(rng.uniform(0, 0.3)),
            sharpening=float(rng.uniform(0, 0.8)),
            noise=float(rng.uniform(0.002, 0.006) if clean else rng.exponential(0.01)),
            quality=int(rng.integers(85, 96) if clean else rng.integers(45, 97)),
        )

    def develop(self, linear: Floats, rng: np.random.Generator) -> Bytes:
        """Linear RGB light to a finished sRGB picture, sensor noise from `rng`."""
        picture = cv2.GaussianBlur(linear, (0, 0), max(self.defocus, 0.2))
        length = float(np.hypot(*self.motion))
        if length > 1:
            size = int(length) * 2 + 1
            kernel = np.zeros((size, size), np.float32)
            centre = np.array([size // 2, size // 2])
            offset = np.array(self.motion) / 2
            start, end = centre - offset, centre + offset
            cv2.line(kernel, tuple(np.rint(start).astype(int).tolist()),
                     tuple(np.rint(end).astype(int).tolist()), 1.0, 1, cv2.LINE_AA)
            picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
        rows, columns = picture.shape[:2]
        ys, xs = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j].astype(np.float32)
        falloff = 1 - np.float32(self.vignette / 2) * (xs * xs + ys * ys)
        picture = picture * (falloff[..., None] * np.array(self.gains, np.float32))
        picture *= np.float32(self.exposure)
        spread = np.float32(self.noise) * np.sqrt(np.maximum(picture, 0) + np.float32(0.02))
        picture += spread * rng.standard_normal(picture.shape, np.float32) * 2
        if self.sharpening > 0:
            soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
            picture = picture + (picture - soft) * np.float32(self.sharpening)
        return encode(np.maximum(picture, 0))

    def compress(self, picture: Bytes) -> Bytes:
        """The picture after JPEG at the drawn quality."""
        ok, data = cv2.imencode(
            ".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, self.quality]
        )
        if not ok:
            raise RuntimeError("the JPEG encoder refused a rendered picture")
        return np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])
