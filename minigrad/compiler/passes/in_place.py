"""Compute each piece of a concatenation directly in its destination."""

from __future__ import annotations

from minigrad.compiler.draft import ProgramIR, all_equations, groups, reshaped
from minigrad.compiler.values import (
    Assemble,
    Call,
    Elementwise,
    Equation,
    Loop,
    Place,
    Places,
    Product,
    Reduce,
    Store,
    Value,
    resolve,
)


def in_place(draft: ProgramIR) -> str:
    """Compute each piece of a concatenation directly in its destination."""
    placed = 0
    for group in groups(draft.equations):
        makers = {id(e.out): e for e in group if not isinstance(e, Loop)}
        with_other_shapes = reshaped(draft.equations)
        assemblies = [e for e in group if isinstance(e, Assemble) and e.fill is None]  # a fill writes everywhere
        copies = [e for e in group if isinstance(e, Elementwise) and e.rule == "copy" and e.out.root is not None]
        for assembly in assemblies:
            for k in reversed(range(len(assembly.inputs))):
                piece, at = assembly.inputs[k], assembly.at[k]
                maker = makers.get(id(resolve(piece)[0]))
                if _moved(draft, maker, piece, at, assembly.out, with_other_shapes):
                    del assembly.inputs[k], assembly.at[k]
                    placed += 1
        for copy in copies:
            (piece,), at, target = copy.inputs, copy.out.places or (), copy.out.root
            maker = makers.get(id(resolve(piece)[0]))
            if target is not None and _moved(draft, maker, piece, at, target, with_other_shapes):
                group.remove(copy)
                placed += 1
    return f"{placed} results are computed where they belong"


def _moved(
    draft: ProgramIR, maker: Equation | None, piece: Value, at: Places, target: Value, with_other_shapes: set[int]
) -> bool:
    """Let `maker` write its result, of which `piece` is a view, directly at the places `at` of `target`, if
    possible.
    """
    owner, seen = resolve(piece)
    readers_in_one_piece = (e for e in all_equations(draft.equations) if isinstance(e, Call | Store))
    if (
        maker is None
        or isinstance(maker, Assemble | Call | Store | Reduce)
        or (isinstance(maker, Product) and (maker.adds is not None or not _matrix_at(at, owner, seen)))
        or owner.root is not None
        or id(owner) in with_other_shapes
        or owner.size != piece.size
        or any(p.axis is not None and (p.step, p.start) != (1, 0) for p in seen)  # read backwards
        or owner.dtype != target.dtype
        or owner.shape == ()
        or any(resolve(x)[0] is owner for e in readers_in_one_piece for x in e.inputs)
    ):
        return False
    back = {place.axis: axis for axis, place in enumerate(seen) if place.axis is not None}
    if any(p.axis is not None and p.axis not in back and piece.shape[p.axis] != 1 for p in at):
        return False
    owner.root = target
    owner.places = tuple(
        Place(None, 1, p.start) if p.axis is None or p.axis not in back else Place(back[p.axis], p.step, p.start)
        for p in at
    )
    return True


def _matrix_at(at: Places, owner: Value, seen: Places) -> bool:
    """Tell whether a product can be written there: each of its rows must be contiguous."""
    return len(owner.shape) == 2 and at[-1].step == 1 and at[-1].axis is not None and seen[-1].axis == at[-1].axis
