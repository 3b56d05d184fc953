"""Derivatives of derivatives, in each order of the two modes, through loops, vmap and layers: a table.

A row is a function of an array whose value is one number; a column is an order of modes, alone or inside vmap. Each
cell is the second derivative in one direction, and is compared with a central difference of first derivatives, which
are compared with a central difference of values. All is computed in float64 (weights of layers, which stay as they
are, may be float32).
"""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn

RNG = np.random.default_rng(5)
XS, W = RNG.normal(size=(4, 3)), RNG.normal(size=(3, 3)) / 2
COUNT, LATE = np.arange(4), np.array([False, True, False, True])
POLICIES = ["everything", "states", 1, 3, "sqrt"]


def looped(policy, numbers, weights, sequence):
    """A loop whose state holds numbers, a count and a condition; what is differentiated may stand in three places."""

    def step(state, x):
        h, count, big = state["h"], state["count"], state["big"]
        x, k, late = x
        new = mg.tanh(h @ weights + x) + mg.where(late, h * h, h) * 0.1 * (k + 1)
        new = mg.where(big, new, new * 1.5) + count * 0.01 * new * new
        return {"big": mg.sum(h) > 0.5, "h": new, "count": count + 1}, new * h

    first = {"h": numbers, "count": np.int64(0), "big": np.bool_(False)}
    last, ys = mg.scan(step, (sequence, COUNT, LATE), first, policy)
    return mg.sum(last["h"] ** 3) + mg.sum(mg.sin(ys))


def nested(policy, a):
    """A loop in a loop, whose cell reads what the outer one gets: numbers, counts and conditions."""

    def outer(s, x):
        row, k, late = x
        inner = mg.scan(lambda g, z: (mg.where(late, mg.tanh(g * z), g + k * 0.1 * g * row), g), XS[:2], s, policy)
        return inner

    return mg.sum(mg.scan(outer, (XS, COUNT, LATE), a, policy)[0] ** 2)


def layer(module, shape):
    def value(a):
        out = module(mg.reshape(a, shape))
        return mg.sum(mg.sin((out[0] if isinstance(out, tuple) else out) * 1.3))

    return value


ROWS = {f"state of a scan, {p}": (lambda a, p=p: looped(p, a, W, XS), (3,)) for p in POLICIES}
ROWS |= {f"weights of a scan, {p}": (lambda a, p=p: looped(p, XS[0], a, XS), (3, 3)) for p in POLICIES}
ROWS |= {f"sequence of a scan, {p}": (lambda a, p=p: looped(p, XS[0], W, a), (4, 3)) for p in POLICIES}
ROWS |= {f"scan in a scan, {p}": (lambda a, p=p: nested(p, a), (3,)) for p in POLICIES}
ROWS |= {
    f"{kind.__name__}, {p}": (layer(kind(3, 2, rng=1, checkpoint=p), (2, 4, 3)), (24,))
    for kind in (nn.RNN, nn.GRU, nn.LSTM)
    for p in (None, "everything", 3)
}
ROWS |= {
    "vmap of a scan": (lambda a: mg.sum(mg.vmap(lambda s: looped("states", s, W, XS))(a)), (2, 3)),
    "vmap of a gradient": (lambda a: mg.sum(mg.sin(mg.vmap(mg.grad(lambda x: mg.sum(mg.tanh(x * x))))(a))), (2, 3)),
    "conv": (layer(nn.Conv2d(2, 2, 3, padding=1, rng=1), (1, 2, 4, 4)), (32,)),
    "max pool": (layer(nn.MaxPool2d(2), (1, 2, 4, 4)), (32,)),
    "mean pool": (layer(nn.AvgPool2d(2), (1, 2, 4, 4)), (32,)),
    "attention": (layer(nn.MultiheadAttention(4, 2, batch_first=True, rng=1), (1, 3, 4)), (12,)),
    "layer norm": (layer(nn.LayerNorm(4), (3, 4)), (12,)),
    "transformer block": (layer(nn.TransformerBlock(4, 2, rng=1), (1, 3, 4)), (12,)),
}

ORDERS = {
    "forward in forward": lambda f, x, d: mg.jvp(lambda x: mg.jvp(f, (x,), (d,))[1], (x,), (d,))[1],
    "reverse in forward": lambda f, x, d: mg.sum(mg.jvp(mg.grad(f), (x,), (d,))[1] * d),
    "forward in reverse": lambda f, x, d: mg.sum(mg.grad(lambda x: mg.jvp(f, (x,), (d,))[1])(x) * d),
    "reverse in reverse": lambda f, x, d: mg.sum(mg.grad(lambda x: mg.sum(mg.grad(f)(x) * d))(x) * d),
}


def difference(f, x, d, h):
    """Central, with an error of the fourth order."""
    return (8 * (f(x + h * d) - f(x - h * d)) - (f(x + 2 * h * d) - f(x - 2 * h * d))) / (12 * h)


def number(x):
    """Without the parameters of a layer, by which somebody might still want to differentiate."""
    return x.value if isinstance(x, mg.Operator) else x


@pytest.mark.turns
@pytest.mark.parametrize("row", ROWS)
def test_second_derivatives_in_each_order_of_modes(row):
    f, shape = ROWS[row]
    rng = np.random.default_rng(7)
    x, other, d = (rng.normal(size=shape) for _ in range(3))

    def slope(x):
        return np.sum(number(mg.grad(f)(x)) * d)

    np.testing.assert_allclose(slope(x), difference(lambda x: number(f(x)), x, d, 1e-4), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(number(mg.jvp(f, (x,), (d,))[1]), slope(x), rtol=1e-11, atol=1e-11)
    expected = difference(slope, x, d, 1e-4)
    for name, order in ORDERS.items():
        np.testing.assert_allclose(number(order(f, x, d)), expected, rtol=1e-6, atol=1e-8, err_msg=name)
        many = number(mg.vmap(lambda x, order=order: order(f, x, d))(np.stack([other, x])))
        np.testing.assert_allclose(many[1], expected, rtol=1e-6, atol=1e-8, err_msg=f"{name}, in vmap")
