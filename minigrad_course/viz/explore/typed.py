"""A function as text, run and explored: for the playground of the site.

A bare formula is a function of its free names: `x^2 + 3x + sin(x)` is `def f(x): return x**2 + 3*x + sin(x)`.

    typed = Typed("def f(x, y=5.0):\n    return x * mg.sin(y)")
    typed.parameters                           # [{"name": "x", "value": 1.0, ...}, {"name": "y", "value": 5.0, ...}]
    explorer, notice = typed.explore({"x": 3.0})

Every mistake in the text, or in a run of it, is a `TypedError`: one sentence, and the number of its line.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import linecache
import math
import re
import traceback
import warnings
from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

import minigrad
from minigrad.core.rules import TABLE
from minigrad_course.trace import trace
from minigrad_course.viz.explore.link import link
from minigrad_course.viz.explore.record import MOST, record
from minigrad_course.viz.explore.widget import Explorer

BEGINNING = 40  # nodes that are shown of a run with more than MOST
MOST_ENTRIES = 64  # of an array that is typed: more cannot be read
FILE = "<typed>"  # the name of a text without another one, in tracebacks
NAMED = (NameError, AttributeError, ArithmeticError, LookupError, AssertionError, SystemExit)  # their kind says much
FORMULA = re.compile(r"\s*(?:([A-Za-z]\w*)\s*(?:\(([\w\s,]*)\))?\s*=(?!=))?(.*)\s*")
FACTOR = re.compile(r"(?<![\w.])(\d+\.?\d*)\s*(?=\(|(?!e[+-]?\d|if\b|else\b|and\b|or\b|in\b)[A-Za-z])")  # the 2 of 2x
ALONE = {name: getattr(minigrad, name) for name in TABLE if hasattr(minigrad, name) and name not in ("abs", "pow")}
ALONE |= {"mg": minigrad, "np": np, "pi": math.pi, "e": math.e, "ln": minigrad.log}  # names that a text may use
AS_IT_IS = re.compile(r" Give it by its name: .*")  # trace's advice, for which a typed function has a better one


class TypedError(Exception):
    """The text is not a function that can be explored. line: the number of the line with the mistake, or None."""

    def __init__(self, sentence: str, line: int | None = None):
        super().__init__(sentence)
        self.line = line


class Typed:
    """The last function that a text defines.

    source: the text, which runs among minigrad as `mg`, NumPy as `np`, and rows of the derivative table by their names.
    file: the text's name in tracebacks.
    Parameters are floats to differentiate by, with their defaults as values, or else 1. A parameter that is annotated
    `int` is handed on as it is, such as the number of turns of a loop.

    Raises TypedError.
    """

    def __init__(self, source: str, file: str = FILE):
        self.source, self.file = source, file
        namespace: dict[str, Any] = {"__name__": "__main__", **ALONE}
        source = as_function(source)
        try:
            code = compile(source, file, "exec")
        except SyntaxError as error:
            factor = FACTOR.search(error.text or "")
            advice = f": write {factor[1]}*…, with the sign of the product" if factor else ""
            raise TypedError(f"Python cannot read this line: {error.msg}{advice}", error.lineno) from None
        except ValueError as error:  # a null character
            raise TypedError(f"Python cannot read this text: {error}") from None
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)  # for inspect
        try:
            exec(code, namespace)
        except (Exception, SystemExit) as error:
            raise self._located(error) from None
        functions = [
            value for value in namespace.values()
            if isinstance(value, FunctionType) and value.__code__.co_filename == file
        ]  # fmt: skip
        if not functions:
            raise TypedError("There is no function of an input yet. Type one: x^2 + sin(x)")
        self.function = max(functions, key=lambda function: function.__code__.co_firstlineno)
        signature, code = inspect.signature(self.function), self.function.__code__
        line = code.co_firstlineno
        if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
            raise TypedError("Only a plain function, without yield and async, returns what can be differentiated", line)
        self.parameters = [self._parameter(p, line) for p in signature.parameters.values()]
        moves = [p["moves"] for p in self.parameters]
        if not any(moves):
            raise TypedError(
                f"{self.function.__name__} has no input to differentiate by. Give it one: def f(x): ...", line
            )
        if moves != sorted(moves, reverse=True):
            raise TypedError("Inputs that are annotated as int come last, behind those to differentiate by", line)

    def _parameter(self, parameter: inspect.Parameter, line: int) -> dict[str, Any]:
        """Return an input: its name, its value as numbers and lists, if it moves, and if the text has its value."""
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypedError(f"Write the inputs one by one: *{parameter.name} has no name and value for each", line)
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.annotation not in (int, "int"):
            raise TypedError(f"{parameter.name} stands behind the *: put it before, or annotate it as int", line)
        integer = parameter.annotation in (int, "int")
        value = parameter.default
        if value is parameter.empty:
            value = 1
        return {
            "name": parameter.name,
            "value": self.read(parameter.name, value, integer),
            "moves": not integer,
            "default": parameter.default is not parameter.empty,
        }

    def read(self, name: str, value: object, integer: bool) -> Any:
        """Return an input as a number or nested lists of numbers. Raises TypedError."""
        try:
            array = np.asarray(math.nan if isinstance(value, str) else value, dtype=float)
        except (TypeError, ValueError):
            array = np.asarray(math.nan)
        if array.size > MOST_ENTRIES:
            raise TypedError(f"{name} has {array.size} entries; up to {MOST_ENTRIES} can be shown")
        if not array.size or not np.isfinite(array).all():
            raise TypedError(f"{name} needs numbers, such as 3.0 or [1, 2, 3], got {_shortened(value)}")
        if integer and (array.shape or array != int(array)):
            raise TypedError(f"{name} is an int, and needs a whole number, got {_shortened(value)}")
        return int(array) if integer else array.tolist()

    def explore(self, values: Mapping[str, Any] | None = None, mode: str = "reverse") -> tuple[Explorer, str]:
        """Run the function and return what `mg.explore` makes of it, and a sentence if that is only the beginning.

        values: of inputs, by name, as numbers or nested lists; those left out have the text's own.
        Raises TypedError.
        """
        values = values or {}
        if unknown := values.keys() - {p["name"] for p in self.parameters}:
            raise TypedError(f"{self.function.__name__} has no input {', '.join(sorted(unknown))}")
        arguments, options = [], {}
        for p in self.parameters:
            value = self.read(p["name"], values.get(p["name"], p["value"]), not p["moves"])
            if p["moves"]:
                arguments.append(np.asarray(value) if isinstance(value, list) else value)
            else:
                options[p["name"]] = value
        try:
            recorded = record(self.function, *arguments, **options)
            return Explorer(recorded, mode, link(self.function, arguments, options, mode)), ""
        except Exception as error:
            if isinstance(error, ValueError) and f"up to {MOST}" in str(error):
                return self._beginning(arguments, options, mode)
            raise self._located(error) from None

    def _beginning(self, arguments: list[Any], options: dict[str, Any], mode: str) -> tuple[Explorer, str]:
        """Return the first nodes of a run that is too long to be shown, up to one that depends on an input."""
        run = trace(self.function, *arguments, **options)
        moving = [node for node in run.nodes if node in run.moving]
        last = [moving[0], *(node for node in run.nodes[:BEGINNING] if node in run.moving)][-1]
        for node in run.inputs:
            node.name = run.names[node]
        notice = (
            f"This run makes {len(run.nodes):,} nodes, and up to {MOST} can be followed: here are the first "
            f"{BEGINNING}. A smaller example shows all of it."
        )
        return Explorer(record(last), mode), notice

    def _located(self, error: BaseException) -> TypedError:
        """Return the error as one sentence, with the last of the text's lines that it went through."""
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.file]
        line = frames[-1].lineno if frames else None
        sentence = AS_IT_IS.sub(" Annotate it with a whole number: n: int = 3", str(error).split("\n")[0])
        if isinstance(error, RecursionError):
            sentence = "The function calls itself without end"
        elif isinstance(error, ModuleNotFoundError):
            sentence += ": there are minigrad, as mg, and NumPy, as np"
        elif isinstance(error, EOFError):
            sentence = "Nobody answers input() here: make it an input of the function"
        elif "`^` of numbers" in sentence:
            sentence = "A power is written with two stars: x**2 and not x^2"
        elif isinstance(error, NAMED):
            sentence = f"{type(error).__name__}: {sentence}"
        return TypedError(sentence.replace(f"{self.file}, ", "") or type(error).__name__, line)


def as_function(text: str) -> str:
    """Return a bare formula as a function in Python, and any other text as it is."""
    match = FORMULA.fullmatch(text.strip())
    if match is None:
        return text
    name, inputs, formula = match.groups()
    formula = FACTOR.sub(r"\1*", formula.strip()).replace("^", "**")
    try:
        nodes = list(ast.walk(ast.parse(formula, mode="eval")))
    except (SyntaxError, ValueError):
        return text
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    names = {node.id for node in nodes if isinstance(node, ast.Name) and node not in called}
    free = sorted(names - {*ALONE, *dir(builtins)}, key=formula.index)
    return f"def {name or 'f'}({inputs or ', '.join(free)}): return {formula}" if inputs or free else text


def _shortened(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the playground shows, as JSON can hold it.

    request: source, and optionally inputs (by name), mode, and compiled=True for the lines of the compiled program.
    The answer has parameters, story and notice, or compiled, or error: {"sentence", "line"}.
    """
    parameters: list[dict[str, Any]] | None = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a division by zero is seen in the picture
        try:
            typed = Typed(request["source"])
            parameters = typed.parameters
            names, inputs = {p["name"] for p in parameters}, request.get("inputs", {})
            values = {name: value for name, value in inputs.items() if name in names}  # others were renamed meanwhile
            explorer, notice = typed.explore(values, request.get("mode", "reverse"))
            if request.get("compiled"):
                return {"compiled": explorer.compiled}
            return {"parameters": parameters, "story": explorer.story, "notice": notice}
        except TypedError as error:
            return {"parameters": parameters, "error": {"sentence": str(error), "line": error.line}}


def answer_text(request: str) -> str:
    """The same, from JSON to JSON."""
    return json.dumps(answer(json.loads(request)), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
