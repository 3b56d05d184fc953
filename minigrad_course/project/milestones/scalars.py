"""Milestones 1 to 3: numbers that remember, the way back, dual numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from minigrad.core.arrays import Array
from minigrad.core.node import Node
from minigrad_course.grading.checks import Mismatch, check_close, check_order
from minigrad_course.project import graphs
from minigrad_course.project.milestones.milestone_table import (
    FUNCTIONS,
    GRAPHS,
    OPERATORS,
    WITH_NUMBERS,
    case,
    gradients,
)

# ── 1 · Numbers that remember ──


@case(
    1,
    "values",
    "Try x = Node(3.0); y = Node(5.0); print((x * y).value) by hand. Which operator is the first to be wrong?",
)
def operator_values(m: ModuleType) -> None:
    for name, f in OPERATORS.items():
        check_close(f(m.Node(3.0), m.Node(5.0)).value, f(3.0, 5.0), f"with x = 3 and y = 5, the value of {name}")


@case(1, "plain numbers", "In 2 - x Python asks the number first, which does not know nodes, and then x.__rsub__(2).")
def number_values(m: ModuleType) -> None:
    for name, f in WITH_NUMBERS.items():
        check_close(f(m.Node(5.0)).value, f(5.0), f"with x = 5, the value of {name}")
    check_close((np.float64(2.0) * m.Node(5.0)).value, 10.0, "with x = 5, the value of np.float64(2) * x")


@case(
    1,
    "functions",
    "sin, cos, exp, log and tanh take nodes, and plain numbers as well: of those they make a plain number.",
)
def function_values(m: ModuleType) -> None:
    for name in FUNCTIONS:
        expected = float(getattr(np, name)(0.7))
        check_close(getattr(m, name)(m.Node(0.7)).value, expected, f"{name} of a node that holds 0.7, its value")
        check_close(getattr(m, name)(0.7), expected, f"{name} of the plain number 0.7")


@case(1, "memory", "A node has value, op, inputs and grad. Look at each of them for z = x * y.")
def memory(m: ModuleType) -> None:
    x, y = m.Node(3.0), m.Node(5.0)
    if x.op != "" or len(x.inputs):
        raise Mismatch(f'an input was not computed: expected op "" and no inputs, got {x.op!r} and {len(x.inputs)}')
    for name, made, op, inputs in (
        ("x * y", x * y, "*", [x, y]), ("x - y", x - y, "-", [x, y]), ("y / x", y / x, "/", [y, x]),
        ("x + x", x + x, "+", [x, x]), ("-x", -x, "neg", [x]), ("x ** 3", x**3, "**", [x]), ("sin(x)", m.sin(x), "sin", [x]),
    ):  # fmt: skip
        if made.op != op:
            raise Mismatch(f"what {name} remembers, its op: expected {op!r}, got {made.op!r}")
        if len(made.inputs) != len(inputs):
            raise Mismatch(f"what {name} remembers, how many inputs: expected {len(inputs)}, got {len(made.inputs)}")
        for k, (got, expected) in enumerate(zip(made.inputs, inputs, strict=True)):
            if got is not expected:
                raise Mismatch(f"what {name} remembers: its input {k} is not the node that it was computed from")
    check_close([node.grad for node in (x, x * y)], [0, 0], "the grad of nodes that no pass has reached")
    name = "3 - x"
    two, five = (3 - x).inputs[0], x.value
    check_close([two.value, five], [3.0, 3.0], "in 3 - x, the value of the node made for the number 3, and of x")


@case(1, "random graphs", "Type in the graph that is shown, line by line, and look at the value of each.")
def random_values(m: ModuleType) -> None:
    graphs.campaign(m, 1, GRAPHS, graphs.compare_values)


# ── 2 · Backward ──


@case(
    2,
    "order",
    "Do the diamond by hand: when may a node join the list, and how do you know that it is in there already?",
)
def orders(m: ModuleType) -> None:
    a = m.Node(1.0)
    b, c = m.sin(a), m.cos(a)
    d = b * c
    inputs = {"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}
    _in_order("order(d) with b = sin(a), c = cos(a), d = b * c", m.order(d), {"a": a, "b": b, "c": c, "d": d}, inputs)
    e = m.Node(2.0)
    s = e + e
    _in_order("order(s) with s = e + e", m.order(s), {"e": e, "s": s}, {"e": [], "s": ["e", "e"]})
    a, b = m.Node(3.0), m.Node(4.0)
    c = a * b
    d = c + a
    e = c * d
    inputs = {"a": [], "b": [], "c": ["a", "b"], "d": ["c", "a"], "e": ["c", "d"]}
    named = {"a": a, "b": b, "c": c, "d": d, "e": e}
    _in_order("order(e) with c = a * b, d = c + a, e = c * d", m.order(e), named, inputs)


def _in_order(where: str, nodes: Sequence[Node], named: dict[str, Any], inputs: dict[str, list[str]]) -> None:
    names = {id(node): name for name, node in named.items()}  # nodes need not be hashable
    got = [names.get(id(node), "another node") for node in nodes]
    try:
        check_order(got, inputs)
    except Mismatch as error:
        raise Mismatch(f"{where} is {', '.join(got)}: {str(error).replace('parent', 'input')}") from None


@case(
    2,
    "one path",
    "d d/d d is 1. Each node hands on what it has, times its own partial derivative. Do d = (a b) k by hand.",
)
def one_path(m: ModuleType) -> None:
    a, b, k = m.Node(3.0), m.Node(4.0), m.Node(5.0)
    c = a * b
    d = c * k
    m.backward(d)
    got = {"d.grad": d.grad, "k.grad": k.grad, "c.grad": c.grad, "b.grad": b.grad, "a.grad": a.grad}
    check_close(got, {"d.grad": 1, "k.grad": 12, "c.grad": 5, "b.grad": 15, "a.grad": 20}, "in d = (a b) k")


@case(2, "rules", "Differentiate the formula that is shown by hand, and compare with the line of your table.")
def rules(m: ModuleType) -> None:
    x, y = 3.0, 5.0
    expected = {
        "x + y": (1, 1), "x - y": (1, -1), "x * y": (y, x), "x / y": (1 / y, -x / y**2), "-x": (-1, 0), "x ** 3": (27, 0),
    }  # fmt: skip
    for name, f in OPERATORS.items():
        wanted = dict(zip(("x.grad", "y.grad"), expected[name], strict=True))
        check_close(gradients(m, f, x, y), wanted, f"with x = 3 and y = 5, in {name}")
    slopes = (1, 1, 1, -1, 2, 2, 0.5, -2 / 25)
    for (name, f), slope in zip(WITH_NUMBERS.items(), slopes, strict=True):
        check_close(gradients(m, f, y), {"x.grad": slope}, f"with x = 5, in {name}")
    v = math.tanh(0.7)
    by_hand = (math.cos(0.7), -math.sin(0.7), math.exp(0.7), 1 / 0.7, 1 - v * v)
    for name, slope in zip(FUNCTIONS, by_hand, strict=True):
        check_close(gradients(m, getattr(m, name), 0.7), {"x.grad": slope}, f"with x = 0.7, in {name}(x)")


@case(2, "two paths", "Two paths lead from c to e. One brings 15 and the other 12: what becomes of the two?")
def two_paths(m: ModuleType) -> None:
    a, b = m.Node(3.0), m.Node(4.0)
    c = a * b
    d = c + a
    e = c * d
    m.backward(e)
    got = {"e.grad": e.grad, "d.grad": d.grad, "c.grad": c.grad, "b.grad": b.grad, "a.grad": a.grad}
    check_close(
        got, {"e.grad": 1, "d.grad": 12, "c.grad": 27, "b.grad": 81, "a.grad": 120}, "in e = c d, d = c + a, c = a b"
    )
    check_close(gradients(m, lambda x: x + x, 3.0), {"x.grad": 2}, "in x + x")
    check_close(gradients(m, lambda x: x * x, 3.0), {"x.grad": 6}, "with x = 3, in x * x")


@case(2, "twice", "A second pass starts afresh, and only its result is added to grad. zero_grad forgets all of it.")
def twice(m: ModuleType) -> None:
    a, b, k = m.Node(3.0), m.Node(4.0), m.Node(5.0)
    c = a * b
    d = c * k
    m.backward(d)
    m.backward(d)
    got = {"d.grad": d.grad, "c.grad": c.grad, "a.grad": a.grad}
    check_close(got, {"d.grad": 2, "c.grad": 10, "a.grad": 40}, "after two passes through d = (a b) k")
    m.zero_grad(d)
    check_close(
        {"d.grad": d.grad, "c.grad": c.grad, "a.grad": a.grad},
        {"d.grad": 0, "c.grad": 0, "a.grad": 0},
        "after zero_grad",
    )
    m.backward(d)
    check_close({"c.grad": c.grad, "a.grad": a.grad}, {"c.grad": 5, "a.grad": 20}, "after zero_grad and one more pass")


@case(2, "seed", "backward(y, 10.0) starts from 10 in the place of 1: every derivative is ten times as large.")
def seeds(m: ModuleType) -> None:
    check_close(
        gradients(m, lambda x, y: x * y, 3.0, 5.0, seed=10.0),
        {"x.grad": 50, "y.grad": 30},
        "with the seed 10, in x * y",
    )


@case(
    2,
    "long chain",
    "Each of the 10,001 uses of x brings 1. Is one of them lost, or is one counted again at every step?",
)
def long_chain(m: ModuleType) -> None:
    x = m.Node(1.0)
    chain = [x]  # all nodes: a list lets go of the last one first, so that none frees 10,000 others inside each other
    for _ in range(10_000):
        chain.append(chain[-1] + x)
    with np.errstate(over="ignore"):
        m.backward(chain[-1])
    check_close(x.grad, 10_001, "x added to itself 10,000 times, x.grad", 1e-12)
    m.zero_grad(chain[-1])
    check_close(x.grad, 0, "after zero_grad, x.grad")


@case(
    2, "random graphs", "Type in the graph that is shown. The rule of which operation hands on the grad that is named?"
)
def randomgradients(m: ModuleType) -> None:
    graphs.campaign(m, 2, GRAPHS)


# ── 3 · Dual numbers ──


@case(3, "rules", "Write (x + dx ε)(y + dy ε) out, and drop ε²: what stands before ε is the tangent.")
def dual_rules(m: ModuleType) -> None:
    check_close(m.Dual(3.0).tangent, 0, "Dual(3.0), which does not move: its tangent")
    x, y = m.Dual(3.0, 0.1), m.Dual(5.0, 0.7)
    expected = {"x + y": 0.8, "x - y": -0.6, "x * y": 2.6, "x / y": (0.1 * 5 - 3 * 0.7) / 25, "-x": -0.1, "x ** 3": 2.7}
    for name, f in OPERATORS.items():
        z = f(x, y)
        got = {"value": z.value, "tangent": z.tangent}
        check_close(
            got, {"value": f(3.0, 5.0), "tangent": expected[name]}, f"{name} with x = 3 + 0.1 ε and y = 5 + 0.7 ε"
        )
    slopes = (1, 1, 1, -1, 2, 2, 0.5, -2 / 25)
    for (name, f), slope in zip(WITH_NUMBERS.items(), slopes, strict=True):
        z = f(m.Dual(5.0, 1.0))
        check_close(
            {"value": z.value, "tangent": z.tangent}, {"value": f(5.0), "tangent": slope}, f"{name} with x = 5 + ε"
        )
    v = math.tanh(0.7)
    by_hand = (math.cos(0.7), -math.sin(0.7), math.exp(0.7), 1 / 0.7, 1 - v * v)
    for name, slope in zip(FUNCTIONS, by_hand, strict=True):
        z = getattr(m, name)(m.Dual(0.7, 2.0))
        got, want = {"value": z.value, "tangent": z.tangent}, {"value": getattr(math, name)(0.7), "tangent": 2 * slope}
        check_close(got, want, f"{name}(0.7 + 2 ε)")


@case(3, "derivative", "Put x + 1 ε in, and take what stands before ε in the result, which may be a plain number.")
def derivatives(m: ModuleType) -> None:
    check_close(m.derivative(lambda x: x * m.sin(x), 2.0), math.sin(2) + 2 * math.cos(2), "derivative of x sin x at 2")
    check_close(m.derivative(lambda x: x, 4.0), 1, "derivative of x at 4")
    check_close(m.derivative(lambda x: 7.0, 4.0), 0, "derivative of 7, which does not depend on x")


@case(
    3,
    "one mode checks the other",
    "check(f, ...) asks both modes for the derivative by each input, and returns the largest difference.",
)
def checks(m: ModuleType) -> None:
    def cheat(x: Array, y: Array) -> Array:  # by x, reverse mode says 2 more than forward mode, and by y 8 more
        return x * x * y if isinstance(x, m.Dual) else x * x * y + 2 * x + 8 * y

    check_close(m.check(lambda x, y: x * m.sin(y) + y / x, 3.0, 5.0), 0, "check of x sin y + y / x, whose modes agree")
    check_close(m.check(cheat, 2.0, 3.0), 8, "check of a function whose modes differ by 2 for x and by 8 for y")
    check_close(
        m.check(lambda x: 5 * x if isinstance(x, m.Dual) else -3 * x, 2.0), 8, "check where one mode says 5 and one -3"
    )


@case(
    3,
    "random graphs",
    "Your two modes disagree on the graph that is shown. Type it in: which rule has made the number that is named?",
)
def random_duals(m: ModuleType) -> None:
    graphs.campaign(m, 3, GRAPHS)
    graphs.campaign(m, 3, GRAPHS, graphs.push)
