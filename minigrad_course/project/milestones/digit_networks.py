"""Milestones 7 and 8: layers, training and a recurrent cell; the two networks that have to read digits."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.core.arrays import Array, ArrayLike
from minigrad_course.grading.checks import Mismatch, check_close
from minigrad_course.project.milestones.milestone_table import MATRIX, ROW, case, softmax

# ── 7 · A network that reads digits ──


@case(
    7, "Linear", "x @ weight + bias, with weight (inputs, outputs) and bias (outputs,), both nodes, both in parameters."
)
def linear(m: ModuleType) -> None:
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
def first_weights(m: ModuleType) -> None:
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
def descent(m: ModuleType) -> None:
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
def fits(m: ModuleType) -> None:
    x, y = np.eye(7), np.arange(7) % 3
    seen: list[np.ndarray] = []
    layer = m.Linear(7, 3, np.random.default_rng(0))

    def network(rows: Array | np.ndarray) -> Array:
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
    if any(isinstance(loss, m.Node) for loss in losses):
        raise Mismatch("fit, the losses that it returns: expected numbers, got nodes")
    for k, (rows, loss) in enumerate(zip(seen, losses, strict=True), 1):  # the same steps, by hand
        p = softmax(x[rows] @ weight + bias)
        check_close(
            float(loss),
            -np.log(p[range(len(rows)), y[rows]]).mean(),
            f"fit, the loss of step {k} beside the same by hand",
            1e-8,
        )
        g = (p - np.eye(3)[y[rows]]) / len(rows)
        weight, bias = weight - 0.5 * x[rows].T @ g, bias - 0.5 * g.sum(0)
    check_close(layer.weight.value, weight, "fit, the weights after 6 steps beside the same by hand", 1e-8)


@case(
    7, "digits to 90 %", "Where everything above passes and it does not learn: look at the losses. Do they fall?", 180.0
)
def digits(m: ModuleType) -> str:
    percent, _ = train_digits(m)
    return _demand_percent(percent, "two layers of yours, 5 epochs of the embedded digits")


# ── 8 · A recurrent cell ──


@case(
    8,
    "Recurrent",
    "h = tanh(x @ w_x + h @ w_h + b), once for each entry of the list, from zeros on. Return the last h.",
)
def recurrent(m: ModuleType) -> None:
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
        check_close(cell(xs[:t]).value, h, f"Recurrent(2, 3), the state after input {t}")
    cell, rng = m.Recurrent(2, 3, np.random.default_rng(1)), np.random.default_rng(1)
    got = {"w_x": cell.parameters[0].value, "w_h": cell.parameters[1].value}
    expected = {"w_x": m.Linear(2, 3, rng).weight.value, "w_h": m.Linear(3, 3, rng).weight.value}
    check_close(got, expected, "Recurrent(2, 3), first weights beside those of Linear(2, 3) and Linear(3, 3)")


@case(8, "through time", "The same weights are used at every time: their gradients add up over all of them.")
def through_time(m: ModuleType) -> None:
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
def strips(m: ModuleType) -> str:
    percent, _ = train_strips(m)
    return _demand_percent(percent, "paper B's network from your parts, on the embedded digits in strips")


# ── Training, which the page of an engine shows as well ──


def train_digits(m: ModuleType) -> tuple[float, list[float]]:
    """Train two layers on the embedded digits: percent of the test digits read correctly, and the losses."""
    from minigrad_course import data

    digits = data.digits()
    rng = np.random.default_rng(0)
    first, last = m.Linear(784, 32, rng), m.Linear(32, 10, rng)

    def network(x: Array | np.ndarray) -> Array:
        return last(m.relu(first(x)))

    optimizer = m.SGD([*first.parameters, *last.parameters], 0.3)
    losses = m.fit(network, optimizer, digits.train_x.astype(float), digits.train_y, epochs=5, batch=50, rng=rng)
    return percent_right(network(digits.test_x.astype(float)).value, digits.test_y), losses


def train_strips(m: ModuleType) -> tuple[float, list[float]]:
    """Paper B's network, on the embedded digits in four strips."""
    from minigrad_course import data

    digits = data.digits()
    rng = np.random.default_rng(0)
    cell, last = m.Recurrent(196, 64, rng), m.Linear(64, 10, rng)

    def network(x: np.ndarray) -> Array:
        return last(cell([x[:, t : t + 196] for t in range(0, 784, 196)]))

    optimizer = m.SGD([*cell.parameters, *last.parameters], 0.3)
    losses = m.fit(network, optimizer, digits.train_x.astype(float), digits.train_y, epochs=5, batch=50, rng=rng)
    return percent_right(network(digits.test_x.astype(float)).value, digits.test_y), losses


def percent_right(logits: Array, labels: ArrayLike) -> float:
    return float(100 * np.mean(np.argmax(logits, axis=1) == labels))


def _demand_percent(percent: float, what: str) -> str:
    """Return the network's result in words. Raises Mismatch if it is too low."""
    if not percent >= 90:
        raise Mismatch(f"{what}: expected at least 90 % of the test digits, got {percent:.1f} %")
    return f"it reads {percent:.1f} % of the test digits"
