"""Scores a counter's answers against the truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from accuracy.counters import Counted
from accuracy.matching import FoundCoin, match
from accuracy.truth import TrueCoin, TruePicture

RIGHT, WRONG, UNSURE, MISSED = "right", "wrong", "unsure", "missed"
_WORST_FIRST = (WRONG, MISSED, UNSURE, RIGHT)


@dataclass(frozen=True)
class CoinScore:
    """What became of one true coin."""

    truth: TrueCoin
    found: FoundCoin | None
    outcome: str
    """right, wrong, unsure or missed; a coin that must not be named is right when it isn't."""


@dataclass(frozen=True)
class PictureScore:
    """What became of one picture."""

    truth: TruePicture
    coins: list[CoinScore]
    invented: list[FoundCoin]
    total: int | None
    """The total said; None when the counter failed on the picture."""

    @property
    def exact(self) -> bool:
        """Whether the total is the money in the picture."""
        return self.total == self.truth.total

    @property
    def misled(self) -> bool:
        """A wrong total said without any coin marked unsure: the promise broken."""
        unsure = any(c.found is not None and c.found.value == 0 for c in self.coins)
        return self.total is not None and not self.exact and not unsure

    @property
    def faulty(self) -> bool:
        """Whether someone should look at the picture."""
        return not self.exact or bool(self.invented) or any(c.outcome != RIGHT for c in self.coins)


def judge(truth: TrueCoin, found: FoundCoin | None) -> str:
    """The outcome of one coin.

    A value without the right "withdrawn" is wrong, since the total is.
    """
    if found is None:
        return MISSED
    if truth.value == 0:
        return RIGHT if found.value == 0 else WRONG
    if found.value == 0:
        return UNSURE
    same = found.value == truth.value and found.withdrawn == truth.face.withdrawn
    return RIGHT if same else WRONG


def score(truth: list[TruePicture], counted: Counted) -> list[PictureScore]:
    """Scores every picture."""
    scores = []
    for picture in truth:
        total, found = counted[picture.name]
        matched, invented = match(picture.coins, found)
        coins = []
        for index, coin in enumerate(picture.coins):
            find = found[matched[index]] if index in matched else None
            coins.append(CoinScore(coin, find, judge(coin, find)))
        scores.append(PictureScore(picture, coins, [found[j] for j in invented], total))
    return scores


@dataclass
class Tally:
    """Sums over the pictures of one source, or of all."""

    pictures: int = 0
    exact: int = 0
    misled: int = 0
    invented: int = 0
    rupiah: Counter[str] = field(default_factory=Counter)
    """Outcomes of the coins that have a value."""
    other: Counter[str] = field(default_factory=Counter)
    """Outcomes of foreign coins and others that must not be named."""
    rupiah_once: Counter[str] = field(default_factory=Counter)
    """As `rupiah`, a coin photographed twice counted once, with its worse outcome."""
    found_once: int = 0
    groups: int = 0
    """Different coins."""

    @property
    def coins(self) -> int:
        """All coins."""
        return self.rupiah.total() + self.other.total()

    @property
    def found(self) -> int:
        """Coins found, named or not."""
        return self.coins - self.rupiah[MISSED] - self.other[MISSED]


def tally(scores: list[PictureScore]) -> Tally:
    """Sums the scores up."""
    sums = Tally()
    once: dict[str, str] = {}
    found_once: dict[str, bool] = {}
    for picture in scores:
        sums.pictures += 1
        sums.exact += picture.exact
        sums.misled += picture.misled
        sums.invented += len(picture.invented)
        for coin in picture.coins:
            group = coin.truth.group
            found_once[group] = found_once.get(group, True) and coin.outcome != MISSED
            if coin.truth.value:
                sums.rupiah[coin.outcome] += 1
                known = once.get(group, RIGHT)
                once[group] = min(known, coin.outcome, key=_WORST_FIRST.index)
            else:
                sums.other[coin.outcome] += 1
    sums.rupiah_once = Counter(once.values())
    sums.found_once = sum(found_once.values())
    sums.groups = len(found_once)
    return sums


def value_name(value: int, withdrawn: bool) -> str:
    """How a value is written in the confusion table."""
    if value == 0:
        return "other"
    return f"{value}w" if withdrawn else str(value)


def confusion(scores: list[PictureScore]) -> Counter[tuple[str, str]]:
    """(truth, said) -> coins; "missed" among what was said, "nothing" among the truths."""
    table: Counter[tuple[str, str]] = Counter()
    for picture in scores:
        for coin in picture.coins:
            truth = value_name(coin.truth.value, coin.truth.face.withdrawn)
            said = MISSED
            if coin.found is not None:
                said = value_name(coin.found.value, coin.found.withdrawn)
                said = UNSURE if said == "other" else said
            table[truth, said] += 1
        for find in picture.invented:
            said = value_name(find.value, find.withdrawn)
            table["nothing", UNSURE if said == "other" else said] += 1
    return table
