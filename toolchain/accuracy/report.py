"""Prints the scores as tables."""

from __future__ import annotations

from accuracy.score import MISSED, RIGHT, UNSURE, WRONG, PictureScore, Tally, confusion, tally
from accuracy.statistics import Bin, calibration_error, reliability, wilson

_HEAD = (
    f"{'':24s} {'photos':>6s} {'coins':>5s} {'found':>5s} {'missed':>6s} {'invented':>8s} "
    f"| {'rupiah':>6s} {'right':>5s} {'wrong':>5s} {'unsure':>6s} "
    f"| {'other':>5s} {'named':>5s} | {'exact':>5s} {'misled':>6s}"
)


def _row(name: str, sums: Tally) -> str:
    rupiah, other = sums.rupiah, sums.other
    return (
        f"{name:24s} {sums.pictures:6d} {sums.coins:5d} {sums.found:5d} "
        f"{sums.coins - sums.found:6d} {sums.invented:8d} "
        f"| {rupiah.total():6d} {rupiah[RIGHT]:5d} {rupiah[WRONG]:5d} {rupiah[UNSURE]:6d} "
        f"| {other.total():5d} {other[WRONG]:5d} | {sums.exact:5d} {sums.misled:6d}"
    )


def _share(successes: int, trials: int) -> str:
    low, high = wilson(successes, trials)
    share = successes / trials if trials else 0.0
    return f"{100 * share:5.1f} %  ({100 * low:.1f} to {100 * high:.1f}), {successes} of {trials}"


def print_sources(scores: list[PictureScore]) -> None:
    """One row a source, and all together."""
    print(_HEAD)
    for source in sorted({s.truth.source for s in scores}):
        print(_row(source, tally([s for s in scores if s.truth.source == source])))
    print(_row("all", tally(scores)))


def print_counters(answers: dict[str, list[PictureScore]]) -> None:
    """One row a counter, on all pictures."""
    print(_HEAD)
    for name, scores in answers.items():
        print(_row(name, tally(scores)))


def print_shares(scores: list[PictureScore]) -> None:
    """The shares that matter, with 95 % Wilson intervals; a coin photographed twice counts once."""
    sums = tally(scores)
    once = sums.rupiah_once
    rupiah = [s for s in scores if any(c.truth.value for c in s.coins)]
    empty = [s for s in scores if not any(c.truth.value for c in s.coins)]
    print("95 % Wilson intervals; a coin photographed twice counts once, with its worse outcome")
    print(f"  coins found               {_share(sums.found_once, sums.groups)}")
    print(f"  rupiah valued right       {_share(once[RIGHT], once.total())}")
    print(f"  rupiah valued wrong       {_share(once[WRONG], once.total())}")
    print(f"  rupiah unsure             {_share(once[UNSURE], once.total())}")
    print(f"  rupiah missed             {_share(once[MISSED], once.total())}")
    print(f"  other coins named         {_share(sums.other[WRONG], sums.other.total())}")
    print(f"  exact total, all photos   {_share(sums.exact, sums.pictures)}")
    print(f"    with rupiah in them     {_share(sum(s.exact for s in rupiah), len(rupiah))}")
    print(f"    without: total is 0     {_share(sum(s.exact for s in empty), len(empty))}")
    print(f"  wrong total, none unsure  {_share(sums.misled, sums.pictures)}")
    print(f"  invented per 100 photos   {100 * sums.invented / max(1, sums.pictures):5.1f}")


def _order(name: str) -> tuple[int, int, str]:
    digits = name.rstrip("w")
    return (0, int(digits), name) if digits.isdigit() else (1, 0, name)


def print_confusion(scores: list[PictureScore]) -> None:
    """Truth down, answers across; "w" marks withdrawn coins."""
    table = confusion(scores)
    rows = sorted({truth for truth, _ in table}, key=_order)
    columns = sorted({said for _, said in table}, key=_order)
    print(f"{'truth / said':>12s} " + " ".join(f"{name:>7s}" for name in columns))
    for row in rows:
        cells = (str(table[row, column] or ".") for column in columns)
        print(f"{row:>12s} " + " ".join(f"{cell:>7s}" for cell in cells))


def named_confidences(scores: list[PictureScore]) -> tuple[list[float], list[bool]]:
    """Confidence of every coin that was given a value, and whether that was right."""
    confidences, right = [], []
    for picture in scores:
        for coin in picture.coins:
            if coin.found is not None and coin.found.value:
                confidences.append(coin.found.confidence)
                right.append(coin.outcome == RIGHT)
        for find in picture.invented:
            if find.value:
                confidences.append(find.confidence)
                right.append(False)
    return confidences, right


def print_reliability(confidences: list[float], right: list[bool]) -> list[Bin]:
    """The reliability curve of the named coins as a table."""
    bins = reliability(confidences, right)
    print(f"{'confidence':>14s} {'coins':>6s} {'mean':>6s} {'right':>6s}")
    for b in bins:
        share = b.right / b.count
        print(f"{b.low:6.2f} to {b.high:4.2f} {b.count:6d} {b.confidence:6.3f} {share:6.3f}")
    print(f"expected calibration error {calibration_error(bins):.3f}")
    return bins


TARGETS = "found 99 %, invented 1 per 100, right 97 %, wrong 1 %, exact 95 %, no money where none"


def missed_targets(scores: list[PictureScore]) -> list[str]:
    """Which of the figures to reach were not."""
    sums = tally(scores)
    rupiah = max(1, sums.rupiah.total())
    without = [s for s in scores if not any(c.truth.value for c in s.coins)]
    checks = {
        "coins found below 99 %": sums.found < 0.99 * sums.coins,
        "more than 1 invented coin per 100 photographs": sums.invented > 0.01 * sums.pictures,
        "valued right below 97 %": sums.rupiah[RIGHT] < 0.97 * rupiah,
        "valued wrong above 1 %": sums.rupiah[WRONG] > 0.01 * rupiah,
        "exact totals, of all photographs, below 95 %": sums.exact < 0.95 * sums.pictures,
        "a photograph without rupiah has a total": any(s.total for s in without),
        "a photograph could not be counted": any(s.total is None for s in scores),
    }
    return [name for name, failed in checks.items() if failed]
