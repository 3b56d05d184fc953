"""A line of a program as a record: its text, and what is known of it; and long lines, broken into several.

In the text, names of arrays and numbers stand between MARKs. So they can be read off and exchanged, and whoever wants
to know what a line does asks the record.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minigrad.compiler.origins import Origin

MARK = "ǀ"  # to Python a letter, which is in no array's name (python_name): a text with marks can be parsed


def named(name: str) -> str:
    """Return a name as it stands in a line's text."""
    return f"{MARK}{name}{MARK}"


def plain(text: str) -> str:
    """Return a text without marks."""
    return text.replace(MARK, "")


@dataclass(frozen=True)
class Line:
    """A line of a program, `indent` levels deep. text: with its names between MARKs.

    sets: the number that it sets, or counts with, if any. call: the kernel that it calls, and the arguments. part: of a
    comment, what it is about. heading: whether it is the heading of that part.
    """

    indent: int
    text: str
    sets: str = ""
    call: tuple[str, tuple[str, ...]] | None = None
    part: Origin | None = None
    heading: bool = False

    @property
    def is_comment(self) -> bool:
        return self.text.startswith("#")

    @property
    def names(self) -> list[str]:
        """Return the names of arrays and numbers in it, in order."""
        return [] if self.is_comment else self.text.split(MARK)[1::2]

    def renamed(self, names: Mapping[str, str]) -> Line:
        """Return the line with other names."""
        words = self.text.split(MARK)
        words[1::2] = [named(names[word]) for word in words[1::2]]
        return replace(self, text="".join(words))

    def __str__(self) -> str:
        return "    " * self.indent + (self.text if self.is_comment else plain(self.text))


# ---------------------------------------------------------------- long lines

WIDTH = 110  # characters
OPERATORS = {*"-+*/%<>", "**", "<=", ">=", "==", "!=", "if", "else", "and", "or"}


def wrapped(lines: Iterable[str]) -> list[str]:
    """All lines, the long ones broken: comments between words, calls between arguments, formulas before an operator."""
    return [part for line in lines for part in ([line] if len(line) <= WIDTH else _broken(line))]


def _broken(line: str) -> list[str]:
    text = line.lstrip()
    space = line[: len(line) - len(text)]
    if text.startswith("#"):
        return textwrap.wrap(line, WIDTH, subsequent_indent=f"{space}#     ", break_long_words=False)
    start, end = text.find("(") + 1, text.rfind(")")
    called = text[: max(start - 1, 0)].rpartition(" = ")[2].removeprefix("def ")
    if _closes_last(text) and called.replace(".", "").isidentifier():  # all of it is one call
        return [space + text[:start], *_filled(f"{text[start:end]},", f"{space}    "), space + text[end:]]
    name, equals, formula = text.partition(" = ")
    if not equals and not text.startswith("return "):
        return [line]
    head, formula = (f"{name} =", formula) if equals else ("return", text.removeprefix("return "))
    return [f"{space}{head} (", *_filled(formula, f"{space}    "), f"{space})"]


def _closes_last(text: str) -> bool:
    """Tell whether the first bracket closes at the end."""
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ")" and depth == 0:
            return text[k:] in (")", "):")
    return False


def _filled(text: str, space: str) -> list[str]:
    glued, last = "", ""
    for word in text.split(" "):  # no break behind an operator, and none in an index
        together = last in OPERATORS or glued.count("[") > glued.count("]")
        glued += ("\0" if together else " " if glued else "") + word
        last = word
    broken = textwrap.wrap(glued, WIDTH - 2 - len(space), break_long_words=False, break_on_hyphens=False)
    return [space + part.replace("\0", " ") for part in broken]
