"""The fourth network: lesson 16's small GPT, which guesses each next letter of this course's own words.

Here is what no engine may choose: its weights' shapes, the arithmetic of a step, its data, and its output in NumPy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

LESSONS = Path(__file__).resolve().parent.parent / "sources" / "lessons"
ALPHABET = "\n abcdefghijklmnopqrstuvwxyz.,:;-"


def shapes(sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Of the weights, by PyTorch's names."""
    size, shape_of = sizes["size"], {}
    shape_of["letters.weight"] = len(ALPHABET), size
    shape_of["places.weight"] = sizes["steps"], size
    for k in range(sizes["blocks"]):
        attention, block = f"blocks.{k}.self_attn", f"blocks.{k}"
        shape_of |= {f"{attention}.in_proj_weight": (3 * size, size), f"{attention}.in_proj_bias": (3 * size,)}
        shape_of |= {f"{attention}.out_proj.weight": (size, size), f"{attention}.out_proj.bias": (size,)}
        shape_of |= {f"{block}.linear1.weight": (4 * size, size), f"{block}.linear1.bias": (4 * size,)}
        shape_of |= {f"{block}.linear2.weight": (size, 4 * size), f"{block}.linear2.bias": (size,)}
        shape_of |= {f"{block}.norm{n}.{part}": (size,) for n in (1, 2) for part in ("weight", "bias")}
    shape_of |= {"norm.weight": (size,), "norm.bias": (size,), "scores.weight": (len(ALPHABET), size)}
    return shape_of


def products(sizes: Mapping[str, int], batch: int) -> tuple[tuple[str, int, int], ...]:
    """(what, FLOP of one product, how many of them in a step). Of pairs of positions only those that count: no
    position looks ahead, and an engine may leave these out."""
    size, steps, blocks = sizes["size"], sizes["steps"], sizes["blocks"]
    rows = batch * steps
    return (
        ("queries, keys, values", 2 * rows * size * 3 * size, 3 * blocks),
        ("pairs of positions", 2 * batch * (steps * (steps + 1) // 2) * size, 6 * blocks),
        ("out of the heads", 2 * rows * size * size, 3 * blocks),
        ("linear 1", 2 * rows * size * 4 * size, 3 * blocks),
        ("linear 2", 2 * rows * 4 * size * size, 3 * blocks),
        ("scores", 2 * rows * size * len(ALPHABET), 3),
    )


def pieces(train: int, test: int, steps: int) -> dict[str, np.ndarray]:
    """So many pieces of the lessons' text, as numbers of letters, and the same one letter on; the test's are others."""
    lines = [
        line[2:]
        for file in sorted(LESSONS.glob("*.py"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("# ")
    ]
    text = re.sub(r"[^a-z.,:;\n -]", "", re.sub(r"\$[^$]*\$", "", "\n".join(lines).lower()))
    numbers = np.array([ALPHABET.index(letter) for letter in text])
    rng, cut = np.random.default_rng(0), 9 * len(numbers) // 10
    arrays = {}
    for name, low, high, count in (("train", 0, cut, train), ("test", cut, len(numbers), test)):
        places = rng.integers(low, high - steps, count)[:, None] + np.arange(steps + 1)
        drawn = numbers[places]
        arrays |= {f"{name}_x": drawn[:, :-1].copy(), f"{name}_y": drawn[:, 1:].copy()}
    return arrays


def first(name: str, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Weights to start with: tables normal, of a normalization 1 and 0, the rest by Glorot's rule."""
    if name in ("letters.weight", "places.weight"):
        return rng.standard_normal(shape).astype(np.float32)
    if len(shape) == 1:
        return np.full(shape, float("norm" in name and name.endswith("weight")), np.float32)
    limit = math.sqrt(6 / sum(shape))
    return rng.uniform(-limit, limit, shape).astype(np.float32)


def output(sizes: Mapping[str, int], w: Mapping[str, np.ndarray], x: np.ndarray) -> np.ndarray:
    """The scores (n, steps, letters) in plain NumPy."""
    from scipy.special import erf

    def norm(name: str, x: np.ndarray) -> np.ndarray:
        apart = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.square(apart).mean(axis=-1, keepdims=True) + np.float32(1e-5))
        return apart / spread * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(name: str, x: np.ndarray) -> np.ndarray:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    n, steps = x.shape
    heads, d = sizes["heads"], sizes["size"] // sizes["heads"]
    later = np.triu(np.full((steps, steps), -np.inf, np.float32), 1)
    h = w["letters.weight"][x] + w["places.weight"][:steps]
    for k in range(sizes["blocks"]):
        block = f"blocks.{k}"
        qkv = norm(f"{block}.norm1", h) @ w[f"{block}.self_attn.in_proj_weight"].T
        qkv = (qkv + w[f"{block}.self_attn.in_proj_bias"]).reshape(n, steps, 3, heads, d)
        q, key, value = qkv.transpose(2, 0, 3, 1, 4)
        scores = q @ key.swapaxes(2, 3) / np.float32(math.sqrt(d)) + later
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        attended = (shares @ value).transpose(0, 2, 1, 3).reshape(n, steps, heads * d)
        h = h + linear(f"{block}.self_attn.out_proj", attended)
        inner = linear(f"{block}.linear1", norm(f"{block}.norm2", h))
        inner = inner * (1 + erf(inner / np.float32(math.sqrt(2)))) / 2
        h = h + linear(f"{block}.linear2", inner)
    return norm("norm", h) @ w["scores.weight"].T
