"""Sixty functions for JAX, which explore shows."""

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax, nn  # noqa: E402

ROWS, LABELS = np.array([2, 0, 0]), np.array([1, 3, 0])
W = jnp.asarray(np.random.default_rng(1).normal(size=(4, 4)))


def loop(u, s):
    h = jnp.zeros(4)
    for k in range(u.shape[0]):
        h = jnp.tanh(h * s + u[k])
    return h


def on_shapes(x):
    return x.mean(0) if x.shape[0] < x.shape[1] else x.sum(1)


def on_values(x, s):
    return lax.cond((x * s).sum() > 0, lambda y: jnp.sin(y), lambda y: jnp.cos(y), x * s)


def written_in_place(u):
    y = jnp.zeros(4)
    for k in range(4):
        y = y.at[k].set(u[k] ** (k + 1))
    return y.at[1:3].add(u[:2])


def newton(p):
    return lax.while_loop(lambda r: jnp.any(jnp.abs(r * r - p) > 1e-3), lambda r: (r + p / r) / 2, p)


def in_a_dict(x, u):
    both = {"sum": x + u, "product": x * u}
    return both["sum"] * both["product"], both


def rnn_cell(x, z):
    h = jnp.stack([z, 2 * z])
    return jnp.tanh(x[:2] @ W[:, :3] + h @ W[:3, :3])


def mlp(x, w):
    h = jnp.tanh(x @ W + W[0])
    return nn.sigmoid(h @ w)


def layer_norm(x, u):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * u + u


def attention(x, y):
    weights = nn.softmax(x @ y.T / jnp.sqrt(4.0), axis=-1)
    return weights @ y


@jax.jit
def inner(x):
    return jnp.sin(x) * 2


def pool(i, reduction, start):
    return lax.reduce_window(i, start, reduction, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


SIXTY = [
    lambda s, t: 2 * s + s * t**3 + jnp.sin(s),
    lambda x, y: (x - y) / (y * y + 1.5),
    lambda p, q: p**q + 2.0**q - 1 / p,
    lambda x: jnp.sin(x) * jnp.cos(x) + jnp.tan(0.3 * x),
    lambda p: jnp.log(p) + jnp.log1p(p) + jnp.log2(p) + jnp.log10(p) + jnp.sqrt(p) + lax.rsqrt(p),
    lambda x: jnp.exp(x) + jnp.expm1(x) + jnp.exp2(x) + jnp.sinh(x) + jnp.cosh(x),
    lambda x: jnp.arcsin(0.2 * x) + jnp.arccos(0.2 * x) + jnp.arctan(x) + jnp.arcsinh(x),
    lambda x, p: jnp.arctan2(x, p) + jnp.hypot(x, p) + jnp.logaddexp(x, p),
    lambda x: lax.erf(x) + lax.erfc(0.5 * x),
    lambda x: jnp.abs(x) + jnp.sign(x) + jnp.floor(x) + jnp.square(x) + jnp.reciprocal(x),
    lambda x, y: jnp.maximum(x, y) - jnp.minimum(x, y) + jnp.clip(x, -0.5, 0.5) + jnp.maximum(x, 0.1),
    lambda x, z: x * z[:, None],
    lambda x, y: jnp.where(x > y, x * y, jnp.exp(y)),
    lambda x: x % 0.7 + lax.rem(x, 0.3),
    lambda p: jnp.cbrt(p) + jnp.arctanh(0.1 * p) + jnp.sinc(p),
    lambda x: x.sum() + x.sum(1).prod() + x.mean((0, 1)),
    lambda x: (x.var(1), x.std(0, keepdims=True), jnp.var(x, ddof=1)),
    lambda x: (x.max(), x.min(1), jnp.max(x, 0), jnp.min(x)),
    lambda x: nn.logsumexp(x, 1) + jnp.linalg.norm(x) + jnp.linalg.norm(x, axis=1),
    lambda x: jnp.cumsum(x, 1) * jnp.cumprod(x, 0),
    lambda x: x[1] * x[:, 2:].sum() + x[-1, 0] + x[..., ::2].sum(),
    lambda x: x[ROWS] * x[ROWS, LABELS][:, None],
    lambda x: jnp.take_along_axis(x, LABELS[:, None], 1) + jnp.take(x, ROWS, 1),
    lambda x, y: jnp.concatenate([x, y], 1).sum(0) + jnp.stack([x, y]).sum(),
    lambda x: x.reshape(4, 3) @ x + x.ravel().sum(),
    lambda x, y: x.T @ y + jnp.swapaxes(x, 0, 1) @ y,
    lambda i: i.transpose(0, 2, 3, 1).reshape(2, -1).sum(1),
    lambda x: jnp.broadcast_to(x[:, None], (3, 2, 4)) * jnp.expand_dims(x, 1),
    lambda x: jnp.roll(x, 1, 0) * jnp.flip(x, 1) + jnp.tile(x, (2, 1))[2:5],
    lambda x: sum(k * part for k, part in enumerate(jnp.split(x, 2, 1), 1)),
    lambda m: jnp.tril(m) + jnp.triu(m, 1).T + jnp.diag(jnp.diagonal(m)) + jnp.trace(m),
    lambda x: jnp.pad(x, ((0, 1), (1, 2)), constant_values=0.5) ** 2,
    lambda x: jnp.sort(x, 1) * lax.top_k(x, 4)[0],
    lambda x: x.at[1].set(0.25) * x.at[:, ROWS].add(x[:, :3]),
    lambda x, w: x @ w,
    lambda u, x: (x @ u, u @ x.T, u @ u, jnp.dot(u, u), jnp.outer(u, u)),
    lambda b, c: jnp.matmul(b, c) + b @ c,
    lambda x, w: jnp.einsum("ij,jk->ki", x, w),
    lambda x, y, u: jnp.einsum("ij,ij,j->i", x, y, u),
    lambda m: (jnp.linalg.inv(m), jnp.linalg.det(m), jnp.linalg.solve(m, m.T), jnp.linalg.slogdet(m)[1]),
    lambda x: nn.softmax(x, 1) + nn.log_softmax(x, 0),
    lambda x: -jnp.mean(jnp.take_along_axis(nn.log_softmax(x, 1), LABELS[:, None], 1)),
    lambda x: -(nn.one_hot(LABELS, 4) * nn.log_softmax(x, 1)).sum(),
    lambda x, p: jnp.mean(jnp.maximum(x, 0) - x * nn.sigmoid(p) + jnp.log1p(jnp.exp(-jnp.abs(x)))),
    lambda x: nn.relu(x) + jnp.tanh(x) + nn.sigmoid(x) + nn.leaky_relu(x, 0.2) + nn.elu(x),
    lambda x: nn.gelu(x, approximate=False) + nn.gelu(x) + nn.silu(x) + nn.softplus(x) + nn.log_sigmoid(x),
    layer_norm, attention,
    lambda i, k: lax.conv_general_dilated(i, k, (2, 2), ((1, 1), (1, 1))),
    lambda i: pool(i, lax.max, -jnp.inf) + pool(i, lax.add, 0.0) / 4,
    mlp,
    lambda u, s: lax.scan(lambda h, x: (jnp.tanh(h * s + x), h * x), 0.0, u),
    rnn_cell,
    lambda x, u: inner(x) + jax.checkpoint(jnp.cos)(u) + jax.vmap(lambda row: row @ u)(x)[:, None],
    loop, on_shapes, on_values, written_in_place, newton, in_a_dict,
]  # fmt: skip
