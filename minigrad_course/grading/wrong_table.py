'''For authors: reads a table of mistakes, such as sources/exercises/05_computational_graph/wrong.py.

Each entry says which answer it changes, how many points that costs, a piece of the right answer, the text in its place,
and the hint that whoever writes so reads:

    WRONG = [
        ("zero_grad", 2, "node.grad = 0.0", "node.grad == 0.0",
         "Every grad is as it was: == compares, and = sets."),
        ("zero_grad", 2, """
         for node in order:
             node.grad = 0.0
         """, """
         for node in order[:-1]:
             node.grad = 0.0
         """, "The output has a grad, too: is it set?"),
        ("zero_grad", 2, ..., """
         def zero_grad(order):
             order[-1].grad = 0.0
         """, "Only the output's grad is 0. Every node of the order has one."),
    ]

The old text must occur exactly once. A text that begins on a new line stands for whole lines, indented as suits the
table; old and new begin at the same column. With `...` as old text, the new one is the whole cell.
'''

from __future__ import annotations

import ast
import difflib
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minigrad_course.grading.cells import SOLUTION, GradingError

if TYPE_CHECKING:
    from types import EllipsisType

FILE = "wrong.py"
FIELDS = {"answer": (str,), "points": (int, float), "old": (str, type(...)), "new": (str,), "hint": (str,)}


@dataclass(frozen=True)
class Wrong:
    """A wrong answer: the cell it replaces, the points that it loses (of all tests), and the hint for its writer."""

    line: int
    replaces: str
    loses: float
    source: str
    hint: str

    @property
    def name(self) -> str:
        """Its place, as an editor jumps to it."""
        return f"{FILE}:{self.line}"


def read_table(path: Path, fields: Mapping[str, tuple[type, ...]]) -> list[tuple[int, tuple[Any, ...]]]:
    """The entries of the list WRONG in a file, each with its line. Raises GradingError, naming the line, otherwise."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except SyntaxError as error:
        raise GradingError(f"{path}:{error.lineno}: {error.msg}") from None
    except ValueError as error:
        raise GradingError(f"{path} cannot be read: {error}") from None
    last = tree.body[-1] if tree.body else None
    if (
        not isinstance(last, ast.Assign)
        or not isinstance(last.value, ast.List)
        or ast.unparse(last.targets[0]) != "WRONG"
    ):
        raise GradingError(f"{path} has to end with a list, WRONG = [...]")
    return [(entry.lineno, _fields(entry, f"{path}:{entry.lineno}", fields)) for entry in last.value.elts]


def _fields(entry: ast.expr, place: str, fields: Mapping[str, tuple[type, ...]]) -> tuple[Any, ...]:
    try:
        values = ast.literal_eval(entry)
    except (ValueError, TypeError):
        raise GradingError(f"{place}: an entry holds texts and numbers only: ({', '.join(fields)})") from None
    if not isinstance(values, tuple) or len(values) != len(fields):
        count = f"{len(values)} fields" if isinstance(values, tuple) else "no tuple"
        raise GradingError(f"{place}: an entry is ({', '.join(fields)}), and this is {count}: is a comma missing?")
    for (field, types), value in zip(fields.items(), values, strict=True):
        if not isinstance(value, types):
            raise GradingError(f"{place}: {value!r} cannot be the {field} of ({', '.join(fields)})")
    return values


def read_wrong(path: Path, answers: Mapping[str, str]) -> list[Wrong]:
    """The wrong answers in a table, given the right ones by the names of their cells; none where there is no table.

    Raises GradingError, naming the line, for an entry whose answer does not exist, whose old text does not occur
    exactly once, or that comes out as no Python or as the right answer.
    """
    wrong = []
    for line, (replaces, loses, old, new, hint) in read_table(path, FIELDS):
        place = f"{path}:{line}"
        if replaces not in answers:
            raise GradingError(f"{place}: there is no answer {replaces!r}; there are {', '.join(answers)}")
        right = without_markers(answers[replaces])
        try:
            source = replaced(right, old, new)
            if ast.dump(ast.parse(source)) == ast.dump(ast.parse(right)):
                raise GradingError("this is the right answer again")
        except SyntaxError as error:
            raise GradingError(
                f"{place}: the answer is no Python then, in its line {error.lineno}: {error.msg}"
            ) from None
        except GradingError as error:
            raise GradingError(f"{place}: {error}") from None
        wrong.append(Wrong(line, replaces, float(loses), source, " ".join(hint.split())))
    return wrong


def without_markers(source: str) -> str:
    """An author's answer without the lines that mark it as a solution."""
    return "\n".join(line for line in source.split("\n") if line.strip() not in SOLUTION)


def replaced(text: str, old: str | EllipsisType, new: str) -> str:
    """Put `new` in place of `old`: a piece of `text`; whole lines, if one of the two begins so; all of it for `...`.

    Raises GradingError, quoting the nearest line, unless there is exactly one place for it.
    """
    if old is ...:
        return textwrap.dedent(new).strip("\n")
    if old.startswith("\n") or new.startswith("\n"):
        results = _lines_replaced(text, old, new)
    else:
        results = [text.replace(old, new)] * text.count(old)
    if len(results) == 1:
        return results[0]
    if results:
        raise GradingError(f"{old!r} occurs {len(results)} times: quote more of it")
    nearest = difflib.get_close_matches(old.strip().split("\n")[0], map(str.strip, text.split("\n")), 1, 0.4)
    raise GradingError(f"{old!r} does not occur" + (f"; the nearest line is `{nearest[0]}`" if nearest else ""))


def _lines_replaced(text: str, old: str, new: str) -> list[str]:
    """`text` with whole lines replaced, once for each place where they are, however far indented."""
    lines, piece = text.split("\n"), _dedented(old)
    results = []
    for start in range(len(lines) - len(piece) + 1):
        place = lines[start : start + len(piece)]
        if _dedented("\n".join(place)) == piece:
            base = _margin(old) if old.startswith("\n") and new.startswith("\n") else _margin(new)
            further = _margin("\n".join(place)) - base
            moved = [_moved(line, further) for line in new.rstrip().removeprefix("\n").split("\n")]
            results.append("\n".join(lines[:start] + moved * bool(new.strip()) + lines[start + len(piece) :]))
    return results


def _dedented(text: str) -> list[str]:
    return textwrap.dedent(text).strip("\n").split("\n")


def _margin(text: str) -> int:
    """The indentation that all lines share."""
    return min((len(line) - len(line.lstrip()) for line in text.split("\n") if line.strip()), default=0)


def _moved(line: str, further: int) -> str:
    return " " * further + line if further >= 0 else line.removeprefix(" " * -further)
