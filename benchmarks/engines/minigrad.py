"""The networks in minigrad, each step at one of the rungs of the ladder.

Modes, slowest first: "interpreted64" and "interpreted" build the graph anew in every step (float64, float32);
"replayed" builds it once and runs it again in its own arrays (training/train.py); "compiled" turns it into a program
(mg.compile) whose epoch is one call. "compiled 2" runs it in 2 shards; "compiled -fuse" leaves out a pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import minigrad as mg
from benchmarks.workloads import Weights, Workload
from minigrad import nn
from minigrad.training.train import Step


class ReadsRows(nn.Module):
    """Paper B's network, and with other sizes thesis D's."""

    def __init__(self, workload: Workload, dtype: Any):
        sizes = workload.sizes
        self.steps = sizes["steps"]
        self.rnn = nn.RNN(sizes["inputs"], sizes["hidden"], sizes["layers"], batch_first=True, dtype=dtype)
        self.dense = nn.Linear(sizes["hidden"], 10, dtype=dtype)

    def forward(self, x: Any) -> Any:
        states, _ = self.rnn(x.reshape(x.shape[0], self.steps, -1))
        return self.dense(states[:, -1])


class ReadsPictures(nn.Sequential):
    """Paper C's network."""

    def __init__(self, workload: Workload, dtype: Any):
        super().__init__(
            nn.Conv2d(1, 6, 3, dtype=dtype), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(6, 16, 3, dtype=dtype), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(400, 84, dtype=dtype), nn.ReLU(), nn.Linear(84, 10, dtype=dtype),
        )  # fmt: skip

    def forward(self, x: Any) -> Any:
        return super().forward(x.reshape(x.shape[0], 1, 28, 28))


class Autoencoder(nn.Sequential):
    """Essay E's network."""

    def __init__(self, workload: Workload, dtype: Any):
        super().__init__(
            nn.Linear(784, 300, dtype=dtype), nn.Sigmoid(), nn.Linear(300, 100, dtype=dtype), nn.Sigmoid(),
            nn.Linear(100, 784, bias=False, dtype=dtype), nn.Sigmoid(),
        )  # fmt: skip


class GPT(nn.Module):
    """Lesson 16's network."""

    def __init__(self, workload: Workload, dtype: Any):
        sizes = workload.sizes
        letters, size = workload.shapes["letters.weight"]
        self.letters = nn.Embedding(letters, size, dtype=dtype)
        self.places = nn.Embedding(sizes["steps"], size, dtype=dtype)
        self.blocks = [
            nn.TransformerBlock(size, sizes["heads"], batch_first=True, dtype=dtype) for _ in range(sizes["blocks"])
        ]
        self.norm = nn.LayerNorm(size, dtype=dtype)
        self.scores = nn.Linear(size, letters, bias=False, dtype=dtype)

    def forward(self, x: Any) -> Any:
        h = self.letters(x) + self.places.weight[: x.shape[1]]
        for block in self.blocks:
            h = block(h, is_causal=True)
        return self.scores(self.norm(h))


MODELS = {"rnn": ReadsRows, "cnn": ReadsPictures, "autoencoder": Autoencoder, "gpt": GPT}


def sum_of_squares(output: Any, target: Any) -> Any:
    return ((output - target) ** 2).sum()


def next_letter(output: Any, y: Any) -> Any:
    return nn.cross_entropy(mg.reshape(output, -1, output.shape[-1]), mg.reshape(y, -1))


LOSSES = {"autoencoder": sum_of_squares, "gpt": next_letter}


class Engine:
    """See engines/__init__.py."""

    version = f"minigrad {mg.__version__}"

    def __init__(self, workload: Workload, weights: Weights, arrays: dict[str, np.ndarray], mode: str, threads: int):
        self.workload = workload
        rung, *options = mode.split()
        dtype = np.float64 if rung == "interpreted64" else np.float32
        self.x = arrays["train_x"]
        self.x = self.x.astype(dtype, copy=False) if self.x.dtype.kind == "f" else self.x
        self.y = self.x if workload.network == "autoencoder" else arrays["train_y"]
        self.model = MODELS[workload.network](workload, dtype)
        self.model.load_state_dict(weights)
        self.loss = LOSSES.get(workload.network, nn.cross_entropy)
        self.optimizer = mg.optim.SGD(workload.lr)
        example = self.x[: workload.batch], self.y[: workload.batch]
        if rung == "compiled":
            self.program = _compiled(self.model, self.loss, self.optimizer, *example, options, threads)
            self.epoch = self.compiled_epoch
        elif rung == "replayed":
            self.graph = Step(self.model, self.loss, *example)
            self.step = self.replay
        else:
            self.step = self.interpret

    def epoch(self, rows: np.ndarray) -> np.ndarray:
        size = self.workload.batch
        batches = [rows[k : k + size] for k in range(0, len(rows), size)]
        return np.array([self.step(self.x[batch], self.y[batch]) for batch in batches], np.float32)

    def interpret(self, x: np.ndarray, y: np.ndarray) -> float:
        """Writing the expression evaluates and records it; the record is thrown away after the step."""
        loss = self.loss(self.model(mg.Constant(x)), y)
        self.model.zero_grad()
        loss.backward()
        self.optimizer.step(self.model.parameters())
        return float(loss.value)

    def replay(self, x: np.ndarray, y: np.ndarray) -> float:
        value = self.graph.run(x, y)
        self.optimizer.step(self.model.parameters())
        return value

    def compiled_epoch(self, rows: np.ndarray) -> np.ndarray:
        return self.program.epoch(self.x, self.y, rows)

    def load(self, weights: Weights) -> None:
        self.model.load_state_dict(weights)

    def weights(self) -> Weights:
        return self.model.state_dict()


def _compiled(model: Any, loss: Any, optimizer: Any, x: Any, y: Any, options: list[str], threads: int) -> Any:
    """options: a number of shards (as many as threads, if not said), and passes to leave out, such as "-fuse"."""
    numbers = [int(option) for option in options if option.isdigit()]
    shards = numbers[0] if numbers else min(threads, len(x))
    settings: dict[str, Any] = {"shards": shards} if shards > 1 else {}
    off = [option[1:] for option in options if option.startswith("-")]
    return mg.compile(model, loss, optimizer, x, y, off=off, **settings)
