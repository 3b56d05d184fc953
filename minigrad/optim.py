"""How gradients change weights: SGD with momentum, Adam, AdamW, and limits on gradients that are too large.

All work in place, in arrays made once for each parameter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from minigrad.graph import Variable
from minigrad.operation import kind_of
from minigrad.ops.reduce import sum as sum_all
from minigrad.rules import maximum, sqrt, square

Rate = float | Callable[[int], float]  # a learning rate, or one for each step: steps count from 0


def _is_schedule(lr: Any) -> bool:
    return callable(lr) and not hasattr(lr, "parameters")  # a module can be called too


class Optimizer:
    """Shared: the learning rate of this step, and arrays kept for each parameter between steps."""

    def __new__(cls, *given: Any, **named: Any) -> Any:
        """Whoever knows PyTorch gives the parameters first, with lr= by name: Python's own error would not help."""
        if given and not isinstance(given[0], int | float | np.number) and not _is_schedule(given[0]):
            raise TypeError(
                f"{cls.__name__} takes the learning rate first, and the parameters with each step: optimizer = "
                f"{cls.__name__}(0.01), then optimizer.step(model.parameters()). Got {kind_of(given[0])} first"
            )
        return super().__new__(cls)

    def __init__(self, lr: Rate):
        if not callable(lr) and not lr > 0:
            raise ValueError(f"a learning rate is positive, got {lr}")
        self.lr = lr
        self.steps = 0
        self._kept: WeakKeyDictionary[Variable, list[np.ndarray]] = WeakKeyDictionary()

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy: the arrays beside their parameters. Pickle model and optimizer together, as a pair."""
        return {**vars(self), "_kept": list(self._kept.items())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _kept=WeakKeyDictionary(state["_kept"]))

    def step(self, parameters: Sequence[Variable]) -> None:
        """Change each parameter by its gradient."""
        lr = self.lr(self.steps) if callable(self.lr) else self.lr
        self.steps += 1
        for variable in parameters:
            self.update(variable._value, variable.grad_array(), lr, *self.kept(variable))
            variable.changed()
            variable.used_grad()

    arrays = 1  # how many arrays `update` keeps for each parameter, zero at first

    def kept(self, variable: Variable) -> list[np.ndarray]:
        """The arrays that belong to a parameter, made when they are first asked for."""
        if variable not in self._kept:
            self._kept[variable] = [np.zeros_like(variable._value) for _ in range(self.arrays)]
        return self._kept[variable]

    def rates(self, step: int) -> tuple[float, ...]:
        """The numbers in `equations` that change from step to step; steps count from 0."""
        return (self.lr(step) if callable(self.lr) else self.lr,)

    def equations(self, value: Any, grad: Any, rates: Sequence[Any], kept: Sequence[Any]) -> tuple[Any, dict[int, Any]]:
        """One step as operations on nodes, for compiled programs: the new value, and the new kept arrays by number."""
        raise TypeError(f"{type(self).__name__} has no equations(), which a compiled step is made from")

    def update(self, value: np.ndarray, grad: np.ndarray, lr: float, *kept: np.ndarray) -> None:
        """Change `value` in place."""
        raise TypeError(f"{type(self).__name__} has no update()")


class SGD(Optimizer):
    """value -= lr * grad; with momentum m: velocity = m * velocity + grad, value -= lr * velocity (PyTorch's form)."""

    arrays = 2

    def __init__(self, lr: Rate, momentum: float = 0.0):
        super().__init__(lr)
        if not 0 <= momentum < 1:
            raise ValueError(f"momentum lies in 0 <= m < 1, got {momentum}")
        self.momentum = momentum

    def equations(self, value: Any, grad: Any, rates: Sequence[Any], kept: Sequence[Any]) -> tuple[Any, dict[int, Any]]:
        (lr,) = rates
        if not self.momentum:
            return value - lr * grad, {}
        velocity = self.momentum * kept[0] + grad
        return value - lr * velocity, {0: velocity}

    def update(self, value: np.ndarray, grad: np.ndarray, lr: float, *kept: np.ndarray) -> None:
        velocity, change = kept
        if self.momentum:
            np.multiply(velocity, self.momentum, out=velocity)
            np.add(velocity, grad, out=velocity)
        np.multiply(velocity if self.momentum else grad, lr, out=change)
        np.subtract(value, change, out=value)


class Adam(Optimizer):
    """Steps scaled by running means of the gradient and of its square (Kingma and Ba, 2015, algorithm 1)."""

    arrays = 3

    def __init__(self, lr: Rate = 0.001, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8):
        super().__init__(lr)
        self.betas, self.eps = betas, eps

    def rates(self, step: int) -> tuple[float, ...]:
        (lr,) = super().rates(step)
        beta1, beta2 = self.betas
        return lr / (1 - beta1 ** (step + 1)), 1 / (1 - beta2 ** (step + 1))

    def equations(self, value: Any, grad: Any, rates: Sequence[Any], kept: Sequence[Any]) -> tuple[Any, dict[int, Any]]:
        rate, correction = rates
        beta1, beta2 = self.betas
        mean = beta1 * kept[0] + (1 - beta1) * grad
        square = beta2 * kept[1] + (1 - beta2) * (grad * grad)
        return value - rate * (mean / (sqrt(square * correction) + self.eps)), {0: mean, 1: square}

    def update(self, value: np.ndarray, grad: np.ndarray, lr: float, *kept: np.ndarray) -> None:
        mean, square, change = kept
        beta1, beta2 = self.betas
        np.multiply(mean, beta1, out=mean)
        np.multiply(grad, 1 - beta1, out=change)
        np.add(mean, change, out=mean)
        np.multiply(square, beta2, out=square)
        np.multiply(grad, grad, out=change)
        np.multiply(change, 1 - beta2, out=change)
        np.add(square, change, out=square)
        # change = lr * (mean / (1 - beta1^t)) / (sqrt(square / (1 - beta2^t)) + eps)
        np.multiply(square, 1 / (1 - beta2**self.steps), out=change)
        np.sqrt(change, out=change)
        np.add(change, self.eps, out=change)
        np.divide(mean, change, out=change)
        np.multiply(change, lr / (1 - beta1**self.steps), out=change)
        np.subtract(value, change, out=value)


class AdamW(Adam):
    """Adam that also makes each weight smaller, by lr * weight_decay of itself in each step (Loshchilov, Hutter, 2019).

    The decay does not go through Adam's means: it is apart from the gradient, as in PyTorch's AdamW.
    """

    def __init__(
        self,
        lr: Rate = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ):
        super().__init__(lr, betas, eps)
        if not weight_decay >= 0:
            raise ValueError(f"weight_decay is 0 or more, got {weight_decay}")
        self.weight_decay = weight_decay

    def _stays(self, lr: float) -> float:
        """The share of a weight that a step leaves."""
        return 1 - lr * self.weight_decay

    def rates(self, step: int) -> tuple[float, ...]:
        lr = self.lr(step) if callable(self.lr) else self.lr
        return *super().rates(step), self._stays(lr)

    def equations(self, value: Any, grad: Any, rates: Sequence[Any], kept: Sequence[Any]) -> tuple[Any, dict[int, Any]]:
        *adam, stays = rates
        return super().equations(stays * value, grad, adam, kept)

    def update(self, value: np.ndarray, grad: np.ndarray, lr: float, *kept: np.ndarray) -> None:
        np.multiply(value, self._stays(lr), out=value)
        super().update(value, grad, lr, *kept)


def clip_by_value(parameters: Sequence[Variable], low: float, high: float | None = None) -> None:
    """Clamp every entry of every gradient between `low` and `high`, in place. With one number: between -it and it."""
    low, high = (-low, low) if high is None else (low, high)
    if low > high:
        raise ValueError(f"clip_by_value: the lower limit {low} is above the upper one, {high}")
    for variable in parameters:
        np.clip(variable.grad_array(), low, high, out=variable.grad_array())


def clip_by_norm(parameters: Sequence[Variable], limit: float) -> float:
    """Scale all gradients by one factor so that their common 2-norm is at most `limit`, in place.

    The direction stays. Returns the norm before. Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent
    neural networks", 2013.
    """
    if not limit > 0:
        raise ValueError(f"clip_by_norm needs a positive limit, got {limit}")
    grads = [variable.grad_array() for variable in parameters]
    norm = math.sqrt(sum(float(np.vdot(grad, grad)) for grad in grads))
    if norm > limit:
        for grad in grads:
            np.multiply(grad, limit / norm, out=grad)
    return norm


def limited_to_norm(grads: Sequence[Any], limit: float) -> list[Any]:
    """The same for compiled steps, nodes from nodes: `mg.compile(..., gradients=lambda gs: limited_to_norm(gs, 1.0))`.

    All gradients times one factor, so that their common 2-norm is at most `limit`.
    """
    if not limit > 0:
        raise ValueError(f"limited_to_norm needs a positive limit, got {limit}")
    norm = sqrt(sum(sum_all(square(grad)) for grad in grads))
    factor = limit / maximum(norm, limit)
    return [grad * factor for grad in grads]


# Learning rates that change: functions of the step, which counts from 0. Give one to an optimizer as its lr.


def step_decay(lr: float, every: int, factor: float) -> Callable[[int], float]:
    """`lr`, times `factor` after each `every` steps."""
    return partial(_step_decay, lr, every, factor)


def cosine(lr: float, steps: int, last: float = 0.0) -> Callable[[int], float]:
    """From `lr` down to `last` over `steps` steps along half a cosine, then `last` (Loshchilov and Hutter, 2017)."""
    return partial(_cosine, lr, steps, last)


def warmup(lr: Rate, steps: int) -> Callable[[int], float]:
    """`lr` (a number or a schedule), scaled up from lr / steps to lr over the first `steps` steps."""
    return partial(_warmup, lr, steps)


def warmup_cosine(lr: float, warm: int, steps: int, last: float = 0.0) -> Callable[[int], float]:
    """Up in a straight line to `lr` over `warm` steps, then down to `last` along half a cosine until step `steps`."""
    if not 0 <= warm < steps:
        raise ValueError(f"warmup_cosine warms up for 0 <= warm < steps, got warm={warm} and steps={steps}")
    return partial(_warmup_cosine, lr, warm, steps, last)


# The schedules themselves. As functions of a module they can be pickled with their optimizer.


def _step_decay(lr: float, every: int, factor: float, step: int) -> float:
    return lr * factor ** (step // every)


def _cosine(lr: float, steps: int, last: float, step: int) -> float:
    return last + (lr - last) * 0.5 * (1 + math.cos(math.pi * min(step / steps, 1.0)))


def _warmup(lr: Rate, steps: int, step: int) -> float:
    return (lr(step) if callable(lr) else lr) * min((step + 1) / steps, 1.0)


def _warmup_cosine(lr: float, warm: int, steps: int, last: float, step: int) -> float:
    return lr * (step + 1) / warm if step < warm else _cosine(lr, steps - warm, last, step - warm)
