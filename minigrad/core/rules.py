"""The derivative table.

Calculus has a table of derivatives; this is minigrad's. One row is one elementwise operation: its value, and
its partial derivative by each input, as text in the inputs `a`, `b`, `c` and the value `v`. From a row come the
dual-number rule, the reverse rule, the line in a trace table and under a graph's node, the NumPy-style function
that evaluates it on arrays, and the expression that is pasted into compiled loops. Nothing else in minigrad
knows a derivative of an elementwise operation.

A partial derivative may use every row of the table. So it is evaluated by the same operations, on whatever the
inputs are, and it can be differentiated in turn.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, SupportsIndex

import numpy as np

from minigrad.core import dtypes
from minigrad.core.arrays import Array, ArrayLike, Lowering, Node, Value
from minigrad.core.operation import Operation
from minigrad.core.row_help import OfRow, row_help, signature

INPUTS = "abc"
IN_VALUES = {"sign", "min", "max", "abs", *(name for name, value in vars(math).items() if callable(value))}
VALUE = (
    "A value is text in as many inputs as there are partial derivatives, in min, max, abs, sign and the functions of "
    "Python's math, with constants as numbers; or it is one call of a NumPy function. Rows of the table are for "
    "partial derivatives"
)
PARTIAL = "A partial derivative is text in the inputs, the value v, and rows of the table"


class Rule(Operation):
    """A row of the derivative table. In this file the variable's name is the operation's; elsewhere pass `name=`.

    value: the scalar expression in a, b, c. partials: one expression for each input, in v, a, b, c and the
    operations of the table. ufunc: only where NumPy has the function under another name.
    """

    __doc__, __signature__ = OfRow(row_help, __doc__), OfRow(signature, None)  # type: ignore[assignment]
    elementwise = True

    def __init__(
        self, value: str, *partials: str, symbol: str | None = None, ufunc: Any = None, name: str = Operation.name
    ):
        self.expression, self.partials, self.symbol, self.name = value, partials, symbol, name
        self.inputs = tuple(INPUTS[: len(partials)])
        self._ufunc = ufunc

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle and copy a row of this table by its name; another row without the functions that are made of it."""
        return self.name if TABLE.get(self.name) is self else super().__reduce_ex__(protocol)

    def __getstate__(self) -> dict[str, Any]:
        return {name: x for name, x in vars(self).items() if name not in ("ufunc", "_numpys", "partial_functions")}

    @cached_property
    def ufunc(self) -> Callable[..., Any]:
        """Return the NumPy-style function, which broadcasts, and fills `out` without allocating."""
        return self._numpys or self.compiled(self.name, self.expression, self.inputs)

    @staticmethod
    def compiled(name: str, expression: str, inputs: tuple[str, ...]) -> Callable[..., Any]:
        """Make a function that NumPy does not have. Replaced from above, by native/jit.py, which can."""
        raise NotImplementedError(f"the row {name}, `{expression}`, is compiled by minigrad.native: import minigrad")

    @cached_property
    def _numpys(self) -> Callable[..., Any] | None:
        """The function if NumPy has it: others are compiled."""
        numpys = self._ufunc or _numpy_function(self.expression)
        _check_names(self, self.expression, {*self.inputs, *IN_VALUES, *(vars(np) if numpys else ())}, VALUE)
        return numpys

    def dtypes(self, *inputs: dtypes.Kind) -> dtypes.Loop:
        """Return the dtypes to which these inputs are converted, and the dtype of the value.

        int and float stand for Python's numbers. Raises TypeError if NumPy does not take the inputs.
        """
        if hasattr(self._ufunc, "dtypes"):
            return self._ufunc.dtypes(*inputs)
        call = _ufunc_and_operands(self.expression) if self._ufunc is None else (self._ufunc, list(self.inputs))
        if call is None or not isinstance(call[0], np.ufunc):
            return dtypes.of_expression(*inputs)
        ufunc, operands = call
        dtype_of = dict(zip(self.inputs, inputs, strict=True))
        loop, value = dtypes.of_ufunc(ufunc, *(dtype_of[x] if isinstance(x, str) else type(x) for x in operands))
        at = {x: dtype for x, dtype in zip(operands, loop, strict=True) if isinstance(x, str)}
        return tuple(at[x] for x in self.inputs), value

    @cached_property
    def partial_functions(self) -> list[Callable[..., Any]]:
        """The partial derivatives as functions of (v, a, b, ...)."""
        head = f"lambda {', '.join(('v', *self.inputs))}: "
        for partial in self.partials:
            _check_names(self, partial, {"v", *self.inputs, *TABLE}, PARTIAL)
        # Compiled under this file's name, so that errors do not take the table for the learner's code.
        return [eval(compile(head + partial, __file__, "eval"), dict(TABLE)) for partial in self.partials]

    def value(self, *inputs: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        if out is not None:
            return self.ufunc(*inputs, out=out)
        value = self.ufunc(*inputs)
        if value.dtype == dtypes.HALF:  # NumPy's choice for 8-bit integers
            loop, _ = self.dtypes(*(x.dtype if isinstance(x, np.ndarray | np.generic) else type(x) for x in inputs))
            value = self.ufunc(*(np.asarray(x, dtype) for x, dtype in zip(inputs, loop, strict=True)))
        return value

    def blank(self, *inputs: np.ndarray) -> np.ndarray:
        if len(inputs) != len(self.inputs):
            return self.value(*inputs)
        return np.zeros(np.broadcast_shapes(*(x.shape for x in inputs)), self.dtypes(*(x.dtype for x in inputs))[1])

    def partial(self, i: int, v: Array, *inputs: Any) -> Array:
        """The derivative by input i. Python refuses 1 / 0.0 and 10.0 ** 400, which NumPy's numbers have values for."""
        try:
            return self.partial_functions[i](v, *inputs)
        except ArithmeticError:
            return self.partial_functions[i](v, *(np.float64(x) if type(x) in (int, float) else x for x in inputs))

    def jvp(self, i: int, change: Array, v: Array, *inputs: Array) -> Array | None:
        """Return `change` times the partial derivative, in both modes: each entry depends on its own entries alone.

        The numbers 1, -1 and 0 take no operation.
        """
        partial = self.partial(i, v, *inputs)
        if isinstance(partial, int):
            return None if partial == 0 else change if partial == 1 else -change if partial == -1 else change * partial
        return change * partial

    vjp = jvp  # type: ignore[assignment]

    def lower(self, to: Lowering, node: Node, *inputs: Value) -> Value:
        return to.elementwise(node, self, inputs)

    def text(self, *names: str) -> str:
        return substitute(self.expression, dict(zip(self.inputs, names, strict=True)))

    def advice(self, *inputs: ArrayLike) -> str:
        if len(inputs) != len(self.inputs):
            return f"It takes {len(self.inputs)} inputs"
        if all(np.asarray(x).dtype == bool for x in inputs):
            return "Conditions have ~, &, | and ^; for numbers, 1 where they hold, write 1 * condition"
        try:
            np.broadcast_shapes(*(np.shape(x) for x in inputs))  # type: ignore[arg-type]
        except ValueError:
            return (
                "These shapes do not broadcast: read from the right, each pair of sizes must be equal or one of "
                "them 1. Try reshape, or index with None to add an axis of size 1"
            )
        return ""


rule = Rule  # the name in the table


def _choose(a: np.ndarray, b: np.ndarray, c: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    if out is None:
        return np.where(a, b, c)
    np.copyto(out, c)
    np.copyto(out, b, where=np.asarray(a, bool))
    return out


def _clip(a: np.ndarray, b: np.ndarray, c: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.minimum(np.maximum(a, b, out=out), c, out=out)


def _step(a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    # np.heaviside(a, 0) does the same, nan included, and takes nine times as long.
    return np.maximum(np.sign(a, out=out), 0, out=out)


_choose.dtypes = dtypes.of_choice  # type: ignore[attr-defined]
_clip.dtypes = dtypes.of_choices  # type: ignore[attr-defined]
_step.dtypes = functools.partial(dtypes.of_ufunc, np.sign)  # type: ignore[attr-defined]

# The table ----------------------------------------------------------------------------------------------------
#                    value                    partial derivatives
add = rule("a + b", "1", "1", symbol="+")
sub = rule("a - b", "1", "-1", symbol="−")
mul = rule("a * b", "b", "a", symbol="×")
div = rule("a / b", "1 / b", "-v / b", symbol="÷")
pow = rule("a ** b", "scaled_power(b, a, b - 1)", "xlogy(v, a)", symbol="^")
neg = rule("-a", "-1", symbol="neg")
square = rule("a * a", "2 * a", symbol="²", ufunc=np.square)
sqrt = rule("sqrt(a)", "0.5 / v", symbol="√")
exp = rule("exp(a)", "v")
log = rule("log(a)", "1 / a")
expm1 = rule("expm1(a)", "exp(a)")
log1p = rule("log1p(a)", "1 / (1 + a)")
sin = rule("sin(a)", "cos(a)")
cos = rule("cos(a)", "-sin(a)")
tan = rule("tan(a)", "1 + v * v")
log2 = rule("log2(a)", "1 / (0.6931471805599453 * a)")
log10 = rule("log10(a)", "1 / (2.302585092994046 * a)")
exp2 = rule("exp2(a)", "0.6931471805599453 * v")
cbrt = rule("cbrt(a)", "1 / (3 * v * v)")
arcsin = rule("arcsin(a)", "1 / sqrt(1 - a * a)")
arccos = rule("arccos(a)", "-1 / sqrt(1 - a * a)")
arctan = rule("arctan(a)", "1 / (1 + a * a)")
arctan2 = rule("arctan2(a, b)", "safe_div(safe_div(b, hypot(a, b)), hypot(a, b))",  # the square of 1e200 is an infinity
               "-safe_div(safe_div(a, hypot(a, b)), hypot(a, b))")  # fmt: skip
hypot = rule("hypot(a, b)", "safe_div(a, v)", "safe_div(b, v)")
sinh = rule("sinh(a)", "cosh(a)")
cosh = rule("cosh(a)", "sinh(a)")
tanh = rule("tanh(a)", "1 - v * v")
arcsinh = rule("arcsinh(a)", "1 / hypot(1, a)")
arctanh = rule("arctanh(a)", "1 / (1 - a * a)")
sigmoid = rule("1 / (1 + exp(-a))", "v * (1 - v)", symbol="σ")
# The sigmoid as exp(-softplus(-a)): its own slope v * (1 - v) has no digits left where v is nearly 1.
softplus = rule("max(a, 0) + log1p(exp(-abs(a)))", "exp(-softplus(-a))")
logaddexp = rule(
    "a + 0.6931471805599453 if a == b else max(a, b) + log1p(exp(-abs(a - b)))",
    "exp(-softplus(b - a))", "exp(-softplus(a - b))", ufunc=np.logaddexp,
)  # fmt: skip
logsigmoid = rule("min(a, 0) - log1p(exp(-abs(a)))", "exp(-softplus(a))")
relu = rule("maximum(a, 0)", "step(a)")
leaky_relu = rule("a if a > 0 else b * a", "b + (1 - b) * step(a)", "minimum(a, 0)")
gelu = rule("0.5 * a * erfc(-0.7071067811865476 * a)", "normal_cdf(a) + a * normal_pdf(a)")
abs = rule("abs(a)", "sign(a)", ufunc=np.absolute)
maximum = rule("maximum(a, b)", "preference(a, b)", "preference(b, a)", symbol="max")
minimum = rule("minimum(a, b)", "preference(b, a)", "preference(a, b)", symbol="min")
clip = rule(  # the upper limit wins where the limits are the wrong way round
    "min(max(a, b), c)", "inside(a, b, c)", "where(less(c, b), 0.0, step(b - a))", "step(maximum(a, b) - c)",
    ufunc=_clip,
)  # fmt: skip
remainder = rule("a % b", "1", "-floor_divide(a, b)", symbol="%")  # has the sign of b
fmod = rule("fmod(a, b)", "1", "-sign(a) * sign(b) * floor_divide(abs(a), abs(b))")  # has the sign of a
copysign = rule("copysign(a, b)", "sign(a) * sign(v)", "0")
where = rule("b if a else c", "0", "not_equal(a, 0)", "equal(a, 0)", ufunc=_choose)

# Helper rows for the partials above, with the limit where the formula is undefined.
scaled_power = rule(  # a * b**c, but 0 where a == 0, so that high derivatives of x**k at 0 are 0 and not nan
    "0.0 if a == 0 else a * b ** c", "b ** c", "scaled_power(a * c, b, c - 1)", "xlogy(v, b)"
)
xlogy = rule("0.0 if a == 0 else a * log(b)", "log(b)", "a / b")
normal_pdf = rule("0.3989422804014327 * exp(-0.5 * a * a)", "-a * v")
normal_cdf = rule("0.5 * erfc(-0.7071067811865476 * a)", "normal_pdf(a)")
safe_div = rule("0.0 if b == 0 else a / b", "safe_div(1, b)", "-safe_div(v, b)")  # x / 0 is 0
root = rule("sqrt(a)", "safe_div(0.5, v)", symbol="√")  # slope 0 at 0: the norm's
step = rule("1.0 if a > 0 else a if a != a else 0.0", "0", ufunc=_step)  # 1 where a > 0, else 0
inside = rule("1.0 if b <= a and a <= c else 0.0", "0", "0", "0")
preference = rule("0.0 if a < b else 0.5 if a == b else 1.0", "0", "0")  # ties are split, nan is 1, as in PyTorch

# Constant almost everywhere: nothing flows through them.
sign = rule("sign(a)", "0")
floor = rule("floor(a)", "0")
ceil = rule("ceil(a)", "0")
trunc = rule("trunc(a)", "0")
rint = rule("rint(a)", "0")  # halves to the even number
floor_divide = rule("a // b", "0", "0", symbol="//")
greater = rule("a > b", "0", "0", symbol=">")
greater_equal = rule("a >= b", "0", "0", symbol="≥")
less = rule("a < b", "0", "0", symbol="<")
less_equal = rule("a <= b", "0", "0", symbol="≤")
equal = rule("a == b", "0", "0", symbol="=")
not_equal = rule("a != b", "0", "0", symbol="≠")
stop_gradient = rule("+a", "0", symbol="stop")
identity = rule("+a", "1", symbol="id")

TABLE: dict[str, Rule] = {name: row for name, row in list(globals().items()) if isinstance(row, Rule)}
for _name, _row in TABLE.items():
    _row.name = _name

# Reading the texts ----------------------------------------------------------------------------------------------


def _check_names(row: Rule, text: str, known: Iterable[str], advice: str) -> None:
    """Raise a clear error for an unknown name in the text of a row."""
    if unknown := sorted(set(compile(text, __file__, "eval").co_names) - set(known)):
        raise NameError(f"the row {row.name}: `{text}` uses {' and '.join(unknown)}. {advice}")


_OPERATORS: dict[type, Any] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.Pow: np.power,
    ast.Mod: np.remainder, ast.FloorDiv: np.floor_divide,
    ast.USub: np.negative, ast.UAdd: np.positive, ast.Gt: np.greater, ast.GtE: np.greater_equal,
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Eq: np.equal, ast.NotEq: np.not_equal,
}  # fmt: skip


@functools.cache
def _ufunc_and_operands(expression: str) -> tuple[np.ufunc, list[Any]] | None:
    """Return the NumPy ufunc of an expression that is one operator or one call, and its operands: names and numbers."""
    tree = ast.parse(expression, mode="eval").body
    operands: list[ast.expr]
    if isinstance(tree, ast.BinOp):
        ufunc, operands = _OPERATORS.get(type(tree.op)), [tree.left, tree.right]
    elif isinstance(tree, ast.UnaryOp):
        ufunc, operands = _OPERATORS.get(type(tree.op)), [tree.operand]
    elif isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        ufunc, operands = _OPERATORS.get(type(tree.ops[0])), [tree.left, *tree.comparators]
    elif isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        ufunc, operands = getattr(np, tree.func.id, None), tree.args
    else:
        return None
    if not isinstance(ufunc, np.ufunc) or not all(isinstance(x, ast.Name | ast.Constant) for x in operands):
        return None
    return ufunc, [x.id if isinstance(x, ast.Name) else x.value for x in operands]  # type: ignore[attr-defined]


def _numpy_function(expression: str) -> Callable[..., Any] | None:
    """Return a NumPy-style function for an expression that is one operator or one call; None for longer expressions."""
    ufunc, operands = _ufunc_and_operands(expression) or (None, [])
    if operands == list(INPUTS[: len(operands)]):
        return ufunc
    inputs = ", ".join(sorted({x for x in operands if isinstance(x, str)}))
    arguments = ", ".join(x if isinstance(x, str) else repr(x) for x in operands)
    return eval(f"lambda {inputs}, out=None: ufunc({arguments}, out=out)", {"ufunc": ufunc})


def substitute(expression: str, names: dict[str, str]) -> str:
    """Replace the variables in `expression` by `names` (which may be expressions), in brackets where needed."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.parse(names[node.id], mode="eval").body if node.id in names else node

    return ast.unparse(Put().visit(ast.parse(expression, mode="eval")))
