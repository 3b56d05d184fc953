"""The networks in PyTorch, eager: plain functions, all gradients asked for at once, one fused update.

Modes: "modules" writes them as PyTorch's tutorials do, with nn modules and torch.optim.SGD(fused=True). "hoisted" does
the RNN's input products of all steps in one. "channels_last" is the layout that PyTorch's convolutions prefer. "ahead"
gathers the rows of all batches before the first step, not batch by batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.workloads import Weights, Workload
from minigrad_course.peers.pytorch_networks import NETWORKS, renamed


def loss_function(workload: Workload, mode: str) -> Any:
    """(parameters by name, x, y) -> loss."""
    return {"rnn": _rnn, "cnn": _cnn, "autoencoder": _autoencoder, "gpt": _gpt}[workload.network](workload, mode)


def _rnn(workload: Workload, mode: str) -> Any:
    steps, hidden, layers = (workload.sizes[name] for name in ("steps", "hidden", "layers"))

    def loss(p: Any, x: Any, y: Any) -> Any:
        below = x.view(len(x), steps, -1)
        for layer in range(layers):
            w, u = p[f"rnn.weight_ih_l{layer}"].T, p[f"rnn.weight_hh_l{layer}"].T
            b = p[f"rnn.bias_ih_l{layer}"] + p[f"rnn.bias_hh_l{layer}"]
            states = []
            if "hoisted" in mode:
                from_input = torch.addmm(b, below.reshape(-1, below.shape[2]), w).view(len(x), steps, hidden)
                h = torch.tanh(from_input[:, 0])
                states.append(h)
                for t in range(1, steps):
                    h = torch.tanh(torch.addmm(from_input[:, t], h, u))
                    states.append(h)
            else:
                h = torch.zeros(len(x), hidden)
                for t in range(steps):
                    h = torch.tanh(below[:, t] @ w + h @ u + b)
                    states.append(h)
            if layer + 1 < layers:
                below = torch.stack(states, 1)
        return F.cross_entropy(torch.addmm(p["dense.bias"], h, p["dense.weight"].T), y)

    return loss


def _cnn(workload: Workload, mode: str) -> Any:
    def loss(p: Any, x: Any, y: Any) -> Any:
        x = x.view(-1, 1, 28, 28)
        if "channels_last" in mode:
            x = x.contiguous(memory_format=torch.channels_last)
        x = F.max_pool2d(torch.relu(F.conv2d(x, p["0.weight"], p["0.bias"])), 2)
        x = F.max_pool2d(torch.relu(F.conv2d(x, p["3.weight"], p["3.bias"])), 2).flatten(1)
        x = torch.relu(F.linear(x, p["7.weight"], p["7.bias"]))
        return F.cross_entropy(F.linear(x, p["9.weight"], p["9.bias"]), y)

    return loss


def _autoencoder(workload: Workload, mode: str) -> Any:
    def loss(p: Any, x: Any, y: Any) -> Any:
        h = torch.sigmoid(F.linear(x, p["0.weight"], p["0.bias"]))
        h = torch.sigmoid(F.linear(h, p["2.weight"], p["2.bias"]))
        return (torch.sigmoid(F.linear(h, p["4.weight"])) - x).square().sum()

    return loss


def _gpt(workload: Workload, mode: str) -> Any:
    size, heads, blocks = (workload.sizes[name] for name in ("size", "heads", "blocks"))

    def loss(p: Any, x: Any, y: Any) -> Any:
        def norm(name: str, h: Any) -> Any:
            return F.layer_norm(h, (size,), p[f"{name}.weight"], p[f"{name}.bias"])

        def linear(name: str, h: Any) -> Any:
            return F.linear(h, p[f"{name}.weight"], p[f"{name}.bias"])

        h = F.embedding(x, p["letters.weight"]) + p["places.weight"][: x.shape[1]]
        for k in range(blocks):
            block, attention = f"blocks.{k}", f"blocks.{k}.self_attn"
            seen = norm(f"{block}.norm1", h)
            qkv = F.linear(seen, p[f"{attention}.in_proj_weight"], p[f"{attention}.in_proj_bias"])
            q, key, value = (part.unflatten(2, (heads, -1)).transpose(1, 2) for part in qkv.split(size, 2))
            attended = F.scaled_dot_product_attention(q, key, value, is_causal=True)
            h = h + linear(f"{attention}.out_proj", attended.transpose(1, 2).flatten(2))
            h = h + linear(f"{block}.linear2", F.gelu(linear(f"{block}.linear1", norm(f"{block}.norm2", h))))
        return F.cross_entropy(F.linear(norm("norm", h), p["scores.weight"]).flatten(0, 1), y.flatten())

    return loss


class Engine:
    """See engines/__init__.py."""

    version = f"PyTorch {torch.__version__}"

    def __init__(self, workload: Workload, weights: Weights, arrays: dict[str, np.ndarray], mode: str, threads: int):
        torch.set_num_threads(threads)
        self.workload, self.mode = workload, mode
        self.x, self.y = torch.from_numpy(arrays["train_x"]), torch.from_numpy(arrays["train_y"])
        self.p = {name: torch.from_numpy(value.copy()) for name, value in weights.items()}
        self.prepare(mode)

    def prepare(self, mode: str) -> None:
        """Choose what one step is."""
        if mode == "modules":
            self.model = NETWORKS[self.workload.network](self.workload.first_weights())
            names = renamed(self.model, self.p)
            self.model.load_state_dict({names[name]: value for name, value in self.p.items()})
            state = self.model.state_dict(keep_vars=True)
            self.p = {name: state[names[name]].detach() for name in self.p}
            self.optimizer = torch.optim.SGD(self.model.parameters(), lr=self.workload.lr, fused=True)
            self.step = self._step_of_modules
        else:
            self.loss = loss_function(self.workload, mode)
            self.leaves = {name: value.requires_grad_() for name, value in self.p.items()}
            self.step = self._step_of_functions

    def _step_of_functions(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        loss = self.loss(self.leaves, x, y)
        leaves = list(self.leaves.values())
        gradients = torch.autograd.grad(loss, leaves)
        with torch.no_grad():
            torch._foreach_add_(leaves, gradients, alpha=-self.workload.lr)
        return loss.detach()

    def _step_of_modules(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        self.optimizer.zero_grad(set_to_none=True)
        target = x if self.workload.network == "autoencoder" else y
        loss = getattr(self.model, "loss", F.cross_entropy)(self.model(x), target)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def epoch(self, rows: np.ndarray) -> np.ndarray:
        order, size = torch.from_numpy(rows), self.workload.batch
        if "ahead" in self.mode:
            batches = zip(self.x[order].split(size), self.y[order].split(size), strict=True)
            return torch.stack([self.step(x, y) for x, y in batches]).numpy()
        return torch.stack([self.step(self.x[batch], self.y[batch]) for batch in order.split(size)]).numpy()

    def load(self, weights: Weights) -> None:
        with torch.no_grad():
            for name, value in self.p.items():
                value.copy_(torch.from_numpy(weights[name]))

    def weights(self) -> Weights:
        return {name: value.detach().numpy().copy() for name, value in self.p.items()}
