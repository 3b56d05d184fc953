"""The networks under torch.compile (inductor): one compiled function for forward, gradient and update.

Mode "plain 5": five steps unrolled in one call, which spares four of five times the way from Python into the compiled
code and back. Its functions are those of pytorch.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch._inductor.config

from benchmarks.engines import pytorch
from benchmarks.workloads import Weights


class Engine(pytorch.Engine):
    """See engines/__init__.py."""

    def prepare(self, mode: str) -> None:
        torch._inductor.config.cpp.threads = torch.get_num_threads()
        torch._inductor.config.compile_threads = 1
        *_, unrolled = mode.split()
        self.unrolled = int(unrolled)
        gradient = torch.func.grad_and_value(pytorch.loss_function(self.workload, mode))
        lr = self.workload.lr

        @torch.compile(fullgraph=True, dynamic=False)
        def steps(p: Any, x: Any, y: Any) -> Any:
            losses = []
            for k in range(self.unrolled):
                slopes, loss = gradient(p, x[k], y[k])
                losses.append(loss)
                p = {name: value - lr * slopes[name] for name, value in p.items()}
            return p, torch.stack(losses)

        self.steps = steps

    @torch.no_grad()
    def epoch(self, rows: np.ndarray) -> np.ndarray:
        order, size = torch.from_numpy(rows), self.workload.batch
        if len(rows) % (size * self.unrolled):
            raise ValueError(f"this mode does {self.unrolled} steps a call: {len(rows) // size} steps is no multiple")
        losses = []
        for part in order.split(size * self.unrolled):
            x = self.x[part].view(self.unrolled, size, -1)
            self.p, loss = self.steps(self.p, x, self.y[part].unflatten(0, (self.unrolled, size)))
            losses.append(loss)
        return torch.cat(losses).numpy()

    def load(self, weights: Weights) -> None:
        self.p = {name: torch.from_numpy(value.copy()) for name, value in weights.items()}
