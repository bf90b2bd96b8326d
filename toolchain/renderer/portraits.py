"""The four portraits of the 2016 series, and made-up ones for coins that are not rupiah."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .figures import Pairs
from .relief import Relief, curve, ellipse


@dataclass(frozen=True)
class Sitter:
    """A head turned a little to the viewer's left, in coin radii."""

    skull: Pairs
    face: Pairs
    bust: Pairs
    eyes: Pairs
    nose: tuple[float, float]
    mouth: tuple[float, float]
    ear: tuple[float, float]
    hairline: Pairs = field(default_factory=list)
    glasses: bool = False
    tie: bool = True
    cloth: bool = False


JOHANNES = Sitter(
    skull=[(-0.08, 0.0), (-0.1, -0.2), (-0.04, -0.36), (0.1, -0.45), (0.3, -0.48), (0.48, -0.43),
           (0.64, -0.37), (0.73, -0.24), (0.76, -0.04), (0.7, 0.16), (0.62, 0.3)],
    face=[(0.54, 0.4), (0.42, 0.5), (0.28, 0.55), (0.14, 0.48), (0.04, 0.36), (-0.03, 0.2)],
    bust=[(-0.5, 0.66), (-0.3, 0.56), (-0.06, 0.46), (0.04, 0.36), (0.5, 0.4), (0.62, 0.46),
          (0.68, 0.5), (0.56, 0.62), (0.3, 0.78), (0.0, 0.8), (-0.3, 0.74)],
    eyes=[(0.1, 0.04), (0.4, 0.03)], nose=(0.24, 0.2), mouth=(0.24, 0.34), ear=(0.64, 0.12),
    hairline=[(-0.02, -0.1), (0.02, -0.22), (0.16, -0.28), (0.34, -0.27), (0.5, -0.2), (0.6, -0.08),
              (0.62, 0.04)],
)
MANGUNKUSUMO = Sitter(
    skull=[(-0.06, 0.04), (-0.06, -0.16), (-0.03, -0.32), (0.05, -0.46), (0.2, -0.58), (0.38,
                                                                                        -0.67),
           (0.52, -0.58), (0.66, -0.46), (0.75, -0.3), (0.78, -0.1), (0.73, 0.02), (0.66, 0.26)],
    face=[(0.62, 0.36), (0.46, 0.5), (0.3, 0.55), (0.14, 0.5), (0.04, 0.36), (0.0, 0.2)],
    bust=[(0.0, 0.78), (0.1, 0.64), (0.2, 0.52), (0.4, 0.46), (0.64, 0.32), (0.7, 0.44),
          (0.68, 0.54), (0.56, 0.64), (0.36, 0.74), (0.16, 0.79)],
    eyes=[(0.14, -0.05), (0.46, -0.05)], nose=(0.32, 0.14), mouth=(0.3, 0.3), ear=(0.7, 0.1),
    hairline=[(-0.04, -0.14), (0.06, -0.34), (0.24, -0.42), (0.44, -0.36), (0.6, -0.22), (0.66,
                                                                                          -0.02)],
    tie=False, cloth=True,
)
SIMATUPANG = Sitter(
    skull=[(-0.05, 0.0), (-0.06, -0.2), (0.0, -0.38), (0.12, -0.52), (0.3, -0.6), (0.48, -0.57),
           (0.62, -0.46), (0.7, -0.3), (0.76, -0.14), (0.72, 0.02), (0.66, 0.12)],
    face=[(0.6, 0.24), (0.48, 0.36), (0.34, 0.42), (0.2, 0.42), (0.08, 0.34), (0.0, 0.2)],
    bust=[(-0.08, 0.8), (-0.04, 0.66), (0.06, 0.54), (0.2, 0.46), (0.4, 0.36), (0.66, 0.14),
          (0.78, 0.3), (0.72, 0.46), (0.56, 0.62), (0.34, 0.74), (0.1, 0.8)],
    eyes=[(0.04, -0.06), (0.28, -0.09)], nose=(0.16, 0.06), mouth=(0.2, 0.18), ear=(0.68, -0.06),
    hairline=[(0.48, -0.44), (0.56, -0.3), (0.58, -0.16)], glasses=True,
)
PUDJA = Sitter(
    skull=[(-0.12, -0.02), (-0.15, -0.2), (-0.16, -0.36), (-0.1, -0.54), (0.04, -0.64), (0.22,
                                                                                         -0.69),
           (0.38, -0.65), (0.48, -0.6), (0.6, -0.5), (0.66, -0.34), (0.65, -0.1), (0.62, 0.06)],
    face=[(0.58, 0.2), (0.46, 0.33), (0.3, 0.4), (0.14, 0.37), (0.02, 0.26), (-0.08, 0.12)],
    bust=[(-0.3, 0.7), (-0.1, 0.56), (0.1, 0.42), (0.4, 0.36), (0.62, 0.18), (0.72, 0.3),
          (0.7, 0.46), (0.54, 0.64), (0.3, 0.76), (0.0, 0.79)],
    eyes=[(0.08, -0.12), (0.36, -0.12)], nose=(0.24, 0.05), mouth=(0.24, 0.19), ear=(0.7, -0.1),
    hairline=[(-0.12, -0.24), (-0.02, -0.42), (0.18, -0.5), (0.38, -0.46), (0.52, -0.36), (0.58,
                                                                                           -0.16)],
    tie=False,
)


def portrait(relief: Relief, rng: np.random.Generator, sitter: Sitter, h: float) -> None:
    """Strikes a bust: outline strong, features soft, hair engraved."""
    bust = curve(sitter.bust, closed=True)
    relief.shape(bust, h * 0.6, 0.5)
    outline = curve(sitter.skull + sitter.face, closed=True)
    relief.shape(ellipse(*sitter.ear, 0.055, 0.1, 0.15), h * 0.8, 0.2, "lay")
    relief.shape(outline, h * 0.85, 0.5, "lay")
    centre = outline.mean(0)
    relief.shape(centre + (outline - centre) * 0.75, h * 0.35, 1.6, "add")
    if sitter.hairline:
        hair = curve(sitter.hairline)
        skull = curve(sitter.skull)
        for t in np.linspace(0.02, 0.98, 34):
            a = hair[int(t * (len(hair) - 1))]
            b = skull[int((0.12 + 0.76 * t) * (len(skull) - 1))]
            b = a + (b - a) * rng.uniform(0.7, 0.95)
            bend = (a + b) / 2 + rng.normal(0, 0.012, 2)
            relief.line([tuple(a), tuple(bend), tuple(b)], 0.012, h * 0.25, 0.06, "cut")
        if sitter.cloth:
            relief.line(sitter.hairline, 0.03, h * 0.4, 0.1, "add")
    for x, y in sitter.eyes:
        relief.line([(x - 0.1, y - 0.07), (x, y - 0.1), (x + 0.1, y - 0.07)], [0.015, 0.035, 0.015],
                    h * 0.3, 0.12, "add")
        relief.shape(ellipse(x, y, 0.08, 0.04), h * 0.3, 0.2, "cut")
        relief.shape(ellipse(x, y, 0.035, 0.028), h * 0.3, 0.1, "add")
    x, y = sitter.nose
    relief.line([(x - 0.02, y - 0.22), (x - 0.05, y - 0.06), (x - 0.03, y)], [0.03, 0.07, 0.1],
                h * 0.3, 0.25, "add")
    relief.line([(x - 0.07, y + 0.02), (x, y + 0.035), (x + 0.07, y)], 0.018, h * 0.3, 0.06, "cut")
    x, y = sitter.mouth
    relief.line([(x - 0.12, y), (x, y - 0.005), (x + 0.12, y)], 0.016, h * 0.35, 0.06, "cut")
    relief.line([(x - 0.08, y + 0.035), (x + 0.08, y + 0.035)], 0.035, h * 0.2, 0.12, "add")
    if sitter.glasses:
        for x, y in sitter.eyes:
            ring = ellipse(x, y + 0.01, 0.11, 0.085)
            relief.line(np.concatenate([ring, ring[:1]]), 0.02, h * 0.45, 0.07, "add", False)
        relief.line([(0.39, -0.09), (0.66, -0.1)], 0.02, h * 0.45, 0.07, "add", False)
    lapel = np.asarray(sitter.bust)
    middle = lapel.mean(0)
    if sitter.tie:
        relief.line([tuple(middle + [0.02, -0.16]), tuple(middle + [0.0, 0.0]),
                     tuple(middle + [-0.06, 0.18])], [0.04, 0.07, 0.1], h * 0.3, 0.1, "add")
    for side in (-1, 1):
        relief.line([tuple(middle + [side * 0.14, -0.16]), tuple(middle + [side * 0.2, 0.0]),
                     tuple(middle + [side * 0.04, 0.18])], 0.014, h * 0.35, 0.06, "cut")


def stranger(rng: np.random.Generator) -> Sitter:
    """Someone on a coin that is not rupiah."""
    width, height = rng.uniform(0.3, 0.42), rng.uniform(0.42, 0.55)
    cx = rng.uniform(-0.2, 0.2)
    t = np.linspace(np.pi * 0.95, 2.05 * np.pi, 9)
    skull = [(cx + width * np.cos(a), -0.1 + height * np.sin(a)) for a in t]
    face = [(cx + 0.8 * width, 0.2), (cx + 0.3, 0.38), (cx, 0.44), (cx - 0.25, 0.34),
            (cx - 0.85 * width, 0.15)]
    return Sitter(
        skull=skull, face=face,
        bust=[(cx - 0.5, 0.72), (cx - 0.3, 0.5), (cx, 0.4), (cx + 0.3, 0.48), (cx + 0.5, 0.7),
              (cx, 0.8)],
        eyes=[(cx - 0.15, -0.05), (cx + 0.15, -0.05)], nose=(cx, 0.12), mouth=(cx, 0.26),
        ear=(cx + width, 0.02),
        hairline=[(cx - 0.8 * width, -0.2), (cx - 0.3 * width, -0.34), (cx + 0.3 * width, -0.34),
                  (cx + 0.8 * width, -0.2)],
        glasses=bool(rng.random() < 0.3), tie=bool(rng.random() < 0.5),
    )
