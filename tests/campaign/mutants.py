"""Wrong gradients, planted one at a time, to see whether the campaign notices.

In each row of the derivative table, each partial derivative is made 0.05 % too large, set to 0, or given the wrong
sign (where it is 0, it is made 1). In each array operation the same is done to its jvp and its vjp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import minigrad as mg
from minigrad.core import operation

Plant = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True)
class Mutant:
    """A wrong gradient: what it is, how to plant it for a while, and the entries where it should show first."""

    name: str
    plant: Plant
    shows_in: tuple[str, ...]


WRONG: dict[str, Callable[[Any], Any]] = {
    "x 1.0005": lambda d: d * 1.0005,
    "x 0": lambda d: d * 0,
    "wrong sign": lambda d: d * -1,
}


@contextmanager
def replaced(owner: Any, name: str, new: Any) -> Iterator[None]:
    """owner.name is `new` for a while."""
    had, old = name in vars(owner), getattr(owner, name)
    setattr(owner, name, new)
    try:
        yield
    finally:
        setattr(owner, name, old) if had else delattr(owner, name)


# The derivative table --------------------------------------------------------------------------------------------


def row_mutants() -> Iterator[Mutant]:
    """Every partial derivative of every row, wrong in each way."""
    for name, row in mg.rules.TABLE.items():
        for i, partial in enumerate(row.partials):
            wrongs = {"is 1": lambda d: 1} if partial == "0" else WRONG
            for how, wrong in wrongs.items():
                yield Mutant(f"{name}, partial {i}, {how}", _plant_partial(row, i, wrong), (name,))


def _plant_partial(row: Any, i: int, wrong: Callable[[Any], Any]) -> Plant:
    right = row.partial_functions
    functions = [*right[:i], lambda *args: wrong(right[i](*args)), *right[i + 1 :]]
    return lambda: replaced(row, "partial_functions", functions)


# Array operations ------------------------------------------------------------------------------------------------


DERIVATIVES = {"jvp", "vjp", "pullback", "pushforward"}


def operation_classes() -> list[type[operation.Operation]]:
    """Every array operation with a derivative, its own or a base's, that is not None, as it is for integers."""

    def below(cls: type) -> Iterator[type]:
        for sub in cls.__subclasses__():
            yield sub
            yield from below(sub)

    def differentiates(c: type[operation.Operation]) -> bool:
        above = c.__mro__[: c.__mro__.index(operation.Operation)]
        return any(DERIVATIVES & set(vars(base)) for base in above) and c.vjp.__annotations__["return"] != "None"

    named = [c for c in below(operation.Operation) if c.__module__.startswith("minigrad.") and "name" in vars(c)]
    return sorted({c for c in named if differentiates(c) and c is not mg.rules.Rule}, key=lambda c: c.__name__)


def class_mutants(shows_in: dict[str, tuple[str, ...]]) -> Iterator[Mutant]:
    """Both derivatives of every array operation, wrong in each way. `shows_in`: the entries that use a class."""
    for cls in operation_classes():
        whole = "pullback" in vars(cls)  # it finds the adjoints of all its inputs at once
        for method in ("pushforward", "pullback") if whole else ("jvp", "vjp"):
            for how, wrong in WRONG.items():
                places = shows_in.get(cls.__name__, (cls.name,))
                yield Mutant(f"{cls.__name__}.{method} {how}", _plant_method(cls, method, wrong), places)


def _plant_method(cls: type, method: str, wrong: Callable[[Any], Any]) -> Plant:
    right = getattr(cls, method)

    def mutated(self: Any, *args: Any) -> Any:
        result = right(self, *args)
        if isinstance(result, list):
            return [wrong(result[0]), *result[1:]]
        return None if result is None else wrong(result)

    return lambda: replaced(cls, method, mutated)


def all_mutants(shows_in: dict[str, tuple[str, ...]]) -> list[Mutant]:
    """Every wrong gradient that is planted."""
    return [*row_mutants(), *class_mutants(shows_in)]
