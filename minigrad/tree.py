"""Arguments come in tuples, lists and dicts, one inside the other: take them apart, and put them together again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def flatten(tree: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """The leaves of `tree` in order, and the function that builds the same tree from other leaves.

    Tuples (named ones too), lists and dicts are branches; None holds no leaf; everything else is a leaf.
    """
    leaves: list[Any] = []
    _collect(tree, leaves)
    return leaves, lambda new: _rebuild(tree, iter(new))


def tree_map(f: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """`f` applied to each leaf of `tree`, with the leaves of `others` at the same place."""
    leaves, build = flatten(tree)
    columns = [flatten(other)[0] for other in others]
    for other, column in zip(others, columns, strict=True):
        if len(column) != len(leaves):
            raise ValueError(f"two trees do not match: {len(leaves)} leaves against {len(column)} in {other!r}")
    return build([f(*row) for row in zip(leaves, *columns, strict=True)])


def _collect(tree: Any, leaves: list[Any]) -> None:
    if isinstance(tree, tuple | list):
        for branch in tree:
            _collect(branch, leaves)
    elif isinstance(tree, dict):
        for key in tree:
            _collect(tree[key], leaves)
    elif tree is not None:
        leaves.append(tree)


def _rebuild(tree: Any, leaves: Iterator[Any]) -> Any:
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(_rebuild(branch, leaves) for branch in tree))
    if isinstance(tree, tuple | list):
        return type(tree)(_rebuild(branch, leaves) for branch in tree)
    if isinstance(tree, dict):
        return {key: _rebuild(branch, leaves) for key, branch in tree.items()}
    return None if tree is None else next(leaves)
