"""The loop over time as one node: `scan(cell, xs, state)`.

    for t in range(steps):                       # what it computes
        state, y[t] = cell(state, x[t])

The cell is recorded once, as a small graph, and run for every step in the same arrays. So a graph with a loop of 1,000
steps has one node for it. Reverse mode is a loop as well: it runs the steps from the last to the first, and its
cell is the adjoint of the cell, made of nodes. So it is a `scan` too, and can be differentiated again.

The reverse loop needs values of the forward loop. The `checkpoint` policy says which of them are kept:

    "everything"   all intermediate values of every step: nothing is computed twice
    "states"       the state before every step; the rest of a step is computed again
    k (a number)   the state before every k-th step; k steps at a time are computed again
    "sqrt"         k = the square root of the number of steps: memory grows with the square root of the length

(Griewank and Walther, "Evaluating Derivatives", 2008, chapter 12. The k-step policies are nothing new here: a scan over
chunks whose cell is a scan.)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, Tree
from minigrad.core.block import override
from minigrad.core.functional import under_way
from minigrad.core.graph import Program, adjoint_nodes, computed, program, run, tangents, topological_order
from minigrad.core.node import Constant, Node, Operator, is_view
from minigrad.core.operation import Operation, plain
from minigrad.core.tree import flatten, matching_leaves
from minigrad.loops.cell import Body, Build, Recorded, leaf_like, lift, rejoin
from minigrad.loops.summed import Summed
from minigrad.loops.vmap import all_of, one_of
from minigrad.ops.shape import cast, concatenate, dtype_of, moveaxis, reshape, shape_of

Policy = str | int


class Layout:
    """The places of several results in one array that holds them all: each in its own dtype, so that none is rounded.

    dtype: that of the array. mixed: whether the results have several dtypes; they are then views of the array's bytes,
    and its own numbers mean nothing.
    """

    def __init__(self, shapes: Sequence[tuple[int, ...]], dtypes: Sequence[np.dtype]):
        self.shapes, self.dtypes = shapes, dtypes
        self.mixed = len(set(dtypes)) != 1
        self.dtype = np.dtype(np.float64) if self.mixed else dtypes[0]
        room = [math.prod(shape) * dtype.itemsize for shape, dtype in zip(shapes, dtypes, strict=True)]
        self.starts = list(itertools.accumulate((-(-size // self.dtype.itemsize) for size in room), initial=0))

    def empty(self) -> np.ndarray:
        return np.zeros(self.starts[-1], self.dtype)

    def parts(self) -> list[Part]:
        where = zip(self.starts, self.shapes, self.dtypes, strict=False)
        return [Part(k, start, shape, dtype) for k, (start, shape, dtype) in enumerate(where)]


class Part(Operation):
    """One of the results of a `Scan`: a view into the array that holds them all."""

    name = "part"

    def __init__(self, k: int, start: int, shape: tuple[int, ...], dtype: np.dtype):
        self.part, self.start, self.shape, self.dtype = k, start, shape, dtype

    def value(self, packed: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return packed[self.start :].view(self.dtype)[: math.prod(self.shape)].reshape(self.shape)

    def pullback(self, needed: Sequence[int], adjoint: Array, v: Array, packed: Array) -> list[Any]:
        return [Parts({self.part: adjoint})]  # type: ignore[dict-item]

    def text(self, a: str) -> str:
        return f"{a}[{self.part}]"


class Parts(dict[int, Any]):
    """The adjoints of a loop's results, by number: they are pulled back together."""

    def __add__(self, other: Parts) -> Parts:
        more = {k: self[k] + part if k in self else part for k, part in other.items()}
        return Parts({**self, **more})


class Pack(Operation):
    """Results put into one array, from which each `Part` takes its own: what a `Scan` would leave."""

    name = "pack"

    def __init__(self, layout: Layout):
        self.layout = layout

    def value(self, *results: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = self.layout.empty() if out is None else out
        for part, result in zip(self.layout.parts(), results, strict=True):
            np.copyto(part.value(out), result)
        return out

    def pullback(self, needed: Sequence[int], adjoint: Mapping[int, Any], v: Array, *results: Array) -> list[Any]:
        return [adjoint.get(k) for k in needed]

    def pushforward(self, tangents_in: Mapping[int, Any], v: Array, *results: Array) -> Array | None:
        return self(*(tangents_in.get(k, np.zeros(shape_of(x), dtype_of(x))) for k, x in enumerate(results)))


class Scan(Operation):
    """The node behind `scan`. Inputs: first carries, xs, free values. Value: last carries and ys, in one array."""

    name = "scan"

    def __init__(self, body: Body, steps: int, policy: str, backwards: bool = False):
        self.body, self.steps, self.policy, self.backwards = body, steps, policy, backwards
        self.saved = _saved(body, policy)
        self.ys = ys = [*body.y_out, *(node for node in self.saved if node not in body.y_out)]
        shapes = [node.shape for node in body.carry_out] + [(steps, *node.shape) for node in ys]
        self.layout = Layout(shapes, [node.dtype for node in [*body.carry_out, *ys]])

    @cached_property
    def _program(self) -> Program:
        return program(computed(topological_order(*self.body.carry_out, *self.ys)))

    def __getstate__(self) -> dict[str, Any]:
        return {name: x for name, x in vars(self).items() if name != "_program"}  # its arrays are those of the nodes

    def value(self, *inputs: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        body, steps = self.body, self.steps
        out = self.blank() if out is None else out
        parts = [part.value(out) for part in self.parts()]
        carry, xs, free = self.split(inputs)
        for node, value in zip([*body.carry_in, *body.free_in], [*carry, *free], strict=True):
            np.copyto(node._value, value)
        for t in reversed(range(steps)) if self.backwards else range(steps):
            for node, x in zip(body.x_in, xs, strict=True):
                np.copyto(node._value, x[t])
            run(self._program)
            for node, stack in zip(self.ys, parts[len(body.carry_out) :], strict=True):
                stack[t] = node._value
            for before, after in zip(body.carry_in, body.carry_out, strict=True):
                np.copyto(before._value, after._value)
        for node, part in zip(body.carry_in, parts, strict=False):
            np.copyto(part, node._value)
        return out

    def blank(self, *inputs: np.ndarray) -> np.ndarray:
        return self.layout.empty()

    def parts(self) -> list[Part]:
        return self.layout.parts()

    def split(self, inputs: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
        a = len(self.body.carry_in)
        b = a + len(self.body.x_in)
        return list(inputs[:a]), list(inputs[a:b]), list(inputs[b:])

    def pullback(self, needed: Sequence[int], adjoint: Mapping[int, Any], v: Array, *inputs: Array) -> list[Any]:
        """The loop run backwards. Its carry: the state's adjoint, and the sums of the free values' adjoints."""
        if self.policy == "nothing":  # nobody was expected to ask: once more, with what the way back needs
            again = Scan(self.body, self.steps, "states", self.backwards)
            return again.pullback(needed, adjoint, again(*inputs), *inputs)
        body, n_carry = self.body, len(self.body.carry_in)
        parts = self.parts()
        adjoint = {k: bar for k, bar in adjoint.items() if parts[k].dtype.kind == "f"}
        if not adjoint:  # through counts and conditions nothing flows back
            return [None] * len(needed)
        _, xs, free = self.split(inputs)
        copies, saved = self._saved_copies()

        carry_bar = [leaf_like(node, "carry_bar") for node in body.carry_out]
        y_bar = {k: leaf_like(self.ys[k - n_carry]) for k in adjoint if k >= n_carry}
        seeds: dict[Node, Node] = {}
        outs = [*body.carry_out, *(self.ys[k - n_carry] for k in y_bar)]
        for node, bar in zip(outs, [*carry_bar, *y_bar.values()], strict=True):
            if node.dtype.kind == "f":
                seeds[node] = seeds[node] + bar if node in seeds else bar
        adjoints = adjoint_nodes(seeds, body.inputs, copies)

        adjoints = {node: bar for node, bar in adjoints.items() if node.dtype.kind == "f"}
        places = [i for i in needed if body.inputs[i].dtype.kind == "f"]
        wanted = [body.inputs[i] for i in places]
        free_wanted = [node for node in body.free_in if node in wanted]
        x_wanted = [node for node in body.x_in if node in wanted]
        packed_saved = [parts[n_carry + self.ys.index(node)](v) for node in self.saved]
        x_in = [*saved, *body.x_in, *y_bar.values()]
        stacked = dict(zip(x_in, [*packed_saved, *xs, *(adjoint[k] for k in y_bar)], strict=True))
        y_out = [_or_zero(adjoints.get(node), node) for node in x_wanted]
        later = Summed([*x_in, *y_out], more=self.policy == "everything")
        behind = {node: make for node in free_wanted if (make := later.total(adjoints.get(node)))}
        in_loop = [node for node in free_wanted if node not in behind]
        sums = [leaf_like(node, "sum") for node in in_loop]
        pairs = zip(sums, in_loop, strict=True)
        new_sums = [total + adjoints[node] if node in adjoints else total for total, node in pairs]
        y_out += later.new
        reverse = Body(
            carry_in=[*carry_bar, *sums],
            x_in=x_in,
            free_in=body.free_in,
            carry_out=[_or_zero(adjoints.get(node), node) for node in body.carry_in] + new_sums,
            y_out=y_out,
        )
        start = [adjoint[k] if k in adjoint else np.zeros(parts[k].shape, parts[k].dtype) for k in range(n_carry)]
        start += [np.zeros(node.shape, node.dtype) for node in in_loop]
        carries, stacks = _call(reverse, self.steps, start, list(stacked.values()), free, not self.backwards)
        stacked.update(zip(y_out, stacks, strict=True))
        result = dict(zip([*body.carry_in, *in_loop], carries, strict=True))
        result.update(zip(x_wanted, stacks, strict=False))
        result.update({node: make(stacked) for node, make in behind.items()})
        return [result[body.inputs[i]] if i in places else None for i in needed]

    def pushforward(self, tangents_in: Mapping[int, Any], v: Array, *inputs: Array) -> Array | None:
        """A loop whose state is doubled: each value travels with its tangent."""
        body, n_carry = self.body, len(self.body.carry_in)
        moving = [i for i in range(len(body.inputs)) if i < n_carry or i in tangents_in]
        dots = {i: leaf_like(body.inputs[i]) for i in moving}
        outputs = [*body.carry_out, *self.ys]
        out_dots = tangents(outputs, [body.inputs[i] for i in moving], list(dots.values()))
        a, b = n_carry, n_carry + len(body.x_in)
        doubled = Body(
            carry_in=[*body.carry_in, *(dots[i] for i in range(a))],
            x_in=[*body.x_in, *(dots[i] for i in moving if a <= i < b)],
            free_in=[*body.free_in, *(dots[i] for i in moving if i >= b)],
            carry_out=[*body.carry_out, *out_dots[:a]],
            y_out=out_dots[a:],
        )
        carry, xs, free = self.split(inputs)
        start = [
            *carry,
            *(tangents_in.get(i, np.zeros(body.carry_in[i].shape, body.carry_in[i].dtype)) for i in range(a)),
        ]
        x_dots = [tangents_in[i] for i in moving if a <= i < b]
        free_dots = [tangents_in[i] for i in moving if i >= b]
        carries, stacks = _call(doubled, self.steps, start, [*xs, *x_dots], [*free, *free_dots], self.backwards)
        return Pack(self.layout)(*carries[a:], *stacks)

    def _saved_copies(self) -> tuple[dict[Node, Node] | None, list[Node]]:
        """Return what the reverse cell reads in the place of each node of the forward cell, and the leaves in it.

        These hold saved values. With the policy "states" they are the cell's own inputs, and the rest of the step is
        computed again.
        """
        if self.policy != "everything":
            return None, list(self.body.carry_in)
        copies: dict[Node, Node] = {node: node if node.op is None else leaf_like(node) for node in self.saved}
        results: dict[Node, list[Node]] = {}  # of a loop in the cell
        for node in self.saved:
            if isinstance(node.op, Part):
                results.setdefault(node.inputs[0], []).append(copies[node])
        for node in topological_order(*self.body.outputs):
            if node.op is None:
                copies[node] = node
            elif isinstance(node.op, Scan):
                copies[node] = Pack(node.op.layout)(*results[node])
            elif node not in copies:  # a view or a condition: cheaper made again than kept
                copies[node] = Operator(node.op, [copies[x] for x in node.inputs])
        return copies, [copies[node] for node in self.saved]

    def text(self, *names: str) -> str:
        return f"scan over {self.steps} steps of ({', '.join(names)})"


def _saved(body: Body, policy: str) -> list[Node]:
    """The values that each step leaves for the reverse loop."""
    if policy == "nothing":
        return []
    saved = list(body.carry_in)
    if policy == "everything":
        for node in topological_order(*body.outputs):
            if isinstance(node.op, Scan):  # its results one by one: a program has no array that holds them all
                saved += [part(node) for part in node.op.parts()]
            elif node.op is not None and node.dtype.kind == "f" and not is_view(node) and not isinstance(node.op, Pack):
                saved.append(node)
    return saved


def _or_zero(adjoint: Node | None, like: Node) -> Node:
    return Constant(np.zeros(like.shape, like.dtype)) if adjoint is None else adjoint


def _call(
    body: Body, steps: int, carry: list[Any], xs: list[Any], free: list[Any], backwards: bool, policy: str = "states"
) -> tuple[list[Any], list[Any]]:
    """The last carries and the stacked outputs of a body, without the inputs that it does not read."""
    used = set(topological_order(*body.outputs))
    keep_x = [k for k, node in enumerate(body.x_in) if node in used]
    keep_free = [k for k, node in enumerate(body.free_in) if node in used]
    body = replace(body, x_in=[body.x_in[k] for k in keep_x], free_in=[body.free_in[k] for k in keep_free])
    inputs = [*carry, *(xs[k] for k in keep_x), *(free[k] for k in keep_free)]
    if not any(isinstance(x, Node) and not isinstance(x, Constant) for x in inputs):
        policy = "nothing"  # nobody asks for the derivative, most of the time
    op = Scan(body, steps, policy, backwards)
    packed = op(*inputs)
    results = [part(packed) for part in op.parts()]
    return results[: len(carry)], results[len(carry) : len(carry) + len(body.y_out)]


def scan(
    cell: Callable[[Any, Any], tuple[Any, Any]], xs: Tree, state: Tree, checkpoint: Policy = "states"
) -> tuple[Any, Any]:
    """Run `state, y = cell(state, x)` over the leading axis of xs. Returns (last state, ys stacked).

    xs: an array or node (steps, ...), or tuples, lists and dicts of them with the same number of steps. state:
    likewise, without the axis of steps; the cell returns the same structure, shapes and dtypes. The cell may use
    variables from outside, and must not depend on the number of the step. checkpoint: see this file's first lines.
    Differentiable to any order, in both modes. Raises ValueError where lengths or shapes do not fit.
    """
    state_leaves, build_state = flatten(state)
    x_leaves, build_x = flatten(xs)
    if not x_leaves:
        raise ValueError("scan needs xs to loop over: an array of shape (steps, ...)")
    lengths = {shape_of(x)[0] if shape_of(x) else -1 for x in x_leaves}
    if len(lengths) != 1 or -1 in lengths:
        raise ValueError(
            f"scan needs xs with one number of steps in front, got shapes {[shape_of(x) for x in x_leaves]}"
        )
    (steps,) = lengths
    if under_way.get():
        return _scan_examples(cell, xs, state, checkpoint)
    chunk = _chunk(checkpoint, steps)
    if chunk is not None and steps > chunk:
        return _scan_chunks(cell, x_leaves, build_x, state, steps, chunk)

    # Dual numbers are taken apart: a loop over value and tangent. Each round of tracing may find more of them.
    while True:
        traced = Recorded(cell, state_leaves, build_state, x_leaves, build_x)
        if traced.wanted == traced.state_shapes:
            break
        state_leaves = [lift(x, shape) for x, shape in zip(state_leaves, traced.wanted, strict=True)]
    policy = "everything" if checkpoint == "everything" else "states"
    carries, stacks = _call(traced.body, steps, traced.carry, traced.xs, traced.free, False, policy)
    last = build_state(rejoin(traced.state_shapes, [plain(x) for x in carries]))
    return last, traced.build_y(rejoin(traced.y_shapes, [plain(x) for x in stacks]))


def _scan_examples(cell: Callable[[Any, Any], Any], xs: Tree, state: Tree, checkpoint: Policy) -> tuple[Any, Any]:
    """Inside vmap: a loop whose state is that of all examples, and whose step is a step of all of them."""
    vmaps = under_way.get()
    outer, (tag, count) = vmaps[:-1], vmaps[-1]

    def changed(tree: Tree, change: Callable[[Any], Any]) -> Any:
        leaves, build = flatten(tree)
        return build([change(x) for x in leaves])

    def step(state: Tree, x: Tree) -> tuple[Any, Any]:
        with override(under_way, vmaps):
            result = cell(*(changed(tree, lambda leaf: one_of(leaf, tag)) for tree in (state, x)))
        return changed(result, lambda leaf: all_of(leaf, tag, count))

    with override(under_way, outer):
        first = changed(state, lambda leaf: all_of(leaf, tag, count))
        last, ys = scan(step, changed(xs, lambda leaf: moveaxis(all_of(leaf, tag, count), 0, 1)), first, checkpoint)
    return changed(last, lambda leaf: one_of(leaf, tag)), changed(ys, lambda leaf: one_of(moveaxis(leaf, 0, 1), tag))


def _chunk(checkpoint: Policy, steps: int) -> int | None:
    if checkpoint == "sqrt":
        return max(1, math.isqrt(max(steps - 1, 0)) + 1)
    if isinstance(checkpoint, int) and not isinstance(checkpoint, bool) and checkpoint >= 1:
        return checkpoint
    if checkpoint in ("everything", "states"):
        return None
    raise ValueError(f'checkpoint is "everything", "states", "sqrt" or a number of steps >= 1, got {checkpoint!r}')


def _scan_chunks(
    cell: Callable[[Any, Any], Any], xs: list[Any], build_x: Build, state: Tree, steps: int, chunk: int
) -> tuple[Any, Any]:
    """A scan over chunks of steps: between chunks only the state is kept. What is left over is a shorter scan."""
    whole = steps // chunk * chunk
    chunks = build_x([reshape(x[:whole], (steps // chunk, chunk, *shape_of(x)[1:])) for x in xs])
    dtypes = [dtype_of(x) for x in flatten(state)[0]]
    state, ys = scan(lambda state, chunk: scan(cell, chunk, state, "states"), chunks, state, "states")
    leaves, build = flatten(ys)
    leaves = [reshape(y, (whole, *shape_of(y)[2:])) for y in leaves]
    if whole < steps:
        last, build_state = flatten(state)
        state = build_state([cast(x, dtype) for x, dtype in zip(last, dtypes, strict=True)])  # floats of Python's, too
        state, rest = scan(cell, build_x([x[whole:] for x in xs]), state, "states")
        leaves = [concatenate([y, z]) for y, z in zip(leaves, matching_leaves(rest, ys, "scan"), strict=True)]
    return state, build(leaves)
