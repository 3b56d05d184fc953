"""Turn repeated code into a function, so that a network of twenty equal layers compiles as one layer.

Two pieces of the program are the same if their text is, but for the names of the arrays and the places that they read,
such as x[i, 3], and their arrays have the same shapes: for others, a function would be compiled again. numba's time
grows faster than the length of a function, so this is what keeps deep networks within seconds. A function speaks of
"this layer", of `this_weight` where the layers have layer0_weight and layer2_weight, and of a `place`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any

from minigrad.compiler.origins import Headings, Origin, alike, by_phase, common_name, free_name
from minigrad.compiler.text import Line, named

LONGEST = 16  # equations in a piece

Function = list[Line]
Mark = tuple[int, tuple[Origin, ...]]  # from this line on, the lines belong to these parts


@dataclass(frozen=True, eq=False)
class Piece:
    """Some lines of the program. marks: the parts that they belong to. calls: the function that this is a call of."""

    lines: tuple[Line, ...]
    marks: tuple[Mark, ...] = ()
    calls: str = ""

    @cached_property
    def code(self) -> list[Line]:
        return [line for line in self.lines if not line.is_comment]

    @cached_property
    def used(self) -> list[str]:
        """Return the names in it, each as often as it stands there."""
        return [name for line in self.code for name in line.names]

    @cached_property
    def words(self) -> dict[str, str]:
        """Map each name in it, in order, to what stands for it where pieces are compared."""
        own = {line.sets for line in self.code}
        words = dict.fromkeys(self.used)
        kinds = ("local" if word in own else "place" if word.isdigit() else "array" for word in words)
        return {word: f"{kind}{k}" for k, (word, kind) in enumerate(zip(words, kinds, strict=True))}

    @cached_property
    def names(self) -> list[str]:
        """Return the names of arrays and numbers from outside, and the places in arrays."""
        own = {line.sets for line in self.code}
        return [word for word in self.words if word not in own]

    @cached_property
    def shape(self) -> tuple[str, ...]:
        """Return the lines with names that are the same in pieces that do the same."""
        return tuple(str(line.renamed(self.words)) for line in self.code)

    @property
    def whole(self) -> bool:
        """Tell whether it sets no number that others may read, does not end the program, and is more than comments."""
        outside = any(
            line.text.startswith("return ") or (line.sets and line.indent == 1 and not line.text.startswith("for "))
            for line in self.code
        )
        return bool(self.code) and not outside

    def with_headings(self, headings: Headings) -> Piece:
        """Return the same piece with a comment wherever a new part begins."""
        lines = list(self.lines)
        above = [(at, headings.above(parts)) for at, parts in self.marks]
        for at, comments in reversed(above):
            lines[at:at] = comments
        return Piece(tuple(lines), calls=self.calls)


def outline(
    pieces: list[Piece], owner: Mapping[str, str], shapes: Mapping[str, tuple[int, ...]], prefix: str,
    new_name: Callable[[str], str],
) -> tuple[list[Function], list[Piece], int]:  # fmt: skip
    """Return the new functions, the remaining pieces, and how many of them are calls.

    pieces: one for each equation. owner: the array behind each name. shapes: the shape of each. new_name: makes a name
    unique.
    """
    functions: list[Function] = []
    while (repeated := _most_repeated(pieces, shapes)) is not None:
        length, starts = repeated
        name = new_name(f"{prefix}_part_{len(functions) + 1}")
        same = [_joined(pieces[start : start + length]) for start in starts]
        # Told apart by name, two arguments may still lie in one array: then numba must not be told otherwise.
        apart = all(len({owner.get(n, n) for n in piece.names}) == len(piece.names) for piece in same)
        columns = zip(*(piece.names for piece in same), strict=True)
        passed = [len(set(names)) > 1 or not names[0].isdigit() for names in columns]  # not a place that all share
        functions.append(_function("@apart" if apart else "@part", name, same, passed))
        for start, piece in sorted(zip(starts, same, strict=True), key=lambda pair: -pair[0]):
            parts = tuple(by_phase(part for _, parts in piece.marks for part in parts))
            call = Line(1, f"{name}({', '.join(map(named, compress(piece.names, passed)))})")
            pieces[start : start + length] = [Piece((call,), ((0, parts),), name)]
    return functions, pieces, sum(bool(piece.calls) for piece in pieces)


def _joined(pieces: Sequence[Piece]) -> Piece:
    marks: list[Mark] = []
    lines: list[Line] = []
    for piece in pieces:
        marks += [(len(lines) + at, parts) for at, parts in piece.marks]
        lines += piece.lines
    return Piece(tuple(lines), tuple(marks))


def _function(kind: str, name: str, same: Sequence[Piece], passed: Sequence[bool]) -> Function:
    """Make a function for all of these pieces: the lines of the first, in words that fit them all.

    passed: whether each of its names is an argument.
    """
    called = common_words([[*piece.words] for piece in same])
    first = same[0]
    marks = []
    for marks_of in zip(*(piece.marks for piece in same), strict=False):
        columns = zip(*(parts for _, parts in marks_of), strict=False)
        at = sum(not line.is_comment for line in first.lines[: marks_of[0][0]])
        marks.append((at, tuple(alike(parts) for parts in columns)))
    body = Piece(tuple(line.renamed(called) for line in first.code), tuple(marks)).with_headings(Headings())
    return as_function(kind, name, [called[word] for word in compress(first.names, passed)], body.lines)


def as_function(kind: str, name: str, arguments: Iterable[str], body: Iterable[Line]) -> Function:
    """Return the lines of a function, and two empty ones below it. kind: its decorator."""
    return [Line(0, kind), Line(0, f"def {name}({', '.join(arguments)}):"), *body, Line(0, ""), Line(0, "")]


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


def _most_repeated(pieces: Sequence[Piece], shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, list[int]] | None:
    """Return the length and the starts of the repeated run of pieces that saves most lines; of several, the one that
    belongs to fewest parts of the program, such as a time step.
    """
    fit = [piece.whole for piece in pieces]
    keys = [(piece.shape, *(shapes.get(name) for name in piece.names)) for piece in pieces]
    best: tuple[tuple[int, int], int, list[int]] | None = None
    for length in range(LONGEST, 0, -1):
        runs: dict[tuple[Any, ...], list[int]] = {}
        for k in range(len(pieces) - length + 1):
            run = pieces[k : k + length]
            if all(fit[k : k + length]) and (length > 1 or any(line.text.startswith("for ") for line in run[0].code)):
                key = tuple(keys[k : k + length])
                if not runs.get(key) or runs[key][-1] + length <= k:
                    runs.setdefault(key, []).append(k)
        enough = 2 if length == 1 else 3
        for starts in [starts for starts in runs.values() if len(starts) >= enough]:
            same: dict[tuple[int, ...], list[int]] = {}
            for k in starts:
                order: dict[str, int] = {}  # which names are the same
                used = (name for piece in pieces[k : k + length] for name in piece.used)
                same.setdefault(tuple(order.setdefault(name, len(order)) for name in used), []).append(k)
            for places in same.values():
                lines = sum(len(piece.code) for piece in pieces[places[0] : places[0] + length])
                marks = (mark for k in places for piece in pieces[k : k + length] for mark in piece.marks)
                parts = {part for _, parts_of in marks for part in parts_of}
                saved = (len(places) - 1) * lines, -len(parts)
                if len(places) >= enough and (best is None or saved > best[0]):
                    best = saved, length, places
    return None if best is None else best[1:]
