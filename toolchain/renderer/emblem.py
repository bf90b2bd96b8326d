"""The Garuda of the state emblem, in relief."""

from __future__ import annotations

import numpy as np

from .arrays import Points
from .relief import Relief, curve, ellipse, ribbon


class Frame:
    """Places a figure drawn around (0, 0): scaled, mirrored when asked, then shifted."""

    def __init__(self, cx: float, cy: float, scale: float, mirror: bool = False) -> None:
        self.cx, self.cy, self.scale = cx, cy, scale
        self.sign = -1.0 if mirror else 1.0

    def __call__(self, points: object) -> Points:
        """`points` in coin radii."""
        p = np.asarray(points, np.float64).reshape(-1, 2)
        return np.stack(
            [self.cx + self.sign * p[:, 0] * self.scale, self.cy + p[:, 1] * self.scale], axis=1
        )


_LEADING = curve([(0.16, -0.36), (0.3, -0.44), (0.42, -0.5), (0.48, -0.62), (0.525, -0.78)])
_OUTER = curve(
    [(0.53, -0.78), (0.6, -0.6), (0.63, -0.38), (0.61, -0.16), (0.53, 0.0), (0.42, 0.08), (0.24,
                                                                                           0.1)]
)
_INNER = curve([(0.44, -0.5), (0.42, -0.34), (0.38, -0.2), (0.3, -0.1), (0.2, -0.02)])


def _along(path: Points, t: float) -> Points:
    step = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    step /= step[-1]
    return np.array([np.interp(t, step, path[:, 0]), np.interp(t, step, path[:, 1])])


def _wing(relief: Relief, place: Frame, height: float, feathers: int) -> None:
    outline = np.concatenate([_LEADING, _OUTER[1:], [(0.14, 0.06)]])
    relief.shape(place(outline), height * 0.35, 0.1)
    for i in range(feathers):
        t = i / (feathers - 1)
        root, tip = _along(_INNER, t), _along(_OUTER, 0.02 + 0.98 * t)
        bend = (root + tip) / 2 + np.array([0.02, 0.045]) * (1 - 0.6 * t)
        path = place(curve([tuple(tip), tuple(bend), tuple(root)]))
        width = 0.046 * place.scale * (17 / feathers)
        relief.shape(ribbon(path, [width * 0.55, width, width * 0.9]), height * 0.85, 0.16, "lay")
    for row in range(2):
        for i in range(feathers // 2):
            t = i / (feathers // 2 - 1)
            root = _along(_INNER, t)
            inward = np.array([0.13 - 0.07 * t, -0.04 + 0.05 * t])
            a, b = root - inward * (0.9 * row - 0.35), root - inward * (0.9 * row + 0.6)
            path = place([tuple(a), tuple((a + b) / 2), tuple(b)])
            width = 0.05 * place.scale
            relief.shape(ribbon(path, [width * 0.7, width]), height * 0.95, 0.16, "lay")
    relief.line(place(_LEADING), 0.035 * place.scale, height, 0.1)


def _tail(relief: Relief, place: Frame, height: float) -> None:
    for i in range(9):
        t = (i - 4) / 4
        path = place(curve([(0.07 * t, 0.16), (0.13 * t, 0.34), (0.2 * t, 0.5 - 0.03 * t * t)]))
        relief.shape(
            ribbon(path, [0.03 * place.scale, 0.048 * place.scale, 0.03 * place.scale]),
            height * 0.8, 0.15, "lay",
        )


def _shield(relief: Relief, place: Frame, height: float) -> None:
    outline = curve(
        [(-0.17, -0.28), (0.0, -0.27), (0.17, -0.28), (0.19, -0.1), (0.15, 0.08), (0.0, 0.21),
         (-0.15, 0.08), (-0.19, -0.1)], closed=True,
    )
    relief.shape(place(outline), height * 1.05, 0.12, "lay")
    relief.shape(place(outline * [0.8, 0.82] + [0, -0.005]), height * 0.35, 0.08, "cut")
    k = height * 0.3
    scale = place.scale
    relief.line(place([(-0.15, -0.03), (0.15, -0.03)]), 0.03 * scale, k, 0.08, "add", False)
    relief.line(place([(0.0, -0.24), (0.0, 0.16)]), 0.022 * scale, k, 0.08, "add", False)
    relief.shape(place(ellipse(0, -0.04, 0.075, 0.085)), k * 1.6, 0.1, "add")
    star = []
    for i in range(10):
        r, a = (0.055, 0.024)[i % 2], i * np.pi / 5
        star.append((r * np.sin(a), -0.04 - r * np.cos(a)))
    relief.shape(place(star), k, 0.08, "add")
    for x, y in ((-0.08, -0.15), (0.08, -0.15), (-0.07, 0.06), (0.07, 0.06)):
        relief.shape(place(ellipse(x, y, 0.045, 0.06)), k, 0.12, "add")


def _head(relief: Relief, place: Frame, height: float, right: bool) -> None:
    sign = 1.0 if right else -1.0
    neck = curve(
        [(-0.15, -0.3), (-0.1, -0.42), (-0.1, -0.55), (-0.05, -0.63), (0.05, -0.63),
         (0.1, -0.55), (0.1, -0.42), (0.15, -0.3), (0.0, -0.24)], closed=True,
    )
    relief.shape(place(neck), height * 0.9, 0.25, "lay")
    for row in range(5):
        for i in range(5 + row % 2):
            x = (i - 2 - 0.5 * (row % 2)) * 0.05 * (1 + 0.06 * row)
            y = -0.5 + row * 0.055
            if abs(x) < 0.1 + 0.008 * row:
                relief.line(
                    place([(x - 0.02, y - 0.015), (x, y + 0.02), (x + 0.02, y - 0.015)]),
                    0.012 * place.scale, height * 0.18, 0.05, "cut",
                )
    beak = [(sign * 0.05, -0.61), (sign * 0.13, -0.6), (sign * 0.18, -0.54), (sign * 0.175, -0.48),
            (sign * 0.13, -0.53), (sign * 0.06, -0.52)]
    relief.shape(place(curve(beak, closed=True)), height, 0.15, "lay")
    relief.shape(place(ellipse(sign * 0.06, -0.575, 0.016, 0.014)), height * 0.4, 0.05, "cut")
    crest = [(-sign * 0.02, -0.62), (-sign * 0.1, -0.65), (-sign * 0.07, -0.58)]
    relief.shape(place(crest), height * 0.8, 0.1)


def _legs(relief: Relief, place: Frame, height: float) -> None:
    for side in (-1, 1):
        thigh = curve(
            [(side * 0.14, 0.04), (side * 0.24, 0.06), (side * 0.27, 0.14), (side * 0.22, 0.2),
             (side * 0.12, 0.16)], closed=True,
        )
        relief.shape(place(thigh), height * 0.85, 0.25, "lay")
        for i in range(3):
            x = side * (0.16 + 0.035 * i)
            relief.line(
                place([(x, 0.09), (x + side * 0.01, 0.16)]), 0.012 * place.scale,
                height * 0.25, 0.05, "cut",
            )
        relief.line(
            place([(side * 0.23, 0.17), (side * 0.27, 0.24), (side * 0.29, 0.3)]),
            0.05 * place.scale, height * 0.9, 0.12, "lay",
        )
        for toe in (-0.05, 0.0, 0.05):
            relief.line(
                place([(side * 0.28, 0.26), (side * 0.28 + toe, 0.34)]), 0.026 * place.scale,
                height, 0.1,
            )


def _motto(relief: Relief, place: Frame, height: float, lettered: bool) -> None:
    middle = curve([(-0.38, 0.26), (-0.2, 0.38), (0.0, 0.42), (0.2, 0.38), (0.38, 0.26)])
    relief.shape(
        ribbon(place(middle), [0.075 * place.scale] * 2), height * 0.8, 0.1, "lay"
    )
    for side in (-1, 1):
        end = [(side * 0.3, 0.33), (side * 0.4, 0.26), (side * 0.5, 0.12), (side * 0.47, 0.2),
               (side * 0.53, 0.2), (side * 0.42, 0.31), (side * 0.33, 0.37)]
        relief.shape(place(end), height * 0.65, 0.1)
    if lettered:
        for t in np.linspace(0.06, 0.94, 18):
            x, y = _along(middle, float(t))
            relief.line(
                place([(x, y - 0.018), (x, y + 0.018)]), 0.012 * place.scale, height * 0.35,
                0.04, "cut", False,
            )


def garuda(
    relief: Relief,
    cx: float,
    cy: float,
    scale: float,
    height: float,
    feathers: int = 17,
    head_right: bool = False,
    lettered: bool = True,
) -> None:
    """Strikes the emblem: 1.26 × `scale` coin radii wide, from -0.78 to 0.5 × `scale` high."""
    place = Frame(cx, cy, scale)
    _tail(relief, place, height)
    for mirror in (False, True):
        _wing(relief, Frame(cx, cy, scale, mirror), height, feathers)
    _motto(relief, place, height, lettered)
    _legs(relief, place, height)
    _head(relief, place, height, head_right)
    _shield(relief, place, height)
