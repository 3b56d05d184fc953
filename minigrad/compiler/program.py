"""A compiled program: the equations after all passes, their text, the file, and the machine code behind it."""

from __future__ import annotations

import hashlib
import inspect
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.compiler import hoist as hoisting
from minigrad.compiler import passes, pooling
from minigrad.compiler.addresses import addressed, fits
from minigrad.compiler.emit import Emitter, _kind
from minigrad.compiler.kernels import PURE_PYTHON
from minigrad.compiler.linearize import Linearizer
from minigrad.compiler.memory import Buffer, allocate, check_guard, settle, touched
from minigrad.compiler.outline import outline, wrapped
from minigrad.compiler.schedule import fuse
from minigrad.compiler.values import Elementwise, Equation, Guard, Value, is_whole, resolve, storage, values_of
from minigrad.graph import Node, topological_order
from minigrad.jit import load_source

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


@dataclass
class Program:
    """A compiled graph as the text of a function, and all that it needs to run.

    arguments: the names of its arguments, in order. given: arrays for those that never change from call to call.
    buffers: the arrays that it writes into. report: what each pass did.
    functions: what it calls. dtype: that of the numbers called zero, one, two and half. addressed: whether it takes its
    arrays, those of the inputs among them, from a table (addresses.py).
    """

    text: str
    dtype: np.dtype
    functions: set[str]
    customs: dict[str, Any]
    inputs: list[Value]
    given: dict[str, Any]
    buffers: list[Buffer]
    outputs: list[Value]
    report: list[tuple[str, str]]
    addressed: bool = False

    @property
    def arguments(self) -> list[str]:
        """The names of all that it works on, in order."""
        return [*(value.name for value in self.inputs), *self.given, *(buffer.name for buffer in self.buffers)]


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
    return _text(to, order, buffers, found, report, name, kind, off, np.dtype(dtype), may_be_addressed)


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


def _text(
    to: Linearizer,
    order: list[Equation],
    buffers: list[Buffer],
    found: list[Value],
    report: Any,
    name: str,
    kind: str,
    off: Collection[str],
    dtype: np.dtype,
    may_be_addressed: bool,
) -> Program:
    values = [storage(v) for v in values_of_all(order)] + [storage(v) for v in found]
    inputs = [v for v in to.values.values() if v.role == "input"]
    inputs = list({id(v): v for v in inputs}.values())
    given: dict[str, Any] = {}
    for value in values:
        if value.role in ("parameter", "constant", "generator"):
            given.setdefault(value.name, value.array)
    emitter = Emitter(dtype, buffers, to.name)
    emitter.write(order)
    results = emitter.results(found)
    program = Program("", dtype, emitter.functions, emitter.customs, inputs, given, buffers, found, report)
    head = wrapped(f"def {name}({', '.join(program.arguments)}):")
    views = [f"    {name} = {text}" for name, text in emitter.aliases.items()]
    last = [f"    return {', '.join(results)}"] if results else []
    functions: list[str] = []
    main = [*head, *views, *emitter.lines, *last]
    if "outline" in off:
        report.append(("outline", "switched off"))
    else:
        arrays: dict[str, Any] = {value.name: value for value in inputs if value.shape != ()}
        arrays |= {word: array for word, array in given.items() if isinstance(array, np.ndarray)}
        arrays |= {buffer.name: buffer for buffer in buffers}
        program.addressed = may_be_addressed and fits(list(arrays.values()))
        functions, pieces, calls = outline(emitter.lines, emitter.blocks, emitter.owner, name, not program.addressed)
        report.append(("outline", f"{calls} pieces are calls of {len(functions)} functions"))
        main = [*head, *views, *(line for piece in pieces for line in piece.lines), *last]
    if program.addressed:
        for argument, array in arrays.items():
            emitter.spec(argument, array.shape, array.dtype)
        number = {argument: k for k, argument in enumerate(arrays)}
        places = {word: number[emitter.owner.get(word, word)] for word in emitter.specs}
        numbers = [argument for argument in program.arguments if argument not in arrays]
        makers, main = addressed(name, pieces, emitter.specs, places, numbers, last)
        functions += makers
    program.text = "\n".join([*functions, kind, *main, ""])
    return program


def values_of_all(order: Iterable[Equation]) -> list[Value]:
    found: dict[int, Value] = {}
    for equation in order:
        for value in [*values_of([equation]), *touched(equation)]:
            found.setdefault(id(value), value)
    return list(found.values())


def load(name: str, source: str, programs: Sequence[Program]) -> Any:
    """The module made from a file's text, with the kernels of operations that are not minigrad's own."""
    module = load_source(name, source)
    for program in programs:
        for kernel, function in program.customs.items():
            import numba

            compiled = (
                function if PURE_PYTHON or hasattr(function, "py_func") else numba.njit(error_model="numpy")(function)
            )
            setattr(module, kernel, compiled)
    return module


def source_of(title: str, programs: Sequence[Program], *more: str) -> str:
    """A file: what the programs import, the programs, and more text behind them."""
    functions = set().union(*(program.functions for program in programs))
    kernels = [f"# {name}: the operation's own kernel, with the fingerprint {_fingerprint(function)}"
               for program in programs for name, function in program.customs.items()]  # fmt: skip
    more = (*(["\n".join(kernels) + "\n"] if kernels else []), *more)
    return "\n\n".join([_preamble(title, programs[0].dtype, functions), *(p.text for p in programs), *more])


def _fingerprint(function: Callable[..., Any]) -> str:
    function = getattr(function, "py_func", function)
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):  # typed into a plain Python prompt
        text = repr(function.__code__.co_code)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# What an expression of the derivative table calls, where it is not a function of `math` under the same name.
_LIBRARY = {
    "exp": {"f4": "kernels.exp32"}, "tanh": {"f4": "kernels.tanh32"},
    "arcsin": {"": "math.asin"}, "arccos": {"": "math.acos"}, "arctan": {"": "math.atan"},
    "arctan2": {"": "math.atan2"}, "arcsinh": {"": "math.asinh"}, "arctanh": {"": "math.atanh"},
    **{name: {"": f"np.{name}"} for name in ("cbrt", "ceil", "exp2", "floor", "fmod", "rint", "trunc")},
}  # fmt: skip


def _preamble(title: str, dtype: np.dtype, functions: Collection[str]) -> str:
    """Imports and numbers that the text uses; with a fingerprint of the kernels, since numba watches only this file."""
    from minigrad.compiler import addresses, convolution, kernels, products, shaped, threads, tile
    from minigrad.ops import pool

    rooms = addresses, convolution, kernels, pool, products, shaped, threads, tile
    sources = "".join(inspect.getsource(room) for room in rooms)
    digest = hashlib.sha256(sources.encode()).hexdigest()[:12]
    kind = _kind(dtype)
    lines = [
        f'"""{title}',
        "",
        f"Written by minigrad's compiler; its kernels have the fingerprint {digest}.",
        '"""',
        "",
        "import numpy as np",
        "",
        "from minigrad.compiler import convolution, kernels, products",
        "from minigrad.compiler.addresses import array_at",
        "from minigrad.compiler.kernels import apart, main, math, part, program",
        "from minigrad.compiler.shaped import shaped",
        "from minigrad.compiler.threads import meet",
        "",
        "f4, f8, inf, nan = np.float32, np.float64, np.inf, np.nan",
        f"zero, one, two, half = ({kind}(n) for n in (0, 1, 2, 0.5))",
    ]
    for function in sorted(functions):
        base, _, of = function.rpartition("_") if function.endswith(("_f4", "_f8")) else (function, "", kind)
        if base in _LIBRARY and (found := _LIBRARY[base].get(of) or _LIBRARY[base].get("")):
            lines.append(f"{function} = {found}")
        else:
            room = next((room for room in (kernels, products, convolution) if hasattr(room, base)), math)
            lines.append(f"{function} = {room.__name__.rpartition('.')[2]}.{base}")
    return "\n".join(lines) + "\n"
