"""minigrad: automatic differentiation to read, to look at, and to train with.

The modules, in the order in which a newcomer reads them, each importing only those before it:

    here                   what this Python has: numba, threads, processes
    operation              the base class of operations
    tree, table            nested arguments; rows of text, shown as a table
    dtypes, ieee           the dtype of every result; functions of numbers that never raise
    files, interrupts      files that are written whole or not at all; Ctrl-C that waits for what must be whole
    hooks                  names that packages above the library add to it
    hyper                  settings, checked when they are given
    finite                 steps that would leave a nan in the weights, taken back
    aligned                arrays that begin at a cache line
    jit, inside_numba      compiled kernels, kept on disk; all that is used of numba's own parts
    kernels                loops that programs call, and some operations
    block                  the part of the program that makes a node: layers, steps
    rules                  the derivative table
    ops                    array operations
    like_numpy             NumPy's other functions, most of them made of those
    operand                Python's operators and NumPy's functions on traced values
    dual                   forward mode: dual numbers
    many, vmap             a function of one example as one of many
    node, graph            reverse mode: the computational graph
    functional             derivatives of functions
    cell, scan             a step recorded; the loop over time as one node
    nn, schedules          networks and learning rates
    bounds, changes        labels in range; changes since a graph was built
    optim                  optimizers
    compiler               a training step as one readable, compiled program
    checkpoint, train      training, which survives interruptions

This is the library, all of which the lessons explain. What a course needs around it (data, pictures, exercises, the
state of this machine) is a package of its own, minigrad_course. It imports this one, which knows nothing of it: names
such as mg.draw are added from there, through `hooks`.
"""

# ruff: noqa: F401 - the imports below are the public names
from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from minigrad import hooks, nn, optim, rules
from minigrad.block import block
from minigrad.dual import Dual, derivative, jvp
from minigrad.functional import grad, hessian, hvp, jacobian, value_and_grad, vjp
from minigrad.graph import Graph, adjoints, tangents, topological_order
from minigrad.like_numpy import linalg
from minigrad.like_numpy.arrange import pad
from minigrad.like_numpy.elementwise import clip
from minigrad.like_numpy.names import numpys
from minigrad.like_numpy.nearest import without
from minigrad.node import Constant, Node, Operator, Variable
from minigrad.ops.conv import conv2d
from minigrad.ops.loss import binary_cross_entropy_with_logits, mse, softmax_cross_entropy
from minigrad.ops.pool import avg_pool2d, max_pool2d
from minigrad.ops.products import dot, matmul, outer
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
from minigrad.rules import (
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
from minigrad.scan import scan
from minigrad.train import fit
from minigrad.vmap import vmap

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
