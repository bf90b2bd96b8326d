"""Measures teaching: after five views of each face, how often is the coin named rightly?

Each kind is taught with `receh teach` from pictures of single coins, and others of the kind are
then counted among rupiah and among coins of other kinds that were not taught: none of those may
take the name. Drawn trays are counted twice: as the product stands, with `receh run` looking at
each tray for some frames, and with `receh count` from one picture. Four sorts of coins:

- same tray: coins of no country, drawn by toolchain/renderer from a design no training has seen,
  taught and counted on one tray under one lamp, as the product stands; the tray is calibrated
  before. What is counted are other specimens, ordinarily worn, of their own dirt.
- other trays: taught in the same way, but every tray on which they are counted has a ground, a
  scale, light and exposure of its own, and is not calibrated: rupiah beside them tell the scale, if
  they are named.
- worn: specimens on other trays that are worn more; of many nothing can be read. The goal is not
  asked of them.
- photographs: coins of photographed_faces.csv, where each photograph is by another camera under
  another light, many of them made up for shops, and nothing tells how large the coins are. The
  model has learned that they are not rupiah; what compares taught coins has not seen them.

Besides, the rupiah photographs of the evaluation are counted without and with kinds taught: a coin
that was valued must keep its value, and no rupiah coin may take a taught name.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from accuracy.matching import disc_overlap
from accuracy.statistics import wilson
from accuracy.taught_kinds import FRAMES, Disc, Kind, Picture, drawn, photographed
from accuracy.truth import read_truth
from renderer.film import write_y4m
from training.folders import REPOSITORY, default_data
from training.labels import DataError

TARGET = 0.95
MOST_TAKEN = 0.005
"""Share of the coins that are not of the kind that may take its name."""
RATE = 25
"""Frames a second of the films."""
WORN = "worn"


@dataclass
class Score:
    """What became of the coins of one kind and sort."""

    right: int = 0
    wrong: int = 0
    unsure: int = 0
    missed: int = 0
    others: int = 0
    """Coins found in the pictures that are none of the kind."""
    taken: int = 0
    """Those of them that took the kind's name."""
    note: str = ""
    faults: list[str] = field(default_factory=list)
    """What was wrong, in words."""

    @property
    def coins(self) -> int:
        """Coins of the kind there are."""
        return self.right + self.wrong + self.unsure + self.missed

    def add(self, other: Score) -> None:
        """Adds another's counts."""
        for part in ("right", "wrong", "unsure", "missed", "others", "taken"):
            setattr(self, part, getattr(self, part) + getattr(other, part))

    def judge(self, name: str, discs: list[Disc], coins: list[dict], where: str) -> None:
        """Compares the coins of a picture that were found with those that are there."""
        own = set()
        for x, y, radius in discs:
            overlaps = [
                disc_overlap(x, y, radius, c["x"], c["y"], c["diameter"] / 2) for c in coins
            ]
            best = int(np.argmax(overlaps)) if overlaps else -1
            if best < 0 or overlaps[best] < 0.5:
                self.missed += 1
                continue
            own.add(best)
            if coins[best].get("name") == name:
                self.right += 1
            elif coins[best]["value"]:
                self.wrong += 1
                self.faults.append(f"{where}: taken for Rp{coins[best]['value']}")
            else:
                self.unsure += 1
        self.others += len(coins) - len(own)
        for index, coin in enumerate(coins):
            if index not in own and coin.get("name") == name:
                self.taken += 1
                self.faults.append(f"{where}: another coin at {coin['x']}, {coin['y']} is {name}")


@dataclass
class Product:
    """The command under measurement, with a file of taught coins of its own."""

    command: list[str]
    folder: Path
    model: Path | None
    config: Path = field(init=False)

    def __post_init__(self) -> None:
        self.config = self.folder / "receh.conf"
        self.config.write_text(
            f"[teaching]\nfile = {self.folder / 'taught'}\n"
            f"[calibration]\nfile = {self.folder / 'calibration'}\n[ledger]\nenabled = off\n"
        )

    def _options(self) -> list[str]:
        options = ["--config", str(self.config)]
        return options + (["--model", str(self.model)] if self.model else [])

    def forget(self) -> None:
        """Forgets everything taught."""
        (self.folder / "taught").unlink(missing_ok=True)

    def calibrate(self, frames: list[Picture]) -> bool:
        """Calibrates the tray; whether that was done."""
        run = self._film(["calibrate"], frames)
        return run.returncode == 0

    def leave(self) -> None:
        """Forgets the tray: from here on others are looked at."""
        (self.folder / "calibration").unlink(missing_ok=True)

    def _film(self, words: list[str], frames: list[Picture]) -> subprocess.CompletedProcess[str]:
        film = self.folder / "film.y4m"
        write_y4m(film, iter(frames), RATE)
        return subprocess.run(
            [*self.command, *words, "--json", "--no-voice", "--source", str(film),
             *self._options()], capture_output=True, text=True,
        )  # fmt: skip

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

    def watch(self, frames: list[Picture]) -> list[dict]:
        """The coins that `receh run` holds to lie there after some frames."""
        run = self._film(["run"], [frames[index % len(frames)] for index in range(FRAMES)])
        if run.returncode:
            raise DataError(f"receh run failed: {run.stderr.strip().splitlines()[-1:]}")
        coins: dict[int, dict] = {}
        for line in run.stdout.splitlines():
            event = json.loads(line)
            if event["event"] == "coin-added":
                coins[event["id"]] = event
            elif event["event"] == "coin-removed":
                coins.pop(event["id"], None)
        return list(coins.values())


def measure(product: Product, kind: Kind) -> dict[tuple[str, str], Score]:
    """Teaches a kind and counts others of it; scores by sort and way of counting."""
    name = kind.name.replace(" ", "-")
    product.forget()
    product.leave()
    notes = []
    if kind.calibration and not product.calibrate(kind.calibration):
        notes.append("not calibrated")
    if not product.teach(name, kind.views):
        notes.append("not learned")
    if not kind.stays:
        product.leave()
    scores: dict[tuple[str, str], Score] = {}
    with tempfile.TemporaryDirectory(dir=product.folder) as folder:
        files = []
        for index, test in enumerate(kind.tests):
            files.append(Path(folder) / f"{index}.png")
            cv2.imwrite(str(files[-1]), test.frames[0][..., ::-1])
        answers = product.count(files)
    for number, (test, answer) in enumerate(zip(kind.tests, answers, strict=True)):
        score = scores.setdefault((test.sort, "picture"), Score(note=", ".join(notes)))
        score.judge(name, test.discs, answer["coins"], f"{kind.name}, {test.sort} {number}")
        if len(test.frames) > 1:
            score = scores.setdefault((test.sort, "frames"), Score(note=", ".join(notes)))
            score.judge(name, test.discs, product.watch(test.frames),
                        f"{kind.name}, {test.sort} {number}, frames")  # fmt: skip
    return scores


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


def report(scores: list[tuple[Kind, dict[tuple[str, str], Score]]]) -> bool:
    """Prints the table; whether the target is reached by every sort it is asked of."""
    print(f"{'kind':16s} {'coins':>6s} {'right':>6s} {'wrong':>6s} {'unsure':>7s} "
          f"{'missed':>7s} {'others':>7s} {'named so':>9s}")  # fmt: skip
    reached = True
    for key in dict.fromkeys(key for _, mine in scores for key in mine):
        total = Score()
        for kind, mine in scores:
            if key not in mine:
                continue
            score = mine[key]
            print(f"{kind.name:16s} {score.coins:6d} {score.right:6d} {score.wrong:6d} "
                  f"{score.unsure:7d} {score.missed:7d} {score.others:7d} "
                  f"{score.taken:9d}  {score.note}")  # fmt: skip
            for fault in score.faults:
                print(f"    {fault}")
            total.add(score)
        low, high = wilson(total.right, total.coins)
        share = total.right / max(total.coins, 1)
        print(f"{key[0]}, {key[1]}: {total.right} of {total.coins} right, {100 * share:.1f} % "
              f"({100 * low:.1f} to {100 * high:.1f}), {total.wrong} wrong, "
              f"{total.taken} of {total.others} other coins named so\n")  # fmt: skip
        if key[0] != WORN:
            reached = reached and share >= TARGET
        reached = reached and total.taken <= MOST_TAKEN * total.others
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
    add("--tests", type=int, default=10, help="coins counted of each kind or photographed face")
    add("--seed", type=int, default=20261201, help="of designs, wear and light")
    add("--check", action="store_true",
        help=f"exit with 1 unless {100 * TARGET:.0f} %% of each sort but the worn are right, at "
        f"most {100 * MOST_TAKEN:.1f} %% of other coins take their name and nothing known is "
        "lost")  # fmt: skip
    options = parser.parse_args()
    kinds = [
        drawn(number, options.seed, options.tests, is_same_tray=is_same_tray)
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
