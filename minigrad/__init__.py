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
    hooks       names that are no import: NumPy's, rows of the table, what packages above add; examples for help

This is the library, all of which the lessons explain. What a course needs around it (data, pictures, exercises, the
state of this machine) is a package of its own, minigrad_course. It imports this one, which knows nothing of it: names
such as mg.draw are added from there, through `hooks`.
"""

from minigrad import hooks, nn
from minigrad.core import rules
from minigrad.core.block import block
from minigrad.core.dual import Dual, derivative, jvp
from minigrad.core.functional import grad, hessian, hvp, jacobian, value_and_grad, vjp
from minigrad.core.graph import Graph, adjoints, tangents, topological_order
from minigrad.core.node import Constant, Node, Operator, Variable
from minigrad.core.rules import (
    abs,
    cos,
    equal,
    exp,
    gelu,
    greater,
    leaky_relu,
    less,
    log,
    logsigmoid,
    maximum,
    minimum,
    relu,
    sigmoid,
    sign,
    sin,
    softplus,
    sqrt,
    square,
    stop_gradient,
    tan,
    tanh,
    where,
)
from minigrad.hooks import find as __getattr__  # noqa: F401
from minigrad.like_numpy import linalg
from minigrad.like_numpy.surface import clip
from minigrad.loops.scan import scan
from minigrad.loops.vmap import vmap
from minigrad.ops.conv import conv2d
from minigrad.ops.loss import binary_cross_entropy_with_logits, mse, softmax_cross_entropy
from minigrad.ops.matmul import dot, matmul
from minigrad.ops.pool import avg_pool2d, max_pool2d
from minigrad.ops.reduce import log_softmax, logsumexp, max, mean, min, norm, softmax, std, sum, var
from minigrad.ops.rows import take
from minigrad.ops.shape import broadcast_to, cast, concatenate, expand_dims, reshape, stack, transpose
from minigrad.training import optim, train
from minigrad.training.train import fit

__all__ = [
    "Constant", "Dual", "Graph", "Node", "Operator", "Variable", "abs", "adjoints", "avg_pool2d",
    "binary_cross_entropy_with_logits", "block", "broadcast_to", "cast", "clip", "concatenate", "conv2d", "cos",
    "derivative", "dot", "equal", "exp", "expand_dims", "fit", "gelu", "grad", "greater", "hessian", "hvp",
    "jacobian", "jvp", "leaky_relu", "less", "linalg", "log", "log_softmax", "logsigmoid", "logsumexp", "matmul",
    "max", "max_pool2d", "maximum", "mean", "min", "minimum", "mse", "nn", "norm", "optim", "relu", "reshape",
    "rules", "scan", "sigmoid", "sign", "sin", "softmax", "softmax_cross_entropy", "softplus", "sqrt", "square",
    "stack", "std", "stop_gradient", "sum", "take", "tan", "tangents", "tanh", "topological_order", "train",
    "transpose", "value_and_grad", "var", "vjp", "vmap", "where",
]  # fmt: skip
__version__ = "0.1.0"

hooks.add({"compile": "minigrad.compiler.step:compile", "compile_graph": "minigrad.compiler.function:compile_graph"})


def __dir__() -> list[str]:
    return sorted({*__all__, *hooks.NAMES})  # what `mg.<Tab>` lists; NumPy's names and rows arrive by `hooks.find`


hooks.explain(globals())
hooks.bring()
