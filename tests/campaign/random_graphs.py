"""Random programs: some inputs of random shapes, then up to nine random operations on what is there already.

A program is a function of arrays, nodes or dual numbers. Numbers stay tame (a value that grows beyond 8 goes through
tanh), and kinks stay at a distance of 0.05 from where they would hurt finite differences. Program k of a seed is always
the same, so a failure is repeated by its number alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as mg

Step = tuple[str, Callable[..., Any], tuple[int, ...]]  # what it is called, the function, the values it is applied to

SMOOTH: dict[str, Callable[[Any], Any]] = {
    "sin": mg.sin, "cos": mg.cos, "tanh": mg.tanh, "sigmoid": mg.sigmoid, "softplus": mg.softplus, "gelu": mg.gelu,
    "arctan": mg.arctan, "logsigmoid": mg.logsigmoid, "neg": lambda x: -x, "square": lambda x: x**2,
    "sqrt(x² + 1)": lambda x: mg.sqrt(mg.square(x) + 1), "log(x² + 0.5)": lambda x: np.log(x * x + 0.5),
    "1 / (x² + 1)": lambda x: 1 / (x * x + 1), "exp(-x²)": lambda x: mg.exp(-mg.square(x)),
    "exp(tanh)": lambda x: mg.exp(mg.tanh(x)), "0.1 x³": lambda x: 0.1 * x**3, "2 - x": lambda x: 2 - x,
    "1.5 ** tanh": lambda x: 1.5 ** mg.tanh(x), "log1p(x²)": lambda x: mg.log1p(x * x), "sinh(sin)": lambda x:
    mg.sinh(mg.sin(x)), "arcsin(sin / 2)": lambda x: mg.arcsin(mg.sin(x) / 2), "x + x": lambda x: x + x,
}  # fmt: skip
KINKED: dict[str, tuple[Callable[[Any], Any], tuple[float, ...]]] = {
    "relu": (mg.relu, (0.0,)), "abs": (abs, (0.0,)), "leaky_relu": (lambda x: mg.leaky_relu(x, 0.1), (0.0,)),
    "clip": (lambda x: np.clip(x, -1.0, 1.0), (-1.0, 1.0)), "x where x > 0.5, else x²": (lambda x:
    mg.where(x > 0.5, x, x * x), (0.5,)),
}  # fmt: skip
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "×": lambda a, b: a * b,
    "a / (b² + 1)": lambda a, b: a / (b * b + 1), "(a² + 0.5) ** tanh b": lambda a, b: (a * a + 0.5) ** mg.tanh(b),
}  # fmt: skip
SWITCHED: dict[str, Callable[[Any, Any], Any]] = {
    "maximum": mg.maximum, "minimum": mg.minimum, "where": lambda a, b: mg.where(a > b, a * b, b),
}  # fmt: skip
REDUCTIONS: dict[str, Callable[..., Any]] = {"sum": mg.sum, "mean": mg.mean, "logsumexp": mg.logsumexp}


class Program:
    """A random function of `inputs`; `steps` are its operations, and its value is one number.

    longest: how many operations at most; from 10 on, exactly so many.
    """

    def __init__(self, seed: int, number: int, longest: int = 9):
        self.seed, self.number = seed, number
        self.rng = np.random.default_rng([seed, number])
        self.inputs = self._inputs()
        self.steps: list[Step] = []
        self._values: list[np.ndarray] = list(self.inputs)
        self._used: set[int] = set()
        drawn = int(self.rng.integers(2, 10))
        for _ in range(min(drawn, longest) if longest < 10 else longest):
            self._add(*self._choose())
            if self._values[-1].size and np.abs(self._values[-1]).max() > 8:
                self._add("tanh", mg.tanh, (len(self._values) - 1,))
        self._weights = [self.rng.uniform(0.5, 1.5, self._values[k].shape) for k in self._loose()]

    def __call__(self, *inputs: Any) -> Any:
        values = list(inputs)
        for _, function, places in self.steps:
            values.append(function(*(values[k] for k in places)))
        ends = [mg.sum(values[k] * weights) for k, weights in zip(self._loose(), self._weights, strict=True)]
        total = ends[0]
        for end in ends[1:]:
            total = total + end
        return total

    def __str__(self) -> str:
        lines = [f"random graph {self.number} of seed {self.seed}"]
        lines += [f"  v{k} = input of shape {x.shape}" for k, x in enumerate(self.inputs)]
        for k, (name, _, places) in enumerate(self.steps, len(self.inputs)):
            arguments = ", ".join(f"v{p}" for p in places)
            lines.append(f"  v{k} = {name} of {arguments}, shape {self._values[k].shape}")
        return "\n".join(lines)

    def _loose(self) -> list[int]:
        """The values that nothing uses: their weighted sums are the program's value."""
        return [k for k in range(len(self._values)) if k not in self._used]

    def _inputs(self) -> list[np.ndarray]:
        return [self.rng.normal(size=self._shape()) for _ in range(self.rng.integers(1, 4))]

    def _partners(self) -> list[int]:
        """The places that an operation of several inputs may use."""
        return list(range(len(self._values)))

    def _shape(self) -> tuple[int, ...]:
        sizes = (1, 2, 3, 4) if self.rng.random() < 0.97 else (0, 1, 2)
        return tuple(int(self.rng.choice(sizes)) for _ in range(self.rng.integers(0, 4)))

    def _add(self, name: str, function: Callable[..., Any], places: tuple[int, ...]) -> None:
        with np.errstate(all="ignore"):
            self._values.append(np.asarray(function(*(self._values[k] for k in places))))
        self.steps.append((name, function, places))
        self._used.update(places)

    def _pick(self) -> int:
        """A place; half of the time one that nothing uses yet, so that chains grow."""
        loose = self._loose()
        return int(self.rng.choice(loose if self.rng.random() < 0.5 else len(self._values)))

    def _key(self, table: dict[str, Any]) -> str:
        return list(table)[int(self.rng.integers(len(table)))]

    def _choose(self) -> Step:
        """The next operation. What does not fit the values at hand (a kink too near, no axis to sum) gives way to a
        smooth function, which always fits."""
        k = self._pick()
        x = self._values[k]
        kind = self.rng.choice(["smooth", "kinked", "binary", "binary", "switched", "matmul", "reduce", "shape"])
        if x.size > 100:
            kind = "reduce"
        if kind == "kinked":
            name = self._key(KINKED)
            function, kinks = KINKED[name]
            if all(np.all(np.abs(x - kink) > 0.05) for kink in kinks):
                return name, function, (k,)
        if kind in ("binary", "switched"):
            partners = [j for j in self._partners() if _broadcast(x.shape, self._values[j].shape)]
            j = int(self.rng.choice(partners))
            if kind == "binary":
                name = self._key(BINARY)
                return name, BINARY[name], (k, j)
            if np.all(np.abs(x - self._values[j]) > 0.05):
                name = self._key(SWITCHED)
                return name, SWITCHED[name], (k, j)
        if kind == "matmul" and x.ndim:
            fits = [j for j in self._partners() if self._values[j].ndim and _matmul(x.shape, self._values[j].shape)]
            if fits:
                return "@", lambda a, b: a @ b, (k, int(self.rng.choice(fits)))
            if x.ndim >= 2:
                return "a @ swapped a", lambda a: a @ mg.swapaxes(a, -1, -2), (k,)
        if kind == "reduce" and x.ndim and x.size:
            return self._reduce(k, x)
        if kind == "shape":
            return self._move(k, x)
        name = self._key(SMOOTH)
        return name, SMOOTH[name], (k,)

    def _reduce(self, k: int, x: np.ndarray) -> Step:
        axis: Any = int(self.rng.integers(-x.ndim, x.ndim)) if self.rng.random() < 0.7 else None
        keep = bool(self.rng.random() < 0.3)
        kind = self.rng.choice(["softmax", "max", "plain"])
        if kind == "softmax" and axis is not None:
            op = mg.softmax if keep else mg.log_softmax
            return f"{op.__name__} {axis}", lambda a: op(a, axis), (k,)
        if kind == "max":
            ordered = np.sort(x, axis=axis)
            if np.all(np.diff(ordered) > 0.05) if axis is None else np.all(np.diff(ordered, axis=axis) > 0.05):
                op = mg.max if keep else mg.min
                return f"{op.__name__} {axis}", lambda a: op(a, axis), (k,)
        name = self._key(REDUCTIONS)
        return f"{name} {axis}", lambda a: REDUCTIONS[name](a, axis, keepdims=keep), (k,)

    def _move(self, k: int, x: np.ndarray) -> Step:
        """An operation that moves numbers without changing them."""
        n = x.ndim
        kind = self.rng.choice(["reshape", "transpose", "index", "fancy", "broadcast", "expand", "join", "stack"])
        if kind == "transpose" and n:
            axes = tuple(int(a) for a in self.rng.permutation(n))
            return f"transpose {axes}", lambda a: mg.transpose(a, axes), (k,)
        if kind == "index" and n and x.size:
            key = tuple(self._index(size) for size in x.shape[: self.rng.integers(1, n + 1)])
            return f"index {key}", lambda a: a[key], (k,)
        if kind == "fancy" and n and x.shape[0]:
            rows = self.rng.integers(0, x.shape[0], self.rng.integers(0, 4))
            return f"rows {rows}", lambda a: a[rows], (k,)
        if kind == "broadcast":
            shape = (2, *(3 if size == 1 else size for size in x.shape))
            return f"broadcast_to {shape}", lambda a: mg.broadcast_to(a, shape), (k,)
        if kind == "expand":
            axis = int(self.rng.integers(-n - 1, n + 1))
            return f"expand_dims {axis}", lambda a: mg.expand_dims(a, axis), (k,)
        if kind in ("join", "stack"):
            same = [j for j in self._partners() if self._values[j].shape == x.shape]
            j = int(self.rng.choice(same))
            if kind == "stack":
                axis = int(self.rng.integers(0, n + 1))
                return f"stack {axis}", lambda a, b: mg.stack([a, b], axis), (k, j)
            if n:
                axis = int(self.rng.integers(0, n))
                return f"concatenate {axis}", lambda a, b: mg.concatenate([a, b, a], axis), (k, j)
        shape = (x.size,) if n != 1 else (1, x.size) if self.rng.random() < 0.5 else (math.prod(x.shape), 1)
        return f"reshape {shape}", lambda a: mg.reshape(a, shape), (k,)

    def _index(self, size: int) -> Any:
        start = int(self.rng.integers(0, max(size, 1)))
        choices = [start, slice(start, None), slice(None, None, -1), slice(None, None, 2), slice(None)]
        return choices[int(self.rng.integers(len(choices)))] if size else slice(None)


def _broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


def _matmul(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return a[-1] == (b[-2] if len(b) > 1 else b[0]) and _broadcast(a[:-2], b[:-2])
