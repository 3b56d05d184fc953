"""Turn equations into text: a plain Python function that numba compiles, a person reads and a debugger steps
through.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.compiler.expressions import expression
from minigrad.compiler.linearize import SCALAR_KERNELS
from minigrad.compiler.memory import Buffer
from minigrad.compiler.names import COUNTERS, Names, defined, kind_name
from minigrad.compiler.origins import Headings, Origin, together
from minigrad.compiler.outline import Piece
from minigrad.compiler.schedule import Fused
from minigrad.compiler.text import MARK, Line, named, plain
from minigrad.compiler.values import (
    Assemble,
    Call,
    Elementwise,
    Equation,
    Guard,
    Loop,
    Place,
    Product,
    Reduce,
    Store,
    Value,
    View,
    base,
    copied,
    identity,
    is_whole,
    literal,
    resolve,
    transposed,
)

LONGEST = 88  # characters of an expression that is still pasted into another one


class Emitter(Names):
    """Writes the body of one function: `pieces`, one for each equation.

    whose: the name of the function, if its custom kernels must be distinguished from those of others in the file.
    """

    def __init__(self, dtype: np.dtype, buffers: Sequence[Buffer], new_name: Callable[[str], str], whose: str = ""):
        super().__init__(dtype, buffers, new_name)
        self._kernel = f"kernel_of_{whose}" if whose else "kernel"
        self.pieces: list[Piece] = []
        self.lines: list[Line] = []  # of the equation that is being written
        self.indent = 1
        self.customs: dict[str, Any] = {}  # kernels of operations outside minigrad
        self._headings = Headings()  # inside of a loop over time

    def line(self, text: str, sets: str = "") -> None:
        self.lines.append(Line(self.indent, text, sets))

    def assign(self, target: str, text: str) -> None:
        """Write `target = text`, for an entry of an array or a number."""
        name = target.strip(MARK)
        self.line(f"{target} = {text}", name if target == named(name) else "")

    def kernel(self, name: str, *arguments: str) -> None:
        """Write a call of a kernel."""
        self.functions[name] = defined(name, self.dtype)
        self.lines.append(Line(self.indent, f"{name}({', '.join(arguments)})", call=(name, arguments)))

    def nest(self, counters: Sequence[str], sizes: Sequence[int]) -> None:
        """Write the heads of nested loops."""
        for counter, size in zip(counters, sizes, strict=True):
            self.line(f"for {counter} in range({size}):")
            self.indent += 1

    # ------------------------------------------------------------ equations

    def write(self, equations: Sequence[Equation]) -> None:
        for equation, part in zip(equations, origins_of(equations), strict=True):
            if self.indent == 1:
                self.lines, self._headings = [], Headings(part)
            elif part is not None:
                self.lines += self._headings.above([part], self.indent)
            getattr(self, type(equation).__name__.lower())(equation)  # a method for each kind, below
            if self.indent == 1 and self.lines:
                self.pieces.append(Piece(tuple(self.lines), ((0, (part,)),) if part is not None else ()))

    def elementwise(self, equation: Elementwise) -> None:
        """Write an elementwise equation as a loop of its own."""
        self.fused(Fused(equation.out, equation.inputs, [equation], [equation]))

    def fused(self, loop: Fused) -> None:
        shape = loop.members[-1].out.shape
        inside = {id(m.out): m for m in loop.members}
        read = [self._made_here(value, inside) for member in loop.members for value in member.inputs]
        times = Counter(id(made.out) for made in read if made is not None)
        kept = {id(m) for m in loop.kept}
        merged = self._merge(loop, shape, inside)
        sizes = [math.prod(shape[k] for k in group) for group in merged]
        counters = [COUNTERS[k] for k in range(len(merged))]
        start = self.indent
        self.nest(counters, sizes)
        texts: dict[int, str] = {}
        here = "".join(counters)
        for member in loop.members:
            operands = []
            for value in member.inputs:
                made = self._made_here(value, inside)
                operands.append(texts[id(made.out)] if made else self.entry(value, counters, merged))
            text = expression(self, member, operands)
            out = member.out
            if id(member) in kept:
                target = self.entry(out, counters, merged)
                if not times[id(out)] or target == named(out.name):
                    self.assign(target, text)
                    texts[id(out)] = target
                    continue
            elif times[id(out)] == 1 and len(plain(text)) < LONGEST:
                texts[id(out)] = text
                continue
            texts[id(out)] = local = named(self.local(f"{out.name}_{here or 'now'}"))
            self.assign(local, text)
            if id(member) in kept:
                self.assign(target, local)
        self.indent = start

    def _made_here(self, value: Value, inside: dict[int, Elementwise]) -> Elementwise | None:
        """Return the member of the loop that computes `value`, if any."""
        while id(value) not in inside and isinstance(value.at, View):
            if value.at.places != identity(value.at.of.shape) or value.shape != value.at.of.shape:
                root, places = resolve(value)  # a detour through other shapes may end where it began
                return inside.get(id(root)) if places == identity(root.shape) and value.shape == root.shape else None
            value = value.at.of
        return inside.get(id(value))

    def _merge(self, loop: Fused, shape: tuple[int, ...], inside: dict[int, Elementwise]) -> list[tuple[int, ...]]:
        """Group adjacent axes that one counter can traverse, because all arrays store them contiguously."""
        groups: list[tuple[int, ...]] = []
        accesses = [v for m in loop.members for v in m.inputs if self._made_here(v, inside) is None]
        accesses += [m.out for m in loop.kept]
        accesses = [v for v in accesses if literal(v) is None and resolve(v)[0].shape != ()]
        for axis in range(len(shape)):
            if groups and len(shape) > 2 and all(_side_by_side(v, axis, shape) for v in accesses):
                groups[-1] += (axis,)
            else:
                groups.append((axis,))
        return groups

    def product(self, equation: Product) -> None:
        a, b = equation.inputs
        out = equation.out
        if len(out.shape) > 2:
            self._batched(equation)
            return

        add = "" if equation.adds is None else "add_"  # to what is there
        for zeros, other, target in ((a, b, out), (b, transposed(a), transposed(out))):
            if literal(zeros) == 0:  # passes.finish keeps this only for products without a factor
                if equation.adds is None:
                    self.line(f"{self.array(out)}[:] = {self.number(0, out.dtype)}")
                self.kernel("add_matmul_from_zeros", self.array(other), self.array(target))
                return
        scale = self.scale(equation.scale, equation.negative, out.dtype)
        (m, k), n = a.shape, b.shape[1]
        if k == 1 and add:
            self.kernel("add_outer", scale, self.vector(a), self.vector(b), self.array(out))
            return
        if m == 1 or n == 1:
            matrix, x = (transposed(b), a) if m == 1 else (a, b)
            if resolve(matrix)[1][-1].axis == 1:  # rows are contiguous in memory
                if not add:
                    self.line(f"{self.array(out)}[:] = {self.number(0, out.dtype)}")
                self.kernel("add_matvec", scale, self.array(matrix), self.vector(x), self.vector(out))
                return
        self.kernel(f"{add}matmul", scale, self.array(a), self.array(b), self.array(out))

    def scale(self, value: Value | None, negative: bool, dtype: np.dtype) -> str:
        """Return the factor of a product: a single value, or 1."""
        scale = self.number(1, dtype) if value is None else self.entry(value, ())
        return f"-{scale}" if negative else scale

    def _batched(self, equation: Product) -> None:
        """Write a product of stacks of matrices: a loop over the stack."""
        a, b, out = *equation.inputs, equation.out
        lead = out.shape[:-2]
        counters = COUNTERS[: len(lead)]
        start = self.indent
        self.nest(counters, lead)

        def one(value: Value) -> str:
            stack = len(value.shape) - 2
            views_of = counters[len(lead) - stack :]
            which = [Place(None, 1, views_of[axis] if value.shape[axis] != 1 else 0) for axis in range(stack)]
            return self.array(value.view(value.shape[-2:], (*which, Place(0), Place(1))))

        kernel = "matmul" if equation.adds is None else "add_matmul"
        self.kernel(kernel, self.number(1, out.dtype), one(a), one(b), one(out))
        self.indent = start

    def reduce(self, equation: Reduce) -> None:
        (a,), out = equation.inputs, equation.out
        if not is_whole(a):
            self.kernel("sum_rows" if equation.axes == (0,) else "sum_columns", self.array(a), self.row(out))
            return
        root = resolve(a)[0]
        if out.size == 1 and equation.kind == "sum":
            text = f"{kind_name(out.dtype)}({self.function('sum_all')}({self.reshaped(root, (a.size,))}))"
            indices = f"[{', '.join('0' for _ in out.shape)}]"
            self.assign(named(out.name) if out.shape == () else f"{self.array(out)}{indices}", text)
            return
        gone = [axis for axis, size in enumerate(a.shape) if size != 1 and axis in equation.axes]
        gone = gone or [equation.axes[0]]  # nothing to add up: a copy
        first, last = gone[0], gone[-1] + 1
        m, n, p = (math.prod(sizes) for sizes in (a.shape[:first], a.shape[first:last], a.shape[last:]))
        assert m * p == out.size, f"passes.finish left a {equation.kind} over axes {equation.axes} of {a.shape} whole"
        if equation.kind == "sum" and 1 in (m, p):
            kernel, shape = ("sum_rows", (n, p)) if m == 1 else ("sum_columns", (m, n))
            self.kernel(kernel, self.reshaped(root, shape), self.row(out))
        else:
            self.kernel(f"{equation.kind}_middle", self.reshaped(root, (m, n, p)), self.reshaped(out, (m, p)))

    def assemble(self, equation: Assemble) -> None:
        out = equation.out
        if equation.fill is not None:
            self.line(f"{self.array(out)}[:] = {self.number(equation.fill, out.dtype)}")
        for piece, at in zip(equation.inputs, equation.at, strict=True):
            self.elementwise(copied(piece, out.view(piece.shape, at)))

    def call(self, equation: Call) -> None:
        out = equation.out
        if equation.kernel == "custom":
            (operation,) = equation.extra
            name = self.new_name(f"{out.name}_{self._kernel}")
            self.customs[name] = operation.kernel
            self.line(f"{name}({', '.join([self.array(x) for x in (*equation.inputs, out)])})")
            return
        if equation.kernel == "vecmat_and_add_outer":
            (x, matrix, y, *scale), (negative,) = equation.inputs, equation.extra
            factor = self.scale(scale[0] if scale else None, negative, out.dtype)
            self.kernel(
                equation.kernel, self.vector(x), self.array(matrix), self.vector(out), factor, self.vector(y)
            )  # fmt: skip
            return
        arguments = [named(x.name) if x.role == "generator" else self.array(x) for x in equation.inputs]
        arguments += [repr(x) for x in equation.extra] + [self.array(x) for x in (*equation.work, *equation.also)]
        if equation.kernel in SCALAR_KERNELS:
            text = f"{self.function(equation.kernel)}({', '.join(arguments)})"
            self.assign(named(out.name), f"{kind_name(out.dtype)}({text})")
        else:
            self.kernel(equation.kernel, *arguments, self.array(out))

    def guard(self, equation: Guard) -> None:
        """End the step if the loss is not finite."""
        (loss,) = equation.inputs
        self.line("# if the loss is not finite, return before any parameter changes")
        self.line(f"if not math.isfinite({self.entry(loss, ())}):")
        self.line(f"    return {', '.join(self.results(equation.results))}")

    def results(self, values: Sequence[Value]) -> list[str]:
        """Return the program's results: numbers, and whole arrays."""
        return [self.entry(v, ()) if v.shape == () else self.array(v) for v in values]

    def store(self, equation: Store) -> None:
        """Write the new value of a parameter that could not be updated in place."""
        (new,), old = equation.inputs, equation.out
        if base(new) is not old:
            self._copy(new, old)

    def loop(self, equation: Loop) -> None:
        for carried, start, _ in equation.carries:
            self._copy(start, carried)
        order = f"range({equation.steps - 1}, -1, -1)" if equation.backwards else f"range({equation.steps})"
        self.line(f"for {named(equation.counter)} in {order}:", equation.counter)
        self.indent += 1
        begin = len(self.lines)
        self.write(equation.body)
        for carried, _, new in equation.carries:
            if new is not carried and base(new) is not carried:
                self._copy(new, carried)
        if len(self.lines) == begin:
            self.line("pass")
        self.indent -= 1

    def _copy(self, source: Value, target: Value) -> None:
        if target.shape == ():
            self.assign(self.entry(target, ()), self.entry(source, ()))
        else:
            self.elementwise(copied(source, target.view(target.shape, identity(target.shape))))


def origins_of(equations: Sequence[Equation]) -> list[Origin | None]:
    """Return the origin of each equation. One added by the compiler, such as a copy, belongs to the next."""
    origins: list[Origin | None] = []
    following: Origin | None = None
    for equation in reversed(equations):
        if isinstance(equation, Guard):
            origins.append(None)
            continue
        if isinstance(equation, Fused):
            part = together(member.out.origin for member in equation.members if member.out.origin)
        elif isinstance(equation, Loop):
            part = next((part for part in origins_of(equation.body) if part is not None), None)
        else:
            values = [*equation.outs, *(equation.inputs if isinstance(equation, Store) else [])]
            part = next((value.origin for value in values if value.origin is not None), None)
        following = part or following
        origins.append(following)
    return origins[::-1]


def _side_by_side(value: Value, axis: int, shape: tuple[int, ...]) -> bool:
    """Tell whether loop axes axis - 1 and axis of `value` are contiguous and complete."""
    root, places = resolve(value)
    new = len(shape) - len(value.shape)

    where = {p.axis + new: r for r, p in enumerate(places) if p.axis is not None and value.shape[p.axis] != 1}
    pair = [(where[k], k) for k in (axis - 1, axis) if k in where]
    if len(pair) < 2:
        return not pair
    return pair[1][0] == pair[0][0] + 1 and all(
        places[r].step == 1 and places[r].start == 0 and root.shape[r] == shape[k] for r, k in pair
    )
