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
    literal,
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


def known_assembly(equation: Assemble, fixed: set[int]) -> bool:
    """Replace an assembled value that is one number, or one existing piece; return whether that succeeded.

    fixed: values that are also read in another shape.
    """
    if not equation.out.size:  # an empty array
        equation.out.at = Number(equation.fill or 0.0)
        return True
    if equation.fill is not None:
        kept = [k for k, x in enumerate(equation.inputs) if literal(x) != equation.fill]
        equation.inputs, equation.at = [equation.inputs[k] for k in kept], [equation.at[k] for k in kept]
        if not kept:
            equation.out.at = Number(equation.fill)
            return True
    steps = {place.step for at in equation.at for place in at if place.axis is not None}
    if len(equation.inputs) == 1 and equation.inputs[0].size == equation.out.size and steps <= {1, -1}:
        (piece,), (at,) = equation.inputs, equation.at
        if piece.is_number:
            equation.out.at = piece.at
            return True
        inverse = {p.axis: Place(k, p.step, -int(p.start) * p.step) for k, p in enumerate(at) if p.axis is not None}
        places = tuple(inverse.get(axis, Place(None)) for axis in range(len(piece.shape)))
        if can_alias(equation.out, piece, places, fixed):
            equation.out.at = View(piece, places)
            return True
    return False


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
