"""Where photographs lie and where what can be made again goes, unless an option says otherwise."""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def default_data() -> Path:
    """The folder of photographs: $RECEH_DATA, else ../shared/data beside the repository."""
    return Path(os.environ.get("RECEH_DATA") or REPOSITORY.parent / "shared" / "data")


def default_cache() -> Path:
    """The folder for what can be made again: $RECEH_TRAINING_CACHE, else .build/training."""
    return Path(os.environ.get("RECEH_TRAINING_CACHE") or REPOSITORY / ".build" / "training")
