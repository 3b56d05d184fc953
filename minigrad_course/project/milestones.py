"""The tests of each milestone: cases worked by hand first, then the campaign, which tries hundreds of random graphs.

A test is a function of the engine, `m`, which is the learner's file as a module. It raises Mismatch with a line that
depends on the mistake alone, since hints are found by it. Each is worth a point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import minigrad as mg
from minigrad_course.grading.checks import Mismatch, check_close, check_order
from minigrad_course.project import graphs

GRAPHS = 200  # random graphs that a test tries at a time
TIMES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3}  # how often each milestone does: compared with minigrad, one mode with the other
TITLES = {
    1: "Numbers that remember",
    2: "Backward",
    3: "Dual numbers, and one mode checks the other",
    4: "Arrays",
    5: "Matrix products and relu",
    6: "Softmax and cross-entropy",
    7: "A network that reads digits",
    8: "A recurrent cell, and the loop over time",
    9: "Choice: convolution",
    10: "Choice: second derivatives",
    11: "Choice: momentum and Adam",
    12: "Choice: checkpoints",
    13: "Choice: the backward pass, written out as a program",
}
CHOICES = range(9, 14)


@dataclass(frozen=True)
class Test:
    """One line of the points table. advice: for mistakes that nobody foresaw. seconds: how long it may take."""

    milestone: int
    name: str
    run: Callable[[Any], None]
    advice: str
    seconds: float

    @property
    def title(self) -> str:
        return f"{self.milestone} {self.name}"


TESTS: list[Test] = []


def case(milestone: int, name: str, advice: str, seconds: float = 30.0) -> Callable[[Callable], Callable]:
    """Put a function into the table."""

    def note(function: Callable[[Any], None]) -> Callable[[Any], None]:
        TESTS.append(Test(milestone, name, function, advice, seconds))
        return function

    return note


def _gradients(m: Any, f: Callable[..., Any], *values: Any, seed: Any = 1.0) -> dict[str, Any]:
    """By name, x.grad and y.grad of f at some values."""
    nodes = [m.Node(value) for value in values]
    m.backward(f(*nodes), seed)
    return {f"{name}.grad": node.grad for name, node in zip("xyz", nodes, strict=False)}


OPERATORS: dict[str, Callable[..., Any]] = {
    "x + y": lambda x, y: x + y, "x - y": lambda x, y: x - y, "x * y": lambda x, y: x * y,
    "x / y": lambda x, y: x / y, "-x": lambda x, y: -x, "x ** 3": lambda x, y: x**3,
}  # fmt: skip
WITH_NUMBERS: dict[str, Callable[..., Any]] = {
    "x + 2": lambda x: x + 2, "2 + x": lambda x: 2 + x, "x - 2": lambda x: x - 2, "2 - x": lambda x: 2 - x,
    "x * 2": lambda x: x * 2, "2 * x": lambda x: 2 * x, "x / 2": lambda x: x / 2, "2 / x": lambda x: 2 / x,
}  # fmt: skip
FUNCTIONS = ("sin", "cos", "exp", "log", "tanh")


# ── 1 · Numbers that remember ──


@case(
    1,
    "values",
    "Try x = Node(3.0); y = Node(5.0); print((x * y).value) by hand. Which operator is the first to be wrong?",
)
def operator_values(m: Any) -> None:
    for name, f in OPERATORS.items():
        check_close(f(m.Node(3.0), m.Node(5.0)).value, f(3.0, 5.0), f"with x = 3 and y = 5, the value of {name}")


@case(1, "plain numbers", "In 2 - x Python asks the number first, which does not know nodes, and then x.__rsub__(2).")
def number_values(m: Any) -> None:
    for name, f in WITH_NUMBERS.items():
        check_close(f(m.Node(5.0)).value, f(5.0), f"with x = 5, the value of {name}")
    check_close((np.float64(2.0) * m.Node(5.0)).value, 10.0, "with x = 5, the value of np.float64(2) * x")


@case(
    1,
    "functions",
    "sin, cos, exp, log and tanh take nodes, and plain numbers as well: of those they make a plain number.",
)
def function_values(m: Any) -> None:
    for name in FUNCTIONS:
        expected = float(getattr(np, name)(0.7))
        check_close(getattr(m, name)(m.Node(0.7)).value, expected, f"{name} of a node that holds 0.7, its value")
        check_close(getattr(m, name)(0.7), expected, f"{name} of the plain number 0.7")


@case(1, "memory", "A node has value, op, inputs and grad. Look at each of them for z = x * y.")
def memory(m: Any) -> None:
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
            raise Mismatch(f"what {name} remembers: expected {len(inputs)} inputs, got {len(made.inputs)}")
        for k, (got, expected) in enumerate(zip(made.inputs, inputs, strict=True)):
            if got is not expected:
                raise Mismatch(f"what {name} remembers: its input {k} is not the node that it was computed from")
    check_close([node.grad for node in (x, x * y)], [0, 0], "the grad of nodes that no pass has reached")
    two, five = (3 - x).inputs[0], x.value
    check_close([two.value, five], [3.0, 3.0], "in 3 - x, the value of the node made for the number 3, and of x")


@case(1, "random graphs", "Type in the graph that is shown, line by line, and look at the value of each.")
def random_values(m: Any) -> None:
    graphs.campaign(m, 1, GRAPHS, graphs.compare_values)


# ── 2 · Backward ──


@case(
    2,
    "order",
    "Do the diamond by hand: when may a node join the list, and how do you know that it is in there already?",
)
def orders(m: Any) -> None:
    a = m.Node(1.0)
    b, c = m.sin(a), m.cos(a)
    d = b * c
    names = {a: "a", b: "b", c: "c", d: "d"}
    parents = {"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}
    check_order([names.get(node, "another node") for node in m.order(d)], parents)
    e = m.Node(2.0)
    s = e + e
    check_order([{e: "e", s: "s"}.get(node, "another node") for node in m.order(s)], {"e": [], "s": ["e", "e"]})


@case(
    2,
    "one path",
    "d d/d d is 1. Each node hands on what it has, times its own partial derivative. Do d = (a b) k by hand.",
)
def one_path(m: Any) -> None:
    a, b, k = m.Node(3.0), m.Node(4.0), m.Node(5.0)
    c = a * b
    d = c * k
    m.backward(d)
    got = {"d.grad": d.grad, "k.grad": k.grad, "c.grad": c.grad, "b.grad": b.grad, "a.grad": a.grad}
    check_close(got, {"d.grad": 1, "k.grad": 12, "c.grad": 5, "b.grad": 15, "a.grad": 20}, "in d = (a b) k")


@case(2, "rules", "Differentiate the formula that is shown by hand, and compare with the line of your table.")
def rules(m: Any) -> None:
    x, y = 3.0, 5.0
    expected = {
        "x + y": (1, 1), "x - y": (1, -1), "x * y": (y, x), "x / y": (1 / y, -x / y**2), "-x": (-1, 0), "x ** 3": (27, 0),
    }  # fmt: skip
    for name, f in OPERATORS.items():
        wanted = dict(zip(("x.grad", "y.grad"), expected[name], strict=True))
        check_close(_gradients(m, f, x, y), wanted, f"with x = 3 and y = 5, in {name}")
    slopes = (1, 1, 1, -1, 2, 2, 0.5, -2 / 25)
    for (name, f), slope in zip(WITH_NUMBERS.items(), slopes, strict=True):
        check_close(_gradients(m, f, y), {"x.grad": slope}, f"with x = 5, in {name}")
    v = math.tanh(0.7)
    by_hand = (math.cos(0.7), -math.sin(0.7), math.exp(0.7), 1 / 0.7, 1 - v * v)
    for name, slope in zip(FUNCTIONS, by_hand, strict=True):
        check_close(_gradients(m, getattr(m, name), 0.7), {"x.grad": slope}, f"with x = 0.7, in {name}(x)")


@case(2, "two paths", "Two paths lead from c to e. One brings 15 and the other 12: what becomes of the two?")
def two_paths(m: Any) -> None:
    a, b = m.Node(3.0), m.Node(4.0)
    c = a * b
    d = c + a
    e = c * d
    m.backward(e)
    got = {"e.grad": e.grad, "d.grad": d.grad, "c.grad": c.grad, "b.grad": b.grad, "a.grad": a.grad}
    check_close(
        got, {"e.grad": 1, "d.grad": 12, "c.grad": 27, "b.grad": 81, "a.grad": 120}, "in e = c d, d = c + a, c = a b"
    )
    check_close(_gradients(m, lambda x: x + x, 3.0), {"x.grad": 2}, "in x + x")
    check_close(_gradients(m, lambda x: x * x, 3.0), {"x.grad": 6}, "with x = 3, in x * x")


@case(2, "twice", "A second pass starts afresh, and only its result is added to grad. zero_grad forgets all of it.")
def twice(m: Any) -> None:
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
def seeds(m: Any) -> None:
    check_close(
        _gradients(m, lambda x, y: x * y, 3.0, 5.0, seed=10.0),
        {"x.grad": 50, "y.grad": 30},
        "with the seed 10, in x * y",
    )


@case(
    2, "long chain", "Python stops after about 1,000 calls inside each other: keep a list of what is still to be done."
)
def long_chain(m: Any) -> None:
    x = m.Node(1.0)
    y = x
    for _ in range(10_000):
        y = y + x
    m.backward(y)
    check_close(x.grad, 10_001, "x added to itself 10,000 times, x.grad", 1e-12)
    m.zero_grad(y)
    check_close(x.grad, 0, "after zero_grad, x.grad")


@case(
    2, "random graphs", "Type in the graph that is shown. Which node's grad is wrong, and which operation hands it on?"
)
def random_gradients(m: Any) -> None:
    graphs.campaign(m, 2, GRAPHS)


# ── 3 · Dual numbers ──


@case(3, "rules", "Write (x + dx ε)(y + dy ε) out, and drop ε²: what stands before ε is the tangent.")
def dual_rules(m: Any) -> None:
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
    check_close(m.Dual(3.0).tangent, 0, "Dual(3.0).tangent")


@case(3, "derivative", "Put x + 1 ε in, and take what stands before ε in the result, which may be a plain number.")
def derivatives(m: Any) -> None:
    check_close(m.derivative(lambda x: x * m.sin(x), 2.0), math.sin(2) + 2 * math.cos(2), "derivative of x sin x at 2")
    check_close(m.derivative(lambda x: x, 4.0), 1, "derivative of x at 4")
    check_close(m.derivative(lambda x: 7.0, 4.0), 0, "derivative of 7, which does not depend on x")


@case(
    3,
    "one mode checks the other",
    "check(f, ...) asks both modes for the derivative by each input, and returns the largest difference.",
)
def checks(m: Any) -> None:
    def cheat(x: Any, y: Any) -> Any:  # by y, forward mode says x² and reverse mode x² + 8
        return x * x * y if isinstance(x, m.Dual) else x * x * y + 8 * y

    check_close(m.check(lambda x, y: x * m.sin(y) + y / x, 3.0, 5.0), 0, "check of x sin y + y / x, whose modes agree")
    check_close(m.check(cheat, 2.0, 3.0), 8, "check of a function whose modes differ by 0 for x and by 8 for y")
    check_close(
        m.check(lambda x: 5 * x if isinstance(x, m.Dual) else -3 * x, 2.0), 8, "check where one mode says 5 and one -3"
    )


@case(3, "random graphs", "The two modes of your engine disagree on the graph that is shown: which of them is right?")
def random_duals(m: Any) -> None:
    graphs.campaign(m, 3, GRAPHS)
    graphs.campaign(m, 3, GRAPHS, graphs.push)


# ── 4 · Arrays ──

MATRIX, ROW, COLUMN = (
    np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
    np.array([10.0, 20.0, 30.0]),
    np.array([[7.0], [8.0]]),
)


@case(4, "same shapes", "Work out one entry by hand. Every node has a grad of the shape of its value.")
def arrays(m: Any) -> None:
    g = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    got = _gradients(m, lambda x, y: x * y, MATRIX, 2 * MATRIX + 1, seed=g)
    check_close(
        got, {"x.grad": g * (2 * MATRIX + 1), "y.grad": g * MATRIX}, "x * y, both (2, 3), with a seed that is an array"
    )
    check_close(_gradients(m, m.sin, ROW, seed=np.ones(3)), {"x.grad": np.cos(ROW)}, "sin(x) of three numbers")
    x = m.Node(ROW)
    y = x * x
    m.backward(y)
    got = {"x.grad": x.grad, "y.grad": y.grad}
    check_close(got, {"x.grad": 2 * ROW, "y.grad": np.ones(3)}, "y = x * x of three numbers, without a seed")
    check_close(
        _gradients(m, lambda x: (x + x) * x, ROW, seed=np.ones(3)), {"x.grad": 4 * ROW}, "(x + x) * x of three numbers"
    )


@case(4, "broadcasting", "A value that was copied along an axis gets the sum of what its copies got.")
def broadcasting(m: Any) -> None:
    g = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    add, mul = (lambda x, y: x + y), (lambda x, y: x * y)
    check_close(_gradients(m, add, MATRIX, ROW, seed=g), {"x.grad": g, "y.grad": [5, 7, 9]}, "x (2, 3) + y (3,)")
    check_close(
        _gradients(m, mul, MATRIX, COLUMN, seed=g)["y.grad"],
        (g * MATRIX).sum(1, keepdims=True),
        "x (2, 3) * y (2, 1), y.grad",
    )
    check_close(_gradients(m, mul, 3.0, MATRIX, seed=g), {"x.grad": 91.0, "y.grad": 3 * g}, "x (one number) * y (2, 3)")
    check_close(
        _gradients(m, mul, COLUMN, ROW, seed=g)["x.grad"], (g * ROW).sum(1, keepdims=True), "x (2, 1) * y (3,), x.grad"
    )
    check_close(_gradients(m, add, ROW[:1], MATRIX, seed=g)["x.grad"], [21.0], "x (1,) + y (2, 3), x.grad")
    cube = np.arange(12.0).reshape(2, 2, 3)
    check_close(_gradients(m, add, cube, ROW, seed=cube)["y.grad"], [18, 22, 26], "x (2, 2, 3) + y (3,), y.grad")
    value = (MATRIX - m.Node(ROW)).value
    check_close(value, MATRIX - ROW, "an array minus a node: its value")


@case(4, "unbroadcast", "First add up the axes in front that the shape does not have, then those where it has 1.")
def unbroadcasting(m: Any) -> None:
    ones = np.ones((4, 2, 3))
    for shape in ((2, 3), (3,), (2, 1), (1, 3), (1, 1), (), (4, 2, 3), (4, 1, 3)):
        expected = np.full(shape, 24 / max(1, math.prod(shape)))
        check_close(m.unbroadcast(ones, shape), expected, f"unbroadcast(ones of (4, 2, 3), {shape})")


@case(4, "sums and shapes", "Every entry has a share of 1 in its sum. A reshape is undone by another one.")
def sums(m: Any) -> None:
    x = m.Node(MATRIX)
    for axis, expected in ((None, 21), (0, [5, 7, 9]), (1, [6, 15]), (-1, [6, 15])):
        check_close(m.sum(x, axis).value, expected, f"sum of a (2, 3) along axis {axis}")
    got = _gradients(m, lambda x: m.sum(x) ** 2, MATRIX)
    check_close(got, {"x.grad": np.full((2, 3), 42.0)}, "sum(x) ** 2 with x of shape (2, 3)")
    got = _gradients(m, lambda x: m.sum(x, axis=0), MATRIX, seed=ROW)
    check_close(got, {"x.grad": np.tile(ROW, (2, 1))}, "sum(x, axis=0) with x of shape (2, 3)")
    got = _gradients(m, lambda x: m.sum(x, axis=1), MATRIX, seed=np.array([10.0, 20.0]))
    check_close(got, {"x.grad": [[10, 10, 10], [20, 20, 20]]}, "sum(x, axis=1) with x of shape (2, 3)")
    got = _gradients(m, lambda x: m.sum(x, axis=1), np.eye(2), seed=np.array([10.0, 20.0]))
    check_close(got, {"x.grad": [[10, 10], [20, 20]]}, "sum(x, axis=1) with x of shape (2, 2)")
    got = _gradients(m, lambda x: m.reshape(x, (3, 2)), MATRIX, seed=MATRIX.reshape(3, 2))
    check_close(got, {"x.grad": MATRIX}, "reshape(x, (3, 2)) with x of shape (2, 3)")
    z = m.sum(m.Dual(MATRIX, 2 * MATRIX), axis=0)
    check_close(z.tangent, [10, 14, 18], "sum of dual numbers along axis 0, the tangent")
    z = m.sum(m.Dual(MATRIX), axis=0)
    check_close(z.tangent, [0, 0, 0], "sum of Dual(an array), which does not move, along axis 0, the tangent")
    got = _gradients(m, lambda x: m.sum(x, axis=-1), MATRIX, seed=np.array([10.0, 20.0]))
    check_close(got, {"x.grad": [[10, 10, 10], [20, 20, 20]]}, "sum(x, axis=-1) with x of shape (2, 3)")


@case(
    4,
    "nothing is overwritten",
    "Arrays are shared: a += b changes a for everybody who has it, a = a + b makes a new one.",
)
def nothing_overwritten(m: Any) -> None:
    values, seed = MATRIX.copy(), np.ones((2, 3))
    x = m.Node(values)
    y = x + x
    m.backward(y * x, seed)
    before = x.grad
    kept = np.array(before)
    m.backward(y * x, seed)
    check_close(values, MATRIX, "the array that a node was made from, after two passes")
    check_close(seed, np.ones((2, 3)), "the seed, after two passes")
    check_close(x.grad, 8 * MATRIX, "x.grad after two passes through (x + x) * x")
    expected = {"x.grad": 1 + 2 * ROW, "y.grad": 1 + ROW}
    check_close(_gradients(m, lambda x, y: (x + y) + x * y, ROW, 2 * ROW), expected, "in (x + y) + x * y")
    check_close(_gradients(m, lambda x, y: x * y + (x + y), ROW, 2 * ROW), expected, "in x * y + (x + y)")
    check_close(before, kept, "the array that x.grad was after the first pass, looked at after the second")


@case(4, "random graphs", "Type in the graph that is shown, and compare the shapes first.")
def random_arrays(m: Any) -> None:
    graphs.campaign(m, 4, GRAPHS)
    graphs.campaign(m, 4, GRAPHS, graphs.push)


# ── 5 · Matrix products and relu ──


@case(5, "matrix products", "The shapes leave one way to put them together: x̄ is like x, made of ḡ and y.")
def products(m: Any) -> None:
    y, g = np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(2, 4) + 1
    check_close((m.Node(MATRIX) @ m.Node(y)).value, MATRIX @ y, "x (2, 3) @ y (3, 4), the value")
    check_close((MATRIX @ m.Node(y)).value, MATRIX @ y, "an array @ a node, the value")
    got = _gradients(m, lambda x, y: x @ y, MATRIX, y, seed=g)
    check_close(got, {"x.grad": g @ y.T, "y.grad": MATRIX.T @ g}, "x (2, 3) @ y (3, 4)")
    a, b, h = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 9.0]]), np.array([[1.0, 0.0], [2.0, 1.0]])
    check_close(
        _gradients(m, lambda x, y: x @ y, a, b, seed=h), {"x.grad": h @ b.T, "y.grad": a.T @ h}, "x @ y, both (2, 2)"
    )
    check_close(
        _gradients(m, lambda x: x @ x, a, seed=h), {"x.grad": h @ a.T + a.T @ h}, "x @ x with x of shape (2, 2)"
    )
    z = m.Dual(a, h) @ m.Dual(b, 2 * h)
    check_close(z.tangent, h @ b + a @ (2 * h), "x @ y of dual numbers, the tangent")
    check_close((m.Dual(a, h) @ b).tangent, h @ b, "a dual number @ an array, the tangent")
    got = _gradients(m, m.transpose, MATRIX, seed=y[:, :2])
    check_close(got, {"x.grad": y[:, :2].T}, "transpose(x) with x of shape (2, 3)")


@case(5, "relu and tanh", "relu is flat below 0 and has slope 1 above. At 0 itself we agree on slope 0.")
def relus(m: Any) -> None:
    x, g = np.array([-2.0, -0.5, 0.5, 3.0]), np.array([1.0, 2.0, 3.0, 4.0])
    check_close(m.relu(m.Node(x)).value, [0, 0, 0.5, 3], "relu of -2, -0.5, 0.5, 3, the value")
    check_close(_gradients(m, m.relu, x, seed=g), {"x.grad": [0, 0, 3, 4]}, "relu of -2, -0.5, 0.5, 3")
    check_close(_gradients(m, m.tanh, x, seed=g), {"x.grad": g * (1 - np.tanh(x) ** 2)}, "tanh of -2, -0.5, 0.5, 3")
    z = m.relu(m.Dual(x, g))
    check_close(
        {"value": z.value, "tangent": z.tangent},
        {"value": [0, 0, 0.5, 3], "tangent": [0, 0, 3, 4]},
        "relu of dual numbers",
    )


@case(5, "ties and nan", "At 0 the slope of relu is 0 here. And what is not a number must not turn into one.")
def ties(m: Any) -> None:
    check_close(_gradients(m, m.relu, np.zeros(3), seed=np.ones(3)), {"x.grad": [0, 0, 0]}, "relu of three zeros")
    nan = m.relu(m.Node(np.array([np.nan, 1.0]))).value
    if not np.isnan(nan[0]):
        raise Mismatch(f"relu of nan: expected nan, so that a mistake stays visible, got {float(nan[0]):g}")
    check_close(nan[1], 1, "relu of (nan, 1), entry 1")


@case(
    5, "random graphs", "Type in the graph that is shown. <u, J d> is forward mode's number, <Jᵀ u, d> reverse mode's."
)
def random_products(m: Any) -> None:
    graphs.campaign(m, 5, 2 * GRAPHS)
    graphs.campaign(m, 5, GRAPHS, graphs.push)


# ── 6 · Softmax and cross-entropy ──

LOGITS, LABELS = np.array([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]]), np.array([1, 0])


def _softmax(logits: np.ndarray) -> np.ndarray:
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@case(
    6,
    "value",
    "For one row: minus the logarithm of the share that softmax gives to the label. Then the mean over the rows.",
)
def entropy(m: Any) -> None:
    each = -np.log(_softmax(LOGITS)[[0, 1], LABELS])
    check_close(m.cross_entropy(m.Node(LOGITS[:1]), LABELS[:1]).value, each[0], "cross_entropy of one row")
    check_close(m.cross_entropy(m.Node(LOGITS), LABELS).value, each.mean(), "cross_entropy of two rows")


@case(6, "gradient", "The adjoint of the logits is (softmax - 1 at the label) / rows. Is yours?")
def entropy_gradient(m: Any) -> None:
    expected = (_softmax(LOGITS) - np.eye(3)[LABELS]) / 2
    check_close(
        _gradients(m, lambda x: m.cross_entropy(x, LABELS), LOGITS), {"x.grad": expected}, "cross_entropy of two rows"
    )
    got = _gradients(m, lambda x: m.cross_entropy(x, LABELS), LOGITS, seed=4.0)
    check_close(got, {"x.grad": 4 * expected}, "cross_entropy of two rows, with the seed 4")
    z = m.cross_entropy(m.Dual(LOGITS, np.ones((2, 3)) * [[1.0, 0.0, 2.0]]), LABELS)
    check_close(z.tangent, np.sum(expected * [[1.0, 0.0, 2.0]]), "cross_entropy of dual numbers, the tangent")


@case(
    6,
    "large logits",
    "exp(1000) is infinite. Softmax does not change when every logit of a row gets smaller by the same number.",
)
def large_logits(m: Any) -> None:
    with np.errstate(all="ignore"):
        logits = np.array([[1e4, -1e4, 0.0]])
        check_close(
            m.cross_entropy(m.Node(logits), np.array([1])).value,
            20000,
            "cross_entropy of (10000, -10000, 0) with label 1",
        )
        got = _gradients(m, lambda x: m.cross_entropy(x, np.array([1])), logits)
        check_close(got, {"x.grad": [[1, -1, 0]]}, "cross_entropy of (10000, -10000, 0) with label 1")
        rows = np.array([[1e4, 0.0], [-1e4, -1e4]])
        expected = (1e4 + math.log(2)) / 2
        check_close(
            m.cross_entropy(m.Node(rows), np.array([1, 0])).value,
            expected,
            "cross_entropy of (10000, 0) and (-10000, -10000)",
        )


@case(6, "against minigrad", "Ten random batches: which is the first row that differs?")
def entropy_random(m: Any) -> None:
    rng = np.random.default_rng(6)
    for _ in range(10):
        rows, classes = (int(n) for n in rng.integers(1, 6, 2))
        logits, labels = 3 * rng.normal(size=(rows, classes)), rng.integers(0, classes, rows)
        x = mg.Variable(logits)
        loss = mg.nn.cross_entropy(x, labels)
        loss.backward()
        where = f"cross_entropy of logits {logits.shape}"
        check_close(m.cross_entropy(m.Node(logits), labels).value, loss.value, where, 1e-8)
        check_close(
            _gradients(m, lambda x, labels=labels: m.cross_entropy(x, labels), logits), {"x.grad": x.grad}, where, 1e-8
        )


# ── 7 · A network that reads digits ──


@case(
    7, "Linear", "x @ weight + bias, with weight (inputs, outputs) and bias (outputs,), both nodes, both in parameters."
)
def linear(m: Any) -> None:
    layer = m.Linear(3, 4, np.random.default_rng(0))
    check_close(list(np.shape(layer.weight.value)), [3, 4], "Linear(3, 4), the shape of weight")
    check_close(layer.bias.value, np.zeros(4), "Linear(3, 4), bias")
    if [id(p) for p in layer.parameters] != [id(layer.weight), id(layer.bias)]:
        raise Mismatch("Linear(3, 4).parameters: expected [weight, bias], the nodes themselves")
    layer.weight.value, layer.bias.value = np.arange(12.0).reshape(3, 4), ROW[0] * np.ones(4) + np.arange(4)
    check_close(layer(MATRIX).value, MATRIX @ layer.weight.value + layer.bias.value, "Linear(3, 4) of an array (2, 3)")
    m.backward(m.sum(layer(m.Node(MATRIX))))
    check_close(layer.bias.grad, np.full(4, 2.0), "sum of Linear(3, 4) of (2, 3), bias.grad")


@case(
    7, "first weights", "Uniform between -b and b, with b = sqrt(6 / (inputs + outputs)), from the rng that is given."
)
def first_weights(m: Any) -> None:
    layers = [m.Linear(300, 100, np.random.default_rng(seed)) for seed in (1, 2, 1)]
    weights = [layer.weight.value for layer in layers]
    bound = math.sqrt(6 / 400)
    if np.abs(weights[0]).max() > bound + 1e-12:
        raise Mismatch(
            f"Linear(300, 100), the largest weight: expected at most {bound:.4f}, got {np.abs(weights[0]).max():.4f}"
        )
    check_close(
        weights[0].std() * math.sqrt(3) / bound, 1, "Linear(300, 100), the spread of its weights beside Glorot's", 0.02
    )
    check_close(weights[0].mean() / bound, 0, "Linear(300, 100), the mean of its weights by the bound", 0.02)
    if np.array_equal(weights[0], weights[1]) or not np.array_equal(weights[0], weights[2]):
        raise Mismatch(
            "first weights come from the rng that is given: another rng, other weights; the same, the same ones"
        )


@case(7, "SGD", "Each parameter moves by -rate * grad, and its grad is then 0.")
def descent(m: Any) -> None:
    p, q = m.Node(np.array([1.0, 2.0])), m.Node(5.0)
    optimizer = m.SGD([p, q], 0.1)
    p.grad, q.grad = np.array([10.0, -20.0]), 3.0
    optimizer.step()
    check_close({"p": p.value, "q": q.value}, {"p": [0.0, 4.0], "q": 4.7}, "after a step of SGD with rate 0.1")
    check_close({"p.grad": np.sum(np.abs(p.grad)), "q.grad": q.grad}, {"p.grad": 0, "q.grad": 0}, "after a step of SGD")


@case(
    7,
    "fit",
    "Each epoch takes every row once, in an order of its own from rng: rng.permutation(len(x)). Return the loss of each step.",
)
def fits(m: Any) -> None:
    x, y = np.eye(7), np.arange(7) % 3
    seen: list[np.ndarray] = []
    layer = m.Linear(7, 3, np.random.default_rng(0))

    def network(rows: Any) -> Any:
        seen.append(np.argmax(getattr(rows, "value", rows), axis=1))
        return layer(rows)

    weight, bias = layer.weight.value.copy(), layer.bias.value.copy()
    losses = m.fit(network, m.SGD(layer.parameters, 0.5), x, y, epochs=2, batch=3, rng=np.random.default_rng(1))
    check_close(
        [len(rows) for rows in seen], [3, 3, 1, 3, 3, 1], "fit of 7 rows, 2 epochs in batches of 3: rows in each batch"
    )
    for epoch in (0, 1):
        rows = np.concatenate(seen[3 * epoch : 3 * epoch + 3])
        check_close(sorted(rows.tolist()), list(range(7)), f"fit, epoch {epoch}: the rows that were seen, sorted")
    if np.array_equal(np.concatenate(seen[:3]), np.concatenate(seen[3:])):
        raise Mismatch("fit: both epochs went through the rows in the same order")
    if not isinstance(losses, list) or len(losses) != 6:
        raise Mismatch(f"fit, 6 steps: expected a list of 6 losses, got {type(losses).__name__} {np.shape(losses)}")
    for rows, loss in zip(seen, losses, strict=True):  # the same steps, by hand
        p = _softmax(x[rows] @ weight + bias)
        check_close(
            float(loss),
            -np.log(p[range(len(rows)), y[rows]]).mean(),
            "fit, the loss of a step beside the same by hand",
            1e-8,
        )
        g = (p - np.eye(3)[y[rows]]) / len(rows)
        weight, bias = weight - 0.5 * x[rows].T @ g, bias - 0.5 * g.sum(0)
    check_close(layer.weight.value, weight, "fit, the weights after 6 steps beside the same by hand", 1e-8)


@case(
    7, "digits to 90 %", "Everything above passes, and yet it does not learn? Look at the losses: do they fall?", 180.0
)
def digits(m: Any) -> None:
    percent, _ = train_digits(m)
    _demand_percent(percent, 90.0, "two layers of yours, 5 epochs of the embedded digits")


# ── 8 · A recurrent cell ──


@case(
    8,
    "Recurrent",
    "h = tanh(x @ w_x + h @ w_h + b), once for each entry of the list, from zeros on. Return the last h.",
)
def recurrent(m: Any) -> None:
    cell = m.Recurrent(2, 3, np.random.default_rng(0))
    shapes = [list(np.shape(p.value)) for p in cell.parameters]
    if shapes != [[2, 3], [3, 3], [3]]:
        raise Mismatch(f"Recurrent(2, 3).parameters: expected w_x (2, 3), w_h (3, 3), b (3,), got {shapes}")
    rng = np.random.default_rng(8)
    w_x, w_h, b = (rng.normal(size=np.shape(p.value)) for p in cell.parameters)
    for p, value in zip(cell.parameters, (w_x, w_h, b), strict=True):
        p.value = value
    xs = [rng.normal(size=(4, 2)) for _ in range(3)]
    h = np.zeros((4, 3))
    for t, x in enumerate(xs, 1):
        h = np.tanh(x @ w_x + h @ w_h + b)
        check_close(cell(xs[:t]).value, h, f"Recurrent(2, 3), the state after {t} inputs")


@case(8, "through time", "The same weights are used at every time: their gradients add up over all of them.")
def through_time(m: Any) -> None:
    rng = np.random.default_rng(9)
    cell = m.Recurrent(2, 3, rng)
    xs, g = [rng.normal(size=(4, 2)) for _ in range(5)], rng.normal(size=(4, 3))
    m.backward(cell(xs), g)
    variables = [mg.Variable(p.value) for p in cell.parameters]
    h: Any = np.zeros((4, 3))
    for x in xs:
        h = mg.tanh(x @ variables[0] + h @ variables[1] + variables[2])
    h.backward(g)
    expected = {f"{name}.grad": v.grad for name, v in zip(("w_x", "w_h", "b"), variables, strict=True)}
    got = {name: p.grad for name, p in zip(expected, cell.parameters, strict=True)}
    check_close(got, expected, "Recurrent(2, 3) over 5 times", 1e-8)


@case(
    8,
    "digits in strips to 90 %",
    "Paper B's network: 4 strips of 196 pixels, 64 states, 10 logits. Do the losses fall?",
    180.0,
)
def strips(m: Any) -> None:
    percent, _ = train_strips(m)
    _demand_percent(percent, 90.0, "paper B's network from your parts, on the embedded digits in strips")


# ── Choices ──


@case(
    9,
    "values",
    "Entry (r, c) of the output is the sum of kernel times the window whose corner is at (r, c); the kernel is not turned.",
)
def conv_values(m: Any) -> None:
    x, kernel = np.arange(12.0).reshape(1, 1, 3, 4), np.array([[[[1.0, 2.0], [3.0, 5.0]]]])
    expected = [[[[39, 50, 61], [83, 94, 105]]]]
    check_close(
        m.conv2d(m.Node(x), m.Node(kernel)).value,
        expected,
        "conv2d of 0 to 11 as (3, 4) with the kernel ((1, 2), (3, 5))",
    )


@case(
    9,
    "against minigrad",
    "To the kernel goes each window times its adjoint; to x the kernel, turned round, over the adjoint.",
)
def conv_gradients(m: Any) -> None:
    rng = np.random.default_rng(3)
    x, kernel = rng.normal(size=(2, 3, 6, 5)), rng.normal(size=(4, 3, 3, 2))
    vx, vk = mg.Variable(x), mg.Variable(kernel)
    y = mg.conv2d(vx, vk)
    seed = rng.normal(size=y.shape)
    y.backward(seed)
    nx, nk = m.Node(x), m.Node(kernel)
    out = m.conv2d(nx, nk)
    check_close(out.value, y.value, "conv2d of x (2, 3, 6, 5) with a kernel (4, 3, 3, 2)", 1e-8)
    m.backward(out, seed)
    got, expected = {"kernel.grad": nk.grad, "x.grad": nx.grad}, {"kernel.grad": vk.grad, "x.grad": vx.grad}
    check_close(got, expected, "conv2d of x (2, 3, 6, 5) with a kernel (4, 3, 3, 2)", 1e-8)


@case(10, "of one number", "adjoints gives nodes. So does each rule, if what it gets are nodes.")
def second(m: Any) -> None:
    x = m.Node(2.0)
    (first,) = m.adjoints(x**3, [x])
    check_close(first.value, 12, "d x³ / dx at 2")
    (again,) = m.adjoints(first, [x])
    check_close(again.value, 12, "d² x³ / dx² at 2")
    (third,) = m.adjoints(again, [x])
    check_close(third.value, 6, "d³ x³ / dx³ at 2")
    for name in FUNCTIONS:
        x = m.Node(0.7)
        (first,) = m.adjoints(getattr(m, name)(x), [x])
        (again,) = m.adjoints(first, [x])
        expected = mg.grad(mg.grad(getattr(mg, name)))(0.7)
        check_close(again.value, expected, f"the second derivative of {name} at 0.7", 1e-8)
    x, y = m.Node(3.0), m.Node(5.0)
    dx, dy = m.adjoints(x * x * y, [x, y])
    mixed = {"∂²/∂x∂y": m.adjoints(dx, [y])[0].value, "∂²/∂y∂x": m.adjoints(dy, [x])[0].value}
    check_close(mixed, {"∂²/∂x∂y": 6, "∂²/∂y∂x": 6}, "in x² y at (3, 5)")
    check_close(m.adjoints(dx, [x])[0].value, 10, "in x² y at (3, 5), ∂²/∂x²")
    check_close(m.adjoints(x * x, [y])[0].value, 0, "the derivative of x² by y, which it does not depend on")


@case(10, "of a network", "A Hessian times a vector: the gradient of the gradient's product with that vector.")
def second_arrays(m: Any) -> None:
    rng = np.random.default_rng(4)
    x, w, d = rng.normal(size=(5, 3)), rng.normal(size=(3, 2)), rng.normal(size=(3, 2))

    def loss(language: Any, w: Any) -> Any:
        return language.sum(language.tanh(x @ w) ** 2)

    node = m.Node(w)
    (g,) = m.adjoints(loss(m, node), [node])
    (h,) = m.adjoints(m.sum(g * d), [node])
    check_close(h.value, mg.hvp(lambda w: loss(mg, w), w, d), "the Hessian of sum(tanh(x @ w)²), times a vector", 1e-7)


@case(11, "Momentum", "speed = 0.9 * speed + grad; parameter -= rate * speed. Each parameter has a speed of its own.")
def momentum(m: Any) -> None:
    _race(m, m.Momentum, _by_hand_momentum, "Momentum, rate 0.1")


@case(11, "Adam", "Two running means, of grad and of grad², each divided by 1 - keep**steps, since they began at 0.")
def adam(m: Any) -> None:
    _race(m, m.Adam, _by_hand_adam, "Adam, rate 0.1")


def _race(m: Any, kind: Any, by_hand: Callable[[list[float]], float], where: str) -> None:
    gradients = [[3.0, 1.0, -2.0, 0.5], [0.01, 0.02, 0.01, -0.03]]
    p, q = m.Node(np.array([1.0])), m.Node(2.0)
    optimizer = kind([p, q], 0.1)
    for k in range(4):
        p.grad, q.grad = np.array([gradients[0][k]]), gradients[1][k]
        optimizer.step()
        expected = {"p": 1 + by_hand(gradients[0][: k + 1]), "q": 2 + by_hand(gradients[1][: k + 1])}
        check_close({"p": float(p.value[0]), "q": float(q.value)}, expected, f"{where}, after step {k + 1}")
        check_close(float(np.sum(p.grad)), 0, f"{where}, p.grad after step {k + 1}")


def _by_hand_momentum(gradients: list[float]) -> float:
    moved = speed = 0.0
    for g in gradients:
        speed = 0.9 * speed + g
        moved -= 0.1 * speed
    return moved


def _by_hand_adam(gradients: list[float]) -> float:
    moved = mean = square = 0.0
    for k, g in enumerate(gradients, 1):
        mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g * g
        moved -= 0.1 * (mean / (1 - 0.9**k)) / (math.sqrt(square / (1 - 0.999**k)) + 1e-8)
    return moved


@case(
    12,
    "same gradients",
    "On the way back: nodes from the inputs' values, f once more, backward with the adjoint as seed; their grads are the shares.",
)
def checkpoints(m: Any) -> None:
    def part(x: Any, y: Any) -> Any:
        return m.sin(x * y) * x

    x, y = m.Node(ROW / 10), m.Node(MATRIX)
    got = m.checkpoint(part, x, y)
    check_close(got.value, np.sin(ROW / 10 * MATRIX) * ROW / 10, "checkpoint of sin(x * y) * x, the value")
    seed = MATRIX + 1
    m.backward(got * got, seed)
    expected = _gradients(m, lambda x, y: part(x, y) * part(x, y), ROW / 10, MATRIX, seed=seed)
    check_close({"x.grad": x.grad, "y.grad": y.grad}, expected, "the square of a checkpoint")


@case(12, "forgets", "The result's inputs are the checkpoint's inputs; nothing of what f made may stay.")
def forgets(m: Any) -> None:
    calls = []

    def part(x: Any) -> Any:
        calls.append(1)
        for _ in range(50):
            x = m.sin(x)
        return x

    x = m.Node(1.0)
    y = m.checkpoint(part, x)
    check_close(len(m.order(y)), 2, "checkpoint of 50 sines: nodes that its result needs, itself included")
    m.backward(y)
    check_close(len(calls), 2, "checkpoint: how often f was called, forward and backward together")


@case(13, "source", "Every node is a line. Give the inputs names first, then go through order(*outputs).")
def source(m: Any) -> None:
    x, y = m.Node(3.0), m.Node(5.0)
    z = x * m.sin(y) - 2 / x
    text = m.program([z, *m.adjoints(z, [x, y])], [x, y])
    if not isinstance(text, str) or "def run(" not in text:
        raise Mismatch("program(...): expected Python source, with a function called run in it")
    run = _run(text)
    for a, b in ((3.0, 5.0), (-1.0, 0.5)):
        got = dict(zip(("z", "∂z/∂x", "∂z/∂y"), map(float, run(a, b)), strict=True))
        expected = {"z": a * math.sin(b) - 2 / a, "∂z/∂x": math.sin(b) + 2 / a**2, "∂z/∂y": a * math.cos(b)}
        check_close(got, expected, f"the program of x sin y - 2 / x, run at ({a:g}, {b:g})")


@case(
    13,
    "a training step, compiled",
    "numba compiles a part of NumPy: matrices in @, one axis in np.sum, tuples as shapes.",
    180.0,
)
def compiled(m: Any) -> None:
    rng = np.random.default_rng(5)
    x, labels = rng.normal(size=(6, 4)), rng.integers(0, 3, 6)
    layers = [m.Linear(4, 5, rng), m.Linear(5, 3, rng)]
    nodes = [m.Node(x), *layers[0].parameters, *layers[1].parameters]
    loss = m.cross_entropy(layers[1](m.relu(layers[0](nodes[0]))), labels)
    text = m.program([loss, *m.adjoints(loss, nodes[1:])], nodes)
    values = [node.value for node in nodes]
    values[0] = rng.normal(size=(6, 4))
    nodes[0].value = values[0]
    again = m.cross_entropy(layers[1](m.relu(layers[0](nodes[0]))), labels)
    m.backward(again)
    expected = [again.value, *(p.grad for p in nodes[1:])]
    for how, run in (("in Python", _run(text)), ("compiled by numba", _compiled(text))):
        for k, (got, want) in enumerate(zip(run(*values), expected, strict=True)):
            check_close(
                got, want, f"a training step as a program, {how}, result {k}, other inputs than it was made with", 1e-8
            )


def _run(text: str) -> Any:
    names: dict[str, Any] = {}
    exec(compile(text, "<your program>", "exec"), names)
    return names["run"]


def _compiled(text: str) -> Any:
    import types

    import numba

    names: dict[str, Any] = {}
    exec(compile(text, "<your program>", "exec"), names)
    for name, function in list(names.items()):
        if isinstance(function, types.FunctionType):
            names[name] = numba.njit(function)
    return names["run"]


# ── Training, which the page of an engine shows as well ──


def train_digits(m: Any, epochs: int = 5) -> tuple[float, list[float]]:
    """Two layers on the embedded digits: percent of the test digits that are read right, and the losses."""
    from minigrad_course import data

    digits = data.digits()
    rng = np.random.default_rng(0)
    first, last = m.Linear(784, 32, rng), m.Linear(32, 10, rng)

    def network(x: Any) -> Any:
        return last(m.relu(first(x)))

    optimizer = m.SGD([*first.parameters, *last.parameters], 0.3)
    losses = m.fit(network, optimizer, digits.train_x.astype(float), digits.train_y, epochs=epochs, batch=50, rng=rng)
    return percent_right(network(digits.test_x.astype(float)).value, digits.test_y), losses


def train_strips(m: Any, epochs: int = 5) -> tuple[float, list[float]]:
    """Paper B's network, on the embedded digits in four strips."""
    from minigrad_course import data

    digits = data.digits()
    rng = np.random.default_rng(0)
    cell, last = m.Recurrent(196, 64, rng), m.Linear(64, 10, rng)

    def network(x: Any) -> Any:
        return last(cell([x[:, t : t + 196] for t in range(0, 784, 196)]))

    optimizer = m.SGD([*cell.parameters, *last.parameters], 0.3)
    losses = m.fit(network, optimizer, digits.train_x.astype(float), digits.train_y, epochs=epochs, batch=50, rng=rng)
    return percent_right(network(digits.test_x.astype(float)).value, digits.test_y), losses


def percent_right(logits: Any, labels: Any) -> float:
    return float(100 * np.mean(np.argmax(logits, axis=1) == labels))


def _demand_percent(percent: float, least: float, what: str) -> None:
    if not percent >= least:
        raise Mismatch(f"{what}: expected at least {least:g} % of the test digits, got {percent:.1f} %")
