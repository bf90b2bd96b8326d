"""A whole camera frame the way a user of these engines does it: OpenCV, then the networks.

640 x 480 YUYV becomes RGB and is made smaller by area for the detector; one coin is cut out,
refined twice, cut out again, unrolled into polar coordinates, and classified. What the networks
say is not interpreted, which spares the peers that time.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from peers.engines import Engine

WIDTH, HEIGHT = 640, 480
PATCH = 144
# Where the coin is, in pixels of the frame: the place does not change the work.
CENTRE, RADIUS = (320.0, 240.0), 40.0


def _centred(pixels: NDArray[np.uint8]) -> NDArray[np.int8]:
    return cv2.bitwise_xor(pixels, (128, 128, 128, 128)).view(np.int8)


class FrameWorker:
    """Runs frames through three loaded networks."""

    def __init__(self, detector: Engine, refiner: Engine, classifier: Engine) -> None:
        self.detector, self.refiner, self.classifier = detector, refiner, classifier
        noise = np.random.default_rng(2)
        self.frame = noise.integers(0, 256, (HEIGHT, WIDTH, 2)).astype(np.uint8)
        rows, columns = classifier.graph.tensors[0].shape[:2]
        radii = (np.arange(rows) + 0.5) / rows * 1.1 * PATCH / 3
        angles = (np.arange(columns) + 0.5) / columns * 2 * np.pi
        x = PATCH / 2 - 0.5 + radii[:, None] * np.cos(angles)
        y = PATCH / 2 - 0.5 + radii[:, None] * np.sin(angles)
        self.maps = cv2.convertMaps(
            x.astype(np.float32), y.astype(np.float32), cv2.CV_16SC2
        )

    def patch(self, rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The square around the coin, 1.5 diameters wide."""
        half = round(1.5 * RADIUS)
        x, y = round(CENTRE[0]), round(CENTRE[1])
        part = rgb[y - half : y + half, x - half : x + half]
        return cv2.resize(part, (PATCH, PATCH), interpolation=cv2.INTER_LINEAR)

    def run(self) -> None:
        """One frame."""
        rgb = cv2.cvtColor(self.frame, cv2.COLOR_YUV2RGB_YUYV)
        height, width = self.detector.graph.tensors[0].shape[:2]
        small = cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA)
        self.detector.set_input(_centred(small))
        self.detector.run()
        side = self.refiner.graph.tensors[0].width
        for _ in range(2):
            square = cv2.resize(self.patch(rgb), (side, side), interpolation=cv2.INTER_AREA)
            self.refiner.set_input(_centred(square))
            self.refiner.run()
        unrolled = cv2.remap(self.patch(rgb), *self.maps, cv2.INTER_LINEAR)
        self.classifier.set_input(_centred(unrolled))
        self.classifier.run()
