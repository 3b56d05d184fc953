"""Flatten and rebuild nested arguments: tuples, lists and dicts inside one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def flatten(tree: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """Return the leaves of `tree` in order, and the function that builds the same tree from other leaves.

    Tuples (named ones too), lists and dicts are branches; None holds no leaf; everything else is a leaf.
    """
    return list(_leaves(tree)), lambda new: _rebuild(tree, iter(new))


def matching_leaves(tree: Any, like: Any, rule: str) -> list[Any]:
    """Return the leaves of `tree` in the order of those of `like`, which has the same structure: dicts match by key.

    rule: the beginning of the error, such as "the tangents are built like the primals". Raises ValueError for a missing
    or surplus key, another number of entries, or a branch beside a leaf.
    """
    return list(_matching(tree, like, rule, ""))


def _matching(tree: Any, like: Any, rule: str, place: str) -> Iterator[Any]:
    expected, actual = _branches(like), _branches(tree)
    if expected is None and actual is None:
        yield tree
        return
    if expected is None or actual is None or expected.keys() != actual.keys():
        raise ValueError(f"{rule}: {place and f'in {place} '}{_difference(like, tree, expected, actual)}")
    for key, branch in expected.items():
        yield from _matching(actual[key], branch, rule, f"{place}[{key!r}]")


def _branches(tree: Any) -> dict[Any, Any] | None:
    """Return a tree's children by key, field or number; None for a leaf."""
    if isinstance(tree, dict):
        return tree
    if isinstance(tree, tuple | list):
        return dict(zip(getattr(tree, "_fields", range(len(tree))), tree, strict=True))
    return {} if tree is None else None


def _difference(like: Any, tree: Any, expected: dict[Any, Any] | None, actual: dict[Any, Any] | None) -> str:
    named = any(isinstance(key, str) or isinstance(x, dict) for x in (like, tree) for key in _branches(x) or ())
    if expected is None or actual is None or not named:
        return f"there should be {_described(like)}, and there is {_described(tree)}"
    missing, surplus = ([repr(key) for key in a if key not in b] for a, b in ((expected, actual), (actual, expected)))
    lacks = [f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"] if missing else []
    return " and ".join([*lacks, *([f"{', '.join(surplus)} should not be there"] if surplus else [])])


def _described(tree: Any) -> str:
    if tree is None:
        return "None"
    branches = _branches(tree)
    return "a single number or array" if branches is None else f"a {type(tree).__name__} of {len(branches)}"


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
