"""Steps in which one parameter's new value depends on what another one was: whoever changes it first must not be read.

Each `Update` is a small model whose parameters are factors of each other, trained by an optimizer that is not one of
minigrad's: it hands arrays round, turns them about, forgets the old value, or reads it when the new one is known. Their
number counts through all pairs of the two tables, in float64 and in float32, whole and in shards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import minigrad as mg
from minigrad import nn
from minigrad.training import optim

from .trainings import Training, some_passes

Rule = Callable[[Any, Any, Any, Sequence[Any]], tuple[Any, dict[int, Any]]]


def _flipped(a: Any) -> Any:
    return a[::-1] if a.ndim else a


def _turned(a: Any) -> Any:
    return mg.transpose(a) if a.ndim == 2 and a.shape[0] == a.shape[1] else a


def _amsgrad(v: Any, g: Any, lr: Any, kept: Sequence[Any]) -> tuple[Any, dict[int, Any]]:
    square = 0.9 * kept[0] + 0.1 * g * g
    largest = mg.maximum(kept[1], square)
    return v - lr * g / (mg.sqrt(largest) + 0.001), {0: square, 1: largest}


# The new value, and that of the kept arrays, from the value, its gradient, the rate and the kept arrays.
RULES: dict[str, Rule] = {
    "SGD": lambda v, g, lr, kept: (v - lr * g, {}),
    "velocity": lambda v, g, lr, kept: (v - lr * (0.5 * kept[0] + g), {0: 0.5 * kept[0] + g}),
    "Nesterov": lambda v, g, lr, kept: (v - lr * (g + 0.9 * (0.9 * kept[0] + g)), {0: 0.9 * kept[0] + g}),
    "AMSGrad": _amsgrad,
    "sign": lambda v, g, lr, kept: (v - lr * mg.sign(g), {}),
    "decay": lambda v, g, lr, kept: (0.9 * v - lr * g, {}),
    "gradient without its mean": lambda v, g, lr, kept: (v - lr * (g - mg.mean(g)), {}),
    "value without its mean": lambda v, g, lr, kept: ((v - lr * g) - mg.mean(v), {}),
    "gradient of length 1": lambda v, g, lr, kept: (v - lr * g / (mg.sqrt(mg.sum(g * g)) + 0.1), {}),
    "the gradient alone": lambda v, g, lr, kept: (g, {}),
    "two that change places": lambda v, g, lr, kept: (kept[0], {0: v}),
    "three that change places": lambda v, g, lr, kept: (kept[0] - lr * g, {0: kept[1], 1: v}),
    "the value before": lambda v, g, lr, kept: (v - lr * g + 0.3 * (v - kept[0]), {0: v}),
    "the gradient before": lambda v, g, lr, kept: (v - lr * (2 * g - kept[0]), {0: g}),
    "mean of new values": lambda v, g, lr, kept: (v - lr * g, {0: 0.9 * kept[0] + 0.1 * (v - lr * g)}),
    "flipped": lambda v, g, lr, kept: (_flipped(v) - lr * g, {}),
    "transposed": lambda v, g, lr, kept: (_turned(v) - lr * g, {}),
    "flipped alone": lambda v, g, lr, kept: (_flipped(v), {}),
    "flipped in the end": lambda v, g, lr, kept: (_flipped(v - lr * g), {}),
    "transposed in the end": lambda v, g, lr, kept: (_turned(v - lr * g), {}),
    "from its first row": lambda v, g, lr, kept: ((v[:1] if v.ndim else v) - lr * g, {}),
    "a change that is transposed": lambda v, g, lr, kept: (v - _turned(lr * g), {}),
    "kept and flipped": lambda v, g, lr, kept: (v - lr * kept[0], {0: _flipped(v) + g}),
    "two that read each other": lambda v, g, lr, kept: (
        v - lr * (kept[0] + kept[1]), {0: g + 0.5 * kept[1], 1: g - 0.5 * kept[0]}),
}  # fmt: skip


class Own(optim.Optimizer):
    """An optimizer by one of the rules."""

    arrays = 2

    def __init__(self, rule: str):
        super().__init__(0.1)
        self.rule = rule

    def equations(self, value: Any, grad: Any, rates: Sequence[Any], kept: Sequence[Any]) -> tuple[Any, dict[int, Any]]:
        return RULES[self.rule](value, grad, rates[0], kept)


def every_kernel(a: Any, b: Any) -> Any:
    """A number that every operation with a kernel of its own goes into, of two square matrices."""
    apart = np.diag([1, 2, 4]).astype(a.dtype)  # far from singular, also where a and b are 0
    square = a @ a.T + apart
    highest, lowest = mg.argmax(a, axis=1), mg.argmin(a, axis=1)
    parts = [
        mg.sort(a, axis=1) * b, mg.cumsum(b, axis=0), np.linalg.solve(square, b),
        np.take_along_axis(b, highest[:, None], axis=1), b[lowest],
    ]  # fmt: skip
    return sum((mg.mean(part) for part in parts), start=mg.Constant(np.zeros((), a.dtype)))


SIZES: dict[str, tuple[int, ...]] = {"number": (), "row": (3,), "square": (3, 3), "tall": (3, 4), "wide": (4, 3)}
# The parameters, and the output for x (n, 3).
MODELS: dict[str, tuple[str, Callable[..., Any]]] = {
    "numbers": ("number number", lambda x, a, b: a * b * x),
    "three numbers": ("number number number", lambda x, a, b, c: a * b * c * x + a),
    "rows": ("row row", lambda x, a, b: a * b * x),
    "three rows": ("row row row", lambda x, a, b, c: a * b * x * c + c),
    "entries of matrices": ("square square", lambda x, a, b: mg.sum(a * b) * x),
    "a product": ("tall wide", lambda x, a, b: x * mg.sum(a @ b)),
    "products both ways": ("square square", lambda x, a, b: mg.sum((a @ b) * (b @ a)) * x),
    "layers": ("square square", lambda x, a, b: x @ a @ b),
    "layers with a bias": ("tall wide row", lambda x, a, b, c: mg.tanh(mg.tanh(x @ a) @ b + c) * c),
    "an outer product": ("row row", lambda x, a, b: x @ mg.reshape(a, (3, 1)) @ mg.reshape(b, (1, 3))),
    "a form": ("row square", lambda x, a, b: (a @ b @ a) * x),
    "one that is not used": ("square tall", lambda x, a, b: x @ a),
    "the loss is an entry": ("row row", lambda x, a, b: a),
    "every kernel": ("square square", lambda x, a, b: mg.tanh(every_kernel(a, b)) * x),
}  # fmt: skip
PAIRS = [(model, rule) for model in MODELS for rule in RULES]
COUNT = 2 * len(PAIRS)


class _Model(nn.Module):
    def __init__(self, name: str, rng: np.random.Generator, dtype: Any):
        sizes, self.formula = MODELS[name]
        for letter, size in zip("abc", sizes.split(), strict=False):
            setattr(self, letter, mg.Variable(rng.normal(size=SIZES[size]).astype(dtype), name=letter))

    def forward(self, x: Any) -> Any:
        return self.formula(x, *self.parameters())


class Update(Training):
    """Update number `number`, of COUNT."""

    steps = 3

    def __init__(self, number: int, seed: int = 1):
        self.number, self.seed = number, seed
        self.name, self.rule = PAIRS[number // 2]
        self.shards, self.weights = ((1, np.float64), (3, np.float32), (1, np.float32), (3, np.float64))[
            (number + number // len(RULES)) % 4
        ]
        self.batch, self.dropout, self.clip, self.scale, self.by_epoch = 6, 0.0, 0.0, 1.0, bool(number % 3)
        self.off = some_passes([seed, number, 8]) if number % 3 == 2 else ()
        self.x = np.random.default_rng([seed, number]).normal(size=(8, 3)).astype(self.weights)
        self.y = self.x

    def __str__(self) -> str:
        kind = f"{self.shards} shards, {np.dtype(self.weights)}, without {', '.join(self.off) or 'nothing'}"
        return f"update {self.number}: {self.name}, {self.rule}, {kind}"

    def model(self, dtype: Any = None) -> nn.Module:
        """The same numbers in every dtype."""
        made = _Model(self.name, np.random.default_rng([self.seed, self.number, 1]), self.weights)
        for variable in made.parameters() if dtype is not None else ():
            variable._value, variable._grad = variable._value.astype(dtype), None
        return made

    def loss(self, output: Any, y: Any) -> Any:
        """Bounded, whatever the parameters become, but where it is one of their entries."""
        return output[0] if self.name == "the loss is an entry" else mg.mean(mg.tanh(output))

    def optimizer(self) -> optim.Optimizer:
        return Own(self.rule)
