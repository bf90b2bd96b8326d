"""Draws what lies on the virtual board's tray: a film of coins put down, and stills of it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from renderer.film import Script, film
from renderer.session import session

LASTING = 3000
"""Pictures of a folder that is played for longer than any check takes."""
COINS = ["1000-2016-number", "500-2003-jasmine"]
STILL, REACH, REMOVALS = 10, 3, 1
SESSION, STEPS = 4, ["put", "cover", "take"]
WIDTH, HEIGHT = 640, 480


def yuyv(picture: np.ndarray) -> bytes:
    """A picture as cameras give it: Y0 U Y1 V, BT.601 of limited range, chroma of pairs averaged.

    Takes height x width x 3 of red, green and blue; the width is even.
    """
    rgb = picture.astype(np.float64)
    red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    out = np.empty((picture.shape[0], picture.shape[1], 2))
    out[..., 0] = 16 + luma * 219 / 255
    for place, chroma in ((0, (blue - luma) / 1.772), (1, (red - luma) / 1.402)):
        pairs = (chroma[:, 0::2] + chroma[:, 1::2]) / 2
        out[:, place::2, 1] = 128 + pairs * 224 / 255
    return np.clip(np.rint(out), 0, 255).astype(np.uint8).tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Draws film/NNN.jpg with its totals in film.totals, one a line without "
        "repeats, and TOTAL.yuyv, a still of the tray for each total, into a folder; and a session "
        "of the scene player as session/NNN.yuyv with session.totals. film-and-on has the film "
        "with its last picture again and again, 1000-and-on and 1500-and-on such a total alone."
    )
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    (folder / "film").mkdir(parents=True, exist_ok=True)
    totals: list[int] = []
    pictures: list[Path] = []
    standing: dict[int, Path] = {}
    script = Script(COINS, STILL, REACH, REMOVALS)
    dice = np.random.default_rng(104)
    for number, scene in enumerate(film(dice, script, WIDTH, HEIGHT, "plain", 170)):
        path = folder / "film" / f"{number:03}.jpg"
        if not cv2.imwrite(str(path), scene.picture[..., ::-1]):
            raise OSError(f"{path} cannot be written")
        if not totals or totals[-1] != scene.total:
            totals.append(scene.total)
        pictures.append(path)
        # The last frame of each total is a still one: no hand is in view.
        standing[scene.total] = path
        (folder / f"{scene.total}.yuyv").write_bytes(yuyv(scene.picture))
    last(folder / "film-and-on", pictures)
    for total in (1000, 1500):
        last(folder / f"{total}-and-on", [standing[total]])
    (folder / "film.totals").write_text("".join(f"{total}\n" for total in totals[1:]))
    print(json.dumps({"frames": number + 1, "totals": totals, "session": play(folder)}))


def last(folder: Path, pictures: list[Path]) -> None:
    """Makes a folder of links to these pictures, the last of which comes again and again."""
    folder.mkdir()
    for number in range(LASTING):
        picture = pictures[min(number, len(pictures) - 1)]
        (folder / f"{number:04}.jpg").symlink_to(Path("..") / picture.parent.name / picture.name)


def play(folder: Path) -> list[int]:
    """Draws the session; returns its totals at rest."""
    (folder / "session").mkdir(exist_ok=True)
    totals: list[int] = []
    for number, frame in enumerate(session(SESSION, steps=STEPS)):
        (folder / "session" / f"{number:03}.yuyv").write_bytes(yuyv(frame.picture))
        if frame.moment.is_at_rest and (not totals or totals[-1] != frame.moment.total):
            totals.append(frame.moment.total)
    (folder / "session.totals").write_text("".join(f"{total}\n" for total in totals))
    return totals


if __name__ == "__main__":
    main()
