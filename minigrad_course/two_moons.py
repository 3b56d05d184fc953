"""Two moons, told apart by a network that the twelve rules of puzzles.py train, with a few rules written here."""

# ruff: noqa: E731, B905 (formulas)

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

import minigrad as mg
from minigrad_course.puzzles import PUZZLES, solved
from minigrad_course.says import says
from minigrad_course.viz import plots

HIDDEN, STEPS, RATE, MANY = 6, 80, 0.2, 30


class Value:
    """A value, those that it is computed from, and the way from its adjoint to their shares."""

    def __init__(self, value: Any, inputs: tuple[Value, ...] = (), back: Callable[[Any], Any] = lambda adjoint: ()):
        self.value, self.inputs, self.back = np.asarray(value, dtype=float), inputs, back

    def order(self) -> dict[Value, None]:
        """List what the value depends on, each after its inputs, and the value itself at the end."""
        return dict.fromkeys([*(one for x in self.inputs for one in x.order()), self])


def hidden(r: Any, points: np.ndarray, W: Value, b: Value, w: Value) -> Value:
    """Compute the features of points, (points, HIDDEN): a linear layer, two turns of a loop, a leaky ReLU."""
    y = Value(points @ W.value, (W,), lambda adjoint: r.matmul(adjoint, points, W.value)[1:])
    z = Value(y.value + b.value, (y, b), lambda adjoint: (adjoint, r.row(adjoint, b.value)))
    h = _turn(r, _turn(r, z, w), w)
    on, low = h.value > 0, Value(0.3 * h.value, (h,), lambda adjoint: (0.3 * adjoint,))
    return Value(np.where(on, h.value, low.value), (h, low), lambda adjoint: r.choice(adjoint, on))


def _turn(r: Any, h: Value, w: Value) -> Value:
    after, both = np.tanh(w.value * h.value), lambda share, shares_of_w: (share, shares_of_w.sum())
    return Value(after, (h, w), lambda adjoint: both(*r.turn(adjoint, 0.0, h.value, after, w.value)))


def network(r: Any, points: np.ndarray, sides: np.ndarray, sharp: float, *parameters: Value) -> tuple[Value, Any]:
    """Compute the loss, and the readout of the features: the solution of a linear system, at length 1."""
    H, W, n = hidden(r, points, *parameters), parameters[0], len(sides)
    A = Value(H.value.T @ H.value + 0.1 * np.eye(HIDDEN), (H,), lambda adjoint: (H.value @ (adjoint + adjoint.T),))
    b = Value(H.value.T @ sides, (H,), lambda adjoint: (np.outer(sides, adjoint),))
    x = Value(np.linalg.solve(A.value, b.value), (A, b), lambda adjoint: r.solve(adjoint, A.value, x.value))
    length = np.linalg.norm(x.value)
    push = lambda tangent: (tangent - np.multiply.outer(x.value, x.value @ tangent) / length**2) / length
    u = Value(x.value / length, (x,), lambda adjoint: (r.pull(adjoint, push, HIDDEN),))
    s = Value(H.value @ u.value, (H, u), lambda adjoint: (np.outer(adjoint, u.value), H.value.T @ adjoint))
    z = Value(s.value * sharp * sides, (s,), lambda adjoint: r.product(adjoint, s.value, sharp * sides)[:1])
    p = np.stack([1 / (1 + np.exp(-z.value)), 1 / (1 + np.exp(z.value))], axis=1)  # the softmax of z and 0
    seeds = lambda adjoint: np.stack([-adjoint / p[:, 0], np.zeros(n)], axis=1)
    losses = Value(-np.log(p[:, 0]), (z,), lambda a: (np.array([r.softmax(*one)[0] for one in zip(seeds(a), p)]),))
    worst = Value(losses.value.max(), (losses,), lambda adjoint: (r.largest(adjoint, losses.value),))
    kept = np.asarray(r.square(squares := W.value.copy()))
    loss = losses.value.mean() + 0.1 * worst.value + 0.001 * squares.sum()
    shares = lambda adjoint: (np.full(n, adjoint / n), 0.1 * adjoint, 0.002 * adjoint * kept)
    return Value(loss, (losses, worst, W), shares), u.value


def two_moons() -> None:
    """Train the network with the rules that were found right, and draw it before and after."""
    if missing := [name for name in PUZZLES if name not in solved]:
        print(f"The two moons wait for {len(missing)} of your rules: {', '.join(missing)}.")
        return
    pairs = {name: lambda *x, rule=solved[name]: tuple(rule(*x)) for name in ("product", "turn")}  # they take numbers
    of_numbers = {name: np.vectorize(pair, otypes=[float, float]) for name, pair in pairs.items()}
    r, rng, angles = SimpleNamespace(**solved | of_numbers), np.random.default_rng(1), np.linspace(0.0, np.pi, MANY)
    upper, sides = np.stack([np.cos(angles), np.sin(angles)], axis=1), np.repeat([1.0, -1.0], MANY)
    points = np.concatenate([upper, [1.0, 0.5] - upper]) + 0.1 * rng.normal(size=(2 * MANY, 2))
    parameters = Value(0.4 * rng.normal(size=(2, HIDDEN))), Value(np.zeros(HIDDEN)), Value(1.0)
    plane = np.stack(np.meshgrid(np.linspace(-1.5, 2.5, 80), np.linspace(-1.1, 1.6, 54)), axis=-1)
    sharp, losses, (figure, axes) = np.array([1.0]), [], plots.canvas(8.6, 3.2, columns=2)
    for step in range(STEPS + 1):
        loss, u = network(r, points, sides, sharp[0], *parameters)
        losses.append(float(loss.value))
        right = hidden(r, points, *parameters).value @ u * sides
        if step in (0, STEPS):
            ax, features = axes[step // STEPS], hidden(r, plane.reshape(-1, 2), *parameters).value
            field = np.tanh(sharp[0] * features @ u).reshape(plane.shape[:2])
            ax.contourf(*plane.T, field.T, np.linspace(-1, 1, 21), cmap=plots.signed(), vmin=-2.6, vmax=2.6)
            ax.scatter(*points.T, c=np.where(sides > 0, plots.VERMILLION, plots.BLUE), edgecolor="white")
            ax.set(title=f"step {step}: {np.sum(right > 0)} of {2 * MANY} right", xticks=[], yticks=[], aspect="equal")
        adjoint = r.backward(
            [*loss.order()], lambda node, adjoint: zip(node.inputs, map(np.asarray, node.back(adjoint)))
        )
        for x in parameters:
            x.value = x.value - RATE * adjoint[x]
        if step % 10 == 0:  # Newton's method, in one number
            f = lambda k: mg.mean(mg.softplus(-k[0] * right)) + 0.001 * k[0] * k[0]  # noqa: B023
            sharp = sharp - np.clip(mg.grad(f)(sharp) / r.hvp(f, sharp, np.ones(1)), -2, 2)
    plots.show(figure, "Two moons, and the side on which the network sees each place, before and after training.")
    says("Your twelve rules took the loss from {:.2f} to {:.2f}.", losses[0], losses[-1], when=lambda a, b: b < a)
