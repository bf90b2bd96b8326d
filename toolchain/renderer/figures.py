"""Birds, flowers, a palm and an angklung, drawn as layered vector shapes."""

from __future__ import annotations

import numpy as np

from .arrays import Points
from .emblem import Frame
from .relief import Relief, curve, ellipse, ribbon

Pairs = list[tuple[float, float]]


def _plumage(
    relief: Relief,
    rng: np.random.Generator,
    outline: Points,
    direction: float,
    height: float,
    count: int,
    length: float = 0.05,
) -> None:
    """Short engraved barbs inside `outline`, running along `direction` radians."""
    low, high = outline.min(0), outline.max(0)
    inside = relief.mask([outline]) > 127
    barbs = []
    for _ in range(count * 3):
        x, y = rng.uniform(low, high)
        column, row = int(x * 416 + 512), int(y * 416 + 512)
        if not (0 <= row < inside.shape[0] and 0 <= column < inside.shape[1]):
            continue
        if not inside[row, column]:
            continue
        a = direction + rng.normal(0, 0.12)
        dx, dy = length * np.cos(a) / 2, length * np.sin(a) / 2
        barbs.append(ribbon(np.array([(x - dx, y - dy), (x + dx, y + dy)]), [0.004, 0.012, 0.004]))
        if len(barbs) >= count:
            break
    if barbs:
        mask = relief.mask(barbs)
        mask[~inside] = 0
        relief.strike(mask, height, 0.06, "cut")


def cockatoo(relief: Relief, rng: np.random.Generator, h: float) -> None:
    """The palm cockatoo of Rp100 1999, on its branch at the left."""
    tail = [(-0.52, 0.1), (-0.44, 0.2), (-0.48, 0.65), (-0.54, 0.68), (-0.67, 0.64), (-0.66, 0.3)]
    relief.shape(np.array(tail), h * 0.7, 0.25)
    for i in range(5):
        x = -0.65 + 0.035 * i
        relief.line([(x + 0.03, 0.2), (x, 0.62)], 0.014, h * 0.35, 0.06, "cut")
    branch = [(-0.88, 0.32), (-0.75, 0.25), (-0.6, 0.21), (-0.44, 0.19), (-0.38, 0.22),
              (-0.42, 0.3), (-0.6, 0.3), (-0.72, 0.36), (-0.68, 0.46), (-0.76, 0.4)]
    relief.shape(np.array(branch), h * 0.75, 0.2)
    body = curve(
        [(-0.48, -0.6), (-0.4, -0.65), (-0.28, -0.62), (-0.22, -0.5), (-0.26, -0.3), (-0.24, -0.2),
         (-0.19, -0.1), (-0.2, 0.05), (-0.3, 0.12), (-0.44, 0.16), (-0.58, 0.2), (-0.72, 0.26),
         (-0.68, 0.08), (-0.6, -0.14), (-0.48, -0.3), (-0.5, -0.45)], closed=True,
    )
    relief.shape(body, h, 0.7, "lay")
    wing = curve(
        [(-0.46, -0.28), (-0.36, -0.2), (-0.36, -0.05), (-0.46, 0.1), (-0.66, 0.24), (-0.64, 0.06),
         (-0.56, -0.14)], closed=True,
    )
    relief.shape(wing, h * 1.1, 0.4, "lay")
    for i in range(6):
        a, b = (-0.58 + 0.045 * i, -0.05 - 0.01 * i), (-0.68 + 0.05 * i, 0.22 - 0.015 * i)
        relief.line([a, b], 0.013, h * 0.35, 0.06, "cut")
    for row in range(4):
        for i in range(4):
            x, y = -0.54 + 0.055 * i + 0.02 * (row % 2), -0.2 + 0.06 * row - 0.015 * i
            relief.line(
                [(x - 0.025, y), (x, y + 0.03), (x + 0.025, y)], 0.012, h * 0.3, 0.05, "cut"
            )
    for i in range(9):
        t = i / 8
        tip = (-0.62 + 0.42 * t**1.3, -0.62 - 0.24 * np.sin(np.pi * (0.15 + 0.62 * t)))
        root = (-0.42 + 0.17 * t, -0.6 + 0.03 * t)
        bend = ((tip[0] + root[0]) / 2 + 0.06, (tip[1] + root[1]) / 2 - 0.05)
        relief.line([tip, bend, root], [0.012, 0.034, 0.03], h * 0.8, 0.12)
    relief.shape(
        curve([(-0.3, -0.5), (-0.24, -0.52), (-0.18, -0.46), (-0.2, -0.36), (-0.26, -0.4),
               (-0.32, -0.38), (-0.34, -0.44)], closed=True), h * 1.1, 0.25, "lay",
    )
    relief.shape(ellipse(-0.35, -0.47, 0.035, 0.03), h * 0.4, 0.12, "cut")
    relief.shape(ellipse(-0.35, -0.47, 0.014, 0.014), h * 0.3, 0.05, "add")
    right = curve([(-0.26, -0.2), (-0.2, -0.19), (-0.18, -0.05), (-0.22, 0.08), (-0.27, -0.02)],
                  True)
    relief.shape(right, h * 0.9, 0.2, "lay")
    _plumage(relief, rng, body, 2.0, h * 0.15, 90)


def starling(relief: Relief, rng: np.random.Generator, h: float) -> None:
    """The Bali starling of Rp200 2003, leaning across the coin, beak to the left."""
    twig: Pairs = [(0.3, -0.36), (0.42, -0.42), (0.52, -0.52), (0.58, -0.64)]
    relief.line(twig, [0.05, 0.03, 0.012], h * 0.6)
    relief.line([(0.36, -0.3), (0.5, -0.4), (0.62, -0.44)], [0.05, 0.03, 0.012], h * 0.6)
    body = curve(
        [(-0.6, -0.6), (-0.52, -0.64), (-0.42, -0.72), (-0.3, -0.75), (-0.16, -0.72), (0.0, -0.62),
         (0.12, -0.5), (0.28, -0.38), (0.4, -0.28), (0.6, -0.1), (0.86, 0.12), (0.84, 0.22),
         (0.76, 0.26), (0.6, 0.16), (0.42, 0.06), (0.26, 0.02), (0.14, 0.04), (0.02, 0.0),
         (-0.04, -0.05), (-0.16, -0.12), (-0.3, -0.22), (-0.36, -0.34), (-0.36, -0.48),
         (-0.42, -0.58), (-0.52, -0.6)], closed=True,
    )
    relief.shape(body, h, 0.9)
    back = curve(
        [(-0.1, -0.56), (0.05, -0.5), (0.25, -0.36), (0.45, -0.2), (0.62, -0.02), (0.5, 0.0),
         (0.3, -0.06), (0.14, -0.16), (0.0, -0.32)], closed=True,
    )
    relief.shape(back, h * 1.15, 0.5, "lay")
    for i in range(8):
        y = -0.36 + 0.05 * i
        relief.line(
            [(0.04 + 0.03 * i, y), (0.24 + 0.04 * i, y + 0.1), (0.5 + 0.01 * i,
                                                                y + 0.24 - 0.02 * i)],
            0.012, h * 0.3, 0.07, "cut",
        )
    for i in range(5):
        relief.line(
            [(0.4 + 0.04 * i, 0.02 - 0.05 * i), (0.6 + 0.03 * i, 0.12 - 0.04 * i),
             (0.78 + 0.015 * i, 0.22 - 0.025 * i)], 0.013, h * 0.35, 0.07, "cut",
        )
    relief.line([(-0.6, -0.6), (-0.5, -0.61), (-0.42, -0.62)], 0.014, h * 0.4, 0.06, "cut")
    relief.shape(ellipse(-0.38, -0.64, 0.05, 0.025, -0.3), h * 0.35, 0.1, "cut")
    relief.shape(ellipse(-0.37, -0.64, 0.016, 0.016), h * 0.35, 0.06, "add")
    for a, b in (((0.06, 0.0), (-0.12, 0.22)), ((0.14, 0.04), (0.04, 0.2))):
        relief.line([a, ((a[0] + b[0]) / 2 + 0.02, (a[1] + b[1]) / 2), b], [0.1, 0.05, 0.05],
                    h * 0.8)
    perch = [(-0.16, 0.32), (-0.14, 0.2), (-0.04, 0.18), (0.06, 0.22), (0.02, 0.27), (-0.08, 0.28)]
    relief.shape(curve(perch, closed=True), h * 0.75, 0.2)
    _plumage(relief, rng, body, 0.75, h * 0.15, 160)


def oriole(relief: Relief, rng: np.random.Generator, h: float) -> None:
    """The black-naped oriole of Rp50 1999, at the upper right, beak to the left."""
    body = curve(
        [(-0.28, -0.77), (-0.12, -0.8), (-0.06, -0.85), (0.04, -0.84), (0.14, -0.76), (0.3, -0.62),
         (0.46, -0.42), (0.58, -0.2), (0.66, 0.0), (0.8, -0.08), (0.74, 0.04), (0.68, 0.14),
         (0.6, 0.12), (0.5, -0.06), (0.36, -0.16), (0.22, -0.2), (0.1, -0.3), (0.0, -0.46),
         (-0.02, -0.62), (-0.1, -0.72)], closed=True,
    )
    relief.shape(body, h, 0.6)
    for i in range(6):
        relief.line(
            [(0.16 + 0.04 * i, -0.42 - 0.01 * i), (0.34 + 0.04 * i, -0.2), (0.54 + 0.02 * i, 0.02)],
            0.013, h * 0.3, 0.07, "cut",
        )
    relief.shape(ellipse(-0.03, -0.79, 0.02, 0.02), h * 0.4, 0.08, "cut")
    relief.line([(-0.26, -0.77), (-0.1, -0.78)], 0.012, h * 0.4, 0.05, "cut")
    relief.line([(-0.12, -0.26), (0.06, -0.14), (0.16, -0.02)], [0.03, 0.05, 0.04], h * 0.6)
    relief.line([(0.2, -0.2), (0.16, -0.06), (0.1, 0.0)], [0.05, 0.04], h * 0.7)
    relief.line([(0.04, 0.0), (0.18, -0.04)], 0.05, h * 0.7)
    _plumage(relief, rng, body, 0.9, h * 0.15, 110)


def leaf(relief: Relief, tip: tuple[float, float], root: tuple[float, float], width: float,
         h: float) -> None:
    """A leaf with its veins, from `root` to `tip`."""
    a, b = np.array(root), np.array(tip)
    along = b - a
    side = np.array([-along[1], along[0]]) / (np.linalg.norm(along) + 1e-9) * width / 2
    outline = curve(
        [tuple(a), tuple(a + 0.25 * along + 0.8 * side), tuple(a + 0.5 * along + side),
         tuple(a + 0.8 * along + 0.55 * side), tuple(b), tuple(a + 0.8 * along - 0.55 * side),
         tuple(a + 0.5 * along - side), tuple(a + 0.25 * along - 0.8 * side)], closed=True,
    )
    relief.shape(outline, h, 0.55, "lay")
    relief.line([tuple(a), tuple(a + 0.5 * along + side * 0.08), tuple(b)], 0.016, h * 0.4, 0.08,
                "cut")
    for t in (0.25, 0.45, 0.65):
        for sign in (-1, 1):
            start = a + t * along
            end = start + 0.16 * along + sign * side * 0.75
            relief.line([tuple(start), tuple(end)], 0.009, h * 0.25, 0.06, "cut")


def flower(relief: Relief, cx: float, cy: float, radius: float, h: float, petals: int = 6,
           turn: float = 0.0, squash: float = 1.0) -> None:
    """An open blossom of `petals`."""
    for i in range(petals):
        a = turn + 2 * np.pi * i / petals
        x, y = cx + 0.58 * radius * np.cos(a), cy + 0.58 * radius * np.sin(a) * squash
        relief.shape(ellipse(x, y, 0.46 * radius, 0.27 * radius, a), h, 0.3, "lay")
        relief.line(
            [(cx + 0.2 * radius * np.cos(a), cy + 0.2 * radius * np.sin(a) * squash), (x, y)],
            0.01, h * 0.3, 0.06, "cut",
        )
    relief.shape(ellipse(cx, cy, 0.16 * radius, 0.16 * radius), h * 1.15, 0.15, "lay")


def jasmine_2003(relief: Relief, h: float) -> None:
    """The jasmine branch above the 500 of 2003."""
    relief.line([(-0.05, -0.56), (-0.16, -0.38), (-0.1, -0.2), (0.14, -0.12), (0.28, 0.06)],
                [0.02, 0.03, 0.03, 0.02], h * 0.6)
    relief.line([(-0.24, -0.38), (-0.4, -0.5)], 0.02, h * 0.6)
    leaf(relief, (-0.62, -0.6), (-0.24, -0.42), 0.22, h * 0.9)
    leaf(relief, (-0.24, -0.62), (-0.16, -0.3), 0.18, h * 0.8)
    leaf(relief, (0.06, -0.64), (-0.14, -0.3), 0.22, h)
    leaf(relief, (-0.54, -0.18), (-0.18, -0.24), 0.4, h)
    leaf(relief, (-0.42, 0.1), (-0.16, -0.16), 0.34, h)
    leaf(relief, (0.64, -0.18), (0.16, -0.2), 0.36, h)
    leaf(relief, (-0.12, 0.1), (-0.1, -0.18), 0.2, h * 0.9)
    for x, y, a in ((-0.06, -0.68, -2.2), (-0.02, -0.74, -1.5), (0.03, -0.7, -0.9)):
        relief.line(
            [(x, y), (x + 0.1 * np.cos(a), y + 0.1 * np.sin(a))], [0.03, 0.05, 0.02], h * 0.9
        )
    flower(relief, -0.08, -0.14, 0.17, h * 1.1, 6, 0.4)
    flower(relief, 0.1, -0.3, 0.14, h * 1.1, 5, 0.1)
    flower(relief, 0.14, -0.14, 0.15, h * 1.15, 6, 0.9)
    flower(relief, 0.0, -0.22, 0.12, h * 1.15, 5, 0.2)


def jasmine_1997(relief: Relief, h: float) -> None:
    """The small jasmine above the 500 of 1997."""
    leaf(relief, (0.28, -0.66), (-0.08, -0.5), 0.2, h)
    leaf(relief, (0.12, -0.86), (-0.06, -0.56), 0.16, h)
    relief.line([(-0.02, -0.52), (-0.24, -0.5), (-0.34, -0.42)], 0.02, h * 0.7)
    flower(relief, -0.22, -0.62, 0.15, h, 5)
    flower(relief, -0.36, -0.46, 0.12, h, 5, 0.5)
    flower(relief, -0.14, -0.44, 0.09, h, 5, 0.3)


def jasmine_1991(relief: Relief, h: float) -> None:
    """The jasmine in the middle of Rp500 1991."""
    relief.line([(0.06, -0.2), (0.0, 0.1), (-0.06, 0.4), (-0.12, 0.46)], [0.03, 0.04, 0.03],
                h * 0.7)
    relief.line([(-0.2, 0.02), (0.0, 0.16), (0.26, 0.0)], 0.025, h * 0.6)
    leaf(relief, (-0.56, 0.12), (-0.1, 0.06), 0.3, h)
    leaf(relief, (-0.46, -0.2), (-0.06, 0.02), 0.2, h * 0.9)
    leaf(relief, (0.56, -0.24), (0.1, 0.04), 0.26, h)
    leaf(relief, (0.42, 0.16), (0.06, 0.1), 0.24, h)
    flower(relief, 0.06, -0.34, 0.26, h * 1.1, 6, 0.3)
    flower(relief, -0.12, -0.12, 0.15, h, 5, 0.2)
    flower(relief, 0.24, -0.08, 0.13, h, 5, 0.7)
    relief.line([(-0.2, -0.26), (-0.24, -0.4)], [0.03, 0.07, 0.02], h)


def oil_palm(relief: Relief, h: float, scale: float = 0.64) -> None:
    """The oil palm on the bronze centre of Rp1000 1993."""
    place = Frame(0, 0.02, scale)
    trunk = [(-0.08, 0.3), (0.1, 0.3), (0.12, 0.86), (-0.1, 0.86)]
    relief.shape(place(trunk), h * 0.8, 0.3)
    for i in range(8):
        y = 0.34 + 0.07 * i
        relief.line(place([(-0.1, y), (0.1, y + 0.05)]), 0.02 * scale, h * 0.3, 0.06, "cut", False)
    relief.line(place([(-0.8, 0.86), (-0.2, 0.83), (0.3, 0.85), (0.8, 0.84)]), 0.03, h * 0.5)
    for i in range(17):
        a = -np.pi / 2 + (i - 8) * 0.34
        reach = 0.95 - 0.06 * (i % 3)
        droop = 0.26 * (1 - np.sin(-a)) if np.sin(a) > -0.9 else 0.05
        tip = (reach * np.cos(a) * 1.02, reach * np.sin(a) * 0.85 + droop * 0.4 - 0.02)
        middle = (tip[0] * 0.55, tip[1] * 0.55 - 0.12)
        path = curve([(0.0, 0.02), middle, tip])
        relief.shape(ribbon(place(path), [0.03 * scale, 0.17 * scale, 0.03 * scale]), h, 0.3, "lay")
        relief.line(place(path), 0.016 * scale, h * 0.3, 0.06, "add")
        for t in np.linspace(0.15, 0.95, 10):
            p = path[int(t * (len(path) - 1))]
            q = path[min(int(t * (len(path) - 1)) + 2, len(path) - 1)]
            d = (q - p) / (np.linalg.norm(q - p) + 1e-6)
            for side in (-1, 1):
                n = np.array([-d[1], d[0]]) * side
                relief.line(
                    place([tuple(p), tuple(p + 0.05 * d + 0.08 * n)]), 0.012 * scale, h * 0.3,
                    0.05, "cut", False,
                )
    for i in range(6):
        x, y = -0.12 + 0.05 * i, 0.12 + 0.05 * (i % 2)
        relief.shape(place(ellipse(x, y, 0.05, 0.06)), h, 0.15, "lay")


def angklung(relief: Relief, rng: np.random.Generator, h: float) -> None:
    """The angklung before Gedung Sate, of Rp1000 2010."""
    roof: Pairs = [(-0.74, 0.08), (-0.4, 0.06), (-0.1, -0.2), (0.1, -0.26), (0.4, -0.2), (0.76,
                                                                                          -0.14)]
    relief.line(roof, 0.012, h * 0.3, 0.06)
    points = []
    for i in range(26):
        x = -0.76 + 1.52 * i / 25
        points.append((x, 0.1 + 0.03 * float(rng.normal())))
    relief.line(points, 0.03, h * 0.35, 0.08)
    for i in range(14):
        x = -0.6 + 1.2 * i / 13
        relief.line([(x, -0.06), (x, 0.06)], 0.012, h * 0.25, 0.05, "raise", False)
    frame = [
        ((-0.15, -0.66), (-0.15, 0.55)), ((0.08, -0.64), (0.08, 0.5)), ((0.24, -0.6), (0.24, 0.5)),
    ]
    for a, b in frame:
        relief.line([a, b], 0.026, h, 0.1, "raise", False)
    tubes = [(-0.08, -0.36, 0.56, 0.075), (0.03, -0.1, 0.52, 0.06), (0.13, 0.0, 0.5, 0.06),
             (0.19, 0.1, 0.46, 0.05)]
    for x, top, bottom, width in tubes:
        relief.line([(x, top), (x, bottom)], width, h, 0.3, "lay", False)
        relief.shape(
            np.array([(x - width / 2, top), (x, top), (x, top + 0.16), (x - width / 2, top + 0.1)]),
            h * 0.6, 0.1, "cut",
        )
    relief.line([(-0.16, -0.2), (0.26, -0.14)], 0.022, h * 0.9, 0.08, "raise", False)
    relief.line([(-0.2, 0.62), (0.1, 0.58), (0.3, 0.5), (0.3, 0.46)], 0.06, h, 0.2)
