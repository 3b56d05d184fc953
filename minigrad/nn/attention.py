"""Layers that look back: each position of a sequence queries all others, and takes their answers.

A head compares a question (query) of each position with a label (key) of every position, turns the scores of a row into
weights with a softmax, and adds up the contents (values) by these weights: softmax(Q K.T / sqrt(size)) V. Nothing is
carried from step to step, so the way from any position to any other is one operation long.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, DTypeLike
from minigrad.core.graph import Variable
from minigrad.guards.settings import size
from minigrad.nn.init import Rng, generator, glorot_uniform, normal
from minigrad.nn.layers import GELU, Dropout, LayerNorm, Linear, linear
from minigrad.nn.module import Module
from minigrad.ops.attend import Attend, causal_mask
from minigrad.ops.reduce import mean, softmax
from minigrad.ops.rows import take
from minigrad.ops.shape import array_like, dtype_of, reshape, shape_of, transpose


class Embedding(Module):
    """A table with a row of numbers for each symbol: integers of any shape in, their rows out.

    weight: (num_embeddings, embedding_dim), normal with standard deviation 1, as in PyTorch.
    """

    def __init__(self, num_embeddings: int, embedding_dim: int, *, rng: Rng = None, dtype: DTypeLike = np.float32):
        size("Embedding", "num_embeddings", num_embeddings)
        size("Embedding", "embedding_dim", embedding_dim)
        self.weight = Variable(normal((num_embeddings, embedding_dim), 1.0, rng, dtype), name="weight")

    def forward(self, x: Array) -> Array:
        return take(self.weight, x)


class MultiheadAttention(Module):
    """PyTorch's attention with several heads, each in its own slice of the embedding.

    in_proj_weight (3 * embed_dim, embed_dim) makes queries, keys and values, in this order; out_proj mixes
    the heads' results. Weights start by Glorot's rule, biases at 0. dropout: of attention weights, while training. x:
    (steps, n, embed_dim), or (n, steps, embed_dim) with batch_first.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        batch_first: bool = False,
        *,
        rng: Rng = None,
        dtype: DTypeLike = np.float32,
    ):
        if size("MultiheadAttention", "embed_dim", embed_dim) % size("MultiheadAttention", "num_heads", num_heads):
            raise ValueError(
                f"each head takes an equal slice of the embedding, so {embed_dim} numbers cannot be divided among "
                f"{num_heads} heads: choose embed_dim as a multiple of num_heads"
            )
        rng = generator(rng)
        self.embed_dim, self.num_heads, self.batch_first = embed_dim, num_heads, batch_first
        self.in_proj_weight = Variable(glorot_uniform((3 * embed_dim, embed_dim), rng, dtype), name="in_proj_weight")
        self.in_proj_bias = Variable(np.zeros(3 * embed_dim, dtype), name="in_proj_bias") if bias else None
        self.out_proj = Linear(embed_dim, embed_dim, bias, rng=rng, dtype=dtype)
        self.dropout = Dropout(dropout, rng)

    def forward(
        self,
        query: Array,
        key: ArrayLike | None = None,
        value: ArrayLike | None = None,
        key_padding_mask: ArrayLike | None = None,
        need_weights: bool = True,
        attn_mask: ArrayLike | None = None,
        *,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Any, Any]:
        """(output, laid out as query is; weights (n, steps of query, steps of key), or None without need_weights).

        key, value: query if not given, which is self-attention. key_padding_mask: (n, steps of key), True for keys that
        nobody may look at. attn_mask: (steps of query, steps of key), or (n * num_heads, ..., ...), True where a query
        must not look, or numbers that are added to the scores. is_causal: no query looks at a later key. With
        average_attn_weights=False the weights of each head, (n, num_heads, ..., ...). A row in which everything is
        masked has no weights: it is nan, as in PyTorch.
        """
        key = query if key is None else key
        value = key if value is None else value
        for name, x in (("query", query), ("key", key), ("value", value)):
            if len(shape_of(x)) != 3 or shape_of(x)[2] != self.embed_dim:
                order = "n, steps" if self.batch_first else "steps, n"
                raise ValueError(f"this attention takes a {name} ({order}, {self.embed_dim}), got shape {shape_of(x)}")
        batch = 0 if self.batch_first else 1
        if shape_of(key) != shape_of(value) or shape_of(key)[batch] != shape_of(query)[batch]:
            raise ValueError(
                "each example's queries look at its own keys, each of which has a value: got query, key and value of "
                f"shapes {shape_of(query)}, {shape_of(key)} and {shape_of(value)}"
            )
        if key is query and value is query:  # one product instead of three
            together, size = self._project(query, 0, 3), self.embed_dim
            dropping = self.dropout.training and self.dropout.p
            if not need_weights and attn_mask is None and key_padding_mask is None and not dropping:
                return self.out_proj(Attend(self.num_heads, is_causal, not self.batch_first)(together)), None
            projected = [together[..., k * size : (k + 1) * size] for k in range(3)]
        else:
            projected = [self._project(array_like(x), k, k + 1) for k, x in enumerate((query, key, value))]
        q, k, v = (self._heads(x) for x in projected)
        scores = (q * (1 / math.sqrt(self.embed_dim // self.num_heads))) @ transpose(k, (0, 1, 3, 2))
        n, heads, rows, columns = shape_of(scores)
        if is_causal:
            scores = _masked(scores, causal_mask(max(rows, columns))[:rows, :columns])
        if attn_mask is not None:
            mask = _mask("attn_mask", attn_mask, (rows, columns), (n * heads, rows, columns))
            lead = (n, heads) if len(shape_of(mask)) == 3 else (1, 1)
            scores = _masked(scores, reshape(mask, (*lead, rows, columns)))
        if key_padding_mask is not None:
            mask = _mask("key_padding_mask", key_padding_mask, (n, columns))
            scores = _masked(scores, reshape(mask, (n, 1, 1, columns)))
        weights = self.dropout(softmax(scores))
        mixed = transpose(weights @ v, (2, 0, 1, 3) if not self.batch_first else (0, 2, 1, 3))
        output = self.out_proj(reshape(mixed, *shape_of(query)))
        if not need_weights:
            return output, None
        return output, mean(weights, 1) if average_attn_weights else weights

    def _project(self, x: Array, start: int, stop: int) -> Array:
        """x with the blocks start to stop of in_proj_weight, as one product for all positions."""
        size = self.embed_dim
        rows = slice(start * size, stop * size)
        y = linear(x, self.in_proj_weight[rows])
        return y if self.in_proj_bias is None else y + self.in_proj_bias[rows]

    def _heads(self, x: Array) -> Array:
        """(n, heads, steps, size of a head)."""
        first, second, size = shape_of(x)
        x = reshape(x, first, second, self.num_heads, size // self.num_heads)
        return transpose(x, (0, 2, 1, 3) if self.batch_first else (1, 2, 0, 3))


class TransformerBlock(Module):
    """PyTorch's TransformerEncoderLayer with norm_first=True and activation="gelu": look around, then think.

    x + attention(norm1(x)), and then x + linear2(gelu(linear1(norm2(x)))). dim_feedforward: 4 * d_model if not said.
    dropout: for the attention weights and for what is added to x. With is_causal no position looks at later ones.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int | None = None,
        dropout: float = 0.0,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        *,
        rng: Rng = None,
        dtype: DTypeLike = np.float32,
    ):
        inner = 4 * d_model if dim_feedforward is None else size("TransformerBlock", "dim_feedforward", dim_feedforward)
        rng = generator(rng)
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, rng=rng, dtype=dtype)
        self.linear1 = Linear(d_model, inner, rng=rng, dtype=dtype)
        self.linear2 = Linear(inner, d_model, rng=rng, dtype=dtype)
        self.norm1 = LayerNorm(d_model, layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, dtype=dtype)
        self.dropout, self.dropout1, self.dropout2 = (Dropout(dropout, rng) for _ in range(3))
        self.activation = GELU()

    def forward(
        self,
        x: Array,
        src_mask: ArrayLike | None = None,
        src_key_padding_mask: ArrayLike | None = None,
        is_causal: bool = False,
    ) -> Array:
        seen = self.norm1(x)
        attended, _ = self.self_attn(
            seen,
            key_padding_mask=src_key_padding_mask, need_weights=False, attn_mask=src_mask, is_causal=is_causal,
        )  # fmt: skip
        x = x + self.dropout1(attended)
        return x + self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(self.norm2(x))))))


def _mask(name: str, mask: ArrayLike, *shapes: tuple[int, ...]) -> Array:
    """`mask`, if it has one of these shapes, and a dtype that says what it means."""
    mask = array_like(mask)
    if shape_of(mask) not in shapes or dtype_of(mask).kind not in "bf":
        raise ValueError(
            f"{name} is of conditions (True: masked) or of floats (added to the scores), of shape "
            f"{' or '.join(map(str, shapes))}; got {dtype_of(mask)} of shape {shape_of(mask)}"
        )
    return mask


def _masked(scores: Array, mask: ArrayLike) -> Array:
    """Scores with -inf where the mask is True, which a softmax makes a weight of 0; a mask of numbers is added."""
    if dtype_of(mask).kind == "b":
        return rules.where(mask, -np.inf, scores)
    return scores + array_like(mask)
