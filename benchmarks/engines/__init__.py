"""The same four networks in each engine, written the way that is fastest there.

An engine is a class `Engine(workload, weights, arrays, mode, threads)` in a file of this folder, with

    epoch(rows) -> losses       trains on the batches that `rows` (int64, a multiple of the batch) names, one after
                                the other, gathering included; float32, the loss of each batch before its update
    load(weights), weights()    the parameters, in and out, as NumPy arrays by PyTorch's names
    version                     such as "PyTorch 2.13.0"

Only the process that runs an engine imports its file. Which mode is the best was tried on two machines; `--all-modes`
tries them all.
"""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import dataclass


@dataclass(frozen=True)
class About:
    """An engine's properties, known without loading it. `modes`: for each network, the best first."""

    title: str
    package: str
    modes: dict[str, tuple[str, ...]]
    install: str
    program: tuple[str, ...] = ()  # one of these programs is needed besides

    def missing(self) -> str:
        """Why it cannot run here, in a sentence; "" if it can."""
        if importlib.util.find_spec(self.package) is None:
            return f"{self.title} is left out: it is not installed here ({self.install})."
        if self.program and not any(map(shutil.which, self.program)):
            return f"{self.title} is left out: it needs a C++ compiler, one of {', '.join(self.program)}."
        return ""


ENGINES = {
    "minigrad": About(
        "minigrad",
        "minigrad",
        {
            "rnn": ("compiled", "replayed"),
            "cnn": ("compiled", "replayed"),
            "autoencoder": ("compiled", "replayed"),
            "gpt": ("compiled", "replayed"),
        },
        "make install",
    ),
    "pytorch": About(
        "PyTorch eager",
        "torch",
        {
            "rnn": ("hoisted", "hoisted ahead", "plain", "modules"),
            "cnn": ("channels_last ahead", "channels_last", "plain", "modules"),
            "autoencoder": ("plain ahead", "plain", "modules"),
            "gpt": ("plain ahead", "plain", "modules"),
        },
        "pip install torch",
    ),
    "torch_compile": About(
        "torch.compile",
        "torch",
        {
            "rnn": ("hoisted 5", "plain 5", "hoisted 1"),
            "cnn": ("channels_last 2", "plain 1", "channels_last 1"),
            "autoencoder": ("plain 10", "plain 1", "plain 5"),
            "gpt": ("plain 1",),
        },
        "pip install torch",
        ("g++", "clang++"),
    ),
    "jax": About(
        "JAX",
        "jax",
        {
            "rnn": ("scan", "hoisted scan", "gathered scan", "step"),
            "cnn": ("slices step", "slices scan", "conv scan"),
            "autoencoder": ("gathered scan", "scan", "step"),
            "gpt": ("scan", "gathered scan", "step"),
        },
        "pip install jax",
    ),
}
