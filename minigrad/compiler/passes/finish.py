"""Insert copies where a kernel needs a contiguous array, or one of a certain dtype."""

from __future__ import annotations

import itertools

from minigrad.compiler.ir import ProgramIR, groups
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
    is_whole,
    literal,
    resolve,
)


def finish(ir: ProgramIR) -> str:
    """Convert every input to what its kernel accepts, and every output to what the program can return."""
    for group in groups(ir.equations):
        for equation in list(group):
            for k, value in enumerate(equation.inputs):
                if not _fine(equation, k):
                    copy = ir.copy(value, "copy", equation.out.dtype if isinstance(equation, Product) else None)
                    group.insert(group.index(equation), copy)
                    equation.inputs[k] = copy.out
        for equation in list(group):
            if isinstance(equation, Loop):
                _in_place(equation.body)
                _swapped_safely(equation, ir)
            if isinstance(equation, Reduce):
                _neighbours_only(equation, group, ir)
    _stored_safely(ir)
    _present_outputs(ir)
    return ""


def _stored_safely(ir: ProgramIR) -> None:
    """Copy a value that is stored into a parameter and read from another (or itself), before one of them changes."""
    stores = [e for e in ir.equations if isinstance(e, Store) and e.out.role != "output"]
    changed = {id(store.out) for store in stores}
    for store in stores:
        (new,) = store.inputs
        if id(base(new)) in changed and not (base(new) is store.out and is_whole(new)):
            copy = ir.copy(new, f"{store.out.name}_next")
            ir.equations.insert(ir.equations.index(store), copy)
            store.inputs[0] = copy.out


def _present_outputs(ir: ProgramIR) -> None:
    """Make each output a whole array of its own, or a number: from before the update, if it is in a parameter."""
    stores = [e for e in ir.equations if isinstance(e, Store) and e.out.role == "output"]
    ir.equations[:] = [e for e in ir.equations if e not in stores]
    changed = {id(e.out) for e in ir.equations if isinstance(e, Store)}
    for k, value in enumerate(ir.outputs):
        own = is_whole(value) and base(value).role == "computed" and resolve(value)[0] is base(value)
        if (value.shape != () and not own) or id(base(value)) in changed:
            copy = ir.copy(value, "output")
            guard = next((e for e in ir.equations if isinstance(e, Guard) and k == 0), None)
            ir.equations.insert(ir.equations.index(guard) if guard else len(ir.equations), copy)
            if guard:  # it reads the first output, the loss, and returns it
                guard.inputs = [copy.out]
            ir.outputs[k] = copy.out
        stores[k].inputs[0] = ir.outputs[k]
    ir.equations += stores


def _fine(equation: Equation, k: int) -> bool:
    """Tell whether a kernel can read input k as it lies in memory."""
    value = equation.inputs[k]
    if isinstance(equation, Call):
        return value.role == "generator" or (is_whole(value) and literal(value) is None)
    if isinstance(equation, Reduce):
        return literal(value) is None and (is_whole(value) or _rows_or_columns(equation))
    if isinstance(equation, Product):
        in_array = resolve(value)[0].shape != ()  # a number is not in an array
        readable = value.dtype == equation.out.dtype and _matrix(value) and _plain_stack(value) and in_array
        return readable or _is_zeros(equation, k)
    return True


def _is_zeros(equation: Product, k: int) -> bool:
    """Tell whether one factor of a plain product is all zeros, so that it is not needed (`add_matmul_from_zeros`)."""
    first, second = equation.inputs[k], equation.inputs[1 - k]
    plain = equation.scale is None and len(equation.out.shape) == 2  # a rate may be infinite, and times 0 is nan
    return plain and literal(first) == 0 and literal(second) is None


def _plain_stack(value: Value) -> bool:
    """Tell whether a counter can index the matrices of a stack."""
    lead = range(len(value.shape) - 2)
    return all(p.step == 1 and p.start == 0 for p in resolve(value)[1] if p.axis in lead)


def _swapped_safely(loop: Loop, ir: ProgramIR) -> None:
    """Copy a state whose next value is another state of the loop, before that one changes."""
    carried = {id(value) for value, _, _ in loop.carries}
    for k, (value, start, new) in enumerate(loop.carries):
        if new is not value and id(base(new)) in carried:
            copy = ir.copy(new, f"{value.name}_next")
            loop.body.append(copy)
            loop.carries[k] = value, start, copy.out


def _in_place(body: list[Equation]) -> None:
    """Let the equations of a step write to where a loop keeps their values, and pieces to where they are assembled."""
    makers = {id(e.out) for e in body if isinstance(e, Elementwise | Assemble)}
    for copy in [e for e in body if isinstance(e, Elementwise) and e.rule == "copy" and isinstance(e.out.at, View)]:
        value = resolve(copy.inputs[0])[0]
        same = value.shape == copy.out.shape and value.dtype == copy.out.dtype and is_whole(copy.inputs[0])
        if id(value) in makers and same and not isinstance(value.at, View):
            value.at = copy.out.at
            body.remove(copy)
    for assembly in [e for e in body if isinstance(e, Assemble) and e.fill is None]:
        pieces = zip(assembly.inputs, assembly.at, strict=True)
        place = body.index(assembly)
        body[place : place + 1] = [copied(x, assembly.out.view(x.shape, at)) for x, at in pieces]


def _rows_or_columns(equation: Reduce) -> bool:
    """Tell whether a matrix is reduced along one of its axes, which also works for slices."""
    (a,) = equation.inputs
    return equation.kind == "sum" and len(a.shape) == 2 and len(equation.axes) == 1 and 1 not in a.shape and _matrix(a)


def _matrix(value: Value) -> bool:
    """Tell whether a product can read `value`: each axis is one axis of an array, rows or columns contiguous."""
    _, places = resolve(value)
    if literal(value) is not None:
        return False
    shown = {p.axis for p in places if p.axis is not None}
    if any(n != 1 and k not in shown for k, n in enumerate(value.shape)):
        return False
    order = [p.axis for p in places if p.axis is not None]
    if 1 in value.shape[-2:]:  # a vector
        return True
    last = places[-1] if places else Place(None)
    rows_or_columns = len(value.shape) - 2, len(value.shape) - 1
    return last.axis in rows_or_columns and last.step == 1 and order[:-2] == sorted(order[:-2])


def _neighbours_only(equation: Reduce, group: list[Equation], ir: ProgramIR) -> None:
    """Split a reduction over axes that are no neighbours into several steps, from the last axes on."""
    long = [k for k, n in enumerate(equation.inputs[0].shape) if n != 1]
    runs = [tuple(axes) for gone, axes in itertools.groupby(long, lambda k: k in equation.axes) if gone]
    for axes in runs[:0:-1]:
        (of,) = equation.inputs
        part = ir.new("part", [1 if k in axes else n for k, n in enumerate(of.shape)], equation.out.dtype)
        group.insert(group.index(equation), Reduce(part, [of], axes, equation.kind))
        equation.inputs[0] = part
