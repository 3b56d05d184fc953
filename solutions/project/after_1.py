"""My own engine: numbers that remember how they were computed, and so can be differentiated.

A node has four attributes, and everything around it (the checks, the pictures, the tables) needs no more:

    value     the number or array that it holds
    op        the name of the operation that made it; "" for an input
    inputs    the nodes that it was made from
    grad      the derivative that has been added up so far; 0.0 at first
"""

import numpy as np

# ── Milestone 1 · Numbers that remember ──────────────────────────────────────────────────────────────────────────────

VALUE = {  # what each operation computes
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda a: -a,
    "**": lambda a, n: a**n,  # n is a plain number
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
}


def apply(op, *inputs, **options):
    """One operation. Among its inputs is a node: so is the result. All are plain numbers: so is the result."""
    if any(isinstance(x, Node) for x in inputs):
        return Node.of(op, [x if isinstance(x, Node) else Node(x) for x in inputs], options)
    return VALUE[op](*inputs, **options)


class Arithmetic:
    """Sends + - * / ** to apply; also where a plain number stands on the left, as in 2 * x."""

    __array_ufunc__ = None  # NumPy asks us, where an array or a NumPy number stands on the left

    def __add__(a, b):
        return apply("+", a, b)

    def __radd__(a, b):
        return apply("+", b, a)

    def __sub__(a, b):
        return apply("-", a, b)

    def __rsub__(a, b):
        return apply("-", b, a)

    def __mul__(a, b):
        return apply("*", a, b)

    def __rmul__(a, b):
        return apply("*", b, a)

    def __truediv__(a, b):
        return apply("/", a, b)

    def __rtruediv__(a, b):
        return apply("/", b, a)

    def __neg__(a):
        return apply("neg", a)

    def __pow__(a, n):
        return apply("**", a, n=n)



class Node(Arithmetic):
    """A value that remembers the operation that made it, and that operation's inputs."""

    def __init__(self, value, op="", inputs=(), options=None):
        self.value, self.op, self.inputs, self.options = value, op, inputs, options or {}
        self.grad = 0.0

    @staticmethod
    def of(op, inputs, options):
        """The node that `op` makes of other nodes."""
        return Node(VALUE[op](*[x.value for x in inputs], **options), op, inputs, options)


def sin(a):
    return apply("sin", a)


def cos(a):
    return apply("cos", a)


def exp(a):
    return apply("exp", a)


def log(a):
    return apply("log", a)


def tanh(a):
    return apply("tanh", a)


# ── Milestone 2 · Backward ───────────────────────────────────────────────────────────────────────────────────────────


# ── Milestone 3 · Dual numbers, and one mode checks the other ────────────────────────────────────────────────────────


# ── Milestone 4 · Arrays ─────────────────────────────────────────────────────────────────────────────────────────────


# ── Milestone 5 · Matrix products and relu ───────────────────────────────────────────────────────────────────────────


# ── Milestone 6 · Softmax and cross-entropy ──────────────────────────────────────────────────────────────────────────


# ── Milestone 7 · A network that reads digits ────────────────────────────────────────────────────────────────────────


# ── Milestone 8 · A recurrent cell, and the loop over time ───────────────────────────────────────────────────────────


# ── Choice 9 · Convolution ───────────────────────────────────────────────────────────────────────────────────────────


# ── Choice 10 · Second derivatives ───────────────────────────────────────────────────────────────────────────────────


# ── Choice 11 · Momentum and Adam ────────────────────────────────────────────────────────────────────────────────────


# ── Choice 12 · Checkpoints ──────────────────────────────────────────────────────────────────────────────────────────


# ── Choice 13 · The backward pass, written out as a program ──────────────────────────────────────────────────────────
