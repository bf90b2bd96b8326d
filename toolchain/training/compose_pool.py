"""Worker processes that keep a pool of fresh samples in shared memory while a network trains."""

from __future__ import annotations

import multiprocessing
import os
import queue
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawArray

import cv2
import numpy as np
from numpy.typing import NDArray

Sample = dict[str, NDArray]
Maker = Callable[[int], Callable[[], list[Sample]]]


@dataclass(frozen=True)
class Field:
    """One array of a sample."""

    shape: tuple[int, ...]
    dtype: str


class SamplePool:
    """A ring of samples made by forked workers; every sample is used about `reuse` times.

    `maker(seed)` runs in each worker once and returns a function that makes a few samples. The
    library it reads is shared with the parent's memory, because workers are forked.
    """

    def __init__(
        self,
        maker: Maker,
        fields: dict[str, Field],
        *,
        slots: int,
        workers: int,
        reuse: float,
        seed: int,
    ) -> None:
        context = multiprocessing.get_context("fork")
        self._arrays: dict[str, NDArray] = {}
        for name, field in fields.items():
            count = slots * int(np.prod(field.shape))
            raw = RawArray("b", count * np.dtype(field.dtype).itemsize)
            self._arrays[name] = np.frombuffer(raw, field.dtype).reshape(slots, *field.shape)
        # Both queues are fed by threads: a bare pipe holds only a few thousand slots' numbers.
        self._free = context.Queue()
        self._full = context.Queue()
        self._ready: deque[int] = deque()
        self._reuse = reuse
        self._debt = 0.0
        self._rng = np.random.default_rng(seed)
        self._workers = [
            context.Process(target=self._work, args=(maker, seed * 1000 + k), daemon=True)
            for k in range(workers)
        ]
        for worker in self._workers:
            worker.start()
        for slot in range(slots):
            self._free.put(slot)

    def _work(self, maker: Maker, seed: int) -> None:
        parent = os.getppid()
        os.nice(2)
        cv2.setNumThreads(1)
        make = maker(seed)
        while True:
            for sample in make():
                slot = self._free_slot(parent)
                if slot is None:
                    return
                for name, value in sample.items():
                    self._arrays[name][slot] = value
                self._full.put(slot)

    def _free_slot(self, parent: int) -> int | None:
        """Waits for a slot; None when the parent was killed and nobody will free one."""
        while os.getppid() == parent:
            try:
                return self._free.get(timeout=20)
            except queue.Empty:
                continue
        return None

    def _collect(self, block: bool) -> None:
        try:
            while True:
                self._ready.append(self._full.get(block, 300 if block else None))
                block = False
        except queue.Empty:
            if block:
                raise RuntimeError("no sample came from the workers for five minutes") from None

    def batch(self, count: int) -> Sample:
        """`count` samples drawn at random from the pool; waits until there are enough."""
        self._collect(False)
        while len(self._ready) < 4 * count:
            self._collect(True)
        chosen = self._rng.choice(len(self._ready), count, replace=False)
        slots = [self._ready[i] for i in chosen]
        result = {name: array[slots] for name, array in self._arrays.items()}
        # The oldest go back to the workers, as many as this batch has worn out.
        self._debt = min(self._debt + count / self._reuse, len(self._ready) - 4 * count)
        while self._debt >= 1:
            self._free.put(self._ready.popleft())
            self._debt -= 1
        return result

    def close(self) -> None:
        """Stops the workers."""
        self._free.cancel_join_thread()
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.join()
