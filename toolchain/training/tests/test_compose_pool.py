"""Tests of the sample pool: it fills, it is fair, and it ends."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from training.compose_pool import Field, Sample, SamplePool


def _maker(seed: int) -> Callable[[], list[Sample]]:
    rng = np.random.default_rng(seed)

    def make() -> list[Sample]:
        number = rng.integers(1 << 30, size=3)
        return [{"number": number, "double": number * 2.0} for _ in range(2)]

    return make


def test_more_slots_than_a_pipe_holds_are_filled_and_renewed() -> None:
    # In a process of its own, as in training: workers are forked, and threads that other tests
    # have left behind would not exist in them while their locks do.
    subprocess.run([sys.executable, __file__], check=True, timeout=400)


def fill_and_renew() -> None:
    """Draws batches until five hundred different samples have been seen."""
    fields = {"number": Field((3,), "int64"), "double": Field((3,), "float64")}
    pool = SamplePool(_maker, fields, slots=30000, workers=2, reuse=2, seed=1)
    try:
        seen: set[int] = set()
        for _ in range(20000):
            batch = pool.batch(64)
            assert np.array_equal(batch["double"], batch["number"] * 2.0)
            seen.update(batch["number"][:, 0].tolist())
            if len(seen) > 500:
                break
            time.sleep(0.002)
        assert len(seen) > 500
    finally:
        pool.close()


if __name__ == "__main__":
    fill_and_renew()
