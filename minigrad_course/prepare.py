"""Compile the kernels that all programs share: `minigrad prepare`, which `make lab` starts in the background.

A program's own text is compiled with each new program. The kernels that it calls are the same for all, and take longer:
products, convolutions, sums, losses, elementary functions. They depend on dtypes and not on sizes, so one small network
of each kind compiles them all, at the lowest priority, while a learner reads the first lesson.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import minigrad as mg
from minigrad import nn
from minigrad.core.arrays import Array, ArrayLike
from minigrad.guards import capabilities
from minigrad.native import jit
from minigrad.training import optim


def register(commands: argparse._SubParsersAction) -> None:
    """Add `minigrad prepare` to the command line."""
    parser = commands.add_parser("prepare", help="compile now what the lessons' programs share, and keep it on disk")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compile all kinds of networks, and print the seconds of each."""
    if not capabilities.has("numba"):
        print(f"There is nothing to compile: {capabilities.without('numba')}.")
        return 0
    if prepared():
        print("What programs share is compiled already.")
        return 0
    if hasattr(os, "nice"):
        os.nice(19)
    for name, seconds in prepare():
        print(f"{name:30}{seconds:6.1f} s", flush=True)
    return 0


def prepare() -> Iterator[tuple[str, float]]:
    """Compile and run a step of each kind of network; yield its name and the seconds."""
    for name, network in NETWORKS.items():
        start = time.perf_counter()
        model, loss, optimizer, x, y = network()
        step = mg.compile(model, loss, optimizer, x, y)
        step(x, y)
        step.epoch(x, y, np.arange(len(x)))
        yield name, time.perf_counter() - start
    start = time.perf_counter()
    _one_picture()
    yield "one picture in float64", time.perf_counter() - start
    jit.write_if_possible(_mark(), b"")


def prepared() -> bool:
    """Tell whether the current kernels have been compiled here."""
    return _mark().exists()


def _mark() -> Path:
    return jit.cache_folder() / f"prepared_{jit.kernels_stamp()[:12]}"


def _classes(*shape: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    return random.random((6, *shape), np.float32), random.integers(0, 3, 6)


def _dense() -> tuple[Any, ...]:
    model = nn.Sequential(nn.Linear(8, 5, rng=0), nn.Tanh(), nn.Linear(5, 4, rng=1), nn.ReLU(), nn.Linear(4, 3, rng=2))
    return model, nn.cross_entropy, optim.SGD(0.1), *_classes(8)


class _Reader(nn.Module):
    """A recurrent layer, and a linear one on its last state."""

    def __init__(self, kind: Callable[..., Any]):
        self.layer, self.out = kind(4, 5, batch_first=True, rng=0), nn.Linear(5, 3, rng=1)

    def __call__(self, x: ArrayLike) -> Array:
        states, _ = self.layer(x)
        return self.out(states[:, -1])


def _reader(kind: Callable[..., Any]) -> tuple[Any, ...]:
    return _Reader(kind), nn.cross_entropy, optim.Adam(0.01), *_classes(3, 4)


def _convolutional() -> tuple[Any, ...]:
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3, rng=0), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 16, 3, rng=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(16, 3, rng=2),
    )  # fmt: skip
    return model, nn.cross_entropy, optim.SGD(0.1), *_classes(1, 10, 10)


def _autoencoder() -> tuple[Any, ...]:
    model = nn.Sequential(nn.Linear(9, 4, rng=0), nn.Sigmoid(), nn.Linear(4, 9, rng=1), nn.Sigmoid())
    x, _ = _classes(9)
    return model, nn.mse, optim.SGD(0.1), x[:1], x[:1]


class _Writer(nn.Module):
    """One block of a transformer, which guesses the next letter."""

    def __init__(self) -> None:
        self.letters, self.places = nn.Embedding(4, 8, rng=0), nn.Embedding(5, 8, rng=1)
        self.block = nn.TransformerBlock(8, 2, batch_first=True, rng=2)
        self.norm, self.scores = nn.LayerNorm(8), nn.Linear(8, 4, bias=False, rng=3)

    def __call__(self, x: ArrayLike) -> Array:
        return self.scores(self.norm(self.block(self.letters(x) + self.places.weight, is_causal=True)))


def _next_letter(scores: Array, y: np.ndarray) -> Array:
    return nn.cross_entropy(scores.reshape(-1, 4), y.reshape(-1))


def _writer() -> tuple[Any, ...]:
    letters = np.random.default_rng(0).integers(0, 4, (6, 6))
    return _Writer(), _next_letter, optim.Adam(0.01), letters[:, :-1].copy(), letters[:, 1:].copy()


def _one_picture() -> None:
    """Convolution and pooling outside programs, there and back, as lesson 13 does them by hand."""
    x, w = (mg.Variable(np.ones((1, 1, size, size))) for size in (5, 2))
    mg.sum(mg.max_pool2d(mg.conv2d(x, w), 2)).backward()


NETWORKS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "dense layers": _dense,
    "recurrent layers": lambda: _reader(nn.RNN),
    "gated recurrent units": lambda: _reader(nn.GRU),
    "long short-term memory": lambda: _reader(nn.LSTM),
    "convolutions": _convolutional,
    "an autoencoder": _autoencoder,
    "a transformer": _writer,
}
