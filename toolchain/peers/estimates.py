"""Cycles and milliseconds of our kernels on the boards, from counted instructions and loops."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from peers.loops import Loop, busiest_loop, cycles, inner_loops

REPOSITORY = Path(__file__).resolve().parents[2]
KERNELS = REPOSITORY / "Sources/CKernels"


@dataclass(frozen=True)
class Board:
    """A board: its core for qemu and for llvm-mca, our kernel, clock, and the frame's budget."""

    name: str
    core: str
    model: str
    kernel: str
    gigahertz: float
    budget: float  # milliseconds
    # Cycles of an instruction outside the innermost loops: an assumption.
    other: float
    # ncnn's published MobileNet int8, 224 x 224, one thread: multiply-accumulates a cycle.
    published: float


BOARDS = [
    Board("Pi Zero 2 W", "cortex-a53", "cortex-a53", "neon", 1.0, 1000 / 30, 1.0, 2.2),
    Board("Pi 3B+", "cortex-a53", "cortex-a53", "neon", 1.4, 1000 / 30, 1.0, 2.2),
    Board("Pi 4", "cortex-a72", "cortex-a72", "neon", 1.8, 1000 / 60, 0.6, 3.7),
    Board("Pi 5", "cortex-a76", "neoverse-n1", "dotprod", 2.4, 1000 / 200, 0.4, 16.4),
]


@dataclass(frozen=True)
class Work:
    """What a network, or several, multiply."""

    # Of the convolutions; we leave out rows of padding.
    products: int
    # Of these, what is computed directly.
    directly: int
    # Products of transformed elements that take the place of the others.
    words: int

    @staticmethod
    def of_operators(pairs: list[tuple[int, ...]]) -> Work:
        """Of products, and of those done in their place in tiles, of each operator."""
        return Work(
            sum(pair[0] for pair in pairs),
            sum(pair[0] for pair in pairs if pair[1] == 0),
            sum(pair[1] for pair in pairs),
        )

    def __add__(self, other: Work) -> Work:
        return Work(
            self.products + other.products,
            self.directly + other.directly,
            self.words + other.words,
        )


@dataclass(frozen=True)
class Estimate:
    """Instructions counted and cycles estimated for one piece of work on one board."""

    instructions: int
    products: int
    cycles: float

    def milliseconds(self, board: Board) -> float:
        """At the board's clock."""
        return self.cycles / board.gigahertz * 1e-6


@dataclass(frozen=True)
class Kernel:
    """The innermost loops of a board's kernels, each with its core's cycles of one turn."""

    direct: tuple[Loop, float]
    in_tiles: tuple[Loop, float] | None

    @staticmethod
    def of(board: Board, mca: Path) -> Kernel:
        """That of a board."""
        loops = inner_loops(KERNELS / f"{board.kernel}.c", KERNELS / "include")
        found = [busiest_loop(loops)]
        if any(loop.is_of_words for loop in loops):
            found.append(busiest_loop(loops, of_words=True))
        timed = [(loop, cycles(mca, loop, board.model)) for loop in found]
        return Kernel(timed[0], timed[1] if len(timed) > 1 else None)


def estimate(count: int, work: Work, kernel: Kernel, board: Board) -> Estimate:
    """Cycles of the innermost loops by the core's model, others by what one is assumed to take."""
    parts = [(work.directly, kernel.direct)]
    if work.words > 0:
        if kernel.in_tiles is None:
            raise ValueError(f"{board.kernel}.c has no loop for convolutions in tiles")
        parts.append((work.words, kernel.in_tiles))
    taken = 0.0
    others = float(count)
    for products, (loop, loop_cycles) in parts:
        turns = products / loop.products
        taken += turns * loop_cycles
        others -= turns * len(loop.lines)
    return Estimate(count, work.products, taken + max(0.0, others) * board.other)
