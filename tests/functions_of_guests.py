"""Explore each function of a table, and print how far value and gradients are from theirs: in a process of its own,
since the threads of two libraries do not go together.
"""

import importlib
import inspect
import json
import sys
import warnings

import numpy as np

from minigrad.core.graph import adjoints
from minigrad_course.viz.explore.record import record


def inputs(function):
    """Draw arguments by the parameters' names."""
    rng = np.random.default_rng(7)
    number = {
        "s": lambda: 1.3, "t": lambda: -0.7, "u": lambda: rng.normal(size=4), "z": lambda: rng.normal(size=3),
        "x": lambda: rng.normal(size=(3, 4)), "y": lambda: rng.normal(size=(3, 4)),
        "w": lambda: rng.normal(size=(4, 2)),
        "p": lambda: rng.uniform(0.5, 2, (3, 4)), "q": lambda: rng.uniform(0.5, 2, (3, 4)),
        "m": lambda: rng.normal(size=(3, 3)) + 3 * np.eye(3), "b": lambda: rng.normal(size=(2, 3, 4)),
        "c": lambda: rng.normal(size=(2, 4, 2)), "i": lambda: rng.normal(size=(2, 2, 5, 5)),
        "k": lambda: rng.normal(size=(3, 2, 3, 3)),
    }  # fmt: skip
    return [np.asarray(number[name]()) for name in inspect.signature(function).parameters]


def of_torch(function, arrays):
    """Return tensors, the values, and the gradients for given weights of the outputs."""
    import torch

    tensors = [torch.tensor(a, requires_grad=True) for a in arrays]

    def gradients(weights):
        ends = [y for y in leaves if y.requires_grad]
        seeds = [torch.tensor(w) for w, y in zip(weights, leaves, strict=True) if y.requires_grad]
        slopes = torch.autograd.grad(ends, tensors, seeds, allow_unused=True)
        return [np.zeros(a.shape) if g is None else g.numpy() for a, g in zip(arrays, slopes, strict=True)]

    leaves = torch.utils._pytree.tree_leaves(function(*tensors))
    return [x.detach() for x in tensors], [y.detach().numpy() for y in leaves], gradients


def of_jax(function, arrays):
    import jax

    xs = [jax.numpy.asarray(a) for a in arrays]
    flat = lambda *xs: jax.tree_util.tree_leaves(function(*xs))  # noqa: E731

    def gradients(weights):
        total = lambda *xs: sum((y * w).sum() for y, w in zip(flat(*xs), weights, strict=True))  # noqa: E731
        way = jax.jacfwd if "while_loop" in inspect.getsource(function) else jax.grad
        return list(map(np.asarray, way(total, range(len(xs)))(*xs)))

    return xs, list(map(np.asarray, flat(*xs))), gradients


def far(ours, theirs):
    assert np.shape(ours) == np.shape(theirs), (np.shape(ours), np.shape(theirs))
    return float(np.max(np.abs(np.asarray(ours) - theirs) / (1 + np.abs(theirs)), initial=0))


def compared(function, library):
    """Return the largest difference of values and of gradients, relative to 1 or to the number."""
    theirs, values, gradients = {"pytorch": of_torch, "jax": of_jax}[library](function, inputs(function))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recorded = record(function, *theirs)
    weights = [np.random.default_rng(k).normal(size=v.shape) for k, v in enumerate(values)]
    outputs = recorded.trace.outputs
    ours = [np.zeros(x.shape) for x in recorded.inputs]
    for y, weight in zip(outputs, weights, strict=True):
        ours = [a + d._value for a, d in zip(ours, adjoints(y, recorded.inputs, weight), strict=True)]
    of_values = max(far(y._value, v) for y, v in zip(outputs, values, strict=True))
    assert all(y.dtype == v.dtype for y, v in zip(outputs, values, strict=True))
    return of_values, max(far(a, g) for a, g in zip(ours, gradients(weights), strict=True)), len(recorded.nodes)


if __name__ == "__main__":
    library, table = sys.argv[1:]
    if library == "pytorch":
        import torch

        torch.set_num_threads(1)
    for number, function in enumerate(getattr(importlib.import_module(f"functions_in_{library}"), table)):
        try:
            answer = compared(function, library)
        except Exception as error:
            if "-v" in table:
                raise
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps([number, answer]), flush=True)
