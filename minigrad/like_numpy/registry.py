"""The table from NumPy's functions to minigrad's, which `@as_numpy` fills beside each function.

np.cumsum(x) of a traced value looks np.cumsum up here and calls what it finds; mg.cumsum is the same function, and so
is x.cumsum(), if NumPy's arrays have a method of that name.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from minigrad.core.operand import FUNCTIONS, NEAREST, Operand, numpy_name

F = TypeVar("F", bound=Callable[..., Any])
SURFACE: dict[str, Callable[..., Any]] = {}  # by NumPy's name for it: "cumsum", "linalg.solve"
IN_PLACE = {"sort"}  # the method of NumPy's arrays changes them
for _line in Path(__file__).with_name("nearest.txt").read_text(encoding="utf-8").splitlines():
    _names, _, _advice = _line.partition(": ")
    NEAREST.update(dict.fromkeys(_names.split(), _advice))


def as_numpy(*names: str) -> Callable[[F], F]:
    """Let np.name of a traced value call the decorated function. A later one takes the place of an earlier one.

    A name that the installed NumPy does not have, being newer, is left out.
    """

    def register(op: F) -> F:
        for name in names:
            if (function := numpys_own(name)) is not None:
                FUNCTIONS[function] = SURFACE[numpy_name(function)] = op
                if callable(getattr(np.ndarray, name, None)) and name not in IN_PLACE:
                    setattr(Operand, name, _method(function, op))
        return op

    return register


def _method(function: Callable[..., Any], op: Callable[..., Any]) -> Callable[..., Any]:
    """Make NumPy's function a method, which takes NumPy's arguments in its order."""

    def method(self: Any, *args: Any, **options: Any) -> Any:
        return self.__array_function__(function, (), (self, *args), options)

    method.__doc__ = op.__doc__
    return method


def numpys_own(name: str) -> Any:
    """Return NumPy's function of that name, or None."""
    try:
        return functools.reduce(getattr, name.split("."), np)
    except AttributeError:
        return None


def numpys(name: str) -> Callable[..., Any] | None:
    """Return minigrad's function for np.name of a traced value, such as cumsum, or None. mg.name is the same."""
    function = None if name.startswith("_") else vars(np).get(name)  # getattr would import parts of NumPy
    return FUNCTIONS.get(function) if callable(function) else None


def without(name: str) -> str:
    """Continue the sentence "minigrad has no `name`" with the nearest alternative, if one is known."""
    return f". {NEAREST[name]}" if name in NEAREST else ""
