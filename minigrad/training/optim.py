"""Optimizers: SGD with momentum, Adam, AdamW, and limits on gradients that are too large.

An optimizer is its `equations`: one step, as operations on nodes. Compiled programs are made from them, and so is a
step that Python runs: nodes are built once for each parameter and computed anew with each step, in the same arrays.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from minigrad.core.block import override
from minigrad.core.errors import kind_of, learner_line
from minigrad.core.graph import computed, program, run, topological_order
from minigrad.core.node import Node, Variable, is_view, leaf_of, on_new_operator
from minigrad.core.rules import Rule, identity, maximum, sqrt, square
from minigrad.guards.finite import Before, StepError, at, first_bad, refused_step
from minigrad.guards.interrupts import uninterrupted
from minigrad.guards.settings import number
from minigrad.guards.snapshots import Snapshot
from minigrad.native import aligned
from minigrad.ops.reduce import sum as sum_all
from minigrad.training.schedules import Rate, cosine, warmup, warmup_cosine

Equations = tuple[Node, dict[int, Node]]  # the new value, and the new kept arrays by number

__all__ = [
    "SGD", "Adam", "AdamW", "Optimizer", "clip_by_norm", "clip_by_value", "cosine", "limited_to_norm", "warmup",
    "warmup_cosine",
]  # fmt: skip


class Optimizer:
    """Shared: the learning rate of this step, and arrays kept for each parameter between steps."""

    READ_ANEW = frozenset({"lr", "steps"})  # attributes that every step reads

    def __new__(cls, *arguments: object, **named: object) -> Any:
        """Whoever knows PyTorch gives the parameters first, with lr= by name: Python's own error would not help."""
        # A module can be called too.
        schedule = arguments and callable(arguments[0]) and not hasattr(arguments[0], "parameters")
        # An optimizer of one's own may take something else first.
        rate_first = list(inspect.signature(cls.__init__).parameters)[1:2] == ["lr"]
        if rate_first and arguments and not schedule and not isinstance(arguments[0], int | float | np.number):
            raise TypeError(
                f"{cls.__name__} takes the learning rate first, and the parameters with each step: optimizer = "
                f"{cls.__name__}(0.01), then optimizer.step(model.parameters()). Got {kind_of(arguments[0])} first"
            )
        return super().__new__(cls)

    def __init__(self, lr: Rate):
        self.lr = lr if callable(lr) else number(type(self).__name__, "the learning rate", lr, 0, above=True)
        self.steps = 0
        self._kept: WeakKeyDictionary[Variable, list[np.ndarray]] = WeakKeyDictionary()
        self._eager = _Eager()

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy: the arrays beside their parameters. Pickle model and optimizer together, as a pair."""
        return {**vars(self), "_kept": list(self._kept.items()), "_eager": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _kept=WeakKeyDictionary(state["_kept"]), _eager=_Eager())

    def step(self, parameters: Iterable[Variable]) -> None:
        """Update every parameter. Ctrl-C is deferred until all are updated.

        Or none: where one would become nan or infinite, a FloatingPointError says which, and all is as before.
        """
        parameters, rates = each_once(parameters), self.rates(self.steps)
        self._eager.follow(self)
        updates = [self._eager.of(self, variable) for variable in parameters]
        with uninterrupted():
            for update in updates:
                update.before.keep()
            try:
                for variable, update in zip(parameters, updates, strict=True):
                    update.run(variable.grad_array(), rates)
                self._look_at(parameters, updates)
            except BaseException:
                for update in updates:
                    update.before.bring_back()
                raise
            self.steps += 1
            for variable in parameters:
                variable.changed()
                variable.used_grad()

    def _look_at(self, parameters: Sequence[Variable], updates: Sequence[_Update]) -> None:
        """Raise StepError if a parameter, or what is kept for it, is no longer finite."""
        for variable, update in zip(parameters, updates, strict=True):
            if (place := update.before.spoilt()) is not None:
                array, name = update.before.arrays[place[0]], called(variable)
                name = name if array is variable._value else f"what is kept for {name}"
                gradients, who = [(called(v), v.grad_array()) for v in parameters], f"{type(self).__name__}.step"
                raise refused_step(who, name, at(array, place[1]), gradients, "mg.find_anomaly(loss)")

    arrays = 1  # how many arrays `equations` keeps for each parameter, zero at first

    def kept(self, variable: Variable) -> list[np.ndarray]:
        """The arrays that belong to a parameter, made when they are first asked for."""
        if variable not in self._kept:
            self._kept[variable] = [aligned.zeros(variable.shape, variable.dtype) for _ in range(self.arrays)]
        return self._kept[variable]

    def rates(self, step: int) -> tuple[float, ...]:
        """The numbers in `equations` that change from step to step; steps count from 0."""
        rate = self.lr(step) if callable(self.lr) else self.lr
        return (number(type(self).__name__, f"the learning rate of step {step}", rate, 0),)

    def equations(self, value: Node, grad: Node, rates: Sequence[Node], kept: Sequence[Node]) -> Equations:
        """One step as operations on nodes: the new value, and the new kept arrays by number.

        Asked once, not in each step: a number that changes from step to step comes from `rates`.
        """
        raise TypeError(f"{type(self).__name__} has no equations(), which its step is made from")

    def next_values(self, value: Node, grad: Node, rates: Sequence[Node], kept: Sequence[Node]) -> Equations:
        """`equations`, validated: nodes with the shapes of the values they replace."""
        method = f"{type(self).__name__}.equations"
        result = self.equations(value, grad, rates, kept)
        if not (isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], dict)):
            raise TypeError(
                f"{method} returns two things, the new value and a dict of the new kept arrays by number, which may be "
                f"empty; got {kind_of(result)}"
            )
        if strange := [k for k in result[1] if k not in range(len(kept))]:
            raise ValueError(
                f"{method} changes kept array {strange[0]!r}, and keeps {len(kept)}, numbered from 0: `arrays` in the "
                "class says how many"
            )
        for name, node in {"value": result[0], **{f"kept array {k}": node for k, node in result[1].items()}}.items():
            if not isinstance(node, Node) or node.shape != value.shape:
                got = f"shape {node.shape}" if isinstance(node, Node) else kind_of(node)
                raise TypeError(f"{method}: the new {name} is a node of shape {value.shape}, made of inputs; got {got}")
        return result


class SGD(Optimizer):
    """value -= lr * grad; with momentum m: velocity = m * velocity + grad, value -= lr * velocity (PyTorch's form)."""

    def __init__(self, lr: Rate, momentum: float = 0.0):
        super().__init__(lr)
        self.momentum = number(type(self).__name__, "momentum", momentum, 0, 1)

    def equations(self, value: Node, grad: Node, rates: Sequence[Node], kept: Sequence[Node]) -> Equations:
        (lr,) = rates
        if not self.momentum:
            return value - lr * grad, {}
        velocity = self.momentum * kept[0] + grad
        return value - lr * velocity, {0: velocity}


class Adam(Optimizer):
    """Steps scaled by running means of the gradient and of its square (Kingma and Ba, 2015, algorithm 1)."""

    arrays = 2

    def __init__(self, lr: Rate = 0.001, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8):
        super().__init__(lr)
        who = type(self).__name__
        if not isinstance(betas, tuple | list) or len(betas) != 2:
            raise TypeError(f"{who}: betas are two numbers, such as (0.9, 0.999), got {betas!r}")
        self.betas = number(who, "betas[0]", betas[0], 0, 1), number(who, "betas[1]", betas[1], 0, 1)
        self.eps = number(who, "eps", eps, 0)

    def rates(self, step: int) -> tuple[float, ...]:
        (lr,) = super().rates(step)
        beta1, beta2 = self.betas
        return lr / (1 - beta1 ** (step + 1)), 1 / (1 - beta2 ** (step + 1))

    def equations(self, value: Node, grad: Node, rates: Sequence[Node], kept: Sequence[Node]) -> Equations:
        rate, correction = rates
        beta1, beta2 = self.betas
        mean = beta1 * kept[0] + (1 - beta1) * grad
        square = beta2 * kept[1] + (1 - beta2) * (grad * grad)
        return value - rate * (mean / (sqrt(square * correction) + self.eps)), {0: mean, 1: square}


class AdamW(Adam):
    """Adam that also makes each weight smaller, by lr * weight_decay of itself in each step (Loshchilov, Hutter, 2019).

    The decay does not go through Adam's means: it is apart from the gradient, as in PyTorch's AdamW.
    """

    def __init__(
        self, lr: Rate = 0.001, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8, weight_decay: float = 0.01
    ):
        super().__init__(lr, betas, eps)
        self.weight_decay = number(type(self).__name__, "weight_decay", weight_decay, 0)

    def rates(self, step: int) -> tuple[float, ...]:
        (lr,) = Optimizer.rates(self, step)
        return *super().rates(step), 1 - lr * self.weight_decay

    def equations(self, value: Node, grad: Node, rates: Sequence[Node], kept: Sequence[Node]) -> Equations:
        *adam, stays = rates
        return super().equations(stays * value, grad, adam, kept)


def each_once(parameters: Iterable[Variable]) -> list[Variable]:
    """Return the parameters to update as a list. Raises ValueError for a variable that occurs twice."""
    listed = list(parameters)
    if len(set(listed)) < len(listed):
        count = Counter(listed)
        twice = next(v for v in listed if count[v] > 1)
        raise ValueError(
            f"{twice.name or 'a variable'} of shape {twice.shape} is among the parameters twice, and would be changed "
            "twice in each step. list(dict.fromkeys(parameters)) has each once, as Module.parameters() does"
        )
    return listed


def called(variable: Variable) -> str:
    """Name a parameter in a sentence."""
    return variable.name or f"a parameter of shape {variable.shape}"


# The equations as Python runs them ----------------------------------------------------------------------------------


class _Eager:
    """The steps of an optimizer's parameters, for as long as its settings stay what they are."""

    def __init__(self) -> None:
        self.steps: WeakKeyDictionary[Variable, _Update] = WeakKeyDictionary()
        self.settings: Any = None

    def follow(self, optimizer: Optimizer) -> None:
        if self.settings is None or not self.settings.holds():  # another momentum: other equations
            self.settings = Snapshot(optimizer)
            self.steps.clear()

    def of(self, optimizer: Optimizer, variable: Variable) -> _Update:
        step = self.steps.get(variable)
        if step is None or (step.views and step.grad is not variable.grad_array()):
            step = self.steps[variable] = _Update(optimizer, variable)
        return step


class _Update:
    """The equations of one parameter: each operation in turn, in arrays made once."""

    def __init__(self, optimizer: Optimizer, variable: Variable):
        arrays = variable._value, variable.grad_array(), *optimizer.kept(variable)
        value, grad, *kept = (leaf_of(array) for array in arrays)
        rates = [leaf_of(np.array(rate, variable.dtype)) for rate in optimizer.rates(0)]
        with override(on_new_operator, None):  # that is for the learner's own nodes
            new, changed = optimizer.next_values(value, grad, rates, kept)
        results = {value: new, **{kept[k]: node for k, node in changed.items()}}
        for old, new in results.items():
            if any(np.may_share_memory(new._value, array) for array in arrays):  # what was there before, moved
                results[old] = identity(new)
        order = topological_order(*results.values())
        nodes, self.views = computed(order), any(map(is_view, order))
        if all(node.op is None or isinstance(node.op, Rule) for node in order):
            _in_place(nodes, {new: old for old, new in results.items()})
        self.grad, self.rates, self.program = grad._value, [rate._value for rate in rates], program(nodes)
        self.copies = [(old._value, new._value) for old, new in results.items() if old._value is not new._value]
        self.before = Before(old._value for old in results)

    def run(self, grad: np.ndarray, rates: Sequence[float]) -> None:
        if grad is not self.grad:  # somebody holds the array that it was in
            for _, inputs, _, _ in self.program:
                inputs[:] = [grad if x is self.grad else x for x in inputs]
            self.grad = grad
        for array, rate in zip(self.rates, rates, strict=True):
            array[()] = rate
        run(self.program)
        for old, new in self.copies:
            np.copyto(old, new)


def _in_place(nodes: Sequence[Node], replaces: dict[Node, Node]) -> None:
    """Give elementwise nodes the arrays of what is not needed any more.

    A result takes the array of what it replaces, if nobody reads that later; others take what lies idle.
    """
    last = {x: k for k, node in enumerate(nodes) for x in node.inputs}  # where each is read for the last time
    idle: list[np.ndarray] = []
    for k, node in enumerate(nodes):
        assert isinstance(node.op, Rule)
        dying = [x for x in dict.fromkeys(node.inputs) if last[x] == k and x.op is not None and x not in replaces]
        whole = isinstance(node.op.ufunc, np.ufunc)  # NumPy reads an entry before it writes there
        idle += [x._value for x in dying if whole]
        old = replaces.get(node)
        if old is not None:
            if last.get(old, -1) <= k - (not whole) and node._value.shape == old.shape:
                node._value = old._value
        else:
            fitting = [a for a in idle if a.shape == node.shape and a.dtype == node.dtype]
            if fitting:
                node._value = fitting[0]
                idle = [a for a in idle if a is not fitting[0]]
        idle += [x._value for x in dying if not whole]


# Limits on gradients --------------------------------------------------------------------------------------------------


def clip_by_value(parameters: Sequence[Variable], low: float, high: float | None = None) -> None:
    """Clamp every entry of every gradient between `low` and `high`, in place. With one number: between -it and it."""
    number("clip_by_value", "a limit", low, infinite=True)
    low, high = (-low, low) if high is None else (low, number("clip_by_value", "a limit", high, infinite=True))
    if low > high:
        raise ValueError(f"clip_by_value: the lower limit {low} is above the upper one, {high}")
    for variable in parameters:
        np.clip(variable.grad_array(), low, high, out=variable.grad_array())


def clip_by_norm(parameters: Sequence[Variable], limit: float) -> float:
    """Scale all gradients by one factor so that their common 2-norm is at most `limit`, in place.

    The direction stays. Returns the norm before. A gradient that is nan or infinite has no direction: it raises
    FloatingPointError, and all gradients stay as they are. Pascanu, Mikolov, Bengio, "On the difficulty of training
    recurrent neural networks", 2013.
    """
    number("clip_by_norm", "the limit", limit, 0, above=True, infinite=True)
    grads = [variable.grad_array() for variable in parameters]
    norm = math.sqrt(sum(float(np.vdot(grad, grad)) for grad in grads))
    if not math.isfinite(norm):
        norm = _norm_of_large(parameters, grads)
    if norm > limit:
        for grad in grads:
            np.multiply(grad, limit / norm, out=grad)
    return norm


def _norm_of_large(parameters: Sequence[Variable], grads: Sequence[np.ndarray]) -> float:
    """The common norm where squares overflow: of numbers divided by the largest of them, times it."""
    for variable, grad in zip(parameters, grads, strict=True):
        if (entry := first_bad(grad)) is not None:
            raise StepError(
                f"clip_by_norm: the gradient of {called(variable)} is {at(grad, entry)}, which no factor makes finite. "
                "Nothing was changed. mg.find_anomaly(loss) names the operation that it came from"
            )
    largest = max(float(np.abs(grad).max(initial=0.0)) for grad in grads)
    return largest * math.sqrt(sum(float(np.square(grad / largest, dtype=np.float64).sum()) for grad in grads))


def limited_to_norm(grads: Sequence[Any], limit: float) -> list[Any]:
    """The same for compiled steps, nodes from nodes: `mg.compile(..., gradients=lambda gs: limited_to_norm(gs, 1.0))`.

    All gradients times one factor, so that their common 2-norm is at most `limit`.
    """
    number("limited_to_norm", "the limit", limit, 0, above=True)
    norm = sqrt(sum(sum_all(square(grad)) for grad in grads))
    factor = limit / maximum(norm, limit)
    return [grad * factor for grad in grads]


_warned: dict[Any, Any] = {}


def _warn_of_used_gradient() -> None:
    line = learner_line()
    warnings.warn_explicit(
        "backward() adds to gradients that an optimizer's step has used already, so the next step moves by old and "
        "new ones together. Call zero_grad() after each step; to add up on purpose, do it before one step",
        RuntimeWarning,
        line.file if line else "",
        line.number if line else 0,
        registry=_warned,
    )


Variable.warn_of_used_grad = staticmethod(_warn_of_used_gradient)
