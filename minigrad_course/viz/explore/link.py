"""The playground's address of a function that is explored in a notebook: its source, its inputs, and the mode.

A link is text, so the function's source must say all that it needs. What it uses from outside goes along if it is a
module that the playground has, a number, or another such function. Arrays from outside, or inputs that the
playground could not show as they are here, have no link.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import os
import symtable
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

import minigrad

if TYPE_CHECKING:
    from minigrad_course.viz.explore.typed import Typed

SITE = "MINIGRAD_SITE_URL"  # in the environment: the address of the course's site
PLAYGROUND = "tab/playground/index.html"  # on that site
KNOWN = {"mg": minigrad, "np": np}  # names that every text of the playground begins with


class Unlinkable(Exception):
    """The function cannot be written into a link."""


def site() -> str:
    """Return the address of the course's site: the environment's, else the package's documentation, else none."""
    address = os.environ.get(SITE, "")
    if not address:
        try:
            urls = metadata.metadata("minigrad-course").get_all("Project-URL") or []
        except metadata.PackageNotFoundError:
            urls = []
        labelled = [url.partition(",") for url in urls]
        address = next((url.strip() for label, _, url in labelled if label.strip() == "Documentation"), "")
    return address.rstrip("/") if address.startswith(("http://", "https://")) else ""


def link(what: object, args: Sequence[Any], options: Mapping[str, Any], mode: str) -> dict[str, Any]:
    """Return page, code, inputs and mode of the playground's address for a call that is explored, or an empty dict."""
    address = site()
    if not address:
        return {}
    try:
        code, inputs = as_text(what, args, options)
    except Unlinkable:
        return {}
    return {"page": f"{address}/{PLAYGROUND}", "code": code, "inputs": inputs, "mode": mode}


def as_text(what: object, args: Sequence[Any], options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a text that the playground runs as this call, and the values of its inputs by name.

    Raises Unlinkable.
    """
    from minigrad_course.viz.explore.typed import Typed, TypedError  # imports explore, and so this module

    if not isinstance(what, FunctionType):
        raise Unlinkable("not a function that is written in Python")
    values, whole = _values(what, args, options)
    try:
        typed = Typed(_with_its_names(what, whole), file="<link>")
        return typed.source, {
            p["name"]: _as_typed(typed, p, values[p["name"]]) for p in typed.parameters if p["name"] in values
        }
    except TypedError as error:
        raise Unlinkable(str(error)) from None


def _values(
    function: FunctionType, args: Sequence[Any], options: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, bool]]:
    """Return what the parameters are given, by name, and of each parameter whether it is a whole number."""
    parameters = inspect.signature(function).parameters
    names = [name for name, p in parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(args) > len(names):
        raise Unlinkable("inputs without a name each")
    moving = dict(zip(names, args, strict=False))
    values, whole = moving | dict(options), dict[str, bool]()
    for name, p in parameters.items():
        value = values.get(name, p.default)
        whole[name] = name not in moving
        integer, number = isinstance(value, int | np.integer), isinstance(value, int | float | np.number | np.ndarray)
        if isinstance(value, bool) or not (integer if whole[name] else number):
            raise Unlinkable(f"{name} is no number to differentiate by, and no whole number")
        if not whole[name] and np.asarray(value).dtype not in (np.dtype(np.float64), np.dtype(int)):
            raise Unlinkable(f"{name} has another dtype than what is typed")
        if p.annotation is not p.empty and whole[name] != (p.annotation in (int, "int")):
            raise Unlinkable(f"{name} is annotated as something else")
    return values, whole


def _as_typed(typed: Typed, parameter: Mapping[str, Any], value: object) -> Any:
    """Return an input as the text's own parameter takes it."""
    read = typed.read(parameter["name"], value, not parameter["moves"])
    if (np.signbit(read) & (np.asarray(read) == 0)).any():
        raise Unlinkable("a browser writes -0 as 0")
    if parameter["default"] and isinstance(read, list) != isinstance(parameter["value"], list):
        raise Unlinkable(f"{parameter['name']} is a number by default, and an array here, or the other way round")
    return read


# A function's text ---------------------------------------------------------------------------------------------------


def _with_its_names(function: FunctionType, whole: Mapping[str, bool]) -> str:
    """Return the function's definition, with those of all names from outside that it uses before it."""
    before: dict[str, str] = {}
    text = _definition(function, whole)
    _define(function, text, before, {function.__name__: function})
    return "\n\n".join([*_together(before), text])


def _together(before: Mapping[str, str]) -> Iterator[str]:
    """Yield single lines in one piece, imports first, and then functions."""
    lines = sorted((text for text in before.values() if "\n" not in text), key=lambda text: " = " in text)
    if lines:
        yield "\n".join(lines)
    yield from (text for text in before.values() if "\n" in text)


def _define(function: FunctionType, text: str, before: dict[str, str], functions: dict[str, Any]) -> None:
    """Add the definitions of the names that a function's text uses to `before`."""
    outside = inspect.getclosurevars(function).nonlocals
    for name in _names(text):
        value = outside.get(name, function.__globals__.get(name, KNOWN))
        if value is KNOWN:
            if not hasattr(builtins, name):
                raise Unlinkable(f"{name} is not defined")
        elif functions.get(name, value) is not value or (name in KNOWN and KNOWN[name] is not value):
            raise Unlinkable(f"{name} means two things")
        elif name not in functions and name not in KNOWN and name not in before:
            line = _line(name, value)
            if line is None:
                if not isinstance(value, FunctionType) or value.__name__ != name:
                    raise Unlinkable(f"{name} is neither a number nor a function")
                functions[name] = value
                line = _definition(value, {})
                _define(value, line, before, functions)
            before[name] = line


def _line(name: str, value: object) -> str | None:
    """Return one line that defines the name in the playground, or None."""
    if isinstance(value, ModuleType):
        if not _shipped(value.__name__):
            raise Unlinkable(f"the playground has no {value.__name__}")
        return f"import {value.__name__}" if value.__name__ == name else f"import {value.__name__} as {name}"
    for module in ("minigrad", "numpy", str(getattr(value, "__module__", ""))):
        if callable(value) and _shipped(module) and getattr(sys.modules.get(module), name, None) is value:
            return f"from {module} import {name}"
    if type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value)):
        return f"{name} = {value!r}"
    return None


def _shipped(module: str) -> bool:
    return module.split(".")[0] in {"minigrad", "numpy", *sys.stdlib_module_names} and module != "__main__"


def _names(text: str) -> list[str]:
    """List the names from outside that a definition uses, in alphabetical order."""
    try:
        top = symtable.symtable(text, "<link>", "exec")
    except SyntaxError:
        raise Unlinkable("its lines are not a definition by themselves") from None
    used = {s.get_name() for s in top.get_symbols() if s.is_referenced() and not s.is_assigned()}
    tables = list(top.get_children())
    for table in tables:
        used |= {s.get_name() for s in table.get_symbols() if s.is_global()}
        tables += table.get_children()
    return sorted(used - {s.get_name() for s in top.get_symbols() if s.is_assigned()})


def _definition(function: FunctionType, whole: Mapping[str, bool]) -> str:
    """Return the text of a function's definition, in which whole numbers are annotated; a lambda becomes one named f.

    whole: of each parameter whether it is a whole number.
    """
    try:
        lines = inspect.findsource(function)[0]
        tree = ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError):
        raise Unlinkable("its source is not at hand") from None
    nodes = [node for node in ast.walk(tree) if _is_of(node, function)]
    if len(nodes) != 1:
        raise Unlinkable("its source is not at hand, or does not tell it from another function of the same line")
    node = nodes[0]
    assert isinstance(node, ast.FunctionDef | ast.Lambda)
    unannotated = [
        arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if whole.get(arg.arg) and arg.annotation is None
    ]  # fmt: skip
    if isinstance(node, ast.Lambda):
        for arg in unannotated:
            arg.annotation = ast.Name("int")
        body = ast.get_source_segment("".join(lines), node.body) or ""
        return f"def f({ast.unparse(node.args)}):\n    return {f'({body})' if chr(10) in body else body}"
    written = [line.encode() for line in lines]  # the tree counts bytes
    for arg in reversed(unannotated):
        line, at = written[(arg.end_lineno or 1) - 1], arg.end_col_offset or 0
        rest = line[at:].lstrip()
        rest = b" = " + rest[1:].lstrip() if rest.startswith(b"=") else line[at:]
        written[(arg.end_lineno or 1) - 1] = line[:at] + b": int" + rest
    return textwrap.dedent(b"".join(written[_first(node) - 1 : node.end_lineno]).decode()).rstrip()


def _first(node: ast.FunctionDef) -> int:
    """Return the line on which a definition begins: that of its first decorator, if it has one."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _is_of(node: ast.AST, function: Callable[..., Any]) -> bool:
    """Tell whether a part of a file's tree is the definition of a function."""
    code = function.__code__
    if isinstance(node, ast.FunctionDef):
        return node.name == code.co_name and _first(node) == code.co_firstlineno
    if not isinstance(node, ast.Lambda) or code.co_name != "<lambda>" or node.lineno != code.co_firstlineno:
        return False
    if not hasattr(code, "co_positions"):  # before Python 3.11 a line with two lambdas is not told apart
        return True
    begins = {(line, column) for line, _, column, _ in code.co_positions()}
    return (node.body.lineno, node.body.col_offset) in begins
