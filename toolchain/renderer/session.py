"""The scene player: what people do to coins on a tray, filmed, with the truth of every frame.

A session is a list of steps by lot from one seed: coins put down, taken away, pushed, poured,
covered; lamps, shadows and exposure changing; the camera knocked. Each frame carries what is so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from .arrays import Bytes
from .coin import wear_of
from .faces import FACES
from .ground import GROUNDS
from .layers import SKINS, hand_layer, soft_shadow, thing_layer
from .scene import Lying, Truth
from .stage import MARGIN, Layer, Placed, Stage, View

RATE = 10
"""Frames a second."""

LEGAL = [name for name, face in FACES.items() if not face.withdrawn]
"""Faces of coins that count."""

TELLING = [name for name in LEGAL if not name.endswith("-garuda")]
"""Those that tell their value by more than their size, as Garuda sides do not."""


@dataclass(frozen=True)
class Moment:
    """What is so in one frame."""

    step: str
    """The name of what is being done."""
    coins: tuple[Truth, ...]
    """Coins on the tray, covered or not; those still in a hand are not."""
    is_at_rest: bool
    """Whether no coin, hand or thing moves and the light is steady."""
    hand: float
    """Share of the picture that a hand covers."""
    is_covered: bool
    """Whether a thing lies over the tray."""

    @property
    def total(self) -> int:
        """Rupiah of legal tender on the tray."""
        return sum(coin.value for coin in self.coins if not coin.withdrawn)


@dataclass(frozen=True)
class Frame:
    """A picture and what is so in it."""

    picture: Bytes
    moment: Moment


@dataclass(frozen=True)
class Cast:
    """What sessions are made of."""

    faces: Sequence[str] = field(default_factory=lambda: TELLING)
    """Faces that are laid, by name."""
    wear: float = 0.35
    """The most worn of them: 0 as struck, 1 worn smooth."""
    is_exposed_for_coins: bool = True
    """Whether the camera is set so that shining metal is not burnt out."""
    grounds: Sequence[str] = ("wood", "stone", "plain")
    """What lies under them, by name."""


HARD = Cast(LEGAL, 0.6, False, tuple(GROUNDS))
"""Any side up, worn coins, patterned cloth and newsprint, and a camera set for the ground alone."""


class Player:
    """Plays steps on a stage; every step yields frames."""

    def __init__(
        self, seed: int, cast: Cast | None = None, width: int = 640, height: int = 480
    ) -> None:
        """Sets the stage by lot."""
        self.rng = np.random.default_rng([7, seed])
        self.cast = cast or Cast()
        rng = self.rng
        self.view = float(rng.uniform(170, 240))
        ground = str(rng.choice(self.cast.grounds))
        self.stage = Stage(
            rng, width, height, self.view, ground, self.cast.is_exposed_for_coins
        )
        self.coins: list[Lying] = []
        self.rig = 0
        self.exposure = 1.0
        self.shift = (0.0, 0.0)
        self.turn = 0.0
        self._shade: np.ndarray | None = None
        self._bearing = float(rng.uniform(0, 2 * np.pi))
        self._skin = SKINS[int(rng.integers(len(SKINS)))]
        self._size = width * float(rng.uniform(0.24, 0.34)) * 200 / self.view
        self._hands: dict[str, tuple[Layer, int]] = {}
        self._step = "rest"

    # Frames

    def _frame(
        self, moving: Sequence[Lying] = (), layers: Sequence[Placed] = (), rests: bool = False,
        is_covered: bool = False, held: int = 0,
    ) -> Frame:
        """One frame; the last `held` of the moving coins are in a hand, not yet on the tray."""
        stage = self.stage
        view = View(self.exposure, self._shade, self.shift, self.turn)
        picture = stage.photograph(self.rng, self.coins, moving, layers, self.rig, view)
        down = [*self.coins, *moving[: len(moving) - held]]
        moment = Moment(
            self._step, tuple(stage.truth(coin) for coin in down), rests,
            round(stage.hand_share(layers), 4), is_covered,
        )
        return Frame(picture, moment)

    def rest(self, frames: int) -> Iterator[Frame]:
        """Nothing happens."""
        for _ in range(frames):
            yield self._frame(rests=True)

    # Coins

    def _coin(self) -> Lying | None:
        """A coin by lot at a free place, or none where there is no room."""
        rng = self.rng
        face = str(rng.choice(list(self.cast.faces)))
        seed = int(rng.integers(2**31))
        while wear_of(seed) > self.cast.wear:
            seed = int(rng.integers(2**31))
        return self._at_free_place(Lying(face, 0, 0, float(rng.uniform(0, 2 * np.pi)), seed))

    def _at_free_place(self, coin: Lying, others: Sequence[Lying] = ()) -> Lying | None:
        across = self.view * 0.86 - coin.spec.diameter
        down = self.view * 0.75 * 0.84 - coin.spec.diameter
        radius = coin.spec.diameter / 2
        taken = [*self.coins, *others]
        for _ in range(200):
            x = float(self.rng.uniform(-across / 2, across / 2))
            y = float(self.rng.uniform(-down / 2, down / 2))
            if taken and self.rng.random() < 0.25:
                near = taken[int(self.rng.integers(len(taken)))]
                a = self.rng.uniform(0, 2 * np.pi)
                reach = radius + near.spec.diameter / 2 + 0.3
                x, y = near.x + reach * float(np.cos(a)), near.y + reach * float(np.sin(a))
            if abs(x) > across / 2 or abs(y) > down / 2:
                continue
            if all(
                np.hypot(x - other.x, y - other.y) > radius + other.spec.diameter / 2 + 0.2
                for other in taken
            ):
                return replace(coin, x=x, y=y)
        return None

    def lay(self, count: int) -> None:
        """Puts coins down before the film begins."""
        for _ in range(count):
            coin = self._coin()
            if coin is not None:
                self.coins.append(coin)

    # Hands

    def _hand(self, pose: str) -> tuple[Layer, int]:
        if pose not in self._hands:
            self._hands[pose] = hand_layer(self._bearing, self._size, self._skin, pose)
        return self._hands[pose]

    def _place_hand(self, x: float, y: float, away: float, pose: str) -> Placed:
        """A hand at a point of the tray in millimetres, drawn back by `away` pixels."""
        layer, middle = self._hand(pose)
        px, py = self.stage.pixel(x, y)
        px += away * np.cos(self._bearing)
        py += away * np.sin(self._bearing)
        return Placed(layer, int(px) - middle, int(py) - middle, True)

    def _approach(self, x: float, y: float, frames: int) -> list[float]:
        """Distances of what comes in to a point of the tray, from just outside the picture to 0."""
        px, py = self.stage.pixel(x, y)
        far = self._size * 0.7
        while (
            -MARGIN < px + far * np.cos(self._bearing) < self.stage.width + MARGIN
            and -MARGIN < py + far * np.sin(self._bearing) < self.stage.height + MARGIN
        ):
            far += 20
        far += self._size * 0.7
        return [far * (1 - (i / frames) ** 0.7) for i in range(frames)]

    def _paces(self) -> int:
        return int(self.rng.integers(4, 8))

    def _shifted(self, coin: Lying, away: float) -> Lying:
        """A coin drawn back with the hand that holds it, 3 cm above the tray at most."""
        mm = away / self.stage.tray.scale
        return replace(
            coin, x=coin.x + mm * float(np.cos(self._bearing)),
            y=coin.y + mm * float(np.sin(self._bearing)), raised=min(mm * 0.1, 3.0),
        )

    def put(self) -> Iterator[Frame]:
        """A hand puts a coin down."""
        coin = self._coin()
        if coin is None:
            return
        self._step = "put"
        for away in [*self._approach(coin.x, coin.y, self._paces()), 0.0]:
            hand = self._place_hand(coin.x, coin.y, away, "pinch")
            yield self._frame([self._shifted(coin, away)], [hand], held=1)
        self.coins.append(coin)
        yield from self._leave(coin.x, coin.y, "pinch")

    def _leave(self, x: float, y: float, pose: str) -> Iterator[Frame]:
        """The hand goes away."""
        lingers = int(self.rng.integers(0, 4)) if self.rng.random() < 0.4 else 0
        for _ in range(lingers):
            yield self._frame((), [self._place_hand(x, y, 0, pose)])
        for away in reversed(self._approach(x, y, self._paces())):
            yield self._frame((), [self._place_hand(x, y, away, pose)])

    def take(self) -> Iterator[Frame]:
        """A hand takes a coin away."""
        if not self.coins:
            return
        self._step = "take"
        coin = self.coins[int(self.rng.integers(len(self.coins)))]
        for away in [*self._approach(coin.x, coin.y, self._paces()), 0.0]:
            yield self._frame((), [self._place_hand(coin.x, coin.y, away, "pinch")])
        self.coins.remove(coin)
        for away in reversed(self._approach(coin.x, coin.y, self._paces())):
            hand = self._place_hand(coin.x, coin.y, away, "pinch")
            yield self._frame([self._shifted(coin, away)], [hand], held=1)

    def slide(self) -> Iterator[Frame]:
        """A finger pushes a coin somewhere else, turning it a little."""
        if not self.coins:
            return
        self._step = "slide"
        coin = self.coins[int(self.rng.integers(len(self.coins)))]
        self.coins.remove(coin)
        there = self._at_free_place(coin)
        if there is None:
            self.coins.append(coin)
            return
        for away in self._approach(coin.x, coin.y, self._paces()):
            hand = self._place_hand(coin.x, coin.y, away, "pinch")
            yield self._frame([coin], [hand])
        turned = replace(there, angle=coin.angle + float(self.rng.uniform(-0.8, 0.8)))
        paces = int(self.rng.integers(4, 9))
        for i in range(1, paces + 1):
            # Blocked by none: a finger lifts a coin over others.
            share = i / paces
            now = replace(
                coin if share < 0.5 else turned, x=coin.x + (there.x - coin.x) * share,
                y=coin.y + (there.y - coin.y) * share,
            )
            yield self._frame([now], [self._place_hand(now.x, now.y, 0, "pinch")])
        self.coins.append(turned)
        yield from self._leave(turned.x, turned.y, "pinch")

    def flick(self) -> Iterator[Frame]:
        """Coins slide in from the side and come to rest, no hand in view."""
        self._step = "flick"
        yield from self._slide_in([self._coin()], (1.0, 1.0))

    def pour(self) -> Iterator[Frame]:
        """A handful of coins at once, rolling apart."""
        self._step = "pour"
        new: list[Lying] = []
        for _ in range(int(self.rng.integers(3, 8))):
            coin = self._coin()
            placed = self._at_free_place(coin, new) if coin is not None else None
            if placed is not None:
                new.append(placed)
        yield from self._slide_in(new, (0.0, 0.25))

    def _slide_in(
        self, coins: Sequence[Lying | None], begins: tuple[float, float]
    ) -> Iterator[Frame]:
        """Coins come from a point (near the middle, or beyond the edge) to their places."""
        coming = [coin for coin in coins if coin is not None]
        rng = self.rng
        bearing = float(rng.uniform(0, 2 * np.pi))
        distance = self.view * (0.75 if begins[0] >= 1 else float(rng.uniform(*begins)))
        start = (distance * float(np.cos(bearing)), distance * float(np.sin(bearing)))
        delays = [int(rng.integers(0, 4)) for _ in coming]
        lengths = [int(rng.integers(3, 7)) for _ in coming]
        for i in range(max((d + n for d, n in zip(delays, lengths, strict=True)), default=0)):
            moving, arrived = [], []
            for coin, delay, length in zip(coming, delays, lengths, strict=True):
                share = (i + 1 - delay) / length
                if share <= 0:
                    continue
                ease = 1 - (1 - min(share, 1)) ** 2
                spot = (start[0] + (coin.x - start[0]) * ease,
                        start[1] + (coin.y - start[1]) * ease)
                moved = replace(coin, x=spot[0], y=spot[1])
                (arrived if share >= 1 else moving).append(moved)
            yield self._frame([*arrived, *moving])
        self.coins.extend(coming)

    # Covering

    def cover(self) -> Iterator[Frame]:
        """A flat hand comes, lies still over coins, and goes again."""
        self._step = "cover"
        x, y = self._spot()
        for away in self._approach(x, y, self._paces()):
            yield self._frame((), [self._place_hand(x, y, away, "flat")])
        hand = self._place_hand(x, y, 0, "flat")
        trembles = self.rng.random() < 0.4
        for i in range(int(self.rng.integers(8, 22))):
            if trembles and i % 3 == 0:
                step = self.rng.integers(-1, 2, 2)
                hand = replace(hand, x=hand.x + int(step[0]), y=hand.y + int(step[1]))
            yield self._frame((), [hand])
        for away in reversed(self._approach(x, y, self._paces())):
            yield self._frame((), [self._place_hand(x, y, away, "flat")])

    def _spot(self) -> tuple[float, float]:
        """Over a coin if there is one."""
        if self.coins and self.rng.random() < 0.8:
            coin = self.coins[int(self.rng.integers(len(self.coins)))]
            return coin.x, coin.y
        return float(self.rng.uniform(-60, 60)), float(self.rng.uniform(-45, 45))

    def thing(self) -> Iterator[Frame]:
        """A sheet, a card or a cup is laid over the tray and taken away again."""
        self._step = "thing"
        rng = self.rng
        wide = self.stage.width * float(rng.uniform(0.22, 0.5))
        layer, mx, my = thing_layer(rng, wide, wide * float(rng.uniform(0.5, 0.9)))
        spot = self._spot()
        x, y = self.stage.pixel(*spot)
        bearing = self._bearing
        path = [away + wide * 0.5 * (away > 0) for away in self._approach(*spot, self._paces())]

        def place(away: float) -> Placed:
            return Placed(layer, int(x + away * np.cos(bearing)) - mx,
                          int(y + away * np.sin(bearing)) - my, False)

        for away in path:
            yield self._frame((), [place(away)], is_covered=True)
        for _ in range(int(rng.integers(8, 22))):
            yield self._frame((), [place(0)], is_covered=True)
        for away in reversed(path):
            yield self._frame((), [place(away)], is_covered=True)

    # Light

    def _adapt(self, target: float, frames: int) -> Iterator[Frame]:
        """Auto-exposure goes to `target` in steps."""
        start = self.exposure
        for i in range(1, frames + 1):
            self.exposure = start * (target / start) ** (i / frames)
            yield self._frame()

    def lamp(self) -> Iterator[Frame]:
        """A lamp goes on or off; the exposure follows."""
        self._step = "lamp"
        before = float(self.stage.rigs[self.rig].irradiance().mean())
        self.rig = 1 - self.rig
        after = float(self.stage.rigs[self.rig].irradiance().mean())
        yield self._frame()
        yield self._frame()
        target = self.exposure * (before / after) ** float(self.rng.uniform(0.7, 1))
        yield from self._adapt(target, int(self.rng.integers(1, 6)))

    def expose(self) -> Iterator[Frame]:
        """The exposure steps to another value."""
        self._step = "expose"
        step = float(self.rng.uniform(0.25, 0.6) * self.rng.choice([-1, 1]))
        target = float(np.clip(self.exposure * 2**step, 0.6, 1.6))
        yield from self._adapt(target, int(self.rng.integers(1, 5)))

    def shadow(self) -> Iterator[Frame]:
        """Someone leans over: a soft shadow comes and goes."""
        self._step = "shadow"
        rng = self.rng
        rows, columns = self.stage.height + 2 * MARGIN, self.stage.width + 2 * MARGIN
        depth, penumbra = float(rng.uniform(0.2, 0.5)), float(rng.uniform(90, 200))
        bearing = float(rng.uniform(0, 2 * np.pi))
        most = float(rng.uniform(0.4, 1.0))
        seed = int(rng.integers(2**31))
        paces = int(rng.integers(4, 8))
        shares = [most * i / paces for i in range(1, paces + 1)]
        stays = int(rng.integers(3, 16))
        for share in [*shares, *([most] * stays), *reversed(shares)]:
            self._shade = soft_shadow(
                np.random.default_rng(seed), rows, columns, depth, share, bearing, penumbra
            )
            yield self._frame()
        self._shade = None

    # Camera

    def knock(self) -> Iterator[Frame]:
        """The camera is knocked and stays a little askew."""
        self._step = "knock"
        rng = self.rng
        a = float(rng.uniform(0, 2 * np.pi))
        length = float(rng.uniform(4, 26))
        goal = (float(np.clip(self.shift[0] + length * np.cos(a), -28, 28)),
                float(np.clip(self.shift[1] + length * np.sin(a), -28, 28)))
        turn = float(np.clip(self.turn + rng.normal(0, 0.008), -0.02, 0.02))
        start = (self.shift, self.turn)
        for swing in (0.7, 1.3, 0.9, 1.0)[int(rng.integers(0, 3)):]:
            self.shift = (start[0][0] + (goal[0] - start[0][0]) * swing,
                          start[0][1] + (goal[1] - start[0][1]) * swing)
            self.turn = start[1] + (turn - start[1]) * swing
            yield self._frame()

    def shake(self) -> Iterator[Frame]:
        """The table shakes for a moment."""
        self._step = "shake"
        shift, turn = self.shift, self.turn
        for _ in range(int(self.rng.integers(4, 11))):
            step = self.rng.normal(0, 3.0, 2)
            self.shift = (shift[0] + float(step[0]), shift[1] + float(step[1]))
            yield self._frame()
        self.shift, self.turn = shift, turn


STEPS: dict[str, tuple[float, Callable[[Player], Iterator[Frame]]]] = {
    "put": (3.0, Player.put),
    "take": (2.0, Player.take),
    "slide": (1.2, Player.slide),
    "flick": (1.2, Player.flick),
    "pour": (1.2, Player.pour),
    "cover": (1.5, Player.cover),
    "thing": (1.0, Player.thing),
    "lamp": (1.0, Player.lamp),
    "expose": (0.8, Player.expose),
    "shadow": (0.8, Player.shadow),
    "knock": (1.0, Player.knock),
    "shake": (0.5, Player.shake),
}
"""How often each step is drawn, and what it does."""


def session(
    seed: int, cast: Cast | None = None, steps: Sequence[str] | None = None
) -> Iterator[Frame]:
    """Plays one session: steps by lot, or those given, with rests between.

    Coins lie there from the start in most sessions. Steps go on until about seven seconds are
    over, and the last of them is followed by a rest.
    """
    player = Player(seed, cast)
    rng = player.rng
    player.lay(int(rng.integers(0, 6)))
    count = 0
    for frame in player.rest(int(rng.integers(8, 13))):
        count += 1
        yield frame
    names = list(STEPS)
    weights = np.array([STEPS[name][0] for name in names])
    weights /= weights.sum()
    done = 0
    while done < len(steps) if steps is not None else count < 55:
        chosen = steps[done] if steps is not None else str(rng.choice(names, p=weights))
        done += 1
        for frame in STEPS[chosen][1](player):
            count += 1
            yield frame
        for frame in player.rest(int(rng.integers(9, 14))):
            count += 1
            yield frame


def as_yuv(picture: Bytes) -> bytes:
    """A frame of a YUV4MPEG2 stream, 4:2:0, full range left to the header."""
    return b"FRAME\n" + cv2.cvtColor(picture, cv2.COLOR_RGB2YUV_I420).tobytes()


def header(width: int, height: int, rate: int = RATE) -> bytes:
    """The first line of a YUV4MPEG2 stream whose frames `as_yuv` makes."""
    return f"YUV4MPEG2 W{width} H{height} F{rate}:1 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n".encode()
