"""Wrong gradients, planted one at a time, to see whether the campaign notices.

Three kinds. In each row of the derivative table, each partial derivative is made 0.05 % too large, set to 0, or given
the wrong sign (where it is 0, it is made 1). In each array operation the same is done to its jvp and its vjp. And
lines of the core that are easy to get wrong (adding up adjoints, undoing a broadcast, sharing ties) are broken in their
source.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import minigrad as mg
from minigrad.core import dual, graph, operation
from minigrad.ops import loss, matmul, reduce, shape

Plant = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True)
class Mutant:
    """A wrong gradient: what it is, how to plant it for a while, and the entries where it should show first."""

    name: str
    plant: Plant
    shows_in: tuple[str, ...]


WRONG: dict[str, Callable[[Any], Any]] = {
    "x 1.0005": lambda d: d * 1.0005,
    "x 0": lambda d: d * 0,
    "wrong sign": lambda d: d * -1,
}


@contextmanager
def replaced(owner: Any, name: str, new: Any) -> Iterator[None]:
    """owner.name is `new` for a while."""
    had, old = name in vars(owner), getattr(owner, name)
    setattr(owner, name, new)
    try:
        yield
    finally:
        setattr(owner, name, old) if had else delattr(owner, name)


# The derivative table --------------------------------------------------------------------------------------------


def row_mutants() -> Iterator[Mutant]:
    """Every partial derivative of every row, wrong in each way."""
    for name, row in mg.rules.TABLE.items():
        for i, partial in enumerate(row.partials):
            wrongs = {"is 1": lambda d: 1} if partial == "0" else WRONG
            for how, wrong in wrongs.items():
                yield Mutant(f"{name}, partial {i}, {how}", _plant_partial(row, i, wrong), (name,))


def _plant_partial(row: Any, i: int, wrong: Callable[[Any], Any]) -> Plant:
    right = row.partial_functions
    functions = [*right[:i], lambda *args: wrong(right[i](*args)), *right[i + 1 :]]
    return lambda: replaced(row, "partial_functions", functions)


# Array operations ------------------------------------------------------------------------------------------------


DERIVATIVES = {"jvp", "vjp", "pullback", "pushforward"}


def operation_classes() -> list[type[operation.Operation]]:
    """Every class of array operation that says its own derivative, and not that it is None, as for integers."""

    def below(cls: type) -> Iterator[type]:
        for sub in cls.__subclasses__():
            yield sub
            yield from below(sub)

    own = [c for c in below(operation.Operation) if c.__module__.startswith("minigrad.") and c is not mg.rules.Rule]
    own = [c for c in own if DERIVATIVES & set(vars(c)) and c.vjp.__annotations__.get("return") != "None"]
    return sorted(own, key=lambda c: c.__name__)


def class_mutants(shows_in: dict[str, tuple[str, ...]]) -> Iterator[Mutant]:
    """Both derivatives of every array operation, wrong in each way. `shows_in`: the entries that use a class."""
    for cls in operation_classes():
        whole = "pullback" in vars(cls)  # it finds the adjoints of all its inputs at once
        for method in ("pushforward", "pullback") if whole else ("jvp", "vjp"):
            for how, wrong in WRONG.items():
                places = shows_in.get(cls.__name__, (cls.name,))
                yield Mutant(f"{cls.__name__}.{method} {how}", _plant_method(cls, method, wrong), places)


def _plant_method(cls: type, method: str, wrong: Callable[[Any], Any]) -> Plant:
    right = getattr(cls, method)

    def mutated(self: Any, *args: Any) -> Any:
        result = right(self, *args)
        if isinstance(result, list):
            return [wrong(result[0]), *result[1:]]
        return None if result is None else wrong(result)

    return lambda: replaced(cls, method, mutated)


# Lines of the core -----------------------------------------------------------------------------------------------


def source_mutants() -> Iterator[Mutant]:
    """A line of the core replaced by a wrong one. Where a line is no longer there, planting fails and says so."""
    for function, old, new, name, shows_in in (
        (graph.adjoint_nodes, "adjoint[x] + part if x in adjoint else part", "part",
         "adjoints are overwritten instead of added up", ("random",)),
        (graph._contributions, "fit(part, node.inputs[i])", "part",
         "a broadcast is not undone", ("add",)),
        (graph.adjoint_nodes, "reversed(order)", "order", "adjoints in the order of the forward pass", ("random",)),
        (operation.total, "functools.reduce(operator.add, terms)", "terms[0]",
         "only the first tangent counts", ("add",)),
        (dual.Dual.lift, "broadcast_to(tangent, lead + shape_of(value))", "tangent",
         "a tangent keeps the shape of its input", ("with a constant array",)),
        (shape.sum_to, "k < new or (shape[k - new] == 1 and size != 1)", "k < new",
         "axes of size 1 are not summed over", ("add",)),
        (shape.sum_to, "copied = [k for k, size in enumerate(actual) if k < new or",
         "copied = [k for k, size in enumerate(given) if k < new and", "new axes are not summed over", ("add",)),
        (shape.fit, "cast(contribution, dtype) if", "contribution if False and",
         "a float32 input gets a float64 gradient", ("cast", "mixed dtypes")),
        (shape.Transpose.vjp, "np.argsort(self.axes)", "np.asarray(self.axes)",
         "the adjoint of a transpose uses the same order of axes", ("transpose",)),
        (shape.Concatenate._part, "for x in inputs[:i]", "for x in inputs[1:i]",
         "the adjoint of a concatenation starts at the wrong place", ("concatenate",)),
        (shape.Scatter.value, "np.add.at(out.reshape(-1), self.index.places(self.shape).reshape(-1), entries)",
         "out.reshape(-1)[self.index.places(self.shape).reshape(-1)] = entries",
         "a repeated index overwrites", ("index", "scatter")),
        (shape.Scatter.value, "out.fill(0)", "out += 0", "a scatter starts from what was there", ("index", "scatter")),
        (matmul.Matmul.vjp, "adjoint @ swapaxes(b, -1, -2)", "adjoint @ b",
         "matmul forgets to transpose", ("matmul",)),
        (matmul.Matmul.vjp, "swapaxes(a, -1, -2) @ adjoint", "adjoint @ swapaxes(a, -1, -2)",
         "matmul in the wrong order", ("matmul",)),
        (reduce.Max.share, "winners / self.spread(Sum(self.axes, self.keepdims)(winners), a)", "winners",
         "every tie gets the whole derivative", ("special values",)),
        (reduce.Reduction.kept, "1 if k in self.axes else size", "size", "a reduced axis keeps its size", ("sum",)),
        (loss.CrossEntropySlope.value, "_slope(logits, labels, out)", "_slope(logits, labels, out); out *= 1.0005",
         "the slope of cross-entropy x 1.0005", ("softmax_cross_entropy",)),
        (graph.Variable.add_grad, "np.add(grad, adjoint, out=grad)", "np.copyto(grad, adjoint)",
         "a second backward pass overwrites", ("random",)),
        (graph.Graph.backward, "run(self._backward)", "pass", "a second backward pass is not run", ("random",)),
        (graph.Graph.backward, "np.copyto(self._seed._value, seed_node(self.output, seed)._value)", "pass",
         "a second backward pass keeps the first seed", ("random",)),
        (graph.Graph.forward, "run(self._forward)", "pass", "a rerun computes nothing", ("random",)),
        (graph.Graph.zero_grad, "variable.zero_grad()", "pass", "zero_grad does nothing", ("random",)),
        (graph.Variable.zero_grad, "self._grad.fill(0)", "self._grad.fill(1e-6)", "zero_grad leaves some", ("random",)),
    ):  # fmt: skip
        yield Mutant(name, _plant_source(function, old, new), shows_in)


def loops_of(function: Any) -> Any:
    """Return the loops of a kernel of which plain Python has another version, or the function itself."""
    return getattr(function, "loops", function)


def _plant_source(function: Any, old: str, new: str) -> Plant:
    @contextmanager
    def plant() -> Iterator[None]:
        source = textwrap.dedent(inspect.getsource(loops_of(function)))
        assert source.count(old) == 1, f"{function.__qualname__} has no single `{old}` to break: bring mutants.py up"
        namespace = dict(vars(inspect.getmodule(function)))
        exec(compile("from __future__ import annotations\n" + source.replace(old, new), "<mutant>", "exec"), namespace)
        wrong = loops_of(namespace[loops_of(function).__name__])
        right, function.__code__ = function.__code__, wrong.__code__
        try:
            yield
        finally:
            function.__code__ = right

    return plant


def all_mutants(shows_in: dict[str, tuple[str, ...]]) -> list[Mutant]:
    """Every wrong gradient that is planted."""
    return [*row_mutants(), *class_mutants(shows_in), *source_mutants()]
