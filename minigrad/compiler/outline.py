"""Loops that occur more than once become functions: a network of twenty equal layers is compiled as one layer.

Two loops are the same if their text is, but for the names of the arrays. numba's time grows faster than the length of
a function, so this is what keeps deep networks within seconds.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence


def outline(lines: Sequence[str], blocks: Sequence[tuple[int, int]], prefix: str) -> tuple[list[str], list[str], int]:
    """The functions made, the lines that are left, and how many of them are calls.

    blocks: for each equation, its first line and the one after its last.
    """
    loops = [(start, stop) for start, stop in blocks if stop > start and lines[start].startswith("    for ")]
    shapes: dict[str, list[tuple[int, int, list[str]]]] = {}
    for start, stop in loops:
        found = _shape(lines[start:stop])
        if found is not None:
            shapes.setdefault(found[0], []).append((start, stop, found[1]))
    functions: list[str] = []
    replaced: dict[int, tuple[int, str]] = {}
    for alike in shapes.values():
        if len(alike) < 2:
            continue
        name = f"{prefix}_loop_{len(functions) + 1}"
        start, stop, names = alike[0]
        body = list(lines[start:stop])
        functions.append("\n".join(["@program", *wrapped(f"def {name}({', '.join(names)}):"), *body, "", ""]))
        for start, stop, names in alike:
            replaced[start] = stop, f"    {name}({', '.join(names)})"
    left, k = [], 0
    while k < len(lines):
        if k in replaced:
            k, call = replaced[k][0], replaced[k][1]
            left.append(call)
        else:
            left.append(lines[k])
            k += 1
    return functions, left, len(replaced)


def _shape(block: Sequence[str]) -> tuple[str, list[str]] | None:
    """The text with its arrays numbered in the order in which they come, and their names; None if it sets numbers that
    others may read."""
    tree = ast.parse(textwrap.dedent("\n".join(block)))
    local = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    if any(
        isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and n.col_offset == 0 for n in ast.walk(tree)
    ):
        return None
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in called | CONSTANTS:
            names.setdefault(node.id, f"{'local' if node.id in local else 'array'}_{len(names)}")
            node.id = names[node.id]
    return ast.unparse(tree), [name for name in names if name not in local]


CONSTANTS = {"zero", "one", "two", "half", "once", "adding", "f4", "f8", "np", "kernels", "convolution"}


def wrapped(text: str, indent: int = 4) -> list[str]:
    """A call or a head with many arguments over several lines."""
    if len(text) <= 110:
        return [text]
    name, _, rest = text.partition("(")
    rest, _, end = rest.rpartition(")")
    lines, line = [f"{name}("], " " * indent
    for argument in rest.split(", "):
        if len(line) + len(argument) > 108:
            lines.append(line.rstrip())
            line = " " * indent
        line += f"{argument}, "
    return [*lines, line.rstrip(), f"{' ' * (indent - 4)}){end}"]
