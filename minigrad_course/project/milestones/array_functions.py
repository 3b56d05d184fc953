"""Milestones 4 to 6: arrays, matrix products and relu, cross-entropy."""

from __future__ import annotations

import math
from types import ModuleType

import numpy as np

import minigrad as mg
from minigrad_course.grading.checks import Mismatch, check_close
from minigrad_course.project import graphs
from minigrad_course.project.learner_engine import NotThere
from minigrad_course.project.milestones.milestone_table import COLUMN, GRAPHS, MATRIX, ROW, case, gradients, softmax

# ── 4 · Arrays ──


@case(4, "same shapes", "Work out one entry by hand. Every node has a grad of the shape of its value.")
def arrays(m: ModuleType) -> None:
    g = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    got = gradients(m, lambda x, y: x * y, MATRIX, 2 * MATRIX + 1, seed=g)
    check_close(
        got, {"x.grad": g * (2 * MATRIX + 1), "y.grad": g * MATRIX}, "x * y, both (2, 3), with a seed that is an array"
    )
    check_close(gradients(m, m.sin, ROW, seed=np.ones(3)), {"x.grad": np.cos(ROW)}, "sin(x) of three numbers")
    x = m.Node(ROW)
    y = x * x
    m.backward(y)
    got = {"x.grad": x.grad, "y.grad": y.grad}
    check_close(got, {"x.grad": 2 * ROW, "y.grad": np.ones(3)}, "y = x * x of three numbers, without a seed")
    check_close(
        gradients(m, lambda x: (x + x) * x, ROW, seed=np.ones(3)), {"x.grad": 4 * ROW}, "(x + x) * x of three numbers"
    )


@case(4, "broadcasting", "A value that was copied along an axis gets the sum of what its copies got.")
def broadcasting(m: ModuleType) -> None:
    g = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    add, mul = (lambda x, y: x + y), (lambda x, y: x * y)
    check_close(gradients(m, add, MATRIX, ROW, seed=g), {"x.grad": g, "y.grad": [5, 7, 9]}, "x (2, 3) + y (3,)")
    check_close(
        gradients(m, mul, MATRIX, COLUMN, seed=g)["y.grad"],
        (g * MATRIX).sum(1, keepdims=True),
        "x (2, 3) * y (2, 1), y.grad",
    )
    check_close(gradients(m, mul, 3.0, MATRIX, seed=g), {"x.grad": 91.0, "y.grad": 3 * g}, "x (one number) * y (2, 3)")
    check_close(
        gradients(m, mul, COLUMN, ROW, seed=g)["x.grad"], (g * ROW).sum(1, keepdims=True), "x (2, 1) * y (3,), x.grad"
    )
    check_close(gradients(m, add, ROW[:1], MATRIX, seed=g)["x.grad"], [21.0], "x (1,) + y (2, 3), x.grad")
    cube = np.arange(12.0).reshape(2, 2, 3)
    check_close(gradients(m, add, cube, ROW, seed=cube)["y.grad"], [18, 22, 26], "x (2, 2, 3) + y (3,), y.grad")
    value = (MATRIX - m.Node(ROW)).value
    check_close(value, MATRIX - ROW, "an array minus a node: its value")


@case(4, "unbroadcast", "First add up the axes in front that the shape does not have, then those where it has 1.")
def unbroadcasting(m: ModuleType) -> None:
    ones = np.ones((4, 2, 3))
    for shape in ((2, 3), (3,), (2, 1), (1, 3), (1, 1), (), (4, 2, 3), (4, 1, 3)):
        expected = np.full(shape, 24 / max(1, math.prod(shape)))
        check_close(m.unbroadcast(ones, shape), expected, f"unbroadcast(ones of (4, 2, 3), {shape})")


@case(4, "sums and shapes", "Every entry has a share of 1 in its sum. A reshape is undone by another one.")
def sums(m: ModuleType) -> None:
    x = m.Node(MATRIX)
    for axis, expected in ((None, 21), (0, [5, 7, 9]), (1, [6, 15]), (-1, [6, 15])):
        check_close(m.sum(x, axis).value, expected, f"sum of a (2, 3) along axis {axis}")
    got = gradients(m, lambda x: m.sum(x) ** 2, MATRIX)
    check_close(got, {"x.grad": np.full((2, 3), 42.0)}, "sum(x) ** 2 with x of shape (2, 3)")
    got = gradients(m, lambda x: m.sum(x, axis=0), MATRIX, seed=ROW)
    check_close(got, {"x.grad": np.tile(ROW, (2, 1))}, "sum(x, axis=0) with x of shape (2, 3)")
    got = gradients(m, lambda x: m.sum(x, axis=1), MATRIX, seed=np.array([10.0, 20.0]))
    check_close(got, {"x.grad": [[10, 10, 10], [20, 20, 20]]}, "sum(x, axis=1) with x of shape (2, 3)")
    got = gradients(m, lambda x: m.sum(x, axis=1), np.eye(2), seed=np.array([10.0, 20.0]))
    check_close(got, {"x.grad": [[10, 10], [20, 20]]}, "sum(x, axis=1) with x of shape (2, 2)")
    got = gradients(m, lambda x: m.reshape(x, (3, 2)), MATRIX, seed=MATRIX.reshape(3, 2))
    check_close(got, {"x.grad": MATRIX}, "reshape(x, (3, 2)) with x of shape (2, 3)")
    z = m.sum(m.Dual(MATRIX, 2 * MATRIX), axis=0)
    check_close(z.tangent, [10, 14, 18], "sum of dual numbers along axis 0, the tangent")
    z = m.sum(m.Dual(MATRIX), axis=0)
    check_close(z.tangent, [0, 0, 0], "sum of Dual(an array), which does not move, along axis 0, the tangent")
    got = gradients(m, lambda x: m.sum(x, axis=-1), MATRIX, seed=np.array([10.0, 20.0]))
    check_close(got, {"x.grad": [[10, 10, 10], [20, 20, 20]]}, "sum(x, axis=-1) with x of shape (2, 3)")


@case(
    4,
    "nothing is overwritten",
    "Arrays are shared: a += b changes a for everybody who has it, a = a + b makes a new one.",
)
def nothing_overwritten(m: ModuleType) -> None:
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
    check_close(gradients(m, lambda x, y: (x + y) + x * y, ROW, 2 * ROW), expected, "in (x + y) + x * y")
    check_close(gradients(m, lambda x, y: x * y + (x + y), ROW, 2 * ROW), expected, "in x * y + (x + y)")
    check_close(before, kept, "the array that x.grad was after the first pass, looked at after the second")


@case(4, "random graphs", "Type in the graph that is shown, and compare the shapes first.")
def random_arrays(m: ModuleType) -> None:
    graphs.campaign(m, 4, GRAPHS)
    graphs.campaign(m, 4, GRAPHS, graphs.push)


# ── 5 · Matrix products and relu ──


@case(5, "matrix products", "The shapes leave one way to put them together: x̄ is like x, made of ḡ and y.")
def products(m: ModuleType) -> None:
    for kind in (m.Node, m.Dual):
        if not hasattr(kind, "__matmul__"):
            raise NotThere(f"{kind.__name__}.__matmul__ is not written yet")
    y, g = np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(2, 4) + 1
    check_close((m.Node(MATRIX) @ m.Node(y)).value, MATRIX @ y, "x (2, 3) @ y (3, 4), the value")
    check_close((MATRIX @ m.Node(y)).value, MATRIX @ y, "an array @ a node, the value")
    got = gradients(m, lambda x, y: x @ y, MATRIX, y, seed=g)
    check_close(got, {"x.grad": g @ y.T, "y.grad": MATRIX.T @ g}, "x (2, 3) @ y (3, 4)")
    a, b, h = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 9.0]]), np.array([[1.0, 0.0], [2.0, 1.0]])
    check_close(
        gradients(m, lambda x, y: x @ y, a, b, seed=h), {"x.grad": h @ b.T, "y.grad": a.T @ h}, "x @ y, both (2, 2)"
    )
    check_close(gradients(m, lambda x: x @ x, a, seed=h), {"x.grad": h @ a.T + a.T @ h}, "x @ x with x of shape (2, 2)")
    z = m.Dual(a, h) @ m.Dual(b, 2 * h)
    check_close(z.tangent, h @ b + a @ (2 * h), "x @ y of dual numbers, the tangent")
    check_close((m.Dual(a, h) @ b).tangent, h @ b, "a dual number @ an array, the tangent")
    got = gradients(m, m.transpose, MATRIX, seed=y[:, :2])
    check_close(got, {"x.grad": y[:, :2].T}, "transpose(x) with x of shape (2, 3)")


@case(5, "relu and tanh", "relu is flat below 0 and has slope 1 above. At 0 itself we agree on slope 0.")
def relus(m: ModuleType) -> None:
    x, g = np.array([-2.0, -0.5, 0.5, 3.0]), np.array([1.0, 2.0, 3.0, 4.0])
    check_close(m.relu(m.Node(x)).value, [0, 0, 0.5, 3], "relu of -2, -0.5, 0.5, 3, the value")
    check_close(gradients(m, m.relu, x, seed=g), {"x.grad": [0, 0, 3, 4]}, "relu of -2, -0.5, 0.5, 3")
    check_close(gradients(m, m.tanh, x, seed=g), {"x.grad": g * (1 - np.tanh(x) ** 2)}, "tanh of -2, -0.5, 0.5, 3")
    z = m.relu(m.Dual(x, g))
    check_close(
        {"value": z.value, "tangent": z.tangent},
        {"value": [0, 0, 0.5, 3], "tangent": [0, 0, 3, 4]},
        "relu of dual numbers",
    )


@case(5, "ties and nan", "At 0 the slope of relu is 0 here. And what is not a number must not turn into one.")
def ties(m: ModuleType) -> None:
    check_close(gradients(m, m.relu, np.zeros(3), seed=np.ones(3)), {"x.grad": [0, 0, 0]}, "relu of three zeros")
    nan = m.relu(m.Node(np.array([np.nan, 1.0]))).value
    if not np.isnan(nan[0]):
        raise Mismatch(f"relu of nan: expected nan, so that a mistake stays visible, got {float(nan[0]):g}")
    check_close(nan[1], 1, "relu of (nan, 1), entry 1")


@case(
    5,
    "random graphs",
    "Type in the graph that is shown. A tangent that is named belongs to forward mode, a grad to reverse mode.",
)
def random_products(m: ModuleType) -> None:
    graphs.campaign(m, 5, 2 * GRAPHS)
    graphs.campaign(m, 5, GRAPHS, graphs.push)


# ── 6 · Softmax and cross-entropy ──

LOGITS, LABELS = np.array([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]]), np.array([1, 0])
TWO = f"cross_entropy of {graphs.shown(LOGITS)} with labels [1, 0]"


@case(
    6,
    "value",
    "For one row: minus the logarithm of the share that softmax gives to the label. Then the mean over the rows.",
)
def entropy(m: ModuleType) -> None:
    each = -np.log(softmax(LOGITS)[[0, 1], LABELS])
    check_close(
        m.cross_entropy(m.Node(LOGITS[:1]), LABELS[:1]).value,
        each[0],
        f"cross_entropy of {graphs.shown(LOGITS[:1])} with label 1",
    )
    check_close(m.cross_entropy(m.Node(LOGITS), LABELS).value, each.mean(), TWO)


@case(6, "gradient", "The adjoint of the logits is (softmax - 1 at the label) / rows. Is yours?")
def entropy_gradient(m: ModuleType) -> None:
    expected = (softmax(LOGITS) - np.eye(3)[LABELS]) / 2
    check_close(gradients(m, lambda x: m.cross_entropy(x, LABELS), LOGITS), {"x.grad": expected}, TWO)
    got = gradients(m, lambda x: m.cross_entropy(x, LABELS), LOGITS, seed=4.0)
    check_close(got, {"x.grad": 4 * expected}, f"{TWO}, with the seed 4")
    z = m.cross_entropy(m.Dual(LOGITS, np.ones((2, 3)) * [[1.0, 0.0, 2.0]]), LABELS)
    check_close(
        z.tangent,
        np.sum(expected * [[1.0, 0.0, 2.0]]),
        f"{TWO}, dual numbers that move by ((1, 0, 2), (1, 0, 2)): the tangent",
    )


@case(
    6,
    "large logits",
    "exp(1000) is infinite. Softmax does not change when every logit of a row gets smaller by the same number.",
)
def large_logits(m: ModuleType) -> None:
    with np.errstate(all="ignore"):
        large = np.array([[1000.0, 999.0, 0.0]])  # shifted softmax, and then log, is right here, and wrong below
        check_close(
            m.cross_entropy(m.Node(large), np.array([1])).value,
            1 + math.log1p(math.exp(-1)),
            "cross_entropy of (1000, 999, 0) with label 1",
        )
        logits = np.array([[1e4, -1e4, 0.0]])
        check_close(
            m.cross_entropy(m.Node(logits), np.array([1])).value,
            20000,
            "cross_entropy of (10000, -10000, 0) with label 1",
        )
        got = gradients(m, lambda x: m.cross_entropy(x, np.array([1])), logits)
        check_close(got, {"x.grad": [[1, -1, 0]]}, "cross_entropy of (10000, -10000, 0) with label 1")
        rows = np.array([[1e4, 0.0], [-1e4, -1e4]])
        expected = (1e4 + math.log(2)) / 2
        check_close(
            m.cross_entropy(m.Node(rows), np.array([1, 0])).value,
            expected,
            "cross_entropy of (10000, 0) and (-10000, -10000)",
        )


@case(
    6,
    "against minigrad",
    "Ten random batches; the first that differs is shown. Take its rows one by one: which of them differs?",
)
def entropy_random(m: ModuleType) -> None:
    rng = np.random.default_rng(6)
    for _ in range(10):
        rows, classes = (int(n) for n in rng.integers(1, 6, 2))
        logits, labels = np.round(3 * rng.normal(size=(rows, classes)), 1), rng.integers(0, classes, rows)
        x = mg.Variable(logits)
        loss = mg.nn.cross_entropy(x, labels)
        loss.backward()
        where = f"cross_entropy of {graphs.shown(logits)} with labels {labels.tolist()}"
        check_close(m.cross_entropy(m.Node(logits), labels).value, loss.value, where, 1e-8)
        check_close(
            gradients(m, lambda x, labels=labels: m.cross_entropy(x, labels), logits), {"x.grad": x.grad}, where, 1e-8
        )
