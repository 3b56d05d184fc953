"""Sixty functions for PyTorch, which explore shows."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
MLP = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
CNN = nn.Sequential(nn.Conv2d(2, 3, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(3, 2))
RNN, GRU, LSTM = nn.RNNCell(4, 3), nn.GRUCell(4, 3), nn.LSTMCell(4, 3)
NORM, BATCH, GROUPS = nn.LayerNorm(4), nn.BatchNorm1d(4), nn.GroupNorm(2, 4)
ROWS, LABELS = torch.tensor([2, 0, 0]), torch.tensor([1, 3, 0])
W, B = torch.randn(4, 2), torch.randn(2)


def loop(u, s):
    h = torch.zeros(4)
    for k in range(u.shape[0]):
        h = torch.tanh(h * s + u[k])
    return h


def on_shapes(x):
    return x.mean(0) if x.shape[0] < x.shape[1] else x.sum(1)


def on_values(x, s):
    y = x * s
    if y.sum() > 0:
        y = torch.sin(y)
    else:
        y = torch.cos(y)
    return y


def written_in_place(u):
    y = torch.zeros(4)
    for k in range(4):
        y[k] = u[k] ** (k + 1)
    y += 1
    return y


def newton(p):
    root = p
    while ((root * root - p).abs() > 1e-3).any():
        root = (root + p / root) / 2
    return root


def in_a_dict(x, u):
    both = {"sum": x + u, "product": x * u}
    return both["sum"] * both["product"], both


SIXTY = [
    lambda s, t: 2 * s + s * t**3 + torch.sin(s),
    lambda x, y: (x - y) / (y * y + 1.5),
    lambda p, q: p**q + 2.0**q - 1 / p,
    lambda x: torch.sin(x) * x.cos() + torch.tan(0.3 * x),
    lambda p: torch.log(p) + p.log1p() + torch.log2(p) + p.log10() + p.sqrt() + p.rsqrt(),
    lambda x: torch.exp(x) + torch.expm1(x) + torch.exp2(x) + torch.sinh(x) + x.cosh(),
    lambda x: torch.asin(0.2 * x) + torch.acos(0.2 * x) + torch.atan(x) + torch.asinh(x),
    lambda x, p: torch.atan2(x, p) + torch.hypot(x, p) + torch.logaddexp(x, p),
    lambda x: torch.erf(x) + torch.erfc(0.5 * x),
    lambda x: x.abs() + x.sign() + torch.floor(x) + x.square() + torch.reciprocal(x),
    lambda x, y: torch.maximum(x, y) - torch.min(x, y) + x.clamp(-0.5, 0.5) + x.clamp_min(0.1),
    lambda x, u: x + u * 3 - u,
    lambda x, z: x * z[:, None],
    lambda x, y: torch.where(x > y, x * y, y.exp()),
    lambda x: x % 0.7 + torch.fmod(x, 0.3),
    lambda x, y: torch.lerp(x, y, 0.3) + torch.addcmul(x, x, y, value=0.5),
    lambda x: x.sum() + x.sum(1).prod() + x.mean((0, 1)),
    lambda x: (x.var(1), x.std(0, keepdim=True), x.var(unbiased=False)),
    lambda x: (x.max(), x.min(1).values, x.amax(0), x.amin((0, 1))),
    lambda x: torch.logsumexp(x, 1) + x.norm() + torch.linalg.vector_norm(x, 3, dim=1),
    lambda x: x.cumsum(1) * torch.cumprod(x, 0),
    lambda x: x[1] * x[:, 2:].sum() + x[-1, 0] + x[..., ::2].sum(),
    lambda x: x[ROWS] * x[ROWS, LABELS][:, None],
    lambda x: x[x > 0].sum() + x.gather(1, LABELS[:, None]),
    lambda x, y: torch.cat([x, y], 1).sum(0) + torch.stack([x, y]).sum(),
    lambda x: x.reshape(4, 3) @ x + x.view(-1).sum(),
    lambda x, y: x.T @ y + torch.transpose(x, 0, 1) @ y,
    lambda i: i.permute(0, 2, 3, 1).flatten(1).sum(1),
    lambda x: x.unsqueeze(1).expand(3, 2, 4) * x[:, None, :].squeeze(1).unsqueeze(1),
    lambda x: torch.roll(x, 1, 0) * x.flip(1) + x.repeat(2, 1)[2:5],
    lambda x: sum(k * part for k, part in enumerate(x.split(2, 1), 1)) + x.chunk(2, 1)[0],
    lambda m: m.tril() + torch.triu(m, 1).T + torch.diag(m.diagonal()) + m.trace(),
    lambda x: F.pad(x, (1, 2, 0, 1), value=0.5) ** 2,
    lambda x: torch.sort(x, 1, descending=True).values * torch.topk(x, 4, 1)[0],
    lambda x: x.masked_fill(x < 0, 0.25) * x,
    lambda x, w: x @ w,
    lambda u, x: (x @ u, u @ x.T, u @ u, torch.dot(u, u), torch.outer(u, u)),
    lambda b, c: torch.bmm(b, c) + b @ c,
    lambda x, w: torch.einsum("ij,jk->ki", x, w),
    lambda x, y, u: torch.einsum("ij,ij,j->i", x, y, u),
    lambda m: (torch.linalg.inv(m), torch.linalg.det(m), torch.linalg.solve(m, m.T), torch.linalg.slogdet(m)[1]),
    lambda x: F.softmax(x, 1) + F.log_softmax(x, 0),
    lambda x: F.cross_entropy(x, LABELS),
    lambda x: F.nll_loss(F.log_softmax(x, 1), LABELS, reduction="sum"),
    lambda x, y: F.mse_loss(x, y) + F.l1_loss(x, y) + F.smooth_l1_loss(x, y) + F.huber_loss(x, y, delta=0.5),
    lambda x, p: F.binary_cross_entropy_with_logits(x, torch.sigmoid(p)),
    lambda x: F.relu(x) + torch.tanh(x) + x.sigmoid() + F.leaky_relu(x, 0.2) + F.elu(x),
    lambda x: F.gelu(x) + F.gelu(x, approximate="tanh") + F.silu(x) + F.softplus(x) + F.logsigmoid(x),
    lambda x, u: F.layer_norm(x, (4,), u, u) + NORM(x),
    lambda i, k: F.conv2d(i, k, stride=2, padding=1),
    lambda i: F.max_pool2d(i, 2) + F.avg_pool2d(i, 2),
    lambda x: MLP(x),
    lambda i: CNN(i),
    lambda x, z: RNN(x[:2], torch.stack([z, 2 * z])),
    loop, on_shapes, on_values, written_in_place, newton, in_a_dict,
]  # fmt: skip
