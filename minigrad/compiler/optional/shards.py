"""Split a batch into equal shards. Each computes the gradients of its rows in arrays of its own; then all are summed in
order.

The sum is in the order of the shards, whichever thread is faster. So the result depends on the number of shards and on
nothing else: not on timing, and not on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence

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


def in_shards(recipe: Recipe, known: float | None = None) -> Built:
    """Forward and backward as one function, run on each shard; the updates of the parameters as others.

    known: the weight of a shard in an earlier program of this step.
    """
    shards, weight = recipe.shards, weight_of_shard(recipe, known)
    x, y, loss, output = forward(recipe, len(recipe.x) // shards)
    counted = is_classification(output, y)
    variables, grads = gradients_of(loss, recipe)
    # One place for each shard's gradient. Of a single number too it is an array: numba would hand on the number itself.
    places = [np.zeros((shards, *(v.shape or (1,))), v.dtype) for v in variables]
    own = [leaf_of(place[0], f"{v.name or 'parameter'}_grad") for v, place in zip(variables, places, strict=True)]
    dtype = np.float32 if np.float32 in {v.dtype.type for v in variables} else np.float64  # a file has one
    program = build(
        {x: "x", y: "y"}, [loss, output] if counted else [loss],
        [(leaf, grad if grad.shape else reshape(grad, 1)) for leaf, grad in zip(own, grads, strict=True)],
        off=recipe.off, name="gradients", kind="@apart", dtype=dtype,
    )  # fmt: skip
    arrays = Arrays(shards)

    def for_each(array: np.ndarray, wanted: str) -> str:
        return arrays.argument(np.zeros((shards, *array.shape), array.dtype), wanted)

    inputs = zip((x, y), program.inputs, strict=True)
    names = [for_each(node._value, value.name).removeprefix("at.") for node, value in inputs]
    arguments = [f"{name}[s]" for name in names]
    place_of = {id(leaf._value): place for leaf, place in zip(own, places, strict=True)}
    for wanted, thing in program.fixed.items():
        place = place_of.get(id(thing))
        arguments += [arrays.argument(thing, wanted) if place is None else f"{arrays.argument(place, wanted)}[s]"]
    arguments += [f"{for_each(array, wanted)}[s]" for wanted, array in program.new_buffers().items()]
    shares = share_out([v.size for v in variables], shards)
    programs, calls, changes = [program], list[str](), list[np.ndarray]()
    for group in [range(len(variables))] if recipe.gradients else [group for group in shares if group]:
        name = f"update_{len(calls)}"
        its = [(variables[j], places[j]) for j in group]
        update, called, changed = _update(recipe, name, its, weight, dtype, arrays)
        programs.append(update)
        calls.append(f"{name}({', '.join(called)})")
        changes += changed
    parameters = arrays.parameters()
    gathered = gather(names, x, y, f"(k * {shards} + s) * {x.shape[0]}", "s")
    call = f"{'parts[s], scores' if counted else 'parts[s]'} = gradients({', '.join(arguments)})"
    hits = [f"part_hits[s] = kernels.count_hits(scores, {names[1]}[s])"] if counted else []
    text = epoch_text(
        shards, weight, loss.dtype, batches_of(names, x, y, shards), [*gathered, call, *hits], calls, list(parameters)
    )
    return Built(recipe, x, y, loss, programs, text, list(parameters.values()), counted, changes, weight=weight)


def _update(
    recipe: Recipe, name: str, group: Sequence[tuple[Variable, np.ndarray]], weight: float, dtype: type, arrays: Arrays
) -> tuple[Program, list[str], list[np.ndarray]]:
    """Compile the update of some parameters by the weighted sum of their shards' gradients, in order.

    Returns its program, what that is called with, and the arrays that it writes to.
    """
    rates = rates_of(recipe)
    stacks: dict[Node, str] = {Constant(place): f"{v.name or 'parameter'}_grad" for v, place in group}
    sums = []
    with block("update"):
        for stack, (variable, _) in zip(stacks, group, strict=True):
            total = stack[0]
            for s in range(1, recipe.shards):
                total = total + stack[s]
            sums.append((total if variable.shape else total[0]) * weight)
    stores = updates_of(recipe, [v for v, _ in group], sums, rates)
    program = build({**rates, **stacks}, [], stores, off=recipe.off, name=name, kind="@apart", dtype=dtype)
    arguments = [f"rates[k, {r}]" for r in range(len(rates))]
    named = zip(group, program.inputs[len(rates) :], strict=True)
    arguments += [arrays.argument(place, value.name) for (_, place), value in named]
    others = program.fixed | program.new_buffers()
    arguments += [arrays.argument(array, wanted) for wanted, array in others.items()]
    return program, arguments, [old._value for old, _ in stores]


def weight_of_shard(recipe: Recipe, known: float | None = None) -> float:
    """Return the weight of a shard: its share of the rows if the loss is a mean over rows, 1 if it is a sum.

    It is derived from the example batch: the loss and all gradients of the whole are made of those of its parts. known:
    the weight from before the model changed, which stays if this example decides nothing, because its loss is 0.
    Raises ValueError for other losses.
    """
    rows = len(recipe.x)
    each = rows // recipe.shards
    whole, single = _loss_and_gradients(recipe, rows, 0)
    parts = [_loss_and_gradients(recipe, each, first)[0] for first in range(0, rows, each)]
    rounding = 1e-3 if single else 1e-7
    mean, total = (_made_of(whole, parts, weight, rounding) for weight in (1 / recipe.shards, 1.0))
    if mean and total and known is not None:
        return known
    if mean != total:
        return 1 / recipe.shards if mean else 1.0
    losses = ", ".join(f"{part[0]:g}" for part in parts)
    if (place := place_in_data(range(rows), x=recipe.x, y=recipe.y)) is not None:
        raise ValueError(f"compile: with shards, the example batch tells how parts of it add up, and its {place}")
    raise ValueError(
        "compile: with shards, the loss must be a mean or a sum over the rows of a batch, and so must its gradients. "
        f"On the example it is {whole[0]:g}, and on its {len(parts)} parts {losses}. Use shards=1 for a loss that "
        "mixes rows, as normalization over a batch does, or adds to a sum over rows what does not depend on them; and "
        "an example batch whose loss is not 0"
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
    whole: Sequence[np.ndarray], parts: Sequence[Sequence[np.ndarray]], weight: float, rounding: float
) -> bool:
    """Tell whether the loss and each gradient of the whole are the weighted sums of the parts', up to rounding."""
    terms = [[weight * array for array in of_one] for of_one in zip(*parts, strict=True)]
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
    shards: int, weight: float, dtype: np.dtype, fetched: Sequence[str], shard: Sequence[str], updates: Sequence[str],
    parameters: Sequence[str],
) -> str:  # fmt: skip
    """Write the loop over batches.

    dtype: of the loss. fetched: the lines that fetch arrays. shard: those for shard s. updates: the calls.
    """
    kind = f"f{dtype.itemsize}"
    lines = [
        "@main",
        f"def epoch({', '.join([*_FIRST, *parameters])}):",
        '    """Batches `first` to `last`, while the loss is a number: of each, the shards `low` to `high`."""',
        *(f"    {line}" for line in fetched),
        "    arrivals = 0",
        "    for k in range(first, last):",
        "        for s in range(low, high):",
        *(f"            {line}" for line in shard),
        "        arrivals += threads",
        "        barrier(counter, arrivals)",
        "        total = f8(0)",
        f"        for s in range({shards}):",
        f"            total += f8(parts[s]) * {weight!r}",
        "        if low == 0:",
        f"            losses[k] = {kind}(total)",
        f"            for s in range({shards}):",
        "                hits[k] += part_hits[s]",
        f"        if not math.isfinite({kind}(total)):  # all threads see the same sum, and leave together",
        "            return",
        "        for s in range(low, high):",
    ]
    for k, update in enumerate(updates):
        lines += [f"            {'elif' if k else 'if'} s == {k}:", f"                {update}"]
    lines += ["        if low == 0:", "            done[0] = k + 1 - first"]
    lines += ["        arrivals += threads", "        barrier(counter, arrivals)", ""]
    return "\n".join(lines)
