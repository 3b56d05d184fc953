"""One graph in every mode: eager, run again, and as a program, which is machine code or, without numba, plain Python.

A `Question` is a function of arrays, the numbers that its graph is built from and those that it is asked about. What
eager mode makes of the latter is the expected answer. Then a graph that was built from the former runs again, and a
program that was compiled from it is called: whatever was frozen on the way shows. Values and gradients must have the
same dtypes and shapes, and the same numbers but for rounding (closeness.py).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.core.graph import adjoint_nodes
from minigrad.native.compiled import PURE_PYTHON

from .closeness import MORE, RUNS, allowances, difference

PROGRAM = "plain" if PURE_PYTHON else "compiled"


@dataclass
class Question:
    """fn of inputs that are built with `first` and asked about `then`; floats are differentiated."""

    name: str
    fn: Callable[..., Any]
    first: Sequence[np.ndarray]
    then: Sequence[np.ndarray]
    as_text: Callable[[], str] = lambda: ""
    exact: bool = False  # whether special values are asked about, which no rounding excuses
    seed: int = 0


@dataclass
class Failure:
    """A failed question: its mode, and the error in the answer."""

    name: str
    mode: str
    wrong: str
    expected: str = ""
    got: str = ""
    text: str = ""

    def __str__(self) -> str:
        answers = f"\n  expected {self.expected}\n  got      {self.got}" if self.expected else ""
        return f"{self.name}, {self.mode}: {self.wrong}{answers}" + (f"\n  {self.text}" if self.text else "")


@dataclass
class Asked:
    """A question's graphs: `built` from its first numbers, and `fresh`, whose values are what is expected."""

    question: Question
    inputs: list[mg.Node]
    outputs: list[mg.Node]
    expected: list[Any]
    allowed: list[float]
    graph: mg.Graph = field(repr=False)
    fresh: list[mg.Node] = field(repr=False)
    runs: int = 0  # shaken ones

    def measure_well(self) -> bool:
        """Find out with more runs what is allowed, unless that is done, or no rounding excuses anything."""
        if self.runs == MORE or self.question.exact:
            return False
        self.runs = MORE if self.runs else RUNS
        self.allowed = allowances(self.fresh, self.question.seed, self.runs)
        return True


def leaves(arrays: Sequence[Any]) -> list[mg.Node]:
    """Floats as variables, everything else as constants."""
    return [mg.Variable(x) if np.asarray(x).dtype.kind == "f" else mg.Constant(np.asarray(x)) for x in arrays]


def outputs_of(question: Question, arrays: Sequence[np.ndarray]) -> tuple[list[mg.Node], list[mg.Node]]:
    """The inputs of a question's graph at `arrays`, and its outputs: the values, then the gradient by each float."""
    inputs = leaves(arrays)
    result = question.fn(*inputs)
    outputs = result if isinstance(result, list) else [result]
    variables = [x for x in inputs if isinstance(x, mg.Variable)]
    seeds = {y: mg.Constant(_seed(question, k, y)) for k, y in enumerate(outputs) if y.dtype.kind == "f"}
    gradients = adjoint_nodes(seeds, variables)
    return inputs, [*outputs, *(gradients[x] for x in variables if x in gradients)]


def _seed(question: Question, k: int, value: mg.Node) -> Any:
    """Weights for the entries of output k: all different, but 1 where special values are asked about."""
    if question.exact:
        return np.ones(value.shape, value.dtype)
    return np.random.default_rng([question.seed, k]).uniform(0.5, 1.5, value.shape).astype(value.dtype)


def ask(question: Question) -> Asked:
    """Build the graphs of a question, and find out what is expected."""
    with np.errstate(all="ignore"):
        inputs, outputs = outputs_of(question, question.first)
        _, fresh = outputs_of(question, question.then)
        allowed = allowances(fresh, question.seed, runs=0)
        if question.exact:  # functions of numpy and of numba may differ in the last places
            allowed = [
                8 * float(np.finfo(y.dtype).eps) * _finite(y._value) if y.dtype.kind == "f" else 0.0 for y in fresh
            ]
    return Asked(
        question, inputs, outputs, [y._value for y in fresh], allowed, mg.Graph(outputs[0], *outputs[1:]), fresh
    )  # fmt: skip


def _finite(value: Any) -> float:
    entries = np.abs(np.asarray(value, np.float64))
    return float(np.max(entries[np.isfinite(entries)], initial=0.0))


def look(asked: Asked, mode: str, got: Sequence[Any]) -> list[Failure]:
    """List the errors in the answers."""
    failures = []
    for k, (answer, expected, node) in enumerate(zip(got, asked.expected, asked.fresh, strict=True)):
        wanted = None if np.ndim(expected) == 0 else node.dtype  # a number comes back as one of Python's
        wrong = difference(answer, expected, asked.allowed[k], wanted)
        while wrong and asked.measure_well():
            wrong = difference(answer, expected, asked.allowed[k], wanted)
        if wrong:
            failures.append(
                Failure(
                    asked.question.name, mode, f"output {k} of {len(got)}: {wrong}", _short(expected), _short(answer),
                    asked.question.as_text(),
                )
            )  # fmt: skip
            break  # the others follow from it, or can wait
    return failures


def _short(value: Any) -> str:
    text = " ".join(repr(np.asarray(value)).split())
    return text if len(text) < 160 else text[:157] + "..."


def replay(asked: Asked) -> list[Failure]:
    """The graph that was built from other numbers runs again on those that are asked about."""
    question = asked.question
    try:
        with np.errstate(all="ignore"):
            for node, array in zip(asked.inputs, question.then, strict=True):
                node.value = array
            asked.graph.forward()
    except Exception as error:
        return [Failure(question.name, "replayed", f"{type(error).__name__}: {error}", text=question.as_text())]
    return look(asked, "replayed", [y._value for y in asked.outputs])


def program(many: Sequence[Asked]) -> list[list[Any]]:
    """The answers of one program for the graphs of all questions."""
    outputs = [y for asked in many for y in asked.outputs]
    run = mg.compile_graph(outputs, [x for asked in many for x in asked.inputs], name="campaign")
    with np.errstate(all="ignore"):
        result = run(*(x for asked in many for x in asked.question.then))
    answers = iter(result if isinstance(result, tuple) else (result,))
    return [[next(answers) for _ in asked.outputs] for asked in many]


def compare(many: Sequence[Asked]) -> list[Failure]:
    """Ask one program about all; where it does not come about, programs about ever fewer."""
    try:
        result = program(many)
    except Exception as error:
        if len(many) > 1:
            half = len(many) // 2
            return compare(many[:half]) + compare(many[half:])
        (asked,) = many
        lines = str(error).strip().split("\n")
        text = next((line for line in lines if "No implementation" in line or "cannot" in line.lower()), lines[0])
        return [
            Failure(
                asked.question.name, PROGRAM, f"{type(error).__name__}: {text[:200]}", text=asked.question.as_text()
            )
        ]
    return [failure for asked, got in zip(many, result, strict=True) for failure in look(asked, PROGRAM, got)]


def every_mode(questions: Iterator[Question], batch: int = 1, replayed: bool = True) -> tuple[int, list[Failure]]:
    """Count the questions, and list the failures. batch: questions that share one program."""
    count, failures, waiting = 0, list[Failure](), list[Asked]()
    for question in questions:
        count += 1
        try:
            asked = ask(question)
        except Exception as error:
            failures.append(
                Failure(question.name, "eager", f"{type(error).__name__}: {error}", text=question.as_text())
            )
            continue
        waiting.append(asked)
        if len(waiting) == batch:
            failures += compare(waiting)
            if replayed:
                failures += [failure for asked in waiting for failure in replay(asked)]
            waiting = []
    if waiting:
        failures += compare(waiting)
        if replayed:
            failures += [failure for asked in waiting for failure in replay(asked)]
    return count, failures


def summary(failures: Sequence[Failure], most: int = 12) -> str:
    """The failures, a line for each kind of them, the first ones with what is needed to repeat them."""
    kinds: dict[tuple[str, str], int] = {}
    for failure in failures:
        with contextlib.suppress(IndexError):
            kind = failure.mode, failure.wrong.split(":")[0] + ":" + failure.wrong.split(":")[1][:60]
            kinds[kind] = kinds.get(kind, 0) + 1
    lines = [f"{number} x {mode}: {wrong}" for (mode, wrong), number in sorted(kinds.items(), key=lambda x: -x[1])]
    return "\n".join([f"{len(failures)} failures", *lines[:most], "", *(str(f) for f in failures[:most])])
