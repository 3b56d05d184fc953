"""A compiled program: the equations after all passes, their text, the file, and the machine code behind it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.compiler.ir import ProgramIR
from minigrad.compiler.linearize import Linearizer
from minigrad.compiler.passes import ON_REQUEST, PASSES, PIPELINE
from minigrad.compiler.text import Program, values_of_all, write
from minigrad.compiler.values import Guard, Store, Value
from minigrad.graph import Node, topological_order


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
    outputs_of = [to.values[node] for node in outputs]
    to.equations += [Store(Value(f"output{k}", v.shape, v.dtype, "output"), [v]) for k, v in enumerate(outputs_of)]
    ir = ProgramIR(to.equations, outputs_of, to.new)
    report = []
    for change in PIPELINE:
        what = change.__name__
        if what in off:
            report.append((what, "switched off"))
        elif what in ON_REQUEST and what not in on:
            report.append((what, f'left out unless on=("{what}",)'))
        elif message := change(ir):
            report.append((what, message))
    if guard is not None:
        guard.results = ir.outputs
    if dtype is None:
        floats = [v.dtype for v in values_of_all(ir.equations) if v.dtype.kind == "f" and v.role != "literal"]
        dtype = np.float32 if np.dtype(np.float32) in floats or not floats else np.float64
    return write(to, ir, report, name, kind, off, np.dtype(dtype), may_be_addressed)
