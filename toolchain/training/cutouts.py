"""Cuts every labelled coin out of the photographs, rectified to a circle, for training.

Reads the data folder (pictures and boxes) and the tables beside this file (which face each coin
shows), finds each coin's outline, and writes cutouts.npz and excluded.txt.  The pictures, and
cutouts.npz made of them, stay on the machine: neither is ever committed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from training.duplicates import find_coin_duplicates, find_picture_duplicates, same_picture_groups
from training.faces import is_foreign, read_faces
from training.folders import default_cache, default_data
from training.labels import (
    OWN,
    WHOLE_FRAME,
    Coin,
    DataError,
    read_eval,
    read_foreign,
    read_labels,
    read_picture,
)
from training.markings import spoiled_part
from training.outline import (
    Ellipse,
    Outline,
    Pixels,
    corner_colour,
    fit_outline,
    foreground_box,
    rectify,
)
from training.own_coins import find_faces, read_own

SIDE = 256
RADIUS = 104.0
"""Cut-outs are SIDE x SIDE pixels, the coin's outline a centred circle of RADIUS."""

REACH = {
    OWN: 0.13,
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


@dataclass(frozen=True)
class Cutout:
    """A coin cut out and rectified."""

    coin: Coin
    image: Pixels
    usable: NDArray[np.uint8]
    outline: Outline


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
    if is_foreign(coin.face) and coin.source in ("thai", "euro", "malaysia", "euro-crops"):
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


def cut_all(coins: list[Coin], data: Path, jobs: int) -> Iterator[Cutout | tuple[Coin, str]]:
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
            title = f"{page + index} {name.stem[-14:]}#{cutout.coin.number}"
            draw.text((x, y), title, (255, 255, 0))
            draw.text(
                (x, y + 12),
                f"{cutout.coin.face} {outline.support:.2f}",
                (255, 255, 255) if cutout.coin.quality == "good" else (255, 160, 120),
            )
        sheet.save(folder / f"sheet-{page // (columns * rows):03d}.png")


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data(), help="the data folder")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="cutouts.npz goes here")
    parser.add_argument("--sheets", type=Path, help="also write contact sheets to this folder")
    parser.add_argument(
        "--add",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="labelled photographs of your own coins: Create ML, COCO or YOLO; repeatable",
    )
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
    coins += [coin for folder in options.add for coin in read_own(folder)]
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
    cutouts, unclear = find_faces(cutouts)
    refused += unclear
    split = np.array(["eval" if c.coin.picture in kept_out else "train" for c in cutouts], "<U20")
    image = np.stack([c.image for c in cutouts])
    usable = np.stack([c.usable for c in cutouts])
    left_out = exclude_duplicates(data, cutouts, image, usable, split, kept_out)
    rupiah = np.flatnonzero([not is_foreign(c.coin.face) for c in cutouts])
    groups = same_picture_groups(image, usable, rupiah, [c.coin.group for c in cutouts])
    options.cache.mkdir(parents=True, exist_ok=True)
    (options.cache / "excluded.txt").write_text("\n".join(sorted(left_out)) + "\n")
    target = options.cache / "cutouts.npz"
    temporary = options.cache / "cutouts.part.npz"
    np.savez(
        temporary,
        image=image,
        usable=usable,
        face=np.array([c.coin.face for c in cutouts]),
        source=np.array([c.coin.source for c in cutouts]),
        group=np.array(groups),
        split=split,
        quality=np.array([c.coin.quality for c in cutouts]),
        origin=np.array([c.coin.origin for c in cutouts]),
        diameter=np.array([c.outline.ellipse.diameter for c in cutouts], np.float32),
    )
    temporary.replace(target)
    if options.sheets:
        contact_sheets(cutouts, options.sheets)
    report(cutouts, list(split), refused)
    print(f"{target}: {len(cutouts)} coins, {len(refused)} refused")
    return 0


def exclude_duplicates(
    data: Path,
    cutouts: list[Cutout],
    image: NDArray[np.uint8],
    usable: NDArray[np.uint8],
    split: NDArray[np.str_],
    kept_out: set[str],
) -> set[str]:
    """Marks training coins that copy evaluation coins in `split`; all pictures to keep out."""
    left_out = set(kept_out)
    train = sorted({c.coin.picture for c in cutouts} - kept_out)
    train += [
        str(path.relative_to(data))
        for path in sorted((data / "backgrounds").glob("*/*"))
        if path.suffix.lower() in (".jpg", ".jpeg", ".png")
    ]
    train = [name for name in train if name not in kept_out]
    for known, name in find_picture_duplicates(data, sorted(kept_out), train):
        print(f"left out: {name} looks like {known}")
        left_out.add(name)
    for known, index, score in find_coin_duplicates(image, usable, split):
        coin = cutouts[index].coin
        print(f"left out: {coin.origin} is {cutouts[known].coin.origin} ({score:.2f})")
        split[index] = "duplicate-of-eval"
        if not is_foreign(coin.face):
            left_out.add(coin.picture)
    for index, cutout in enumerate(cutouts):
        if cutout.coin.picture in left_out and split[index] == "train":
            split[index] = "duplicate-of-eval"
    return left_out


def report(cutouts: list[Cutout], split: list[str], refused: list[tuple[Coin, str]]) -> None:
    """Prints counts per face and source, and what was refused."""
    counts = Counter((c.coin.face, c.coin.source, s) for c, s in zip(cutouts, split, strict=True))
    faces = [face.name for face in read_faces()]
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
