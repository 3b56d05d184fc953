"""Attribute the lines of a program to the parts of a network, and write the headings.

Each node knows the layer and the step that it was made in, and whether that was in a backward pass or in an update
(`node.block`). So a program can be read by its headings: layer 0 forward, t = 2, back through layer 1, update.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace

from minigrad.compiler.text import MARK, Line
from minigrad.core.block import BACKWARD, Block
from minigrad.core.errors import Line as Source
from minigrad.core.graph import Node

FORWARD, BACK, UPDATE = "forward", "back", "update"


@dataclass(frozen=True)
class Origin:
    """The origin of an equation.

    way: FORWARD, BACK or UPDATE. layers: (name, kind) of each layer; in an update the parameters. step: of a loop, such
    as "t = 2". line: the learner's line, if it is worth quoting. number: of that line in its file, on the way forward.
    """

    phase: str
    layers: tuple[tuple[str, str], ...] = ()
    step: str = ""
    line: str = ""
    number: int | None = None

    def heading(self, before: Origin | None) -> str:
        """Write the heading above this part. before: the part above it, which may extend into this one."""
        names = [name for name, _ in self.layers]
        if self.phase == UPDATE:
            return f"update {_listed(names)}" if names else "the gradients, before the update"
        if not names:
            return "outside of the layers" + (": forward" if self.phase == FORWARD else ", back")
        shown = [", ".join(filter(None, layer)) for layer in self.layers]
        if len(shown) > 1 and before is not None and before.phase == self.phase and self.layers[0] in before.layers:
            shown[0] = f"end of {names[0]}" if self.phase == FORWARD else f"the rest of {names[0]}"
        text = ", and ".join(shown)
        return f"back through {text}" if self.phase == BACK else text if text == "the loss" else f"{text}: forward"


def origin_of(node: Node, numbered: bool, asked: Source | None) -> Origin:
    """Return the part that a node belongs to.

    numbered: quoted lines have numbers. asked: the line that asked for the program, which is not worth quoting.
    """
    path: list[Block] = []
    block = node.block
    while block is not None:
        path.insert(0, block)
        block = block.outer
    kinds = [block.kind for block in path]
    if UPDATE in kinds:
        inside = path[kinds.index(UPDATE) + 1 :]
        return Origin(UPDATE, tuple((python_name(block.name), "") for block in inside[:1]))
    phase = BACK if BACKWARD in kinds else FORWARD
    if phase == BACK:  # of a pass within a pass, such as that of a loop over time, the inner one
        path = path[len(kinds) - kinds[::-1].index(BACKWARD) :]
    steps = [block for block in path if block.kind == "step" and block.number is not None]
    path = [block for block in path if block not in steps]
    whole = bool(path) and path[0].sizes is not None and path[0].name == path[0].kind  # the model, from its outside
    inside = path[1:] if whole else path
    layers = _layer(inside)
    if whole and not inside:  # what its own forward() does, beside its layers
        layers = ((node.op.name if phase == FORWARD and node.op is not None else f"{path[0].name}.forward", ""),)
    step = ", ".join(f"t = {block.number}" for block in steps)
    line = node.line if phase == FORWARD else node.adjoint_of[0].line if node.adjoint_of else None
    if line == asked or (phase == BACK and inside and (whole or inside[-1].name == "the loss")):
        line = None  # the heading says it already
    quote = "" if line is None else str(line) if numbered else line.unnumbered()
    number = line.number if line is not None and numbered and phase == FORWARD else None
    return Origin(phase, layers, step, f"back through {quote}" if quote and phase == BACK else quote, number)


def _layer(path: Sequence[Block]) -> tuple[tuple[str, str], ...]:
    if not path:
        return ()
    names = [block.name if block.number is None else f"{block.name} {block.number}" for block in path]
    name = f"layer {names[0]}" if len(names) == 1 and names[0].isdigit() else ".".join(names)
    last = path[-1]
    return ((name, "" if last.kind == last.name else f"{last.kind} {last.sizes or ''}".strip()),)


def together(parts: Iterable[Origin]) -> Origin | None:
    """Merge origins computed together into one: all layers that go the way of the last. None without parts."""
    origins = list(parts)
    if not origins:
        return None
    last = origins[-1]
    layers = dict.fromkeys(layer for part in origins if part.phase == last.phase for layer in part.layers)
    quoted = next((part for part in origins if part.line), last)
    return replace(last, layers=tuple(layers), line=quoted.line, number=quoted.number)


def by_phase(parts: Iterable[Origin]) -> list[Origin]:
    """Merge the origins by way, in the order in which they occur."""
    phases: dict[str, list[Origin]] = {}
    for origin in parts:
        phases.setdefault(origin.phase, []).append(origin)
    return [part for origins in phases.values() if (part := together(origins)) is not None]


def alike(parts: Sequence[Origin]) -> Origin:
    """Return what equal parts of several layers have in common: "this Linear layer"."""
    if len(set(parts)) == 1:
        return parts[0]
    first = parts[0]
    same = [p for p in parts if p.phase == first.phase and len(p.layers) == len(first.layers)]
    if len(same) < len(parts):
        return Origin("")
    layers = []
    for each in zip(*(part.layers for part in parts), strict=True):
        names, whats = zip(*each, strict=True)
        if first.phase == UPDATE:
            layers.append((common_name(names), ""))
        elif len(set(each)) == 1:
            layers.append(each[0])
        else:
            kinds = {what.split(" ")[0] for what in whats}
            layers.append((f"this {kinds.pop()} layer" if len(kinds) == 1 and "" not in kinds else "this layer", ""))
    step = first.step if len({part.step for part in parts}) == 1 else "this step" if first.step else ""
    return Origin(first.phase, tuple(dict.fromkeys(layers)), step)


class Headings:
    """Comments between the lines of a program, wherever a new part begins."""

    def __init__(self, last: Origin | None = None):
        self.last = last
        self.line = last.line if last is not None else ""

    def above(self, parts: Sequence[Origin], indent: int = 1) -> list[Line]:
        """Return the comments above equations of these parts; none while a part continues."""
        parts = [part for part in parts if part.phase]
        if not parts:
            return []
        lines, last = [], self.last
        begun = last is not None and bool(last.layers or last.phase == UPDATE)
        changed = last is None or any((part.phase, part.layers) != (last.phase, last.layers) for part in parts)
        step = parts[0].step
        changed = changed or (last is not None and bool(last.step) and not step)
        if changed and (begun or any(part.layers or part.phase == UPDATE for part in parts)):
            texts = [part.heading(last if len(parts) == 1 else None) for part in parts]
            lines.append(Line(indent, f"# --- {one_line('; '.join(texts))}", part=parts[0], heading=True))
            last = None
        if step and (last is None or step != last.step):
            lines.append(Line(indent, f"# {one_line(step)}"))
        for part in parts:
            if part.line and part.line != self.line:
                lines.append(Line(indent, f"# {one_line(part.line)}", part=part))
                self.line = part.line
        self.last = parts[-1]
        return lines


def one_line(text: str) -> str:
    """Clean a text for a comment: line breaks and characters that no file can hold become spaces."""
    return "".join(c if c.isprintable() else " " for c in text)


# ------------------------------------------------------------ names


def python_name(wanted: str) -> str:
    """Return a Python name like the wanted one, in Python's normalised letters: x2 for x²."""
    letters = unicodedata.normalize("NFKC", wanted)
    clean = (
        "".join(c if c.isalnum() and f"v{c}".isidentifier() and c != MARK else "_" for c in letters).strip("_") or "v"
    )
    return clean if clean.isidentifier() else f"layer{clean}"


def free_name(wanted: str, taken: Container[str]) -> str:
    """Return the wanted name, with a number appended if it is taken."""
    name, k = wanted, 2
    while name in taken:
        name, k = f"{wanted}_{k}", k + 1
    return name


def common_name(names: Sequence[str]) -> str:
    """Return a common name for an array in several layers: this_weight for layer0_weight and layer2_weight."""
    if len(set(names)) == 1:
        return names[0]
    if names[0].isdigit():
        return "place"
    common = names[0].split("_")
    for name in names[1:]:
        words = name.split("_")
        kept, k = [], 0
        for word in common:
            if word in words[k:]:
                k = words.index(word, k) + 1
                kept.append(word)
        common = kept
    return f"this_{'_'.join(common)}" if any(word[:1].isalpha() for word in common) else "array"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
