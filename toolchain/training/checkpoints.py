"""Checkpoints that survive being killed, and a progress bar that says how long is left."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import torch


def save_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Writes beside the target and renames, so that a kill leaves the older file whole."""
    beside = path.with_suffix(".part")
    torch.save(state, beside)
    beside.replace(path)


def load_checkpoint(path: Path) -> dict[str, Any] | None:
    """The checkpoint at `path`, or nothing where there is none."""
    return torch.load(path, weights_only=False) if path.exists() else None


class Progress:
    """A budget of minutes, counted over all the runs of a resumed training."""

    def __init__(self, minutes: float) -> None:
        self.budget = minutes * 60
        self.spent_before = 0.0
        self.step = 0
        self.started = time.monotonic()

    def resume(self, state: dict[str, float]) -> None:
        """Takes up where an earlier run stopped."""
        self.spent_before, self.step = state["spent"], int(state["step"])

    def state(self) -> dict[str, float]:
        """What a checkpoint has to hold."""
        return {"spent": self.spent, "step": self.step}

    def advance(self) -> None:
        """Counts one step."""
        self.step += 1

    @property
    def spent(self) -> float:
        """Seconds trained so far."""
        return self.spent_before + time.monotonic() - self.started

    @property
    def fraction(self) -> float:
        """How much of the budget is spent, 0 to 1."""
        return min(1.0, self.spent / self.budget)

    @property
    def done(self) -> bool:
        """Whether the budget is spent."""
        return self.spent >= self.budget

    def bar(self) -> str:
        """One line: a bar, the step, and the minutes left."""
        filled = int(30 * self.fraction)
        left = max(0.0, self.budget - self.spent) / 60
        return f"[{'#' * filled}{'.' * (30 - filled)}] step {self.step}, {left:.1f} min left"
