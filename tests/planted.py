"""Plants one mistake at a time in a module that is loaded, and asks tests that are named for it, without pytest.

A mistake is old text and new text in a function of a file. The whole file is compiled with it, and the function that
is there gets the code of the changed one: so it is the same object for all who imported it, and goes back afterwards.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import itertools
import tempfile
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]


class Planted(NamedTuple):
    """A mistake: the file, what stands there and what instead, and the test that must fail, as "file.py::name"."""

    file: str
    old: str
    new: str
    test: str


@contextlib.contextmanager
def planted(mistake: Planted) -> Iterator[None]:
    """The mistake is there for a while. AssertionError if its old text does not stand in the file exactly once."""
    path = ROOT / mistake.file
    text = path.read_text(encoding="utf-8")
    times = text.count(mistake.old)
    assert times == 1, (
        f"{mistake.file} has `{mistake.old}` {times} times: bring the table of planted mistakes up to date"
    )
    line = text[: text.index(mistake.old)].count("\n") + 1
    module = importlib.import_module(mistake.file.removesuffix(".py").replace("/", "."))
    code: types.CodeType = compile(text.replace(mistake.old, mistake.new), str(path), "exec", dont_inherit=True)
    names, owners = [], [module]
    body: Any = ast.parse(text).body
    while True:  # down through classes to the function around the line
        part = next(p for p in body if p.lineno <= line <= p.end_lineno)
        names.append(part.name)
        if isinstance(part, ast.FunctionDef):
            break
        body, owners = part.body, [*owners, getattr(owners[-1], part.name)]
    start = part.lineno - len(part.decorator_list)
    for name in names:
        inner = [c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name]
        code = min(inner, key=lambda c: abs(c.co_firstlineno - start)) if name == names[-1] else inner[0]
    live = vars(owners[-1]).get(names[-1])
    if names[-1] == "_":  # rules that are registered by the kind of operation
        dispatch = vars(module)["of_many"].registry.values()
        live = next(f for f in dispatch if f.__code__.co_firstlineno <= line <= f.__code__.co_firstlineno + 40 and
                    start == f.__code__.co_firstlineno)  # fmt: skip
    live = getattr(live, "fget", None) or getattr(live, "__func__", None) or live
    live = inspect.unwrap(live)
    assert live.__code__.co_firstlineno == code.co_firstlineno, f"{mistake.file}: {names} was not loaded as it stands"
    right, live.__code__ = live.__code__, code
    try:
        yield
    finally:
        live.__code__ = right


def ask(test: str) -> None:
    """Run a test for each of its parameters, with the fixtures tmp_path and monkeypatch; raise what it raises.

    "file.py::name[words]": only for parameters in whose text the words are.
    """
    file, name = test.split("::")
    name, _, words = name.removesuffix("]").partition("[")
    module = importlib.import_module(f"tests.{file.removesuffix('.py')}")
    function = getattr(module, name)
    if isinstance(generator := getattr(module, "rng", None), np.random.Generator):  # as conftest.py does
        generator.bit_generator.state = np.random.default_rng(0).bit_generator.state
    marks = [mark for mark in getattr(function, "pytestmark", []) if mark.name == "parametrize"]
    choices, asked = [list(_choices(*mark.args)) for mark in marks], 0
    for chosen in itertools.product(*choices):
        values = {name: value for part in chosen for name, value in part.items()}
        if words not in ", ".join(map(str, values.values())):
            continue
        asked += 1
        wanted = inspect.signature(function).parameters
        with contextlib.ExitStack() as stack, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if "tmp_path" in wanted:
                values["tmp_path"] = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            if "monkeypatch" in wanted:
                values["monkeypatch"] = stack.enter_context(pytest.MonkeyPatch.context())
            function(**values)
    assert asked, f"{test} asks nothing"


def _choices(names: Any, values: Any, **_: Any) -> Iterator[dict[str, Any]]:
    names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
    for value in values:
        value = getattr(value, "values", value) if type(value).__name__ == "ParameterSet" else value
        several = len(names) > 1 or type(value).__name__ == "ParameterSet"
        one = value if len(names) > 1 else (value[0] if isinstance(value, tuple) and several else value,)
        yield dict(zip(names, one, strict=True))


def caught(mistake: Planted) -> bool:
    """True if the test that is named fails while the mistake is there."""
    with planted(mistake):
        try:
            ask(mistake.test)
        except (Exception, pytest.fail.Exception):
            return True
    return False
