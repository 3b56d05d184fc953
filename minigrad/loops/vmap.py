"""`vmap`: a function of one example, as a function of many.

The function is called once, with an `Example` in the place of each argument. It looks like the value of one example,
and holds those of all, along a first axis that the function does not see. Each operation is done for all of them at
once (batching.py says how), and what comes out is made of ordinary operations: arrays for arrays, nodes for nodes.

It is the third kind of traced value, beside dual numbers and nodes, and nests with both in any order: each `vmap` has
a tag from the same counter as the tags of derivatives, so that what began later lies above what began earlier.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from minigrad.core.arrays import Array, ArrayLike, Tree
from minigrad.core.block import override
from minigrad.core.dual import Dual, tags
from minigrad.core.errors import kind_of
from minigrad.core.functional import PULL, pull_nodes, pulled_back, under_way
from minigrad.core.node import Node
from minigrad.core.operand import Operand
from minigrad.core.operation import Operation, owned
from minigrad.core.rules import equal, not_equal
from minigrad.core.tree import flatten
from minigrad.loops.batching import of_many
from minigrad.ops.shape import array_like, broadcast_to, dtype_of, moveaxis, shape_of, stack


class Vmap(NamedTuple):
    """A vmap that is being taken."""

    tag: int
    examples: int

    def own(self, x: Array) -> Array:
        """Return a copy of x for each example."""
        return one_of(all_of(x, *self), self.tag)


class Example(Operand):
    """The value of one example, which stands for those of all: they lie along the first axis of `_value`."""

    __slots__ = ("_value", "tag")
    tag: int

    def __init__(self, value: Array, tag: int):
        self._value, self.tag = value, tag

    @property
    def count(self) -> int:
        """The number of examples."""
        return shape_of(self._value)[0]

    @property
    def shape(self) -> tuple[int, ...]:
        return self._value.shape[1:]

    def lift(self, op: Operation, inputs: Sequence[Any]) -> Any:
        """Apply the operation to all examples at once."""
        many = [isinstance(x, Example) and x.tag == self.tag for x in inputs]
        for x in inputs:
            if isinstance(x, Dual) and _holds(x, self.tag):
                raise TypeError(
                    "inside vmap, a dual number that was made of an example by hand cannot meet other examples. "
                    "mg.jvp and mg.derivative make them as they are needed"
                )
        every = [x._value if own else x for x, own in zip(inputs, many, strict=True)]
        try:
            return Example(of_many(op, self.count, many, *every), self.tag)
        except (ValueError, TypeError, IndexError):
            for k in range(self.count):  # an error about one example is in its own shapes
                op(*(x[k] if own else x for x, own in zip(every, many, strict=True)))
            raise

    def with_value(self, value: Array) -> Example:
        """Return other examples of the same vmap."""
        return Example(value, self.tag)

    def mapped(self, change: Callable[[Any], Any]) -> Example:
        """Return the examples of a changed value."""
        return Example(change(self._value), self.tag)

    def __eq__(self, other: Any) -> Any:
        return equal(self, other)

    def __ne__(self, other: Any) -> Any:
        return not_equal(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError(
            f"inside vmap an `if` or `while` cannot go one way for some of the {self.count} examples and another way "
            "for others. Use mg.where(condition, a, b), which chooses for each. Python's max, min, `and`, `or` and "
            "a < x < b decide like an `if`; mg.maximum and mg.minimum work on examples"
        )

    def _no_number(self, *args: object, **options: object) -> NoReturn:
        raise TypeError(
            f"inside vmap this stands for {self.count} examples, and is not a number, an array or an index of Python's "
            f"(its shape is {self.shape}, its dtype {self.dtype}). Use minigrad's or NumPy's functions on it, and "
            "look at the numbers when vmap has given them back"
        )

    __float__ = __int__ = __index__ = __complex__ = __array__ = item = tolist = _no_number  # type: ignore[assignment]
    value = property(_no_number)

    def __repr__(self) -> str:
        return f"<Example of shape {self.shape}, {self.dtype}, one of {self.count}>"


def _holds(x: object, tag: int) -> bool:
    if isinstance(x, Dual):
        return _holds(x._value, tag) or _holds(x._tangent, tag)
    return isinstance(x, Example) and (x.tag == tag or _holds(x._value, tag))


def vmap(fn: Callable[..., Any], in_axes: Tree = 0, out_axes: Tree = 0) -> Callable[..., Any]:
    """Turn the function of one example `fn` into a function of many along an axis, computed at once.

    in_axes: along which axis the examples lie: an int for all arguments, or a tuple or list with one for each. None
    says that an argument is the same for all examples. Where an argument is a tuple, a list or a dict, its int holds
    for everything in it, or there is a tuple, a list or a dict of ints as well. Arguments by name lie along axis 0.
    out_axes: along which axis the results shall lie, in the same way; None for what does not depend on the examples.

    Shapes and dtypes inside `fn` are those of one example. Most operations are done for all examples at once; the few
    that are not, example by example. Derivatives inside `fn` are those of each example, so that
    vmap(grad(loss), (None, 0, 0))(weights, xs, ys) gives one gradient for each. A random number that is drawn inside
    `fn`, as the mask of a Dropout, is drawn once: it is the same for all examples.

    Raises ValueError where arguments have different numbers of examples, or lack the axis; TypeError where Python would
    decide by an example, as in an `if`. The meaning is that of JAX's vmap (Frostig, Johnson and Leary, 2018).

        vmap(lambda a, b: a @ b)(A, B)                          # (n, k), (n, k) -> (n,)
        vmap(lambda row: row / mg.sum(row), 1, 1)(A)            # columns that add up to 1
    """
    if not callable(fn):
        raise TypeError(f"vmap needs a function, got {kind_of(fn)}. vmap(f)(xs) maps f over the first axis of xs")

    def mapped(*args: Any, **options: Any) -> Any:
        leaves, build = flatten((args, options))
        axes = _axes_of(in_axes, args, "in_axes") + [0] * len(flatten(options)[0])
        named = (*enumerate(args), *options.items())
        names = [f"argument {name}" for name, x in named for _ in flatten(x)[0]]
        leaves = [x if axis is None else array_like(x) for x, axis in zip(leaves, axes, strict=True)]
        count = _number_of_examples(leaves, axes, names)
        tag = next(tags)
        examples = [x if k is None else Example(moveaxis(x, k, 0), tag) for x, k in zip(leaves, axes, strict=True)]
        args, options = build(examples)
        with override(under_way, (*under_way.get(), Vmap(tag, count))):
            result = fn(*args, **options)
        outputs, rebuild = flatten(result)
        places = _axes_of(out_axes, result, "out_axes")
        return rebuild([_given_back(y, k, tag, count) for y, k in zip(outputs, places, strict=True)])

    return mapped


def _axes_of(axes: Tree, tree: Tree, who: str) -> list[int | None]:
    """Return the axis for each leaf of `tree`: one for all, or nested like the arguments."""
    if axes is None or (isinstance(axes, int) and not isinstance(axes, bool)):
        return [axes] * len(flatten(tree)[0])
    if isinstance(axes, dict) and isinstance(tree, dict) and axes.keys() == tree.keys():
        return [axis for key in tree for axis in _axes_of(axes[key], tree[key], who)]
    if isinstance(axes, tuple | list) and isinstance(tree, tuple | list) and len(axes) == len(tree):
        return [axis for one, branch in zip(axes, tree, strict=True) for axis in _axes_of(one, branch, who)]
    what = "arguments" if who == "in_axes" else "results"
    got = f"{len(tree)} of them" if isinstance(tree, tuple | list | dict) else kind_of(tree)
    raise ValueError(
        f"vmap: {who} is an int or None for all {what}, or has one in each place where they are: {who}={axes!r} does "
        f"not fit {got}"
    )


def _number_of_examples(leaves: list[Any], axes: list[int | None], names: list[str]) -> int:
    """Return the number of examples in the arguments; raise an error that names them if they disagree."""
    sizes: dict[str, int] = {}
    for x, axis, name in zip(leaves, axes, names, strict=True):
        if axis is None:
            continue
        shape = shape_of(x)
        if not -len(shape) <= axis < len(shape):
            has = f"is of shape {shape}" if shape else "is a single number"
            raise ValueError(
                f"vmap: the examples shall lie along axis {axis} of {name}, which {has}. If it is the same for all "
                "examples, its axis is None: in_axes=(0, None), say"
            )
        sizes.setdefault(f"{name} of shape {shape} has {shape[axis]} along axis {axis}", shape[axis])
    if not sizes:
        raise ValueError(
            "vmap has nothing to map over: there is no argument with an axis of examples. Give in_axes an int for one"
        )
    if len(set(sizes.values())) > 1:
        raise ValueError(f"vmap: all arguments have one number of examples, but {', and '.join(sizes)}")
    return next(iter(sizes.values()))


def _given_back(y: ArrayLike, axis: int | None, tag: int, count: int) -> Any:
    """Return a result for all examples, which lie along `axis`; for None, the one result for all."""
    if dtype_of(y).kind not in "fiub":
        raise TypeError(f"vmap: the function gives numbers and arrays, in tuples, lists and dicts; got {kind_of(y)}")
    own = _holds(y, tag)
    if axis is None:
        if own:
            raise ValueError(
                f"vmap: out_axes is None for a result of shape {shape_of(y)} that differs from example to example. "
                "Give it an axis, such as 0"
            )
        return owned(y)
    if not -len(shape_of(y)) - 1 <= axis <= len(shape_of(y)):
        raise ValueError(
            f"vmap: out_axes={axis} asks for an axis that a result of shape {shape_of(y)} does not have with one more "
            f"for the examples: there are {len(shape_of(y)) + 1}"
        )
    return owned(moveaxis(all_of(y, tag, count), 0, axis))


# One example or all of them. A later derivative or vmap lies above, and stays there.


def all_of(x: ArrayLike, tag: int, count: int) -> Any:
    """Return x for all examples of the vmap called `tag`, along a first axis; broadcast, if it is the same for all."""
    if isinstance(x, Dual) and x.tag > tag:
        return Dual(all_of(x._value, tag, count), all_of(x._tangent, tag, count), x.tag)
    if isinstance(x, Example) and x.tag > tag:
        return Example(moveaxis(all_of(x._value, tag, count), 0, 1), x.tag)
    if isinstance(x, Example) and x.tag == tag:
        return x._value
    x = array_like(x)
    return broadcast_to(x, (count, *shape_of(x)))


def one_of(x: Any, tag: int) -> Any:
    """Wrap the first axis of x as the examples of the vmap called `tag`."""
    if isinstance(x, Dual) and x.tag > tag:
        return Dual(one_of(x._value, tag), one_of(x._tangent, tag), x.tag)
    if isinstance(x, Example) and x.tag > tag:
        return Example(one_of(moveaxis(x._value, 0, 1), tag), x.tag)
    return Example(x, tag)


def _pull_examples(top: Example, outputs: list[Any], seeds: list[Any], nodes: list[Node]) -> list[Any]:
    """Pull examples back all at once: each output depends on the arguments of its own example alone."""
    tag, count = top.tag, top.count
    every = [all_of(u, tag, count) for u in seeds]
    if any(isinstance(y, Example) and y.tag == tag for y in outputs):
        return [one_of(x, tag) for x in pulled_back([all_of(y, tag, count) for y in outputs], every, nodes)]
    if any(isinstance(y, Dual | Example) for y in outputs):  # a vmap of the pulling alone, inside something else
        rows = [pulled_back(outputs, [u[k] for u in every], nodes) for k in range(count)]
        return [one_of(stack(parts), tag) for parts in zip(*rows, strict=True)]
    return pull_nodes(outputs, seeds, nodes)


PULL[Example] = _pull_examples
