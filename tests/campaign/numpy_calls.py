"""Calls of NumPy's functions, as text: with `np` for NumPy they say what is expected, with `np` for minigrad what is
found. tests/test_numpy_surface.py compares the two; the table of the campaign takes them as further operations.

A call is an expression in a, b, c, and the shapes of these. Calls with the same kind of numbers are put together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.like_numpy.names import numpys

Shape = tuple[int, ...]
SHAPES: tuple[Shape, ...] = ((), (5,), (3, 4), (2, 0, 3))

ELEMENTWISE = {  # on every shape
    "floats anywhere": [
        "np.positive(a)", "np.negative(a)", "np.square(a)", "np.exp(a)", "np.exp2(a)", "np.expm1(a)", "np.sin(a)",
        "np.cos(a)", "np.sinh(a)", "np.cosh(a)", "np.tanh(a)", "np.arctan(a)", "np.arcsinh(a)", "np.deg2rad(a)",
        "np.rad2deg(a)", "np.radians(a)", "np.degrees(a)", "np.sinc(a)", "np.nan_to_num(a)", "np.copy(a)",
        "np.real(a)", "np.conjugate(a)", "np.add(a, 2)", "np.subtract(1, a)", "np.multiply(a, 3)", "np.divide(a, 2)",
        "np.dot(a, 2.0)", "a * np.size(a)",
        "a + np.zeros_like(a)", "a + np.ones_like(a)", "a + np.full_like(a, 3)", "a + np.imag(a)",
        "np.astype(a, np.float64)",
        "np.power(a, 3)", "np.atleast_1d(a)", "np.atleast_2d(a)", "np.atleast_3d(a)", "np.ravel(a)", "np.tan(a / 2)",
        "np.arcsin(a / 3)", "np.arccos(a / 3)", "np.arctanh(a / 3)", "np.real_if_close(a)", "a + np.angle(a)",
        "a * np.isin(a, [0, 1])", "np.polyval([1.0, -2, 3], a)",
    ],
    "floats away from kinks": [
        "a * np.floor(a)", "a * np.ceil(a)", "a * np.trunc(a)", "a * np.fix(a)", "a * np.rint(a)", "a * np.round(a)",
        "np.abs(a)", "np.absolute(a)", "np.fabs(a)", "a * np.sign(a)", "np.copysign(a, -2)", "a * np.copysign(3, a)",
        "a * np.heaviside(a, 0.5)", "np.mod(a, 1.7)", "np.remainder(a, -1.7)", "np.fmod(a, 1.7)", "a % 2.3",
        "2.3 % (2 + a * a)",
        "a * (a // 0.7)", "np.divmod(a, 1.7)", "np.modf(a)", "np.cbrt(a)", "np.reciprocal(a)", "1 / a", "abs(a)",
        "a * np.isnan(a)", "a * np.isfinite(a)", "a * np.isinf(a)", "a * np.isposinf(a)", "a * np.isneginf(a)",
        "a * np.isclose(a, 0.5)", "a * np.logical_not(a)", "a * np.round(a + 0.02, 1)",
        "a * np.around(a + 0.02, 1)", "a * a.round()",
        "np.clip(a, -0.33, 0.31)", "np.clip(a, -0.33, None)", "np.clip(a, None, 0.31)", "np.clip(a, min=-0.33)",
        "np.clip(a, max=0.31)", "np.maximum(a, 0.15)", "np.minimum(0.15, a)", "np.fmax(a, 0.15)", "np.fmin(a, 0.15)",
        "np.where(a > 0, a, 2 * a)", "np.select([a > 0.15, a > -0.25], [a * a, -a], 3)", "a * np.floor_divide(a, 0.7)",
        "np.piecewise(a, [a > 0, a < -0.25], [lambda x: x * x, 3])", "a * np.signbit(a)", "np.float_power(abs(a), 1.5)",
        "a * np.logical_and(a > -0.25, a < 0.35)", "a * ((a > -0.25) & (a < 0.35))", "a * ((a > 0.3) | (a < -0.3))",
        "a * np.greater(a, 0.15)", "a * np.less_equal(a, 0.15)", "np.choose(a > 0, [a, a * a])",
    ],
    "positive floats": [
        "np.sqrt(a)", "np.log(a)", "np.log2(a)", "np.log10(a)", "np.log1p(a)", "np.float_power(a, 1.7)", "a ** -1.5",
        "np.arccosh(a + 1)", "np.power(2, a)", "np.geomspace(a, 3, 4)", "np.logspace(a, 2, 3)",
    ],
}  # fmt: skip

TWO = {  # on pairs of shapes that broadcast
    "two floats": [
        "np.add(a, b)", "np.subtract(a, b)", "np.multiply(a, b)", "np.logaddexp(a, b)", "np.logaddexp2(a, b)",
        "np.true_divide(a, 1 + b * b)", "np.where([True, False, True, False], a, b)", "np.linspace(a, b, 3)",
        "np.linspace(a, b, 3, endpoint=False)", "np.vecdot(a * np.ones((3, 4)), b * np.ones((3, 4)))",
    ],
    "two floats that differ": [
        "np.maximum(a, b)", "np.minimum(a, b)", "np.fmax(a, b)", "np.fmin(a, b)", "a * np.greater(a, b)",
        "a * np.less(a, b)", "a * np.greater_equal(a, b)", "a * np.less_equal(a, b)", "a * np.equal(a, b)",
        "a * np.not_equal(a, b)", "np.arctan2(a, b)", "np.hypot(a, b)", "a * np.logical_or(a, b)",
        "a * np.logical_xor(a, b)", "a * np.isclose(a, b)", "np.heaviside(a, b)", "np.copysign(a, b)",
    ],
    "two positive floats": ["np.power(a, b)", "np.float_power(a, b)", "np.divide(a, b)", "np.mod(a + 3, 4 + b)"],
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
        ("np.linalg.multi_dot([a, a.T, a, a[0]])", (3, 4)), ("np.linalg.multi_dot([a[0], a.T, a])", (3, 4)),
    ],
    "products": [
        ("np.tensordot(a, b)", (2, 3, 4), (3, 4)), ("np.tensordot(a, b, 1)", (2, 3), (3, 4)),
        ("np.tensordot(a, b, 0)", (2,), (3,)),
        ("np.tensordot(a, b, [[0, 1], [1, 0]])", (2, 3, 4), (3, 2, 5)),
        ("np.tensordot(a, b, axes=(-1, 0))", (2, 3), (3, 4)),
        ("np.inner(a, b)", (3,), (3,)), ("np.inner(a, b)", (2, 3), (4, 3)), ("np.inner(a, b)", (), (3,)),
        ("np.outer(a, b)", (3,), (2,)),
        ("np.inner(a, b)", (2, 2, 3), (3,)), ("np.vdot(a, b)", (2, 3), (2, 3)), ("np.kron(a, b)", (2, 3), (2, 2)),
        ("np.kron(a, b)", (3,), (2, 2)), ("np.kron(a, b)", (2, 1, 2), (2,)), ("np.dot(a, b)", (2, 3), (3, 4)),
        ("np.dot(a, b)", (3,), (3,)), ("np.dot(a, b)", (2, 2, 3), (4, 3, 2)), ("np.dot(a, b)", (3,), (4, 3, 2)),
        ("np.dot(a, b)", (), (2, 3)), ("np.outer(a, b)", (2, 3), (2, 2)), ("np.matmul(a, b)", (2, 1, 3, 4), (5, 4, 2)),
        ("np.matmul(a, b)", (4,), (5, 4, 2)), ("np.matmul(a, b)", (3, 0), (0, 2)),
        ("a.dot(b)", (2, 3), (3,)), ("np.matmul(a, b)", (2, 2, 3), (3, 4)), ("np.cross(a, b)", (4, 3), (4, 3)),
        ("np.cross(a, b)", (3,), (2, 3)), ("np.cross(a, b, axis=0)", (3, 2), (3, 2)),
        ("np.linalg.cross(a, b)", (3,), (3,)),
        ("np.convolve(a, b)", (5,), (3,)), ("np.convolve(a, b, 'same')", (5,), (3,)),
        ("np.convolve(a, b, 'valid')", (3,), (5,)),
        ("np.convolve(a, b, mode='same')", (3,), (4,)), ("np.correlate(a, b)", (5,), (3,)),
        ("np.correlate(a, b, 'full')", (3,), (4,)),
        ("np.correlate(a, b, 'same')", (4,), (6,)), ("np.matvec(a, b)", (2, 3, 4), (4,)),
        ("np.vecmat(a, b)", (3,), (2, 3, 4)),
        ("np.vecdot(a, b)", (2, 3), (3,)), ("np.linalg.outer(a, b)", (2,), (3,)),
        ("np.linalg.vecdot(a, b)", (2, 3), (2, 3)),
        ("np.linalg.matmul(a, b)", (2, 3), (3, 2)), ("np.linalg.tensordot(a, b, axes=1)", (2, 3), (3, 2)),
    ],
    "stacked": [
        ("np.vstack((a, b))", (3,), (3,)), ("np.vstack((a, b, a))", (2, 3), (1, 3)), ("np.hstack((a, b))", (2,), (3,)),
        ("np.hstack([a, b])", (2, 3), (2, 1)), ("np.hstack([a, b])", (), ()), ("np.dstack((a, b))", (2, 3), (2, 3)),
        ("np.dstack((a, b))", (3,), (3,)), ("np.column_stack((a, b))", (3,), (3, 2)),
        ("np.stack((a, b))", (2, 3), (2, 3)),
        ("np.stack([a, b], axis=-1)", (3,), (3,)), ("np.stack([a, b], axis=1)", (2, 3), (2, 3)),
        ("np.stack([a, b], axis=-3)", (2, 3), (2, 3)), ("np.concatenate([a, b], axis=-2)", (2, 3), (1, 3)),
        ("np.concatenate((a, b))", (2, 3), (1, 3)),
        ("np.stack(arrays=[a, b])", (), ()),
        ("np.concatenate((a, b), axis=1)", (2, 3), (2, 1)), ("np.concatenate((a, b), axis=None)", (2, 3), (4,)),
        ("np.append(a, b)", (2, 3), (2,)), ("np.append(a, b, axis=0)", (2, 3), (1, 3)),
        ("np.append(a * b, 5)", (2,), (2,)),
        ("np.block([[a, b], [b, a]])", (2, 2), (2, 2)), ("np.block([a, b])", (2,), (3,)),
        ("np.block([[a], [b]])", (3,), (3,)),
        ("np.concat((a, b))", (2,), (3,)), ("np.broadcast_arrays(a, b)", (3, 1), (4,)),
        ("np.meshgrid(a, b)", (3,), (2,)),
        ("np.meshgrid(a, b, indexing='ij', sparse=True)", (3,), (2,)), ("np.block([[a, b], [5, b]])", (), ()),
        ("np.concatenate([a, b], 0)", (0, 3), (2, 3)), ("np.vstack([a, b, np.ones((2, 3))])", (2, 3), (1, 3)),

    ],
    "cut and put elsewhere": [
        ("np.split(a, 3)", (6,)), ("np.split(a, [2, 3], axis=1)", (2, 5)), ("np.array_split(a, 3)", (5, 2)),
        ("np.vsplit(a, 2)", (4, 3)),
        ("np.array_split(a, [1, 4], -1)", (2, 3)), ("np.hsplit(a, 2)", (3, 4)), ("np.hsplit(a, [1])", (3,)),
        ("np.dsplit(a, 2)", (2, 3, 4)),
        ("np.unstack(a, axis=1)", (2, 3)), ("np.unstack(a)", (2, 3)), ("np.flip(a)", (2, 3)), ("np.flip(a, 0)", (2, 3)),
        ("np.flip(a, (0, -1))", (2, 3, 4)),
        ("np.fliplr(a)", (2, 3)), ("np.flipud(a)", (3,)), ("np.roll(a, 2)", (2, 3)), ("np.roll(a, 1, axis=0)", (3, 2)),
        ("np.roll(a, (1, -2), (0, 1))", (3, 4)), ("np.roll(a, -7, 1)", (2, 3)), ("np.roll(a, 1)", (0, 3)),
        ("np.roll(a, (1, 1), 0)", (5, 2)),
        ("np.rot90(a)", (2, 3)), ("np.rot90(a, 2)", (2, 3)), ("np.rot90(a, 3)", (2, 3)),
        ("np.rot90(a, -1, (1, 2))", (2, 3, 4)),
        ("np.rot90(a, 4)", (2, 3)), ("np.repeat(a, 2)", (2, 3)), ("np.repeat(a, 3, axis=1)", (2, 3)),
        ("np.repeat(a, [1, 0, 2], 0)", (3, 2)),
        ("np.repeat(a, 2)", ()), ("a.repeat(2)", (3,)), ("np.tile(a, 2)", (2, 3)), ("np.tile(a, (2, 1))", (3,)),
        ("np.tile(a, (2, 1, 3))", (2, 2)), ("np.tile(a, 3)", ()), ("np.resize(a, (2, 4))", (3,)),
        ("np.resize(a, 2)", (2, 2)),
        ("np.delete(a, 1)", (4,)), ("np.delete(a, [0, 2], axis=1)", (2, 3)), ("np.delete(a, slice(1, 3), 0)", (4, 2)),
        ("np.compress([True, False, True], a, axis=0)", (3, 2)),
        ("np.extract([[True, False], [True, True]], a)", (2, 2)),
        ("np.ediff1d(a)", (2, 3)), ("np.ediff1d(a, 5, [1, 2])", (4,)), ("np.take(a, [2, 0, 2])", (2, 3)),
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
        ("np.rollaxis(a, 2)", (2, 3, 4)),
        ("np.rollaxis(a, 0, 3)", (2, 3, 4)), ("np.swapaxes(a, 0, 2)", (2, 3, 4)),
        ("np.swapaxes(a, axis1=0, axis2=1)", (2, 3)),
        ("np.transpose(a)", (2, 3)), ("np.transpose(a, (2, 0, 1))", (2, 3, 4)), ("np.permute_dims(a, (1, 0))", (2, 3)),
        ("np.matrix_transpose(a)", (2, 3, 4)), ("np.linalg.matrix_transpose(a)", (2, 3)), ("a.mT", (2, 3, 4)),
        ("a.T", (2, 3)),
        ("np.reshape(a, (3, 2))", (2, 3)), ("np.reshape(a, shape=(3, -1))", (2, 3)), ("a.reshape(3, 2)", (2, 3)),
        ("a.reshape(-1)", (2, 3)),
        ("np.ravel(a)", (2, 3)), ("a.ravel()", (2, 3)), ("a.flatten()", (2, 3)),
        ("np.ravel(a, order='F')", (2, 3)), ("np.reshape(a, (3, -1), order='F')", (2, 3)),
        ("a.flatten('F')", (2, 3, 2)), ("np.squeeze(a)", (1, 3, 1)),
        ("a.squeeze(0)", (1, 3)),
        ("np.squeeze(a, axis=(0, 2))", (1, 3, 1)), ("np.expand_dims(a, 0)", (2, 3)),
        ("np.expand_dims(a, axis=(0, 2))", (2, 3)),
        ("np.expand_dims(a, (-1, -2))", (2,)), ("np.broadcast_to(a, (2, 3, 4))", (3, 1)), ("np.broadcast_to(a, 4)", ()),
        ("np.atleast_3d(a)", (3,)), ("np.atleast_3d(a)", (2, 3)), ("np.atleast_2d(a, a[0])", (2, 3)),
        ("a.transpose(1, 0)", (2, 3)),
        ("a.swapaxes(0, 1)", (2, 3)), ("np.diag(a)", (3,)), ("np.diag(a, 1)", (2,)), ("np.diag(a, -2)", (2,)),
        ("np.diag(a)", (3, 4)),
        ("np.diag(a, -1)", (3, 4)), ("np.diag(a, 2)", (3, 4)), ("np.diagflat(a, 1)", (2, 2)),
        ("np.diagonal(a)", (3, 4)),
        ("np.diagonal(a, 1, 2, 0)", (2, 3, 4)), ("np.diagonal(a, -1, axis1=1, axis2=2)", (2, 3, 4)),
        ("np.linalg.diagonal(a)", (2, 3, 4)),
        ("np.trace(a)", (3, 4)), ("np.trace(a, 1, 1, 2)", (2, 3, 4)), ("np.trace(a, offset=-1)", (3, 3)),
        ("a.trace()", (3, 3)),
        ("np.linalg.trace(a)", (2, 3, 3)), ("np.trace(a, 5)", (2, 2)), ("np.tril(a)", (3, 4)),
        ("np.tril(a, -1)", (2, 3, 3)),
        ("np.triu(a)", (3, 4)), ("np.triu(a, 1)", (4, 3)), ("np.triu(a)", (3,)), ("a.diagonal()", (3, 3)),
        ("np.vander(a)", (3,)),
        ("np.vander(a, 4, increasing=True)", (3,)), ("np.flip(np.diag(a))", (3,)), ("a[::-1, None]", (3, 2)),
        ("a[..., 1]", (2, 3)),
    ],
    "along an axis": [
        *((call.format(f=f), s) for f in ("cumsum", "cumprod", "nancumsum", "nancumprod") for call, s in SLIDE),
        ("np.cumsum(a, None)", (2, 3)), ("np.cumsum(a)", ()), ("np.cumprod(a, 1)", (2, 0)),
        ("a.cumsum(0)", (3, 2)), ("a.cumprod()", (2, 2)),
        ("np.cumulative_sum(a)", (4,)), ("np.cumulative_sum(a, axis=1, include_initial=True)", (2, 3)),
        ("np.cumulative_prod(a)", (4,)),
        ("np.diff(a)", (4,)), ("np.diff(a, 2)", (2, 4)), ("np.diff(a, axis=0)", (3, 2)),
        ("np.diff(a, prepend=1, append=a)", (3,)),
        ("np.diff(a, n=0)", (3,)), ("np.gradient(a)", (5,)), ("np.gradient(a, 0.5)", (5,)),
        ("np.gradient(a, axis=0)", (3, 4)),
        ("np.gradient(a)", (3, 4)), ("np.gradient(a, [0.0, 0.5, 2.0, 2.5])", (4,)),
        ("np.gradient(a, 2, [0.0, 1, 3])", (2, 3)),
        ("np.trapezoid(a)", (5,)), ("np.trapezoid(a, dx=0.5, axis=0)", (3, 4)),
        ("np.trapezoid(a, [0.0, 1, 3, 4])", (2, 4)),
        ("np.trapezoid(a, np.cumsum(np.ones((3, 4)), 1))", (3, 4)), ("np.cov(a)", (3, 4)),
        ("np.cov(a, rowvar=False, bias=True)", (3, 2)),
        ("np.corrcoef(a)", (3, 5)), ("np.cov(a)", (5,)), ("np.cov(a, a[0], ddof=0)", (2, 4)),
    ],
    "reduced": [
        *((call.format(f=f), s) for f in ("sum", "mean", "prod", "var", "nansum", "nanprod", "nanmean",
        "nanvar") for call, s in REDUCE),
        *((call.format(f=f), s) for f in ("std", "nanstd", "average") for call, s in REDUCE),
        ("np.var(a, ddof=1)", (4,)), ("np.std(a, axis=1, ddof=1)", (2, 3)), ("a.std(0)", (3, 2)),
        ("a.var()", (5,)), ("a.prod(1)", (2, 3)),
        ("a.sum(axis=0, keepdims=True)", (2, 3)), ("a.mean(-1)", (2, 3)), ("np.sum(a, dtype=np.float64)", (3,)),
        ("np.sum(a, axis=())", (2, 3)),
        ("np.average(a, weights=[1.0, 2, 3])", (3,)), ("np.sum(a)", (0, 3)),
        ("np.average(a, 1, [1.0, 2, 3])", (2, 3)),
        ("np.average(a, 0, np.arange(6.0).reshape(2, 3) + 1, returned=True)", (2, 3)),
        ("np.average(a, returned=True)", (3,)), ("np.nanvar(a, 0, ddof=1)", (4, 2)),
    ],
    "in order": [
        *((call.format(f=f), s) for f in ("max", "min", "ptp", "median", "nanmax", "nanmin", "amax",
        "amin") for call, s in REDUCE),
        *((call.format(f=f), s) for f in ("sort", ) for call, s in SLIDE), ("a.max()", (3,)), ("a.min(axis=0)", (3, 2)),
        ("np.sort(a, axis=None)", (2, 3)), ("np.sort(a)", (2, 0)), ("np.sort(a, kind='stable')", (4,)),
        ("np.median(a)", (4,)),
        ("np.percentile(a, 30)", (5,)), ("np.percentile(a, [20, 75], axis=0)", (5, 2)),
        ("np.quantile(a, 0.5, axis=1, keepdims=True)", (2, 4)),
        ("np.quantile(a, [0, 0.31, 1])", (3, 4)),
        ("np.quantile(a, [[0.1, 0.9]], axis=(0, 2), keepdims=True)", (2, 3, 4)),
        ("np.interp(a, [-1.0, -0.33, 0.21, 0.9], [1.0, 3, 0, 2])", (5,)),
        ("np.interp(a, [-0.33, 0.21], [3.0, 0], left=-1, right=9)", (2, 3)),
        ("np.partition(a, 2)[2]", (5,)), ("a * np.argpartition(a, 1)[1]", (4,)),
        ("a[np.argsort(a)]", (5,)), ("a[np.argmax(a)]", (5,)), ("a * np.argmin(a)", (5,)),
        ("a[np.argmin(a)]", (3, 2)[:1]),
        ("np.take_along_axis(a, np.argsort(a, 0), 0)", (4, 3)), ("a * np.argsort(a, axis=-1)", (2, 3)),
        ("np.take_along_axis(a, np.argmax(a, axis=1, keepdims=True), 1)", (2, 3)),
        ("a[0] * np.argmax(a, axis=0)", (2, 3)),
        ("a * np.searchsorted([-0.33, 0.21, 0.7], a)", (5,)),
        ("a * np.searchsorted([0.0, 0.21], a, side='right')", (2, 3)),
        ("a * np.digitize(a, [-0.33, 0.21, 0.7])", (5,)), ("a * np.count_nonzero(a)", (5,)),
        ("a * np.count_nonzero(a, axis=0)", (3, 2)),
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
        ("np.linalg.matrix_power(a + 4 * np.eye(3), -2) * b", (3, 3), ()),
        ("np.linalg.matrix_power(a, 3) @ b", (3, 3), (3,)),
        ("np.linalg.matrix_power(a, 0) @ b", (3, 3), (3,)),
    ],
    "matrices": [
        ("np.linalg.det(a + 3 * np.eye(3))", (3, 3)), ("np.linalg.det(a - 3 * np.eye(2))", (3, 2, 2)),
        ("np.linalg.det(a + 3)", (1, 1)),
        ("np.linalg.slogdet(a - 4 * np.eye(3))", (3, 3)), ("np.linalg.slogdet(a + 4 * np.eye(2))[1]", (2, 2, 2)),
        ("np.linalg.cholesky(a @ a.mT + 2 * np.eye(3))", (3, 3)),
        ("np.linalg.cholesky(a @ a.mT + 2 * np.eye(2))", (2, 2, 2)),
        ("np.linalg.cholesky(a @ a.mT + 2 * np.eye(3), upper=True)", (3, 3)),
        ("np.linalg.inv(a + 5 * np.eye(3))", (2, 3, 3)),
        ("np.linalg.matrix_power(a, 5)", (2, 2)), ("np.linalg.matrix_power(a, 1)", (2, 3, 3)),
    ],
    "norms": [
        ("np.linalg.norm(a)", (3,)), ("np.linalg.norm(a)", (2, 3, 4)), ("np.linalg.norm(a, axis=1)", (2, 3)),
        ("np.linalg.norm(a, 3)", (4,)),
        ("np.linalg.norm(a, axis=(0, 2), keepdims=True)", (2, 3, 4)), ("np.linalg.norm(a, 1)", (4,)),
        ("np.linalg.norm(a, 2)", (4,)),
        ("np.linalg.norm(a, np.inf)", (4,)), ("np.linalg.norm(a, -np.inf, axis=0)", (4, 2)),
        ("a * np.linalg.norm(a, 0)", (4,)),
        ("np.linalg.norm(a, 1.5, axis=-1, keepdims=True)", (2, 3)), ("np.linalg.norm(a, 'fro')", (3, 4)),
        ("np.linalg.norm(a, 1)", (3, 4)),
        ("np.linalg.norm(a, np.inf)", (3, 4)), ("np.linalg.norm(a, -1)", (3, 4)),
        ("np.linalg.norm(a * np.arange(1.0, 25).reshape(2, 3, 4), -np.inf, axis=(0, 2))", (2, 3, 4)),
        ("np.linalg.norm(a, 1, axis=(2, 0), keepdims=True)", (2, 3, 4)), ("np.linalg.vector_norm(a)", (2, 3)),
        ("np.linalg.vector_norm(a, axis=1, ord=3)", (2, 3)), ("np.linalg.matrix_norm(a)", (2, 3, 4)),
        ("np.linalg.matrix_norm(a, ord=1)", (3, 4)),
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
