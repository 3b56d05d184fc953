"""Detect changes since a graph was built: a model's layers and settings, an optimizer's numbers.

Python decides while a graph is built: the layers, the mode of Dropout, the momentum of SGD. A graph that is
replayed, and a program compiled from it, do not see later changes. A `Snapshot` does: it is taken with the graph, and
compared before each run. Usually nothing has changed, which it establishes in microseconds.
"""

from __future__ import annotations

from collections import deque
from dataclasses import fields, is_dataclass
from operator import attrgetter, is_
from types import SimpleNamespace
from typing import Any

import numpy as np

from minigrad.core.graph import Constant, Variable
from minigrad.guards.bounds import same_bits
from minigrad.nn.module import Module, inside

RECORDS = SimpleNamespace | deque | set | frozenset | bytearray  # and dataclasses
CHANGEABLE = RECORDS | list | dict | tuple | np.ndarray | Constant  # a tuple, because its items may change
_array, _mode = attrgetter("_value"), attrgetter("training")


_Part = tuple[dict[str, Any], frozenset[str], list[str], list[str], list[Any]]


class Snapshot:
    """The attributes of modules and optimizers as they are now, those of the modules inside them too.

    Numbers, texts, tuples, lists, dicts, sets, dataclasses and arrays count as the same while their content is; other
    objects, such as a random generator, while they are the same object. Variables may have other numbers, in the
    same array.
    """

    def __init__(self, *parts: Any):
        # Of each part: its attributes, and the names and values, as they were, of those that are not read anew.
        self._parts: list[_Part] = []
        self._modules: list[Module] = []
        self._variables: list[Variable] = []
        self._contents: list[tuple[dict[str, Any], str, Any]] = []  # values that may change in place, and their copies
        seen: set[int] = set()
        for part in parts:
            if hasattr(part, "READ_ANEW"):
                self._add(part, seen)
        self._arrays = [variable._value for variable in self._variables]
        self._training = [*map(_mode, self._modules)]

    def _add(self, part: Any, seen: set[int]) -> None:
        if id(part) in seen:
            return
        seen.add(id(part))
        if isinstance(part, Module):
            self._modules.append(part)
        names, followed = vars(part), part.READ_ANEW
        fixed = [name for name in names if name not in followed]
        self._parts.append((names, followed, [*names], fixed, [names[name] for name in fixed]))
        for name, value in names.items():
            if name not in followed:
                if _may_change(value):
                    self._contents.append((names, name, _copied(value)))
                for _, inner in inside(name, value):
                    if isinstance(inner, Module):
                        self._add(inner, seen)
                    elif isinstance(inner, Variable):
                        self._variables.append(inner)

    def holds(self) -> bool:
        """Tell whether everything is unchanged."""
        for k, (now, followed, names, fixed, values) in enumerate(self._parts):
            if len(now) == len(names) and all(map(is_, now, names)) and all(map(is_, map(now.get, fixed), values)):
                continue  # the same objects in the same order, which is quick to see
            if not _alike(now, followed, fixed, values):
                return False
            self._parts[k] = now, followed, [*now], fixed, [now[name] for name in fixed]
        if not all(map(is_, map(_array, self._variables), self._arrays)):
            return False
        for owner, name, copy in self._contents:
            if not _equal(owner[name], copy):
                return False
        return self._training == [*map(_mode, self._modules)]


def _may_change(value: Any) -> bool:
    return isinstance(value, CHANGEABLE) or (is_dataclass(value) and not isinstance(value, type))


def _copied(value: Any) -> Any:
    """Return a copy that is unaffected when `value` changes in place."""
    value = _content(value)
    if isinstance(value, np.ndarray):
        return np.array(value, order="C")
    if isinstance(value, Constant):
        return value, np.array(value._value)
    if isinstance(value, list | tuple):  # list and tuple differ: w[[0, 1]] selects two rows, w[(0, 1)] an entry
        return type(value), [_copied(x) for x in value]
    return {name: _copied(x) for name, x in value.items()} if isinstance(value, dict) else value


def _content(value: Any) -> Any:
    """Return what is in a record as a dict, and what is in a set with its type; other values as they are."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name, None) for field in fields(value)}
    if isinstance(value, SimpleNamespace):
        return vars(value)
    if isinstance(value, set | frozenset):
        return frozenset((type(x), x) for x in value)  # 1 is not True
    return list(value) if isinstance(value, deque) else bytes(value) if isinstance(value, bytearray) else value


def _alike(now: dict[str, Any], followed: frozenset[str], fixed: list[str], values: list[Any]) -> bool:
    """Tell whether the attributes are the same in the same order, except for those that a program follows anyway."""
    return [name for name in now if name not in followed] == fixed and all(
        # contents are compared next
        _equal(now[name], x) or (type(now[name]) is type(x) and (isinstance(x, CHANGEABLE) or is_dataclass(x)))
        for name, x in zip(fixed, values, strict=True)
    )


def _equal(value: Any, copy: Any) -> bool:
    """Tell whether `value` still equals its copy from `_copied`."""
    if value is copy:  # as only what cannot change is
        return True
    value = _content(value)
    if isinstance(value, frozenset):
        return isinstance(copy, frozenset) and value == copy
    if isinstance(value, np.ndarray):
        return isinstance(copy, np.ndarray) and same_bits(value, copy)
    if isinstance(value, Constant):
        return isinstance(copy, tuple) and value is copy[0] and same_bits(value._value, copy[1])
    if isinstance(value, list | tuple):
        same = isinstance(copy, tuple) and copy[0] is type(value) and len(value) == len(copy[1])
        return same and all(map(_equal, value, copy[1]))
    if isinstance(value, dict):
        return isinstance(copy, dict) and list(value) == list(copy) and all(map(_equal, value.values(), copy.values()))
    plain = isinstance(value, bool | int | float | complex | str | bytes | np.generic)
    return plain and type(value) is type(copy) and repr(value) == repr(copy)  # 0.0 is not -0.0
