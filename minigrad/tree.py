"""Arguments come in tuples, lists and dicts, one inside the other: take them apart, and put them together again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def flatten(tree: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """The leaves of `tree` in order, and the function that builds the same tree from other leaves.

    Tuples (named ones too), lists and dicts are branches; None holds no leaf; everything else is a leaf.
    """
    return list(_leaves(tree)), lambda new: _rebuild(tree, iter(new))


def _leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, tuple | list | dict):
        for branch in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(branch)
    elif tree is not None:
        yield tree


def _rebuild(tree: Any, leaves: Iterator[Any]) -> Any:
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(_rebuild(branch, leaves) for branch in tree))
    if isinstance(tree, tuple | list):
        return type(tree)(_rebuild(branch, leaves) for branch in tree)
    if isinstance(tree, dict):
        return {key: _rebuild(branch, leaves) for key, branch in tree.items()}
    return None if tree is None else next(leaves)
