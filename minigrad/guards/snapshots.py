"""Detect changes since a graph was built: a model's layers and settings, an optimizer's numbers.

Python decides while a graph is built: the layers, the mode of Dropout, the momentum of SGD. A graph that is
replayed, and a program compiled from it, do not see later changes. A `Snapshot` does: it is taken with the graph, and
compared before each run. Usually nothing has changed, which it establishes in microseconds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from itertools import chain, starmap
from operator import attrgetter, is_
from types import SimpleNamespace
from typing import Any

import numpy as np

from minigrad.core.graph import Constant, Variable
from minigrad.guards.bounds import same_bits
from minigrad.nn.module import Module, inside

PLAIN = bool | int | float | complex | str | bytes | np.generic
MISSING = object()
_array, _mode = attrgetter("_value"), attrgetter("training")


_Part = tuple[dict[str, Any], frozenset[str], list[str], list[Any]]


class Snapshot:
    """The attributes of modules and optimizers as they are now, those of the modules inside them too.

    Numbers, texts, tuples, lists, dicts, sets, dataclasses and arrays count as the same while their content is; other
    objects, such as a random generator, while they are the same object. Variables may have other numbers, in the
    same array.
    """

    def __init__(self, *parts: object):
        # Of each part: its attributes, and the names and values, as they were, of those that are not read anew.
        self._parts: list[_Part] = []
        self._modules: list[Module] = []
        self._variables: list[Variable] = []
        self._contents: list[tuple[dict[str, Any], str, Any]] = []  # owner, name, content
        self._changing: list[tuple[dict[str, Any], str, Any]] = []  # those of them that may change in place
        seen: set[int] = set()
        for part in parts:
            if hasattr(part, "READ_ANEW"):
                self._add(part, seen)
        self._note()
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
        self._parts.append((names, followed, fixed, [names[name] for name in fixed]))
        for name, value in names.items():
            if name not in followed:
                self._contents.append(entry := (names, name, _content(value, _copy)))
                if not _lasts(value) and not (isinstance(entry[2], Kept) and entry[2].same is is_):
                    self._changing.append(entry)
                for _, inner in inside(name, value):
                    if isinstance(inner, Module):
                        self._add(inner, seen)
                    elif isinstance(inner, Variable):
                        self._variables.append(inner)

    def _note(self) -> None:
        """Write the parts one behind the other, so that all are compared at once."""
        self._attributes = [now for now, *_ in self._parts]
        self._names = [*chain.from_iterable(self._attributes)]
        self._places = [(now, name, MISSING) for now, _, fixed, _ in self._parts for name in fixed]
        self._values = [value for *_, values in self._parts for value in values]

    def holds(self) -> bool:
        """Tell whether everything is unchanged."""
        contents, renewed = self._changing, dict[int, _Part]()
        # Usually there are the same objects in the same order, which is quick to see.
        same = [*chain.from_iterable(self._attributes)] == self._names
        same = same and all(map(is_, starmap(dict.get, self._places), self._values))
        for k, (now, followed, fixed, _) in enumerate(() if same else self._parts):
            if [name for name in now if name not in followed] != fixed:
                return False
            contents = self._contents
            renewed[k] = now, followed, fixed, [now[name] for name in fixed]
        if not all(map(is_, map(_array, self._variables), self._arrays)):
            return False
        for owner, name, content in contents:
            if _content(owner[name]) != content:
                return False
        if self._training != [*map(_mode, self._modules)]:
            return False
        for k, part in renewed.items():  # other objects with the same content
            self._parts[k] = part
        if renewed:
            self._note()
        return True


@dataclass(eq=False)
class Kept:
    """A thing that equals another one by a function: while it is the same, if not said."""

    thing: Any
    same: Callable[[Any, Any], bool] = is_

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and self.same is other.same and self.same(self.thing, other.thing)


def _content(value: Any, array: Callable[[np.ndarray], np.ndarray] = lambda a: a) -> Any:
    """Return what is equal as long as the content of a value is, with its type.

    array: copies an array for a content that is kept, which must not change with the value.
    """
    kind = type(value)
    if isinstance(value, PLAIN | bytearray):
        return kind, repr(value)  # 0.0 is not -0.0, and 1 is not True
    if isinstance(value, np.ndarray):
        return Kept(array(value), same_bits)
    if isinstance(value, Constant):
        return Kept(value), Kept(array(value._value), same_bits)
    if isinstance(value, list | tuple | deque):  # list and tuple differ: w[[0, 1]] selects two rows, w[(0, 1)] an entry
        return kind, [_content(x, array) for x in value]
    if isinstance(value, set | frozenset):
        return kind, frozenset((type(x), x) for x in value)
    if isinstance(value, dict):
        return kind, [(name, _content(x, array)) for name, x in value.items()]
    if isinstance(value, SimpleNamespace):
        return kind, _content(vars(value), array)
    if is_dataclass(value) and not isinstance(value, type):
        return kind, [_content(getattr(value, field.name, None), array) for field in fields(value)]
    return Kept(value)


def _lasts(value: Any) -> bool:
    """Tell whether a value cannot change in place."""
    return all(map(_lasts, value)) if type(value) is tuple else isinstance(value, PLAIN)


def _copy(array: np.ndarray) -> np.ndarray:
    return np.array(array, order="C")
