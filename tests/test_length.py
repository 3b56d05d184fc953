"""Lessons keep to their length, and say how long they take; a table of them all: python tests/test_length.py."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from minigrad_course.grading.make_notebooks import read_lesson

FOLDER = Path(__file__).resolve().parent.parent / "sources" / "lessons"
LESSONS = {path.stem: path for path in sorted(FOLDER.glob("[0-9]*.py"))}
FURTHER = "## Further"  # what stands below it is beside the road
MOST = {"words": 2_000, "cells": 55, "lines": 250, "brackets": 12, "guesses": 4}  # one of the guesses opens the lesson
WORDS, LINES, QUESTION = 130, 15, 0.7  # words and lines in a minute, minutes for a question
STOP = "place to stop"  # in a sentence of each lesson
PARTS = 15, 30  # minutes before it


@dataclass
class Road:
    words: int
    cells: int
    lines: int
    brackets: int
    guesses: int
    questions: int
    stated: int | None

    @property
    def minutes(self):
        return self.words / WORDS + self.lines / LINES + QUESTION * self.questions


def prose(text):
    """Words as they are read: without code, formulas, pictures, tags and the addresses of links."""
    text = re.sub(r"(?s)```.*?```|<svg.*?</svg>|<[^<>]+>|\$\$.*?\$\$|\$[^$]+\$|`[^`]+`", " ", text)
    return re.sub(r"\]\([^)]*\)", "]", text)


def road(path, until=FURTHER):
    """The road of a lesson, or as much of it as stands above the cell with these words."""
    cells = read_lesson(path).cells
    end = next((k for k, cell in enumerate(cells) if until in cell.source), len(cells))
    texts = [cell.source for cell in cells[:end] if cell.cell_type == "markdown"]
    code = [cell for cell in cells[:end] if cell.cell_type == "code"]
    seen = [cell for cell in code if not cell.metadata.get("jupyter", {}).get("source_hidden")]
    text = prose("\n\n".join(texts))
    stated = re.search(r"\*Time: about (\d+) minutes", text)
    return Road(
        words=len(re.findall(r"\w+(?:[-'’]\w+)*", text)),
        cells=end,
        lines=sum(bool(line.strip()) for cell in seen for line in cell.source.splitlines()),
        brackets=text.count("("),
        guesses=sum(cell.source.count("\nask(") for cell in code),
        questions=len(re.findall(r"\?", text)),
        stated=int(stated[1]) if stated else None,
    )


def test_what_counts_as_prose():
    text = prose("A *word*, [a link](x.ipynb#there), `f(x)` and $f(x)$ (so).\n\n$$a\n(b)$$\n\n<div>in it</div>")
    assert text.split() == ["A", "*word*,", "[a", "link],", "and", "(so).", "in", "it"]


def faults(path):
    """Yield all that is too long in a lesson, and times that are not as stated."""
    here, half = road(path), road(path, STOP)
    for what, most in MOST.items():
        if getattr(here, what) > most:
            yield f"{getattr(here, what)} {what}, and at most {most}"
    if here.stated is not None and abs(here.stated - here.minutes) > 0.15 * here.minutes:
        yield f"{here.stated} minutes stated, {here.minutes:.0f} counted"
    if here.minutes > PARTS[1] and not PARTS[0] <= half.minutes <= PARTS[1]:
        yield f"{half.minutes:.0f} minutes to a {STOP}"


@pytest.mark.parametrize("name", LESSONS)
def test_a_road_keeps_to_its_bounds(name):
    assert [*faults(LESSONS[name])] == []


if __name__ == "__main__":
    print("lesson  words  cells  lines  brackets  guesses  questions  minutes  stated  to the stop")
    for name, path in LESSONS.items():
        here = road(path)
        numbers = [*(getattr(here, what) for what in MOST), here.questions, here.minutes, here.stated or 0]
        widths = 6, 6, 6, 9, 8, 10, 8, 7
        print(
            f"{name[:6]:6}",
            *(f"{n:{w}.0f}" for n, w in zip(numbers, widths, strict=True)),
            f"{road(path, STOP).minutes:12.0f}",
        )
