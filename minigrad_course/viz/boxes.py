"""The text of a box: a node's name, symbol, shape, value and adjoint, as rows and as one line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from minigrad.core.block import Block
from minigrad.core.graph import Constant, Node, Variable
from minigrad.ops.shape import Index
from minigrad_course.trace import short
from minigrad_course.viz import colour
from minigrad_course.viz.fold import Unit
from minigrad_course.viz.items import Item, is_backward
from minigrad_course.viz.sketch import Box

LONGEST_TITLE = 16
LONGEST_LIST = 8  # inputs in a formula; of a longer list, the first two and the last are named
NORM = "‖adjoint‖"


def unique_names(nodes: Sequence[Node]) -> dict[int, str]:
    """Map the id of each node to its name, where each node has a box of its own; see `name_boxes`."""
    items = [Item(node, []) for node in nodes]
    names, _ = name_boxes([[Unit((k,), ())] for k in range(len(items))], items)
    return {id(node): name for node, name in zip(nodes, names, strict=True)}


def name_boxes(
    groups: Sequence[Sequence[Unit]], items: Sequence[Item], layers: Mapping[Block, str] | None = None
) -> tuple[list[str], dict[int, str]]:
    """Name each box, and each item as it appears in formulas.

    A node goes by its name, or as v1, v2, ...; a constant by its number, or as c1, c2, ... if it is an array; the
    adjoint of v1 as v1_bar. A folded block has the name of the block, or that in `layers`. Two of one name become w and
    w#2.
    """
    own_names = [_given_name(group, items, layers or {}) for group in groups]
    taken = {name for name in own_names if name}
    seen: Counter[str] = Counter()
    numbered: Counter[str] = Counter()
    names: list[str] = [""] * len(groups)
    of_node: dict[Node, str] = {}
    later = []
    for box, (group, name) in enumerate(zip(groups, own_names, strict=True)):
        node = items[group[0].items[0]].node
        if name:
            seen[name] += 1
            names[box] = name if seen[name] == 1 else _free(name, taken)
        elif _is_number(node):
            names[box] = short.number(node.value)
        elif node.adjoint_of:
            later.append(box)
        else:
            names[box] = _next("c" if isinstance(node, Constant) else "v", numbered, taken)
        if group[0].block is None:
            of_node[node] = names[box]
    for box in later:
        node = items[groups[box][0].items[0]].node
        owner = next((name for x in node.adjoint_of if (name := of_node.get(x) or short.name(x.name or ""))), None)
        if owner is None:
            names[box] = _next("v", numbered, taken)
        else:
            names[box] = _free(f"{owner}_bar", taken) if f"{owner}_bar" in taken else f"{owner}_bar"
            taken.add(names[box])
        of_node[node] = names[box]
    of_item: dict[int, str] = {}
    for name, group in zip(names, groups, strict=True):
        many = sum(len(unit.items) for unit in group) > 1 and group[0].block is None
        of_item.update((k, f"{name}…" if many else name) for unit in group for k in unit.items)
    return names, of_item


def _given_name(group: Sequence[Unit], items: Sequence[Item], layers: Mapping[Block, str]) -> str:
    unit, item = group[0], items[group[0].items[0]]
    if unit.block is not None:
        called = layers.get(unit.block)
        name = (
            f"{len(group)} × {called or short.name(unit.block.name)}" if len(group) > 1 else called or label(unit.block)
        )
        return f"{name} backward" if is_backward(unit.path) else name
    return short.name(item.node.name) if item.node.name else item.called if item.node.op is None else ""


def _free(name: str, taken: set[str]) -> str:
    """Return the first of name#2, name#3, ... that is not taken."""
    number = 2
    while f"{name}#{number}" in taken:
        number += 1
    taken.add(f"{name}#{number}")
    return f"{name}#{number}"


def _next(letter: str, numbered: Counter[str], taken: set[str]) -> str:
    while True:
        numbered[letter] += 1
        if (name := f"{letter}{numbered[letter]}") not in taken:
            return name


def label(block: Block) -> str:
    """Name a block, such as `rnn` or `step 3`."""
    return short.name(block.name) + ("" if block.number is None else f" {block.number}")


def single_box(item: Item, name: str, names: dict[int, str], adjoints: bool, gradient: bool) -> Box:
    """Make the box of one item, with its adjoint if wanted and available."""
    node, kind = item.node, _kind(item)
    rows = []
    if node.shape != ():
        rows.append(("shape", str(node.shape)))
    if not item.looped:
        rows += _value_rows(node, adjoints)
    norm = _norm([node]) if gradient and not item.looped else None
    if norm is not None and node.shape != ():
        rows.append((NORM, short.number(norm, short.DIGITS_IN_ARRAYS)))
    text = "   ".join([_line(item, kind, name, names), *(" ".join(row) for row in rows)])
    title = _title(item) or name
    return Box(kind, title, name if title != name else "", tuple(rows), text, gradient=norm)


def shared_box(group: Sequence[Unit], items: Sequence[Item], name: str, names: dict[int, str], gradient: bool) -> Box:
    """Make the box of several items: their count, and what they have in common."""
    members = [items[k] for unit in group for k in unit.items]
    nodes = [item.node for item in members]
    first = nodes[0]
    kind = _common(_kind(item) for item in members) or "operator"
    title = _common(_title(item) or _given(item.node) for item in members)
    title = title or _common(_symbol(node) for node in nodes) or f"{kind}s"
    rows = [("nodes", f"{len(nodes):,}")]
    if first.shape != () and all(node.shape == first.shape for node in nodes):
        rows.append(("shape", str(first.shape)))
    sources = dict.fromkeys(names[k] for item in members for k in item.inputs)
    operation = _common(node.op.name if node.op else None for node in nodes)
    what = f"times {operation}" if operation else f"{kind}s"
    line = [f"{name} = {len(nodes):,} {what}", *(" ".join(row) for row in rows[1:])]
    if sources:
        line.append(f"from {_listed(sources)}")
    if first.line and all(node.line == first.line for node in nodes):
        rows.append(("line", str(first.line.number)))
        line.append(f"at {first.line}")
    norms = [norm for node in nodes if (norm := _norm([node])) is not None] if gradient else []
    _norm_row(norms, rows, line)
    called = "" if name in (title, f"{title}…") else name
    return Box(kind, title, called, tuple(rows), "   ".join(line), len(nodes), gradient=max(norms, default=None))


def block_box(
    group: Sequence[Unit],
    items: Sequence[Item],
    results: Sequence[Sequence[int]],
    name: str,
    names: dict[int, str],
    adjoints: bool,
    gradient: bool,
) -> Box:
    """Make the box of a folded part of the program, or of its runs: its number of nodes and its results.

    results: for each run the items in it that others use.
    """
    block = group[0].block
    assert block is not None
    inside = {k for unit in group for k in unit.items}
    rows = [("nodes", f"{len(inside):,}")]
    parameters = sum(items[k].node._value.size for k in inside if isinstance(items[k].node, Variable))
    if parameters:
        rows.append(("parameters", f"{parameters:,}"))
    if all(len(run) == 1 for run in results):
        nodes = [items[run[0]].node for run in results]
        shape = _common(str(node.shape) for node in nodes)
        if shape not in (None, "()"):
            rows.append(("shape", str(shape)))
        if len(nodes) == 1 and not items[results[0][0]].looped:
            rows += _value_rows(nodes[0], adjoints)
    sources = dict.fromkeys(names[k] for j in sorted(inside) for k in items[j].inputs if k not in inside)
    called = "" if block.kind == block.name or name.startswith(block.kind) else block.kind
    line = [f"{name}: {called}" if called else name, *(" ".join(row) for row in rows)]
    if sources:
        line.append(f"from {_listed(sources)}")
    norms = [n for run in results if (n := _norm([items[k].node for k in run])) is not None] if gradient else []
    if not any(word == "adjoint" for word, _ in rows) or nodes[0].shape != ():
        _norm_row(norms, rows, line)
    return Box("block", name, called, tuple(rows), "   ".join(line), len(inside), gradient=max(norms, default=None))


def count_kinds(items: Sequence[Item]) -> str:
    """Count the nodes of each kind, as in `3 nodes: 2 variables, 1 operator`."""
    kinds = Counter(map(_kind, items))
    parts = [_many(kinds[kind], kind) for kind in ("variable", "constant", "operator") if kinds[kind]]
    return f"{_many(len(items), 'node')}: {', '.join(parts)}"


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _kind(item: Item) -> str:
    if item.called and item.node.op is None:
        return "operator"  # a loop's input to its cell is not a leaf of the graph
    return (
        "constant" if isinstance(item.node, Constant) else "variable" if isinstance(item.node, Variable) else "operator"
    )


def _value_rows(node: Node, adjoints: bool) -> list[tuple[str, str]]:
    rows = [] if _is_number(node) else [("value", short.value(node.value))]
    if adjoints and node.adjoint is not None:
        rows.append(("adjoint", short.value(node.adjoint)))
    return rows


def _norm(nodes: Sequence[Node]) -> float | None:
    adjoints = [node._adjoint for node in nodes if node._adjoint is not None]
    return colour.norm(adjoints) if adjoints else None


def _norm_row(norms: Sequence[float], rows: list[tuple[str, str]], line: list[str]) -> None:
    if norms:
        low, high = (short.number(end, short.DIGITS_IN_ARRAYS) for end in (min(norms), max(norms)))
        rows.append((NORM, low if low == high else f"{low} … {high}"))
        line.append(" ".join(rows[-1]))


def _is_number(node: Node) -> bool:
    """Tell whether a node is a constant that is named by its value."""
    return isinstance(node, Constant) and node.shape == () and not node.name


def _given(node: Node) -> str:
    return short.number(node.value) if _is_number(node) else short.name(node.name or "")


def _symbol(node: Node) -> str | None:
    return (node.op.symbol or node.op.name) if node.op else None


def _title(item: Item) -> str | None:
    """Return the symbol of an operation (for an index, the index itself), or None for a leaf."""
    op = item.node.op
    if item.called:
        return item.called
    if op is not None and (isinstance(op, Index) or op.part is not None):
        return short.name(op.text(""), LONGEST_TITLE)
    return _symbol(item.node)


def _line(item: Item, kind: str, name: str, names: dict[int, str]) -> str:
    """Write how the node is computed. Names go in last, because they need not be Python names."""
    op = item.node.op
    inputs = [f"({names[k]})" if re.match(r"-[\d.]", names[k]) else names[k] for k in item.inputs]
    if item.called:
        what = {"state": "state, at first {}", "x[t]": "{} at step t"}.get(item.called, f"{item.called} of {{}}")
        return f"{name} = {what.format(inputs[0])}"
    if op is None:
        return f"{kind} {name}"
    if len(inputs) > LONGEST_LIST:
        inputs = [*inputs[:2], "…", inputs[-1]]
    text = op.text(*(f"input_{i}_" for i in range(len(inputs))))
    return f"{name} = " + re.sub(r"\binput_(\d+)_", lambda match: inputs[int(match[1])], text)


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names if len(names) <= LONGEST_LIST else [*names[:2], "…", names[-1]])


def _common(things: Iterable[str | None]) -> str | None:
    """Return the value that all things share, or None if they differ."""
    values = set(things)
    return values.pop() if len(values) == 1 else None
