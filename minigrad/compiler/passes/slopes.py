"""Compute the derivative of an activation in the forward loop, and store it instead of the input.

In the forward pass a loop computes gelu(a), and stores a, which the backward pass needs only for gelu's derivative.
Then the derivative may be stored instead: no more memory is used, the backward pass is a product, and what the function
and its derivative share (for GELU, an exp and a polynomial) is computed once.
"""

from __future__ import annotations

from minigrad.compiler.draft import ProgramIR
from minigrad.compiler.passes.fuse import joined
from minigrad.compiler.schedule import Fused, all_reads
from minigrad.compiler.values import Elementwise, Value, base, is_whole, literal, resolve


def slopes(draft: ProgramIR) -> str:
    """Compute derivatives of activations in the forward pass, and store them instead of inputs that only they need."""
    moved = 0
    for forward in [e for e in draft.equations if isinstance(e, Fused)]:
        for member in forward.kept:
            moved += _bring(draft, forward, member.out)
    return f"{moved} derivatives are computed on the way forward"


def _bring(draft: ProgramIR, forward: Fused, a: Value) -> int:
    """Move a later loop's functions of `a` alone into the loop that computes `a`, if they make one array and read all
    of a.
    """
    activations = [m for m in forward.members if _reads(m, a)]
    if not activations or a.shape == () or a.root is not None or a.role == "output":
        return 0
    readers = [e for e in draft.equations if e is not forward and any(base(x) is a for x in all_reads(e))]
    if len(readers) != 1 or not isinstance(back := readers[0], Fused):
        return 0
    if any(m.out.root is not None for m in back.members):
        return 0
    moved: list[Elementwise] = []
    for member in back.members:
        rows = [x for x in member.inputs if literal(x) is None]
        if rows and all(is_whole(x) and resolve(x)[0] in [a, *(m.out for m in moved)] for x in rows):
            moved.append(member)
    rest = [m for m in back.members if m not in moved]
    needed = [m for m in moved if any(_reads(r, m.out) for r in rest)]
    costly = any("(" in m.expression for m in moved)  # a function call: otherwise there is nothing to share
    if len(needed) != 1 or not costly or any(m in back.kept for m in moved) or any(_reads(r, a) for r in rest):
        return 0
    (slope,) = needed
    if (slope.out.shape, slope.out.dtype) != (a.shape, a.dtype):
        return 0
    slope.out.name = draft.new(f"{activations[0].out.name}_slope", a.shape, a.dtype).name
    for member in moved:
        member.out.origin = activations[0].out.origin
    vars(forward).update(vars(joined([*forward.members, *moved], [slope if m.out is a else m for m in forward.kept])))
    vars(back).update(vars(joined(rest, back.kept)))
    return 1


def _reads(member: Elementwise, value: Value) -> bool:
    return any(base(x) is value for x in member.inputs)
