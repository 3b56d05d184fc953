"""What occurs more than once becomes a function: a network of twenty equal layers is compiled as one layer.

Two pieces of the program are the same if their text is, but for the names of the arrays. numba's time grows faster than
the length of a function, so this is what keeps deep networks within seconds.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST = 16  # equations in a piece
WORD = re.compile(r"(?<![\w.])([A-Za-z_]\w*)(?!\w*\()")
SET = re.compile(r"^ *(?:for (\w+) in|([A-Za-z_]\w*) = )", re.MULTILINE)
CONSTANTS = {
    "zero",
    "one",
    "two",
    "half",
    "f4",
    "f8",
    "np",
    "kernels",
    "products",
    "convolution",
    "math",
    "inf",
    "nan",
}


@dataclass(frozen=True)
class Piece:
    """Some lines of the program. text: with the arrays numbered in the order in which they come. names: theirs."""

    lines: tuple[str, ...]
    text: str
    names: tuple[str, ...]
    whole: bool  # sets no number that others may read, does not end the program, and is more than a comment
    loops: bool


def outline(
    lines: Sequence[str], blocks: Sequence[tuple[int, int]], owner: dict[str, str], prefix: str, nested: bool = True
) -> tuple[list[str], list[Piece], int]:
    """The functions made, the pieces that are left, and how many of them are calls.

    blocks: for each equation, its first line and the one after its last. owner: the array behind each name. nested:
    whether a function may call others of them.
    """
    pieces, k = [], 0
    for start, stop in blocks:
        if start > k:
            pieces.append(_piece(lines[k:start]))
        if stop > start:
            pieces.append(_piece(lines[start:stop]))
        k = stop
    pieces += [_piece(lines[k:])] if k < len(lines) else []
    functions: list[str] = []
    while (found := _most_repeated(pieces, "" if nested else f"{prefix}_part_")) is not None:
        length, starts = found
        name = f"{prefix}_part_{len(functions) + 1}"
        alike = [_joined(pieces[start : start + length]) for start in starts]
        # Told apart by name, two arguments may still lie in one array: then numba must not be told otherwise.
        apart = all(len({owner.get(n, n) for n in piece.names}) == len(piece.names) for piece in alike)
        head = wrapped(f"def {name}({', '.join(alike[0].names)}):")
        functions.append("\n".join(["@apart" if apart else "@part", *head, *alike[0].lines, "", ""]))
        for start, piece in sorted(zip(starts, alike, strict=True), key=lambda pair: -pair[0]):
            call = f"    {name}({', '.join(piece.names)})"
            comments = [line for line in pieces[start].lines if line.lstrip().startswith("#")]
            pieces[start : start + length] = [_piece([*comments, *wrapped(call, 8)])]
    calls = sum(piece.text.lstrip().startswith(f"{prefix}_part_") for piece in pieces)
    return functions, pieces, calls


def _piece(lines: Sequence[str]) -> Piece:
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    local = {name for pair in SET.findall(text) for name in pair if name}
    outside = any(re.match(r" {4}[A-Za-z_]\w* = | *return ", line) for line in lines)
    names: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        word = match.group(1)
        if word in CONSTANTS or keyword.iskeyword(word) or word in ("range", "True", "False", "None"):
            return word
        return names.setdefault(word, f"{'local' if word in local else 'array'}{len(names)}")

    canonical = WORD.sub(number, text)
    given = tuple(word for word in names if word not in local)
    return Piece(tuple(lines), canonical, given, bool(text) and not outside, "for " in text)


def _joined(pieces: Sequence[Piece]) -> Piece:
    return _piece([line for piece in pieces for line in piece.lines])


def _most_repeated(pieces: Sequence[Piece], without: str) -> tuple[int, list[int]] | None:
    """The length of a run of pieces that occurs elsewhere as well, and where: the one that saves most lines.

    without: what a piece of it must not begin with, if anything.
    """
    fit = [piece.whole and not (without and piece.text.lstrip().startswith(without)) for piece in pieces]
    best: tuple[int, int, list[int]] | None = None
    for length in range(LONGEST, 0, -1):
        runs: dict[tuple[str, ...], list[int]] = {}
        for k in range(len(pieces) - length + 1):
            run = pieces[k : k + length]
            if all(fit[k : k + length]) and (length > 1 or run[0].loops):
                key = tuple(piece.text for piece in run)
                if not runs.get(key) or runs[key][-1] + length <= k:
                    runs.setdefault(key, []).append(k)
        for starts in runs.values():
            if len(starts) < (2 if length == 1 else 3):
                continue
            same: dict[str, list[int]] = {}
            for k in starts:
                same.setdefault(_joined(pieces[k : k + length]).text, []).append(k)
            for found in same.values():
                saved = (len(found) - 1) * sum(len(piece.lines) for piece in pieces[found[0] : found[0] + length])
                if len(found) >= (2 if length == 1 else 3) and (best is None or saved > best[0]):
                    best = saved, length, found
    return None if best is None else best[1:]


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
