"""The renderer's command: coins, scenes and films as files."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from .arrays import Bytes
from .coin import render_coin
from .faces import FACES, OTHERS
from .film import Script, film, write_y4m
from .ground import GROUNDS
from .scene import Scene, render_scene
from .session import STEPS, as_yuv, header, session


def _save(path: Path, picture: Bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if picture.shape[-1] == 4:
        pixels = cv2.cvtColor(picture, cv2.COLOR_RGBA2BGRA)
    else:
        pixels = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
    if not cv2.imwrite(str(path), pixels):
        raise OSError(f"{path}: not written; use a name ending in .png or .jpg")


def _faces(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in FACES and name not in OTHERS:
            raise argparse.ArgumentTypeError(
                f"no face {name!r}; choose from {', '.join([*FACES, *OTHERS])}"
            )
    return names


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write it as 640x480")
    return int(width), int(height)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="renderer", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument("--seed", type=int, default=0, help="dice (default 0)")
        return sub

    coin = command("coin", "one coin from above, with alpha")
    coin.add_argument("--face", required=True, help="a face's name; see `faces`")
    coin.add_argument("--size", type=int, default=256, help="pixels a side (default 256)")
    coin.add_argument("out", type=Path, help=".png")

    sheet = command("sheet", "every face side by side")
    sheet.add_argument("--size", type=int, default=256, help="pixels a coin (default 256)")
    sheet.add_argument("out", type=Path, help=".png or .jpg")

    for name, text in (
        ("scene", "one photograph of coins on a tray"),
        ("film", "coins put down one by one: a folder of frames, or a .y4m file"),
    ):
        sub = command(name, text)
        sub.add_argument("--faces", type=_faces, default=None, help="comma-separated; else by lot")
        sub.add_argument("--picture-size", type=_size, default=(640, 480), help="default 640x480")
        sub.add_argument("--ground", choices=list(GROUNDS), default=None, help="else by lot")
        sub.add_argument("--view", type=float, default=None, help="millimetres across the picture")
        sub.add_argument("--truth", type=Path, default=None, help="write what is so, as JSON lines")
        if name == "scene":
            sub.add_argument("--clean", action="store_true", help="a fixed webcam in good light")
        else:
            sub.add_argument("--still", type=int, default=14, help="frames between coins")
            sub.add_argument("--reach", type=int, default=6, help="frames a hand is in view")
            sub.add_argument("--removals", type=int, default=0, help="coins taken away at the end")
        sub.add_argument("out", type=Path)
    played = command("session", "a session of the scene player: a .y4m film of 640x480")
    played.add_argument("--steps", type=_steps, default=None, help="comma-separated; else by lot:"
                        f" {', '.join(STEPS)}")
    played.add_argument("--truth", type=Path, default=None, help="what is so, a JSON line a frame")
    played.add_argument("out", type=Path, help=".y4m, or - for standard output")
    commands.add_parser("faces", help="lists the faces")
    return parser


def _steps(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in STEPS:
            raise argparse.ArgumentTypeError(f"no step {name!r}; choose from {', '.join(STEPS)}")
    return names


def _session(options: argparse.Namespace) -> None:
    truths: list[dict[str, object]] = []
    with contextlib.ExitStack() as stack:
        if str(options.out) == "-":
            file = sys.stdout.buffer
        else:
            options.out.parent.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(options.out.open("wb"))
        for frame in session(options.seed, steps=options.steps):
            if not truths:
                file.write(header(frame.picture.shape[1], frame.picture.shape[0]))
            file.write(as_yuv(frame.picture))
            truths.append(
                {"frame": len(truths), "total": frame.moment.total, **asdict(frame.moment)}
            )
    _truth(options.truth, truths)


def _truth(path: Path | None, scenes: list[dict[str, object]]) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(scene) + "\n" for scene in scenes))


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    options = _parser().parse_args(arguments)
    if options.command == "faces":
        for face in [*FACES.values(), *OTHERS.values()]:
            print(f"{face.name:20} Rp{face.value:<5} {face.diameter:5.2f} mm  {face.metal}")
        return 0
    rng = np.random.default_rng(options.seed)
    if options.command == "coin":
        _save(options.out, render_coin(options.face, options.size, rng)[0])
    elif options.command == "sheet":
        coins = []
        for name in [*FACES, *OTHERS]:
            rgba = render_coin(name, options.size, rng, angle=0.0)[0].astype(np.float32)
            alpha = rgba[..., 3:] / 255
            coins.append((rgba[..., :3] * alpha + 235 * (1 - alpha)).astype(np.uint8))
        while len(coins) % 7:
            coins.append(np.full_like(coins[0], 235))
        rows = [np.hstack(coins[i : i + 7]) for i in range(0, len(coins), 7)]
        _save(options.out, np.vstack(rows))
    elif options.command == "scene":
        width, height = options.picture_size
        scene = render_scene(
            rng, width, height, options.faces, options.view, options.ground, clean=options.clean
        )
        _save(options.out, scene.picture)
        _truth(options.truth, [{"file": options.out.name, **scene.as_dictionary()}])
    elif options.command == "session":
        _session(options)
    else:
        _film(options, rng)
    return 0


def _film(options: argparse.Namespace, rng: np.random.Generator) -> None:
    names = list(FACES)
    faces = options.faces or [names[int(rng.integers(len(names)))] for _ in range(6)]
    script = Script(faces, options.still, options.reach, options.removals)
    width, height = options.picture_size
    truths: list[dict[str, object]] = []

    def noted(scene: Scene) -> Bytes:
        truths.append({"frame": len(truths), **scene.as_dictionary()})
        return scene.picture

    frames = film(rng, script, width, height, options.ground, options.view or 200.0)
    pictures = (noted(scene) for scene in frames)
    if options.out.suffix == ".y4m":
        options.out.parent.mkdir(parents=True, exist_ok=True)
        write_y4m(options.out, pictures)
    else:
        for number, picture in enumerate(pictures):
            _save(options.out / f"frame-{number:05}.jpg", picture)
    _truth(options.truth, truths)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"renderer: {error}")
