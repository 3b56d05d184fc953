"""Which array each computed value lies in. Values that are never needed at the same time share one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from minigrad.compiler.schedule import Fused, all_reads, inner_outs
from minigrad.compiler.values import (
    Call,
    Equation,
    Guard,
    Loop,
    Product,
    Store,
    Value,
    resolve,
    storage,
    whole,
)


@dataclass
class Buffer:
    """An array that the program writes into. born, dies: the first and the last equation that use it."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    born: int
    dies: int
    values: list[Value] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize


def settle(equations: list[Equation]) -> int:
    """Let sums of products lie in the memory of what they add to, and new parameters in that of the old ones.

    To be called when the order is fixed. Returns how many parameters are changed in place.
    """
    for equation in equations:
        if isinstance(equation, Loop):
            settle(equation.body)
            equation.carries = [
                (carried, start, carried if resolve(new)[0] is not carried and storage(new) is carried else new)
                for carried, start, new in equation.carries
            ]
        if isinstance(equation, Product) and equation.adds is not None and equation.out.root is None:
            equation.out.root, equation.out.places = equation.adds, whole(equation.out.shape)
    changed = 0
    guard = next((k for k, e in enumerate(equations) if isinstance(e, Guard)), -1)
    for store in [e for e in equations if isinstance(e, Store)]:
        new, old = resolve(store.inputs[0])[0], store.out
        if storage(new) is old:
            changed += 1
            continue
        where = [k for k, e in enumerate(equations) if any(v is new for v in inner_outs(e))]
        if not where or where[0] < guard or new.root is not None or new.role != "computed" or new.shape != old.shape:
            continue
        if resolve(store.inputs[0])[1] != whole(old.shape):  # a view is stored: a square's transpose, say
            continue
        maker = equations[where[0]]
        later = equations[where[0] + 1 :]
        if any(storage(v) is old for e in later for v in all_reads(e)):
            continue
        if any(storage(v) is old and not (isinstance(maker, Fused) and resolve(v)[1] == whole(old.shape))
               for v in all_reads(maker)):  # fmt: skip
            continue
        new.root, new.places = old, whole(old.shape)
        changed += 1
    return changed


def check_guard(equations: list[Equation]) -> None:
    """Nothing may write to a parameter before it is known whether the loss is a number. To be called after `settle`."""
    guard = next((k for k, e in enumerate(equations) if isinstance(e, Guard)), 0)
    for equation in equations[:guard]:
        for value in written(equation):
            assert storage(value).role != "parameter", f"{storage(value)!r} would change before the loss is known"


def written(equation: Equation) -> list[Value]:
    """All values that an equation writes, those inside of loops too."""
    if isinstance(equation, Loop):
        return [*equation.results, *(v for e in equation.body for v in written(e))]
    return [*equation.outs, *(equation.work if isinstance(equation, Call) else [])]


def touched(equation: Equation) -> list[Value]:
    """All values that an equation reads or writes, those inside of loops too."""
    more = [v for e in equation.body for v in touched(e)] if isinstance(equation, Loop) else []
    return [*all_reads(equation), *written(equation), *more]


def allocate(equations: list[Equation], outputs: list[Value], share: bool = True) -> list[Buffer]:
    """Give each computed array a buffer. With `share`, an array that is not needed any more gives its buffer on."""
    _keep_names(outputs)
    life: dict[int, tuple[Value, int, int]] = {}
    for k, equation in enumerate(equations):
        for value in touched(equation):
            owner = storage(value)
            if owner.role == "computed" and owner.shape != ():
                _, born, _ = life.get(id(owner), (owner, k, k))
                life[id(owner)] = owner, born, k
    for value in outputs:
        owner = storage(value)
        if id(owner) in life:
            life[id(owner)] = owner, life[id(owner)][1], len(equations)
    buffers: list[Buffer] = []
    free: list[Buffer] = []
    for owner, born, dies in sorted(life.values(), key=lambda entry: entry[1]):
        for buffer in buffers:
            if buffer.dies < born and buffer not in free:
                free.append(buffer)
        fitting = [b for b in free if b.dtype == owner.dtype and owner.size <= math.prod(b.shape) <= 4 * owner.size]
        if share and fitting:
            buffer = min(fitting, key=lambda b: (math.prod(b.shape), -b.dies))
            free.remove(buffer)
            buffer.dies = dies
            buffer.values.append(owner)
        else:
            buffers.append(Buffer(owner.name, owner.shape, owner.dtype, born, dies, [owner]))
    return buffers


def _keep_names(outputs: list[Value]) -> None:
    """An array that is all of what is wanted is called as that is, whatever made it."""
    for value in outputs:
        owner = storage(value)
        if owner is not value and owner.role == "computed" and owner.shape == value.shape:
            owner.name, value.name = value.name, owner.name
