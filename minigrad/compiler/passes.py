"""Small rewritings of the list of equations, each with a name, each of which can be left out.

A pass takes the equations and returns them, fewer or better, and says in one sentence what it did. None changes what
the program computes, but for rounding and the sign of a zero that is a derivative; with all of them left out it is
still right, only slower. The one that is an exception, `finite`, is left out unless it is asked for.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.compiler.values import (
    Assemble,
    Call,
    Elementwise,
    Equation,
    Guard,
    Loop,
    Place,
    Places,
    Product,
    Reduce,
    Store,
    Value,
    disjoint,
    is_whole,
    reads,
    resolve,
    storage,
    whole,
)


def every(equations: list[Equation]) -> Iterator[list[Equation]]:
    """The list, and the lists inside its loops, inner ones first."""
    for equation in equations:
        if isinstance(equation, Loop):
            yield from every(equation.body)
    yield equations


def all_equations(equations: list[Equation]) -> Iterator[Equation]:
    for group in every(equations):
        yield from group


def roots_read(equation: Equation) -> list[Value]:
    """The values whose arrays `equation` reads; of a loop also those read in its body and handed on."""
    found = [resolve(value)[0] for value in reads(equation)]
    if isinstance(equation, Loop):
        for inner in all_equations(equation.body):
            found += [resolve(value)[0] for value in reads(inner)]
        found += [resolve(value)[0] for _, start, new in equation.carries for value in (start, new)]
    return found


def uses(equations: list[Equation]) -> Counter[int]:
    """How many equations read each value's array, by id of the value that owns it."""
    count: Counter[int] = Counter()
    for equation in all_equations(equations):
        seen = [*reads(equation)]
        if isinstance(equation, Loop):
            seen = [value for _, start, new in equation.carries for value in (start, new)]
        count.update({id(storage(value)) for value in seen})
    return count


# ---------------------------------------------------------------- simplify


def become(value: Value, other: Value) -> None:
    """From now on `value` is `other`, copied along new axes where its shape is larger."""
    new = len(value.shape) - len(other.shape)
    if other.is_literal:
        become_number(value, other.array)
        return
    value.root, value.role = other, "computed"
    value.places = tuple(
        Place(None) if n == 1 and value.shape[k + new] != 1 else Place(k + new) for k, n in enumerate(other.shape)
    )


def become_number(value: Value, number: float) -> None:
    """From now on `value` is one number, everywhere the same."""
    value.role, value.array, value.root, value.places = "literal", number, None, None


def literal(value: Value) -> float | None:
    """The number that `value` is everywhere, if it is one."""
    root, _ = resolve(value)
    root = storage(root)
    return root.array if root.is_literal else None


def simplify(equations: list[Equation], finite: bool = False) -> str:
    """Numbers worked out beforehand; times 1 left out; slices of what was just put together.

    finite: 0 times anything is 0 and x + 0 is x, which is so unless there is an infinity, a nan or a -0.
    """
    before = sum(1 for _ in all_equations(equations))
    made: dict[int, Equation] = {}
    for group in every(equations):
        for equation in group:
            for value in equation.outs:
                made[id(value)] = equation
    for _ in range(3):
        fixed = _reshaped(equations)
        for group in every(equations):
            for equation in group:
                for value in _looked_at(equation):
                    _look_through(value, made)
            group[:] = [equation for equation in group if not _known(equation, made, finite, fixed)]
    after = sum(1 for _ in all_equations(equations))
    return f"{before - after} of {before} equations needed no work"


def _looked_at(equation: Equation) -> list[Value]:
    more = [v for _, start, new in equation.carries for v in (start, new)] if isinstance(equation, Loop) else []
    return [*reads(equation), *more]


def _look_through(value: Value, made: dict[int, Equation]) -> None:
    """Point a view of an assembled array at the piece that it shows."""
    while value.root is not None:
        root, places = resolve(value)
        source = made.get(id(root))
        if not isinstance(source, Assemble) or root.root is not None or value is root:
            return
        hit = None
        for piece, at in zip(source.inputs, source.at, strict=True):
            if disjoint(places, value.shape, at, piece.shape):
                continue
            inside = _within(places, value.shape, at, piece.shape)
            if inside is None:
                return
            hit = piece, inside
            break
        if hit is None:
            if source.fill is None:
                return
            become_number(value, source.fill)
            return
        piece, inside = hit
        if piece.is_literal:
            become_number(value, piece.array)
            return
        value.root, value.places = piece, inside


def _within(places: Places, shape: tuple[int, ...], at: Places, piece: tuple[int, ...]) -> Places | None:
    """A view's places in a piece that lies at `at`; None if the view is not inside of the piece."""
    found: dict[int, Place] = {}
    for p, r in zip(places, at, strict=True):
        mine, theirs = p.indices(shape), r.indices(piece)
        if not isinstance(mine, range) or not isinstance(theirs, range) or not set(mine) <= set(theirs):
            return None
        if r.axis is not None:
            start = (mine.start - theirs.start) // theirs.step
            found[r.axis] = Place(p.axis, mine.step // theirs.step if len(mine) > 1 else 1, start)
    return tuple(found.get(axis, Place(None)) for axis in range(len(piece)))


def _known(equation: Equation, made: dict[int, Equation], finite: bool, fixed: set[int]) -> bool:
    """Whether `equation` turned out to be something that is there already.

    fixed: values that are also looked at under another shape, which only an array in order allows: they become no view
    of another kind.
    """
    out = equation.out
    if isinstance(equation, Product):
        if finite and any(literal(x) == 0 for x in equation.inputs) and equation.adds is None:
            become_number(out, 0.0)
            return True
    elif isinstance(equation, Reduce):
        number = literal(equation.inputs[0])
        if number is not None:
            count = math.prod(equation.inputs[0].shape[k] for k in equation.axes)
            become_number(out, (number * count if count else 0) if equation.kind == "sum" else number)
            return True
    elif isinstance(equation, Assemble):
        return _known_assembly(equation, id(out) in fixed)
    elif isinstance(equation, Elementwise) and out.root is None:
        return _known_elementwise(equation, made, finite, id(out) in fixed)
    return False


def _known_assembly(equation: Assemble, fixed: bool) -> bool:
    if not equation.out.size:  # nothing is put together
        become_number(equation.out, equation.fill or 0.0)
        return True
    if equation.fill is not None:
        kept = [k for k, x in enumerate(equation.inputs) if literal(x) != equation.fill]
        equation.inputs, equation.at = [equation.inputs[k] for k in kept], [equation.at[k] for k in kept]
        if not kept:
            become_number(equation.out, equation.fill)
            return True
    steps = {place.step for at in equation.at for place in at if place.axis is not None}
    if len(equation.inputs) == 1 and equation.inputs[0].size == equation.out.size and steps <= {1, -1}:
        (piece,), (at,) = equation.inputs, equation.at
        in_order = is_whole(piece) and at == whole(equation.out.shape)
        if fixed and not in_order and not piece.is_literal:
            return False
        equation.out.root = piece
        inverse = {p.axis: Place(k, p.step, -int(p.start) * p.step) for k, p in enumerate(at) if p.axis is not None}
        equation.out.places = tuple(inverse.get(axis, Place(None)) for axis in range(len(piece.shape)))
        if piece.is_literal:
            become_number(equation.out, piece.array)
        return True
    return False


def _known_elementwise(equation: Elementwise, made: dict[int, Equation], finite: bool, fixed: bool) -> bool:
    out, inputs, rule = equation.out, equation.inputs, equation.rule
    numbers = [literal(x) for x in inputs]
    if rule != "copy" and inputs and all(n is not None for n in numbers) and rule in rules.TABLE:
        with np.errstate(all="ignore"):
            exact = rules.TABLE[rule].value(*(np.asarray(n, x.dtype) for n, x in zip(numbers, inputs, strict=True)))
        become_number(out, np.asarray(exact).astype(out.dtype).item())
        return True
    same = None  # the input that the equation only passes on
    if rule in ("identity", "stop_gradient"):
        same = inputs[0]
    elif rule == "add" and finite:
        same = inputs[0] if numbers[1] == 0 else inputs[1] if numbers[0] == 0 else None
    elif rule == "sub" and numbers[1] == 0:
        same = inputs[0] if finite or math.copysign(1, numbers[1]) > 0 else None
    elif rule == "mul":
        if finite and 0 in numbers:
            become_number(out, 0.0)
            return True
        same = inputs[0] if numbers[1] == 1 else inputs[1] if numbers[0] == 1 else None
    elif rule == "div":
        same = inputs[0] if numbers[1] == 1 else None
    elif rule == "pow" and numbers[1] == 2:
        equation.inputs, equation.rule, equation.letters = inputs[:1], "square", ("a",)
        equation.expression = rules.TABLE["square"].expression
    elif rule == "pow":
        same = inputs[0] if numbers[1] == 1 else None
    elif rule == "scaled_power" and numbers[0] is not None and (numbers[0] == 0 or numbers[2] == 0):
        become_number(out, numbers[0])
        return True
    elif rule == "scaled_power" and numbers[0] is not None and numbers[2] == 1:  # the slope of a ** 2
        equation.inputs, equation.rule, equation.letters = inputs[:2], "mul", ("a", "b")
        equation.expression = rules.TABLE["mul"].expression
    in_order = same is not None and is_whole(same) and same.shape == out.shape
    if same is not None and same.dtype == out.dtype and (in_order or same.is_literal or not fixed):
        become(out, same)
        return True
    if rule == "add":
        _join(equation, made)
    return False


def _join(equation: Elementwise, made: dict[int, Equation]) -> None:
    """The sum of arrays that are 0 but at places of their own is one array put together from both."""
    sources = []
    for x in equation.inputs:
        root, places = resolve(x)
        source = made.get(id(root))
        if not isinstance(source, Assemble) or source.fill != 0 or root.shape != equation.out.shape:
            return
        if places != whole(root.shape):
            return
        sources.append(source)
    pieces = [(piece, at) for source in sources for piece, at in zip(source.inputs, source.at, strict=True)]
    for k, (piece, at) in enumerate(pieces):
        for other, there in pieces[k + 1 :]:
            if not disjoint(at, piece.shape, there, other.shape):
                return
    filled = sum(piece.size for piece, _ in pieces) == equation.out.size
    joined = Assemble(equation.out, [p for p, _ in pieces], [at for _, at in pieces], None if filled else 0.0)
    made[id(equation.out)] = joined
    equation.__class__ = Assemble  # type: ignore[assignment]
    equation.__dict__.clear()
    equation.__dict__.update(joined.__dict__)
    made[id(equation.out)] = equation


# ---------------------------------------------------------------- common subexpressions


def common(equations: list[Equation]) -> str:
    """What would be computed twice from the same inputs is computed once."""
    removed = 0
    for group in every(equations):
        known: dict[Any, Value] = {}
        kept = []
        for equation in group:
            key = _key(equation)
            if key is not None and key in known and known[key].dtype == equation.out.dtype:
                become(equation.out, known[key])
                removed += 1
                continue
            if key is not None:
                known[key] = equation.out
            kept.append(equation)
        group[:] = kept
    return f"{removed} equations were computed already"


def _key(equation: Equation) -> Any:
    inputs = tuple(_value_key(x) for x in equation.inputs)
    if equation.out.root is not None:  # lies at a place of its own
        return None
    if isinstance(equation, Elementwise) and equation.rule != "copy":
        return equation.rule, inputs, equation.out.shape
    if isinstance(equation, Product) and equation.adds is None and equation.scale is None:
        return "@", inputs
    if isinstance(equation, Reduce):
        return equation.kind, equation.axes, inputs
    if isinstance(equation, Call) and equation.kernel not in ("dropout_mask", "custom"):
        return equation.kernel, equation.extra, inputs, equation.out.shape
    return None


def _value_key(value: Value) -> Any:
    number = literal(value)
    if number is not None:
        return "number", repr(number), value.dtype, value.shape  # 0.0 and -0.0 are equal, and not the same
    root, places = resolve(value)
    return id(root) if root.root is None else (id(storage(root)), root.shape), places, value.shape


# ---------------------------------------------------------------- dead code


def dead(equations: list[Equation]) -> str:
    """What no output and no new parameter depends on is left out."""
    before = sum(1 for _ in all_equations(equations))
    needed = {id(storage(e.inputs[0])) for e in equations if isinstance(e, Store)}
    _drop_dead(equations, needed)
    return f"{before - sum(1 for _ in all_equations(equations))} equations led nowhere"


def _drop_dead(equations: list[Equation], needed: set[int]) -> None:
    kept = []
    for equation in reversed(equations):
        if isinstance(equation, Loop):
            if not any(id(v) in needed for v in equation.results):
                continue
            _shorten_loop(equation, needed)
        elif not isinstance(equation, Store | Guard) and not any(id(storage(v)) in needed for v in equation.outs):
            continue
        kept.append(equation)
        needed |= _needs(equation)
    equations[:] = kept[::-1]


def _needs(equation: Equation) -> set[int]:
    """The values that must be there for an equation, and those behind their arrays."""
    read = [*_looked_at(equation), *(roots_read(equation) if isinstance(equation, Loop) else [])]
    return {id(value) for value in read} | {id(storage(value)) for value in read}


def _shorten_loop(loop: Loop, needed: set[int]) -> None:
    """Leave out the outputs and the carried values of a loop that nobody reads, and what only they needed."""
    wanted = {id(value) for value in loop.results if id(value) in needed}
    while True:  # a carried value is needed if something needed in the body reads it
        alive = wanted | {id(storage(new)) for carried, _, new in loop.carries if id(carried) in wanted}
        start = set(alive)
        for equation in reversed(loop.body):  # looks only: a loop in here must not be shortened before all is known
            if any(id(storage(v)) in alive for v in equation.outs):
                alive |= _needs(equation)
        more = {id(carried) for carried, _, _ in loop.carries if id(carried) in alive} - wanted
        if not more:
            break
        wanted |= more
    body = loop.body
    _drop_dead(body, start)
    loop.carries = [triple for triple in loop.carries if id(triple[0]) in wanted]
    loop.results = [value for value in loop.results if id(value) in wanted]
    if loop.results:
        loop.out = loop.results[0]
    inside = {id(storage(v)) for e in body for v in e.outs} | {id(v) for v in loop.results}
    read = [v for e in body for v in reads(e)] + [v for _, start, new in loop.carries for v in (start, new)]
    loop.inputs = list({id(v): v for v in read if id(storage(v)) not in inside}.values())


# ---------------------------------------------------------------- sums of products


def accumulate(equations: list[Equation]) -> str:
    """A product that is added to something is added while it is multiplied in the same memory."""
    folded = 0
    for group in every(equations):
        count = uses(equations)
        products = {id(e.out): e for e in group if isinstance(e, Product)}
        place = {id(e): k for k, e in enumerate(group)}
        makers = {id(value): e for e in group for value in e.outs}
        for equation in list(group):
            if not isinstance(equation, Elementwise) or equation.rule != "add" or equation.out.root is not None:
                continue
            for term, total in (equation.inputs, equation.inputs[::-1]):
                product = products.get(id(resolve(term)[0]))
                base = resolve(total)[0]
                carried = _carried_by(equations, base, equation.out)
                if (
                    product is None
                    or product.adds is not None
                    or not (is_whole(term) and is_whole(total))
                    or term.shape != equation.out.shape
                    or total.shape != equation.out.shape
                    or product.out.dtype != base.dtype
                    or base is product.out
                    or count[id(product.out)] != 1
                    or count[id(base)] != 1
                    or base.root is not None
                    or not (id(base) in makers or carried)
                    or base.role != "computed"
                ):
                    continue
                product.adds, out = base, equation.out
                become(out, product.out)
                count[id(product.out)] = count[id(out)]  # whoever reads the sum reads it there from now on
                group.remove(equation)
                if id(base) in makers and place[id(makers[id(base)])] > place[id(product)]:
                    group.remove(product)  # after what it adds to
                    group.insert(group.index(makers[id(base)]) + 1, product)
                folded += 1
                place = {id(e): k for k, e in enumerate(group)}
                break
    return f"{folded} sums are made while multiplying"


def _carried_by(equations: list[Equation], value: Value, new: Value) -> Loop | None:
    """The loop that carries `value` and whose next value of it is `new`."""
    for equation in all_equations(equations):
        if isinstance(equation, Loop):
            for carried, _, following in equation.carries:
                if carried is value and resolve(following)[0] is new:
                    return equation
    return None


def transpose(equations: list[Equation]) -> str:
    """A product that is only ever read transposed is computed so: (a @ b).T = b.T @ a.T."""
    turned = 0
    for group in every(equations):
        products = {id(e.out): e for e in group if isinstance(e, Product) and len(e.out.shape) == 2}
        read = [(e, v) for e in all_equations(equations) for v in _looked_at(e)]
        for product in list(products.values()):
            if product.out.root is not None:
                continue
            readers = [(e, v) for e, v in read if resolve(v)[0] is product.out]
            if not readers or any(resolve(v)[1] != (Place(1), Place(0)) for _, v in readers):
                continue
            product.inputs = [_turned(x) for x in product.inputs[::-1]]
            product.out.shape = product.out.shape[::-1]
            for value in {id(v): v for _, v in readers}.values():
                value.root, value.places = product.out, whole(product.out.shape)
            turned += 1
    return f"{turned} products are computed as they are read"


def _turned(value: Value) -> Value:
    return Value(f"{value.name}_T", value.shape[::-1], value.dtype, root=value, places=(Place(1), Place(0)))


def fold_updates(equations: list[Equation]) -> str:
    """parameter - rate * (a @ b) is done by the multiplication itself, in the parameter's own memory."""
    folded = 0
    count = uses(equations)
    makers = {id(e.out): e for e in equations}
    for store in [e for e in equations if isinstance(e, Store)]:
        minus = makers.get(id(resolve(store.inputs[0])[0]))
        if not isinstance(minus, Elementwise) or minus.rule != "sub" or resolve(minus.inputs[0])[0] is not store.out:
            continue
        times = makers.get(id(resolve(minus.inputs[1])[0]))
        if not isinstance(times, Elementwise) or times.rule != "mul" or count[id(times.out)] != 1:
            continue
        for rate, change in (times.inputs, times.inputs[::-1]):
            product = makers.get(id(resolve(change)[0]))
            if (
                isinstance(product, Product)
                and product.adds is None
                and product.scale is None
                and rate.shape == ()
                and change.shape == store.out.shape
                and is_whole(change)
                and len(change.shape) == 2
                and count[id(product.out)] == 1
            ):
                product.adds, product.scale, product.negative = store.out, rate, True
                equations.remove(times)
                equations.remove(minus)
                product.out.origin = minus.out.origin
                become(minus.out, product.out)
                folded += 1
                break
    return f"{folded} parameters are changed by the multiplication that finds their derivative"


# ---------------------------------------------------------------- results written where they belong


def in_place(equations: list[Equation]) -> str:
    """What is put together from pieces is never copied together: each piece is computed at its place."""
    placed = 0
    for group in every(equations):
        makers = {id(e.out): e for e in group if not isinstance(e, Loop)}
        reshaped = _reshaped(equations)
        for assembly in [e for e in group if isinstance(e, Assemble)] + [
            e for e in group if isinstance(e, Elementwise) and e.rule == "copy" and e.out.root is not None
        ]:
            target = assembly.out if isinstance(assembly, Assemble) else assembly.out.root
            ats = assembly.at if isinstance(assembly, Assemble) else [assembly.out.places or ()]
            assert target is not None
            for k in reversed(range(len(assembly.inputs))):
                piece, at = assembly.inputs[k], ats[k]
                owner, seen = resolve(piece)
                maker = makers.get(id(owner))
                if (
                    maker is None
                    or (isinstance(assembly, Assemble) and assembly.fill is not None)  # it fills what lies around
                    or isinstance(maker, Assemble | Call | Store | Reduce)
                    or (isinstance(maker, Product) and (maker.adds is not None or not _matrix_at(at, owner, seen)))
                    or owner.root is not None
                    or id(owner) in reshaped
                    or owner.size != piece.size
                    or any(p.axis is not None and (p.step, p.start) != (1, 0) for p in seen)  # read backwards
                    or owner.dtype != target.dtype
                    or owner.shape == ()
                    or _read_by_call(equations, owner)
                ):
                    continue
                back = {place.axis: axis for axis, place in enumerate(seen) if place.axis is not None}
                if any(p.axis is not None and p.axis not in back and piece.shape[p.axis] != 1 for p in at):
                    continue
                owner.root = target
                owner.places = tuple(
                    Place(None, 1, p.start) if p.axis is None or p.axis not in back
                    else Place(back[p.axis], p.step, p.start) for p in at
                )  # fmt: skip
                if isinstance(assembly, Assemble):
                    del assembly.inputs[k], assembly.at[k]
                else:
                    group.remove(assembly)
                placed += 1
    return f"{placed} results are computed where they belong"


def _reshaped(equations: list[Equation]) -> set[int]:
    """The values that something looks at under another shape, which only whole arrays allow."""
    found = set()
    for equation in all_equations(equations):
        for value in [*_looked_at(equation), *equation.outs]:
            while value.root is not None:
                if value.places is None:
                    found.add(id(value.root))
                    root = value.root
                    while root.root is not None:
                        found.add(id(root.root))
                        root = root.root
                value = value.root
    return found


def _read_by_call(equations: list[Equation], owner: Value) -> bool:
    return any(
        resolve(x)[0] is owner for e in all_equations(equations) if isinstance(e, Call | Store) for x in e.inputs
    )


def _matrix_at(at: Places, owner: Value, seen: Places) -> bool:
    """Whether a product could be written there: its rows in one piece each."""
    if len(owner.shape) != 2:
        return False
    last = at[-1]
    return last.axis is not None and last.step == 1 and seen[-1].axis == last.axis


# ---------------------------------------------------------------- weights turned round once

WORTH_IT = 64  # rows of the other matrix, from which on a turned copy pays


def straighten(equations: list[Equation], new_name: Callable[[str], str]) -> str:
    """A weight that large products read transposed is copied once, turned: a tile reads along rows."""
    turned: dict[int, Value] = {}
    for equation in list(equations):
        inside = all_equations(equation.body) if isinstance(equation, Loop) else [equation]
        for product in inside:
            if not isinstance(product, Product) or len(product.out.shape) != 2 or product.out.shape[0] < WORTH_IT:
                continue
            weight, places = resolve(product.inputs[1])
            if weight.role != "parameter" or places != (Place(1), Place(0)) or 1 in weight.shape:
                continue
            if id(weight) not in turned:
                copy = Value(new_name(f"{weight.name}_T"), weight.shape[::-1], weight.dtype)
                equations.insert(equations.index(equation), Elementwise(copy, [product.inputs[1]], "a", ("a",), "copy"))
                turned[id(weight)] = copy
            product.inputs[1] = turned[id(weight)]
    return f"{len(turned)} weights are turned once"


# ---------------------------------------------------------------- what kernels demand


def finish(equations: list[Equation], new_name: Callable[[str], str]) -> None:
    """Copies where a kernel needs an array in one piece, or of one dtype, and is given something else."""
    for group in every(equations):
        for equation in list(group):
            for k, value in enumerate(equation.inputs):
                if isinstance(equation, Call):
                    fine = value.role == "generator" or (is_whole(value) and literal(value) is None)
                elif isinstance(equation, Reduce):
                    fine = literal(value) is None and (is_whole(value) or _rows_or_columns(equation))
                elif isinstance(equation, Product):
                    fine = value.dtype == equation.out.dtype and _matrix(value) and _plain_stack(value)
                    fine = fine and resolve(value)[0].shape != ()  # a number lies in no array
                    fine = fine or _is_zeros(equation, k)
                else:
                    continue
                if not fine:
                    dtype = equation.out.dtype if isinstance(equation, Product) else value.dtype
                    copy = Value(new_name("copy"), value.shape, dtype)
                    group.insert(group.index(equation), Elementwise(copy, [value], "a", ("a",), "copy"))
                    equation.inputs[k] = copy
        for equation in list(group):
            if isinstance(equation, Loop):
                _swapped_safely(equation, new_name)
            if isinstance(equation, Reduce):
                _at_most_three_groups(equation, group, new_name)


def _is_zeros(equation: Product, k: int) -> bool:
    """Whether one factor of a plain product is all zeros: then it need not be there (`matmul_from_zeros`)."""
    first, second = equation.inputs[k], equation.inputs[1 - k]
    plain = equation.scale is None and len(equation.out.shape) == 2  # a rate may be infinite, and times 0 is nan
    return plain and literal(first) == 0 and literal(second) is None


def _plain_stack(value: Value) -> bool:
    """Whether a counter can run through the matrices of a stack."""
    lead = range(len(value.shape) - 2)
    return all(p.step == 1 and p.start == 0 for p in resolve(value)[1] if p.axis in lead)


def _swapped_safely(loop: Loop, new_name: Callable[[str], str]) -> None:
    """Where the next value of one state is another state of the loop, it is copied before that one changes."""
    carried = {id(value) for value, _, _ in loop.carries}
    for k, (value, start, new) in enumerate(loop.carries):
        if new is not value and id(storage(new)) in carried:
            copy = Value(new_name(f"{value.name}_next"), new.shape, new.dtype)
            loop.body.append(Elementwise(copy, [new], "a", ("a",), "copy"))
            loop.carries[k] = value, start, copy


def _rows_or_columns(equation: Reduce) -> bool:
    """Whether a matrix is summed along one of its axes: that works for slices as well."""
    (a,) = equation.inputs
    return equation.kind == "sum" and len(a.shape) == 2 and len(equation.axes) == 1 and 1 not in a.shape and _matrix(a)


def _matrix(value: Value) -> bool:
    """Whether a product can read `value`: each axis is one of an array's, the rows or the columns in one piece."""
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
    ndim = len(value.shape)
    return (last.axis in (ndim - 1, ndim - 2) and last.step == 1 and order == sorted(order)) or (
        order[:-2] == sorted(order[:-2]) and last.axis in (ndim - 1, ndim - 2) and last.step == 1
    )


def _at_most_three_groups(equation: Reduce, group: list[Equation], new_name: Callable[[str], str]) -> None:
    """A reduction over axes that lie far apart is done in several steps, from the last axis on."""
    while True:
        shape = equation.inputs[0].shape
        runs = [k in equation.axes for k, n in enumerate(shape) if n != 1]
        changes = sum(a != b for a, b in itertools.pairwise(runs))
        if changes <= 2:
            return
        last = max(k for k in equation.axes if shape[k] != 1)
        kept = tuple(1 if k == last else n for k, n in enumerate(shape))
        part = Value(new_name("part"), kept, equation.out.dtype)
        group.insert(group.index(equation), Reduce(part, [equation.inputs[0]], (last,), equation.kind))
        equation.inputs[0] = part


# ---------------------------------------------------------------- after the order is fixed


def one_walk(order: list[Equation]) -> str:
    """x @ W and then W += scale * x y: with a single row x, both are done in one walk over the matrix in memory."""
    joined = 0
    for first in [e for e in order if isinstance(e, Product) and e.out.shape[:1] == (1,) and len(e.out.shape) == 2]:
        x, matrix = first.inputs
        if first.adds is not None or first.scale is not None or not is_whole(matrix):
            continue
        weights = storage(matrix)
        start = order.index(first)
        for k in range(start + 1, len(order)):
            second = order[k]
            if (
                isinstance(second, Product)
                and second.adds is weights
                and second.inputs[0].shape[1] == 1
                and second.out.shape == matrix.shape
                and resolve(second.inputs[0])[0] is resolve(x)[0]
                and second.inputs[0].size == x.size == resolve(x)[0].size
                and not _made_between(order[start:k], second.inputs[1])
                and not any(isinstance(e, Guard) for e in order[start:k])  # before it no weight may change
            ):
                order[start] = Call(
                    first.out, [x, matrix], "vecmat_and_add_outer", (second.inputs[1], second.scale, second.negative)
                )
                second.out.root, second.out.places = weights, whole(weights.shape)
                del order[k]
                joined += 1
                break
            if any(storage(value) is weights for value in roots_read(second)):
                break
    return f"{joined} matrices are read and changed in one walk"


def _made_between(equations: list[Equation], value: Value) -> bool:
    return any(storage(out) is storage(value) for e in equations for out in e.outs)
