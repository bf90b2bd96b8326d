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

# Multiply-accumulates of one instruction.
_PRODUCTS = {"smull": 8, "smull2": 8, "smlal": 8, "smlal2": 8, "sdot": 16, "smmla": 32}
_LABEL = re.compile(r"^(\.?\w+):")
_BRANCH = re.compile(r"^\s+(?:b\.\w+|cbn?z\s+\w+,|tbn?z\s.*,)\s*(\.?\w+)")


@dataclass(frozen=True)
class Loop:
    """A loop without others in it."""

    kernel: str
    lines: tuple[str, ...]

    @property
    def products(self) -> int:
        """Multiply-accumulates of one turn."""
        return sum(_PRODUCTS.get(line.split()[0], 0) for line in self.lines)


def busiest_loop(source: Path, include: Path) -> Loop:
    """The loop of a kernel's file with the most multiply-accumulates an instruction."""
    command = ["clang", "--target=aarch64-linux-gnu", "-std=c23", "-O3", "-S", "-o", "-"]
    listing = subprocess.run(
        [*command, f"-I{include}", str(source)], capture_output=True, text=True, check=True
    ).stdout
    best = Loop(source.stem, ())
    block: list[str] = []
    label = ""
    for line in listing.splitlines():
        if found := _LABEL.match(line):
            label, block = found[1], []
            continue
        text = line.split("//")[0].strip()
        if not text or text.startswith((".", "#")):
            continue
        block.append(text)
        branch = _BRANCH.match("  " + text)
        if branch and branch[1] in (label, label + "b"):
            loop = Loop(source.stem, tuple(block))
            if loop.products > best.products:
                best = loop
    return best


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
