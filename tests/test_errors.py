"""A learner's mistake gets a sentence: what was wrong, with which shapes, on which line, and what to try.

One table: the mistake, what it raises, and words that must be in the sentence. HERE stands for the line in this file
that made the mistake; it must be named where the error does not rise from that line itself, or where the operation that
failed is a node of a graph.
"""

import itertools
import math
import os
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.operation import Operation
from minigrad.core.rules import rule
from minigrad.loops.scan import scan
from minigrad.ops import conv, loss, matmul, pool, reduce
from minigrad.ops.pad import pad
from minigrad_course.check import check_gradients
from tests.fresh import printed

HERE = "test_errors.py, line "
V, C, D = mg.Variable, mg.Constant, mg.Dual


class Mistake(NamedTuple):
    """A learner's mistake, the exception that it raises, and words of its sentence."""

    what: str
    do: Callable[[], object]
    error: type[Exception]
    words: tuple[str, ...]


def v(*shape):
    return V(np.ones(shape))


def d(*shape):
    return D(np.ones(shape), np.ones(shape))


def bad(what, do, error, *words):
    return Mistake(what, do, error, words)


def assign(node, value):
    node.value = value


def put(node, key, value):
    node[key] = value


def rewired():
    x = V(1.0)
    a = mg.sin(x)
    b = mg.cos(a)
    a.inputs = (b,)
    return b


def shaped(shape):
    """A label array that is out of range only when the graph runs again."""
    labels = C(np.array([0, 1]))
    graph = mg.Graph(mg.softmax_cross_entropy(v(2, 3), labels))
    labels.value = np.array([0, 9])
    return graph


def picked():
    """The same for the number of a row."""
    rows = C(np.array([0, 1]))
    graph = mg.Graph(mg.sum(v(3, 2)[rows]))
    rows.value = np.array([0, 9])
    return graph


def late():
    """A loss of which a variable was changed before it is differentiated."""
    x = V(3.0)
    loss = x * x
    x.value = 2.0
    return loss


class Labelled:
    """Data of six rows and 3 classes, one label of which is wrong."""

    def __init__(self, row, label):
        self.train_x = self.test_x = np.ones((6, 2), np.float32)
        self.train_y = self.test_y = np.where(np.arange(6) == row, label, np.arange(6) % 3)


def fitted(data):
    return mg.fit(mg.nn.Linear(2, 3, rng=0), data, 1, 3, mg.optim.SGD(0.1), rng=0)


def optimizer(equations):
    """An optimizer that somebody is about to write."""
    return type("Mine", (mg.optim.Optimizer,), {"equations": lambda self, *inputs: equations(*inputs)})(0.1)


def stepped(equations):
    optimizer(equations).step([v(3)])


def compiled(equations=lambda value, grad, rates, kept: (value - grad, {}), gradients=None):
    x = np.ones((4, 2), np.float32)
    mg.compile(mg.nn.Linear(2, 2, rng=0), mg.nn.mse, optimizer(equations), x, x, gradients=gradients)


def own(**methods):
    """An operation that somebody is about to write."""
    return type("Mine", (Operation,), {"name": "mine", **methods})


def doubled(self, a, out=None):
    return np.multiply(a, 2, out=out)


def summed(self, i, adjoint, v, a):
    return mg.sum(adjoint, 0)


def rerun(kind):
    mg.Graph(kind()(v(3))).forward()


BROADCAST = "read from the right, each pair of sizes must be equal or one of them 1"

NUMBERLESS = {
    "the module numpy": np, "the function len itself: call it first": len, "the class int": int, "a dict": {"a": 1},
    "a set": {1, 2}, "the text '3'": "3", "None": None, "a Linear": mg.nn.Linear(2, 2), "a list of texts": ["a"],
    "rows of unequal lengths": [[1], [1, 2]],
}  # fmt: skip
TAKES_NUMBERS = {
    "a Variable": V, "a Constant": C, "a Dual": D, "an input": mg.sin, "a factor": lambda x: x * v(2),
    "where to differentiate": lambda x: mg.derivative(mg.sin, x),
}  # fmt: skip

MISTAKES = {
    "shapes that do not fit": [
        bad("a + b", lambda: v(2) + v(3), ValueError, "add cannot take", "(2,)", "(3,)", BROADCAST, HERE),
        bad("a * array", lambda: v(2, 3) * np.ones(2), ValueError, "mul cannot take", "(2, 3)", "(2,)", HERE),
        bad("array / a", lambda: np.ones(4) / v(3), ValueError, "div cannot take", "(4,)", "(3,)", HERE),
        bad("dual - dual", lambda: d(2) - d(3), ValueError, "sub cannot take", "(2,)", "(3,)", HERE),
        bad("maximum", lambda: mg.maximum(v(2), v(3)), ValueError, "maximum cannot take", "(2,)", "(3,)", HERE),
        bad("where", lambda: mg.where(v(2) > 0, v(3), 0.0), ValueError, "where cannot take", "(3,)", HERE),
        bad("leaky_relu", lambda: mg.leaky_relu(v(2), v(3)), ValueError, "leaky_relu cannot take", HERE),
        bad("plain arrays", lambda: mg.pow(np.ones(2), np.ones(3)), ValueError, "pow cannot take", BROADCAST, HERE),
        bad("a @ b", lambda: v(2, 3) @ v(2, 3), ValueError, "matmul cannot take", "(2, 3)",
            "The inner sizes must be equal, here 3 and 2", "(.T) would fit", HERE),
        bad("a @ vector", lambda: v(2, 3) @ v(4), ValueError, "matmul cannot take", "(4,)", "here 3 and 4", HERE),
        bad("vector @ a", lambda: v(3) @ v(7, 7), ValueError, "matmul cannot take", "(3,)", "here 3 and 7", HERE),
        bad("a @ number", lambda: v(2, 3) @ 2.0, ValueError, "matmul needs vectors or matrices", "(2, 3)", "use *"),
        bad("batches of matrices", lambda: v(2, 3, 4) @ v(3, 4, 5), ValueError, "matmul cannot take",
            "must broadcast, here (2,) and (3,)", HERE),
        bad("dot", lambda: matmul.dot(v(2, 3), v(2, 4, 5)), ValueError, "dot", "(2, 3)", "(2, 4, 5)"),
        bad("reshape", lambda: v(6).reshape(4, 2), ValueError, "reshape cannot take", "(6,)",
            "6 entries do not fill the shape (4, 2)", HERE),
        bad("reshape to -1 twice", lambda: v(6).reshape(-1, -1), ValueError, "reshape", "not several", "(-1, -1)"),
        bad("broadcast_to", lambda: mg.broadcast_to(v(3), (2,)), ValueError, "broadcast_to", "(3,)", "(2,)", HERE),
        bad("transpose", lambda: mg.transpose(v(2, 3), (0, 0)), ValueError, "transpose", "each of the 2 axes once"),
        bad("squeeze", lambda: mg.squeeze(v(3, 1), 0), ValueError, "squeeze", "axis 0 has size 3", "(3, 1)"),
        bad("concatenate", lambda: mg.concatenate([v(2, 3), v(2, 2)]), ValueError, "concatenate cannot take",
            "(2, 3)", "(2, 2)", "All sizes but the one along axis 0 must be equal", HERE),
        bad("concatenate numbers", lambda: mg.concatenate([V(1.0), V(2.0)]), ValueError, "concatenate", "Try stack"),
        bad("concatenate nothing", lambda: mg.concatenate([]), ValueError, "concatenate needs at least one input"),
        bad("stack", lambda: mg.stack([v(2), v(3)]), ValueError, "stack needs inputs of one shape", "(2,)", "(3,)"),
        bad("sum, keepdims by place", lambda: np.sum(v(2, 3), True), ValueError, "axis True does not exist"),
        bad("sign of conditions", lambda: np.sign(v(2) > 0), TypeError, "sign cannot take bool of shape (2,)", HERE),
        bad("conditions less conditions", lambda: (v(2) > 0) - (v(2) > 1), TypeError, "Conditions have ~, &,", HERE),
        bad("mean in integers", lambda: np.mean(v(3), dtype=int), TypeError, "a mean", "float64, not int64"),
        bad("clip twice", lambda: np.clip(v(3), 0, 1, min=2), ValueError, "a_min and a_max, or min and max"),
        bad("stack nothing", lambda: mg.stack([]), ValueError, "stack", "at least one"),
        bad("mse", lambda: mg.mse(v(3), v(3, 1)), ValueError, "mse needs two equal shapes", "(3,)", "(3, 1)"),
        bad("pad", lambda: pad(v(2, 3), ((1, 1), (0, 0), (2, 2))), ValueError, "pad", "each of the 2 axes"),
        bad("pad by less than nothing", lambda: pad(v(2), -1), ValueError, "an int of at least 0"),
        bad("pad by a half", lambda: pad(v(2), 0.5), ValueError, "got 0.5"),
        bad("tangent", lambda: D(np.ones(3), np.ones(2)), ValueError, "tangent", "(3,)", "(2,)"),
        bad("jvp", lambda: mg.jvp(mg.sin, (np.ones(3),), (np.ones(2),)), ValueError, "tangent", "(3,)", "(2,)"),
        bad("hvp", lambda: mg.hvp(mg.sum, np.ones(3), np.ones(2)), ValueError, "hvp", "(3,)", "(2,)"),
        bad("seed", lambda: (v(3) * 2).backward(np.ones(2)), ValueError, "seed", "(3,)", "(2,)"),
        bad("node as a seed", lambda: mg.adjoints(v(3) * 2, [], v(2)), ValueError, "seed", "(3,)", "(2,)"),
    ],
    "axes and places that do not exist": [
        bad("sum", lambda: mg.sum(v(2, 3), 2), ValueError, "axis 2 does not exist", "2 axes"),
        bad("sum over an axis twice", lambda: mg.sum(v(2, 3), (0, -2)), ValueError, "(0, -2)", "twice"),
        bad("sum over half an axis", lambda: mg.sum(v(2, 3), 1.5), ValueError, "axis 1.5 does not exist"),
        bad("half an axis of a number", lambda: mg.sum(V(2.0), 0.0), ValueError, "axis 0.0 does not exist", "0 axes"),
        bad("concatenate", lambda: mg.concatenate([v(2), v(2)], axis=1), ValueError, "axis 1 does not exist"),
        bad("stack", lambda: mg.stack([v(2), v(2)], axis=3), ValueError, "axis 3 does not exist"),
        bad("expand_dims", lambda: mg.expand_dims(v(2), 3), ValueError, "axis 3 does not exist"),
        bad("transpose", lambda: mg.transpose(v(2, 3), (0, 2)), ValueError, "axis 2 does not exist"),
        bad("swapaxes", lambda: mg.swapaxes(v(2, 3), 0, 5), ValueError, "axis 5 is out of bounds", "2"),
        bad("index too large", lambda: v(3)[7], IndexError, "index cannot take", "(3,)", "7 is out of bounds", HERE),
        bad("too many indices", lambda: v(3)[0, 0], IndexError, "index cannot take", "(3,)", "2 were indexed", HERE),
        bad("half an index", lambda: v(3)[1.5], IndexError, "index cannot take", "only integers, slices", HERE),
        bad("dual index", lambda: d(3)[7], IndexError, "index cannot take", "7 is out of bounds", HERE),
        bad("a float node as an index", lambda: v(3)[v(1)], TypeError, "integers", "a Variable that holds float64",
            "mg.Constant(np.array([2, 0])) picks rows", "mg.cast(node, np.int64)"),
        bad("a dual number as an index", lambda: v(3)[D(1.0)], TypeError, "made of integers", "a Dual that holds"),
        bad("a condition as an index", lambda: v(3)[v(3) > 0], TypeError, "a condition", "mg.where(condition, a, 0)"),
        bad("a node among indices", lambda: v(3, 3)[1:, C(np.array([0]))], TypeError, "a[:, indices]"),
        bad("a row too large", lambda: v(5, 2)[C(np.array([0, 7]))], IndexError, "There is no row 7 in a table of 5",
            "entry [1]", "0 to 4", HERE),
        bad("a row too far from the end", lambda: mg.take(v(5), -6), IndexError, "no row -6", "-5 to -1", HERE),
        bad("a row that is wrong on rerun", lambda: picked().forward(), IndexError, "no row 9 in a table of 3"),
        bad("rows by floats", lambda: mg.take(v(5), [0.0, 1.0]), TypeError, "integers", "float64", "mg.cast"),
        bad("an array by a node", lambda: np.ones(3)[C(np.array([0]))], TypeError, "index", "mg.take(table, indices)"),
        bad("length of a number", lambda: len(V(3.0)), TypeError, "a single number has no length", "Variable"),
        bad("loop over a number", lambda: list(D(3.0)), TypeError, "a single number has no length", "Dual"),
    ],
    "nothing to compute": [
        bad("max of nothing", lambda: mg.max(v(0)), ValueError, "max cannot take", "no largest entry", HERE),
        bad("min of nothing", lambda: mg.min(v(2, 0), 1), ValueError, "no largest entry", HERE),
        bad("mean of nothing", lambda: mg.mean(v(0)), ValueError, "mean of no numbers", "(0,)"),
        bad("var of one", lambda: reduce.var(v(1), ddof=1), ValueError, "var of 1 numbers", "ddof=1", "(1,)"),
        bad("var of nothing", lambda: reduce.var(v(0, 2), 0), ValueError, "var of 0 numbers"),
        bad("binary loss of nothing", lambda: loss.binary_cross_entropy_with_logits(v(0), np.zeros(0)), ValueError,
            "of no numbers"),
        bad("empty batch", lambda: mg.softmax_cross_entropy(v(0, 3), np.zeros(0, int)), ValueError, "batch is empty"),
        bad("no arguments", lambda: mg.grad(lambda x: 1.0)(None), ValueError, "nothing to differentiate by"),
        bad("no variable", lambda: (C(2.0) * 3).backward(), ValueError, "depends on no Variable"),
    ],
    "losses and images": [
        bad("label too large", lambda: mg.softmax_cross_entropy(v(2, 3), np.array([0, 3])), ValueError,
            "softmax_cross_entropy cannot take", "The label in row 1 is 3", "integers from 0 to 2", "3 columns", HERE),
        bad("label negative", lambda: mg.softmax_cross_entropy(v(2, 3), np.array([0, -1])), ValueError,
            "The label in row 1 is -1", "Labels are integers from 0 to 2", HERE),
        bad("label too large in fit", lambda: fitted(Labelled(2, 7)), ValueError, "The label in row ", " is 7",
            "Labels are integers from 0 to 2"),
        bad("data as a pair", lambda: fitted((np.ones((3, 2)), np.zeros(3, int))), TypeError, "fit takes data with",
            "a tuple has no train_x", "mg.data.Data"),
        bad("labels that are floats", lambda: mg.softmax_cross_entropy(v(2, 3), np.array([0.0, 1.0])), ValueError,
            "n integer labels", "float64"),
        bad("complex logits", lambda: mg.softmax_cross_entropy(np.ones((2, 3), complex), np.array([0, 1])), TypeError,
            "not in complex128"),
        bad("too few labels", lambda: mg.softmax_cross_entropy(v(2, 3), np.array([0])), ValueError, "(2, 3)", "(1,)"),
        bad("targets", lambda: loss.binary_cross_entropy_with_logits(v(2), np.ones(3)), ValueError, "(2,)", "(3,)"),
        bad("channels", lambda: conv.conv2d(v(1, 3, 5, 5), v(2, 1, 3, 3)), ValueError, "conv2d cannot take",
            "float64 of shape (1, 3, 5, 5) and float64 of shape (2, 1, 3, 3).",
            "The images have 3 channels, and the filters expect 1", HERE),
        bad("filter too large", lambda: conv.conv2d(v(1, 1, 2, 2), v(1, 1, 3, 3)), ValueError,
            "reach over 3 x 3 pixels", "Try a larger padding", HERE),
        bad("image without batch", lambda: conv.conv2d(v(5, 5), v(1, 1, 3, 3)), ValueError, "conv2d cannot take",
            "(images, channels, rows, columns)", HERE),
        bad("bias", lambda: conv.conv2d(v(1, 1, 5, 5), v(2, 1, 3, 3), v(3)), ValueError, "conv2d", "bias",
            "one number for each of the 2 filters", "(3,)"),
        bad("stride", lambda: conv.conv2d(v(1, 1, 5, 5), v(2, 1, 3, 3), stride=0), ValueError, "stride", "got 0"),
        bad("window", lambda: pool.max_pool2d(v(1, 1, 2, 2), 3), ValueError, "max_pool2d", "window of 3 x 3", HERE),
    ],
    "what holds no numbers": [
        bad(f"{what} as {place}", lambda do=do, x=x: do(x), (TypeError, ValueError), what)
        for place, do in TAKES_NUMBERS.items()
        for what, x in NUMBERLESS.items()
    ],
    "what is no number, or no float": [
        bad("a Variable of integers", lambda: V(np.arange(3)), TypeError, "float32 or float64", "int64", "(3,)",
            ".astype(np.float32)", "mg.Constant"),
        bad("a Variable of objects", lambda: V(np.array([1, None])), TypeError, "real numbers", "ndarray of objects"),
        bad("a Variable of complex numbers", lambda: V(1j), TypeError, "real numbers", "complex128"),
        bad("a Variable of a node", lambda: V(V(1.0) * 2), TypeError, "a Variable starts a graph", ".value"),
        bad("a Constant of objects", lambda: C([None]), TypeError, "real numbers", "a list of objects, of shape (1,)"),
        bad("a Constant of unequal rows", lambda: C([[1], [1, 2]]), ValueError, "one array", "rows of unequal lengths"),
        bad("a Variable of unequal rows", lambda: V([[1], [1, 2]]), ValueError, "one array", "unequal lengths"),
        bad("a value of unequal rows", lambda: assign(v(2, 2), [[1], [1, 2]]), ValueError, "rows of unequal lengths"),
        bad("an array of text", lambda: assign(v(40), np.full(40, "a")), TypeError, "real numbers", "of shape (40,)"),
        bad("a Dual of integers", lambda: D(np.arange(3)), TypeError, "float32 or float64", ".astype(np.float64)"),
        bad("a + None", lambda: v(3) + None, TypeError, "numbers", "None"),
        bad("a + text", lambda: v(3) + "b", TypeError, "numbers", "'b'"),
        bad("dual + None", lambda: d(3) + None, TypeError, "add cannot take", "NoneType", HERE),
        bad("grad by integers", lambda: mg.grad(mg.sum)(np.arange(3)), TypeError, "float32 or float64"),
        bad("value of text", lambda: assign(V(1.0), "two"), TypeError, "cannot take", "'two'"),
        bad("value of None", lambda: assign(V(1.0), None), TypeError, "cannot take", "None"),
        bad("value of complex", lambda: assign(V(1.0), 1j), TypeError, "cannot take", "complex128"),
        bad("floats into integers", lambda: assign(C(np.array([1, 2])), [0.5, 1.5]), TypeError, "int64", "float64"),
        bad("300 into int8", lambda: assign(C(np.array([1, 2], np.int8)), [1, 300]), ValueError, "holds int8",
            "from -128 to 127", "cannot take 300", "Build the graph with int64"),
        bad("-1 into a number of uint8", lambda: assign(C(np.uint8(3)), -1), ValueError, "from 0 to 255", "take -1"),
        bad("integers into conditions", lambda: assign(C(np.array([True, False])), [1, 0]), TypeError, "bool", "int64"),
        bad("dropout of integers", lambda: mg.nn.Dropout(0.2)(C(np.arange(6))), TypeError, "the others by 1.25",
            "float32 or float64", "got int64 of shape (6,)", "mg.cast(x, np.float32)"),
    ],
    "an output that is no single number": [
        bad("backward", lambda: (v(3) * 2).backward(), ValueError, "(3,)", "Take sum() or mean() first", "seed"),
        bad("adjoints", lambda: mg.adjoints(v(3) * 2, []), ValueError, "(3,)", "sum() or mean()"),
        bad("grad of an array", lambda: mg.grad(lambda x: x * 2)(np.ones(3)), ValueError, "grad", "(3,)", "Try sum()"),
        bad("grad of a tuple", lambda: mg.grad(lambda x: (x, x))(1.0), ValueError, "grad", "got tuple"),
        bad("grad of None", lambda: mg.grad(lambda x: None)(1.0), ValueError, "grad", "got NoneType"),
        bad("grad of text", lambda: mg.grad(lambda x: "y")(1.0), ValueError, "grad", "got str"),
        bad("hvp", lambda: mg.hvp(lambda x: [mg.sum(x)], np.ones(2), np.ones(2)), ValueError, "hvp", "got list"),
        bad("hessian", lambda: mg.hessian(lambda x: x * x)(np.ones(2)), ValueError, "(2,)", "sum()"),
    ],
    "Python's habits": [
        bad("if node", lambda: 1 if V(1.0) > 0 else 2, TypeError, "`if`", "mg.where(condition, a, b)", ".value"),
        bad("node == number", lambda: V(1.0) == 1.0, TypeError, "one and the same node", "mg.equal"),
        bad("while node", lambda: [None for _ in iter(lambda: bool(V(1.0)), False)], TypeError, "`while`", "mg.where"),
        bad("a < x < b", lambda: 0 < V(1.0) < 2, TypeError, "`if`", "mg.where"),
        bad("node and node", lambda: V(1.0) and V(2.0), TypeError, "decided once"),
        bad("item assignment", lambda: put(v(3), 0, 1.0), TypeError, "changed in place", "mg.where", "mg.concatenate"),
        bad("item assignment, dual", lambda: put(d(3), 0, 1.0), TypeError, "Dual", "changed in place"),
        bad("float(node)", lambda: float(V(1.0)), TypeError, "float()", "lose the derivative", "np.sin", ".value"),
        bad("math.sin(node)", lambda: math.sin(V(1.0)), TypeError, "functions of math", "np.sin", "mg.sin"),
        bad("math.sin(dual)", lambda: math.sin(D(1.0, 1.0)), TypeError, "functions of math", "Dual"),
        bad("np.array(node)", lambda: np.array(v(3)), TypeError, "lose its derivative", ".value", "mg.stack"),
        bad("np.array of nodes", lambda: np.array([V(1.0), V(2.0)]), TypeError, "lose its derivative", "mg.stack"),
        bad("array += node", lambda: np.ones(3).__iadd__(v(3)), TypeError, "array += node", "array = array + node"),
        bad("np.sin with out", lambda: np.sin(v(3), out=np.ones(3)), TypeError, "np.sin with out=", "a Variable"),
        bad("a format of an array", lambda: f"{v(3):.3f}", TypeError, "for a single number", "(3,)", "np.round"),
        bad("builtin max", lambda: max(V(1.0), 0.0), TypeError, "max, min", "mg.maximum and mg.minimum"),
        bad("x & y", lambda: v(3) & v(3), TypeError, "`&` of numbers has no derivative", "a Variable of float64",
            "(x > 0) & (x < 1)"),
        bad("~x", lambda: ~v(3), TypeError, "`~`", "logical not"),
        bad("x ^ 2", lambda: v(3) ^ 2, TypeError, "`^`", "For a power write a ** b"),
        bad("np.linalg.lstsq", lambda: np.linalg.lstsq(v(3, 3), np.ones(3)), TypeError, "np.linalg.lstsq has",
            "np.linalg.solve(a.T @ a, a.T @ b)"),
        bad("np.unique inside grad", lambda: mg.grad(lambda x: mg.sum(np.unique(x)))(np.ones(3)), TypeError,
            "np.unique", "cannot take an Argument", "a graph has one shape", "np.sort"),
        bad("np.nonzero", lambda: np.nonzero(v(3)), TypeError, "np.nonzero", "mg.where(condition, a, 0)"),
        bad("np.where alone", lambda: np.where(v(3) > 0), TypeError, "np.where of a condition alone", "Give both"),
        bad("a.sort()", lambda: v(3).sort(), AttributeError, "Variable has no attribute 'sort'", "in place", "mg.sort"),
        bad("a.nonzero()", lambda: v(3).nonzero(), AttributeError, "which NumPy's arrays have", ".value"),
        bad("a singular matrix", lambda: np.linalg.solve(v(2, 2), np.ones(2)), ValueError, "solve cannot take",
            "singular", HERE),
        bad("inv of a row", lambda: np.linalg.inv(v(2, 3)), ValueError, "inv takes square matrices", "(2, 3)"),
        bad("np.sum of more", lambda: np.sum(v(2), initial=1.0), TypeError, "np.sum with initial= does not work on a"),
        bad("np.pad by means", lambda: np.pad(v(2), 1, mode="mean"), TypeError, "constant_values=a number"),
        bad("np.pad with two", lambda: np.pad(v(2), 1, constant_values=(1, 2)), TypeError, "constant_values=a number"),
        bad("np.linalg.cond", lambda: np.linalg.cond(v(2, 2)), TypeError, "singular values", "np.linalg.norm(a)"),
        bad("np.linalg.eigh", lambda: np.linalg.eigh(v(2, 2)), TypeError, "eigh has no derivative", "np.trace(a)"),
        bad("a spectral norm", lambda: np.linalg.norm(v(2, 2), 2), TypeError, "norm has no ord=2", "sum of squares"),
        bad("einsum, sizes", lambda: np.einsum("ij,jk", v(2, 3), v(2, 3)), ValueError, "'j' has the sizes 3 and 2"),
        bad("einsum, axes", lambda: np.einsum("ij,j", v(2), v(2)), ValueError, "names 2 axes", "(2,)"),
        bad("split", lambda: np.split(v(5), 2), ValueError, "(5,)", "equal parts", "array_split"),
        bad("a place too far", lambda: np.take_along_axis(v(2, 2), np.array([[2], [0]]), 1), IndexError, HERE),
        bad("places as floats", lambda: np.take_along_axis(v(2), np.ones(1), 0), TypeError, "integers", "float64"),
        bad("argmax of nothing", lambda: np.argmax(v(0)), ValueError, "no largest entry", HERE),
        bad("a list for grad", lambda: mg.grad(lambda x: mg.sum(x * x))([1.0, 2.0]), TypeError, "grad hands a list",
            "np.array([1.0, 2.0])"),
        bad("a list for jacobian", lambda: mg.jacobian(lambda x: x * x)([1.0, 2.0]), TypeError, "Give an array"),
        bad("np.add.reduce", lambda: np.add.reduce(v(3)), TypeError, "np.add.reduce", "no derivative"),
        bad("np.frexp", lambda: np.frexp(v(3)), TypeError, "np.frexp has no derivative", "mg.rules.TABLE"),
        bad("np.sum with where", lambda: np.sum(v(3), where=np.ones(3, bool)), TypeError, "np.sum with where=",
            "It takes a, axis, dtype, keepdims"),
        bad("grad of an operator", lambda: (V(1.0) * 2).grad, AttributeError, "only a Variable", ".adjoint"),
    ],
    "graphs": [
        bad("another shape on rerun", lambda: assign(v(3), np.ones(2)), ValueError, "keeps its shape (3,)", "(2,)",
            "Build a new graph"),
        bad("a step between forward and backward", lambda: late().backward(), RuntimeError, "was changed after mul",
            "Compute the output again", HERE),
        bad("cycle", lambda: mg.topological_order(rewired()), ValueError, "cycle", "depends on itself"),
        bad("cycle in backward", lambda: rewired().backward(), ValueError, "cycle"),
        bad("a label that is wrong on rerun", lambda: shaped(2).forward(), ValueError, "The label in row 1 is 9"),
        bad("a graph of a number", lambda: mg.Graph(3.0), TypeError, "built from a node", "float", "3.0"),
        bad("a graph of a dual number", lambda: mg.Graph(D(3.0)), TypeError, "built from a node", "Dual"),
        bad("adjoints by a number", lambda: mg.adjoints(V(1.0), [3.0]), TypeError, "adjoints needs nodes", "float"),
        bad("adjoints of a number", lambda: mg.adjoints(3.0, [V(1.0)]), TypeError, "adjoints needs nodes", "float"),
    ],
    "optimizers": [
        bad("parameters first", lambda: mg.optim.SGD([v(3)], 0.1), TypeError, "SGD takes the learning rate first",
            "optimizer.step(model.parameters())", "Got a list"),
        bad("parameters first, lr by name", lambda: mg.optim.Adam([v(3)], lr=0.1), TypeError, "Adam(0.01)", "a list"),
        bad("the model first", lambda: mg.optim.SGD(mg.nn.Linear(2, 2), lr=0.1), TypeError, "Got a Linear"),
        bad("a rate of 0", lambda: mg.optim.SGD(0), ValueError, "the learning rate is a finite number above 0, got 0"),
        *(bad(f"{name}, {mode}", lambda way=way, equations=equations: way(equations), error, *words)
          for mode, way in {"eager": stepped, "compiled": compiled}.items()
          for name, equations, error, *words in (
            ("equations without kept arrays", lambda value, grad, rates, kept: value - grad, TypeError,
             "Mine.equations returns two things", "got an Operator"),
            ("a new value of another shape", lambda value, grad, rates, kept: (mg.sum(value), {}), TypeError,
             "the new value is a node of shape", "got shape ()"),
            ("a new value that is a number", lambda value, grad, rates, kept: (0.5, {}), TypeError, "got a float"),
            ("a kept array that there is not", lambda value, grad, rates, kept: (value - grad, {3: grad}), ValueError,
             "changes kept array 3, and keeps 1", "`arrays` in the class"),
          )),
        bad("gradients= without one", lambda: compiled(gradients=lambda grads: grads[:1]), ValueError, "as many"),
        bad("gradients= that returns nothing", lambda: compiled(gradients=lambda grads: None), TypeError, "NoneType"),
        bad("gradients= that returns arrays", lambda: compiled(gradients=lambda grads: [g.value for g in grads]),
            TypeError, "returns nodes", "the same in every step", "mg.Constant(array)"),
    ],
    "operations of one's own": [
        bad("a word that no value knows", lambda: rule("softplus(a)", "1", name="mine")(1.0), NameError, "the row mine",
            "uses softplus", "Rows of the table are for partial derivatives"),
        bad("a constant by its name", lambda: rule("sin(pi * a)", "1", name="mine")(1.0), NameError, "uses pi",
            "with constants as numbers"),
        bad("an input without a partial", lambda: rule("a * b", "b", name="mine")(1.0), NameError, "uses b",
            "as many inputs as there are partial derivatives"),
        bad("a word that no partial knows", lambda: mg.derivative(rule("sin(a)", "math.cos(a)"), 1.0), NameError,
            "uses math", "rows of the table"),
        bad("no value", lambda: own()()(v(3)), TypeError, "mine cannot take", "no value(self, *inputs", HERE),
        bad("no vjp", lambda: mg.grad(own(value=doubled)())(1.0), TypeError, "mine has no vjp(self, i, adjoint"),
        bad("value without out", lambda: rerun(own(value=lambda self, a: 2 * a)), TypeError, "argument 'out'"),
        bad("value that leaves out", lambda: rerun(own(value=lambda self, a, out=None: 2 * a)), TypeError,
            "mine.value gave a new array", "fill it"),
        bad("a derivative of another shape", lambda: mg.sum(own(value=doubled, vjp=summed)()(v(2, 3))).backward(),
            ValueError, "a vjp gave a derivative of shape (3,) for an input of shape (2, 3)"),
    ],
    "calls": [
        bad("too many inputs", lambda: mg.sin(v(3), 2.0), ValueError, "sin cannot take", "It takes 1 input", HERE),
        bad("too few inputs", lambda: mg.where(v(3), 2.0), TypeError, "where cannot take", "It takes 3 inputs", HERE),
        bad("argnums", lambda: mg.grad(mg.sin, argnums=1)(1.0), ValueError, "argument 1", "only 1 were given"),
        bad("jvp, few tangents", lambda: mg.jvp(mg.mul, (1.0, 2.0), (1.0,)), ValueError, "tuple of 2", "tuple of 1"),
        bad("jvp, one for two", lambda: mg.jvp(mg.mul, (1.0, 2.0), 1.0), ValueError, "tuple of 2", "single number"),
        bad("derivative, a list", lambda: mg.derivative(mg.sin, [1.0, 2.0]), TypeError, "got a list", "np.array"),
        bad("hvp, too few directions", lambda: mg.hvp(lambda x: x[0] * x[1], (1.0, 2.0), (1.0,)), ValueError,
            "hvp", "tuple of 2", "tuple of 1"),
        bad("vjp, few adjoints", lambda: mg.vjp(lambda x: (x, x), 1.0)[1](1.0), ValueError, "tuple of 2", "single"),
        bad("jacobian", lambda: mg.jacobian(mg.sin, mode="sideways"), ValueError, '"forward"', '"reverse"', "sideways"),
        bad("jacobian by nothing", lambda: mg.jacobian(mg.sin)(None), ValueError, "jacobian has nothing to differ"),
        bad("jacobian by integers", lambda: mg.jacobian(mg.sin)(np.arange(3)), TypeError, "float32 or float64"),
        bad("scan without xs", lambda: scan(lambda h, x: (h, h), (), 1.0), ValueError, "scan needs xs"),
        bad("scan, another state", lambda: scan(lambda h, x: (mg.stack([h, h]), h), np.ones(3), 1.0), ValueError,
            "keeps the state's shape", "()", "(2,)"),
        bad("scan, checkpoint", lambda: scan(lambda h, x: (h, h), np.ones(3), 1.0, "some"), ValueError, "'some'"),
        bad("check of integers", lambda: check_gradients(mg.sin, 3), TypeError, "write 3.0 instead of 3"),
        bad("a name that is not there", lambda: mg.sine, AttributeError, "'sine'"),
    ],
}  # fmt: skip


def explain(case):
    """Describe the fault in a mistake's error; return "" if it is as required."""
    try:
        with np.errstate(all="ignore"):
            result = case.do()
    except case.error as error:
        text = str(error)
        missing = [word for word in case.words if word not in text]
        faults = [f"does not say {missing}"] if missing else []
        if "\n" in text or len(text) > 700:
            faults.append("is not one sentence")
        # A word that begins with an underscore is in no documentation. (The learner's own line may hold any.)
        if re.search(r"(?<![A-Za-z0-9_])_+[A-Za-z]", text.split(HERE)[0]):
            faults.append("has a private name")
        return f"{case.what}: {'; '.join(faults)}: {text}" if faults else None
    except Exception as error:
        return f"{case.what}: {type(error).__name__} instead of {case.error.__name__}: {error}"
    return f"{case.what}: no error, but {result!r}"


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_is_told_in_a_sentence(kind, record_property):
    """The right exception, with the operation, the shapes, the line and the advice that the table asks for."""
    faults = [fault for fault in map(explain, MISTAKES[kind]) if fault]
    record_property("count: error cases", len(MISTAKES[kind]))
    assert not faults, "\n".join(["", *faults])


def test_there_are_enough_cases():
    assert sum(map(len, MISTAKES.values())) >= 80


def test_numbers_are_formatted_like_numbers():
    assert f"{V(2.0) / 3:.3f}" == f"{D(2.0, 1.0) / 3:.3f}" == "0.667"
    assert f"{C(np.array(7)):04d}" == "0007"
    assert f"{V(1.0)}" == "<Variable 1.0>"
    shown = []
    mg.grad(lambda x: shown.append(f"{x:.2f}") or mg.grad(lambda y: shown.append(f"{y:.1f}") or y * y)(x))(1.5)
    mg.derivative(lambda x: mg.grad(lambda y: shown.append(f"{y:.1e}") or y * y)(x), 1.5)
    assert shown == ["1.50", "1.5", "1.5e+00"]


# What a table of calls cannot say --------------------------------------------------------------------------------


def test_the_line_is_the_learner_s():
    """softmax is made of several operations. The error names the line that called softmax, not one of minigrad's."""
    with pytest.raises(ValueError) as caught:
        mg.mean(v(2) + mg.sum(v(2, 3), 0))  # a mistake of mine
    assert str(caught.value).endswith("`mg.mean(v(2) + mg.sum(v(2, 3), 0))  # a mistake of mine`")


def test_an_error_in_a_cell_counts_its_lines():
    code = compile("\n\nx = mg.Variable([1.0, 2.0]) + mg.Variable([1.0, 2.0, 3.0])", "<ipython-input-1>", "exec")
    with pytest.raises(ValueError, match="At line 3 of your cell"):
        exec(code, {"mg": mg})


def test_an_error_in_a_derivative_names_the_operation():
    """vjp and jvp are made of operations too; what they refuse is told in the same way."""

    class Odd(mg.rules.Rule.__mro__[1]):
        name = "odd"

        def value(self, a, out=None):
            return a * 2

        def vjp(self, i, adjoint, v, a):
            return adjoint @ np.ones((5, 5))

    with pytest.raises(ValueError, match="matmul cannot take"):
        (Odd()(v(2, 3)) * 2).backward(np.ones((2, 3)))


def test_a_graph_is_unharmed_by_an_error():
    """After a mistake, the next run with right numbers is right."""
    graph = shaped(2)
    labels = next(node for node in graph.nodes if isinstance(node, C))
    with pytest.raises(ValueError):
        graph.forward()
    labels.value = np.array([2, 1])
    assert graph.forward() == pytest.approx(math.log(3))


def test_importing_minigrad_imports_nothing_optional():
    """So that no optional package is missed before it is needed."""
    optional = ["torch", "matplotlib", "numba", "scipy", "IPython", "graphviz", "tqdm"]
    program = f"import sys, minigrad; print([name for name in {optional} if name in sys.modules])"
    assert printed(program) == "[]\n"


def test_a_misspelt_name_gets_a_guess():
    for name, near in {"sine": "sin", "Variabel": "Variable", "softmaxx": "softmax", "cros_entropy": ""}.items():
        with pytest.raises(AttributeError, match=f"minigrad has no '{name}'") as error:
            getattr(mg, name)
        assert f"did you mean '{near}'?" in str(error.value) or not near


def test_an_edited_file_is_quoted_as_it_is(tmp_path):
    file = tmp_path / "layers.py"
    for line in ("return x[7]", "return x[ 9 ]"):
        file.write_text(f"def f(x):\n    {line}\n")
        os.utime(file, (1, 1 if "7" in line else 2))
        names = {}
        exec(compile(file.read_text(), str(file), "exec"), names)
        with pytest.raises(IndexError, match=re.escape(f"`{line}`")):
            names["f"](mg.Variable(np.ones(3)))


def test_shapes_are_refused_in_words_of_minigrad():
    """Not in those of NumPy or Python about what lies inside of an operation."""
    calls = [
        np.linalg.solve, np.matmul, np.dot, np.hypot, mg.vmap(mg.dot), lambda a, b: np.concatenate([a, b]),
        lambda a, b: np.take_along_axis(a, np.zeros(b.shape, int), 0), lambda a, b: np.repeat(a, b.shape, 0),
        lambda a, b: mg.broadcast_to(a, b.shape), lambda a, b: np.reshape(a, b.shape), lambda a, b: mg.nn.Flatten()(a),
        lambda a, b: mg.nn.RNN(3, 2, rng=0)(a), lambda a, b: np.einsum("ij,jk", a, b), lambda a, b: mg.max_pool2d(a, 2),
    ]  # fmt: skip
    sentences = []
    for call, *shapes in itertools.product(calls, *[[(), (2,), (2, 3), (3, 3), (2, 3, 4), (0, 5)]] * 2):
        try:
            call(*(v(*shape) for shape in shapes))
        except (ValueError, TypeError, IndexError) as error:
            sentences.append(str(error))
    assert len(sentences) > 300
    inner = re.compile("operand|gufunc|object|tuple index|interpreted|iterable")
    assert [sentence for sentence in sentences if inner.search(sentence)] == []
