"""A content hash of a user's kernel: kernels that may compute different results have different fingerprints.

A program calls such a kernel by name, and its machine code on disk is looked up by the program's text. So the text
contains the kernel's fingerprint: of its code and of everything that it looks up, which numba freezes when it compiles.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import pickle
import uuid
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from minigrad.core.operation import HOUSE

# Their functions and modules are known by name. Changes of minigrad's kernels are known by their own fingerprint.
KNOWN = ("builtins", "math", "minigrad", "numba", "numpy")


def fingerprint(function: Callable[..., Any]) -> str:
    """Hash a function's code, defaults, closure, the globals that it reads, and the functions that it calls."""
    return hashlib.sha256(repr(_identity(function, ())).encode()).hexdigest()[:12]


def _identity(value: Any, within: tuple[int, ...]) -> Any:
    """Describe `value` such that its repr identifies it, in other processes too. within: the ids around it."""
    if id(value) in within:
        return "again", within.index(id(value))
    inside = (*within, id(value))
    function = inspect.unwrap(getattr(value, "py_func", value)) if callable(value) else value
    if isinstance(function, FunctionType):
        return _of_function(function, inside)
    if isinstance(value, MethodType):
        return "method", _identity(value.__func__, inside), _identity(value.__self__, inside)
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return type(value).__name__, repr(value)
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        return type(value).__name__, repr(value.dtype), value.shape, hashlib.sha256(value.tobytes()).hexdigest()
    if isinstance(value, list | tuple):
        return type(value).__name__, [_identity(x, inside) for x in value]
    if isinstance(value, dict):
        return "dict", [(_identity(name, inside), _identity(x, inside)) for name, x in value.items()]
    if isinstance(value, ModuleType):
        return "module", value.__name__
    if isinstance(value, type):
        members = [(x.name, _identity(x.value, inside)) for x in value] if issubclass(value, enum.Enum) else []
        return "type", value.__module__, value.__qualname__, members
    try:
        return type(value).__qualname__, pickle.dumps(value)
    except Exception:  # the repr may differ next time
        return type(value).__qualname__, uuid.uuid4().hex


def _of_function(function: FunctionType, inside: tuple[int, ...]) -> Any:
    name = function.__module__, function.__qualname__
    if (function.__module__ or "").partition(".")[0] in KNOWN and not function.__closure__:
        return "function", name
    code, named = _of_code(function.__code__)
    looked_up: list[Any] = [function.__defaults__, function.__kwdefaults__]
    for cell in function.__closure__ or ():
        try:
            looked_up.append(cell.cell_contents)
        except ValueError:  # not assigned yet
            looked_up.append(None)
    if not function.__code__.co_filename.startswith(HOUSE):
        for word in sorted(named & function.__globals__.keys()):
            thing = function.__globals__[word]
            looked_up.append(thing)
            # such as helpers.scaled
            if isinstance(thing, ModuleType) and thing.__name__.partition(".")[0] not in KNOWN:
                looked_up += [vars(thing)[attribute] for attribute in sorted(named & vars(thing).keys())]
    return "function", code, [_identity(x, inside) for x in looked_up]


@functools.lru_cache(256)
def _of_code(code: CodeType) -> tuple[str, set[str]]:
    """Return a function's code, independent of its location, and the names of globals and attributes in it."""
    parts, named = [], set()
    for part in _codes(code):
        constants = [repr(x) for x in part.co_consts if not isinstance(x, CodeType | frozenset)]
        constants += [repr(sorted(x, key=repr)) for x in part.co_consts if isinstance(x, frozenset)]
        words = part.co_names, part.co_varnames, part.co_freevars, part.co_cellvars
        parts.append((part.co_code, constants, words, part.co_argcount, part.co_flags))
        named |= set(part.co_names)
    return hashlib.sha256(repr(parts).encode()).hexdigest(), named


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of all nested functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
