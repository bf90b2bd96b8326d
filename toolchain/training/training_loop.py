"""The loop the detector's and the refiner's trainers share: budget, steps, log, checkpoints."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import torch
from torch import Tensor

from training import compose_sources
from training.averaged_weights import AveragedWeights
from training.checkpoints import Progress, load_checkpoint, save_checkpoint
from training.network import NetworkSpec, TrainableNetwork

SAVE_EVERY = 120.0  # seconds
CALIBRATION_BATCHES, CALIBRATION_PICTURES = 4, 16


def add_training_arguments(parser: argparse.ArgumentParser, name: str, minutes: float) -> None:
    """Adds what every trainer is told, on top of where its scenes come from."""
    compose_sources.add_source_arguments(parser)
    parser.add_argument(
        "--minutes", type=float, default=minutes, help="wall time over all runs (%(default)s)"
    )
    parser.add_argument("--rate", type=float, default=3e-3, help="highest learning rate")
    parser.add_argument("--workers", type=int, default=1, help="processes that make samples")
    parser.add_argument("--threads", type=int, default=1, help="threads of the network")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default=name, help="checkpoint's name in the cache (%(default)s)")
    parser.add_argument("--start-from", metavar="NAME", help="begin with this checkpoint's weights")
    parser.add_argument("--restart", action="store_true", help="ignore an unfinished checkpoint")


def load_network(cache: Path, name: str, spec: NetworkSpec) -> TrainableNetwork:
    """A trained network of the cache, ready to run."""
    stored = load_checkpoint(cache / f"{name}.pt")
    if stored is None:
        raise SystemExit(f"{cache / name}.pt is missing: train it first, or name another --cache")
    network = TrainableNetwork(spec).to(memory_format=torch.channels_last)
    network.load_state_dict(stored["average"])
    return network.eval()


def learning_rate(highest: float, fraction: float, warm: float = 0.03) -> float:
    """A linear rise and a cosine fall over the budget."""
    if fraction < warm:
        return highest * (0.05 + 0.95 * fraction / warm)
    falling = (fraction - warm) / (1 - warm)
    return highest * (0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * falling)))


class TrainingLoop:
    """Trains one network until its minutes are up; `arguments` as `add_training_arguments` made."""

    def __init__(self, arguments: argparse.Namespace, network: TrainableNetwork) -> None:
        torch.set_num_threads(arguments.threads)
        cv2.setNumThreads(1)
        cache: Path = arguments.cache
        self.arguments = arguments
        self.network = network.to(memory_format=torch.channels_last)
        self.path = cache / f"{arguments.name}.pt"
        self.progress = Progress(arguments.minutes)
        self.optimiser = torch.optim.AdamW(
            network.parameters(), lr=arguments.rate, weight_decay=1e-4
        )
        stored = None if arguments.restart else load_checkpoint(self.path)
        if stored is not None:
            network.load_state_dict(stored["training"])
            self.optimiser.load_state_dict(stored["optimiser"])
            self.progress.resume(stored)
        elif arguments.start_from:
            other = load_checkpoint(cache / f"{arguments.start_from}.pt")
            if other is None:
                raise SystemExit(f"{cache}/{arguments.start_from}.pt is missing: train it first")
            network.load_state_dict(other["average"])
        self.average = AveragedWeights(network, self.progress.step)
        self.calibration: list[Tensor] = []
        if stored is not None:
            self.calibration = list(stored["calibration"])
            self.average.module.load_state_dict(stored["average"])
        (cache / "logs").mkdir(parents=True, exist_ok=True)
        self._log = (cache / "logs" / f"{arguments.name}.log").open("a", buffering=1)
        spec = network.spec
        self.note(f"{spec.macs() / 1e6:.1f} MMAC, {spec.weights() / 1e3:.0f} kB of weights")

    def note(self, text: str) -> None:
        """Prints and logs a line worth keeping."""
        print(text, flush=True)
        self._log.write(text + "\n")

    def save(self) -> None:
        """Writes the checkpoint: averaged weights, and all that is needed to go on."""
        content: dict[str, Any] = {
            "spec": self.network.spec,
            "average": self.average.module.state_dict(),
            "training": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "calibration": self.calibration,
            "held_out": self.arguments.held_out,
        }
        save_checkpoint(self.path, content | self.progress.state())

    def run(
        self,
        batch: Callable[[int], tuple[Tensor, Tensor]],
        loss: Callable[[dict[str, Tensor], Tensor], tuple[Tensor, dict[str, float]]],
        report: Callable[[TrainableNetwork], str] | None,
        *,
        report_every: float,
    ) -> None:
        """Steps until the time is up. `batch(step)` gives inputs and targets."""
        running: dict[str, float] = {}
        next_save = self.progress.spent + SAVE_EVERY
        next_report = self.progress.spent + report_every
        try:
            while not self.progress.done:
                pixels, wanted = batch(self.progress.step)
                if len(self.calibration) < CALIBRATION_BATCHES:
                    self.calibration.append(pixels[:CALIBRATION_PICTURES].clone())
                rate = learning_rate(self.arguments.rate, self.progress.fraction)
                for group in self.optimiser.param_groups:
                    group["lr"] = rate
                self.network.train()
                with torch.autocast("cpu", torch.bfloat16):
                    outputs = self.network(pixels)
                total, parts = loss(outputs, wanted)
                self.optimiser.zero_grad(set_to_none=True)
                total.backward()
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
                self.optimiser.step()
                self.average.update(self.network)
                self.progress.advance()
                for name, value in parts.items():
                    running[name] = 0.98 * running.get(name, value) + 0.02 * value
                if self.progress.step % 50 == 0:
                    self._show(running)
                if self.progress.spent > next_save:
                    self.save()
                    next_save = self.progress.spent + SAVE_EVERY
                if report is not None and self.progress.spent > next_report:
                    self.note(report(self.average.module))
                    next_report = self.progress.spent + report_every
        finally:
            self.save()

    def _show(self, running: dict[str, float]) -> None:
        losses = "  ".join(f"{name} {value:.4f}" for name, value in running.items())
        line = f"{self.progress.bar()}  {losses}"
        print(line, end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
        self._log.write(line + "\n")
