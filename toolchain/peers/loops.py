"""The innermost loops of the convolutions, and what a model of a core says of them.

`llvm-mca` reads the loop's instructions and simulates the core's pipelines: issue, latencies and
throughput, with every load from the first-level cache.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Multiply-accumulates of one instruction; of words it does four.
_PRODUCTS = {"smull": 8, "smull2": 8, "smlal": 8, "smlal2": 8, "sdot": 16, "smmla": 32}
_OF_WORDS = re.compile(r"(?:smull|smlal)2?\s+v\d+\.4s,")
_LABEL = re.compile(r"^(\.?\w+):")
_BRANCH = re.compile(r"^\s+(?:b(?:\.\w+)?|cbn?z\s+\w+,|tbn?z\s.*,)\s*(\.?\w+)")


@dataclass(frozen=True)
class Loop:
    """A loop without others in it."""

    kernel: str
    lines: tuple[str, ...]

    @property
    def products(self) -> int:
        """Multiply-accumulates of one turn."""
        return sum(
            4 if _OF_WORDS.match(line) else _PRODUCTS.get(line.split()[0], 0)
            for line in self.lines
        )

    @property
    def is_of_words(self) -> bool:
        """Whether it multiplies words: elements transformed for convolutions in tiles."""
        return any(_OF_WORDS.match(line) for line in self.lines)

    def count(self, name: str) -> int:
        """How often an instruction is in it."""
        return sum(line.split()[0] == name for line in self.lines)


def inner_loops(source: Path, include: Path) -> list[Loop]:
    """All loops of a kernel's file without others in them."""
    command = ["clang", "--target=aarch64-linux-gnu", "-std=c23", "-O3", "-S", "-o", "-"]
    listing = subprocess.run(
        [*command, f"-I{include}", str(source)], capture_output=True, text=True, check=True
    ).stdout
    return loops_of(source.stem, listing)


def loops_of(kernel: str, listing: str) -> list[Loop]:
    """The loops without others in them of a listing in assembly."""
    lines: list[str] = []
    labels: dict[str, int] = {}
    found: list[range] = []
    for line in listing.splitlines():
        if label := _LABEL.match(line):
            labels[label[1]] = len(lines)
            continue
        text = line.split("//")[0].strip()
        if not text or text.startswith((".", "#")):
            continue
        lines.append(text)
        if branch := _BRANCH.match("  " + text):
            # A label that is a number is followed by where it is, before or after.
            name = branch[1]
            number = re.fullmatch(r"(\d+)([bf])", name)
            begin = labels.get(number[1] if number else name)
            if begin is not None and not (number and number[2] == "f"):
                found.append(range(begin, len(lines)))
    return [
        Loop(kernel, tuple(lines[loop.start : loop.stop]))
        for loop in found
        if not any(
            other != loop and loop.start <= other.start and other.stop <= loop.stop
            for other in found
        )
    ]


def busiest_loop(loops: list[Loop], of_words: bool = False) -> Loop:
    """The loop with the most multiply-accumulates, of bytes or of words."""
    return max(
        (loop for loop in loops if loop.is_of_words == of_words), key=lambda loop: loop.products
    )


def cycles(mca: Path, loop: Loop, core: str, turns: int = 200) -> float:
    """Cycles of one turn on a core, by its model."""
    body = list(loop.lines)
    body[-1] = re.sub(r"(\.?\w+)$", "again", body[-1])
    text = "again:\n" + "\n".join(body) + "\n"
    # Debian's package, unpacked and not installed, finds its library beside it.
    libraries = mca.parents[1] / "lib"
    paths = f"{libraries / 'x86_64-linux-gnu'}:{libraries / 'llvm-19/lib'}"
    command = [str(mca), "-mtriple=aarch64-linux-gnu", f"-mcpu={core}", f"-iterations={turns}"]
    environment = {**os.environ, "LD_LIBRARY_PATH": paths}
    result = subprocess.run(
        command, input=text, capture_output=True, text=True, check=False, env=environment
    )
    found = re.search(r"Total Cycles:\s+(\d+)", result.stdout)
    if found is None:
        raise SystemExit(f"llvm-mca says nothing of {core}: {result.stderr[-400:]}")
    return int(found[1]) / turns
