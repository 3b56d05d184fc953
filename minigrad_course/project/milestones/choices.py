"""Choices 9 to 13: convolution, second derivatives, momentum and Adam, checkpoints, a program."""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.core.arrays import Array
from minigrad_course.grading.checks import Mismatch, check_close
from minigrad_course.project.learner_engine import PROGRAM
from minigrad_course.project.milestones.milestone_table import FUNCTIONS, MATRIX, ROW, case, gradients

# ── Choices ──


@case(
    9,
    "values",
    "Entry (r, c) of the output is the sum of kernel times the window whose corner is at (r, c); the kernel is not turned.",
)
def conv_values(m: ModuleType) -> None:
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
    120.0,  # minigrad compiles its own
)
def convgradients(m: ModuleType) -> None:
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
def second(m: ModuleType) -> None:
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
def second_arrays(m: ModuleType) -> None:
    rng = np.random.default_rng(4)
    x, w, d = rng.normal(size=(5, 3)), rng.normal(size=(3, 2)), rng.normal(size=(3, 2))

    def loss(language: ModuleType, w: Array) -> Array:
        return language.sum(language.tanh(x @ w) ** 2)

    node = m.Node(w)
    (g,) = m.adjoints(loss(m, node), [node])
    (h,) = m.adjoints(m.sum(g * d), [node])
    check_close(h.value, mg.hvp(lambda w: loss(mg, w), w, d), "the Hessian of sum(tanh(x @ w)²), times a vector", 1e-7)
    labels = np.array([0, 1, 1, 0, 1])
    deep = m.cross_entropy(m.relu(x @ node), labels)
    m.backward(deep)
    (g,) = m.adjoints(deep, [node])
    check_close(g.value, node.grad, "adjoints of cross_entropy(relu(x @ w)) beside what backward gives", 1e-9)


@case(11, "Momentum", "speed = 0.9 * speed + grad; parameter -= rate * speed. Each parameter has a speed of its own.")
def momentum(m: ModuleType) -> None:
    _race(m, m.Momentum, _by_hand_momentum, "Momentum, rate 0.1")


@case(11, "Adam", "Two running means, of grad and of grad², each divided by 1 - keep**steps, since they began at 0.")
def adam(m: ModuleType) -> None:
    _race(m, m.Adam, _by_hand_adam, "Adam, rate 0.1")


def _race(m: ModuleType, kind: Callable[..., Any], by_hand: Callable[[list[float]], float], where: str) -> None:
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
def checkpoints(m: ModuleType) -> None:
    def part(x: Array, y: Array) -> Array:
        return m.sin(x * y) * x

    x, y = m.Node(ROW / 10), m.Node(MATRIX)
    got = m.checkpoint(part, x, y)
    check_close(got.value, np.sin(ROW / 10 * MATRIX) * ROW / 10, "checkpoint of sin(x * y) * x, the value")
    seed = MATRIX + 1
    m.backward(got * got, seed)
    expected = gradients(m, lambda x, y: part(x, y) * part(x, y), ROW / 10, MATRIX, seed=seed)
    check_close({"x.grad": x.grad, "y.grad": y.grad}, expected, "the square of a checkpoint")


@case(12, "forgets", "The result's inputs are the checkpoint's inputs; nothing of what f made may stay.")
def forgets(m: ModuleType) -> None:
    calls = []

    def part(x: Array) -> Array:
        calls.append(1)
        for _ in range(50):
            x = m.sin(x)
        return x

    x = m.Node(1.0)
    y = m.checkpoint(part, x)
    check_close(len(m.order(y)), 2, "checkpoint of 50 sines: nodes that its result needs, itself included")
    m.backward(y)
    check_close(len(calls), 2, "checkpoint: how often f was called, forward and backward together")


@case(13, "source", "Every node is a line. Give the inputs names first, then go through the order of each output.")
def source(m: ModuleType) -> None:
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
    "a training step",
    "With other inputs every number that depends on them must come out anew. Which one does the text hold as it was?",
)
def training_step(m: ModuleType) -> None:
    text, values, expected = _step(m)
    _same(_run(text), values, expected, "in Python")
    with np.errstate(all="ignore"):
        large = [1000 * values[0], *values[1:]]
        if not np.isfinite(_run(text)(*large)[0]):
            raise Mismatch("a training step as a program, with an x 1,000 times as large: the loss is not finite")


@case(13, "compiled", "numba compiles a part of NumPy: matrices in @, one axis in np.sum, tuples as shapes.", 180.0)
def compiled(m: ModuleType) -> None:
    text, values, expected = _step(m)
    _same(_compiled(text), values, expected, "compiled by numba")


def _step(m: ModuleType) -> tuple[str, list[Any], list[Any]]:
    """Return a training step as a program, new inputs for it, and the expected results."""
    rng = np.random.default_rng(5)
    x, labels = rng.normal(size=(6, 4)), rng.integers(0, 3, 6)
    layers = [m.Linear(4, 5, rng), m.Linear(5, 3, rng)]
    nodes = [m.Node(x), *layers[0].parameters, *layers[1].parameters]
    loss = m.cross_entropy(layers[1](m.relu(layers[0](nodes[0]))), labels)
    text = m.program([loss, *m.adjoints(loss, nodes[1:])], nodes)
    nodes[0].value = rng.normal(size=(6, 4))
    again = m.cross_entropy(layers[1](m.relu(layers[0](nodes[0]))), labels)
    m.backward(again)
    return text, [node.value for node in nodes], [again.value, *(p.grad for p in nodes[1:])]


def _same(run: Callable[..., Any], values: list[Any], expected: list[Any], how: str) -> None:
    names = ("the loss", "the gradient of the first weight", "... first bias", "... second weight", "... second bias")
    for name, got, want in zip(names, run(*values), expected, strict=True):
        where = f"a training step as a program, {how}, with another x than it was made with: {name}"
        check_close(got, want, where, 1e-8)


def _run(text: str) -> FunctionType:
    """Return the program's function, with its lines available to tracebacks."""
    names: dict[str, Any] = {}
    linecache.cache[PROGRAM] = (len(text), None, text.splitlines(keepends=True), PROGRAM)
    exec(compile(text, PROGRAM, "exec", dont_inherit=True), names)
    return names["run"]


def _compiled(text: str) -> Callable[..., Any]:
    import types

    from minigrad.native import jit

    numba = jit.numba()
    names = _run(text).__globals__
    for name, function in list(names.items()):
        if isinstance(function, types.FunctionType):
            names[name] = numba.njit(function)
    return names["run"]
