"""The papers' networks, small batches for them, and how they are trained. PyTorch's are those of minigrad_course.peers.

RNN: 4 steps of 196 pixels, 64 hidden units. CNN: two convolutions with pooling, dense 84 and 10. Autoencoder:
784-300-100-784, sigmoid, the error a sum of squares, one picture at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from minigrad import nn


class RowReader(nn.Module):
    def __init__(self, dtype=np.float32, hidden=64):
        self.rnn = nn.RNN(196, hidden, batch_first=True, rng=0, dtype=dtype)
        self.dense = nn.Linear(hidden, 10, rng=1, dtype=dtype)

    def forward(self, x):
        states, _ = self.rnn(x.reshape(x.shape[0], 4, 196))
        return self.dense(states[:, -1])


class Pictures(nn.Sequential):
    """Rows of 784 as pictures, then the layers."""

    def forward(self, x):
        return super().forward(x.reshape(x.shape[0], 1, 28, 28))


def lenet(dtype):
    return Pictures(
        nn.Conv2d(1, 6, 3, rng=0, dtype=dtype), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 3, rng=1, dtype=dtype), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 84, rng=2, dtype=dtype), nn.ReLU(), nn.Linear(84, 10, rng=3, dtype=dtype),
    )  # fmt: skip


def autoencoder(dtype):
    return nn.Sequential(
        nn.Linear(784, 300, rng=0, dtype=dtype), nn.Sigmoid(), nn.Linear(300, 100, rng=1, dtype=dtype), nn.Sigmoid(),
        nn.Linear(100, 784, bias=False, rng=2, dtype=dtype), nn.Sigmoid(),
    )  # fmt: skip


def squares(output, target):
    return ((output - target) ** 2).sum()


class Workload(NamedTuple):
    make: Callable[[Any], nn.Module]
    loss: Callable[..., Any]
    batch: int
    lr: float
    target: str  # "labels" or "pictures"


WORKLOADS = {
    "RNN": Workload(RowReader, nn.cross_entropy, 100, 0.015, "labels"),
    "CNN": Workload(lenet, nn.cross_entropy, 100, 0.01, "labels"),
    "autoencoder": Workload(autoencoder, squares, 1, 0.02, "pictures"),
}


def made_up_pictures(n, rng):
    """Random pictures with a bright bar that tells the class, and the classes.

    No two pixels are equal: where the entries of a max-pool's window tie, rounding decides which of them is the
    largest, and two engines part there. (After ReLU many entries of a window are exactly 0. There the tie is harmless:
    no adjoint goes through any of them.)
    """
    labels = rng.integers(0, 10, n)
    x = rng.random((n, 784)) * (rng.random((n, 784)) < 0.2)
    for k in range(10):
        x[labels == k, k * 70 : k * 70 + 40] += 0.5
    return x + 0.01 * rng.random((n, 784)), labels


def batch_of(name, rng, dtype):
    x, labels = made_up_pictures(WORKLOADS[name].batch, rng)
    x = x.astype(dtype)
    return x, labels if WORKLOADS[name].target == "labels" else x


def made_up_digits(n=430, tests=100):
    """Such pictures as data in float32: some to test on, and the others to train on."""
    x, y = made_up_pictures(n, np.random.default_rng(0))
    x = x.astype(np.float32)
    return SimpleNamespace(train_x=x[tests:], train_y=y[tests:], test_x=x[:tests], test_y=y[:tests])
