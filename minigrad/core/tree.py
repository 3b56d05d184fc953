"""Flatten and rebuild nested arguments: tuples, lists and dicts inside one another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from minigrad.core.arrays import Tree
from minigrad.core.errors import kind_of
from minigrad.core.operation import Traced


def flatten(tree: Tree) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """Return the leaves of `tree` in order, and the function that builds the same tree from other leaves.

    Tuples (named ones too), lists and dicts are branches; None holds no leaf; everything else is a leaf.
    """
    return list(_leaves(tree)), lambda new: _rebuild(tree, iter(new))


def matching_leaves(tree: Tree, like: Tree, rule: str) -> list[Any]:
    """Return the leaves of `tree` in the order of those of `like`, which has the same structure: dicts match by key.

    rule: the beginning of the error, such as "the tangents are built like the primals". Raises ValueError for a missing
    or surplus key, another number of entries, or a branch beside a leaf.
    """
    return list(_matching(tree, like, rule, ""))


def _matching(tree: Tree, like: Tree, rule: str, place: str) -> Iterator[Any]:
    expected, actual = _branches(like), _branches(tree)
    if expected is None and actual is None:
        yield tree
        return
    if expected is None or actual is None or expected.keys() != actual.keys():
        raise ValueError(f"{rule}: {place and f'in {place} '}{_difference(like, tree, expected, actual)}")
    for key, branch in expected.items():
        yield from _matching(actual[key], branch, rule, f"{place}[{key!r}]")


def _branches(tree: Tree) -> dict[Any, Any] | None:
    """Return a tree's children by key, field or number; None for a leaf."""
    if isinstance(tree, dict):
        return tree
    if isinstance(tree, tuple | list):
        return dict(zip(getattr(tree, "_fields", range(len(tree))), tree, strict=True))
    return {} if tree is None else None


def _difference(like: Tree, tree: Tree, expected: dict[Any, Any] | None, actual: dict[Any, Any] | None) -> str:
    named = any(isinstance(key, str) or isinstance(x, dict) for x in (like, tree) for key in _branches(x) or ())
    if expected is None or actual is None or not named:
        return f"there should be {_described(like)}, and there is {_described(tree)}"
    missing, surplus = ([repr(key) for key in a if key not in b] for a, b in ((expected, actual), (actual, expected)))
    lacks = [f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"] if missing else []
    return " and ".join([*lacks, *([f"{', '.join(surplus)} should not be there"] if surplus else [])])


def _described(tree: Tree) -> str:
    if tree is None:
        return "None"
    branches = _branches(tree)
    return "a single number or array" if branches is None else f"a {type(tree).__name__} of {len(branches)}"


def _leaves(tree: Tree) -> Iterator[Any]:
    if isinstance(tree, tuple | list | dict):
        for branch in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(branch)
    elif tree is not None:
        yield tree


def called(who: str, f: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Call f(*args); explain a failure on a list of numbers, which arrives as a list of nodes."""
    try:
        return f(*args)
    except (TypeError, AttributeError) as error:
        rows = [x for x in args if isinstance(x, list | tuple) and x and all(isinstance(k, Traced) for k in x)]
        if not rows:
            raise
        raise TypeError(
            f"{who} hands a list of {len(rows[0])} numbers to the function as a list, and that cannot be computed with "
            f"({error}). Give an array: np.array([1.0, 2.0])"
        ) from error


class Branches(list[Any]):
    """A list of traced values. Python would repeat it in `x * 2`, and join two of them in `x + x`."""

    def _refuse(self, other: object) -> NoReturn:
        raise TypeError(
            "a list of numbers is repeated or joined by Python, and not computed with: np.array([1.0, 2.0]) is an array"
        )

    __mul__ = __rmul__ = __imul__ = _refuse

    def __add__(self, other: Any) -> list[Any]:
        return self._refuse(other) if isinstance(other, Branches) else list.__add__(self, other)


def _rebuild(tree: Tree, leaves: Iterator[Any]) -> Any:
    if tree is None:
        return None
    if not isinstance(tree, tuple | list | dict):
        return next(leaves)
    if isinstance(tree, dict):
        items = {key: _rebuild(branch, leaves) for key, branch in tree.items()}
        return items if type(tree) is dict else _like(tree, items)
    branches = [_rebuild(branch, leaves) for branch in tree]
    if type(tree) in (list, Branches):
        return Branches(branches) if any(isinstance(x, Traced) for x in branches) else branches
    return tuple(branches) if type(tree) is tuple else _like(tree, branches)


def _like(tree: Any, content: Any) -> Any:
    """Return `content` as another of a kind that inherits from tuple, list or dict."""
    own = getattr(tree, "__dict__", None)
    new: Any = None
    try:
        if isinstance(tree, tuple):  # past its constructor, which may take something else
            new = tuple.__new__(type(tree), content)
        elif isinstance(tree, defaultdict):
            new = type(tree)(tree.default_factory, content)
        else:
            new = type(tree)(content)
        same = list(new.items()) == list(content.items()) if isinstance(tree, dict) else [*new] == content
    except Exception:
        same = False
    if not same or (own and own is not tree):
        raise TypeError(
            f"{kind_of(tree)} cannot be built again with other numbers: it has a constructor or attributes of "
            "its own. Give a plain tuple, list or dict of its entries"
        )
    return new
