"""Calls of NumPy's functions, as text: with `np` for NumPy they say what is expected, with `np` for minigrad what is
found. tests/test_numpy_surface.py compares the two; the table of the campaign takes them as further operations.

A call is an expression in a, b, c, and the shapes of these. Calls with the same kind of numbers are put together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.like_numpy.registry import numpys

Shape = tuple[int, ...]
SHAPES: tuple[Shape, ...] = ((), (5,), (3, 4), (2, 0, 3))

ELEMENTWISE = {  # on every shape
    "floats anywhere": [
        "np.positive(a)", "np.negative(a)", "np.square(a)", "np.exp(a)", "np.exp2(a)", "np.expm1(a)", "np.sin(a)",
        "np.cos(a)", "np.sinh(a)", "np.cosh(a)", "np.tanh(a)", "np.arctan(a)", "np.arcsinh(a)", "np.copy(a)",
        "np.add(a, 2)", "np.subtract(1, a)", "np.multiply(a, 3)", "np.divide(a, 2)", "np.dot(a, 2.0)", "a * np.size(a)",
        "a + np.zeros_like(a)", "a + np.ones_like(a)", "a + np.full_like(a, 3)", "np.astype(a, np.float64)",
        "np.power(a, 3)", "np.ravel(a)", "np.tan(a / 2)", "np.arcsin(a / 3)", "np.arccos(a / 3)", "np.arctanh(a / 3)",
    ],
    "floats away from kinks": [
        "a * np.floor(a)", "a * np.ceil(a)", "a * np.trunc(a)", "a * np.rint(a)", "a * np.round(a)",
        "np.abs(a)", "np.absolute(a)", "a * np.sign(a)", "np.copysign(a, -2)", "a * np.copysign(3, a)",
        "np.mod(a, 1.7)", "np.remainder(a, -1.7)", "np.fmod(a, 1.7)", "a % 2.3", "2.3 % (2 + a * a)",
        "a * (a // 0.7)", "np.divmod(a, 1.7)", "np.cbrt(a)", "1 / a", "abs(a)",
        "a * np.isnan(a)", "a * np.isfinite(a)", "a * np.isinf(a)",
        "a * np.isclose(a, 0.5)", "a * np.logical_not(a)", "a * np.round(a + 0.02, 1)",
        "a * np.around(a + 0.02, 1)", "a * a.round()",
        "np.clip(a, -0.33, 0.31)", "np.clip(a, -0.33, None)", "np.clip(a, None, 0.31)", "np.clip(a, min=-0.33)",
        "np.clip(a, max=0.31)", "np.maximum(a, 0.15)", "np.minimum(0.15, a)",
        "np.where(a > 0, a, 2 * a)", "a * np.floor_divide(a, 0.7)",
        "a * np.logical_and(a > -0.25, a < 0.35)", "a * ((a > -0.25) & (a < 0.35))", "a * ((a > 0.3) | (a < -0.3))",
        "a * ((a > -0.25) ^ ~(a < 0.35))",
        "a * np.greater(a, 0.15)", "a * np.less_equal(a, 0.15)",
    ],
    "positive floats": [
        "np.sqrt(a)", "np.log(a)", "np.log2(a)", "np.log10(a)", "np.log1p(a)", "np.arccosh(1 + a)", "a ** -1.5",
        "np.arccosh(a + 1)", "np.power(2, a)",
    ],
}  # fmt: skip

TWO = {  # on pairs of shapes that broadcast
    "two floats": [
        "np.add(a, b)", "np.subtract(a, b)", "np.multiply(a, b)", "np.logaddexp(a, b)",
        "np.true_divide(a, 1 + b * b)", "np.where([True, False, True, False], a, b)",
    ],
    "two floats that differ": [
        "np.maximum(a, b)", "np.minimum(a, b)", "a * np.greater(a, b)",
        "a * np.less(a, b)", "a * np.greater_equal(a, b)", "a * np.less_equal(a, b)", "a * np.equal(a, b)",
        "a * np.not_equal(a, b)", "np.arctan2(a, b)", "np.hypot(a, b)", "a * np.logical_or(a, b)",
        "a * np.logical_xor(a, b)", "a * np.isclose(a, b)", "np.copysign(a, b)",
    ],
    "two positive floats": ["np.power(a, b)", "np.divide(a, b)", "np.mod(a + 3, 4 + b)"],
}  # fmt: skip
PAIRS: tuple[tuple[Shape, Shape], ...] = (((), ()), ((4,), ()), ((3, 1), (4,)), ((3, 4), (3, 4)), ((), (2, 3, 4)))

REDUCE = ("np.{f}(a)", (5,)), ("np.{f}(a, 0)", (3, 4)), ("np.{f}(a, axis=-1, keepdims=True)", (3, 4)), (
    "np.{f}(a, axis=(0, 2))", (2, 3, 4)), ("np.{f}(a)", (2, 3))  # fmt: skip
SLIDE = ("np.{f}(a)", (5,)), ("np.{f}(a, 0)", (3, 4)), ("np.{f}(a, axis=-1)", (2, 3, 4)), ("np.{f}(a, -2)", (3, 4))

ARRAYS: dict[str, list[tuple[Any, ...]]] = {
    "einsum": [
        ("np.einsum('ij,jk->ik', a, b)", (3, 4), (4, 2)), ("np.einsum('ij,jk', a, b)", (3, 4), (4, 2)),
        ("np.einsum('ij,kj->ki', a, b)", (3, 4), (2, 4)), ("np.einsum('bij,bjk->bik', a, b)", (2, 3, 4), (2, 4, 2)),
        ("np.einsum('...ij,jk->...ik', a, b)", (2, 3, 4), (4, 2)), ("np.einsum('i,j->ij', a, b)", (3,), (2,)),
        ("np.einsum('i,i', a, b)", (3,), (3,)), ("np.einsum('i,i->i', a, b)", (3,), (3,)),
        ("np.einsum('ij,i->', a, b)", (3, 4), (3,)), ("np.einsum('ij,ij->j', a, b)", (3, 4), (3, 4)),
        ("np.einsum('bhqd,bhkd->bhqk', a, b)", (2, 2, 3, 2), (2, 2, 4, 2)), ("np.einsum('ij,j', a, b)", (3, 1), (4,)),
        ("np.einsum('ij,jk->ik', a, b)", (2, 0), (0, 3)), ("np.einsum('ii,i->i', a, b)", (3, 3), (3,)),
        ("np.einsum(a, [0, 1], b, [1, 2])", (3, 4), (4, 2)), ("np.einsum('ijk,jil->kl', a, b)", (2, 3, 4), (3, 2, 2)),
        ("np.einsum(a, [0, 1], b, [1, 2], [2, 0])", (3, 4), (4, 2)), ("np.einsum(',i->i', a, b)", (), (3,)),
        ("np.einsum('...i,...i->...', a, b)", (2, 3), (2, 3)), ("np.einsum('ij, jk -> k', a, b)", (3, 4), (4, 2)),
    ],
    "einsum of one, of three": [
        ("np.einsum('ii', a)", (3, 3)), ("np.einsum('ii->i', a)", (3, 3)), ("np.einsum('ij->ji', a)", (3, 4)),
        ("np.einsum('ijk->j', a)", (2, 3, 4)), ("np.einsum('...ii->...', a)", (2, 3, 3)), ("np.einsum('i->', a)", (4,)),
        ("np.einsum('ij,jk,kl->il', a, a.T, a)", (3, 4)), ("np.einsum('ij,kj,i->k', a, a, a[:, 0])", (3, 4)),
        ("np.einsum('iji->j', a)", (2, 3, 2)), ("np.einsum('a,b,c,d->abcd', a, a, a, a)", (2,)),
    ],
    "products": [
        ("np.outer(a, b)", (3,), (2,)), ("np.dot(a, b)", (2, 3), (3, 4)),
        ("np.dot(a, b)", (3,), (3,)), ("np.dot(a, b)", (2, 2, 3), (4, 3, 2)), ("np.dot(a, b)", (3,), (4, 3, 2)),
        ("np.dot(a, b)", (), (2, 3)), ("np.outer(a, b)", (2, 3), (2, 2)), ("np.matmul(a, b)", (2, 1, 3, 4), (5, 4, 2)),
        ("np.matmul(a, b)", (4,), (5, 4, 2)), ("np.matmul(a, b)", (3, 0), (0, 2)),
        ("a.dot(b)", (2, 3), (3,)), ("np.matmul(a, b)", (2, 2, 3), (3, 4)), ("np.linalg.matmul(a, b)", (2, 3), (3, 2)),
    ],
    "stacked": [
        ("np.vstack((a, b))", (3,), (3,)), ("np.vstack((a, b, a))", (2, 3), (1, 3)), ("np.hstack((a, b))", (2,), (3,)),
        ("np.hstack([a, b])", (2, 3), (2, 1)), ("np.hstack([a, b])", (), ()), ("np.stack((a, b))", (2, 3), (2, 3)),
        ("np.stack([a, b], axis=-1)", (3,), (3,)), ("np.stack([a, b], axis=1)", (2, 3), (2, 3)),
        ("np.stack([a, b], axis=-3)", (2, 3), (2, 3)), ("np.concatenate([a, b], axis=-2)", (2, 3), (1, 3)),
        ("np.concatenate((a, b))", (2, 3), (1, 3)), ("np.stack(arrays=[a, b])", (), ()),
        ("np.concatenate((a, b), axis=1)", (2, 3), (2, 1)), ("np.concatenate((a, b), axis=None)", (2, 3), (4,)),
        ("np.concat((a, b))", (2,), (3,)),
        ("np.concatenate([a, b], 0)", (0, 3), (2, 3)), ("np.vstack([a, b, np.ones((2, 3))])", (2, 3), (1, 3)),
    ],
    "cut and put elsewhere": [
        ("np.split(a, 3)", (6,)), ("np.split(a, [2, 3], axis=1)", (2, 5)), ("np.array_split(a, 3)", (5, 2)),
        ("np.array_split(a, [1, 4], -1)", (2, 3)), ("np.flip(a)", (2, 3)), ("np.flip(a, 0)", (2, 3)),
        ("np.flip(a, (0, -1))", (2, 3, 4)), ("np.roll(a, 2)", (2, 3)), ("np.roll(a, 1, axis=0)", (3, 2)),
        ("np.roll(a, (1, -2), (0, 1))", (3, 4)), ("np.roll(a, -7, 1)", (2, 3)), ("np.roll(a, 1)", (0, 3)),
        ("np.roll(a, (1, 1), 0)", (5, 2)), ("np.repeat(a, 2)", (2, 3)), ("np.repeat(a, 3, axis=1)", (2, 3)),
        ("np.repeat(a, [1, 0, 2], 0)", (3, 2)),
        ("np.repeat(a, 2)", ()), ("a.repeat(2)", (3,)), ("np.tile(a, 2)", (2, 3)), ("np.tile(a, (2, 1))", (3,)),
        ("np.tile(a, (2, 1, 3))", (2, 2)), ("np.tile(a, 3)", ()), ("np.take(a, [2, 0, 2])", (2, 3)),
        ("a.take([1, 0], axis=1)", (2, 3)),
        ("np.take(a, 1, axis=-1)", (2, 3)), ("np.take(a, [[-1, 0]], axis=1)", (2, 3, 4)),
        ("np.take_along_axis(a, np.array([[0, 2], [1, 1]]), 1)", (2, 3)),
        ("np.take_along_axis(a, np.array([[1, -1, 0]]), axis=0)", (2, 3)),
        ("np.take_along_axis(a, np.array([3, 0]), None)", (2, 3)),
        ("np.pad(a, 1)", (2, 3)), ("np.pad(a, 1, 'constant')", (2, 3)), ("np.pad(a, (2, 1), 'edge')", (3,)),
        ("np.pad(a, ((1, 0), (2, 2)), mode='reflect')", (3, 4)),
        ("np.pad(a, 2, 'symmetric')", (3, 2)), ("np.pad(a, 3, 'wrap')", (2, 2)),
        ("np.pad(a, ((1, 2),), constant_values=4.0)", (3,)),
    ],
    "axes": [
        ("np.moveaxis(a, 0, -1)", (2, 3, 4)), ("np.moveaxis(a, [0, 1], [-1, -2])", (2, 3, 4)),
        ("np.swapaxes(a, 0, 2)", (2, 3, 4)), ("np.swapaxes(a, axis1=0, axis2=1)", (2, 3)),
        ("np.transpose(a)", (2, 3)), ("np.transpose(a, (2, 0, 1))", (2, 3, 4)), ("np.permute_dims(a, (1, 0))", (2, 3)),
        ("np.matrix_transpose(a)", (2, 3, 4)), ("a.mT", (2, 3, 4)), ("a.T", (2, 3)),
        ("np.reshape(a, (3, 2))", (2, 3)), ("np.reshape(a, shape=(3, -1))", (2, 3)), ("a.reshape(3, 2)", (2, 3)),
        ("a.reshape(-1)", (2, 3)), ("np.ravel(a)", (2, 3)), ("a.ravel()", (2, 3)), ("a.flatten()", (2, 3)),
        ("np.ravel(a, order='F')", (2, 3)), ("np.reshape(a, (3, -1), order='F')", (2, 3)),
        ("a.flatten('F')", (2, 3, 2)), ("np.squeeze(a)", (1, 3, 1)), ("a.squeeze(0)", (1, 3)),
        ("np.squeeze(a, axis=(0, 2))", (1, 3, 1)), ("np.expand_dims(a, 0)", (2, 3)),
        ("np.expand_dims(a, axis=(0, 2))", (2, 3)),
        ("np.expand_dims(a, (-1, -2))", (2,)), ("np.broadcast_to(a, (2, 3, 4))", (3, 1)), ("np.broadcast_to(a, 4)", ()),
        ("a.transpose(1, 0)", (2, 3)),
        ("a.swapaxes(0, 1)", (2, 3)), ("np.diag(a)", (3,)), ("np.diag(a, 1)", (2,)), ("np.diag(a, -2)", (2,)),
        ("np.diag(a)", (3, 4)), ("np.diag(a, -1)", (3, 4)), ("np.diag(a, 2)", (3, 4)), ("np.diagonal(a)", (3, 4)),
        ("np.diagonal(a, 1, 2, 0)", (2, 3, 4)), ("np.diagonal(a, -1, axis1=1, axis2=2)", (2, 3, 4)),
        ("np.trace(a)", (3, 4)), ("np.trace(a, 1, 1, 2)", (2, 3, 4)), ("np.trace(a, offset=-1)", (3, 3)),
        ("a.trace()", (3, 3)), ("np.trace(a, 5)", (2, 2)), ("np.tril(a)", (3, 4)), ("np.tril(a, -1)", (2, 3, 3)),
        ("np.triu(a)", (3, 4)), ("np.triu(a, 1)", (4, 3)), ("np.triu(a)", (3,)), ("a.diagonal()", (3, 3)),
        ("np.flip(np.diag(a))", (3,)), ("a[::-1, None]", (3, 2)), ("a[..., 1]", (2, 3)),
    ],
    "along an axis": [
        *((call.format(f="cumsum"), s) for call, s in SLIDE), ("np.cumsum(a, None)", (2, 3)), ("np.cumsum(a)", ()),
        ("a.cumsum(0)", (3, 2)), ("np.diff(a)", (4,)), ("np.diff(a, 2)", (2, 4)), ("np.diff(a, axis=0)", (3, 2)),
        ("np.diff(a, prepend=1, append=a)", (3,)), ("np.diff(a, n=0)", (3,)),
    ],
    "reduced": [
        *((call.format(f=f), s) for f in ("sum", "mean", "prod", "var", "std") for call, s in REDUCE),
        ("np.var(a, ddof=1)", (4,)), ("np.std(a, axis=1, ddof=1)", (2, 3)), ("a.std(0)", (3, 2)),
        ("a.var()", (5,)), ("a.prod(1)", (2, 3)),
        ("a.sum(axis=0, keepdims=True)", (2, 3)), ("a.mean(-1)", (2, 3)), ("np.sum(a, dtype=np.float64)", (3,)),
        ("np.sum(a, axis=())", (2, 3)),
        ("np.linalg.norm(a)", (3,)), ("np.linalg.norm(a)", (2, 3, 4)), ("np.linalg.norm(a, axis=1)", (2, 3)),
        ("np.linalg.norm(a, axis=(0, 2), keepdims=True)", (2, 3, 4)), ("np.sum(a)", (0, 3)),
    ],
    "in order": [
        *((call.format(f=f), s) for f in ("max", "min", "amax", "amin") for call, s in REDUCE),
        *((call.format(f="sort"), s) for call, s in SLIDE), ("a.max()", (3,)), ("a.min(axis=0)", (3, 2)),
        ("np.sort(a, axis=None)", (2, 3)), ("np.sort(a)", (2, 0)), ("np.sort(a, kind='stable')", (4,)),
        ("a[np.argsort(a)]", (5,)), ("a[np.argmax(a)]", (5,)), ("a * np.argmin(a)", (5,)),
        ("a[np.argmin(a)]", (3, 2)[:1]),
        ("np.take_along_axis(a, np.argsort(a, 0), 0)", (4, 3)), ("a * np.argsort(a, axis=-1)", (2, 3)),
        ("np.take_along_axis(a, np.argmax(a, axis=1, keepdims=True), 1)", (2, 3)),
        ("a[0] * np.argmax(a, axis=0)", (2, 3)),
        ("a * np.all(a > 0, axis=0)", (3, 2)), ("a * np.any(a > 0, axis=1, keepdims=True)", (3, 2)),
        ("a * (a > 0).all()", (3,)),
    ],
    "systems": [
        ("np.linalg.solve(a @ a.T + 3 * np.eye(3), b)", (3, 3), (3,)),
        ("np.linalg.solve(a + 6 * np.eye(3), b)", (3, 3), (3, 2)),
        ("np.linalg.solve(a + 6 * np.eye(2), b)", (4, 2, 2), (2, 3)),
        ("np.linalg.solve(a + 6 * np.eye(2), b)", (2, 2), (3, 2, 1)),
        ("np.linalg.solve(a + 6, b)", (1, 1), (1,)), ("np.linalg.solve(a, b)", (0, 0), (0, 2)),
        ("np.linalg.inv(a + 6 * np.eye(3)) @ b", (3, 3), (3,)), ("np.linalg.inv(a + 6 * np.eye(2)) * b", (3, 2, 2), ()),
        ("np.linalg.solve(b @ b.mT + 3 * np.eye(2), a)", (2,), (3, 2, 2)),
        ("np.linalg.inv(a @ a.T + 3 * np.eye(3)) @ b", (3, 4), (3,)),
    ],
}  # fmt: skip
GRAPHED: tuple[Shape, ...] = ((), (3, 4))  # the shapes on which the campaign differentiates functions of single numbers


def calls() -> Iterator[tuple[str, str, tuple[Shape, ...]]]:
    """Every call: its group, the expression, and the shapes of a, b, c."""
    for group, texts in ELEMENTWISE.items():
        yield from ((group, text, (s,)) for text in texts for s in SHAPES)
    for group, texts in TWO.items():
        yield from ((group, text, shapes) for text in texts for shapes in PAIRS)
    for group, result in ARRAYS.items():
        yield from ((group, text, shapes) for text, *shapes in result)


def function(text: str, module: Any) -> Callable[..., Any]:
    """The expression as a function of a, b, c, with `module` for np."""
    return eval(f"lambda a, b=None, c=None: {text}", {"np": module, "lambda": None})


class Mine:
    """minigrad in the place of NumPy in an expression: what it computes with is minigrad's, dtypes and data NumPy's."""

    linalg = mg.linalg

    def __getattr__(self, name: str) -> Any:
        data = ("float64", "float32", "inf", "nan", "ones", "zeros", "eye", "arange", "array", "pi")
        taken = ("block", "trace", "take")  # mg.block and mg.trace are something else, and mg.take picks rows
        return numpys(name) if name in taken else getattr(np if name in data else mg, name)


def together(result: Any) -> Any:
    """Several results as one, for what looks at one."""
    return mg.concatenate([mg.ravel(x) for x in result]) if isinstance(result, tuple | list) else result


def in_minigrad(text: str) -> Callable[..., Any]:
    """The call with minigrad's functions, with one array as its result."""
    f = function(text, Mine())
    return lambda *inputs: together(f(*inputs))
