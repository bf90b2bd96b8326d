"""What both trainers share: a time budget, the learning rate, averaged weights, checkpoints."""

from __future__ import annotations

import copy
import math
import sys
import time
from pathlib import Path
from typing import Any, TextIO

import torch
from torch import nn


class AveragedWeights:
    """An exponential average of a module's weights and statistics."""

    def __init__(self, module: nn.Module) -> None:
        self.module = copy.deepcopy(module).eval()
        self.steps = 0

    @torch.no_grad()
    def update(self, module: nn.Module, decay: float = 0.999) -> None:
        """Moves the average a little towards `module`, faster at the start."""
        self.steps += 1
        keep = min(decay, (1 + self.steps) / (10 + self.steps))
        new = module.state_dict()
        for name, value in self.module.state_dict().items():
            if value.dtype.is_floating_point:
                value.lerp_(new[name], 1 - keep)
            else:
                value.copy_(new[name])


class Budget:
    """Minutes of training: how far it is, the learning rate there, and a line of progress."""

    def __init__(self, minutes: float, log: Path, *, spent: float = 0.0) -> None:
        self.seconds = minutes * 60
        self.start = time.monotonic() - spent
        log.parent.mkdir(parents=True, exist_ok=True)
        self._log: TextIO = log.open("a", buffering=1)

    @property
    def spent(self) -> float:
        """Seconds trained, over all runs."""
        return time.monotonic() - self.start

    @property
    def fraction(self) -> float:
        """0 at the start, 1 when the time is up."""
        return min(1.0, self.spent / self.seconds)

    def rate(self, highest: float, warm: float = 0.03) -> float:
        """A linear rise and a cosine fall of the learning rate."""
        done = self.fraction
        if done < warm:
            return highest * (0.05 + 0.95 * done / warm)
        return highest * (0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * (done - warm) / (1 - warm))))

    def show(self, step: int, text: str) -> None:
        """A progress bar with the time left, on the terminal and in the log."""
        left = max(0.0, self.seconds - self.spent)
        filled = int(24 * self.fraction)
        bar = "#" * filled + "." * (24 - filled)
        line = f"[{bar}] {left / 60:4.1f} min left  step {step}  {text}"
        end = "\r" if sys.stderr.isatty() else "\n"
        print(line, end=end, file=sys.stderr, flush=True)
        self._log.write(line + "\n")

    def note(self, text: str) -> None:
        """A line worth keeping."""
        print(text, flush=True)
        self._log.write(text + "\n")


def save_checkpoint(path: Path, content: dict[str, Any]) -> None:
    """Writes beside the old checkpoint, then replaces it, so that one is always whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    torch.save(content, beside)
    beside.replace(path)


def load_checkpoint(path: Path) -> dict[str, Any]:
    """Reads what `save_checkpoint` wrote."""
    return torch.load(path, map_location="cpu", weights_only=False)
