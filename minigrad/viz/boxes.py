"""What a box says: the name of a node, its symbol, its shape, value and adjoint; as rows and as a line of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from minigrad.graph import Constant, Node, Variable
from minigrad.ops.shape import Index
from minigrad.viz import short
from minigrad.viz.sketch import Box

LONGEST_TITLE = 16
LONGEST_LIST = 8  # inputs in a formula; of more, the first two and the last are named


def unique_names(nodes: Sequence[Node]) -> dict[int, str]:
    """What each node is called (by id): its name, or v1, v2, ...; a constant its number, or c1, c2, ... for an array.

    Two nodes of one name become w and w#2.
    """
    taken = {short.name(node.name) for node in nodes if node.name}
    seen: Counter[str] = Counter()
    numbered: Counter[str] = Counter()
    names = {}
    for node in nodes:
        name = short.name(node.name) if node.name else ""
        if name:
            seen[name] += 1
            if seen[name] > 1:
                while f"{name}#{seen[name]}" in taken:
                    seen[name] += 1
                name = f"{name}#{seen[name]}"
        elif _is_number(node):
            name = short.number(node.value)
        else:
            letter = "c" if isinstance(node, Constant) else "v"
            while not name or name in taken:
                numbered[letter] += 1
                name = f"{letter}{numbered[letter]}"
        names[id(node)] = name
    return names


def single_box(node: Node, names: dict[int, str], adjoints: bool) -> Box:
    """The box of one node; with its adjoint if wanted, and if it has one."""
    name, kind = names[id(node)], _kind(node)
    rows = []
    if node.shape != ():
        rows.append(("shape", str(node.shape)))
    if not _is_number(node):
        rows.append(("value", short.value(node.value)))
    if adjoints and node.adjoint is not None:
        rows.append(("adjoint", short.value(node.adjoint)))
    line = f"{name} = {_formula(node, names)}" if node.op else f"{kind} {name}"
    text = "   ".join([line, *(" ".join(row) for row in rows)])
    return Box(kind, _title(node) or name, name if node.op else "", tuple(rows), text)


def folded_box(group: Sequence[Node], names: dict[int, str]) -> Box:
    """The box of several nodes: how many, and what they have in common."""
    first, name = group[0], names[id(group[0])]
    kind = _common(_kind(node) for node in group) or "operator"
    title = _common(_title(node) or _given(node) for node in group)
    title = title or _common(node.op.symbol or node.op.name if node.op else None for node in group) or f"{kind}s"
    rows = [("nodes", f"{len(group):,}")]
    if first.shape != () and all(node.shape == first.shape for node in group):
        rows.append(("shape", str(first.shape)))
    sources = dict.fromkeys(names[id(x)] for node in group for x in node.inputs)
    operation = _common(node.op.name if node.op else None for node in group)
    what = f"times {operation}" if operation else f"{kind}s"
    line = [f"{name} = {len(group):,} {what}", *(" ".join(row) for row in rows[1:])]
    if sources:
        line.append(f"from {', '.join(sources)}")
    if first.line and all(node.line == first.line for node in group):
        rows.append(("line", str(first.line.number)))
        line.append(f"at {first.line}")
    return Box(kind, title, "" if name == f"{title}…" else name, tuple(rows), "   ".join(line), len(group))


def count_kinds(nodes: Sequence[Node]) -> str:
    """Such as `3 nodes: 2 variables, 1 operator`."""
    kinds = Counter(map(_kind, nodes))
    parts = [_many(kinds[kind], kind) for kind in ("variable", "constant", "operator") if kinds[kind]]
    return f"{_many(len(nodes), 'node')}: {', '.join(parts)}"


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _kind(node: Node) -> str:
    return "constant" if isinstance(node, Constant) else "variable" if isinstance(node, Variable) else "operator"


def _is_number(node: Node) -> bool:
    """A constant that is called by its value."""
    return isinstance(node, Constant) and node.shape == () and not node.name


def _given(node: Node) -> str:
    return short.number(node.value) if _is_number(node) else short.name(node.name or "")


def _title(node: Node) -> str | None:
    """The symbol of an operation, for an index the index itself; None for a leaf."""
    if isinstance(node.op, Index):
        return short.name(node.op.text(""), LONGEST_TITLE)
    return (node.op.symbol or node.op.name) if node.op else None


def _formula(node: Node, names: dict[int, str]) -> str:
    """How the node is computed, as text. The names go in last, because they need not be Python names."""
    assert node.op is not None
    inputs = [f"({names[id(x)]})" if _is_number(x) and x.value < 0 else names[id(x)] for x in node.inputs]
    if len(inputs) > LONGEST_LIST:
        inputs = [*inputs[:2], "…", inputs[-1]]
    text = node.op.text(*(f"input_{i}_" for i in range(len(inputs))))
    return re.sub(r"\binput_(\d+)_", lambda found: inputs[int(found[1])], text)


def _common(things: Iterable[str | None]) -> str | None:
    """What all things are; None if they differ."""
    found = set(things)
    return found.pop() if len(found) == 1 else None
