"""Turn repeated code into a function, so that a network of twenty equal layers compiles as one layer.

Two pieces of the program are the same if their text is, but for the names of the arrays. numba's time grows faster than
the length of a function, so this is what keeps deep networks within seconds. A function speaks of "this layer", and of
`this_weight` where the layers have layer0_weight and layer2_weight.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from minigrad.compiler.origins import Headings, Origin, alike, by_phase, common_name, free_name

LONGEST = 16  # equations in a piece
WORD = re.compile(r"(?<![\w.])([^\W\d]\w*)(?!\w*\()")
SET = re.compile(r"^ *(?:for (\w+) in|([^\W\d]\w*) = )", re.MULTILINE)
CONSTANTS = {
    "zero", "one", "two", "half", "f4", "f8", "np", "kernels", "products", "convolution", "math", "inf", "nan", "range",
}  # fmt: skip

Mark = tuple[int, tuple[Origin, ...]]  # from this line on, the lines belong to these parts


@dataclass(frozen=True)
class Piece:
    """Some lines of the program. text: with the names numbered in the order in which they come.

    words: these names. names: those of arrays from outside. marks: the parts that the lines belong to.
    """

    lines: tuple[str, ...]
    text: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    whole: bool  # sets no number that others may read, does not end the program, and is more than a comment
    marks: tuple[Mark, ...] = ()

    def with_headings(self, headings: Headings) -> Piece:
        """Return the same piece with a comment wherever a new part begins."""
        lines = list(self.lines)
        above = [(at, headings.above(parts)) for at, parts in self.marks]
        for at, comments in reversed(above):
            lines[at:at] = [f"    {comment}" for comment in comments]
        return replace(self, lines=tuple(lines))


def outline(
    lines: Sequence[str],
    blocks: Sequence[tuple[int, int, Origin | None]],
    owner: dict[str, str],
    prefix: str,
    new_name: Callable[[str], str],
    nested: bool = True,
) -> tuple[list[str], list[Piece], int]:
    """Return the new functions, the remaining pieces, and how many of them are calls.

    blocks: for each equation, its first line, the one after its last, and its origin. owner: the array behind each
    name. new_name: makes a name unique. nested: a function may call others of them.
    """
    pieces = pieces_of(lines, blocks)
    functions: list[str] = []
    while (repeated := _most_repeated(pieces, "" if nested else f"{prefix}_part_")) is not None:
        length, starts = repeated
        name = new_name(f"{prefix}_part_{len(functions) + 1}")
        same = [_joined(pieces[start : start + length]) for start in starts]
        # Told apart by name, two arguments may still lie in one array: then numba must not be told otherwise.
        apart = all(len({owner.get(n, n) for n in piece.names}) == len(piece.names) for piece in same)
        functions.append("\n".join(["@apart" if apart else "@part", *_function(name, same), "", ""]))
        for start, piece in sorted(zip(starts, same, strict=True), key=lambda pair: -pair[0]):
            parts = tuple(by_phase(part for _, parts in piece.marks for part in parts))
            call = _piece([f"    {name}({', '.join(piece.names)})"], ((0, parts),))
            pieces[start : start + length] = [call]
    calls = sum(piece.text.lstrip().startswith(f"{prefix}_part_") for piece in pieces)
    return functions, pieces, calls


def pieces_of(lines: Sequence[str], blocks: Sequence[tuple[int, int, Origin | None]]) -> list[Piece]:
    """Split the program into a piece for each equation, and the lines between them."""
    pieces, k = [], 0
    for start, stop, part in blocks:
        if start > k:
            pieces.append(_piece(lines[k:start]))
        if stop > start:
            pieces.append(_piece(lines[start:stop], () if part is None else ((0, (part,)),)))
        k = stop
    return pieces + ([_piece(lines[k:])] if k < len(lines) else [])


def _piece(lines: Sequence[str], marks: Sequence[Mark] = ()) -> Piece:
    text = "\n".join(line for line in lines if not is_comment(line))
    local = {name for pair in SET.findall(text) for name in pair if name}
    outside = any(re.match(r" {4}[^\W\d]\w* = | *return ", line) for line in lines)
    names: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        word = match.group(1)
        if word in CONSTANTS or keyword.iskeyword(word):
            return word
        return names.setdefault(word, f"{'local' if word in local else 'array'}{len(names)}")

    canonical = WORD.sub(number, text)
    outside_names = tuple(word for word in names if word not in local)
    return Piece(tuple(lines), canonical, tuple(names), outside_names, bool(text) and not outside, tuple(marks))


def _joined(pieces: Sequence[Piece]) -> Piece:
    marks: list[Mark] = []
    lines: list[str] = []
    for piece in pieces:
        marks += [(len(lines) + at, parts) for at, parts in piece.marks]
        lines += piece.lines
    return _piece(lines, marks)


def _function(name: str, same: Sequence[Piece]) -> list[str]:
    """Make a function for all of these pieces: the lines of the first, in words that fit them all."""
    called = common_words([piece.words for piece in same])
    code = [k for k, line in enumerate(same[0].lines) if not is_comment(line)]
    lines = [WORD.sub(lambda match: called.get(match[1], match[1]), same[0].lines[k]) for k in code]
    marks = []
    for marks_of in zip(*(piece.marks for piece in same), strict=False):
        columns = zip(*(parts for _, parts in marks_of), strict=False)
        marks.append((sum(k < marks_of[0][0] for k in code), tuple(alike(parts) for parts in columns)))
    body = replace(same[0], lines=tuple(lines), marks=tuple(marks)).with_headings(Headings())
    return [f"def {name}({', '.join(called[word] for word in same[0].names)}):", *body.lines]


def common_words(words: Sequence[Sequence[str]]) -> dict[str, str]:
    """Map the names of the first piece to names for all: the words that the corresponding names share."""
    columns = list(zip(*words, strict=True))
    taken = {names[0] for names in columns if len(set(names)) == 1}
    called: dict[str, str] = {}
    for names in columns:
        name = common_name(names)
        if len(set(names)) > 1:
            name = free_name(name, taken)
        taken.add(name)
        called[names[0]] = name
    return called


def is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _most_repeated(pieces: Sequence[Piece], without: str) -> tuple[int, list[int]] | None:
    """Return the length and the starts of the repeated run of pieces that saves most lines.

    without: a prefix that no piece of it may have, if any.
    """
    fit = [piece.whole and not (without and piece.text.lstrip().startswith(without)) for piece in pieces]
    best: tuple[int, int, list[int]] | None = None
    for length in range(LONGEST, 0, -1):
        runs: dict[tuple[str, ...], list[int]] = {}
        for k in range(len(pieces) - length + 1):
            run = pieces[k : k + length]
            if all(fit[k : k + length]) and (length > 1 or "for " in run[0].text):
                key = tuple(piece.text for piece in run)
                if not runs.get(key) or runs[key][-1] + length <= k:
                    runs.setdefault(key, []).append(k)
        enough = 2 if length == 1 else 3
        for starts in [starts for starts in runs.values() if len(starts) >= enough]:
            same: dict[str, list[int]] = {}
            for k in starts:
                same.setdefault(_joined(pieces[k : k + length]).text, []).append(k)
            for places in same.values():
                lines = sum(piece.text.count("\n") + 1 for piece in pieces[places[0] : places[0] + length])
                saved = (len(places) - 1) * lines
                if len(places) >= enough and (best is None or saved > best[0]):
                    best = saved, length, places
    return None if best is None else best[1:]
