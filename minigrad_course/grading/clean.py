"""Clean namespaces: a test uses what the author defined, whatever names the learner's answers use.

Answers and tests share one notebook, and so one set of names. An answer that defines a `check_close`, a `print` or a
`float` of its own is no crime; but a test that used them would check nothing, or fail for no reason to be seen. So a
test runs among names of its own: the learner's, without those that hide Python's builtins, and over them what the
locked cells defined, as it was when they had run. The learner's functions keep their own names and notice nothing.

Some things are compared again when a test has ended (the modules that checks are made of, and the names that the test
ran among): a test during which they changed is worth nothing. This stops slips and simple tricks. Code that runs in
the same process as the test can do everything that the test can do; nothing written in Python keeps it out for good.
"""

from __future__ import annotations

import builtins
import functools
import math
import symtable
import sys
import types
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from minigrad_course import PACKAGES
from minigrad_course.grading import checks

BUILTINS = {name for name in vars(builtins) if not name.startswith("__")} | {"__import__", "__build_class__"}
Body = tuple[types.CodeType, Any, Any]


class Guard:
    """Keeps what the locked cells of one exercise defined, and the modules that checks consist of."""

    def __init__(self, redefined: Collection[str] = ()) -> None:
        """`redefined`: names that answers are asked to define although Python or a locked cell has them."""
        self.redefined = frozenset(redefined)
        self.defined: dict[str, dict[str, Any]] = {}  # locked cell -> the names that it bound
        self._bodies: dict[types.FunctionType, Body] = {}  # of the helpers among them
        self._sealed = [Seal(module) for module in (builtins, math, np, checks)]

    def before_given(self, namespace: dict[str, Any]) -> None:
        """Call before a locked cell runs: restores what the locked cells before it defined."""
        self._restore()
        namespace.update(self._clean())

    def after_given(self, cell: str, source: str, namespace: Mapping[str, Any]) -> None:
        """Call after a locked cell has run: keeps what it bound."""
        self.defined[cell] = {name: namespace[name] for name in names_bound(source) if name in namespace}
        known = {seal.module for seal in self._sealed}
        for value in self.defined[cell].values():
            if isinstance(value, types.FunctionType):
                self._bodies.setdefault(value, body(value))
            # Other modules may well change by themselves.
            ours = isinstance(value, types.ModuleType) and value.__name__.split(".")[0] in PACKAGES
            if ours and value not in known:
                self._sealed.append(Seal(value))

    def overwritten(self, namespace: Mapping[str, Any]) -> list[str]:
        """List the names of locked cells that have been rebound since."""
        return sorted(name for name, value in self._clean().items() if namespace.get(name, value) is not value)

    def test_namespace(self, namespace: dict[str, Any]) -> TestNamespace:
        """Make the namespace of one test."""
        self._restore()
        learners = {n: v for n, v in namespace.items() if n not in BUILTINS or n in self.redefined}
        names = {**learners, "__builtins__": builtins}
        for name, value in self._clean().items():
            ours = isinstance(value, types.FunctionType) and value.__globals__ is namespace
            names[name] = _with_names(value, names) if ours else value
        return TestNamespace(names, self)

    def solution_namespace(self, sources: Iterable[str], namespace: Mapping[str, Any]) -> dict[str, Any]:
        """Run an author's answers, among the names that the locked cells defined in `namespace`."""
        names: dict[str, Any] = {"__builtins__": builtins, "__name__": "__main__"}
        for name, value in self._clean().items():
            ours = isinstance(value, types.FunctionType) and value.__globals__ is namespace
            names[name] = _with_names(value, names) if ours else value
        for source in sources:
            exec(compile(source, "<solution>", "exec", dont_inherit=True), names)
        return names

    def _clean(self) -> dict[str, Any]:
        return {n: v for bound in self.defined.values() for n, v in bound.items() if n not in self.redefined}

    def _restore(self) -> None:
        for function, before in self._bodies.items():
            function.__code__, function.__defaults__, function.__kwdefaults__ = before
        for seal in self._sealed:
            seal.restore()

    def broken(self) -> list[str]:
        """List what has changed in the sealed modules."""
        return [name for seal in self._sealed for name in seal.broken()]


class Solution:
    """The author's answers, as attributes. They run when the first one is asked for."""

    def __init__(self, guard: Guard, sources: Iterable[str], namespace: Mapping[str, Any]) -> None:
        self._make = lambda: guard.solution_namespace(sources, namespace)

    def __getattr__(self, name: str) -> Any:
        self.__dict__.update(self._make())
        return self.__dict__[name]


class TestNamespace:
    """The names of one test while it runs."""

    def __init__(self, names: dict[str, Any], guard: Guard) -> None:
        self.names = names
        self._guard = guard
        self._before = dict(names)
        self._bodies = {n: body(names[n]) for n in guard._clean() if isinstance(names[n], types.FunctionType)}

    def leave(self, source: str, namespace: dict[str, Any]) -> list[str]:
        """Call after the test: hands what it bound to the notebook. Returns changes that no test makes."""
        bound = names_bound(source)
        namespace.update({name: self.names[name] for name in bound if name in self.names})
        clean = self._guard._clean().keys() - bound
        changed = [name for name in clean if self.names.get(name) is not self._before[name]]
        changed += [name for name, before in self._bodies.items() if body(self._before[name]) != before]
        return sorted({*changed, *self._guard.broken()})


class Seal:
    """A module as it is now: its names, and the code of its own functions."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        # Among the builtins notebooks put things of their own (`input`, `display`), some of them anew for each cell.
        builtin = module is builtins
        self._names = {
            name: value
            for name, value in vars(module).items()
            if (callable(value) or not name.startswith("_"))
            and (not builtin or isinstance(value, type) or getattr(value, "__module__", "") == "builtins")
        }
        own = [v for v in self._names.values() if isinstance(v, types.FunctionType) and v.__module__ == module.__name__]
        self._bodies = {function: body(function) for function in own}

    def broken(self) -> list[str]:
        """List the names, and the functions, that are no longer as they were."""
        name, now = self.module.__name__, vars(self.module)
        functions = [function.__name__ for function, before in self._bodies.items() if body(function) != before]
        changed = [n for n, value in self._names.items() if now.get(n) is not value]
        return [f"{name}.{n}" for n in (*changed, *functions)]

    def restore(self) -> None:
        """Undo all changes."""
        sys.modules[self.module.__name__] = self.module
        now = vars(self.module)
        for name, value in self._names.items():
            if now.get(name) is not value:
                setattr(self.module, name, value)
        for function, before in self._bodies.items():
            function.__code__, function.__defaults__, function.__kwdefaults__ = before


def body(function: types.FunctionType) -> Body:
    """Return the code and the defaults of a function."""
    return function.__code__, function.__defaults__, function.__kwdefaults__


@functools.lru_cache(maxsize=1024)  # the cells of an exercise, which run many times
def names_bound(source: str) -> frozenset[str]:
    """Return the names that a cell binds at its top level; none if it is not Python."""
    try:
        table = symtable.symtable(source, "<cell>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two: `1+1+...`, ninety thousand times
        return frozenset()
    symbols = table.get_symbols()
    return frozenset(one.get_name() for one in symbols if one.is_assigned() or one.is_imported())


def _with_names(function: types.FunctionType, names: dict[str, Any]) -> types.FunctionType:
    """Copy a function, with `names` as its globals."""
    copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__dict__.update(function.__dict__)
    copy.__doc__, copy.__module__, copy.__qualname__ = function.__doc__, function.__module__, function.__qualname__
    copy.__annotations__ = function.__annotations__
    return copy


def told(error: BaseException) -> str:
    """Return the text of an exception, or a sentence if its __str__ fails."""
    try:
        if isinstance(error, SyntaxError) and error.lineno:
            return f"{error.msg} (line {error.lineno})"  # without the name that the notebook gives to a cell
        return str(error)[:5000]
    except Exception as another:
        return f"(its text cannot be shown: {type(another).__name__} in its __str__)"


def shown(value: Any) -> str:
    """Return the repr of a value, or a sentence if its __repr__ fails."""
    try:
        return repr(value)[:5000]
    except Exception as another:
        return f"(a {type(value).__name__} that cannot be shown: {type(another).__name__} in its __repr__)"
