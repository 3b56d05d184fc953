"""The table of tests, which the files beside this one fill: the class of a test, the milestones, shared helpers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from minigrad.core.arrays import ArrayLike

GRAPHS = 200  # random graphs that a test tries at a time
# How often each milestone runs its graphs: compared with minigrad, then one mode with the other.
TIMES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3}
TITLES = {
    1: "Numbers that remember",
    2: "Backward",
    3: "Dual numbers, and one mode checks the other",
    4: "Arrays",
    5: "Matrix products and relu",
    6: "Softmax and cross-entropy",
    7: "A network that reads digits",
    8: "A recurrent cell, and the loop over time",
    9: "Choice: convolution",
    10: "Choice: second derivatives",
    11: "Choice: momentum and Adam",
    12: "Choice: checkpoints",
    13: "Choice: the backward pass, written out as a program",
}
CHOICES = range(9, 14)


@dataclass(frozen=True)
class Test:
    """One line of the points table. advice: for unforeseen mistakes. seconds: its time limit."""

    milestone: int
    name: str
    run: Callable[[Any], str | None]  # raises Mismatch; may return a remark although it passed
    advice: str
    seconds: float

    @property
    def title(self) -> str:
        return f"{self.milestone} {self.name}"


TESTS: list[Test] = []


def case(milestone: int, name: str, advice: str, seconds: float = 30.0) -> Callable[[Callable], Callable]:
    """Add a function to the table."""

    def note(function: Callable[[Any], str | None]) -> Callable[[Any], str | None]:
        TESTS.append(Test(milestone, name, function, advice, seconds))
        return function

    return note


def gradients(m: ModuleType, f: Callable[..., Any], *values: object, seed: ArrayLike = 1.0) -> dict[str, Any]:
    """Return x.grad and y.grad, by name, of f at some values."""
    nodes = [m.Node(value) for value in values]
    m.backward(f(*nodes), seed)
    return {f"{name}.grad": node.grad for name, node in zip("xyz", nodes, strict=False)}


OPERATORS: dict[str, Callable[..., Any]] = {
    "x + y": lambda x, y: x + y, "x - y": lambda x, y: x - y, "x * y": lambda x, y: x * y,
    "x / y": lambda x, y: x / y, "-x": lambda x, y: -x, "x ** 3": lambda x, y: x**3,
}  # fmt: skip
WITH_NUMBERS: dict[str, Callable[..., Any]] = {
    "x + 2": lambda x: x + 2, "2 + x": lambda x: 2 + x, "x - 2": lambda x: x - 2, "2 - x": lambda x: 2 - x,
    "x * 2": lambda x: x * 2, "2 * x": lambda x: 2 * x, "x / 2": lambda x: x / 2, "2 / x": lambda x: 2 / x,
}  # fmt: skip
FUNCTIONS = ("sin", "cos", "exp", "log", "tanh")

MATRIX, ROW, COLUMN = (
    np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
    np.array([10.0, 20.0, 30.0]),
    np.array([[7.0], [8.0]]),
)


def softmax(logits: np.ndarray) -> np.ndarray:
    """Compute the softmax of each row with NumPy."""
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
