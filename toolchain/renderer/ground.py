"""What coins lie on: wood, cloth, paper, stone and plain trays, as linear albedo."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from .arrays import Floats
from .lettering import straight

_SENTENCE = (
    "uang receh dihitung satu demi satu di atas meja warung pada sore hari oleh penjual kopi"
    " lalu disimpan di dalam kotak kayu yang lama"
)


def noise(
    rng: np.random.Generator, height: int, width: int, cell: float, stretch: float = 1.0
) -> Floats:
    """Smooth noise with lumps `cell` pixels high and `cell * stretch` wide."""
    rows, columns = int(height / cell) + 4, int(width / (cell * stretch)) + 4
    grid = rng.standard_normal((rows, columns)).astype(np.float32)
    big = cv2.resize(
        grid, (int(columns * cell * stretch), int(rows * cell)), interpolation=cv2.INTER_CUBIC
    )
    result: Floats = big[:height, :width]
    return result


def fractal(
    rng: np.random.Generator, height: int, width: int, cell: float, octaves: int,
    stretch: float = 1.0,
) -> Floats:
    """Noise over `octaves` scales, the coarsest `cell` pixels."""
    total = np.zeros((height, width), np.float32)
    for i in range(octaves):
        size = cell / 2**i
        if size < 1.5:
            break
        total += noise(rng, height, width, size, stretch) * np.float32(0.5**i)
    return total


def _colour(rng: np.random.Generator, low: float, high: float, vivid: float) -> Floats:
    level = rng.uniform(low, high)
    result: Floats = np.clip(level * (1 + rng.uniform(-vivid, vivid, 3)), 0.01, 0.95).astype(
        np.float32
    )
    return result


def wood(rng: np.random.Generator, height: int, width: int, scale: float) -> Floats:
    """Planks with grain; `scale` in pixels per millimetre."""
    tone = np.array([[0.34, 0.2, 0.1], [0.5, 0.34, 0.19], [0.16, 0.08, 0.05], [0.62, 0.47, 0.3],
                     [0.24, 0.13, 0.07]][int(rng.integers(5))], np.float32)
    warp = fractal(rng, height, width, 30 * scale, 3, 6.0)
    ys = np.arange(height, dtype=np.float32)[:, None] / scale
    rings = np.sin((ys * rng.uniform(0.4, 1.6) + warp * rng.uniform(1.5, 5)) * 2)
    fibre = fractal(rng, height, width, 1.6 * scale, 3, 25.0)
    shade = 1 + 0.13 * rings + 0.08 * fibre + 0.06 * fractal(rng, height, width, 60 * scale, 2)
    plank = rng.uniform(50, 160)
    seam = np.mod(ys + rng.uniform(0, plank), plank)
    shade = shade * np.where(seam < 0.6, 0.35, 1.0)
    result: Floats = np.clip(shade, 0.05, None)[..., None] * tone
    return result


def cloth(rng: np.random.Generator, height: int, width: int, scale: float) -> Floats:
    """A weave with folds, sometimes striped or checked."""
    base, other = _colour(rng, 0.03, 0.6, 0.7), _colour(rng, 0.03, 0.7, 0.7)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32) / np.float32(scale)
    bend = noise(rng, height, width, 40 * scale) * 1.5
    pitch = rng.uniform(0.35, 1.1)
    weave = np.sin((xs + bend) * 2 * np.pi / pitch) * np.sin((ys + bend) * 2 * np.pi / pitch)
    pattern = np.zeros((height, width), np.float32)
    kind = rng.random()
    if kind < 0.35:
        step = rng.uniform(6, 30)
        pattern = (np.mod(xs + bend, step) < step * rng.uniform(0.1, 0.5)).astype(np.float32)
        if rng.random() < 0.5:
            pattern = (pattern + (np.mod(ys + bend, step) < step * 0.3)) / 2
    elif kind < 0.5:
        step = rng.uniform(8, 30)
        cell = np.hypot(np.mod(xs, step) - step / 2, np.mod(ys, step) - step / 2)
        pattern = (np.abs(cell - step * 0.3) < step * 0.08).astype(np.float32)
    colour = base + (other - base) * pattern[..., None]
    folds = 1 + 0.12 * fractal(rng, height, width, 60 * scale, 2)
    shade = folds * (1 + rng.uniform(0.04, 0.18) * weave) + 0.05 * rng.standard_normal(
        (height, width)
    ).astype(np.float32)
    result: Floats = np.clip(colour * np.clip(shade, 0.1, None)[..., None], 0.005, 0.95)
    return result


def paper(rng: np.random.Generator, height: int, width: int, scale: float) -> Floats:
    """Paper: blank, ruled, or printed like a newspaper."""
    base = np.float32(rng.uniform(0.55, 0.88)) * np.array(
        [1, rng.uniform(0.95, 1.0), rng.uniform(0.82, 1.0)], np.float32
    )
    shade = 1 + 0.012 * rng.standard_normal((height, width)).astype(np.float32)
    shade += 0.02 * fractal(rng, height, width, 50 * scale, 3)
    kind = rng.random()
    ink = np.zeros((height, width), np.float32)
    if kind < 0.25:
        step = rng.uniform(6, 9) * scale
        rows = np.mod(np.arange(height, dtype=np.float32), step) < max(0.3 * scale, 1)
        ink += rows[:, None] * np.float32(0.35)
    elif kind < 0.6:
        words = _SENTENCE.split()
        step = rng.uniform(2.6, 9) * scale
        column = rng.uniform(40, 90) * scale
        line = 0.0
        sheet = Canvas(height, width)
        while line < height:
            x = 0.0
            while x < width:
                word = words[int(rng.integers(len(words)))]
                sheet.word(word, x, line, step * 0.6)
                x += (len(word) * 0.42 + 0.5) * step * 0.75
                if np.mod(x, column) < step:
                    x += step
            line += step
        ink += sheet.ink * np.float32(rng.uniform(0.6, 0.92))
    result: Floats = np.clip((shade * (1 - ink))[..., None] * base, 0.01, 0.95)
    return result


class Canvas:
    """Ink on paper: words set small from cached masks."""

    _masks: dict[str, Floats] = {}  # noqa: RUF012 - one cache for every canvas

    def __init__(self, height: int, width: int) -> None:
        self.ink: Floats = np.zeros((height, width), np.float32)

    def word(self, text: str, x: float, y: float, size: float) -> None:
        """Sets `text` with its top left corner at (x, y), letters `size` pixels high."""
        if text not in self._masks:
            mask = straight(text, "serif", 0, 0.1, 0.2)
            left, top, w, h = cv2.boundingRect(mask)
            self._masks[text] = mask[top : top + h, left : left + w].astype(np.float32) / 255
        mask = self._masks[text]
        factor = size / 83
        w, h = max(int(mask.shape[1] * factor), 1), max(int(mask.shape[0] * factor), 1)
        small = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
        x0, y0 = int(x), int(y)
        part = self.ink[y0 : y0 + h, x0 : x0 + w]
        np.maximum(part, small[: part.shape[0], : part.shape[1]], out=part)


def stone(rng: np.random.Generator, height: int, width: int, scale: float) -> Floats:
    """Stone, terrazzo or concrete, sometimes tiled."""
    base = _colour(rng, 0.12, 0.6, 0.12)
    shade = 1 + 0.1 * fractal(rng, height, width, 25 * scale, 5)
    colour = np.clip(shade, 0.1, None)[..., None] * base
    if rng.random() < 0.6:
        for _ in range(int(rng.integers(1, 4))):
            size = rng.uniform(0.8, 5)
            spots = noise(rng, height, width, size * scale) > rng.uniform(1.0, 1.9)
            colour = np.where(spots[..., None], _colour(rng, 0.05, 0.8, 0.2), colour)
    if rng.random() < 0.35:
        step = rng.uniform(80, 300) * scale
        ys, xs = np.arange(height)[:, None], np.arange(width)[None]
        joint = (np.mod(ys + rng.uniform(0, step), step) < 2 * scale) | (
            np.mod(xs + rng.uniform(0, step), step) < 2 * scale
        )
        colour = np.where(joint[..., None], colour * 0.6, colour)
    result: Floats = np.clip(colour, 0.005, 0.95).astype(np.float32)
    return result


def plain(rng: np.random.Generator, height: int, width: int, scale: float) -> Floats:
    """A painted tray or a plastic sheet."""
    base = _colour(rng, 0.02, 0.85, 0.5 if rng.random() < 0.5 else 0.08)
    shade = 1 + 0.02 * fractal(rng, height, width, 40 * scale, 4)
    shade += 0.008 * rng.standard_normal((height, width)).astype(np.float32)
    result: Floats = np.clip(shade[..., None] * base, 0.005, 0.95)
    return result


GROUNDS: dict[str, Callable[[np.random.Generator, int, int, float], Floats]] = {
    "wood": wood,
    "cloth": cloth,
    "paper": paper,
    "stone": stone,
    "plain": plain,
}
"""Each takes dice, height and width in pixels, and pixels per millimetre."""
