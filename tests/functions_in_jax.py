"""Sixty functions for JAX, which explore shows, and twenty that were written after the translation was done."""

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


@jax.custom_jvp
def sine(x):
    return jnp.sin(x)


sine.defjvp(lambda primals, tangents: (sine(*primals), jnp.cos(primals[0]) * tangents[0]))


def gru(x, z):
    h = jnp.tile(z, (3, 1))
    update, reset = jnp.split(nn.sigmoid(jnp.concatenate([x, h], 1) @ jnp.ones((7, 6)) * 0.1), 2, axis=1)
    return (1 - update) * h + update * jnp.tanh(x[:, :3] + reset * h)


def batch_of_losses(x, w):
    loss = lambda row: nn.logsumexp(row @ w) - (row @ w)[0]  # noqa: E731
    return jax.vmap(loss)(x)


def power_iteration(m, z):
    def step(_, v):
        v = m @ v
        return v / jnp.linalg.norm(v)

    return lax.fori_loop(0, 3, step, z)


def kalman(u, p):
    def step(state, seen):
        mean, variance = state
        gain = variance / (variance + seen[1])
        state = mean + gain * (seen[0] - mean), (1 - gain) * variance
        return state, gain

    return lax.scan(step, (0.0, 1.0), (u, p[0]), reverse=True)


HELD_OUT = [
    lambda x: jax.grad(lambda x: jnp.sum(jnp.tanh(x) ** 3))(x),
    lambda x, w: jax.jvp(lambda x: jnp.sin(x @ w), (x,), (x * 2,))[1],
    lambda x: sine(x) * 2,
    gru,
    batch_of_losses,
    power_iteration,
    kalman,
    lambda x, y: jnp.sum((x[:, None] - y[None]) ** 2, -1) ** 0.5,
    lambda x: nn.glu(x) + nn.hard_tanh(x[:, :2]) + nn.swish(x[:, 2:]),
    lambda x: nn.selu(x) + nn.celu(x) + nn.soft_sign(x) + nn.mish(x),
    lambda x: jnp.median(x) + jnp.quantile(x, 0.3) + jnp.ptp(x) + jnp.average(x, weights=np.abs(x.shape[0]) * np.ones(x.shape)),
    lambda u: jnp.convolve(u, jnp.array([1.0, 2.0, 0.5])) + jnp.interp(0.3, jnp.arange(4.0), u),
    lambda u: jnp.polyval(u, 1.3) + jnp.vander(u, 3).sum() + jnp.diff(u).prod() + jnp.trapezoid(u),
    lambda m: jnp.linalg.cholesky(m @ m.T) + jnp.linalg.matrix_power(m, 3) + jnp.kron(m[:1], m[:, :1]),
    lambda x: lax.dynamic_slice(x, (1, 1), (2, 2)) * lax.dynamic_update_slice(x, x[:1, :2] ** 2, (2, 2))[1:, 2:],
    lambda x: jnp.where(jnp.isnan(x), 0.0, jnp.nan_to_num(x)) + jnp.select([x < -1, x > 1], [x, x * 2], 0.0),
    lambda i, k: lax.conv_general_dilated(i.transpose(0, 2, 3, 1), k.transpose(2, 3, 1, 0), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
    lambda x: jax.ops.segment_sum(x, np.array([0, 1, 0]), 2) + lax.switch(1, [jnp.sin, jnp.cos], x[:2]),
    lambda x, p: lax.lgamma(p) + jnp.log(jnp.abs(jnp.fft.fft(x).real) + 1),
    lambda x: lax.associative_scan(jnp.add, x, axis=1) + lax.cummax(x, 1) + nn.standardize(x),
]  # fmt: skip
