"""Assign arrays to computed values. Values that are never needed at the same time share one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from minigrad.compiler.ir import ProgramIR
from minigrad.compiler.schedule import Fused
from minigrad.compiler.values import (
    Call,
    Equation,
    Guard,
    Loop,
    Product,
    Store,
    Value,
    View,
    all_reads,
    base,
    identity,
    is_whole,
    resolve,
    views_of,
)


@dataclass(eq=False)
class Buffer:
    """An array that the program writes to. born, dies: the first and the last equation that use it, from 0."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    born: int
    dies: int
    values: list[Value] = field(default_factory=list)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def shared_with(self) -> list[str]:
        """Return the names of the other values in the buffer."""
        return [value.name for value in self.values if value.name != self.name]


def alias(ir: ProgramIR) -> str:
    """Place sums of products in the memory of what they add to, and new parameters in that of the old ones.

    Call after the order is fixed.
    """
    ir.equations = [e for e in ir.equations if not (isinstance(e, Store) and e.out.role == "output")]
    _alias(ir.equations)
    _check_guard(ir.equations)
    _check_old_values(ir.equations)
    return ""


def _alias(equations: list[Equation]) -> None:
    for equation in equations:
        if isinstance(equation, Loop):
            _alias(equation.body)
            equation.carries = [
                (carried, start, carried if resolve(new)[0] is not carried and base(new) is carried else new)
                for carried, start, new in equation.carries
            ]
        if isinstance(equation, Product) and equation.adds is not None:
            equation.out.at = View(equation.adds, identity(equation.out.shape))
    guard = next((k for k, e in enumerate(equations) if isinstance(e, Guard)), -1)
    for store in [e for e in equations if isinstance(e, Store)]:
        new, old = resolve(store.inputs[0])[0], store.out
        if base(new) is old:
            continue
        where = [k for k, e in enumerate(equations) if any(v is new for v in e.outs)]
        if not where or where[0] < guard or new.role != "computed" or new.shape != old.shape:
            continue
        if resolve(store.inputs[0])[1] != identity(old.shape):  # a view is stored: a square's transpose, say
            continue
        maker = equations[where[0]]
        later = equations[where[0] + 1 :]
        if any(base(v) is old for e in later for v in all_reads(e)):
            continue
        if any(base(v) is old for v in all_reads(maker)) and not _read_in_time(old, new, maker):
            continue
        new.at = View(old, identity(old.shape))


def _read_in_time(old: Value, new: Value, maker: Equation) -> bool:
    """Tell whether a loop reads each entry of `old` before it writes the entry of `new` that takes its place.

    A member's reads happen where it stands in the text, or later, in a member that is its only user.
    """
    if not isinstance(maker, Fused):
        return False
    members = maker.members
    # The members that each one is computed from.
    made = [{id(root) for value in member.inputs for root in (value, *views_of(value))} for member in members]
    last = list(range(len(members)))  # the last member in which a member's own reads may happen
    for k in reversed(last):
        if members[k] not in maker.kept:
            last[k] = max((last[j] for j, roots in enumerate(made) if id(members[k].out) in roots), default=k)
    written = next(k for k, member in enumerate(members) if member.out is new)
    return all(
        last[k] <= written and value.shape == old.shape and is_whole(value)
        for k, member in enumerate(members)
        for value in member.inputs
        if base(value) is old
    )


def _check_guard(equations: list[Equation]) -> None:
    """Check that nothing writes to a parameter before the loss is known to be finite."""
    guard = next((k for k, e in enumerate(equations) if isinstance(e, Guard)), 0)
    for equation in equations[:guard]:
        for value in written(equation):
            assert base(value).role != "parameter", f"{base(value)!r} would change before the loss is known"


def _check_old_values(equations: list[Equation]) -> None:
    """Check that nothing reads a parameter's old value after the new one has taken its place."""
    new: dict[int, list[Value]] = {}  # parameter -> what has been written to its memory
    for equation in equations:
        for value in all_reads(equation):
            owner = base(value)
            fresh = id(owner) not in new or any(root in new[id(owner)] for root in (value, *views_of(value)))
            assert fresh, f"{owner!r} would change before {equation.out!r} is made of it"
        for value in written(equation):
            if (owner := base(value)).role == "parameter":
                new.setdefault(id(owner), []).extend([value] if value is not owner else [])


def written(equation: Equation) -> list[Value]:
    """Return all values that an equation writes, including those inside loops."""
    work = equation.work if isinstance(equation, Call) else []
    inside = equation.body if isinstance(equation, Loop) else []
    return [*equation.outs, *work, *(v for e in inside for v in written(e))]


def touched(equation: Equation) -> list[Value]:
    """Return all values that an equation reads or writes, including those inside loops."""
    return [*all_reads(equation), *written(equation)]


def allocate(ir: ProgramIR) -> str:
    """Give each computed array a buffer of its own."""
    _keep_names(ir.outputs)
    born: dict[Value, int] = {}
    dies: dict[Value, int] = {}
    for k, equation in enumerate(ir.equations):
        for owner in map(base, touched(equation)):
            if owner.role == "computed" and owner.shape != ():
                born.setdefault(owner, k)
                dies[owner] = k
    for owner in map(base, ir.outputs):
        if owner in born:
            dies[owner] = len(ir.equations)
    ir.buffers = [Buffer(v.name, v.shape, v.dtype, born[v], dies[v], [v]) for v in born]
    return ""


def reuse_buffers(ir: ProgramIR) -> str:
    """Give the buffer of an array that is no longer needed to one that is not much smaller."""
    kept: list[Buffer] = []
    free: list[Buffer] = []
    for new in ir.buffers:
        free += [buffer for buffer in kept if buffer.dies < new.born and buffer not in free]
        fitting = [b for b in free if b.dtype == new.dtype and new.size <= b.size <= 4 * new.size]
        if fitting:
            buffer = min(fitting, key=lambda b: (b.size, -b.dies))
            free.remove(buffer)
            buffer.dies = new.dies
            buffer.values += new.values
        else:
            kept.append(new)
    arrays, ir.buffers = len(ir.buffers), kept
    return f"{arrays} arrays lie in {len(kept)} buffers"


def _keep_names(outputs: list[Value]) -> None:
    """If an output is a whole array, that array takes the output's name."""
    for value in outputs:
        owner = base(value)
        if owner is not value and owner.role == "computed" and owner.shape == value.shape:
            owner.name, value.name = value.name, owner.name
