"""One runner of the race on the page of an engine: two layers on the embedded digits, trained an epoch at a time.

Each engine has a process of its own with one thread (see race.py), so PyTorch's does not disturb minigrad's. All begin
with the same weights and see the same batches: both are drawn here, by NumPy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from minigrad_course.apart import helper

HIDDEN, BATCH, RATE = 32, 50, 0.3
Runner = tuple[Callable[[Any, Any, np.random.Generator], list[float]], Callable[[Any], Any]]


def begin(first: dict[str, str]) -> tuple[bool, Callable[[None], dict[str, Any]]]:
    """Return whether this engine is installed, and a function that trains one more epoch at each call."""
    from minigrad_course import data

    digits = data.digits()
    x, y, test = digits.train_x.astype(float), digits.train_y, digits.test_x.astype(float)
    try:
        epoch, logits = RUNNERS[first["who"]](first_weights(), first["file"])
    except ImportError:
        return False, lambda _: {}
    rng = np.random.default_rng(1)

    def answer(_: None) -> dict[str, Any]:
        start = time.perf_counter()
        losses = epoch(x, y, rng)
        seconds = time.perf_counter() - start
        right = 100 * np.mean(np.argmax(logits(test), axis=1) == digits.test_y)
        return {"losses": [float(loss) for loss in losses], "seconds": seconds, "percent": float(right)}

    return True, answer


def first_weights() -> list[np.ndarray]:
    """Draw Glorot's weights for both matrices, and biases of 0."""
    rng, made = np.random.default_rng(0), []
    for inputs, outputs in ((784, HIDDEN), (HIDDEN, 10)):
        bound = np.sqrt(6 / (inputs + outputs))
        made += [rng.uniform(-bound, bound, (inputs, outputs)), np.zeros(outputs)]
    return made


def _batches(x: Any, y: Any, rng: np.random.Generator) -> Iterator[tuple[Any, Any]]:
    """Yield one epoch of batches in the order of milestone 7."""
    shuffled = rng.permutation(len(x))
    for k in range(0, len(x), BATCH):
        rows = shuffled[k : k + BATCH]
        yield x[rows], y[rows]


def yours(weights: list[np.ndarray], file: str) -> Runner:
    """The engine in a file: its own Linear, SGD and fit."""
    from minigrad_course.project.engine import load

    engine = load(Path(file))
    rng = np.random.default_rng(0)
    first, last = engine.Linear(784, HIDDEN, rng), engine.Linear(HIDDEN, 10, rng)
    parameters = [*first.parameters, *last.parameters]
    for p, value in zip(parameters, weights, strict=True):
        p.value = value
    optimizer = engine.SGD(parameters, RATE)

    def network(x: Any) -> Any:
        return last(engine.relu(first(x)))

    def epoch(x: Any, y: Any, rng: np.random.Generator) -> list[float]:
        return engine.fit(network, optimizer, x, y, epochs=1, batch=BATCH, rng=rng)

    return epoch, lambda x: network(x).value


def minigrad(weights: list[np.ndarray], _: str) -> Runner:
    """minigrad as the lessons use it first: a new graph at every step."""
    import minigrad as mg

    w, b, u, c = (mg.Variable(x) for x in weights)

    def network(x: Any) -> Any:
        return mg.relu(x @ w + b) @ u + c

    def step(x: Any, y: Any) -> float:
        loss = mg.nn.cross_entropy(network(x), y)
        loss.backward()
        for p in (w, b, u, c):
            p.value = p.value - RATE * p.grad
            p.zero_grad()
        return float(loss.value)

    return lambda x, y, rng: [step(*batch) for batch in _batches(x, y, rng)], lambda x: network(x).value


def pytorch(weights: list[np.ndarray], _: str) -> Runner:
    """PyTorch, with its own optimizer. Raises ImportError where it is not installed."""
    import torch

    torch.set_num_threads(1)
    w, b, u, c = (torch.tensor(x, requires_grad=True) for x in weights)
    optimizer = torch.optim.SGD([w, b, u, c], RATE)

    def network(x: Any) -> Any:
        return torch.relu(torch.from_numpy(x) @ w + b) @ u + c

    def step(x: Any, y: Any) -> float:
        loss = torch.nn.functional.cross_entropy(network(x), torch.from_numpy(y).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return lambda x, y, rng: [step(*batch) for batch in _batches(x, y, rng)], lambda x: network(x).detach().numpy()


RUNNERS = {"your engine": yours, "minigrad": minigrad, "PyTorch": pytorch}

if __name__ == "__main__":
    helper.serve(begin)
