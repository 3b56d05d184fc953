"""The text of a box: a node's name, symbol, shape, value and adjoint, as rows and as one line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from minigrad.core.block import Block
from minigrad.core.graph import Constant, Node, Variable
from minigrad.ops.shape import Index
from minigrad_course import short
from minigrad_course.viz.fold import Unit
from minigrad_course.viz.items import Item, is_backward
from minigrad_course.viz.sketch import Box

LONGEST_TITLE = 16
LONGEST_LIST = 8  # inputs in a formula; of a longer list, the first two and the last are named

Rows = list[tuple[str, str]]


def unique_names(nodes: Sequence[Node]) -> dict[int, str]:
    """Map the id of each node to its name, where each node has a box of its own; see `name_boxes`."""
    items = [Item(node, []) for node in nodes]
    names, _ = name_boxes([Unit((k,), ()) for k in range(len(items))], items)
    return {id(node): name for node, name in zip(nodes, names, strict=True)}


def name_boxes(units: Sequence[Unit], items: Sequence[Item]) -> tuple[list[str], dict[int, str]]:
    """Name the box of each unit, and each item as it appears in formulas.

    A node goes by its name, or as v1, v2, ...; a constant by its number, or as c1, c2, ... if it is an array; the
    adjoint of v1 as v1_bar. A folded block has the name of the block. Two of one name become w and w#2.
    """
    nodes = [items[unit.items[0]].node for unit in units]
    own_names = [_own_name(unit, node) for unit, node in zip(units, nodes, strict=True)]
    taken = set(own_names)
    numbers: Counter[str] = Counter()
    names, used, of_node = [""] * len(units), set[str](), dict[Node, str]()

    def number_after(letter: str) -> str:
        while True:
            numbers[letter] += 1
            if (name := f"{letter}{numbers[letter]}") not in taken:
                return name

    def free(name: str) -> str:
        """Return the first of name#2, name#3, ... that is not taken."""
        number = 2
        while f"{name}#{number}" in taken:
            number += 1
        return f"{name}#{number}"

    # The adjoints last: their names are made of others.
    for box in sorted(range(len(units)), key=lambda box: not own_names[box] and bool(nodes[box].adjoint_of)):
        node, name = nodes[box], own_names[box]
        if name:
            name = free(name) if name in used else name
            used.add(name)
        elif short.is_literal(node):
            name = short.number(node.value)
        elif owner := next((n for x in node.adjoint_of if (n := of_node.get(x) or short.name(x.name or ""))), None):
            name = free(f"{owner}_bar") if f"{owner}_bar" in taken else f"{owner}_bar"
        else:
            name = number_after("c" if isinstance(node, Constant) else "v")
        names[box] = name
        taken.add(name)
        if units[box].block is None:
            of_node[node] = name
    return names, {k: name for name, unit in zip(names, units, strict=True) for k in unit.items}


def _own_name(unit: Unit, node: Node) -> str:
    if unit.block is None:
        return short.name(node.name) if node.name else ""
    return f"{label(unit.block)} backward" if is_backward(unit.path) else label(unit.block)


def label(block: Block) -> str:
    """Name a block: `rnn`, `step 3`; one that has only a number, as in a Sequential, as `Linear 784 to 300`."""
    if block.name.isdigit():
        return f"{block.kind} {block.sizes or ''}".rstrip().replace(" x ", " × ")
    return short.name(block.name) + (f" {block.number}" if block.number is not None else "")


@dataclass(frozen=True)
class Boxes:
    """Makes the boxes of a picture. names: of the items; see `name_boxes`. adjoints: whether to show them."""

    items: Sequence[Item]
    names: dict[int, str]
    adjoints: bool

    def make(self, unit: Unit, name: str, used: set[int]) -> Box:
        """Make the box of an item, or of a folded part. used: the items that others read."""
        return self._single(unit.items[0], name) if unit.block is None else self._block(unit, unit.block, name, used)

    def _single(self, k: int, name: str) -> Box:
        item = self.items[k]
        node, kind = item.node, _kind(item.node)
        rows = [] if node.shape == () else [("shape", str(node.shape))]
        rows += self._values(node)
        text = "   ".join([self._formula(item, kind, name), *(" ".join(row) for row in rows)])
        title = _title(node) or name
        return Box(kind, title, name if title != name else "", tuple(rows), text)

    def _block(self, unit: Unit, block: Block, name: str, used: set[int]) -> Box:
        """Make the box of a folded part of the program: its number of nodes, and its result if there is one."""
        rows = [("nodes", f"{len(unit.items):,}")]
        nodes = [self.items[k].node for k in unit.items]
        if parameters := sum(node._value.size for node in nodes if isinstance(node, Variable)):
            rows.append(("parameters", f"{parameters:,}"))
        results = [self.items[k].node for k in unit.items if k in used]
        if len(results) == 1:
            rows += [("shape", str(results[0].shape))] if results[0].shape != () else []
            rows += self._values(results[0])
        called = "" if block.kind == block.name or name.startswith(block.kind) else block.kind
        line = [f"{name}: {called}" if called else name, *(" ".join(row) for row in rows)]
        line += self._sources(unit.items)
        return Box("block", name, called, tuple(rows), "   ".join(line), len(unit.items))

    def _values(self, node: Node) -> Rows:
        rows = [] if short.is_literal(node) else [("value", short.value(node.value))]
        if self.adjoints and node.adjoint is not None:
            rows.append(("adjoint", short.value(node.adjoint)))
        return rows

    def _sources(self, inside: Sequence[int]) -> list[str]:
        sources = dict.fromkeys(self.names[k] for j in inside for k in self.items[j].inputs if k not in inside)
        return [f"from {', '.join(_shortened(list(sources)))}"] if sources else []

    def _formula(self, item: Item, kind: str, name: str) -> str:
        """Write how the node is computed. Names go in last, because they need not be Python names."""
        op = item.node.op
        if op is None:
            return f"{kind} {name}"
        names = (self.names[k] for k in item.inputs)
        inputs = _shortened([f"({name})" if re.match(r"-[\d.]", name) else name for name in names])
        text = op.text(*(f"input_{i}_" for i in range(len(inputs))))
        return f"{name} = " + re.sub(r"\binput_(\d+)_", lambda match: inputs[int(match[1])], text)


def count_kinds(items: Sequence[Item]) -> str:
    """Count the nodes of each kind, as in `3 nodes: 2 variables, 1 operator`."""
    kinds = Counter(_kind(item.node) for item in items)
    parts = [_many(kinds[kind], kind) for kind in ("variable", "constant", "operator") if kinds[kind]]
    return f"{_many(len(items), 'node')}: {', '.join(parts)}"


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _kind(node: Node) -> str:
    return "constant" if isinstance(node, Constant) else "variable" if isinstance(node, Variable) else "operator"


def _title(node: Node) -> str | None:
    """Return the symbol of an operation (for an index, the index itself), or None for a leaf."""
    op = node.op
    if op is not None and (isinstance(op, Index) or op.part is not None):
        return short.name(op.text(""), LONGEST_TITLE)
    return (op.symbol or op.name) if op is not None else None


def _shortened(names: list[str]) -> list[str]:
    return names if len(names) <= LONGEST_LIST else [*names[:2], "…", names[-1]]
