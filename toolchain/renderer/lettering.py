"""Words and digits: glyphs of packaged fonts, set straight or along the rim."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .arrays import Bytes
from .relief import RADIUS, SIZE

_EM = 200
_PAD = 60

FOLDERS = {
    "dejavu": Path("/usr/share/fonts/truetype/dejavu"),
    "urw": Path("/usr/share/fonts/opentype/urw-base35"),
}

FONTS = {
    "serif": ("urw", "NimbusRoman-Regular.otf"),
    "serif-bold": ("urw", "NimbusRoman-Bold.otf"),
    "old-style": ("urw", "P052-Roman.otf"),
    "old-style-bold": ("urw", "P052-Bold.otf"),
    "bookish": ("urw", "C059-Roman.otf"),
    "bookish-bold": ("urw", "C059-Bold.otf"),
    "wide": ("urw", "URWBookman-Demi.otf"),
    "geometric": ("urw", "URWGothic-Demi.otf"),
    "geometric-light": ("urw", "URWGothic-Book.otf"),
    "sans": ("urw", "NimbusSans-Regular.otf"),
    "sans-bold": ("urw", "NimbusSans-Bold.otf"),
    "narrow": ("urw", "NimbusSansNarrow-Regular.otf"),
    "narrow-bold": ("urw", "NimbusSansNarrow-Bold.otf"),
    "script": ("urw", "Z003-MediumItalic.otf"),
    "plain": ("dejavu", "DejaVuSans.ttf"),
    "plain-bold": ("dejavu", "DejaVuSans-Bold.ttf"),
    "plain-serif-bold": ("dejavu", "DejaVuSerif-Bold.ttf"),
}
"""Fonts of the Debian packages fonts-urw-base35 and fonts-dejavu-core, by their look."""


@lru_cache(maxsize=64)
def _font(name: str) -> ImageFont.FreeTypeFont:
    folder, file = FONTS[name]
    path = FOLDERS[folder] / file
    if not path.exists():
        raise FileNotFoundError(
            f"font {path} is missing: install fonts-urw-base35 and fonts-dejavu-core"
            " (toolchain/setup does)"
        )
    return ImageFont.truetype(str(path), _EM)


@lru_cache(maxsize=1024)
def _glyph(name: str, character: str) -> tuple[Bytes, float]:
    """The mask of one glyph, origin at (_PAD, _PAD + _EM) on the baseline, and its advance."""
    font = _font(name)
    advance = font.getlength(character)
    picture = Image.new("L", (int(advance) + 2 * _PAD, _EM + 2 * _PAD + 40), 0)
    ImageDraw.Draw(picture).text((_PAD, _PAD + _EM), character, fill=255, font=font, anchor="ls")
    return np.asarray(picture), advance


@lru_cache(maxsize=64)
def _cap_height(name: str) -> float:
    """Height of the digit 0 and the capital H over the em."""
    box = _font(name).getbbox("H", anchor="ls")
    return float(-box[1]) / _EM


def _place(
    canvas: Bytes,
    name: str,
    character: str,
    x: float,
    y: float,
    turn: float,
    width: float,
    height: float,
    weight: float,
) -> None:
    """Draws a glyph with its baseline origin at (x, y) in coin radii."""
    glyph, _ = _glyph(name, character)
    if weight != 0:
        size = max(int(abs(weight) * _EM) | 1, 3)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        glyph = cv2.dilate(glyph, kernel) if weight > 0 else cv2.erode(glyph, kernel)
    sx, sy = width * RADIUS / _EM, height * RADIUS / _EM
    c, s = np.cos(turn), np.sin(turn)
    linear = np.array([[c * sx, -s * sy], [s * sx, c * sy]])
    origin = np.array([x, y]) * RADIUS + SIZE / 2
    offset = origin - linear @ np.array([_PAD, _PAD + _EM])
    corners = np.array([[0, 0], [glyph.shape[1], 0], [0, glyph.shape[0]], list(glyph.shape[::-1])])
    where = corners @ linear.T + offset
    x0, y0 = np.maximum(np.floor(where.min(0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(where.max(0)).astype(int) + 1, SIZE)
    if x1 <= x0 or y1 <= y0:
        return
    matrix = np.column_stack([linear, offset - [x0, y0]])
    smooth = cv2.GaussianBlur(glyph, (0, 0), max(0.4 / max(min(sx, sy), 0.02), 0.3))
    drawn = cv2.warpAffine(smooth, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    part = canvas[y0:y1, x0:x1]
    np.maximum(part, drawn, out=part)


def straight(
    text: str,
    font: str,
    cx: float,
    baseline: float,
    cap: float,
    width: float | None = None,
    spacing: float = 0.0,
    weight: float = 0.0,
    turn: float = 0.0,
) -> Bytes:
    """A mask of `text` centred on `cx`, `cap` coin radii high.

    With `width` the text is stretched to that many coin radii; `spacing` is extra ems
    between letters; `weight` thickens (or thins) the strokes by ems.
    """
    canvas = np.zeros((SIZE, SIZE), np.uint8)
    em = cap / _cap_height(font)
    advances = [_glyph(font, c)[1] / _EM + spacing for c in text]
    natural = (sum(advances) - spacing) * em
    stretch = 1.0 if width is None else width / natural
    x = -natural * stretch / 2
    c, s = np.cos(turn), np.sin(turn)
    for character, advance in zip(text, advances, strict=True):
        if character != " ":
            _place(
                canvas, font, character, cx + c * x, baseline + s * x, turn,
                em * stretch, em, weight,
            )
        x += advance * em * stretch
    return canvas


def arc(
    text: str,
    font: str,
    radius: float,
    middle: float,
    cap: float,
    sweep: float | None = None,
    spacing: float = 0.05,
    weight: float = 0.0,
    stretch: float = 1.0,
    feet_out: bool = False,
) -> Bytes:
    """A mask of `text` along a circle of `radius`, centred at the angle `middle`.

    Angles in degrees, 0 at twelve o'clock, clockwise. Letters stand on the circle with
    their heads outward, or with `feet_out` hang inside it, read anticlockwise, as along
    the lower rim. With `sweep` the text is spread over that many degrees.
    """
    canvas = np.zeros((SIZE, SIZE), np.uint8)
    em = cap / _cap_height(font)
    advances = [(0.55 if c == " " else _glyph(font, c)[1] / _EM) * stretch for c in text]
    total = sum(advances) + spacing * (len(text) - 1)
    scale = em / radius
    if sweep is not None:
        spacing += (np.radians(sweep) / scale - total) / max(len(text) - 1, 1)
        total = sum(advances) + spacing * (len(text) - 1)
    position = -total / 2
    for character, advance in zip(text, advances, strict=True):
        if character != " ":
            angle = (position + advance / 2) * scale
            theta = np.radians(middle) + (-angle if feet_out else angle)
            x, y = radius * np.sin(theta), -radius * np.cos(theta)
            turn = theta + (np.pi if feet_out else 0.0)
            half = advance * em / 2
            _place(
                canvas, font, character,
                x - half * np.cos(turn), y - half * np.sin(turn), turn,
                em * stretch, em, weight,
            )
        position += advance + spacing
    return canvas
