"""No network: large square matrix products, one after another. What this machine can do at most.

Modes: "blas" (NumPy's OpenBLAS), "torch" (PyTorch's own) and "tiles" (those of minigrad's programs). "registers" loads
nothing: multiply-adds of what is in registers, on one core (registers.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

SIZE, PRODUCTS = 1024, 10
FLOP = 2 * SIZE**3 * PRODUCTS


class Engine:
    """As in engines/__init__.py, but an `epoch` only multiplies, and returns the GFLOP/s of its best product."""

    version = "matrix products"

    def __init__(self, workload: Any, weights: Any, arrays: Any, mode: str, threads: int):
        self.mode = mode
        if mode == "registers":
            return
        rng = np.random.default_rng(0)
        a, b = (rng.random((SIZE, SIZE), dtype=np.float32) for _ in range(2))
        if mode == "torch":
            import torch

            torch.set_num_threads(threads)
            a, b, c = torch.from_numpy(a), torch.from_numpy(b), torch.empty(SIZE, SIZE)
            self.product = lambda: torch.mm(a, b, out=c)
        elif mode == "tiles":
            from minigrad.native.products import matmul

            c, one = np.zeros_like(a), np.float32(1)
            self.product = lambda: matmul(one, a, b, c)
        else:
            c = np.zeros_like(a)
            self.product = lambda: np.matmul(a, b, out=c)

    def epoch(self, rows: np.ndarray) -> np.ndarray:
        if self.mode == "registers":
            from benchmarks import registers

            return np.array([registers.gflops()])
        import time

        best = np.inf
        for _ in range(PRODUCTS):
            since = time.perf_counter()
            self.product()
            best = min(best, time.perf_counter() - since)
        return np.array([FLOP / PRODUCTS / best / 1e9])

    def load(self, weights: Any) -> None:
        """There are no weights."""
