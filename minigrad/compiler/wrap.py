"""Break the long lines of a program into several that mean the same."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

WIDTH = 110  # characters
OPERATOR = re.compile(r" ([-+*/%<>]|\*\*|[<>=!]=|if|else|and|or) ")
CALL = re.compile(r"(?:def |[\w\[\], ]+ = )?[\w.]+\((.*)\):?")


def wrapped(lines: Iterable[str]) -> list[str]:
    """All lines, the long ones broken: comments between words, calls between arguments, formulas before an operator."""
    return [part for line in lines for part in ([line] if len(line) <= WIDTH else _broken(line))]


def _broken(line: str) -> list[str]:
    text = line.lstrip()
    space = line[: len(line) - len(text)]
    if text.startswith("#"):
        return textwrap.wrap(line, WIDTH, subsequent_indent=f"{space}#     ", break_long_words=False)
    if (call := CALL.fullmatch(text)) and _closes_last(text):
        start, end = text.index("(") + 1, text.rindex(")")
        arguments = _filled(f"{call[1]},", f"{space}    ")
        return [space + text[:start], *arguments, space + text[end:]]
    *names, formula = text.split(" = ")
    if len(names) > 1:  # several names for one thing
        widened = textwrap.wrap("   ".join(names), WIDTH - len(space) - len(formula) - 3, break_long_words=False)
        return [f"{space}{' = '.join(line.split())} = {formula}" for line in widened]
    if not names and not text.startswith("return "):
        return [line]
    head, formula = (f"{names[0]} =", formula) if names else ("return", text.removeprefix("return "))
    return [f"{space}{head} (", *_filled(formula, f"{space}    "), f"{space})"]


def _closes_last(text: str) -> bool:
    """Tell whether the first bracket closes at the end, so that all of the text is one call."""
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ")" and depth == 0:
            return k >= len(text) - 2
    return False


def _filled(text: str, space: str) -> list[str]:
    glued = OPERATOR.sub(" \\1\0", text)  # no break behind an operator, and none in an index
    glued = re.sub(r"\[[^][]*\]", lambda index: index[0].replace(" ", "\0"), glued)
    width = WIDTH - 2 - len(space)
    return [
        space + part.replace("\0", " ")
        for part in textwrap.wrap(glued, width, break_long_words=False, break_on_hyphens=False)
    ]
