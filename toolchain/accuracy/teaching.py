"""Measures teaching: after five views of each face, how often is the coin named rightly?

Each kind is taught with `receh teach` from pictures of single coins, and then counted with
`receh count` on other pictures of the kind, among rupiah and among coins of other kinds that were
not taught: none of those may take the name. Three sorts of kinds:

- same tray: coins of no country, drawn by toolchain/renderer from a design no training has seen,
  taught and counted on one tray under one lamp, as the product stands. The coins counted are other
  specimens, of other wear and dirt, at most a third worn.
- other trays: the same, but every picture has a ground, a scale, light and exposure of its own, and
  coins of any wear, smooth ones among them.
- photographs: denominations of the foreign photographs. They are none that a model has never seen:
  it has learned that they are not rupiah, and to tell those of its faces.csv apart. Their sides are
  not labelled, so ten views are taken of whichever sides lie up, all from other photographs than
  those that are counted; which physical coins they show is not known. Coins of the other
  denominations are counted as well.

Besides, the rupiah photographs of the evaluation are counted without and with kinds taught: a coin
that was valued must keep its value, and no rupiah coin may take a taught name.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from accuracy.matching import disc_overlap
from accuracy.statistics import wilson
from accuracy.truth import read_truth
from renderer.coin import wear_of
from renderer.faces import FACES, OTHERS, Face
from renderer.scene import Lying, Tray, scatter
from renderer.strangers import foreign
from training.folders import REPOSITORY, default_data
from training.labels import DataError, pixel_box, read_boxes, read_eval, read_picture

Picture = NDArray[np.uint8]
VIEWS = 5
TARGET = 0.95
MOST_WEAR = 0.35
"""The most worn specimens on the same tray: 0 as struck, 1 worn smooth."""


@dataclass
class Kind:
    """A kind to be taught: its views, and pictures with the discs of coins of the kind."""

    name: str
    sort: str
    views: list[Picture]
    tests: list[tuple[Picture, list[tuple[float, float, float]]]]


@dataclass
class Score:
    """What became of the coins of one kind."""

    right: int = 0
    wrong: int = 0
    unsure: int = 0
    missed: int = 0
    others: int = 0
    """Coins found in the pictures that are none of the kind."""
    spoiled: int = 0
    """Those of them that took the kind's name."""
    learned: bool = True

    @property
    def coins(self) -> int:
        """Coins of the kind there are."""
        return self.right + self.wrong + self.unsure + self.missed


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
        )  # fmt: skip
        names.append(name)
    return names


def little_worn(rng: np.random.Generator) -> int:
    """The dice of a specimen at most as worn as those of the played sessions."""
    while True:
        mine = int(rng.integers(2**31))
        if wear_of(mine) <= MOST_WEAR:
            return mine


def stranger(number: int, seed: int, tests: int, *, is_same_tray: bool) -> Kind:
    """A kind of the renderer's own, both of its faces drawn from a fixed design."""
    faces = faces_of(number, seed)
    rng = np.random.default_rng([seed, number, 1 + is_same_tray])

    def set_up() -> Tray:
        return Tray(rng, view=float(rng.uniform(150, 210)), clean=True, tilt=0.0)

    tray = set_up()
    mine = little_worn(rng) if is_same_tray else int(rng.integers(2**31))
    views = []
    for index in range(2 * VIEWS):
        x, y = rng.uniform(-40, 40), rng.uniform(-30, 30)
        coin = Lying(faces[index // VIEWS], x, y, float(rng.uniform(0, 2 * np.pi)), mine)
        views.append(tray.photograph([coin], rng).picture)
        tray = tray if is_same_tray else set_up()
    pictures = []
    for index in range(tests):
        rupiah = [str(rng.choice(list(FACES))) for _ in range(2)]
        unknown = [str(rng.choice(faces_of(1000 + int(rng.integers(40)), seed))) for _ in range(2)]
        coins = scatter(rng, [faces[index % 2], *rupiah, *unknown], 130, 95, gap=1.0)
        if is_same_tray:
            coins = [replace(coin, seed=little_worn(rng)) for coin in coins]
        scene = tray.photograph(coins, rng)
        discs = [(c.x, c.y, c.diameter / 2) for c in scene.coins if c.face in faces]
        pictures.append((scene.picture, discs))
        tray = tray if is_same_tray else set_up()
    sort = "same tray" if is_same_tray else "other trays"
    return Kind(f"{sort} {number}", sort, views, pictures)


def cut(picture: Picture, box: tuple[float, float, float, float]) -> tuple[Picture, float] | None:
    """One coin on plain ground in the colour round it, and its diameter; None if it is cut off."""
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
    alone = (crop * (1 - mask) + ground * mask).astype(np.uint8)
    canvas = np.empty((240, 320, 3), np.uint8)
    canvas[:] = ground.astype(np.uint8)
    y0, x0 = (240 - side) // 2, (320 - side) // 2
    if side > 240:
        return None
    canvas[y0 : y0 + side, x0 : x0 + side] = alone
    return canvas, 110.0


def photographed(data: Path, seed: int, tests: int) -> list[Kind]:
    """A kind for each denomination of the foreign photographs with coins enough."""
    kept_out = read_eval(data)
    kinds = []
    for source in ("thai", "malaysia", "euro"):
        coins: dict[int, dict[str, list[Picture]]] = {}
        for path in sorted((data / "foreign" / source / "images").iterdir()):
            name = str(path.relative_to(data))
            try:
                boxes = read_boxes(path)
            except (OSError, DataError):
                continue
            if not boxes or len(boxes) > 12:
                continue
            picture = read_picture(path)
            for box in boxes:
                crop = cut(picture, pixel_box(box, (picture.shape[1], picture.shape[0])))
                if crop:
                    coins.setdefault(int(box[0]), {}).setdefault(name, []).append(crop[0])
        for label, by_picture in sorted(coins.items()):
            names = sorted(by_picture)
            np.random.default_rng(seed).shuffle(names)
            # Pictures no training has opened are counted first.
            names.sort(key=lambda name: name not in kept_out)
            shown = [by_picture[name][0] for name in names[::-1][: 2 * VIEWS]]
            counted = [crop for name in names[: max(0, len(names) - 2 * VIEWS)]
                       for crop in by_picture[name]][:tests]  # fmt: skip
            if len(shown) == 2 * VIEWS and len(counted) >= min(tests, 10):
                disc = [(160.0, 120.0, 55.0)]
                kinds.append(
                    Kind(f"{source} {label}", "photographs", shown, [(c, disc) for c in counted])
                )
    # Coins of the other denominations, which are none of the kind.
    coins = [[picture for picture, _ in kind.tests] for kind in kinds]
    for index, kind in enumerate(kinds):
        for other in coins[:index] + coins[index + 1 :]:
            kind.tests += [(picture, []) for picture in other[:3]]
    return kinds


@dataclass
class Product:
    """The command under measurement, with a file of taught coins of its own."""

    command: list[str]
    folder: Path
    model: Path | None
    config: Path = field(init=False)

    def __post_init__(self) -> None:
        self.config = self.folder / "receh.conf"
        taught = self.folder / "taught"
        self.config.write_text(f"[teaching]\nfile = {taught}\n[ledger]\nenabled = off\n")

    def _options(self) -> list[str]:
        options = ["--config", str(self.config)]
        return options + (["--model", str(self.model)] if self.model else [])

    def forget(self) -> None:
        """Forgets everything taught."""
        (self.folder / "taught").unlink(missing_ok=True)

    def teach(self, name: str, views: list[Picture]) -> bool:
        """Teaches a kind; whether it was learned."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            for index, view in enumerate(views):
                cv2.imwrite(f"{folder}/{index}.png", view[..., ::-1])
            run = subprocess.run(
                [*self.command, "teach", name, "--source", folder, "--no-voice", "--json",
                 *self._options()], capture_output=True, text=True,
            )  # fmt: skip
        return run.returncode == 0

    def count(self, files: list[Path]) -> list[dict]:
        """The lines of `receh count --json`."""
        run = subprocess.run(
            [*self.command, "count", "--json", *self._options(), *map(str, files)],
            capture_output=True, text=True,
        )  # fmt: skip
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        if len(lines) != len(files):
            raise DataError(f"receh count failed: {run.stderr.strip().splitlines()[-1:]}")
        return lines


def measure(product: Product, kind: Kind) -> Score:
    """Teaches a kind and counts the others of it."""
    score = Score()
    name = kind.name.replace(" ", "-")
    product.forget()
    score.learned = product.teach(name, kind.views)
    with tempfile.TemporaryDirectory(dir=product.folder) as folder:
        files = []
        for index, (picture, _) in enumerate(kind.tests):
            files.append(Path(folder) / f"{index}.png")
            cv2.imwrite(str(files[-1]), picture[..., ::-1])
        answers = product.count(files)
    for (_, discs), answer in zip(kind.tests, answers, strict=True):
        taken = set()
        for x, y, radius in discs:
            best = max(
                range(len(answer["coins"])),
                key=lambda i: disc_overlap(
                    x, y, radius, answer["coins"][i]["x"], answer["coins"][i]["y"],
                    answer["coins"][i]["diameter"] / 2),
                default=None,
            )  # fmt: skip
            coin = answer["coins"][best] if best is not None else None
            if (
                coin is None
                or disc_overlap(x, y, radius, coin["x"], coin["y"], coin["diameter"] / 2) < 0.5
            ):
                score.missed += 1
                continue
            taken.add(best)
            if coin.get("name") == name:
                score.right += 1
            elif coin["value"]:
                score.wrong += 1
            else:
                score.unsure += 1
        score.others += len(answer["coins"]) - len(taken)
        score.spoiled += sum(
            coin.get("name") == name
            for index, coin in enumerate(answer["coins"])
            if index not in taken
        )
    return score


@dataclass
class KnownCoins:
    """What teaching does to the rupiah of the evaluation photographs."""

    taught: int
    """Kinds that were learned."""
    valued: int
    """Coins given a value before anything was taught."""
    lost: int
    """Those of them whose value is another one, or none, afterwards."""
    named: int
    """Coins that took a taught name."""


def known_coins(product: Product, data: Path, kinds: list[Kind]) -> KnownCoins:
    """Counts the photographs without and with the kinds taught."""
    truth = [t for t in read_truth(data) if t.source.split("/")[-1] in ("scenes", "singles")]
    files = [data / picture.name for picture in truth]

    def valued(answers: list[dict]) -> set[tuple]:
        return {
            (answer["file"], coin["x"], coin["y"], coin["value"], coin.get("withdrawn"))
            for answer in answers
            for coin in answer["coins"]
            if coin["value"]
        }

    product.forget()
    before = valued(product.count(files))
    taught = sum(product.teach(kind.name.replace(" ", "-"), kind.views) for kind in kinds)
    answers = product.count(files)
    named = sum("name" in coin for answer in answers for coin in answer["coins"])
    return KnownCoins(taught, len(before), len(before - valued(answers)), named)


def report(scores: list[tuple[Kind, Score]]) -> bool:
    """Prints the table; whether the target is reached by every sort."""
    print(f"{'kind':14s} {'coins':>6s} {'right':>6s} {'wrong':>6s} {'unsure':>7s} "
          f"{'missed':>7s} {'others':>7s} {'named so':>9s}")  # fmt: skip
    reached = True
    for sort in dict.fromkeys(kind.sort for kind, _ in scores):
        total = Score()
        for kind, score in scores:
            if kind.sort != sort:
                continue
            note = "" if score.learned else "  not learned"
            print(f"{kind.name:14s} {score.coins:6d} {score.right:6d} {score.wrong:6d} "
                  f"{score.unsure:7d} {score.missed:7d} {score.others:7d} "
                  f"{score.spoiled:9d}{note}")  # fmt: skip
            for part in ("right", "wrong", "unsure", "missed", "others", "spoiled"):
                setattr(total, part, getattr(total, part) + getattr(score, part))
        low, high = wilson(total.right, total.coins)
        share = total.right / max(total.coins, 1)
        print(f"{sort}: {total.right} of {total.coins} right, {100 * share:.1f} % "
              f"({100 * low:.1f} to {100 * high:.1f}), {total.wrong} wrong, "
              f"{total.spoiled} of {total.others} other coins named so\n")  # fmt: skip
        reached = reached and share >= TARGET and total.spoiled == 0
    return reached


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        prog="Benchmarks/teaching", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add("--receh", type=Path, default=REPOSITORY / ".build/release/receh", help="the command")
    add("--model", type=Path, help="measure this model file instead of the built-in one")
    add("--data", type=Path, default=default_data(), help="the data folder (RECEH_DATA)")
    add("--strangers", type=int, default=8, help="drawn kinds to teach, of each of both sorts")
    add("--tests", type=int, default=10, help="coins counted of each kind")
    add("--seed", type=int, default=20261130, help="of designs, wear and light")
    add("--check", action="store_true",
        help=f"exit with 1 unless {100 * TARGET:.0f} %% of each sort are right, no other coin "
        "takes their name and nothing known is lost")  # fmt: skip
    options = parser.parse_args()
    kinds = [
        stranger(number, options.seed, options.tests, is_same_tray=is_same_tray)
        for is_same_tray in (True, False)
        for number in range(options.strangers)
    ]
    has_photographs = (options.data / "eval.txt").exists()
    if has_photographs:
        kinds += photographed(options.data, options.seed, options.tests)
    else:
        print(f"teaching: no photographs in {options.data}; drawn kinds alone are measured")
    with tempfile.TemporaryDirectory() as folder:
        product = Product([str(options.receh)], Path(folder), options.model)
        try:
            reached = report([(kind, measure(product, kind)) for kind in kinds])
            if has_photographs:
                # As many kinds as can be taught at a time, of both sorts, each once.
                some = kinds[:4] + kinds[max(4, len(kinds) - 4) :]
                known = known_coins(product, options.data, some)
                print(f"rupiah of the evaluation photographs: {known.valued} valued without "
                      f"teaching; with {known.taught} kinds taught {known.lost} of them lost their "
                      f"value and {known.named} took a taught name")  # fmt: skip
                reached = reached and known.lost == 0 and known.named == 0
        except (DataError, FileNotFoundError) as error:
            print(f"teaching: {error}", file=sys.stderr)
            return 1
    return 1 if options.check and not reached else 0


if __name__ == "__main__":
    sys.exit(main())
