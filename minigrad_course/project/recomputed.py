"""The numbers that an engine of a class computes, asked for as plain values and computed again outside of the sandbox.

The tests of a milestone share a process with the engine, which may change them. These questions do not: other numbers
in each run, answered in a process without minigrad (isolation/engine_answers.py), and compared here. A milestone whose
tests have passed has its points if all answers are right, and one that has passed in part if any is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

import minigrad as mg
from minigrad_course.project import graphs
from minigrad_course.project.milestones.choices import _by_hand_adam, _by_hand_momentum
from minigrad_course.project.milestones.milestone_table import softmax

Request: TypeAlias = list[Any]  # a name in engine_answers.REQUESTS, and plain numbers
Question: TypeAlias = tuple[Request, Any]  # with the answer
Rng: TypeAlias = np.random.Generator


def questions(milestone: int, rng: Rng) -> Iterator[Question]:
    """The questions of a milestone, with numbers of this generator."""
    if milestone <= 5:
        yield from _of_graphs(milestone, rng)
    else:
        yield from OTHERS[milestone](rng)


def right(answer: Any, expected: Any) -> bool:
    """Tell whether these are the numbers, in these lists. An engine may answer with anything."""
    if isinstance(expected, list):
        same = isinstance(answer, list) and len(answer) == len(expected)
        return same and all(right(got, wanted) for got, wanted in zip(answer, expected, strict=True))
    return isinstance(answer, int | float) and math.isclose(answer, expected, rel_tol=1e-6, abs_tol=1e-6)


def _plain(*values: Any) -> list[Any]:
    return [np.asarray(getattr(value, "value", value), float).tolist() for value in values]


def _of_graphs(milestone: int, rng: Rng) -> Iterator[Question]:
    if milestone == 2:
        yield ["places"], [0, 1, 2]
    seed = int(rng.integers(1 << 30))
    for number in range(12):
        graph = graphs.random_graph(seed, number, milestone)
        shapes = [np.shape(node.value) for node in graph.run(mg, [mg.Constant(x) for x in graph.inputs])]
        text = [graph.line(k).split(" = ")[1].replace("(-1,)", f"({np.prod(shapes[k], dtype=int)},)")
                for k in range(len(graph.inputs), len(shapes))]  # fmt: skip
        values, adjoints = graphs._reference(graph)
        request, expected = ["graph", _plain(*graph.inputs), text], _plain(*values)
        if milestone > 1:
            request.append(*_plain(graph.seed))
            expected += _plain(*(0.0 if adjoint is None else adjoint for adjoint in adjoints))
        if milestone > 2:
            moves = graphs.along(graph)
            request.append(_plain(*moves))
            floats = tuple(np.asarray(x, float) for x in graph.inputs)
            _, tangent = mg.jvp(lambda *xs, graph=graph: graph.run(mg, xs)[-1], floats, tuple(map(np.asarray, moves)))
            expected += _plain(tangent)
        yield request, expected


def _entropy(rng: Rng) -> Iterator[Question]:
    for scale in (1.0, 1.0, 300.0):
        logits, labels, moves = scale * rng.normal(size=(4, 3)), rng.integers(0, 3, 4), rng.normal(size=(4, 3))
        loss, slope = mg.value_and_grad(lambda x, labels=labels: mg.nn.cross_entropy(x, labels))(logits)
        yield ["entropy", *_plain(logits), labels.tolist(), *_plain(moves)], _plain(loss, slope, np.sum(slope * moves))


def _training(rng: Rng) -> Iterator[Question]:
    x, labels, weight, rate = (
        rng.normal(size=(5, 4)),
        rng.integers(0, 3, 5),
        rng.normal(size=(4, 3)),
        rng.uniform(0.1, 1),
    )
    request, bias, losses = ["training", *_plain(x), labels.tolist(), *_plain(weight), rate], np.zeros(3), []
    for _ in range(4):
        p = softmax(x @ weight + bias)
        losses.append(-np.log(p[range(5), labels]).mean())
        g = (p - np.eye(3)[labels]) / 5
        weight, bias = weight - rate * x.T @ g, bias - rate * g.sum(0)
    yield request, _plain(losses, weight, bias)


def _recurrent(rng: Rng) -> Iterator[Question]:
    xs, seed = [rng.normal(size=(4, 2)) for _ in range(3)], rng.normal(size=(4, 3))
    weights = [mg.Variable(rng.normal(size=shape)) for shape in ((2, 3), (3, 3), (3,))]
    h: Any = np.zeros((4, 3))
    for x in xs:
        h = mg.tanh(x @ weights[0] + h @ weights[1] + weights[2])
    h.backward(seed)
    yield ["recurrent", _plain(*xs), _plain(*weights), *_plain(seed)], _plain(h, *(w.grad for w in weights))


def _convolution(rng: Rng) -> Iterator[Question]:
    x, kernel = mg.Variable(rng.normal(size=(2, 2, 5, 4))), mg.Variable(rng.normal(size=(3, 2, 2, 3)))
    y = mg.conv2d(x, kernel)
    seed = rng.normal(size=y.shape)
    y.backward(seed)
    yield ["convolution", *_plain(x, kernel, seed)], _plain(y, x.grad, kernel.grad)


def _second(rng: Rng) -> Iterator[Question]:
    x, w, d = rng.normal(size=(5, 3)), rng.normal(size=(3, 2)), rng.normal(size=(3, 2))

    def loss(w: Any) -> Any:
        return mg.sum(mg.tanh(x @ w) ** 2)

    yield ["second", *_plain(x, w, d)], _plain(mg.grad(loss)(w), mg.hvp(loss, w, d))


def _steps(rng: Rng) -> Iterator[Question]:
    start, gradients = float(rng.normal()), rng.normal(size=4).tolist()
    for kind, by_hand in (("Momentum", _by_hand_momentum), ("Adam", _by_hand_adam)):
        yield ["steps", kind, start, 0.1, gradients], [start + by_hand(gradients[: k + 1]) for k in range(4)]


def _checkpoint(rng: Rng) -> Iterator[Question]:
    x, y, seed = rng.normal(size=3), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    a, b = mg.Variable(x), mg.Variable(y)
    made = mg.sin(a * b) * a
    (made * made).backward(seed)
    yield ["checkpoint", *_plain(x, y, seed)], _plain(made, a.grad, b.grad)


def _program(rng: Rng) -> Iterator[Question]:
    first, *others = rng.uniform(0.5, 2, (5, 2)).tolist()
    expected = [[a * np.sin(b) - 2 / a, np.sin(b) + 2 / a**2, a * np.cos(b)] for a, b in others]
    yield ["program", *first, others], expected


OTHERS: dict[int, Callable[[Rng], Iterator[Question]]] = {
    6: _entropy, 7: _training, 8: _recurrent, 9: _convolution, 10: _second, 11: _steps, 12: _checkpoint, 13: _program,
}  # fmt: skip
