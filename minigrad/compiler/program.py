"""A compiled program: from nodes to equations, through all passes, to the text of a function, and its file."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import operator
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from minigrad.compiler.emit import Emitter
from minigrad.compiler.ir import ProgramIR
from minigrad.compiler.linearize import CompileError, Linearizer
from minigrad.compiler.memory import Buffer, touched
from minigrad.compiler.names import kind_name
from minigrad.compiler.origins import Headings, one_line
from minigrad.compiler.outline import Function, Piece, as_function, outline
from minigrad.compiler.passes import PASSES, PIPELINE
from minigrad.compiler.text import Line, wrapped
from minigrad.compiler.values import Array, Guard, Store, Value, base
from minigrad.core.arrays import DTypeLike
from minigrad.core.graph import Node, topological_order
from minigrad.native import aligned
from minigrad.native.compiled import PURE_PYTHON
from minigrad.native.jit import kernels_stamp, load_source, njit, tell_of_plain_python, uncached


@dataclass
class Program:
    """A compiled graph as the text of a function, and all that it needs to run.

    lines: of the functions that it calls, then its own. fixed: arrays for those arguments that never change.
    buffers: the arrays that it writes into. report: the changes of each pass.
    functions: the functions that it calls, by module. dtype: of the numbers called zero, one, two and half.
    """

    lines: list[Line]
    dtype: np.dtype
    functions: dict[str, str]
    customs: dict[str, Any]
    inputs: list[Value]
    fixed: dict[str, Any]
    buffers: list[Buffer]
    report: list[tuple[str, str]]

    @property
    def text(self) -> str:
        """Return its lines as one text."""
        return "\n".join([*map(str, self.lines), ""])

    @property
    def arguments(self) -> list[str]:
        """Return the names of all its arrays, in order."""
        return [*(value.name for value in self.inputs), *self.fixed, *(buffer.name for buffer in self.buffers)]

    def new_buffers(self) -> dict[str, np.ndarray]:
        """An array for each buffer, by name."""
        return {buffer.name: aligned.zeros(buffer.shape, buffer.dtype) for buffer in self.buffers}


def build(
    inputs: Mapping[Node, str],
    outputs: Sequence[Node],
    stores: Iterable[tuple[Node, Node]] = (),
    *,
    off: Collection[str] = (),
    name: str = "program",
    kind: str = "@program",
    dtype: DTypeLike = None,
    guarded: bool = False,
) -> Program:
    """Compile `outputs`, and the new values of parameters, to the text of a function.

    off: passes to leave out.

    kind: "@program" for a function that Python calls, whose comments give the numbers of the learner's lines; "@apart"
    for one that the text behind it calls, without them: code that is moved is the same program, compiled already.
    dtype: of the numbers that have names, if it is not the only one of its file; else float32 where there is one.
    guarded: whether a first output that is no finite number ends it before it writes to a parameter.
    """
    if unknown := set(off) - set(PASSES):
        raise ValueError(f"there is no pass {sorted(unknown)}; the passes are {', '.join(PASSES)}")
    # What depends on fewest nodes first, so that an update runs while its adjoint is in the cache: the last layer's.
    stores = sorted(stores, key=lambda store: len(topological_order(store[1])))
    to = Linearizer(inputs, kind == "@program")
    guard = None
    if guarded:
        to.add(topological_order(*outputs))
        guard = Guard(to.values[outputs[0]], [to.values[outputs[0]]])
        to.equations.append(guard)
    to.add(topological_order(*outputs, *(new for _, new in stores)))
    for parameter, new in stores:
        to.store(parameter, new)
    outputs_of = [to.values[node] for node in outputs]
    for k, v in enumerate(outputs_of):
        to.equations.append(Store(Value(f"output{k}", v.shape, v.dtype, Array("output")), [v]))
    ir = ProgramIR(to.equations, outputs_of, to.new)
    report = []
    for change in PIPELINE:
        what = change.__name__
        if what in off:
            report.append((what, "switched off"))
        elif message := change(ir):
            report.append((what, message))
    if guard is not None:
        guard.results = ir.outputs
    if dtype is None:
        floats = [v.dtype for v in _values(ir) if v.dtype.kind == "f" and not v.is_number]
        dtype = np.float32 if np.dtype(np.float32) in floats or not floats else np.float64
    return write(to, ir, report, name, kind, off, np.dtype(dtype))


def _values(ir: ProgramIR) -> list[Value]:
    """Return all values that occur, each once, including those inside loops."""
    return list(dict.fromkeys(value for equation in ir.equations for value in touched(equation)))


def write(
    to: Linearizer, ir: ProgramIR, report: list[tuple[str, str]], name: str, kind: str, off: Collection[str],
    dtype: np.dtype,
) -> Program:  # fmt: skip
    """The equations, in their running order by now, as a program. The rest is as in `build`."""
    order, buffers, outputs = ir.equations, ir.buffers, ir.outputs
    for k, buffer in enumerate([buffer for buffer in buffers if len(buffer.values) > 1]):
        buffer.name = to.name(f"memory_{k + 1}")  # of no single value: each has its own name for it
    values = [base(v) for v in _values(ir)] + [base(v) for v in outputs]
    inputs = list(dict.fromkeys(v for v in to.values.values() if v.role == "input"))
    arrays_of = {v.name: v.at for v in values if v.role in ("parameter", "constant", "generator")}
    fixed = {name: at.content for name, at in arrays_of.items() if isinstance(at, Array)}
    emitter = Emitter(dtype, buffers, to.name, "" if name in ("program", "step") else name)
    emitter.write(order)
    results = emitter.results(outputs)
    program = Program([], dtype, emitter.functions, emitter.customs, inputs, fixed, buffers, report)
    pieces, functions = emitter.pieces, list[Function]()
    if "outline" in off:
        report.append(("outline", "switched off"))
    else:
        shapes = {value.name: value.shape for value in (*inputs, *values)} | emitter.shapes
        functions, pieces, calls = outline(pieces, emitter.owner, shapes, name, to.name)
        report.append(("outline", f"{calls} pieces are calls of {len(functions)} functions"))
    headings = Headings()
    pieces = [piece.with_headings(headings) for piece in pieces]
    if results:
        pieces.append(Piece((Line(1, f"return {', '.join(results)}"),)))
    lines = with_views(pieces, emitter.aliases)
    if all(line.is_comment for line in lines):  # an update that changes nothing
        lines.append(Line(1, "pass"))
    program.lines = [*itertools.chain(*functions), *as_function(kind, name, program.arguments, lines)[:-2]]
    return program


def with_views(pieces: Iterable[Piece], views: Mapping[str, tuple[str, str]]) -> list[Line]:
    """Return all lines, with each view defined in front of the first piece that uses it, below its heading.

    views: name -> the array that it views, which may be a view itself, and its definition.
    """
    undefined, lines = dict(views), list[Line]()
    for piece in pieces:
        heading = next((k for k, line in enumerate(piece.lines) if not line.is_comment), len(piece.lines))
        lines += piece.lines[:heading]
        for word in piece.words:
            _define(word, undefined, lines)
        lines += piece.lines[heading:]
    return lines


def _define(word: str, undefined: dict[str, tuple[str, str]], lines: list[Line]) -> None:
    """Write the definition of a view, below that of the one that it views."""
    if (view := undefined.pop(word, None)) is not None:
        _define(view[0], undefined, lines)
        lines.append(Line(1, f"{word} = {view[1]}", word))


# ------------------------------------------------------------ the file


def load(name: str, source: str, programs: Sequence[Program]) -> Any:
    """Import the module made from a file's text, with the operations' own kernels.

    Programs of one text share a module, and its machine code on disk. One that calls a kernel from outside minigrad has
    a module of its own, whose machine code is not kept: nobody would notice that the kernel has become another one.
    """
    tell_of_plain_python()
    kernels = {kernel: function for program in programs for kernel, function in program.customs.items()}
    alone = any(place_of(function) is None for function in kernels.values())
    with uncached() if alone else contextlib.nullcontext():
        module = load_source(name, source, alone)
        for kernel, function in kernels.items():
            setattr(module, kernel, function if PURE_PYTHON else _compiled(function))
    return module


def place_of(function: Callable[..., Any]) -> str | None:
    """Return the place of a kernel in minigrad's files, such as minigrad.ops.rows.take_rows; None for any other one."""
    kernel = inspect.unwrap(getattr(function, "py_func", function))
    try:
        at_place = operator.attrgetter(kernel.__qualname__)(sys.modules[kernel.__module__])
    except (AttributeError, KeyError):
        return None
    known = kernel.__module__.startswith("minigrad.") and inspect.unwrap(at_place) is kernel
    return f"{kernel.__module__}.{kernel.__qualname__}" if known else None


@contextlib.contextmanager
def kernels_named(programs: Sequence[Program]) -> Iterator[None]:
    """While programs compile, turn numba's error about a custom kernel into one sentence that names it."""
    if PURE_PYTHON:
        yield
        return
    from minigrad.native.numba_internals import NumbaError

    try:
        yield
    except NumbaError as error:
        message = str(error)
        for kernel in [kernel for program in programs for kernel in program.customs.values()]:
            function = inspect.unwrap(getattr(kernel, "py_func", kernel))
            if f"<function {function.__qualname__} at" in message:
                code, lines = function.__code__, [line for line in message.split("\n") if "Failed in" not in line]
                raise CompileError(
                    f"the kernel {function.__qualname__} ({Path(code.co_filename).name}, line {code.co_firstlineno}) "
                    f"cannot be compiled: {lines[0].rstrip(':.')}. A kernel is plain loops over arrays, in the part of "
                    "Python and NumPy that numba knows. More of what numba says stands above"
                ) from error
        raise


def _compiled(function: Callable[..., Any]) -> Any:
    """Compile an operation's own kernel, with its options if it has any. It may make arrays: the promise that a
    program's functions make none would also hold for the functions that they call.
    """
    from minigrad.native.numba_internals import Plain

    dispatcher: Any = function.compiled() if hasattr(function, "compiled") else function
    options = getattr(dispatcher, "targetoptions", {"error_model": "numpy"})
    return njit(kind=Plain, **options | {"_nrt": True})(getattr(dispatcher, "py_func", function))


def source_of(title: str, programs: Sequence[Program], *more: str) -> str:
    """A file: what the programs import, the programs, and more text behind them."""
    functions = {name: where for program in programs for name, where in program.functions.items()}
    kernels = [f"# {name}: {place_of(function) or 'the kernel of an operation from outside minigrad'}"
               for program in programs for name, function in program.customs.items()]  # fmt: skip
    more = (*(["\n".join(kernels) + "\n"] if kernels else []), *more)
    text = "\n\n".join([_preamble(title, programs[0].dtype, functions), *(p.text for p in programs), *more])
    return "\n".join(wrapped(text.split("\n")))


def _preamble(title: str, dtype: np.dtype, functions: Mapping[str, str]) -> str:
    """Imports and numbers that the text uses; with a fingerprint of the kernels, since numba watches only this file."""
    kind = kind_name(dtype)
    title = one_line(title).replace("\\", "/").replace('"', "'")  # it stands between quotes
    called = {where.partition(".")[0] for where in ("kernels.count_hits", *functions.values())} - {"math", "np"}
    lines = [
        f'"""{title}',
        "",
        f"Written by minigrad's compiler; its kernels have the fingerprint {kernels_stamp()[:12]}.",
        "",
        "It is plain Python. To walk through it, set NUMBA_DISABLE_JIT=1 before Python starts: then nothing is",
        "compiled, and pdb stops at any line of this file, with all arrays there to look at.",
        '"""',
        "",
        "import numpy as np",
        "",
        f"from minigrad.native import {', '.join(sorted(called))}",
        "from minigrad.native.compiled import apart, barrier, main, math, part, program, shaped",
        "",
        "f4, f8, inf, nan = np.float32, np.float64, np.inf, np.nan",
        f"zero, one, two, half = ({kind}(n) for n in (0, 1, 2, 0.5))",
    ]
    lines += [f"{function} = {definition}" for function, definition in sorted(functions.items())]
    return "\n".join(lines) + "\n"
