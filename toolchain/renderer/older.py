"""Coins of 1971 to 1998, withdrawn, that still turn up in boxes and drawers."""

from __future__ import annotations

import numpy as np

from .arrays import Points
from .emblem import Frame, garuda
from .figures import leaf
from .lettering import arc, straight
from .parts import Draw, pick, polygon_rim, rim, teeth
from .relief import Relief, curve, ellipse, ribbon


def _star(relief: Relief, cx: float, cy: float, size: float, h: float) -> None:
    points = []
    for i in range(10):
        r, a = (size, size * 0.42)[i % 2], i * np.pi / 5
        points.append((cx + r * np.sin(a), cy - r * np.cos(a)))
    relief.shape(np.array(points), h, 0.1)


def number(value: str, year: str) -> Draw:
    """The number sides of 1971 and 1973: words over the number between two stars."""

    def draw(relief: Relief, rng: np.random.Generator) -> None:
        h = rng.uniform(0.1, 0.15)
        rim(relief, 0.045, h)
        teeth(relief, 0.9, 150, h * 0.6)
        relief.strike(arc("BANK INDONESIA", "wide", 0.72, 3, 0.15, 196, stretch=0.95), h * 0.8,
                      0.12)
        font = pick(rng, "bookish", "serif-bold", "wide")
        width = {"50": 0.9, "100": 1.24}[value]
        relief.strike(straight(value, font, 0, 0.24, 0.66, width), h, 0.22)
        relief.strike(straight("RUPIAH", "wide", 0, 0.52, 0.13, 0.86), h * 0.8, 0.12)
        relief.strike(straight(year, "wide", 0.0, 0.82, 0.17, 0.58), h * 0.8, 0.12)
        _star(relief, -0.58, 0.48, 0.08, h)
        _star(relief, 0.58, 0.48, 0.08, h)

    return draw


def bird_of_paradise(relief: Relief, rng: np.random.Generator) -> None:
    """Rp50 1971: the bird at the lower right, its plumes sweeping over the coin."""
    h = rng.uniform(0.1, 0.14)
    rim(relief, 0.05, h)
    teeth(relief, 0.92, 150, h * 0.6)
    for i in range(9):
        t = i / 8
        root = (0.12 + 0.5 * t, 0.3 + 0.06 * t)
        tip = (-0.08 + 0.95 * np.sin(1.35 * t + 0.1), -0.78 + 0.95 * t**1.3)
        bend = ((root[0] + tip[0]) / 2 + 0.1 * (1 - t), (root[1] + tip[1]) / 2 - 0.1)
        path = curve([root, bend, tip])
        relief.shape(ribbon(path, [0.02, 0.028, 0.014]), h * 0.7, 0.1)
        for k in range(2, len(path) - 1, 1):
            d = path[k] - path[k - 1]
            d = d / (np.linalg.norm(d) + 1e-9)
            for side in (-1, 1):
                n = np.array([-d[1], d[0]]) * side
                relief.line([tuple(path[k]), tuple(path[k] + 0.05 * d + 0.045 * n)], 0.014,
                            h * 0.55, 0.08, "raise", False)
    body = curve(
        [(-0.6, 0.5), (-0.44, 0.45), (-0.36, 0.38), (-0.26, 0.38), (-0.1, 0.44), (0.1, 0.4),
         (0.36, 0.26), (0.62, 0.2), (0.66, 0.4), (0.4, 0.52), (0.14, 0.62), (-0.04, 0.66),
         (-0.22, 0.6), (-0.34, 0.5), (-0.46, 0.49)], closed=True,
    )
    relief.shape(body, h, 0.5, "lay")
    for i in range(7):
        x = 0.06 + 0.08 * i
        relief.line([(x, 0.44 - 0.02 * i), (x + 0.06, 0.6 - 0.03 * i)], 0.014, h * 0.35, 0.06,
                    "cut")
    relief.shape(ellipse(-0.32, 0.42, 0.02, 0.02), h * 0.4, 0.06, "cut")
    relief.line([(-0.1, 0.68), (0.2, 0.66), (0.56, 0.88)], [0.03, 0.05, 0.07], h * 0.8)
    relief.strike(straight("Rp", "serif", -0.7, 0.28, 0.34, 0.34, weight=0.015), h, 0.16)
    relief.strike(straight("50", "bookish", -0.16, 0.25, 0.54, 0.66), h, 0.2, "lay")


def komodo(relief: Relief, rng: np.random.Generator) -> None:
    """Rp50 1991: the dragon under Rp 50, its head raised to the left."""
    h = rng.uniform(0.1, 0.14)
    rim(relief, 0.05, h)
    tail = [(0.3, 0.1), (0.5, 0.04), (0.78, 0.12), (0.7, 0.02), (0.4, -0.2), (0.26, -0.4), (0.3,
                                                                                            -0.2),
            (0.4, -0.04), (0.2, -0.02)]
    relief.shape(curve(tail, closed=True), h * 0.8, 0.25)
    body = curve(
        [(-0.64, -0.38), (-0.5, -0.44), (-0.36, -0.4), (-0.28, -0.28), (-0.1, -0.2), (0.14, -0.14),
         (0.4, -0.08), (0.52, 0.04), (0.5, 0.16), (0.36, 0.2), (0.1, 0.18), (-0.06, 0.14),
         (-0.24, 0.16), (-0.4, 0.02), (-0.44, -0.18), (-0.56, -0.28)], closed=True,
    )
    relief.shape(body, h, 0.7, "lay")
    legs = [
        [(-0.42, -0.02), (-0.5, 0.12), (-0.46, 0.24), (-0.58, 0.24)],
        [(-0.12, 0.08), (0.02, 0.22), (0.08, 0.38), (-0.06, 0.42)],
        [(0.36, 0.06), (0.36, 0.22), (0.24, 0.3), (0.3, 0.34)],
        [(0.5, 0.1), (0.56, 0.2), (0.66, 0.26)],
    ]
    for leg in legs:
        relief.line(leg, [0.18, 0.14, 0.1, 0.08], h * 0.9, 0.3, "lay")
    for i in range(12):
        x = -0.36 + 0.075 * i
        relief.line([(x, -0.2 + 0.012 * i), (x - 0.03, 0.02), (x, 0.12)], 0.012, h * 0.25, 0.06,
                    "cut")
    relief.line([(-0.62, -0.35), (-0.48, -0.36)], 0.014, h * 0.4, 0.06, "cut")
    relief.shape(ellipse(-0.48, -0.4, 0.018, 0.014), h * 0.4, 0.06, "cut")
    for i in range(4):
        x = float(rng.uniform(-0.5, 0.4))
        relief.line([(x, 0.34 + 0.02 * i), (x + 0.26, 0.35 + 0.02 * i)], 0.014, h * 0.4, 0.06)
    relief.strike(straight("Rp 50", "bookish-bold", 0.06, -0.5, 0.24, 0.8), h, 0.16)
    relief.strike(straight("Komodo", "script", 0.02, 0.72, 0.15, 0.66, weight=0.03), h * 0.8, 0.1)


def garuda_1991(relief: Relief, rng: np.random.Generator) -> None:
    """Rp100 1991: the emblem inside an octagon."""
    h = rng.uniform(0.1, 0.14)
    polygon_rim(relief, 8, 0.97, h)
    garuda(relief, 0, 0.02, 0.78, h, head_right=True)
    relief.strike(
        arc("BANK INDONESIA", "serif-bold", 0.8, 180, 0.12, 122, feet_out=True), h * 0.8, 0.1
    )
    year = str(int(rng.integers(1991, 1999)))
    relief.strike(straight(year, "serif-bold", 0, 0.62, 0.11, 0.38), h * 0.8, 0.1)


def _bull(relief: Relief, place: Frame, h: float) -> None:
    body = curve(
        [(-0.5, -0.1), (-0.3, -0.18), (0.1, -0.14), (0.34, -0.18), (0.46, -0.3), (0.6, -0.24),
         (0.7, -0.06), (0.6, 0.0), (0.44, -0.02), (0.36, 0.14), (0.1, 0.18), (-0.2, 0.16),
         (-0.44, 0.2), (-0.56, 0.06)], closed=True,
    )
    relief.shape(place(body), h, 0.45, "lay")
    for x, lean in ((-0.44, -0.14), (-0.3, 0.2), (0.2, -0.12), (0.32, 0.24)):
        relief.line(place([(x, 0.1), (x + lean, 0.26), (x + lean * 0.6, 0.42)]),
                    [0.1 * place.scale, 0.06 * place.scale, 0.05 * place.scale], h * 0.85)
    relief.line(place([(-0.54, 0.0), (-0.68, 0.1), (-0.74, 0.26)]), 0.03 * place.scale, h * 0.7)
    for side in (-0.04, 0.06):
        relief.line(place([(0.5 + side, -0.26), (0.52 + 2 * side, -0.42)]), 0.035 * place.scale,
                    h * 0.8)
    relief.shape(place(ellipse(0.56, -0.16, 0.024, 0.02)), h * 0.4, 0.06, "cut")


def _rider(relief: Relief, x: float, y: float, h: float) -> None:
    relief.shape(ellipse(x, y - 0.2, 0.045, 0.05), h, 0.2)
    relief.line([(x, y - 0.15), (x + 0.01, y)], [0.1, 0.13], h * 0.9)
    relief.line([(x - 0.04, y - 0.12), (x - 0.12, y - 0.14), (x - 0.14, y - 0.34)], 0.03, h * 0.7)


def bulls(relief: Relief, rng: np.random.Generator) -> None:
    """Rp100 1991: the bull race inside an octagon."""
    h = rng.uniform(0.1, 0.14)
    polygon_rim(relief, 8, 0.97, h)
    _rider(relief, 0.24, -0.22, h)
    _bull(relief, Frame(0.38, -0.16, 0.56), h)
    _bull(relief, Frame(0.46, -0.1, 0.52), h)
    _rider(relief, -0.28, -0.02, h)
    _bull(relief, Frame(0.02, 0.24, 0.54), h)
    _bull(relief, Frame(-0.2, 0.26, 0.6), h)
    relief.line([(-0.8, 0.46), (-0.58, 0.42)], 0.02, h * 0.7)
    relief.line([(-0.76, 0.52), (-0.54, 0.46)], 0.02, h * 0.7)
    relief.strike(straight("Rp", "bookish", -0.33, -0.5, 0.22, 0.26), h, 0.14)
    relief.strike(straight("100", "serif-bold", 0.1, -0.5, 0.28, 0.54), h, 0.16)
    relief.strike(
        arc("Karapan Sapi", "script", 0.82, 183, 0.13, 96, weight=0.03, feet_out=True), h * 0.8, 0.1
    )


def _house(relief: Relief, place: Frame, h: float) -> None:
    """A Minangkabau house: horned roofs over a long front."""
    s = place.scale
    front = [(-0.82, 0.1), (0.56, -0.02), (0.62, 0.42), (-0.76, 0.5)]
    relief.shape(place(front), h * 0.6, 0.15)
    roofs: list[list[tuple[float, float]]] = [
        [(-0.92, -0.2), (-0.7, 0.0), (-0.36, 0.06), (0.0, -0.14), (0.34, -0.5), (0.36, -0.3),
         (0.5, -0.06), (0.5, 0.06), (-0.86, 0.18)],
        [(0.2, -0.44), (0.36, -0.26), (0.56, -0.5), (0.54, -0.3), (0.72, -0.06), (0.24, 0.0)],
    ]
    for roof in roofs:
        relief.shape(place(roof), h, 0.3, "lay")
    for i in range(12):
        x = -0.74 + 0.1 * i
        relief.line(place([(x + 0.02, 0.03 + 0.04 * np.cos(i)), (x, 0.14)]), 0.014 * s, h * 0.25,
                    0.06,
                    "cut", False)
        relief.shape(
            place([(x, 0.24), (x + 0.05, 0.24), (x + 0.05, 0.34), (x, 0.34)]), h * 0.4, 0.06, "cut"
        )
        relief.line(place([(x + 0.08, 0.18), (x + 0.08, 0.48)]), 0.014 * s, h * 0.3, 0.06, "add",
                    False)
    relief.shape(place([(0.44, 0.02), (0.74, 0.0), (0.74, 0.44), (0.46, 0.46)]), h * 0.75, 0.12,
                 "lay")
    for y in (0.12, 0.24, 0.36):
        relief.line(place([(0.46, y), (0.74, y)]), 0.016 * s, h * 0.35, 0.06, "cut", False)
    for i in range(4):
        relief.line(place([(-0.8, 0.56 + 0.07 * i), (0.0, 0.6 + 0.08 * i), (0.7, 0.54 + 0.1 * i)]),
                    0.014 * s, h * 0.4, 0.06)


def _palm(relief: Relief, cx: float, cy: float, h: float) -> None:
    relief.line([(cx, cy), (cx + 0.03, cy + 0.4)], 0.04, h * 0.7)
    for i in range(8):
        a = -np.pi / 2 + (i - 3.5) * 0.6
        leaf(relief, (cx + 0.2 * np.cos(a), cy + 0.18 * np.sin(a)), (cx, cy), 0.05, h * 0.7)


def house_1973(relief: Relief, rng: np.random.Generator) -> None:
    """Rp100 1973: Rp 100 over the house, a palm at the right."""
    h = rng.uniform(0.1, 0.14)
    rim(relief, 0.045, h)
    teeth(relief, 0.91, 150, h * 0.6)
    _palm(relief, 0.66, -0.32, h)
    _house(relief, Frame(-0.04, 0.2, 0.9), h)
    relief.strike(straight("Rp 100", "bookish-bold", -0.12, -0.36, 0.32, 1.14), h, 0.18, "lay")


def house_1978(relief: Relief, rng: np.random.Generator) -> None:
    """Rp100 1978: 100 over the house, words all round."""
    h = rng.uniform(0.1, 0.14)
    rim(relief, 0.045, h)
    teeth(relief, 0.91, 150, h * 0.6)
    _house(relief, Frame(0.02, 0.16, 0.66), h)
    relief.strike(straight("100", "serif-bold", -0.02, -0.26, 0.3, 0.56), h, 0.16)
    relief.strike(arc("BANK INDONESIA", "sans-bold", 0.73, 0, 0.14, 196), h * 0.8, 0.12)
    relief.strike(arc("SERATUS RUPIAH", "sans-bold", 0.86, 180, 0.13, 104, feet_out=True),
                  h * 0.8, 0.12)
    for side in (-1, 1):
        _star(relief, side * 0.7, 0.42, 0.08, h)


def _kayon() -> Points:
    return curve(
        [(0.0, -0.74), (0.1, -0.52), (0.3, -0.22), (0.42, 0.1), (0.34, 0.34), (0.4, 0.56), (-0.4,
                                                                                            0.56),
         (-0.34, 0.34), (-0.42, 0.1), (-0.3, -0.22), (-0.1, -0.52)], closed=True,
    )


def wayang(relief: Relief, rng: np.random.Generator) -> None:
    """Rp100 1978: the kayon, the leaf-shaped tree of life of the shadow play."""
    h = rng.uniform(0.1, 0.14)
    rim(relief, 0.045, h)
    teeth(relief, 0.91, 150, h * 0.6)
    outline = _kayon()
    relief.shape(outline, h * 0.8, 0.3)
    relief.shape(outline * 0.86, h * 0.25, 0.08, "cut")
    relief.line([(0.0, 0.5), (0.0, -0.6)], [0.08, 0.03], h * 0.5, 0.1, "add", False)
    for i in range(7):
        y = 0.3 - 0.13 * i
        reach = 0.3 * (1 - i / 8)
        for side in (-1, 1):
            relief.line([(0.0, y), (side * reach * 0.6, y - 0.02), (side * reach, y - 0.1),
                         (side * reach * 0.7, y - 0.14)], 0.022, h * 0.45, 0.08, "add")
    for side in (-1, 1):
        relief.shape(ellipse(side * 0.16, 0.42, 0.09, 0.1), h * 0.4, 0.2, "add")
    relief.strike(straight("Rp", "serif-bold", -0.66, 0.16, 0.2, 0.3), h, 0.14)
    relief.strike(straight("100", "serif-bold", 0.64, 0.16, 0.24, 0.4), h, 0.14)
    relief.strike(arc("1978", "serif-bold", 0.88, 180, 0.13, 30, feet_out=True), h * 0.8, 0.12)
