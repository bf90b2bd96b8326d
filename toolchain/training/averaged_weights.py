"""An exponential average of a network's weights, which measures better than any one step's."""

from __future__ import annotations

import copy

import torch
from torch import nn


class AveragedWeights:
    """The average of a module's weights and normalisation statistics over its steps."""

    def __init__(self, module: nn.Module, steps: int = 0) -> None:
        self.module = copy.deepcopy(module).eval()
        self.steps = steps

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
