"""Special values: what an operation and its derivative give at 0, at infinity, at nan, at ties, and far out.

minigrad follows PyTorch. Where it does not, `DEVIATIONS` says so, and why. `docs/special_values.md` is this table,
written out; `MINIGRAD_WRITE_DOCS=1 pytest tests/campaign/test_special_values.py` writes it anew.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.ops import loss, pool, reduce

PAGE = Path(__file__).parents[2] / "docs" / "special_values.md"
inf, nan = math.inf, math.nan


@dataclass(frozen=True)
class Special:
    """An operation at one point: `ours` and `theirs` compute it, `inputs` are numbers or lists of numbers.

    theirs: a function of the module torch that gives the function to compare with.
    """

    operation: str
    inputs: tuple[Any, ...]
    ours: Callable[..., Any]
    theirs: Callable[[Any], Callable[..., Any]]

    def values(self) -> list[float]:
        """The value, and the derivative by each number of the inputs (of the sum, if the value has several)."""
        variables = [mg.Variable(np.asarray(x, np.float64)) for x in self.inputs]
        with np.errstate(all="ignore"):
            output = self.ours(*variables)
            output.backward(np.ones(output.shape))
        return _flat([output.value, *(x.grad for x in variables)])

    def second(self) -> list[float]:
        """The derivative, by each number of the inputs, of the sum of all derivatives: reverse mode of reverse mode."""
        variables = [mg.Variable(np.asarray(x, np.float64)) for x in self.inputs]
        with np.errstate(all="ignore"):
            first = mg.adjoints(mg.sum(self.ours(*variables)), variables)
            return _flat([x.value for x in mg.adjoints(functools.reduce(operator.add, map(mg.sum, first)), variables)])

    def second_in_forward_mode(self) -> list[float]:
        """The same, by dual numbers through reverse mode."""
        inputs = tuple(np.asarray(x, np.float64) for x in self.inputs)
        gradient = mg.grad(lambda *xs: mg.sum(self.ours(*xs)), tuple(range(len(inputs))))
        with np.errstate(all="ignore"):
            return _flat(list(mg.jvp(gradient, inputs, tuple(map(np.ones_like, inputs)))[1]))

    def forward_mode(self) -> list[float]:
        """The derivative by each number of the inputs again, one direction at a time, by dual numbers."""
        result = []
        with np.errstate(all="ignore"):
            for k, x in enumerate(self.inputs):
                for unit in np.eye(np.size(x)).reshape(np.size(x), *np.shape(x)):
                    moved = [mg.Dual(y, unit) if j == k else np.asarray(y)[()] for j, y in enumerate(self.inputs)]
                    result.append(float(np.sum(getattr(self.ours(*moved), "tangent", 0.0))))
        return result

    def torch_values(self, torch: Any) -> list[float]:
        """PyTorch's results for `values`."""
        tensors = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in self.inputs]
        output = self.theirs(torch)(*tensors)
        output.backward(torch.ones_like(output))
        return _flat([output.detach().numpy(), *(x.grad.numpy() for x in tensors)])

    def torch_second(self, torch: Any) -> list[float]:
        """PyTorch's results for `second`."""
        tensors = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in self.inputs]
        output = self.theirs(torch)(*tensors).sum()
        total = sum(x.sum() for x in torch.autograd.grad(output, tensors, create_graph=True))
        if not total.requires_grad:
            return [0.0] * sum(x.numel() for x in tensors)
        second = torch.autograd.grad(total, tensors, allow_unused=True)
        return _flat([np.zeros(x.shape) if a is None else (a + 0.0 * torch.ones_like(a)).numpy()
                      for a, x in zip(second, tensors, strict=True)])  # fmt: skip

    @property
    def key(self) -> str:
        return f"{self.operation} at {', '.join(_shown(x) for x in self.inputs)}"


def _flat(arrays: list[Any]) -> list[float]:
    return [float(v) for array in arrays for v in np.ravel(array)]


def _shown(x: Any) -> str:
    return "(" + ", ".join(_shown(v) for v in x) + ")" if isinstance(x, list) else f"{x:g}"


# The table -------------------------------------------------------------------------------------------------------

UNARY = [
    "exp", "log", "log1p", "expm1", "sqrt", "square", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh",
    "tanh", "sigmoid", "softplus", "logsigmoid", "relu", "gelu", "abs", "sign", "log2", "log10", "exp2", "arcsinh",
    "arctanh", "floor", "ceil", "trunc",
]  # fmt: skip
POINTS = (0.0, inf, -inf, nan)
FAR = (1e4, -1e4)  # where a formula that is not written with care overflows


def _row(name: str) -> tuple[Callable[..., Any], Callable[[Any], Callable[..., Any]]]:
    return mg.rules.TABLE[name], lambda torch: getattr(torch, name, None) or getattr(torch.nn.functional, name)


def table() -> Iterator[Special]:
    """All special values, in the order of the page."""
    for name in UNARY:
        points = POINTS + (FAR if name in ("exp", "tanh", "sigmoid", "softplus", "logsigmoid", "gelu", "sinh") else ())
        for x in points:
            yield Special(name, (x,), *_row(name))
    for x in (1.0, -1.0):  # the ends of the domain
        yield Special("arcsin", (x,), *_row("arcsin"))
        yield Special("arccos", (x,), *_row("arccos"))
    yield Special("log1p", (-1.0,), *_row("log1p"))
    yield Special("log", (-1.0,), *_row("log"))
    yield Special("sqrt", (-1.0,), *_row("sqrt"))
    for x in (0.0, -1.0, inf, -inf, nan):
        yield Special("leaky_relu(x, 0.1)", (x,), lambda a: mg.leaky_relu(a, 0.1),
                      lambda torch: lambda a: torch.nn.functional.leaky_relu(a, 0.1))  # fmt: skip
    for x in (0.0, 1.0, inf, -inf, nan):
        yield Special("clip(x, 0, 1)", (x,), lambda a: mg.clip(a, 0.0, 1.0), lambda torch: lambda a: a.clamp(0.0, 1.0))
    for power in (0.0, 0.5, 1.0, 2.0, 3.0, -1.0):
        for x in (0.0, inf, nan):
            yield Special(f"x ** {power:g}", (x,), lambda a, power=power: a**power,
                          lambda torch, power=power: lambda a: a**power)  # fmt: skip
    for a, b in ((0.0, 0.0), (0.0, 2.0), (-1.0, 2.0), (0.0, -1.0), (1.0, inf), (nan, 0.0), (inf, 2.0)):
        yield Special("a ** b", (a, b), mg.pow, lambda torch: torch.pow)
    for a, b in ((1.0, 0.0), (0.0, 0.0), (-1.0, 0.0), (1.0, inf), (inf, 1.0), (inf, inf), (nan, 1.0), (1.0, nan)):
        yield Special("a / b", (a, b), mg.div, lambda torch: torch.div)
    for a, b in ((0.0, inf), (inf, inf), (inf, -inf), (nan, 0.0)):
        yield Special("a * b", (a, b), mg.mul, lambda torch: torch.mul)
    for a, b in ((inf, -inf), (nan, 1.0)):
        yield Special("a + b", (a, b), mg.add, lambda torch: torch.add)
    for name in ("arctan2", "hypot", "logaddexp", "remainder", "fmod", "copysign"):
        for a, b in ((0.0, 0.0), (inf, 1.0), (1.0, inf), (inf, inf), (-inf, -inf), (nan, 1.0), (1.0, nan), (-3.0, 2.0)):
            yield Special(name, (a, b), mg.rules.TABLE[name], lambda torch, name=name: getattr(torch, name))
    for v in ([2.0, inf, 1.0], [nan, 1.0, 0.0]):
        yield Special("last of cumsum", (v,), lambda x: mg.cumsum(x)[-1], lambda torch: lambda x: x.cumsum(0)[-1])
        yield Special("first of sort", (v,), lambda x: mg.sort(x)[0], lambda torch: lambda x: x.sort()[0][0])
    for name in ("maximum", "minimum"):
        for a, b in ((1.0, 1.0), (inf, inf), (-inf, inf), (nan, 1.0), (1.0, nan)):
            yield Special(name, (a, b), mg.rules.TABLE[name], lambda torch, name=name: getattr(torch, name))
    yield Special("where(x > 0, x, 0) / x", (0.0,), lambda x: mg.where(x > 0, x, 0.0) / x,
                  lambda torch: lambda x: torch.where(x > 0, x, 0.0) / x)  # fmt: skip
    yield from _arrays()


def _arrays() -> Iterator[Special]:
    vectors = ([1.0, 1.0, 0.0], [inf, 0.0, 0.0], [-inf, 0.0, 0.0], [-inf, -inf, -inf], [nan, 0.0, 1.0])
    wide = ([1e4, -1e4, 0.0], [0.0, 1e4, 0.0])
    for v in vectors:
        yield Special("max", (v,), mg.max, lambda torch: lambda x: torch.amax(x, 0))
        yield Special("min", (v,), mg.min, lambda torch: lambda x: torch.amin(x, 0))
        yield Special("sum", (v,), mg.sum, lambda torch: torch.sum)
    for v in vectors[:1] + vectors[2:] + wide:
        yield Special("logsumexp", (v,), mg.logsumexp, lambda torch: lambda x: torch.logsumexp(x, 0))
        yield Special("first of softmax", (v,), lambda x: mg.softmax(x)[0], lambda torch: lambda x: x.softmax(0)[0])
        yield Special("first of log_softmax", (v,), lambda x: mg.log_softmax(x)[0],
                      lambda torch: lambda x: x.log_softmax(0)[0])  # fmt: skip
        yield Special("cross-entropy with label 0", (v,),
                      lambda x: mg.softmax_cross_entropy(mg.reshape(x, 1, 3), np.array([0])),
                      lambda torch: lambda x: torch.nn.functional.cross_entropy(x[None], torch.tensor([0])),
                      )  # fmt: skip
    yield Special("cross-entropy with label 1", ([2e4, 0.0, 0.0],),
                  lambda x: mg.softmax_cross_entropy(mg.reshape(x, 1, 3), np.array([1])),
                  lambda torch: lambda x: torch.nn.functional.cross_entropy(x[None], torch.tensor([1])))  # fmt: skip
    for z, t in ((1e4, 0.0), (-1e4, 1.0), (1e4, 1.0), (inf, 0.0), (-inf, 1.0), (nan, 0.5), (0.0, 0.5)):
        yield Special("binary cross-entropy with logits", ([z], [t]), loss.binary_cross_entropy_with_logits,
                      lambda torch: torch.nn.functional.binary_cross_entropy_with_logits)  # fmt: skip
    for v in ([0.0, 0.0], [inf, 0.0], [nan, 0.0], [3.0, 4.0]):
        yield Special("norm", (v,), reduce.norm, lambda torch: torch.linalg.vector_norm)
    for v in ([0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [inf, 0.0, 1.0], [nan, 2.0, 0.0], [inf, 2.0, 1.0]):
        yield Special("prod", (v,), mg.prod, lambda torch: torch.prod)
    for v in ([2.0, 2.0, 2.0], [inf, 0.0, 0.0], [nan, 0.0, 0.0]):
        yield Special("var", (v,), reduce.var, lambda torch: lambda x: torch.var(x, correction=0))
    for v in ([1.0, 1.0, 0.0, 1.0], [-inf, -inf, -inf, -inf], [nan, 1.0, 2.0, 3.0], [1.0, inf, inf, 0.0]):
        yield Special("max_pool2d of 2 x 2", (v,), lambda x: pool.max_pool2d(mg.reshape(x, 1, 1, 2, 2), 2),
                      lambda torch: lambda x: torch.nn.functional.max_pool2d(x.reshape(1, 1, 2, 2), 2))  # fmt: skip
    for v in ([1.0, nan], [inf, 0.0]):
        yield Special("first of index", (v,), lambda x: x[0], lambda torch: lambda x: x[0])
        yield Special("matmul with (0, 1)", (v,), lambda x: x @ np.array([0.0, 1.0]),
                      lambda torch: lambda x: x @ torch.tensor([0.0, 1.0], dtype=torch.float64))  # fmt: skip


# Where minigrad differs from PyTorch: (what PyTorch gives, why) for the operation and point.
NAN_STAYS = "Here a nan stays one: it should not look like a derivative"
SIGN = "Here it is whether the sign changed"
DEVIATIONS: dict[str, tuple[list[float], str]] = {
    "relu at nan": ([nan, 1.0], NAN_STAYS),
    "abs at nan": ([nan, 0.0], NAN_STAYS),
    "leaky_relu(x, 0.1) at nan": ([nan, 0.1], NAN_STAYS),
    "sign at nan": ([0.0, 0.0], "Here a nan stays one, as in NumPy"),
    "a ** b at 0, 0": ([1.0, 0.0, 0.0], "Here it is the slope of 0 ** b to the right of b = 0"),
    "binary cross-entropy with logits at (-inf), (1)": ([nan, -1.0, inf], "Another order of the same sum"),
    "hypot at 0, 0": ([0.0, nan, nan], "Here it is 0, as that of a norm"),
    "fmod at inf, 1": ([nan, 1.0, -inf], "Here it is nan, as that of a % b"),
    "copysign at inf, 1": ([inf, nan, 0.0], SIGN),
    "copysign at inf, inf": ([inf, nan, 0.0], SIGN),
    "copysign at -inf, -inf": ([-inf, nan, 0.0], SIGN),
    "prod at (inf, 2, 1)": ([inf, nan, inf, inf], "Here nothing is divided by a factor"),
    "var at (inf, 0, 0)": ([nan, nan, -inf, -inf], "The mean is infinite, and so no distance from it is a number"),
}


# The same for second derivatives.
NO_CORNER = "Here it is 0, as the first"
PRODUCTS = "Here nothing is divided by a factor"
SECOND_DEVIATIONS: dict[str, tuple[list[float], str]] = {
    "binary cross-entropy with logits at (nan), (0.5)": ([nan, -1.0], NAN_STAYS),
    "a ** b at 0, 0": ([nan, nan], "Here it follows from the first"),
    "arctan2 at 0, 0": ([nan, nan], NO_CORNER),
    "hypot at 0, 0": ([nan, nan], NO_CORNER),
    "logaddexp at inf, 1": ([nan, nan], "Here it is the slope of a straight line"),
    "logaddexp at 1, inf": ([nan, nan], "Here it is the slope of a straight line"),
    "copysign at 0, 0": ([nan, 0.0], SIGN),
    "copysign at inf, 1": ([nan, 0.0], SIGN),
    "copysign at inf, inf": ([nan, 0.0], SIGN),
    "copysign at -inf, -inf": ([nan, 0.0], SIGN),
    "copysign at nan, 1": ([nan, 0.0], SIGN),
    "norm at (0, 0)": ([nan, nan], NO_CORNER),
    "prod at (inf, 0, 1)": ([nan, inf, inf], PRODUCTS),
    "prod at (nan, 2, 0)": ([nan, nan, nan], PRODUCTS),
    "prod at (inf, 2, 1)": ([nan, nan, nan], PRODUCTS),
}


def unusual(special: Special) -> bool:
    """Tell whether a nan or an infinity goes in or comes out."""
    return not all(map(math.isfinite, special.values() + _flat(list(special.inputs))))


def same(a: list[float], b: list[float]) -> bool:
    """Equal to 1e-12, nan equal to nan."""
    return len(a) == len(b) and all(
        (math.isnan(x) and math.isnan(y)) or x == y or abs(x - y) <= 1e-12 * max(1.0, abs(y))
        for x, y in zip(a, b, strict=True)
    )


def _number(x: float) -> str:
    return f"{0.0 if x == 0 else x:.6g}"


def _numbers(xs: list[float]) -> str:
    return ", ".join(map(_number, xs))


def page() -> str:
    """docs/special_values.md."""
    rows = [HEADER]
    for special in table():
        value, *derivatives = special.values()
        inputs = ", ".join(_shown(x) for x in special.inputs)
        torch = []
        if special.key in DEVIATIONS:
            (their_value, *theirs), why = DEVIATIONS[special.key]
            torch.append(f"{_number(their_value)}; {_numbers(theirs)}. {why}")
        if special.key in SECOND_DEVIATIONS:
            theirs, why = SECOND_DEVIATIONS[special.key]
            torch.append(f"second {_numbers(theirs)}. {why}")
        numbers = [_number(value), _numbers(derivatives), _numbers(special.second())]
        rows.append(f"| `{special.operation}` | {inputs} | {' | '.join(numbers)} | {'; '.join(torch) or 'the same'} |")
    return "\n".join(rows) + "\n"


HEADER = """# Special values

What operations and their derivatives give at 0, at infinity, at nan, at ties, and far out, in float64. minigrad follows
PyTorch; where it does not, the last column has PyTorch's value and derivatives, and the reason. The second derivative
is that of the sum of all first ones, by each input. Forward mode gives the same derivatives wherever the inputs are
finite. A test computes this page and compares it with PyTorch.

In words: at the corner of relu and of abs the derivative is 0. Ties of maximum, minimum, max and min share it in equal
parts; max-pooling gives it to the first. The derivative of a norm at 0 is 0, and that of `x ** 0` is 0 also at 0.
Sums of exponentials never overflow. A float32 with a float64 gives a float64.

| operation | at | value | derivative | second derivative | PyTorch |
|---|---|---|---|---|---|"""
