"""Products that leave a loop over time, to become one large product for all steps.

Two kinds do not depend on the loop's state. The input's projection, x[t] @ W, is the same product for every step. And
the sum over the steps of a[t].T @ b[t], which is how weights get their gradient, is one product of the a's and the b's
stacked on top of each other. One large product is faster than many small ones, whose tiles are cut short.
"""

from __future__ import annotations

import re

from minigrad.compiler.draft import ProgramIR, all_read, become, can_alias, inside, list_inputs, reshaped
from minigrad.compiler.values import (
    Elementwise,
    Equation,
    Loop,
    Place,
    Product,
    Value,
    base,
    copied,
    identity,
    is_whole,
    literal,
    resolve,
    row,
    transposed,
)
from minigrad.rules import add


def hoist(draft: ProgramIR) -> str:
    """Hoist products that do not depend on a loop's state, as one product for all steps."""
    return f"{_hoist(draft.equations, draft)} products left their loops"


def _hoist(equations: list[Equation], draft: ProgramIR) -> int:
    moved = 0
    for loop in [e for e in equations if isinstance(e, Loop)]:
        moved += _hoist(loop.body, draft)
        for product in [e for e in loop.body if isinstance(e, Product)]:
            moved += _project(equations, loop, product, draft)
        for carry in list(loop.carries):
            moved += _collect(equations, loop, carry, draft)
        list_inputs(loop)
    return moved


def _project(equations: list[Equation], loop: Loop, product: Product, draft: ProgramIR) -> int:
    """x[t] @ W for all t at once."""
    x, w = product.inputs
    stack = _stacked(x, loop)
    if stack is None or product.out.root is not None or len(w.shape) != 2 or id(base(w)) in inside(loop):
        return 0
    if any(loop.counter in re.findall(r"\w+", str(place.start)) for place in resolve(w)[1]):
        return 0  # another factor in each step
    steps, n, _ = stack.shape
    rows = Value("", (steps * n, stack.shape[2]), stack.dtype, root=stack)
    out = draft.new(f"{product.out.name}_all", (steps * n, w.shape[1]), product.out.dtype, product.out.origin)
    equations.insert(equations.index(loop), Product(out, [rows, w]))
    by_step = Value("", (steps, n, w.shape[1]), out.dtype, root=out)
    now = Value(
        "", product.out.shape, out.dtype, root=by_step, places=(Place(None, 1, loop.counter), *identity(w.shape))
    )
    if can_alias(product.out, now, identity(now.shape), reshaped([loop])):
        become(product.out, now)
        loop.body.remove(product)
    else:  # only an array of its own can be reshaped
        loop.body[loop.body.index(product)] = copied(now, product.out)
    return 1


def _collect(equations: list[Equation], loop: Loop, carry: tuple[Value, Value, Value], draft: ProgramIR) -> int:
    """The sum of a[t].T @ b[t] after the loop."""
    total, start, new = carry
    addition = next((e for e in loop.body if e.out is resolve(new)[0]), None)
    if not isinstance(addition, Elementwise) or addition.rule != "add" or len(total.shape) != 2 or not is_whole(new):
        return 0
    for term, before in (addition.inputs, addition.inputs[::-1]):
        product = next((e for e in loop.body if e.out is resolve(term)[0]), None)
        turned = resolve(term)[1] == (Place(1), Place(0))
        if (
            isinstance(product, Product)
            and product.adds is None
            and resolve(before)[0] is total
            and is_whole(before)
            and before.shape == total.shape == new.shape == term.shape
            and is_whole(transposed(term) if turned else term)
            and _readers(loop, total) == 1
            and _readers(loop, product.out) == 1
            and _readers(loop, addition.out) == 1
        ):
            break
    else:
        return 0
    left, right = product.inputs  # left is some a.T
    root, places = resolve(left)
    a = transposed(left)
    if len(left.shape) != 2 or (left.shape[1] == product.out.shape[0] == 1 and places == identity(root.shape)):
        return 0
    stacks = [_stacked(x, loop) or _stack(x, loop, draft) for x in (a, right)]
    rows = [Value("", (s.shape[0] * s.shape[1], s.shape[2]), s.dtype, root=s) for s in stacks]
    out = result = draft.new(total.name, total.shape, product.out.dtype, product.out.origin)
    after = equations.index(loop) + 1
    first, second = reversed(rows) if turned else rows  # the way round in which the sum is looked at
    equations.insert(after, Product(out, [transposed(first), second]))
    if literal(start) != 0:
        origin = total.origin or product.out.origin
        result = draft.new(f"{total.name}_total", total.shape, total.dtype, origin)
        equations.insert(after + 1, row(add, [start, out], result))
    loop.body.remove(product)
    loop.body.remove(addition)
    loop.carries.remove(carry)
    loop.results = [value for value in loop.results if value is not total]
    total.root, total.places = result, identity(result.shape)
    return 1


def _stacked(x: Value, loop: Loop) -> Value | None:
    """Return the stack whose slice at this step `x` is, if it is made outside the loop."""
    root, places = resolve(x)
    now = (Place(None, 1, loop.counter), Place(0), Place(1))
    if places != now or root.shape[1:] != x.shape or root.shape[0] != loop.steps or base(root).is_literal:
        return None
    return None if id(base(root)) in inside(loop) else root


def _stack(x: Value, loop: Loop, draft: ProgramIR) -> Value:
    """Return a stack that the loop fills with `x`, a slice each step: an existing one, or a new one."""
    for equation in loop.body:
        if isinstance(equation, Elementwise) and equation.rule == "copy" and equation.out.root in loop.results:
            (source,) = equation.inputs
            if resolve(source) == resolve(x) and source.shape == x.shape:
                assert equation.out.root is not None
                return equation.out.root
    stack = draft.new(f"{resolve(x)[0].name}_all", (loop.steps, *x.shape), x.dtype)
    now = Value("", x.shape, x.dtype, root=stack, places=(Place(None, 1, loop.counter), *identity(x.shape)))
    loop.body.append(copied(x, now))
    loop.results.append(stack)
    return stack


def _readers(loop: Loop, value: Value) -> int:
    """Count the reads of `value` in the body and among the carried values."""
    return sum(resolve(x)[0] is value or base(x) is value for x in all_read(loop))
