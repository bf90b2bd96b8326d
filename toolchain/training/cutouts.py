#!/usr/bin/env python3
"""Cuts every labelled coin out of the photographs, rectified to a circle, for training.

Reads the data folder (pictures and boxes) and the tables beside this file (which face each coin
shows), finds each coin's outline, and writes one cutouts.npz.  The pictures themselves, and this
file made of them, stay on the machine: neither is ever committed.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from outline import (
    Ellipse,
    Outline,
    Pixels,
    corner_colour,
    fit_outline,
    foreground_box,
    rectify,
)
from PIL import Image, ImageDraw, ImageOps

HERE = Path(__file__).resolve().parent
SIDE = 256
RADIUS = 104.0
"""Cut-outs are SIDE x SIDE pixels, the coin's outline a centred circle of RADIUS."""

SOURCES = {
    "rupiah/phone-a": "phone-a",
    "rupiah/phone-b": "phone-b",
    "rupiah/tiles/ds1": "ds1",
    "rupiah/tiles/ds2": "ds2",
    "rupiah/scans": "scans",
    "rupiah/catalogue": "catalogue",
    "rupiah/scenes": "scenes",
    "rupiah/singles": "singles",
    "foreign/thai": "thai",
    "foreign/euro-crops": "euro-crops",
    "foreign/euro": "euro",
    "foreign/malaysia": "malaysia",
}
REACH = {
    "phone-a": 0.13,
    "phone-b": 0.13,
    "ds1": 0.12,
    "ds2": 0.12,
    "scans": 0.10,
    "catalogue": 0.10,
    "scenes": 0.06,
    "singles": 0.10,
    "thai": 0.10,
    "euro": 0.10,
    "malaysia": 0.10,
    "euro-crops": 0.10,
}
WHOLE_FRAME = ("scans", "catalogue")
"""Sources without boxes, one coin a picture on an even ground."""


class DataError(Exception):
    """A table, label or picture is wrong; the message names it and the way out."""


@dataclass(frozen=True)
class Face:
    """One row of faces.csv: one side of one series."""

    name: str
    value: int
    withdrawn: bool
    kind: str
    diameter_mm: float
    metal: str


@dataclass(frozen=True)
class Coin:
    """One labelled coin of one picture."""

    picture: str
    """Path relative to the data folder."""
    number: str
    """Its line in the label file, or a letter for a coin that has none."""
    face: str
    mirrored: bool
    quality: str
    group: str
    box: tuple[float, float, float, float] | None
    """left, top, width, height in pixels; None: the whole frame."""
    fixed: bool = False
    """The box is the outline itself: drawings hide the edge from the fit."""

    @property
    def source(self) -> str:
        """The source's short name."""
        return source_of(self.picture)

    @property
    def origin(self) -> str:
        """Names the coin: picture#number."""
        return f"{self.picture}#{self.number}"


@dataclass(frozen=True)
class Cutout:
    """A coin cut out and rectified."""

    coin: Coin
    image: Pixels
    usable: NDArray[np.uint8]
    outline: Outline


def source_of(picture: str) -> str:
    """The source a picture belongs to, by its path below the data folder."""
    for prefix, name in SOURCES.items():
        if picture.startswith(prefix):
            return name
    raise DataError(f"{picture}: belongs to no known source; add its folder to SOURCES")


def read_faces(path: Path = HERE / "faces.csv") -> dict[str, Face]:
    """The table of faces, in order."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["face"]: Face(
            row["face"],
            int(row["value"]),
            row["withdrawn"] == "1",
            row["kind"],
            float(row["diameter_mm"]),
            row["metal"],
        )
        for row in rows
    }


def read_picture(path: Path) -> Pixels:
    """A picture as displayed, RGB."""
    try:
        with Image.open(path) as image:
            return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    except OSError as error:
        raise DataError(f"{path}: not a readable picture ({error}); re-save it or remove it") from None


def read_boxes(picture: Path) -> list[tuple[int, float, float, float, float]]:
    """The YOLO boxes beside a picture: class, then centre and size as fractions."""
    path = picture.parent.parent / "labels" / (picture.stem + ".txt")
    if not path.exists():
        return []
    boxes = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip():
            continue
        fields = line.split()
        try:
            name, x, y, w, h = int(fields[0]), *(float(v) for v in fields[1:])
        except (ValueError, TypeError):
            raise DataError(
                f"{path}:{number}: expected `class x y w h`, found {line!r}"
            ) from None
        boxes.append((name, x, y, w, h))
    return boxes


def pixel_box(
    box: tuple[int, float, float, float, float], size: tuple[int, int]
) -> tuple[float, float, float, float]:
    """A YOLO box as left, top, width, height in pixels of a picture of (width, height)."""
    _, x, y, w, h = box
    return (x - w / 2) * size[0], (y - h / 2) * size[1], w * size[0], h * size[1]


def read_labels(data: Path, path: Path = HERE / "face_labels.csv") -> list[Coin]:
    """The rupiah coins of face_labels.csv, with their boxes; dropped ones left out."""
    faces = read_faces()
    coins = []
    with path.open(newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            where = f"{path.name}:{number}"
            if row["face"] not in faces:
                raise DataError(f"{where}: no face {row['face']!r} in faces.csv")
            if row["quality"] not in ("good", "poor", "drop"):
                raise DataError(f"{where}: quality is good, poor or drop, not {row['quality']!r}")
            if row["quality"] == "drop":
                continue
            picture = data / row["picture"]
            if not picture.exists():
                raise DataError(f"{where}: {picture} is missing; is --data right?")
            box = None
            if row["width"]:
                box = (
                    float(row["left"]),
                    float(row["top"]),
                    float(row["width"]),
                    float(row["height"]),
                )
            elif source_of(row["picture"]) not in WHOLE_FRAME:
                boxes = read_boxes(picture)
                if not row["coin"].isdigit() or int(row["coin"]) >= len(boxes):
                    raise DataError(f"{where}: the label file has no box {row['coin']!r}")
                with Image.open(picture) as image:
                    box = pixel_box(boxes[int(row["coin"])], ImageOps.exif_transpose(image).size)
            coins.append(
                Coin(
                    row["picture"],
                    row["coin"],
                    row["face"],
                    row["mirrored"] == "1",
                    row["quality"],
                    row["group"] or f"{row['picture']}#{row['coin']}",
                    box,
                    row["outline"] == "fixed",
                )
            )
    return coins


def read_foreign(data: Path) -> list[Coin]:
    """Every labelled coin of the foreign sources."""
    coins = []
    for name in ("thai", "euro", "malaysia"):
        for picture in sorted((data / "foreign" / name / "images").iterdir()):
            with Image.open(picture) as image:
                size = ImageOps.exif_transpose(image).size
            relative = str(picture.relative_to(data))
            for number, box in enumerate(read_boxes(picture)):
                coins.append(
                    Coin(
                        relative, str(number), "foreign", False, "good", relative,
                        pixel_box(box, size),
                    )
                )
    for picture in sorted((data / "foreign" / "euro-crops").glob("*/*")):
        relative = str(picture.relative_to(data))
        share = {"1c": 0.60, "2c": 0.70, "5c": 0.77, "10c": 0.73, "20c": 0.82, "50c": 0.88}
        side = 150 * share.get(picture.parent.name, 0.88)
        low = 75 - side / 2
        coins.append(
            Coin(relative, "0", "foreign", False, "good", relative, (low, low, side, side))
        )
    return coins


def read_eval(data: Path) -> set[str]:
    """The pictures that training must not see."""
    lines = (data / "eval.txt").read_text().split("\n")
    return {line.strip() for line in lines if line.strip() and not line.startswith("#")}


# Colours in which the tiles' boxes and words are drawn (RGB).
_DRAWN = np.array(
    [
        (26, 214, 187), (20, 220, 160), (0, 194, 224), (28, 210, 226), (207, 240, 30),
        (210, 210, 20), (255, 111, 221), (11, 32, 105), (4, 42, 255), (0, 237, 60), (17, 31, 104),
    ],
    np.int32,
)  # fmt: skip


def spoiled_pixels(picture: Pixels, boxes: list[tuple[float, float, float, float]]) -> NDArray[np.bool_]:
    """Where a tile has boxes, class words or file names drawn on it."""
    height, width = picture.shape[:2]
    spoiled = np.zeros((height, width), bool)
    spoiled[:3] = spoiled[-3:] = True
    spoiled[:, :3] = spoiled[:, -3:] = True
    spoiled[10:44] = True
    for left, top, box_width, box_height in boxes:
        lines = np.zeros((height, width), np.uint8)
        corner = (round(left), round(top))
        opposite = (round(left + box_width), round(top + box_height))
        cv2.rectangle(lines, corner, opposite, 1, 9)
        spoiled |= lines > 0
    distance = np.abs(picture[:, :, None, :].astype(np.int32) - _DRAWN).max(-1).min(-1)
    drawn = (distance < 34).astype(np.uint8)
    drawn = cv2.morphologyEx(drawn, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    # A word's ground is a filled rectangle: take its hull, so that the letters go as well.
    count, labels, stats, _ = cv2.connectedComponentsWithStats(drawn)
    for label in range(1, count):
        x, y, w, h, area = stats[label]
        if area < 20:
            continue
        if 8 <= h <= 44 and w >= 14 and area > 0.3 * w * h:
            spoiled[max(0, y - 4) : y + h + 4, max(0, x - 4) : x + w + 4] = True
        else:
            spoiled |= cv2.dilate((labels == label).astype(np.uint8), np.ones((9, 9))) > 0
    return spoiled


def strip_width(picture: Pixels) -> int:
    """Width of the site's name strip at the right edge of a catalogue scan; 0 when none."""
    height, width = picture.shape[:2]
    columns = picture[:, int(width * 0.92) :].astype(np.int32)
    bluish = (columns[..., 2] - columns[..., 0] > 6) & (columns.mean(-1) > 130)
    pale = columns.min(-1) > 225
    share = (bluish | pale).mean(0)
    typical = bluish.mean(0) > 0.35
    run = 0
    for index in range(columns.shape[1] - 1, -1, -1):
        if share[index] < 0.93 or not typical[index]:
            if run == 0 and index >= columns.shape[1] - 3:
                continue
            break
        run = columns.shape[1] - index
    return run + 2 if run >= 8 else 0


def spoiled_part(coin: Coin, picture: Pixels, data: Path) -> NDArray[np.bool_] | None:
    """Pixels of the coin's picture that are drawings or watermarks rather than photograph."""
    height, width = picture.shape[:2]
    if coin.source in ("ds1", "ds2"):
        boxes = []
        if "_clean/" not in coin.picture:
            boxes = [pixel_box(box, (width, height)) for box in read_boxes(data / coin.picture)]
        return spoiled_pixels(picture, boxes)
    if coin.source == "scans":
        strip = strip_width(picture)
        spoiled = np.zeros((height, width), bool)
        if strip:
            spoiled[:, -strip:] = True
        # A few have a caption below instead.
        if coin.picture.endswith(("200/003.jpg", "200/006.jpg", "200/010.jpg", "200/014.jpg", "500/007.jpg")):
            spoiled[round(height * 0.955) :] = True
        return spoiled
    return None


def cut(coin: Coin, data: Path) -> Cutout | str:
    """Cuts one coin out, or says why it can't be used."""
    picture = read_picture(data / coin.picture)
    height, width = picture.shape[:2]
    spoiled = spoiled_part(coin, picture, data)
    background = None
    box = coin.box
    if coin.source in WHOLE_FRAME:
        clean = picture
        if spoiled is not None and spoiled[:, -1].all():
            clean = picture[:, : int(np.argmax(spoiled.all(0)))]
        background = corner_colour(clean)
        if box is None:
            found = foreground_box(clean)
            box = (0.0, 0.0, float(clean.shape[1]), float(clean.shape[0]))
            if found and found[2] > 0.25 * width and 0.7 < found[2] / found[3] < 1.4:
                box = found
    if box is None:
        return "no box"
    start = Ellipse.in_box(*box)
    outline = Outline(start, 1.0, 0.0, 1.0)
    if not coin.fixed:
        outline = fit_outline(
            picture,
            start,
            reach=REACH[coin.source],
            spoiled=spoiled,
            background=background,
            level=coin.source in ("ds1", "ds2"),
        )
    if coin.source == "scenes" and outline.support < 0.8:
        outline = Outline(start, outline.support, outline.residual, outline.visible)
    ellipse = outline.ellipse
    usable = np.full((height, width), 255, np.uint8)
    if spoiled is not None:
        usable[spoiled] = 0
    image = rectify(picture, ellipse, SIDE, RADIUS, border=cv2.BORDER_REPLICATE)
    mask = rectify(usable, ellipse, SIDE, RADIUS, border=cv2.BORDER_CONSTANT)
    flags = (mask > 250).astype(np.uint8)
    if coin.mirrored:
        image, flags = image[:, ::-1].copy(), flags[:, ::-1].copy()
    return Cutout(coin, image, flags, outline)


def refusal(cutout: Cutout) -> str | None:
    """Why a cut-out is not good enough, or None."""
    outline, coin = cutout.outline, cutout.coin
    longer, shorter = outline.ellipse.axes
    y, x = np.mgrid[:SIDE, :SIDE] + 0.5
    disc = (x - SIDE / 2) ** 2 + (y - SIDE / 2) ** 2 < RADIUS**2
    if cutout.usable[disc].mean() < 0.6:
        return "less than 60 % of the coin is usable"
    if coin.face == "foreign" and coin.source in ("thai", "euro", "malaysia", "euro-crops"):
        if longer < 12:
            return "smaller than 24 pixels"
        if outline.support < 0.75 or outline.residual > 0.012:
            return f"outline not found (support {outline.support:.2f}, off {outline.residual:.3f})"
        if longer / shorter > 1.5:
            return "seen at a slant"
    elif outline.support < 0.35:
        return f"outline not found (support {outline.support:.2f})"
    return None


def _cut_or_reason(job: tuple[Coin, Path]) -> Cutout | tuple[Coin, str]:
    cv2.setNumThreads(1)
    coin, data = job
    result = cut(coin, data)
    if isinstance(result, str):
        return coin, result
    reason = refusal(result)
    return (coin, reason) if reason else result


def cut_all(
    coins: list[Coin], data: Path, jobs: int
) -> Iterator[Cutout | tuple[Coin, str]]:
    """Cuts coins in parallel, in order."""
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_cut_or_reason, [(coin, data) for coin in coins], chunksize=8)


def contact_sheets(cutouts: list[Cutout], folder: Path, columns: int = 8, rows: int = 5) -> None:
    """Pictures to check the cut-outs by eye: the outline in green, unusable pixels in magenta."""
    folder.mkdir(parents=True, exist_ok=True)
    cell = 190
    for page in range(0, len(cutouts), columns * rows):
        sheet = Image.new("RGB", (columns * cell, rows * (cell + 24)), (40, 40, 40))
        draw = ImageDraw.Draw(sheet)
        for index, cutout in enumerate(cutouts[page : page + columns * rows]):
            image = cutout.image.copy()
            hidden = cutout.usable == 0
            image[hidden] = image[hidden] // 4 * 3 + np.array([60, 0, 60], np.uint8)
            cv2.circle(image, (SIDE // 2, SIDE // 2), round(RADIUS), (0, 255, 0), 1)
            x, y = index % columns * cell, index // columns * (cell + 24)
            sheet.paste(Image.fromarray(image).resize((cell - 2, cell - 2)), (x, y + 24))
            outline = cutout.outline
            name = Path(cutout.coin.picture)
            draw.text((x, y), f"{page + index} {name.stem[-14:]}#{cutout.coin.number}", (255, 255, 0))
            draw.text(
                (x, y + 12),
                f"{cutout.coin.face} {outline.support:.2f}",
                (255, 255, 255) if cutout.coin.quality == "good" else (255, 160, 120),
            )
        sheet.save(folder / f"sheet-{page // (columns * rows):03d}.png")


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("RECEH_DATA") or HERE.parents[1].parent / "shared" / "data"
    cache = os.environ.get("RECEH_TRAINING_CACHE") or HERE.parents[1] / ".build" / "training"
    parser.add_argument("--data", type=Path, default=Path(default), help="the data folder")
    parser.add_argument("--cache", type=Path, default=Path(cache), help="where cutouts.npz goes")
    parser.add_argument("--sheets", type=Path, help="also write contact sheets to this folder")
    parser.add_argument("--only", help="only sources whose name is in this comma-separated list")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    try:
        return build(options)
    except DataError as error:
        print(f"cutouts: {error}", file=sys.stderr)
        return 1


def build(options: argparse.Namespace) -> int:
    """Makes cutouts.npz and prints what is in it."""
    data: Path = options.data
    if not (data / "eval.txt").exists():
        raise DataError(f"{data} is not the data folder (no eval.txt); use --data or RECEH_DATA")
    coins = read_labels(data) + read_foreign(data)
    if options.only:
        wanted = set(options.only.split(","))
        coins = [coin for coin in coins if coin.source in wanted]
    kept_out = read_eval(data)
    cutouts: list[Cutout] = []
    refused: list[tuple[Coin, str]] = []
    for number, result in enumerate(cut_all(coins, data, options.jobs), 1):
        if isinstance(result, Cutout):
            cutouts.append(result)
        else:
            refused.append(result)
        if sys.stderr.isatty() or number % 200 == 0:
            print(f"\rcut out {number} of {len(coins)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    split = ["eval" if c.coin.picture in kept_out else "train" for c in cutouts]
    options.cache.mkdir(parents=True, exist_ok=True)
    target = options.cache / "cutouts.npz"
    temporary = options.cache / "cutouts.part.npz"
    np.savez(
        temporary,
        image=np.stack([c.image for c in cutouts]),
        usable=np.stack([c.usable for c in cutouts]),
        face=np.array([c.coin.face for c in cutouts]),
        source=np.array([c.coin.source for c in cutouts]),
        group=np.array([c.coin.group for c in cutouts]),
        split=np.array(split),
        quality=np.array([c.coin.quality for c in cutouts]),
        origin=np.array([c.coin.origin for c in cutouts]),
        diameter=np.array([c.outline.ellipse.diameter for c in cutouts], np.float32),
    )
    temporary.replace(target)
    if options.sheets:
        contact_sheets(cutouts, options.sheets)
    report(cutouts, split, refused)
    print(f"{target}: {len(cutouts)} coins, {len(refused)} refused")
    return 0


def report(cutouts: list[Cutout], split: list[str], refused: list[tuple[Coin, str]]) -> None:
    """Prints counts per face and source, and what was refused."""
    counts = Counter((c.coin.face, c.coin.source, s) for c, s in zip(cutouts, split, strict=True))
    faces = list(read_faces())
    for face in faces:
        row = {f"{src}:{s}": n for (f, src, s), n in sorted(counts.items()) if f == face}
        print(f"{face:22s} {sum(row.values()):5d}  " + " ".join(f"{k}={v}" for k, v in row.items()))
    reasons = Counter((coin.source, reason.split(" (")[0]) for coin, reason in refused)
    for (source, reason), number in sorted(reasons.items()):
        print(f"refused {number:4d} of {source}: {reason}")
    for coin, reason in refused:
        if coin.source not in ("thai", "euro", "malaysia", "euro-crops"):
            print(f"refused {coin.origin} ({coin.face}): {reason}")


if __name__ == "__main__":
    sys.exit(main())
