"""Self-attention of all heads as one operation, and its adjoint: the scores of a head never leave the nearest cache.

Written with products and a softmax, attention makes several arrays with a number for each pair of positions, for every
text and every head. A program that does one head after the other needs memory for a few rows of one of them; the
adjoint finds the weights again, which is cheaper than to fetch them (Dao and others, "FlashAttention", 2022). What is
computed is the same. Here it stands as the formulas say it; minigrad/native/heads.py does it head by head.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, Lowering, Node, Value
from minigrad.core.dual import jvp
from minigrad.core.operation import Operation, stored
from minigrad.ops.matmul import matmul
from minigrad.ops.reduce import softmax, sum
from minigrad.ops.shape import reshape, shape_of, stack, swapaxes, transpose


def causal_mask(steps: int) -> np.ndarray:
    """(steps, steps), True where position i (row) must not look at position j (column): at all that come after it."""
    return np.triu(np.ones((steps, steps), bool), 1)


def _float_dtype(*inputs: np.ndarray) -> np.dtype:
    """The dtype of the attention of these: numbers that are no floats are computed with in float64."""
    dtype = np.result_type(*inputs)
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


class Attend(Operation):
    """softmax(Q Kᵀ / √d) V for each head. In: (n, steps, 3 size), queries, keys and values side by side; out: size.

    heads: each has d = size / heads columns. causal: no query looks at a later key. steps_first: (steps, n, ...).
    """

    name = "attend"

    def __init__(self, heads: int, causal: bool = False, steps_first: bool = False):
        self.heads, self.causal, self.steps_first = heads, causal, steps_first

    def value(self, qkv: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return stored(self.formula(qkv), out)

    def blank(self, qkv: np.ndarray) -> np.ndarray:
        return np.empty(self.join(self.split(qkv, 3)[:1]).shape, _float_dtype(qkv))

    def jvp(self, i: int, tangent: Array, v: Array, qkv: Array) -> Array:
        return jvp(self.formula, (qkv,), (tangent,))[1]

    def vjp(self, i: int, adjoint: Array, v: Array, qkv: Array) -> Array | None:
        return AttendBack(self.heads, self.causal, self.steps_first)(qkv, adjoint)

    def lower(self, to: Lowering, node: Node, qkv: Value) -> Value:
        return self.call(to, node, "attend", [to.cast(qkv, node.dtype)], 1)

    def call(self, to: Lowering, node: Node, kernel: str, inputs: list[Value], count: int) -> Value:
        """The kernel with `count` scratch arrays for scores, and as many for transposed queries or adjoints."""
        from minigrad.native.heads import QUERIES  # brings numba: only where a program is compiled

        first, second, size = inputs[0].shape
        steps = first if self.steps_first else second

        def scratch(*shape: int) -> Value:
            return to.new("scratch", shape, node.dtype)

        work = [x for _ in range(count) for x in (scratch(size // 3 // self.heads, QUERIES), scratch(steps, QUERIES))]
        return to.call(node, kernel, inputs, (self.heads, self.causal, self.steps_first), work)

    def formula(self, qkv: ArrayLike) -> Array:
        q, k, v = self.split(qkv, 3)
        return self.join([matmul(self.weights(q, k), v)])

    def split(self, x: ArrayLike, parts: int) -> list[Array]:
        """The parts that lie side by side in x, each (n, heads, steps, d)."""
        first, second, size = shape_of(x)
        x = reshape(x, (first, second, parts, self.heads, size // parts // self.heads))
        x = transpose(x, (2, 1, 3, 0, 4) if self.steps_first else (2, 0, 3, 1, 4))
        return [x[k] for k in range(parts)]

    def join(self, parts: list[Any]) -> Array:
        """The opposite of `split`."""
        n, heads, steps, d = shape_of(parts[0])
        x = transpose(stack(parts), (3, 1, 0, 2, 4) if self.steps_first else (1, 3, 0, 2, 4))
        return reshape(x, (*((steps, n) if self.steps_first else (n, steps)), len(parts) * heads * d))

    def weights(self, q: Array, k: Array) -> Array:
        scores = matmul(q * (1 / math.sqrt(shape_of(q)[-1])), swapaxes(k, -1, -2))
        return softmax(rules.where(causal_mask(shape_of(q)[-2]), -np.inf, scores) if self.causal else scores)


class AttendBack(Attend):
    """The adjoint of qkv, from qkv and the adjoint g of what `Attend` found.

    Of the value p v:  v̄ = pᵀ g and p̄ = g vᵀ; of the softmax:  s̄ = p (p̄ - Σ p p̄); of s = q kᵀ / √d:  s̄ k and s̄ᵀ q.
    """

    name = "attend_back"

    def value(self, qkv: np.ndarray, g: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return stored(self.adjoint(qkv, g), out)

    def adjoint(self, qkv: ArrayLike, g: ArrayLike) -> Array:
        q, k, v = self.split(qkv, 3)
        (g,) = self.split(g, 1)
        p = self.weights(q, k)
        p_bar = matmul(g, swapaxes(v, -1, -2))
        s_bar = p * (p_bar - sum(p * p_bar, -1, keepdims=True)) / math.sqrt(shape_of(q)[-1])
        return self.join([matmul(s_bar, k), matmul(swapaxes(s_bar, -1, -2), q), matmul(swapaxes(p, -1, -2), g)])

    def blank(self, qkv: np.ndarray, g: np.ndarray) -> np.ndarray:
        return np.empty(qkv.shape, _float_dtype(qkv, g))

    def jvp(self, i: int, tangent: Array, v: Array, qkv: Array, g: Array) -> Array:
        """By g it is linear. By qkv it is the second derivative of Σ g attend(qkv), in the direction of the tangent."""
        if i == 1:
            return AttendBack(self.heads, self.causal, self.steps_first)(qkv, tangent)
        return jvp(lambda x: self.adjoint(x, g), (qkv,), (tangent,))[1]

    def vjp(self, i: int, adjoint: Array, v: Array, qkv: Array, g: Array) -> Array | None:
        """Second derivatives are symmetric, so that by qkv this is `jvp`; by g it goes forward."""
        if i == 1:
            return Attend(self.heads, self.causal, self.steps_first).jvp(0, adjoint, v, qkv)
        return self.jvp(0, adjoint, v, qkv, g)

    def lower(self, to: Lowering, node: Node, qkv: Value, g: Value) -> Value:
        return self.call(to, node, "attend_back", [to.cast(x, node.dtype) for x in (qkv, g)], 2)
