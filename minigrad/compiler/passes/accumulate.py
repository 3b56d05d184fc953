"""Fuse additions into products: c + a @ b, and the step of plain SGD, parameter - rate * (a @ b)."""

from __future__ import annotations

from minigrad.compiler.ir import ProgramIR, all_equations, become, groups, uses
from minigrad.compiler.schedule import dependencies, reaches
from minigrad.compiler.values import (
    Elementwise,
    Equation,
    Loop,
    Product,
    Store,
    Value,
    all_reads,
    base,
    is_whole,
    resolve,
)


def accumulate(ir: ProgramIR) -> str:
    """Add a product to its summand during the multiplication, in the same memory."""
    folded = 0
    for group in groups(ir.equations):
        count = uses(ir.equations)
        products = {id(e.out): e for e in group if isinstance(e, Product)}
        makers = {id(value): e for e in group for value in e.outs}
        for equation in list(group):
            if not isinstance(equation, Elementwise) or equation.rule != "add":
                continue
            for term, total in (equation.inputs, equation.inputs[::-1]):
                product = products.get(id(resolve(term)[0]))
                summand = resolve(total)[0]
                if (
                    product is None
                    or product.adds is not None
                    or not (is_whole(term) and is_whole(total))
                    or term.shape != equation.out.shape
                    or total.shape != equation.out.shape
                    or product.out.dtype != summand.dtype
                    or summand is product.out
                    or count[id(product.out)] != 1
                    or count[id(summand)] != 1
                    or not (id(summand) in makers or _carried(ir.equations, summand, equation.out))
                    or summand.role != "computed"
                ):
                    continue
                product.adds, out = summand, equation.out
                become(out, product.out)
                count[id(product.out)] = count[id(out)]  # the readers of the sum now read it there
                group.remove(equation)
                if id(summand) in makers and group.index(makers[id(summand)]) > group.index(product):
                    group.remove(product)  # after its summand
                    group.insert(group.index(makers[id(summand)]) + 1, product)
                folded += 1
                break
    return f"{folded} sums are made while multiplying"


def _carried(equations: list[Equation], value: Value, new: Value) -> bool:
    """Tell whether a loop carries `value`, and its next value is all of `new`, in order."""
    carries = [carry for e in all_equations(equations) if isinstance(e, Loop) for carry in e.carries]
    return any(
        carried is value and resolve(following)[0] is new and is_whole(following) for carried, _, following in carries
    )


def fold_updates(ir: ProgramIR) -> str:
    """Compute parameter - rate * (a @ b) during the multiplication, in the parameter's own memory.

    All other readers of the parameter must come before, and so may not depend on the product. In a @ b each factor's
    derivative reads the other factor: only one of the two can be changed by the product that computes its derivative.
    """
    folded, equations = 0, ir.equations
    count = uses(equations)
    makers = {id(e.out): e for e in equations}
    needs, place = dependencies(equations), {id(e): k for k, e in enumerate(equations)}
    for store in [e for e in equations if isinstance(e, Store)]:
        minus = makers.get(id(resolve(store.inputs[0])[0]))
        if not isinstance(minus, Elementwise) or minus.rule != "sub" or resolve(minus.inputs[0])[0] is not store.out:
            continue
        times = makers.get(id(resolve(minus.inputs[1])[0]))
        if not isinstance(times, Elementwise) or times.rule != "mul" or count[id(times.out)] != 1:
            continue
        if not all(map(is_whole, (*store.inputs, *minus.inputs))):  # rearranged by a view
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
                readers = {place[id(e)] for e in equations if any(base(v) is store.out for v in all_reads(e))}
                readers.remove(place[id(minus)])
                if reaches(needs, readers, place[id(product)]):
                    continue
                needs[place[id(product)]] |= readers
                product.adds, product.scale, product.negative = store.out, rate, True
                equations.remove(times)
                equations.remove(minus)
                product.out.origin = minus.out.origin
                become(minus.out, product.out)
                folded += 1
                break
    return f"{folded} parameters are changed by the multiplication that finds their derivative"
