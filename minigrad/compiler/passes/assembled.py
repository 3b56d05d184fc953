"""Read through assembled arrays: a concatenation, a padding, the adjoint of a slice.

A reader of a piece reads the value that the piece was made from, and the whole is not needed. The adjoints of two
disjoint slices are one array with both pieces. So the reverse pass of a loop over slices copies
each piece once.
"""

from __future__ import annotations

from minigrad.compiler.ir import can_alias
from minigrad.compiler.values import (
    Assemble,
    Elementwise,
    Equation,
    Number,
    Place,
    Places,
    Value,
    View,
    disjoint,
    is_whole,
    resolve,
)

Makers = dict[int, Equation]  # the equation that makes a value, by the value's id


def forward_views(value: Value, makers: Makers, fixed: set[int]) -> None:
    """Redirect a view of an assembled array to the piece that it reads.

    fixed: values that are also read in another shape.
    """
    while isinstance(value.at, View):
        root, places = resolve(value)
        source = makers.get(id(root))
        if not isinstance(source, Assemble) or value is root:
            return
        pieces = zip(source.inputs, source.at, strict=True)
        met = next(((x, at) for x, at in pieces if not disjoint(places, value.shape, at, x.shape)), None)
        if met is None:
            if source.fill is not None:
                value.at = Number(source.fill)
            return
        piece, at = met
        if (inside := _within(places, value.shape, at, piece.shape)) is None:
            return
        if piece.is_number:
            value.at = piece.at
        elif can_alias(value, piece, inside, fixed):
            value.at = View(piece, inside)
        else:
            return


def _within(places: Places, shape: tuple[int, ...], at: Places, piece: tuple[int, ...]) -> Places | None:
    """Translate a view's places into a piece that lies at `at`; None if the view is not inside the piece."""
    translated: dict[int, Place] = {}
    for p, r in zip(places, at, strict=True):
        inner, outer = p.indices(shape), r.indices(piece)
        if not isinstance(inner, range) or not isinstance(outer, range) or not set(inner) <= set(outer):
            return None
        if r.axis is not None:
            start = (inner.start - outer.start) // outer.step
            translated[r.axis] = Place(p.axis, inner.step // outer.step if len(inner) > 1 else 1, start)
    return tuple(translated.get(axis, Place(None)) for axis in range(len(piece)))


def join(equation: Elementwise, makers: Makers) -> Equation:
    """Assemble the sum of arrays with disjoint nonzero places directly from their pieces."""
    sources = []
    for x in equation.inputs:
        source = makers.get(id(resolve(x)[0]))
        if not isinstance(source, Assemble) or source.fill != 0:
            return equation
        if not is_whole(x) or x.shape != equation.out.shape:
            return equation
        sources.append(source)
    pieces = [(piece, at) for source in sources for piece, at in zip(source.inputs, source.at, strict=True)]
    for k, (piece, at) in enumerate(pieces):
        for other, other_at in pieces[k + 1 :]:
            if not disjoint(at, piece.shape, other_at, other.shape):
                return equation
    filled = sum(piece.size for piece, _ in pieces) == equation.out.size
    return Assemble(equation.out, [p for p, _ in pieces], [at for _, at in pieces], None if filled else 0.0)
