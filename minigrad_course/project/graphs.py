"""Random graphs: an engine and minigrad build the same ones, and the first node that differs is reported.

A graph is a list of inputs and a list of steps, each one operation. So it can be cut down: if two engines differ, the
learner sees the smallest graph in which they still do, as lines to read and as a picture. (tests/campaign makes random
graphs for the library; these consist of operations that a learner has written, in their syntax.)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

import minigrad as mg
from minigrad_course.grading.checks import Mismatch, check_close

if TYPE_CHECKING:
    from types import ModuleType

    from minigrad_course.project.learner_engine import Engine

Language: TypeAlias = "ModuleType | Engine"  # minigrad, or what a learner has written
Step = tuple[str, tuple[int, ...]]  # an operation's name in OPERATIONS, and the indices of its inputs
MOST_IN_A_LINE = 300  # characters of a graph on the line of its test; a longer one is only shown below
TOLERANCE = 1e-7  # in float64; a few roundings, enlarged by a few steep functions


@dataclass(frozen=True)
class Kind:
    """An operation of graphs. from_: its first milestone. fits: tests whether it may be applied to values."""

    text: str
    apply: Callable[..., Any]  # of a language (minigrad, or a learner's engine) and inputs
    from_: int = 1
    fits: Callable[..., Any] = lambda *values: True


def _away(a: np.ndarray) -> np.bool_:
    return np.all(np.abs(a) > 0.1)


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    pairs = zip(np.shape(a)[::-1], np.shape(b)[::-1], strict=False)
    return all(m == n or 1 in (m, n) for m, n in pairs)


OPERATIONS: dict[str, Kind] = {
    "+": Kind("{0} + {1}", lambda m, a, b: a + b, fits=_same),
    "-": Kind("{0} - {1}", lambda m, a, b: a - b, fits=_same),
    "*": Kind("{0} * {1}", lambda m, a, b: a * b, fits=_same),
    "/": Kind("{0} / {1}", lambda m, a, b: a / b, fits=lambda a, b: _same(a, b) and _away(b)),
    "neg": Kind("-{0}", lambda m, a: -a),
    "2 +": Kind("2 + {0}", lambda m, a: 2 + a),
    "3 -": Kind("3 - {0}", lambda m, a: 3 - a),
    "2 *": Kind("2 * {0}", lambda m, a: 2 * a),
    "1 /": Kind("1 / {0}", lambda m, a: 1 / a, fits=_away),
    "- 1": Kind("{0} - 1", lambda m, a: a - 1),
    "/ 2": Kind("{0} / 2", lambda m, a: a / 2),
    "** 2": Kind("{0} ** 2", lambda m, a: a**2),
    "** 3": Kind("{0} ** 3", lambda m, a: a**3, fits=lambda a: np.all(np.abs(a) < 3)),
    "** -1": Kind("{0} ** -1", lambda m, a: a**-1, fits=_away),
    "sin": Kind("sin({0})", lambda m, a: m.sin(a)),
    "cos": Kind("cos({0})", lambda m, a: m.cos(a)),
    "exp": Kind("exp({0})", lambda m, a: m.exp(a), fits=lambda a: np.all(np.asarray(a) < 2)),
    "log": Kind("log({0})", lambda m, a: m.log(a), fits=lambda a: np.all(np.asarray(a) > 0.1)),
    "tanh": Kind("tanh({0})", lambda m, a: m.tanh(a)),
    "sum": Kind("sum({0})", lambda m, a: m.sum(a), 4, lambda a: np.ndim(a) > 0),
    "sum 0": Kind("sum({0}, axis=0)", lambda m, a: m.sum(a, axis=0), 4, lambda a: np.ndim(a) > 0),
    "sum 1": Kind("sum({0}, axis=1)", lambda m, a: m.sum(a, axis=1), 4, lambda a: np.ndim(a) > 1),
    "reshape": Kind("reshape({0}, (-1,))", lambda m, a: m.reshape(a, (np.size(a.value),)), 4, lambda a: np.ndim(a) > 1),
    "@": Kind("{0} @ {1}", lambda m, a, b: a @ b, 5,
              lambda a, b: np.ndim(a) == np.ndim(b) == 2 and a.shape[1] == b.shape[0]),
    "transpose": Kind("transpose({0})", lambda m, a: m.transpose(a), 5, lambda a: np.ndim(a) == 2),
    "relu": Kind("relu({0})", lambda m, a: m.relu(a), 5, lambda a: np.all(np.abs(a) > 0.05)),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Graph:
    """Inputs, then steps; the value is that of the last step. `seed`: the adjoint to start from."""

    inputs: tuple[Any, ...]
    steps: tuple[Step, ...]
    seed: float | np.ndarray = 1.0

    def run(self, language: Language, inputs: Sequence[Any]) -> list[Any]:
        """Compute the value of every input and step, in the nodes (or duals) of a language."""
        made = list(inputs)
        for name, places in self.steps:
            made.append(OPERATIONS[name].apply(language, *[made[k] for k in places]))
        return made

    def name(self, k: int) -> str:
        """Name inputs x0, x1, ... and steps v2, v3, ..."""
        return f"{'x' if k < len(self.inputs) else 'v'}{k}"

    def line(self, k: int) -> str:
        """Write the line of code that computes a value."""
        if k < len(self.inputs):
            return f"{self.name(k)} = {shown(self.inputs[k])}"
        name, places = self.steps[k - len(self.inputs)]
        return f"{self.name(k)} = {OPERATIONS[name].text.format(*[self.name(p) for p in places])}"

    def users(self, k: int) -> list[int]:
        """Return the values that read value k."""
        return [i for i, (_, places) in enumerate(self.steps, len(self.inputs)) if k in places]

    def lines(self) -> list[str]:
        """The whole graph, line by line."""
        lines_of_code = [self.line(k) for k in range(len(self.inputs) + len(self.steps))]
        return (
            lines_of_code
            if np.ndim(self.seed) == 0
            else [*lines_of_code, f"backward({self.name(len(lines_of_code) - 1)}, {shown(self.seed)})"]
        )


def shown(value: float | np.ndarray) -> str:
    """Write a number or a small array such that it can be typed in again."""
    return f"{value:.6g}" if np.ndim(value) == 0 else f"np.array({np.round(value, 2).tolist()})"


@functools.lru_cache(maxsize=2000)
def random_graph(seed: int, number: int, milestone: int) -> Graph:
    """Return the random graph of that number, always the same. Up to milestone 3 it has numbers, from 4 on arrays."""
    rng = np.random.default_rng([seed, milestone, number])
    inputs: list[Any] = []
    rows, columns = (int(n) for n in rng.integers(1, 4, 2))
    for _ in range(rng.integers(1, 4)):
        shapes = [(), (1,), (columns,), (rows, 1), (1, columns), (rows, columns), (columns, rows), (2, rows, columns)]
        shape = shapes[int(rng.integers(len(shapes)))] if milestone > 3 else ()
        inputs.append(np.round(rng.uniform(-2, 2, shape), 2) if shape else round(float(rng.uniform(-2, 2)), 2))
    values = [mg.Constant(x).value for x in inputs]
    steps: list[Step] = []
    used: set[int] = set()
    kinds = [name for name, kind in OPERATIONS.items() if kind.from_ <= milestone]
    new = [name for name in kinds if OPERATIONS[name].from_ == milestone] or kinds
    while len(steps) < rng.integers(2, 9):
        loose = [k for k in range(len(values)) if k not in used]
        name = str(rng.choice(new if rng.random() < 0.3 else kinds))
        arity = OPERATIONS[name].text.count("{")
        pool = loose if rng.random() < 0.6 else list(range(len(values)))
        places = tuple(int(rng.choice(pool if i == 0 else len(values))) for i in range(arity))
        if name == "@":  # matching shapes are rare by chance
            pairs = [(i, j) for i in pool for j in range(len(values)) if OPERATIONS[name].fits(values[i], values[j])]
            places = pairs[int(rng.integers(len(pairs)))] if pairs else places
        if not OPERATIONS[name].fits(*[values[k] for k in places]):
            continue
        with np.errstate(all="ignore"):
            value = OPERATIONS[name].apply(mg, *[mg.Constant(values[k]) for k in places]).value
        if np.all(np.abs(value) < 20):
            values.append(value)
            steps.append((name, places))
            used.update(places)
    out = np.round(rng.uniform(0.5, 1.5, np.shape(values[-1])), 2) if np.ndim(values[-1]) else 1.0
    return _needed(Graph(tuple(inputs), tuple(steps), out), len(values) - 1)


def _needed(graph: Graph, last: int) -> Graph:
    """Return the part of a graph that value `last` depends on."""
    n = len(graph.inputs)
    keep, todo = set(), [last]
    while todo:
        k = todo.pop()
        if k not in keep:
            keep.add(k)
            todo += graph.steps[k - n][1] if k >= n else ()
    inputs = [k for k in sorted(keep) if k < n]
    place = {k: i for i, k in enumerate([*inputs, *(k for k in sorted(keep) if k >= n)])}
    steps = [(graph.steps[k - n][0], tuple(place[p] for p in graph.steps[k - n][1])) for k in sorted(keep) if k >= n]
    return Graph(tuple(graph.inputs[k] for k in inputs), tuple(steps), graph.seed)


class Differs(Mismatch):
    """A graph on which an engine differs from minigrad. `symptom` is the same for the same mistake.

    k: the first value that differs. cause: the exception, if the engine raised one instead. `comment` stands at
    that value where the graph is shown.
    """

    def __init__(self, graph: Graph, k: int, what: str, sentence: str, cause: Exception | None = None, line: str = ""):
        self.graph, self.where, self.what, self.cause = graph, k, what, cause
        self.comment = line or sentence
        if cause is not None:
            self.comment = f"{'backward ' if what == 'backward' else ''}stops with {type(cause).__name__}"
        name = graph.steps[k - len(graph.inputs)][0] if k >= len(graph.inputs) else "input"
        used = sorted({step for step, places in graph.steps if k in places})
        self.symptom = f"{what} of {name}" + (f", used by {', '.join(used)}" if what == "grad" and used else "")
        self.sentence = f"{sentence.rstrip('.')}.{self._from()}"
        lines = "; ".join(self.lines())
        super().__init__(
            f"{lines}: {self.sentence}" if len(lines) < MOST_IN_A_LINE else f"{self.sentence} The graph is below."
        )

    def lines(self) -> list[str]:
        """Write the graph as code: with dual numbers, if a tangent is wrong."""
        lines = self.graph.lines()
        if self.what == "tangent":
            moving = zip(self.graph.inputs, along(self.graph), strict=True)
            lines[: len(self.graph.inputs)] = [
                f"{self.graph.name(k)} = Dual({shown(x)}, {shown(d)})" for k, (x, d) in enumerate(moving)
            ]
            lines = [line for line in lines if not line.startswith("backward")]
        return lines

    def marked(self) -> list[str]:
        """Return the same lines, with a comment at the first wrong number."""
        lines = self.lines()
        k = -1 if self.what == "backward" else self.where
        lines[k] += f"  # ✗ {self.comment}"
        return lines

    def _from(self) -> str:
        """Name the suspect lines: everything that the first wrong number depends on is right."""
        if self.cause is not None:
            return ""
        if self.what == "grad":
            used = [self.graph.line(i) for i in self.graph.users(self.where)]
            own = "whose own grad is right" if len(used) == 1 else "whose own grads are right"
            return f" What it gets comes from {' and from '.join(used)}, {own}." if used else " The pass starts here."
        if self.where < len(self.graph.inputs):
            return ""
        return f" It is computed by {self.graph.line(self.where)}, from numbers that are right."


def compare(engine: Language, graph: Graph) -> None:
    """Compare values from the first node on, then gradients from the last back. Raises Differs at the first
    difference.
    """
    made, adjoints = compare_values(engine, graph)
    try:
        engine.backward(made[-1], np.array(graph.seed) if np.ndim(graph.seed) else graph.seed)
    except NotImplementedError:
        raise
    except Exception as error:
        raise Differs(graph, len(made) - 1, "backward", f"{type(error).__name__}: {error}", error) from None
    for k in range(len(made) - 1, -1, -1):
        if adjoints[k] is not None:
            _demand(graph, k, "grad", made[k].grad, adjoints[k])


@functools.lru_cache(maxsize=2000)
def _reference(graph: Graph) -> tuple[list[Any], list[Any]]:
    """Compute minigrad's values and adjoints; authors ask for them again with every engine."""
    made = graph.run(mg, [mg.Variable(np.asarray(x, dtype=float)) for x in graph.inputs])
    made[-1].backward(np.asarray(graph.seed, dtype=float))
    return [node.value for node in made], [node.adjoint for node in made]


def compare_values(engine: Language, graph: Graph) -> tuple[list[Any], list[Any]]:
    """Compare the value of every node, from the first on. Raises Differs at the first that is not minigrad's.

    Returns the engine's nodes, and minigrad's adjoints.
    """
    values, adjoints = _reference(graph)
    try:
        made = graph.run(engine, [engine.Node(np.array(x, dtype=float) if np.ndim(x) else x) for x in graph.inputs])
    except NotImplementedError:
        raise
    except Exception as error:
        last = len(graph.inputs) + len(graph.steps) - 1
        raise Differs(graph, last, "value", f"{type(error).__name__}: {error}", error) from None
    for k, (got, expected) in enumerate(zip(made, values, strict=True)):
        _demand(graph, k, "value", getattr(got, "value", got), expected)
    return made, adjoints


def _demand(graph: Graph, k: int, what: str, got: object, expected: object) -> None:
    try:
        check_close(got, expected, f"{graph.name(k)}.{what}", TOLERANCE)
    except Mismatch as error:
        raise Differs(graph, k, what, str(error), line=error.line) from None


def along(graph: Graph) -> list[Any]:
    """Return the direction in which the inputs of a graph move; always the same."""
    rng = np.random.default_rng(len(graph.steps))
    return [np.round(rng.normal(size=np.shape(x)), 2) if np.ndim(x) else round(rng.normal(), 2) for x in graph.inputs]


def push(engine: Language, graph: Graph) -> None:
    """The dot-product test, <u, J d> = <Jᵀ u, d>: both sides from the engine, none of them known beforehand.

    Where it fails, minigrad's tangents tell which of the engine's is the first that is wrong.
    """
    moves = along(graph)
    last = len(graph.inputs) + len(graph.steps) - 1
    duals = [engine.Dual(np.array(x) if np.ndim(x) else x, d) for x, d in zip(graph.inputs, moves, strict=True)]
    nodes = [engine.Node(np.array(x) if np.ndim(x) else x) for x in graph.inputs]
    try:
        made = graph.run(engine, duals)
        forward = float(np.sum(graph.seed * made[-1].tangent))
    except NotImplementedError:
        raise
    except Exception as error:
        raise Differs(graph, last, "tangent", f"{type(error).__name__}: {error}", error) from None
    try:
        output = graph.run(engine, nodes)[-1]
        engine.backward(output, np.array(graph.seed) if np.ndim(graph.seed) else graph.seed)
        reverse = float(sum(np.sum(node.grad * d) for node, d in zip(nodes, moves, strict=True)))
    except Exception as error:
        raise Differs(graph, last, "backward", f"{type(error).__name__}: {error}", error) from None
    try:
        check_close(forward, reverse, "<u, J d> by forward mode against <Jᵀ u, d> by reverse mode", TOLERANCE)
    except Mismatch as error:
        for k in range(len(made)):
            values, tangents = tuple(np.asarray(x, float) for x in graph.inputs), tuple(np.asarray(d) for d in moves)
            _, expected = mg.jvp(lambda *xs, k=k: graph.run(mg, xs)[k], values, tangents)
            _demand(graph, k, "tangent", made[k].tangent, expected)
        compare(engine, graph)
        raise Differs(graph, last, "tangent", str(error), line=error.line) from None


def campaign(engine: Language, milestone: int, count: int, test: Callable[[Language, Graph], object] = compare) -> None:
    """Try many graphs; raise the smallest one on which the engine fails as Differs."""
    with np.errstate(all="ignore"):
        for number in range(count):
            graph = random_graph(0, number, milestone)
            try:
                test(engine, graph)
            except Differs as failure:
                raise smallest(engine, graph, failure, test) from None


def smallest(engine: Language, graph: Graph, failure: Differs, test: Callable[[Language, Graph], object]) -> Differs:
    """Shrink a failing graph: end it early, replace computed values by numbers, while it still fails."""
    while True:
        for smaller in _smaller(graph):
            try:
                test(engine, smaller)
            except Differs as again:
                graph, failure = smaller, again
                break
        else:
            return failure


def _smaller(graph: Graph) -> Iterator[Graph]:
    """Yield graphs with fewer steps than this one, the smallest first."""
    n = len(graph.inputs)
    values = [node.value for node in graph.run(mg, [mg.Constant(x) for x in graph.inputs])]
    for last in range(n, n + len(graph.steps) - 1):
        part = _needed(graph, last)
        yield Graph(part.inputs, part.steps, np.ones(np.shape(values[last])) if np.ndim(values[last]) else 1.0)
    for k in range(n, n + len(graph.steps)):  # step k is left out: an input of its own shape stands in its place
        for p in graph.steps[k - n][1]:
            if np.shape(values[p]) == np.shape(values[k]) and len(graph.steps) > 1:
                yield from _checked(_without(graph, k, p))
    for k in range(n, n + len(graph.steps) - 1):  # value k becomes an input, rounded, behind the others
        value = np.round(values[k], 2)
        moved = {i: i if i < n else n if i == k else i + 1 if i < k else i for i in range(n + len(graph.steps))}
        steps = tuple(
            (name, tuple(moved[p] for p in places)) for i, (name, places) in enumerate(graph.steps, n) if i != k
        )
        candidate = Graph((*graph.inputs, value if np.ndim(value) else float(value)), steps, graph.seed)
        yield from _checked(_needed(candidate, n + len(graph.steps) - 1))


def _checked(graph: Graph) -> Iterator[Graph]:
    if graph.steps and _fits(graph):
        yield graph


def _without(graph: Graph, k: int, p: int) -> Graph:
    """Return the graph with value p in place of value k, which is no longer computed."""
    n = len(graph.inputs)

    def moved(i: int) -> int:
        return p if i == k else i - (i > k)

    steps = tuple((name, tuple(moved(i) for i in places)) for i, (name, places) in enumerate(graph.steps, n) if i != k)
    return _needed(Graph(graph.inputs, steps, graph.seed), moved(n + len(graph.steps) - 1))


def _fits(graph: Graph) -> bool:
    """Tell whether every operation may be applied to its inputs, even after rounding."""
    values = list(graph.inputs)
    for name, places in graph.steps:
        if not OPERATIONS[name].fits(*[np.asarray(values[k]) for k in places]):
            return False
        values.append(OPERATIONS[name].apply(mg, *[mg.Constant(values[k]) for k in places]).value)
    return True
