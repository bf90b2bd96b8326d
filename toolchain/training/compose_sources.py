"""Where scenes come from: command-line arguments shared by the trainers, and what they load."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from training.compose import Library, load_library
from training.compose_outlines import OutlineStore
from training.compose_photographs import Photographs, load_photographs
from training.faces import read_faces
from training.folders import default_cache, default_data

HERE = Path(__file__).parent


def add_source_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds `--data`, `--cache`, `--cutouts` and `--held-out`."""
    parser.add_argument("--data", type=Path, default=default_data(), help="photographs")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="cut-outs, checkpoints")
    parser.add_argument("--cutouts", default="cutouts.npz", help="cut-outs' file in the cache")
    parser.add_argument(
        "--held-out",
        nargs="*",
        default=[],
        metavar="SOURCE",
        help="sources kept for validation, such as euro or phone-b",
    )


def lines(path: Path) -> set[str]:
    """The lines of a list, without comments."""
    with path.open() as file:
        return {text for line in file if (text := line.strip()) and not text.startswith("#")}


def excluded_pictures(arguments: argparse.Namespace) -> set[str]:
    """Pictures kept aside for measuring, and their near-duplicates as `cutouts` found them."""
    kept_aside = lines(arguments.data / "eval.txt")
    near_duplicates: Path = arguments.cache / "excluded.txt"
    if not near_duplicates.exists():
        raise SystemExit(
            f"{near_duplicates} is missing: run training.cutouts into this cache first"
        )
    return kept_aside | lines(near_duplicates)


def photographs_from_arguments(
    arguments: argparse.Namespace, *, validation: bool = False
) -> Photographs:
    """Annotated photographs of the sources not held out, or with `validation` of those held out."""
    data: Path = arguments.data
    excluded = excluded_pictures(arguments) | lines(HERE / "partly_labelled.txt")
    held_out = tuple(arguments.held_out)
    outlines = OutlineStore(arguments.cache / "outlines.npz")
    return load_photographs(data, excluded, outlines, held_out=held_out, validation=validation)


def library_from_arguments(
    arguments: argparse.Namespace,
    *,
    validation: bool = False,
    photographs: Photographs | None = None,
) -> Library:
    """Cut-outs and grounds of the sources not held out, or with `validation` of those held out."""
    data: Path = arguments.data
    held_out = tuple(arguments.held_out)
    extra = []
    if photographs is not None:
        extra = photographs.coin_free(np.random.default_rng(5), 300)
    return load_library(
        arguments.cache / arguments.cutouts,
        data,
        excluded_pictures(arguments),
        {face.name: face.diameter for face in read_faces()},
        held_out=() if validation else held_out,
        only=held_out if validation else (),
        seed=1001 if validation else 1,
        things=112 if validation else 560,
        extra_backgrounds=extra,
    )
