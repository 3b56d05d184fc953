"""minigrad: automatic differentiation to read, to look at, and to train with.

The folders, each of which imports only those before it. READING.md has the order in which to read them:

    core        the heart: derivative table, operations, dual numbers, nodes, both modes of differentiation
    ops         operations on arrays
    like_numpy  NumPy's other functions, most of them made of those
    loops       the loop over time as one node; a function of one example applied to many
    nn          layers
    training    optimizers, epochs, checkpoints
    compiler    a training step as one readable, compiled program
    guards      what is checked before and after a step
    native      the engine room: kernels, and all that numba and processors need
    hooks       names that packages above the library add to it

This is the library, all of which the lessons explain. What a course needs around it (data, pictures, exercises, the
state of this machine) is a package of its own, minigrad_course. It imports this one, which knows nothing of it: names
such as mg.draw are added from there, through `hooks`.
"""

# ruff: noqa: F401 - the imports below are the public names
from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from minigrad import hooks, nn
from minigrad.core import rules
from minigrad.core.block import block
from minigrad.core.dual import Dual, derivative, jvp
from minigrad.core.functional import grad, hessian, hvp, jacobian, value_and_grad, vjp
from minigrad.core.graph import Graph, adjoints, tangents, topological_order
from minigrad.core.node import Constant, Node, Operator, Variable
from minigrad.core.rules import (
    abs,
    add,
    arccos,
    arcsin,
    arctan,
    cos,
    cosh,
    div,
    equal,
    exp,
    expm1,
    gelu,
    greater,
    greater_equal,
    identity,
    leaky_relu,
    less,
    less_equal,
    log,
    log1p,
    logsigmoid,
    maximum,
    minimum,
    mul,
    neg,
    not_equal,
    pow,
    relu,
    sigmoid,
    sign,
    sin,
    sinh,
    softplus,
    sqrt,
    square,
    stop_gradient,
    sub,
    tan,
    tanh,
    where,
)
from minigrad.like_numpy import linalg
from minigrad.like_numpy.arrange import pad
from minigrad.like_numpy.nearest import without
from minigrad.like_numpy.registry import numpys
from minigrad.like_numpy.surface import clip
from minigrad.loops.scan import scan
from minigrad.loops.vmap import vmap
from minigrad.ops.conv import conv2d
from minigrad.ops.loss import binary_cross_entropy_with_logits, mse, softmax_cross_entropy
from minigrad.ops.matmul import dot, matmul, outer
from minigrad.ops.pool import avg_pool2d, max_pool2d
from minigrad.ops.reduce import log_softmax, logsumexp, max, mean, min, norm, prod, softmax, std, sum, var
from minigrad.ops.rows import take
from minigrad.ops.shape import (
    broadcast_to,
    cast,
    concatenate,
    expand_dims,
    ravel,
    reshape,
    squeeze,
    stack,
    swapaxes,
    transpose,
)
from minigrad.training import optim, train
from minigrad.training.train import fit

__version__ = "0.1.0"

# Imported when it is first asked for.
hooks.add({"compile": "minigrad.compiler.step:compile", "compile_graph": "minigrad.compiler.function:compile_graph"})


def __getattr__(name: str) -> Any:
    if name in hooks.NAMES:
        return hooks.find(name)
    if (op := numpys(name)) is not None:
        return op
    advice = without(name)
    if not advice and (near := difflib.get_close_matches(name, __dir__(), n=1)):
        advice = f": did you mean {near[0]!r}?"
    raise AttributeError(f"minigrad has no {name!r}{advice}")


def __dir__() -> list[str]:
    return sorted({*globals(), *hooks.NAMES, *(name for name in dir(np) if numpys(name) is not None)})


hooks.bring()
