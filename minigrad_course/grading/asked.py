"""The cells of a lesson that ask: for guesses (guesses.py), made of lines in its text such as
`{guess: times | slow / fast}`, and, before its first section, for what earlier lessons said (recall.py), or, in the
first lesson and in the last one of automatic differentiation, for what is known of twenty concepts (concepts.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from minigrad_course.grading.cells import GradingError

GUESS = re.compile(r'^\{guess(?: "([^"]+)")?( in order)?: *(.*?) *\| *(.*)\}$', re.MULTILINE)
ASK = "# Your guess? Run this cell to write it down, or go on without."  # what is seen of a folded cell
SURPRISES = "# What surprised you in this lesson? Run this cell."
RECALL = "# Five questions from earlier lessons? Run this cell, or go on without."
CONCEPTS = "# Twenty questions {} the lessons? Run this cell, or go on without."
FIVE_LINES = "## In five lines"  # the end of a lesson, before which it says what surprised
FIRST = "01"  # the lesson that has no earlier one to ask about
LAST = "08"  # of those that explain the concepts


def without_guesses(text: str) -> str:
    """Return a cell's text without the lines that ask."""
    return GUESS.sub("", text).rstrip()


def cells_around(texts: list[str], lesson: str) -> Iterator[tuple[str, str]]:
    """Yield for each text the cells before and after it, "" for none.

    Raises GradingError where no question stands before a guess.
    """
    asked = 0
    sections = (number for number, text in enumerate(texts) if text.startswith("## "))
    first_section = next(sections, None) if lesson.isdecimal() and lesson >= FIRST else None
    for number, text in enumerate(texts):
        calls = _calls(text, lesson, asked)
        asked += len(calls)
        before, after = "", "\n".join([ASK, "from minigrad_course.guesses import ask\n", *calls]) if calls else ""
        if text.startswith(FIVE_LINES):
            if asked:
                before = f'{SURPRISES}\nfrom minigrad_course.guesses import surprises\n\nsurprises("{lesson}")'
            if lesson == LAST:
                after = _concepts("after")
        elif number == first_section and lesson == FIRST:
            before = _concepts("before")
        elif number == first_section:
            before = f'{RECALL}\nfrom minigrad_course.recall import recall\n\nrecall("{lesson}")'
        yield before, after


def _concepts(form: str) -> str:
    return (
        f'{CONCEPTS.format(form)}\nfrom minigrad_course.concepts import twenty_questions\n\ntwenty_questions("{form}")'
    )


def _calls(text: str, lesson: str, before: int) -> list[str]:
    calls: list[str] = []
    for line in GUESS.finditer(text):
        question, order, what, answer = line.groups()
        if not question:
            sentences = re.split(r"(?<=[.!?])\**\)?\s+", _plain(text[: line.start()]))
            question = next((sentence for sentence in reversed(sentences) if sentence.endswith("?")), None)
        if not question:
            raise GradingError(f"a guess needs a question before {line[0]}")
        options = tuple(re.split(r", *", what)) if "," in what else ()
        words: dict[str, Any] = {"options": options} if options else {"unit": what} if what else {}
        words |= {"ranked": True} if order else {}
        question = re.sub(r"^\(?(Guess|Predict|Before you)[^:,]*[:,] *", "", question)
        arguments = [f"{lesson}-{before + len(calls) + 1}", question[:1].upper() + question[1:], answer]
        calls.append(f"ask({', '.join([*map(repr, arguments), *(f'{k}={v!r}' for k, v in words.items())])})")
    return calls


def _plain(text: str) -> str:
    """Return Markdown without emphasis, links and line breaks; formulas and code stay."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))
    return re.sub(r"(\*+)(\w[^*$]*)\1", r"\2", text)
