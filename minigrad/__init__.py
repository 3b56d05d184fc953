"""minigrad: automatic differentiation to read, to look at, and to train with.

The rooms, in the order in which a newcomer reads them: operation (what an operation is), rules (the derivative table),
ops (array operations), operand (how they meet Python and NumPy), dual (forward mode), graph (reverse mode),
functional (derivatives of functions).
"""

from minigrad import rules
from minigrad.dual import Dual, derivative, jvp
from minigrad.functional import grad, hessian, hvp, jacobian, value_and_grad, vjp
from minigrad.graph import Constant, Graph, Node, Operator, Variable, adjoints, tangents, topological_order
from minigrad.ops.linalg import matmul
from minigrad.ops.loss import mse, softmax_cross_entropy
from minigrad.ops.reduce import log_softmax, logsumexp, max, mean, min, softmax, sum
from minigrad.ops.shape import (
    broadcast_to, cast, concatenate, expand_dims, reshape, squeeze, stack, swapaxes, transpose,
)  # fmt: skip
from minigrad.rules import (
    abs, add, arccos, arcsin, arctan, clip, cos, cosh, div, equal, exp, expm1, gelu, greater, greater_equal, identity,
    leaky_relu, less, less_equal, log, log1p, logsigmoid, maximum, minimum, mul, neg, not_equal, pow, relu, sigmoid,
    sign, sin, sinh, softplus, sqrt, square, stop_gradient, sub, tan, tanh, where,
)  # fmt: skip

__version__ = "0.1.0"
