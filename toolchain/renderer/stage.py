"""A tray that is filmed: drawn in layers, so that a frame costs little.

What lies still is drawn once and kept; a frame draws only what moves over it. Light is
linear until a frame is developed, so lamps, shadows, hands and exposure act as they do in a
camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from .arrays import Bytes, Floats
from .coin import encode
from .metal import GRID, METALS, LightRig, direction
from .scene import Lying, Tray, Truth

MARGIN = 40
"""Pixels drawn beyond each side of the picture, for a camera that is knocked."""


@dataclass(frozen=True)
class Layer:
    """Something over the tray: linear light becomes `through * light + own * lamps`."""

    through: Floats
    """[rows, columns, 1]: what is left of the light below; 1 beside it, a shadow between."""
    own: Floats
    """[rows, columns, 3]: its own albedo and shading where it covers."""

    def covered(self) -> Floats:
        """[rows, columns]: 1 where it is, 0 elsewhere."""
        return (self.own.sum(2) > 0.004).astype(np.float32)


@dataclass(frozen=True)
class Placed:
    """A layer with its top left corner at (x, y) pixels of the picture."""

    layer: Layer
    x: int
    y: int
    is_hand: bool


@dataclass(frozen=True)
class View:
    """How a frame is taken."""

    exposure: float = 1.0
    """Over the usual one."""
    shade: Floats | None = None
    """[rows, columns, 1] over the whole canvas: what a shadow leaves of the light."""
    shift: tuple[float, float] = (0.0, 0.0)
    """Pixels by which the camera has been moved."""
    turn: float = 0.0
    """Radians by which it has been turned."""


class Stage:
    """A ground, lamps and a camera looking down on coins that come and go."""

    def __init__(
        self,
        rng: np.random.Generator,
        width: int = 640,
        height: int = 480,
        view: float = 200.0,
        ground: str | None = None,
        is_exposed_for_coins: bool = False,
    ) -> None:
        """A tray of which the camera sees `view` millimetres across.

        With `is_exposed_for_coins` the exposure is taken back where shining metal would burn out.
        """
        self.width, self.height = width, height
        self._rows, self._columns = height + 2 * MARGIN, width + 2 * MARGIN
        self.tray = Tray(
            rng, self._columns, self._rows, view * self._columns / width, ground,
            tilt=0.03, clean=True,
        )
        self.rigs = [self.tray.lights, _with_lamp(rng, self.tray.lights)]
        self._albedo = self._ground_albedo()
        axis = rng.normal(0, 0.2, 2)
        xs = np.linspace(-1, 1, self._columns, dtype=np.float32)
        ys = np.linspace(-1, 1, self._rows, dtype=np.float32)
        self._lamp_falloff: Floats = np.clip(
            1 + axis[0] * xs[None, :] + axis[1] * ys[:, None], 0.4, 1.6
        ).astype(np.float32)[..., None]
        taken = self.tray.development
        falloff = 1 - np.float32(taken.vignette / 2) * (ys[:, None] ** 2 + xs[None, :] ** 2)
        self._gain: Floats = falloff[..., None] * np.array(taken.gains, np.float32)
        self._gain *= np.float32(taken.exposure)
        if is_exposed_for_coins:
            self._gain *= np.float32(self._restraint(taken.exposure))
        spread = float(rng.uniform(0.8, 2.0))
        self._noise = [
            np.rint(rng.standard_normal((height + 40, width + 40, 3), np.float32) * spread)
            .astype(np.int16)
            for _ in range(3)
        ]
        self._bases: dict[tuple[tuple[Lying, ...], int], tuple[Floats, Floats]] = {}
        self._still: tuple[object, Bytes] | None = None
        self._shadows: dict[tuple[float, float, float, int], Floats] = {}

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the tray, in millimetres, is in the picture."""
        seen = self.tray.camera.project(np.array([[x, y, 0.0]]))[0]
        return float(seen[0]) - MARGIN, float(seen[1]) - MARGIN

    def truth(self, coin: Lying) -> Truth:
        """What is so about a coin, in pixels of the picture of a camera not knocked."""
        seen = self.tray.truth(coin)
        return replace(seen, x=round(seen.x - MARGIN, 2), y=round(seen.y - MARGIN, 2))

    def photograph(
        self,
        rng: np.random.Generator,
        lying: Sequence[Lying],
        moving: Sequence[Lying] = (),
        layers: Sequence[Placed] = (),
        rig: int = 0,
        view: View | None = None,
    ) -> Bytes:
        """One frame, uint8 [height, width, 3]; `rng` is the sensor's noise."""
        taken = view or View()
        key = (tuple(lying), rig)
        if key not in self._bases:
            self._bases = {k: v for k, v in self._bases.items() if k[1] != rig}
            self._bases[key] = self._base(lying, rig)
        scene, seen = self._bases[key]
        box = self._dirty(moving, layers)
        if taken.shade is None:
            mark = (key, taken.exposure)
            if self._still is None or self._still[0] != mark:
                self._still = (mark, encode(seen * np.float32(taken.exposure)))
            frame = self._still[1].copy()
        else:
            frame = encode(seen * (taken.shade * np.float32(taken.exposure)))
        if box is not None:
            self._draw_moving(frame, scene, box, moving, layers, rig, taken)
        return self._window(frame, rng, taken)

    def hand_share(self, layers: Sequence[Placed]) -> float:
        """The share of the picture that hands cover."""
        covered = 0.0
        for placed in layers:
            if placed.is_hand:
                part, own = self._meet(placed, MARGIN)
                if part is not None:
                    covered += float(placed.layer.covered()[own].sum())
        return covered / (self.width * self.height)

    def _restraint(self, exposure: float) -> float:
        """By how much to take the exposure back for an aluminium coin that lies nearly flat."""
        metal = np.array(METALS["aluminium"].reflectance, np.float32)
        light = self.rigs[0].look(metal, 0.22, metal * 0.1)
        flat = light[GRID // 2 - 3 : GRID // 2 + 3, GRID // 2 - 3 : GRID // 2 + 3]
        brightest = float(np.quantile(flat.mean(2), 0.9)) * exposure
        return float(np.clip(0.7 / max(brightest, 1e-3), 0.35, 1.0))

    def _ground_albedo(self) -> Floats:
        """The ground as the camera sees it under even, white light of strength 1."""
        tray = self.tray
        flat = tray.albedo * tray.uneven[..., None]
        span = flat.shape[0] / tray.scale
        to_tray = np.array(
            [[1 / tray.scale, 0, -span / 2], [0, 1 / tray.scale, -span / 2], [0, 0, 1]]
        )
        picture: Floats = cv2.warpPerspective(
            flat, tray.camera.plane(0) @ to_tray, (self._columns, self._rows),
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT,
        )
        return picture

    def _light(self, rig: int) -> Floats:
        """The ground's light without coins."""
        usual = self.rigs[0].irradiance()
        if rig == 0:
            return self._albedo * usual
        more = self.rigs[rig].irradiance() - usual
        return self._albedo * (usual + self._lamp_falloff * more)

    def _base(self, lying: Sequence[Lying], rig: int) -> tuple[Floats, Floats]:
        """What lies still, as linear light, and as the lens shows it."""
        picture = self._light(rig)
        self.tray.lights = self.rigs[rig]
        for coin in lying:
            self._throw_shadow(picture, coin, rig)
        for coin in sorted(lying, key=lambda each: each.raised):
            self.tray.lay(picture, coin)
        return picture, self._optics(picture, self._gain)

    def _optics(self, linear: Floats, gain: Floats) -> Floats:
        """Lens and sharpening: linear light to linear values of the sensor."""
        taken = self.tray.development
        picture = cv2.GaussianBlur(linear, (0, 0), max(taken.defocus, 0.2)) * gain
        if taken.sharpening > 0:
            soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
            picture = picture + (picture - soft) * np.float32(taken.sharpening)
        return np.maximum(picture, 0)

    def _throw_shadow(self, picture: Floats, coin: Lying, rig: int) -> None:
        """Darkens the ground round a coin."""
        lost = self._lost(coin.spec.diameter / 2, round(coin.raised * 2) / 2, coin, rig)
        reach = lost.shape[0] // 2
        centre = self.tray.camera.project(np.array([[coin.x, coin.y, 0.0]]))[0]
        x0, y0 = round(float(centre[0])) - reach, round(float(centre[1])) - reach
        left, upper = max(x0, 0), max(y0, 0)
        right = min(x0 + 2 * reach, self._columns)
        lower = min(y0 + 2 * reach, self._rows)
        if left < right and upper < lower:
            part = lost[upper - y0 : lower - y0, left - x0 : right - x0]
            picture[upper:lower, left:right] *= part

    def _lost(self, radius: float, raised: float, coin: Lying, rig: int) -> Floats:
        """What a coin's shadow leaves of the light, with the coin's centre in the middle."""
        key = (radius, raised, coin.spec.thickness, rig)
        if key in self._shadows:
            return self._shadows[key]
        lights = self.rigs[rig]
        scale = self.tray.scale
        top = raised + coin.spec.thickness
        reach = int(radius * scale + 2.6 * top * scale + 10)
        side = 2 * reach
        total = lights.irradiance()
        lost = np.zeros((side, side, 3), np.float32)

        def disc(dx: float, dy: float, grow: float) -> Bytes:
            mask = np.zeros((side, side), np.uint8)
            x, y = reach + dx * top * scale, reach + dy * top * scale
            cv2.circle(mask, (int(x * 16), int(y * 16)), int((radius + grow) * scale * 16), 255,
                       -1, cv2.LINE_AA, 4)
            return mask

        for i in range(lights.lamps):
            d = lights.directions[i]
            soft = cv2.GaussianBlur(
                disc(-float(d[0] / d[2]), -float(d[1] / d[2]), 0), (0, 0), max(0.25 * scale, 0.5)
            )
            lost += (soft.astype(np.float32) / 255)[..., None] * (lights.colours[i] * d[2] / total)
        sky = (lights.colours[lights.lamps :] * lights.directions[lights.lamps :, 2:3]).sum(0)
        near = cv2.GaussianBlur(disc(0, 0, 0.2), (0, 0), max(1.6 * scale, 0.6))
        lost += 0.75 * (near.astype(np.float32) / 255)[..., None] * (sky / total)
        self._shadows[key] = np.maximum(1 - lost, 0.06)
        return self._shadows[key]

    def _dirty(
        self, moving: Sequence[Lying], layers: Sequence[Placed]
    ) -> tuple[int, int, int, int] | None:
        """The part of the canvas that differs from what lies still: left, top, right, bottom."""
        boxes = []
        for coin in moving:
            x, y = self.tray.camera.project(np.array([[coin.x, coin.y, 0.0]]))[0]
            reach = (coin.spec.diameter / 2 + 2.6 * (coin.raised + coin.spec.thickness)) * (
                self.tray.scale
            ) + 16
            boxes.append((x - reach, y - reach, x + reach, y + reach))
        for placed in layers:
            rows, columns = placed.layer.through.shape[:2]
            x, y = placed.x + MARGIN, placed.y + MARGIN
            boxes.append((x, y, x + columns, y + rows))
        if not boxes:
            return None
        sides = np.array(boxes)
        left, top = np.maximum(sides[:, :2].min(0) - 6, 0).astype(int)
        right, bottom = np.minimum(sides[:, 2:].max(0) + 6, [self._columns, self._rows]).astype(int)
        if left >= right or top >= bottom:
            return None
        return int(left), int(top), int(right), int(bottom)

    def _draw_moving(
        self, frame: Bytes, scene: Floats, box: tuple[int, int, int, int],
        moving: Sequence[Lying], layers: Sequence[Placed], rig: int, view: View,
    ) -> None:
        """Draws what moves into the finished `frame`, within `box`."""
        left, top, right, bottom = box
        light = scene if len(moving) == 0 else scene.copy()
        self.tray.lights = self.rigs[rig]
        for coin in moving:
            self._throw_shadow(light, coin, rig)
            self.tray.lay(light, coin)
        part = light[top:bottom, left:right].copy()
        lamps = self.rigs[rig].irradiance()
        for placed in layers:
            where, own = self._meet(placed, 0)
            if where is None:
                continue
            y0, y1, x0, x1 = where
            x0, x1, y0, y1 = x0 - left, x1 - left, y0 - top, y1 - top
            seen = part[y0:y1, x0:x1]
            seen *= placed.layer.through[own]
            seen += placed.layer.own[own] * lamps
        gain = self._gain[top:bottom, left:right]
        if view.shade is not None:
            gain = gain * view.shade[top:bottom, left:right]
        frame[top:bottom, left:right] = encode(self._optics(part, gain) * np.float32(view.exposure))

    def _meet(
        self, placed: Placed, inset: int
    ) -> tuple[tuple[int, int, int, int] | None, tuple[slice, slice]]:
        """Where a layer lies on the canvas less `inset` pixels at each side; and of itself."""
        rows, columns = placed.layer.through.shape[:2]
        x, y = placed.x + MARGIN, placed.y + MARGIN
        x0, y0 = max(x, inset), max(y, inset)
        x1, y1 = min(x + columns, self._columns - inset), min(y + rows, self._rows - inset)
        if x0 >= x1 or y0 >= y1:
            return None, (slice(0), slice(0))
        return (y0, y1, x0, x1), (slice(y0 - y, y1 - y), slice(x0 - x, x1 - x))

    def _window(self, canvas: Bytes, rng: np.random.Generator, view: View) -> Bytes:
        """What the camera sees of the canvas, with the sensor's noise."""
        if view.shift != (0.0, 0.0) or view.turn:
            middle = (self._columns / 2 - view.shift[0], self._rows / 2 - view.shift[1])
            matrix = cv2.getRotationMatrix2D(middle, float(np.degrees(view.turn)), 1.0)
            matrix[:, 2] += [view.shift[0] - MARGIN, view.shift[1] - MARGIN]
            frame = cv2.warpAffine(
                canvas, matrix, (self.width, self.height), borderMode=cv2.BORDER_REFLECT
            )
        else:
            frame = canvas[MARGIN : MARGIN + self.height, MARGIN : MARGIN + self.width]
        dx, dy = int(rng.integers(40)), int(rng.integers(40))
        noise = self._noise[int(rng.integers(len(self._noise)))]
        noise = noise[dy : dy + self.height, dx : dx + self.width]
        result: Bytes = cv2.add(frame, noise, dtype=cv2.CV_8U)
        return result


def _with_lamp(rng: np.random.Generator, rig: LightRig) -> LightRig:
    """The same light with one more lamp on."""
    centre = direction(float(rng.uniform(0, 2 * np.pi)), float(np.radians(rng.uniform(35, 80))))
    strength = float(rig.irradiance().mean() * rng.uniform(0.3, 0.9))
    warm = np.array([1 + rng.normal(0.03, 0.04), 1.0, 1 - rng.normal(0.03, 0.04)], np.float32)
    points = []
    for k in range(5):
        a = 2 * np.pi * k / 5
        d = centre + np.array([np.cos(a), np.sin(a), 0]) * 0.08
        points.append(d / np.linalg.norm(d))
    colours = np.tile(warm * np.float32(strength / 5), (5, 1))
    return LightRig(
        np.concatenate([np.array(points), rig.directions]).astype(np.float32),
        np.concatenate([colours, rig.colours]).astype(np.float32),
        rig.lamps + 5,
    )
