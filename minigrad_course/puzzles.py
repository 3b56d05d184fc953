"""Twelve puzzles on gradients: each a rule to write, tried at once where `explore` walks back through a small graph.

    @puzzle
    def product(adjoint, a, b):
        return adjoint * b, adjoint * a

The name of the function is that of the puzzle. Its graph is walked back with the learner's rule, up to the first share
that differs: this step is shown, in words and in the graph, with the adjoints that had arrived. A right rule is tried
with other numbers as well, and kept: two_moons.py trains a network with all twelve.
"""

# ruff: noqa: E731 (formulas)
from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import minigrad as mg
from minigrad.core import functional, graph
from minigrad.core.operation import Operation, plain
from minigrad_course.grading import Mismatch, error_words, likeness
from minigrad_course.grading.cases import called, check_own
from minigrad_course.grading.checks import first_difference
from minigrad_course.grading.places import place_of
from minigrad_course.grading.points_table import CROSS, OPEN, TICK, in_html
from minigrad_course.guesses import beside, shell
from minigrad_course.viz.drawing import draw
from minigrad_course.viz.explore.record import lent, record
from minigrad_course.viz.explore.walk import Rules, Truth, number, walks
from minigrad_course.viz.page import picture_in_page
from minigrad_course.viz.picture import Picture

Rule = Callable[..., Any]
CLOSE = 1e-12
LIBRARY = functional, graph  # the modules whose calls take derivatives
solved: dict[str, Rule] = {}  # the right rules, by name


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: a function, a graph of it, numbers for the graph, a hint, and a word at the end.

    graph: makes each node of the function by `op(name, *inputs)`; a name alone: the sum of one node's squares.
    apply: calls a rule at one node, for the shares of its first inputs. shares: how many. library: not to be used.
    """

    function: Rule
    graph: str | Rule
    numbers: Sequence[Mapping[str, Any]]
    hint: str
    praise: str
    shares: int = 1
    apply: Rule = lambda rule, adjoint, v, x, before: rule(adjoint, *x)
    library: Sequence[Any] = LIBRARY


class Watched(Operation):
    """The function of a puzzle. On the way back its shares are right, once a walk has compared the rule's with them."""

    def __init__(self, walk: Walk, node: Any = None):
        self.name, self.walk, self.node = walk.name, walk, node

    def value(self, *inputs: Any, out: Any = None) -> Any:
        return self.walk.puzzle.function(*inputs)

    def pullback(self, needed: Sequence[int], adjoint: Any, v: Any, *inputs: Any) -> list[Any]:
        x = [plain(np.array(one)) for one in inputs]
        shares = mg.vjp(self.walk.puzzle.function, *x)[1](adjoint)
        if self.walk.rule is not None:
            self.walk.compare(self.node, plain(np.array(adjoint)), plain(np.array(v)), x, shares)
        return [shares[i] for i in needed]


class Walk:
    """A graph of a puzzle, and the walk back through it with a rule."""

    def __init__(self, name: str, numbers: Mapping[str, Any]):
        self.name, self.puzzle, self.before = name, PUZZLES[name], 0.0
        self.rule: Rule | None = None
        make, variables = self.puzzle.graph, [mg.Variable(value, name=key) for key, value in numbers.items()]
        output = mg.sum(mg.square(self.op(make, *variables))) if isinstance(make, str) else make(self.op, *variables)
        output.name = "f"
        self.record = record(output)
        self.truth = Truth(self.record)
        self.output, self.names, self.shares = output, self.record.names, self.truth.shares[output]
        self.steps = [*self.shares]  # in the order of explore
        self.arrived, self.parted = 0, output  # how many shares are right, and the node that gets the first wrong one

    def op(self, name: str, *inputs: Any) -> Any:
        """Make a node of the puzzle's function."""
        watched = Watched(self)
        watched.node = node = watched(*inputs)
        node.name = name
        return node

    def back(self, rule: Rule) -> None:
        """Walk back with this rule. Raises Mismatch at the first share that differs."""
        self.rule, self.before = rule, 0.0
        if self.name == "backward":
            self._whole_pass(rule)
        else:
            walks(self.record, Rules(), self.truth)
        self.arrived = len(self.steps)

    def compare(self, node: Any, adjoint: Any, v: Any, x: list[Any], shares: Sequence[Any]) -> None:
        """Compare what the rule passes on at one node with the right shares. Raises Mismatch."""
        count, right, results = self.puzzle.shares, [*shares[: self.puzzle.shares]], []
        seen = "".join(f", {self.names[one]} = {number(one._value)}" for one in dict.fromkeys(node.inputs))
        seen = f"There the adjoint of {self.names[node]} is {number(adjoint)}{seen}."
        call = lambda: results.append(self.puzzle.apply(self.rule, adjoint, v, x, self.before))
        by_library = self._tried(node, lambda: called(call, (), *self.puzzle.library))
        if self.name == "turn":
            right[1] = self.before = self.before + right[1]
        got = results[0] if count > 1 else results
        stacked = isinstance(got, np.ndarray) and got.shape == (count, *np.shape(v))  # shares of one shape
        if not (stacked or isinstance(got, (tuple, list))) or len(got) != count:
            many = len(got) if isinstance(got, (tuple, list)) else f"one {type(got).__name__}"
            self._part(node, 0, f"{count} results are expected, got {many}", likeness.of_type(got), seen)
        arrows = [f"{self.names[node]} → {self.names[one]}" for one in node.inputs[:count]]
        have, want = (dict(zip(arrows, values, strict=True)) for values in (got, right))
        if difference := first_difference(have, want, "", CLOSE):
            place = next(k for k, arrow in enumerate(arrows) if difference[0].startswith(arrow))
            self._part(node, place, *difference, seen)
        check_own(by_library, f"The numbers are right, but `{self.name}`")

    def _whole_pass(self, backward: Rule) -> None:
        """Run the learner's whole pass, and compare each adjoint as it is passed on, and at the end."""
        right = {self.names[node]: plain(np.array(value)) for node, value in self.truth.adjoints[self.output].items()}
        nodes = {self.names[node]: node for node in reversed(self.record.backwards(self.output))}

        def same(name: str, got: Any, what: str) -> None:
            line, note = first_difference(got, right[name], what.format(name), CLOSE) or ("", "")
            parts = [number(amount) for share, amount in self.shares.items() if share.target is nodes[name]]
            if line:
                note = f"{len(parts)} shares arrive there, {' and '.join(parts)}" if len(parts) > 1 else note
                self._part(nodes[name], None, line, note, "")

        def shares(name: str, adjoint: Any) -> list[tuple[str, Any]]:
            if name not in nodes:
                raise Mismatch(f"`shares` was asked for {name!r}, which is no node of `order`")
            passed = [share for share in self.steps if share.source is nodes[name]]
            self.arrived = self.steps.index(passed[0]) if passed else self.arrived
            same(name, adjoint, "the adjoint that {} passes on")
            return [(self.names[share.target], plain(np.array(self.shares[share]))) for share in passed]

        got = self._tried(self.output, lambda: backward([*nodes], shares))
        for name in reversed(nodes):
            same(name, got.get(name, 0.0) if isinstance(got, dict) else got, "the adjoint of {}")

    def _tried(self, node: Any, call: Callable[[], Any]) -> Any:
        """Call something of the learner's. Raises Mismatch that says at which step it stopped with an error."""
        try:
            return call()
        except Mismatch:
            raise
        except Exception as error:
            kind, file = type(error).__name__, inspect.getfile(self.rule or call)
            words = error_words.in_words(kind, str(error))
            place = place_of(error, lambda frame: frame.f_code.co_filename == file)
            line = f"your rule stops with {kind}{'' if words else f': {error}'}"
            self._part(node, 0, line, "", f"{words} {place}".strip())

    def _part(self, node: Any, place: int | None, line: str, note: str, more: str) -> None:
        """Raise Mismatch that says at which step the walk parts from the right one; None: at the adjoint of `node`."""
        self.parted, where = node, ""
        if place is not None:
            share = [share for share in self.steps if share.source is node][place]
            self.arrived, self.parted = self.steps.index(share), share.target
            where = "" if "→" in line else f"{self.names[node]} → {self.names[share.target]}: "
        step = f"Step {min(self.arrived + 1, len(self.steps))} of {len(self.steps)}"
        raise Mismatch(f"{step}, {where}{line}{f' ({note})' if note else ''}. {more}".rstrip())

    def picture(self) -> Picture:
        """Draw the graph with the adjoints that have arrived, and mark where the rule parts from the right one."""
        adjoints: dict[Any, Any] = {self.output: np.ones(())} if self.rule is not None else {}
        for share in self.steps[: self.arrived]:
            adjoints[share.target] = adjoints.get(share.target, 0.0) + self.shares[share]
        with lent(self.record.nodes, adjoints):
            picture = draw(self.output, adjoints=bool(adjoints), fold=False)
        return picture if self.parted is self.output else picture.marked(self.parted, "parts here")


class Verdict:
    """The graph of a puzzle, and below it what came of the rule: right, wrong, or not written yet (None)."""

    def __init__(self, right: bool | None, sentence: str, picture: Picture):
        self.right, self.sentence, self.picture, self.solved = right, sentence, picture, len(solved)
        self.mark, self.count = OPEN if right is None else TICK if right else CROSS, f"{len(solved)} of {len(PUZZLES)}"

    def __repr__(self) -> str:
        return f"{self.picture.text}\n\n{self.mark} {self.count} · {self.sentence}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        width = 15 - 30 * self.solved / len(PUZZLES)  # of the shadow on a moon that waxes
        moon = (
            '<svg width="34" height="34" viewBox="0 0 34 34" aria-hidden="true" style="display:block;margin:auto">'
            '<circle cx="17" cy="17" r="15" fill="none" stroke="currentColor" stroke-opacity=".5"/>'
            f'<path d="M17 2A15 15 0 0 1 17 32A{abs(width):.1f} 15 0 0 {int(width < 0)} 17 2" fill="#e6a21a"/></svg>'
        )
        words = (
            '<div style="display:flex;gap:1em;align-items:center"><div style="flex:none;text-align:center">'
            f"{moon}<small>{self.count}</small></div><div><b>{self.mark}</b> {in_html(self.sentence)}</div></div>"
        )
        picture = picture_in_page(self.picture.svg, self.picture.sketch.summary)
        return {"text/html": picture + beside(words, self.right is not False), "text/plain": repr(self)}


def puzzle(rule: Rule) -> Rule:
    """Try a rule on the puzzle of its name, show what came of it, and return the rule."""
    if rule.__name__ not in PUZZLES:
        raise ValueError(f"a rule has the name of its puzzle, {', '.join(PUZZLES)}; got {rule.__name__}")
    verdict = judged(rule)
    if shell() is None:
        print(verdict, end="\n\n")
    else:
        from IPython.display import display

        display(verdict)
    return rule


def judged(rule: Rule) -> Verdict:
    """Walk back through the graphs of a puzzle with a rule, and judge it; a right one is kept in `solved`."""
    name = rule.__name__
    solved.pop(name, None)
    first, *others = (Walk(name, numbers) for numbers in PUZZLES[name].numbers)
    if _unwritten(rule):
        return Verdict(None, "Put your rule in the place of the `...`, and run the cell again.", first.picture())
    for walk in (first, *others):
        try:
            walk.back(rule)
        except Mismatch as error:
            head = "" if walk is first else "Right with the numbers at first, and wrong with these. "
            return Verdict(False, f"{head}{error}\n{PUZZLES[name].hint}", walk.picture())
    solved[name] = rule
    return Verdict(True, PUZZLES[name].praise, first.picture())


def _unwritten(rule: Rule) -> bool:
    """Tell whether a line of a rule ends with the `...` that stands for an answer."""
    try:
        return re.search(r"(?m)^([^#\n]*\s)?\.\.\.$", inspect.getsource(rule)) is not None
    except (OSError, TypeError):
        return ... in rule.__code__.co_consts


_random = lambda **of: {name: np.round(np.random.default_rng(ord(name)).normal(size=of[name]), 2) for name in of}
_every_other = lambda x: np.arange(np.size(x)).reshape(np.shape(x)) % 2 == 0
_bowl = lambda x: x[0] * x[0] * x[1] + mg.sin(x[0]) + x[1] * x[1] * x[1]
_mixed = lambda x: mg.stack([x[0] * x[1], mg.sin(x[1]) + x[-1] * x[-1]])


def _push(x: Any) -> Rule:
    matrix = np.hstack([[[x[1], x[0]], [0.0, np.cos(x[1])]], np.zeros((2, len(x) - 3)), [[0.0], [2 * x[-1]]]])
    return lambda tangent: matrix @ tangent


def _diamond(op: Rule, x: Any, y: Any) -> Any:
    a = x * y
    b = a + x
    c = a * b
    a.name, b.name, c.name = "a", "b", "c"
    return c + b


def _written_over(rule: Rule, adjoint: Any, v: Any, x: Any, before: float) -> Any:
    a = x[0].copy()  # which the rule writes over, before the way back
    kept = rule(a)
    if not np.array_equal(a, v):
        raise Mismatch("The line `a *= a` has to stay as it is: afterwards the squares are expected in `a`.")
    return adjoint * 2 * kept if isinstance(kept, (int, float, np.ndarray, list, tuple)) else kept


PUZZLES: dict[str, Puzzle] = {
    "product": Puzzle(
        lambda a, b: a * b, lambda op, x, y: op("f", op("c", x, y), x), [{"x": 3.0, "y": 2.0}, {"x": -1.5, "y": 0.5}],
        "Raise `a` by a little: how many times as much does `a * b` grow?",
        "Each factor is worth what stands beside it. You have written a rule that every network needs.", 2),
    "row": Puzzle(
        lambda b, M: M + b, "S",
        [{"b": np.array([10.0, 20.0, 30.0]), "M": np.arange(6.0).reshape(2, 3)}, _random(b=(2,), M=(4, 2))],
        "Each entry of `b` was copied into every row. What comes back from each copy?",
        "What is copied on the way there is added up on the way back.",
        1, lambda rule, adjoint, v, x, before: rule(adjoint, x[0])),
    "largest": Puzzle(
        mg.max, lambda op, a: mg.square(op("m", a)),
        [{"a": np.array(a)} for a in ([2.0, 7.0, 7.0, 1.0], [3.0, -1.0, 2.0], [-2.0, -2.0, -2.0])],
        "Smaller entries move nothing. Where several are the largest, they share evenly here.",
        "A tie is shared evenly. So the shares add up to the adjoint, whatever the tie."),
    "choice": Puzzle(
        lambda a, b: mg.where(_every_other(a), a, b), "v",
        [{"a": np.arange(1.0, 5.0), "b": -np.arange(1.0, 5.0)}, _random(a=(2, 3), b=(2, 3))],
        "An entry that was not taken moves nothing. One that was taken moves whatever its place moves.",
        "With `a > 0` for `c`, and 0 for `b`, this is the whole derivative of a ReLU.",
        2, lambda rule, adjoint, v, x, before: rule(adjoint, _every_other(x[0]))),
    "matmul": Puzzle(
        lambda A, B: A @ B, "C",
        [{"A": np.arange(6.0).reshape(2, 3), "B": np.array([[1.0, 0], [2, -1], [0, 3]])}, _random(A=(3, 2), B=(2, 4))],
        "A share has the shape of its matrix. Which product of `adjoint` (shaped as C) and the other matrix has it?",
        "Two products back for one forward: so a step of training costs about as much as three predictions.", 2),
    "softmax": Puzzle(
        mg.softmax, lambda op, z: mg.sum(mg.exp(op("p", z))), [{"z": np.array([0.0, 1.0, 2.0])}, _random(z=(5,))],
        "Raise one score: its own `p` grows, all others shrink. So each share needs a sum over all entries.",
        "A Jacobian of n times n, multiplied without being built.",
        1, lambda rule, adjoint, v, x, before: rule(adjoint, v)),
    "turn": Puzzle(
        lambda h, w: mg.tanh(w * h), lambda op, h0, w: op("h3", op("h2", op("h1", h0, w), w), w),
        [{"h0": 0.5, "w": 1.5}, {"h0": -0.8, "w": 0.7}],
        "The slope of tanh is 1 - tanh², and `after` is that tanh. Each turn used `w`: what becomes of its shares?",
        "Backpropagation through time. A factor `w (1 - after²)` a turn: that is how gradients vanish, or explode.",
        2, lambda rule, adjoint, v, x, before: rule(adjoint, before, x[0], v, x[1])),
    "square": Puzzle(
        lambda a: a * a, "v", [{"a": np.array([1.0, 2.0, 3.0])}, _random(a=(4,))],
        "The way back multiplies by `2 * kept`. If `kept` is the same array as `a`: what is in it by then?",
        "A copy, in time. Without it: no error, no warning, and wrong gradients.", 1, _written_over),
    "pull": Puzzle(
        _mixed, "y", [{"x": np.array([1.0, 2.0, 3.0])}, _random(x=(4,))],
        "`push` of the k-th unit vector is column k of J. What do `adjoint` and that column make together?",
        "As many pushes as inputs, for one pull. This is why networks are trained in reverse.",
        1, lambda rule, adjoint, v, x, before: rule(adjoint, _push(x[0]), len(x[0]))),
    "hvp": Puzzle(
        mg.grad(_bowl), "g", [{"x": np.array([1.0, 2.0])}, {"x": np.array([-0.5, 1.5])}],
        "`mg.grad(f)(x)` is a vector. Which number, made of it and of `v`, has the gradient H v?",
        "A product with a matrix of n times n, and nothing has to build the matrix.",
        1, lambda rule, adjoint, v, x, before: rule(_bowl, x[0], adjoint), (mg.hessian, mg.hvp, mg.jacobian)),
    "solve": Puzzle(
        np.linalg.solve, "x",
        [{"A": np.array([[2.0, 1.0], [0.0, 4.0]]), "b": np.array([4.0, 8.0])}, _random(A=(3, 3), b=(3,))],
        "The share of `b` solves a system of its own: with which matrix? That of `A` is made of it and of `x`.",
        "No step of the solver was differentiated.",
        2, lambda rule, adjoint, v, x, before: rule(adjoint, x[0], v)),
    "backward": Puzzle(
        lambda a, b: a * b, _diamond, [{"x": 3.0, "y": 2.0}, {"x": 0.5, "y": -1.0}],
        "Two nodes may pass a share to the same input. What becomes of the first one?",
        "A few lines, for every graph there is. All else that an engine needs is rules."),
}  # fmt: skip
