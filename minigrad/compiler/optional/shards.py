"""Split a batch into shards. Each computes the gradients of its rows in arrays of its own; then all are summed in
order.

The sum is in the order of the shards, whichever thread is faster. So the result depends on the number of shards and on
nothing else: not on timing, and not on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from minigrad.compiler.build import (
    Arrays,
    batches_of,
    forward,
    gather,
    gradients_of,
    is_classification,
    rates_of,
    updates_of,
)
from minigrad.compiler.program import Program, build
from minigrad.compiler.training import Built, Recipe
from minigrad.core.block import block
from minigrad.core.graph import topological_order
from minigrad.core.node import Constant, Node, Variable, leaf_of
from minigrad.guards.finite import place_in_data
from minigrad.loops.scan import Scan
from minigrad.ops.shape import reshape


class Part:
    """Shards of equally many rows: `count` of them from number `first` on, each with weight `weight`.

    x, y, loss, output, grads: the nodes of one. program: computes their gradients. names: the arrays for the rows of
    all of them. arguments: of the program for shard s.
    """

    program: Program
    names: Sequence[str]
    arguments: list[str]

    def __init__(self, recipe: Recipe, rows: int, count: int, first: int, weight: float):
        self.count, self.first, self.weight = count, first, weight
        self.x, self.y, self.loss, self.output = forward(recipe, rows)
        self.variables, grads = gradients_of(self.loss, recipe)
        self.grads = [grad if grad.shape else reshape(grad, 1) for grad in grads]
        self.counted = is_classification(self.output, self.y)

    def compile(self, recipe: Recipe, places: Sequence[np.ndarray], arrays: Arrays) -> None:
        """Build the program. Each shard has arrays of its own: inputs, buffers, gradients."""
        own = [
            leaf_of(place[0], f"{v.name or 'parameter'}_grad") for v, place in zip(self.variables, places, strict=True)
        ]
        of_fewer = "_of_fewer" if self.first else ""  # rows
        self.program = program = build(
            {self.x: "x", self.y: "y"}, [self.loss, self.output] if self.counted else [self.loss],
            list(zip(own, self.grads, strict=True)), off=recipe.off, name=f"gradients{of_fewer}",
            kind="@apart", dtype=_named_dtype(recipe),
        )  # fmt: skip
        at = f"[s - {self.first}]" if self.first else "[s]"

        def for_each(array: np.ndarray, wanted: str) -> str:
            return arrays.argument(np.zeros((self.count, *array.shape), array.dtype), f"{wanted}{of_fewer}")

        self.names = [
            for_each(node._value, value.name).removeprefix("at.")
            for node, value in zip((self.x, self.y), program.inputs, strict=True)
        ]
        self.arguments = [f"{name}{at}" for name in self.names]
        place_of = {id(leaf._value): place for leaf, place in zip(own, places, strict=True)}
        for wanted, thing in program.fixed.items():
            place = place_of.get(id(thing))
            self.arguments.append(
                arrays.argument(thing, wanted) if place is None else f"{arrays.argument(place, wanted)}[s]"
            )
        self.arguments += [f"{for_each(array, wanted)}{at}" for wanted, array in program.new_buffers().items()]


@dataclass(frozen=True)
class Update:
    """The update of some parameters by the gradients of all shards. arguments: what its program is called with.

    changes: the arrays that it writes to.
    """

    program: Program
    arguments: Sequence[str]
    changes: Sequence[np.ndarray]


def in_shards(recipe: Recipe, known: Sequence[float] | None = None) -> Built:
    """Forward and backward as one function, run on each part; the updates of the parameters as others.

    known: the weights of shards in an earlier program of this step.
    """
    fewer, more = divmod(len(recipe.x), recipe.shards)  # the first `more` shards have a row more than the others
    sizes = [(count, rows) for count, rows in ((more, fewer + 1), (recipe.shards - more, fewer)) if count]
    weights = weights_of_shards(recipe, sizes, known)
    firsts = (0, sizes[0][0])
    parts = [
        Part(recipe, rows, count, first, weight)
        for (count, rows), first, weight in zip(sizes, firsts, weights, strict=False)
    ]
    variables = parts[0].variables
    # One place for each shard's gradient. Of a single number too it is an array: numba would hand on the number itself.
    places = [np.zeros((recipe.shards, *(v.shape or (1,))), v.dtype) for v in variables]
    arrays = Arrays(recipe.shards)
    for part in parts:
        part.compile(recipe, places, arrays)
    shares = share_out([v.size for v in variables], recipe.shards)
    groups = [list(range(len(variables)))] if recipe.gradients else [group for group in shares if group]
    updates = [
        _update(recipe, k, [(variables[j], places[j]) for j in group], parts, arrays) for k, group in enumerate(groups)
    ]
    x, y, loss, counted = parts[0].x, parts[0].y, parts[0].loss, parts[0].counted
    parameters = arrays.parameters()
    text = epoch_text(parts, updates, loss.dtype, counted, list(parameters))
    programs = [*(part.program for part in parts), *(update.program for update in updates)]
    changes = [array for update in updates for array in update.changes]
    return Built(recipe, x, y, loss, programs, text, list(parameters.values()), counted, changes, weights=weights)


def _update(
    recipe: Recipe, k: int, group: Sequence[tuple[Variable, np.ndarray]], parts: Sequence[Part], arrays: Arrays
) -> Update:
    """Compile the program that updates some parameters by the sum of their shards' gradients."""
    rates = rates_of(recipe)
    stacks: dict[Node, str] = {Constant(place): f"{v.name or 'parameter'}_grad" for v, place in group}
    with block("update"):
        sums = [_total(stack, parts) for stack in stacks]
        sums = [total if v.shape else total[0] for total, (v, _) in zip(sums, group, strict=True)]
    stores = updates_of(recipe, [v for v, _ in group], sums, rates)
    program = build(
        {**rates, **stacks}, [], stores, off=recipe.off, name=f"update_{k}", kind="@apart",
        dtype=_named_dtype(recipe),
    )  # fmt: skip
    arguments = [f"rates[k, {r}]" for r in range(len(rates))]
    arguments += [
        arrays.argument(place, value.name)
        for (_, place), value in zip(group, program.inputs[len(rates) :], strict=True)
    ]
    others = program.fixed | program.new_buffers()
    arguments += [arrays.argument(array, wanted) for wanted, array in others.items()]
    return Update(program, arguments, [old._value for old, _ in stores])


def _named_dtype(recipe: Recipe) -> type[np.floating]:
    """Return the dtype of the named numbers, of which a file has one: float32 if a parameter has it."""
    return np.float32 if np.float32 in {v.dtype.type for v in recipe.parameters} else np.float64


def _total(stack: Node, parts: Sequence[Part]) -> Node:
    """The sum over the shards' gradients, in order, each times the weight of its shard."""
    sums = []
    for part in parts:
        total = stack[part.first]
        for s in range(part.first + 1, part.first + part.count):
            total = total + stack[s]
        sums.append(total * part.weight)
    return sums[0] if len(sums) == 1 else sums[0] + sums[1]


def weights_of_shards(
    recipe: Recipe, sizes: Sequence[tuple[int, int]], known: Sequence[float] | None = None
) -> Sequence[float]:
    """Return the weight of a shard: its share of the rows if the loss is a mean over rows, 1 if it is a sum.

    sizes: (number of shards, rows in each). It is derived from the example batch: the loss and all gradients of the
    whole are made of those of its parts. known: the weights from before the model changed, which stay if this example
    decides nothing, because its loss is 0. Raises ValueError for other losses.
    """
    rows = len(recipe.x)
    each = [count for number, count in sizes for _ in range(number)]
    whole, single = _loss_and_gradients(recipe, rows, 0)
    parts = [_loss_and_gradients(recipe, count, sum(each[:k]))[0] for k, count in enumerate(each)]
    rounding = 1e-3 if single else 1e-7
    mean = _made_of(whole, parts, [count / rows for count in each], rounding)
    total = _made_of(whole, parts, [1.0 for _ in each], rounding)
    if mean and total and known is not None:
        return known
    if mean != total:
        return [count / rows if mean else 1.0 for _, count in sizes]
    losses = ", ".join(f"{part[0]:g}" for part in parts)
    if (place := place_in_data(range(rows), x=recipe.x, y=recipe.y)) is not None:
        raise ValueError(f"compile: with shards, the example batch tells how parts of it add up, and its {place}")
    raise ValueError(
        "compile: with shards, the loss must be a mean or a sum over the rows of a batch, and so must its gradients. "
        f"On the example it is {whole[0]:g}, and on its {len(each)} parts {losses}. Use shards=1 for a loss that mixes "
        "rows, as normalization over a batch does, or adds to a sum over rows what does not depend on them; and an "
        "example batch whose loss is not 0"
    )


def _loss_and_gradients(recipe: Recipe, rows: int, first: int) -> tuple[list[np.ndarray], bool]:
    """The loss and all gradients of some rows of the example, as float64, and whether they were made in float32."""
    _, _, loss, output = forward(recipe, rows, first)
    _, grads = gradients_of(loss, recipe)
    order = topological_order(loss, *([output] if isinstance(output, Node) else []))
    if any(map(_draws, order)):
        raise ValueError(
            "compile: with shards, nothing may draw random numbers, as Dropout does while training: shards would draw "
            "in turns that depend on timing. Use shards=1"
        )
    return [np.asarray(node._value, np.float64) for node in (loss, *grads)], any(n.dtype == np.float32 for n in order)


def _draws(node: Node) -> bool:
    """Tell whether an operation, or one inside its loop, draws random numbers."""
    if isinstance(node.op, Scan):
        return any(map(_draws, topological_order(*node.op.body.outputs)))
    return node.op is not None and node.op.rng is not None


def _made_of(
    whole: Sequence[np.ndarray], parts: Sequence[Sequence[np.ndarray]], weights: Sequence[float], rounding: float
) -> bool:
    """Tell whether the loss and each gradient of the whole are the weighted sums of the parts', up to rounding."""
    terms = [[weight * array for weight, array in zip(weights, of_one, strict=True)]
             for of_one in zip(*parts, strict=True)]  # fmt: skip
    sizes = [sum(float(np.linalg.norm(term)) for term in some) for some in terms]
    # Gradients that are tiny beside the others are rounding errors.
    least = [0.0, *(0.01 * max(sizes[1:], default=0.0) for _ in sizes[1:])]
    return all(
        float(np.linalg.norm(sum(some) - array)) <= rounding * (size + little)
        for some, array, size, little in zip(terms, whole, sizes, least, strict=True)
    )


def share_out(sizes: Sequence[int], shards: int) -> list[list[int]]:
    """Assign parameters to shards, so that all have about the same work in the update."""
    assigned: list[list[int]] = [[] for _ in range(shards)]
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k]):
        min(assigned, key=lambda ks: sum(sizes[j] for j in ks)).append(k)
    return assigned


_FIRST = ("low", "high", "threads", "counter", "parts", "part_hits", "X", "Y", "order", "losses", "hits", "rates",
          "done", "first", "last")  # fmt: skip


def epoch_text(
    parts: Sequence[Part], updates: Sequence[Update], dtype: np.dtype, counted: bool, parameters: Sequence[str]
) -> str:
    """Write the loop over batches. dtype: of the loss. parameters: the last ones (`Arrays.parameters`)."""
    shards = sum(part.count for part in parts)
    rows = sum(part.count * part.x.shape[0] for part in parts)
    lines = [
        "@main",
        f"def epoch({', '.join([*_FIRST, *parameters])}):",
        '    """Batches `first` to `last`, while the loss is a number: of each, the shards `low` to `high`."""',
    ]
    for part in parts:
        lines += [f"    {line}" for line in batches_of(part.names, part.x, part.y, part.count)]
    lines += ["    arrivals = 0", "    for k in range(first, last):", "        for s in range(low, high):"]
    start, deeper = 0, "    " if len(parts) > 1 else ""
    for k, part in enumerate(parts):
        if deeper:
            lines.append("            else:" if k else f"            if s < {part.count}:")
        lines += [f"        {deeper}{line}" for line in _one_shard(part, start, rows, counted)]
        start += part.count * part.x.shape[0]
    kind = f"f{dtype.itemsize}"
    lines += ["        arrivals += threads", "        barrier(counter, arrivals)", "        total = f8(0)"]
    for part in parts:
        lines.append(f"        for s in range({part.first}, {part.first + part.count}):")
        lines.append(f"            total += f8(parts[s]) * {part.weight!r}")
    lines += [
        "        if low == 0:",
        f"            losses[k] = {kind}(total)",
        f"            for s in range({shards}):",
        "                hits[k] += part_hits[s]",
        f"        if not math.isfinite({kind}(total)):  # all threads see the same sum, and leave together",
        "            return",
        "        for s in range(low, high):",
    ]
    for k, update in enumerate(updates):
        lines.append(f"            {'elif' if k else 'if'} s == {k}:")
        lines.append(f"                update_{k}({', '.join(update.arguments)})")
    lines += ["        if low == 0:", "            done[0] = k + 1 - first"]
    lines += ["        arrivals += threads", "        barrier(counter, arrivals)", ""]
    return "\n".join(lines)


def _one_shard(part: Part, start: int, batch: int, counted: bool) -> list[str]:
    """Lines for shard s: its rows, its gradients, its loss. start: the row of a batch at which this part begins."""
    rows = part.x.shape[0]
    s = f"s - {part.first}" if part.first else "s"
    begin = f"k * {batch} + " + (f"{start} + ({s}) * {rows}" if part.first else f"s * {rows}")
    function = "gradients_of_fewer" if part.first else "gradients"
    call = f"{function}({', '.join(part.arguments)})"
    return [
        *(f"    {line}" for line in gather(part.names, part.x, part.y, begin, s)),
        f"    {'parts[s], scores' if counted else 'parts[s]'} = {call}",
        *([f"    part_hits[s] = kernels.count_hits(scores, {part.names[1]}[{s}])"] if counted else []),
    ]
