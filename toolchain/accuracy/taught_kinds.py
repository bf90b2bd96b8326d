"""The coins that Benchmarks/teaching teaches and counts: drawn ones and photographed ones."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from renderer.coin import wear_of
from renderer.faces import FACES, OTHERS, Face
from renderer.scene import Lying, Tray, scatter
from renderer.strangers import foreign
from training.labels import pixel_box, read_boxes, read_picture

Picture = NDArray[np.uint8]
Disc = tuple[float, float, float]
VIEWS = 5
"""Views of each face, as the product takes them."""
READABLE = 0.5
"""The wear of ordinarily worn coins: 0 as struck, 1 worn smooth. By eye, coins worn more can be
told apart now and then, and hardly ever under all lamps."""
FRAMES = 50
"""Frames for which the camera looks at a tray."""
DEVELOPED = 4
"""Frames that differ: the sensor's noise then repeats."""
STRANGERS = 40
"""Drawn kinds of which some lie among the coins and none is taught."""
KNOWN = (
    "100-2016-number", "200-2016-number", "500-2016-number", "1000-2016-number",
    "1000-2010-number", "100-1999-cockatoo", "200-2003-starling", "500-2003-jasmine",
)  # fmt: skip
"""Faces that a tray is calibrated with."""
EMPTY, LAID = 8, 12
"""Frames of a calibration: of the empty tray, and of known coins on it."""
PHOTOGRAPHED = Path(__file__).parent / "photographed_faces.csv"


@dataclass
class Test:
    """What is counted: frames of a tray at rest, and where coins of the kind lie."""

    frames: list[Picture]
    discs: list[Disc]
    sort: str


@dataclass
class Kind:
    """A kind to be taught: its views, and what is then counted."""

    name: str
    views: list[Picture]
    tests: list[Test] = field(default_factory=list)
    calibration: list[Picture] = field(default_factory=list)
    """Frames by which the tray is calibrated before; none where it is not."""
    stays: bool = False
    """Whether everything is counted on that tray."""


def faces_of(number: int, seed: int) -> list[str]:
    """Both faces of the drawn kind of that number, put into the renderer's table."""
    rng = np.random.default_rng([seed, number, 0])
    metal = str(rng.choice(["nickel", "cupronickel", "bronze", "aluminium"]))
    diameter = float(rng.uniform(18, 28))
    names = []
    for side in "ab":
        design = int(rng.integers(2**31))
        name = f"stranger-{seed}-{number}-{side}"
        OTHERS[name] = Face(
            name, 0, False, diameter, 1.9, metal,
            lambda relief, _, design=design: foreign(relief, np.random.default_rng(design)),
            dies=1,
        )  # fmt: skip
        names.append(name)
    return names


def worn(rng: np.random.Generator, least: float, most: float) -> int:
    """The dice of a specimen that is worn so much."""
    while True:
        mine = int(rng.integers(2**31))
        if least <= wear_of(mine) <= most:
            return mine


def calibration(tray: Tray, rng: np.random.Generator) -> list[Picture]:
    """The empty tray, and then known coins on it, hardly worn."""
    coins = [
        Lying(c.face, c.x, c.y, c.angle, worn(rng, 0, READABLE / 2))
        for c in scatter(rng, KNOWN, 130, 95, gap=3.0)
    ]
    scenes = tray.photographs([], rng, EMPTY) + tray.photographs(coins, rng, LAID)
    return [scene.picture for scene in scenes]


def drawn(number: int, seed: int, tests: int, *, is_same_tray: bool) -> Kind:
    """A kind of the renderer's own, both of its faces drawn from a fixed design.

    With `is_same_tray` every picture is of one tray under one lamp, as the product stands;
    otherwise each has a ground, a scale, light and exposure of its own, and worn coins are counted
    besides.
    """
    faces = faces_of(number, seed)
    rng = np.random.default_rng([seed, number, 1 + is_same_tray])

    def set_up() -> Tray:
        return Tray(rng, view=float(rng.uniform(150, 210)), clean=True, tilt=0.0)

    tray = set_up()
    mine = worn(rng, 0, READABLE)
    sort = "same tray" if is_same_tray else "other trays"
    kind = Kind(f"{sort} {number}", [], stays=is_same_tray)
    kind.calibration = calibration(tray, np.random.default_rng([seed, number, 3 + is_same_tray]))
    for index in range(2 * VIEWS):
        x, y = rng.uniform(-40, 40), rng.uniform(-30, 30)
        coin = Lying(faces[index // VIEWS], x, y, float(rng.uniform(0, 2 * np.pi)), mine)
        kind.views.append(tray.photograph([coin], rng).picture)
    sorts = [sort] * tests + ([] if is_same_tray else ["worn"] * (tests // 3))
    for index, its_sort in enumerate(sorts):
        tray = tray if is_same_tray else set_up()
        least, most = (READABLE, 1.0) if its_sort == "worn" else (0.0, READABLE)
        rupiah = [str(rng.choice(list(FACES))) for _ in range(2)]
        unknown = [
            str(rng.choice(faces_of(1000 + int(rng.integers(STRANGERS)), seed))) for _ in range(2)
        ]
        coins = [
            Lying(c.face, c.x, c.y, c.angle, worn(rng, least, most))
            for c in scatter(rng, [faces[index % 2], *rupiah, *unknown], 130, 95, gap=1.0)
        ]
        scenes = tray.photographs(coins, rng, DEVELOPED)
        discs = [(c.x, c.y, c.diameter / 2) for c in scenes[0].coins if c.face in faces]
        kind.tests.append(Test([scene.picture for scene in scenes], discs, its_sort))
    return kind


def cut(picture: Picture, box: tuple[float, float, float, float]) -> Picture | None:
    """One coin on plain ground in the colour round it, 110 pixels wide; None if it is cut off."""
    left, top, width, height = box
    size = max(width, height)
    x, y = left + width / 2, top + height / 2
    if size < 60 or min(width, height) < 0.85 * size:
        return None
    half = size * 1.08
    if x - size / 2 < 0 or y - size / 2 < 0:
        return None
    if x + size / 2 > picture.shape[1] or y + size / 2 > picture.shape[0]:
        return None
    scale = 110 / size
    matrix = np.array([[scale, 0, (half - x) * scale], [0, scale, (half - y) * scale]])
    side = int(2 * half * scale)
    crop = cv2.warpAffine(
        picture, matrix, (side, side), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    rows, columns = np.mgrid[:side, :side]
    distance = np.hypot(columns - side / 2, rows - side / 2)
    ring = (distance > 58) & (distance < 66)
    ground = np.median(crop[ring], axis=0)
    mask = np.clip((distance - 60) / 6, 0, 1)[..., None]
    canvas = np.empty((240, 320, 3), np.uint8)
    canvas[:] = ground.astype(np.uint8)
    if side > 240:
        return None
    y0, x0 = (240 - side) // 2, (320 - side) // 2
    canvas[y0 : y0 + side, x0 : x0 + side] = crop * (1 - mask) + ground * mask
    return canvas


def photographed_faces() -> Iterator[tuple[str, str, str, int]]:
    """Kind, face, picture and number of the box, for every row of photographed_faces.csv."""
    with PHOTOGRAPHED.open(newline="") as file:
        for row in csv.DictReader(file):
            yield row["kind"], row["face"], row["picture"], int(row["box"])


def photographed(data: Path, seed: int, tests: int) -> list[Kind]:
    """A kind for each of photographed_faces.csv, and coins of the others counted with each.

    Views and coins that are counted come from different photographs; which physical coins those
    show is not known. Every photograph is by another camera under another light.
    """
    coins: dict[str, dict[str, dict[str, list[Picture]]]] = {}
    for kind, face, name, number in photographed_faces():
        picture = read_picture(data / name)
        box = read_boxes(data / name)[number]
        crop = cut(picture, pixel_box(box, (picture.shape[1], picture.shape[0])))
        if crop is not None:
            coins.setdefault(kind, {}).setdefault(face, {}).setdefault(name, []).append(crop)
    kinds = []
    disc = [(160.0, 120.0, 55.0)]
    for name, faces in coins.items():
        kind = Kind(name, [])
        for by_picture in faces.values():
            names = sorted(by_picture)
            np.random.default_rng(seed).shuffle(names)
            kind.views += [by_picture[one][0] for one in names[:VIEWS]]
            counted = [crop for one in names[VIEWS:] for crop in by_picture[one]]
            kind.tests += [Test([crop], disc, "photographs") for crop in counted[:tests]]
        kinds.append(kind)
    own = [[test.frames[0] for test in kind.tests] for kind in kinds]
    for index, kind in enumerate(kinds):
        for other in own[:index] + own[index + 1 :]:
            kind.tests += [Test([picture], [], "photographs") for picture in other[:5]]
    return kinds
