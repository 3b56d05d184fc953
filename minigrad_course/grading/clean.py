"""Clean namespaces: a test uses what the author defined, whatever names the learner's answers use.

Answers and tests share one notebook, and so one set of names. An answer that defines a `check_close`, a `print` or a
`float` of its own is no crime; but a test that used them would check nothing, or fail for no reason to be seen. So a
test runs among names of its own: the learner's, without those that hide Python's builtins, and over them what the
locked cells defined. The learner's functions keep their own names and notice nothing.

This stops slips. Code that runs in the same process as the test can do everything that the test can do, and whoever
cheats here cheats nobody else: a class is graded elsewhere (minigrad_class).
"""

from __future__ import annotations

import builtins
import functools
import symtable
import types
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from minigrad_course.mistakes import ENDLESS, calls_itself

BUILTINS = {name for name in vars(builtins) if not name.startswith("__")} | {"__import__", "__build_class__"}


class Guard:
    """Keeps what the locked cells of one exercise defined."""

    def __init__(self, redefined: Collection[str] = ()) -> None:
        """`redefined`: names that answers are asked to define although Python or a locked cell has them."""
        self.redefined = frozenset(redefined)
        self.defined: dict[str, dict[str, Any]] = {}  # locked cell -> the names that it bound

    def before_given(self, namespace: dict[str, Any]) -> None:
        """Call before a locked cell runs: restores what the locked cells before it defined."""
        namespace.update(self._clean())

    def after_given(self, cell: str, source: str, namespace: Mapping[str, Any]) -> None:
        """Call after a locked cell has run: keeps what it bound."""
        self.defined[cell] = {name: namespace[name] for name in names_bound(source) if name in namespace}

    def overwritten(self, namespace: Mapping[str, Any]) -> list[str]:
        """List the names of locked cells that have been rebound since."""
        return sorted(name for name, value in self._clean().items() if namespace.get(name, value) is not value)

    def test_namespace(self, namespace: Mapping[str, Any], answers: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Make the names of one test: those of the answers, which are all of `namespace` if they are not given, and
        over them what the locked cells defined there. Functions of these find each other under the new names.
        """
        answers = namespace if answers is None else answers
        names = {n: v for n, v in answers.items() if n not in BUILTINS or n in self.redefined}
        names["__builtins__"] = builtins
        for name, value in self._clean().items():
            ours = isinstance(value, types.FunctionType) and value.__globals__ is namespace
            names[name] = _with_names(value, names) if ours else value
        return names

    def _clean(self) -> dict[str, Any]:
        return {n: v for bound in self.defined.values() for n, v in bound.items() if n not in self.redefined}


class Solution:
    """The author's answers, as attributes. They run when the first one is asked for, among what the locked cells
    defined in a namespace.
    """

    def __init__(self, guard: Guard, sources: Iterable[str], namespace: Mapping[str, Any]) -> None:
        self._of = guard, sources, namespace

    def __getattr__(self, name: str) -> Any:
        guard, sources, namespace = self._of
        names = guard.test_namespace(namespace, {"__name__": "__main__"})
        for source in sources:
            exec(compile(source, "<solution>", "exec", dont_inherit=True), names)
        self.__dict__.update(names)
        return names[name]


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
        if isinstance(error, RecursionError) and (name := calls_itself(error)):
            return ENDLESS.format(name)
        return str(error)[:5000]
    except Exception as another:
        return f"(its text cannot be shown: {type(another).__name__} in its __str__)"


def shown(value: object) -> str:
    """Return the repr of a value, or a sentence if its __repr__ fails."""
    try:
        return repr(value)[:5000]
    except Exception as another:
        return f"(a {type(value).__name__} that cannot be shown: {type(another).__name__} in its __repr__)"
