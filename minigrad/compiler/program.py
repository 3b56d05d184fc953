"""A compiled program: the equations after all passes, their text, the file, and the machine code behind it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.compiler import hoist as hoisting
from minigrad.compiler import passes, pooling
from minigrad.compiler.linearize import Linearizer
from minigrad.compiler.memory import allocate, check_guard, settle
from minigrad.compiler.schedule import fuse
from minigrad.compiler.text import Program, values_of_all, write
from minigrad.compiler.values import Elementwise, Equation, Guard, Value, is_whole, resolve, storage
from minigrad.graph import Node, topological_order

PASSES = (
    "simplify",
    "finite",
    "common",
    "pool_early",
    "dead",
    "hoist",
    "transpose",
    "accumulate",
    "fold_updates",
    "in_place",
    "straighten",
    "fuse",
    "one_walk",
    "share",
    "outline",
)
ON_REQUEST = ("finite",)  # passes that may change what is infinite or nan


def build(
    inputs: Mapping[Node, str],
    outputs: Sequence[Node],
    stores: Iterable[tuple[Node, Node]] = (),
    *,
    off: Collection[str] = (),
    on: Collection[str] = (),
    name: str = "program",
    kind: str = "@program",
    dtype: Any = None,
    may_be_addressed: bool = False,
    numbered: bool = False,
    guarded: bool = False,
) -> Program:
    """Compile `outputs`, and the new values of parameters, to the text of a function.

    off: passes to leave out. on: passes to do that are else left out.

    kind: "@program" for a function that Python calls, "@apart" for one that the text behind it calls. dtype: of the
    numbers that have names, if it is not the only one of its file; else float32 where there is one.
    may_be_addressed: whether it may take its arrays from a table, where they are many. numbered: whether comments give
    the numbers of the learner's lines. Without, code that is moved is the same program, compiled already. guarded:
    whether a first output that is no finite number ends the program before it writes to a parameter.
    """
    if unknown := {*off, *on} - set(PASSES):
        raise ValueError(f"there is no pass {sorted(unknown)}; the passes are {', '.join(PASSES)}")
    if unasked := set(on) - set(ON_REQUEST):
        raise ValueError(f"on= asks for what is else left out, {', '.join(ON_REQUEST)}; got {sorted(unasked)}")
    finite = "finite" in on and "finite" not in off
    stores = list(stores)
    to = Linearizer(inputs, numbered)
    guard = None
    if guarded:
        to.add(topological_order(*outputs))
        guard = Guard(to.values[outputs[0]], [to.values[outputs[0]]])
        to.equations.append(guard)
    to.add(topological_order(*outputs, *(new for _, new in stores)))
    for parameter, new in stores:
        to.store(parameter, new)
    equations = to.equations
    found = [to.values[node] for node in outputs]
    kept = [passes.Store(Value(f"output{k}", v.shape, v.dtype, "output"), [v]) for k, v in enumerate(found)]
    equations += kept
    report: list[tuple[str, str]] = []

    def run(name: str, change: Callable[[list[Equation]], str]) -> None:
        report.append((name, "switched off" if name in off else change(equations)))

    run("simplify", lambda equations: passes.simplify(equations, finite))
    idle = "switched off" if "finite" in off else 'left out unless on=("finite",)'
    report.append(("finite", "0 * x counts as 0" if finite else idle))
    run("common", passes.common)
    run("pool_early", lambda equations: pooling.pool_early(equations, to.name))
    run("dead", passes.dead)
    run("hoist", lambda equations: hoisting.hoist(equations, to.name))
    run("transpose", passes.transpose)
    run("accumulate", passes.accumulate)
    run("fold_updates", passes.fold_updates)
    run("in_place", passes.in_place)
    run("straighten", lambda equations: passes.straighten(equations, to.name))
    passes.finish(equations, to.name)
    for k, store in enumerate(kept):
        equations.remove(store)
        found[k] = store.inputs[0] = _presentable(found[k], equations, to)
    if guard is not None:
        guard.results = found
    order, saved = _ordered(equations, kept, "fuse" not in off)
    report.append(("fuse", "switched off" if "fuse" in off else f"{saved} equations share a loop with others"))
    report.append(("one_walk", "switched off" if "one_walk" in off else passes.one_walk(order)))
    settle(order)
    check_guard(order)
    buffers = allocate(order, found, "share" not in off)
    arrays = sum(len(buffer.values) for buffer in buffers)
    report.append(("share", "switched off" if "share" in off else f"{arrays} arrays lie in {len(buffers)} buffers"))
    if dtype is None:
        floats = [v.dtype for v in values_of_all(order) if v.dtype.kind == "f" and v.role != "literal"]
        dtype = np.float32 if np.dtype(np.float32) in floats or not floats else np.float64
    return write(to, order, buffers, found, report, name, kind, off, np.dtype(dtype), may_be_addressed)


def _presentable(value: Value, equations: list[Equation], to: Linearizer) -> Value:
    """An output as all of an array of its own, or as a number."""
    if value.shape == () or (
        is_whole(value) and storage(value).role == "computed" and resolve(value)[0] is storage(value)
    ):
        return value
    copy = to.new("output", value.shape, value.dtype)
    equations.append(Elementwise(copy, [value], "a", ("a",), "copy"))
    return copy


def _ordered(equations: list[Equation], kept: list[Any], enabled: bool) -> tuple[list[Equation], int]:
    """The running order. Outputs count as read at the end, so that fusion keeps them."""
    order, saved = fuse([*equations, *kept], enabled)
    return [e for e in order if e not in kept], saved
