"""Does it teach? Twenty questions before lesson 01, and twenty after lesson 08, about the same concepts.

The questions are in concepts.txt: two for each concept, which ask the same of other numbers or functions. So the two
forms are equally hard as far as their making can see to it; nobody has measured it. The build puts a folded cell into
lessons 01 and 08 (grading/asked.py). Which answers are right is not said before the second form has been taken. Then
a page compares the two, concept by concept.

    minigrad concepts                        that page
    minigrad concepts --export mine.csv      its rows, without a name, to be handed on by hand
    minigrad concepts --compare *.csv        a class: how many learners, and their normalized gain

All answers stay on the learner's computer, in .minigrad/concepts.jsonl; the first answer to a question counts.
"""

from __future__ import annotations

import argparse
import csv
import html
import io
import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.exercises import course_or_here
from minigrad_course.grading.points_table import CELL, CROSS, TICK, in_html
from minigrad_course.grading.progress import keep, kept
from minigrad_course.grading.whole_files import write_whole
from minigrad_course.guesses import beside, shell
from minigrad_course.recall import Question, Round, questions

FILE, TEXT = "concepts.jsonl", "concepts.txt"
BEFORE, AFTER = "before", "after"
FORMS = (BEFORE, AFTER)
UNKNOWN = "I do not know yet"
COLUMNS = ["concept", *FORMS]


@dataclass(frozen=True)
class Concept:
    """Something to understand ("07"), the lesson that explains it, and its question in each form."""

    number: str
    name: str
    lesson: str
    questions: dict[str, Question]


@cache
def concepts() -> tuple[Concept, ...]:
    """Read concepts.txt."""
    text = Path(__file__).with_name(TEXT).read_text(encoding="utf-8")
    heads = re.findall(r"^# (\d\d) · (.+) \(lesson (\d\d)\)$", text, re.MULTILINE)
    asked = {(question.lesson, question.number): question for question in questions(TEXT)}
    return tuple(
        Concept(number, name, lesson, {form: asked[number, k] for k, form in enumerate(FORMS)})
        for number, name, lesson in heads
    )


def answers() -> dict[str, dict[str, bool]]:
    """Return for each form which concepts were answered, and whether that was right: the first answer counts."""
    rows: dict[str, dict[str, bool]] = {form: {} for form in FORMS}
    known = {concept.number for concept in concepts()}
    for row in kept(course_or_here(), FILE):
        form, concept = str(row.get("form")), str(row.get("concept"))
        if form in FORMS and concept in known:
            rows[form].setdefault(concept, row.get("right") is True)
    return rows


def twenty_questions(form: str) -> None:
    """Ask the questions of a form ("before" or "after") that were not answered yet. In a notebook only."""
    if shell() is not None:
        from IPython.display import display

        display(Questions(form).widget)


class Questions(Round):
    """The questions of a form, which says nothing of an answer but how many are left."""

    KEYS, PLACEHOLDER = "12340", "0 to 4"

    def __init__(self, form: str) -> None:
        self.form = form
        done = answers()[form]
        super().__init__([concept.questions[form] for concept in concepts() if concept.number not in done])

    def choices(self, question: Question) -> list[str]:
        return [*question.choices(), UNKNOWN]

    def head(self, question: Question) -> str:
        return f"{len(concepts()) - len(self.asked) + self.at + 1} of {len(concepts())}."

    def keep(self, question: Question, choice: str, right: bool) -> str:
        line = {"form": self.form, "concept": question.lesson, "answer": choice, "right": right}
        keep(course_or_here(), FILE, line)
        return ""

    def end(self) -> str:
        return page()._repr_html_()


class Page:
    """A learner's own page: each concept before and after, and what to read again."""

    def __init__(self, rows: dict[str, dict[str, bool]]) -> None:
        self.rows = rows

    def words(self) -> list[str]:
        """Return what can be said so far, a sentence each."""
        whole = [form for form in FORMS if len(self.rows[form]) == len(concepts())]
        if not whole:
            left = [f"{len(concepts()) - len(self.rows[form])} {form}" for form in FORMS if self.rows[form]]
            return [f"Questions that are left: {', '.join(left)}." if left else "No question was answered yet."]
        scores = [f"{sum(self.rows[form].values())} of {len(concepts())} right {form} the lessons" for form in whole]
        if AFTER not in whole:
            return [f"{scores[0]}. Which ones, you will see after the second form, at the end of lesson 08."]
        if BEFORE not in whole:
            return [f"{scores[0]}. The first form was not answered, so there is no gain to compute."]
        gain = normalized_gain(*(sum(self.rows[form].values()) / len(concepts()) for form in FORMS))
        share = "" if gain is None or gain < 0 else f" Of what was missing before, you gained {gain:.0%}."
        return [f"{scores[0]}, {scores[1]}.{share}", "(One learner and twenty questions: chance has its part in that.)"]

    def again(self) -> list[Concept]:
        """List the concepts that the second form found missing; none before it was answered."""
        last = self.rows[AFTER]
        return [c for c in concepts() if not last.get(c.number, True)] if len(last) == len(concepts()) else []

    def __repr__(self) -> str:
        lines = self.words()
        if len(self.rows[AFTER]) == len(concepts()):
            lines.append("")
            for concept in concepts():
                marks = "  ".join(f"{form} {self._mark(form, concept)}" for form in FORMS)
                lines.append(f"  {marks}  {concept.name}")
        for concept in self.again():
            lines += ["", f"  {concept.name} (lesson {concept.lesson})"]
            lines += [f"    {line}" for line in self._answer(concept)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f"<p>{html.escape(line)}</p>" for line in self.words()]
        if len(self.rows[AFTER]) == len(concepts()):
            rows = "".join(
                f"<tr><td {CELL}>{html.escape(concept.name)}</td>"
                + "".join(f"<td {CELL}>{self._mark(form, concept)}</td>" for form in FORMS)
                + "</tr>"
                for concept in concepts()
            )
            head = "".join(f"<th {CELL}>{name}</th>" for name in COLUMNS)
            parts.append(
                '<div style="overflow-x:auto"><table class="minigrad-concepts" '
                f'style="border-collapse:collapse;font-size:inherit"><tr>{head}</tr>{rows}</table></div>'
            )
        for concept in self.again():
            words = "\n".join([f"{concept.name} (lesson {concept.lesson})", *self._answer(concept)])
            parts.append(f'<div style="margin-top:.5em">{beside(in_html(words), False)}</div>')
        return "".join(parts)

    def _mark(self, form: str, concept: Concept) -> str:
        right = self.rows[form].get(concept.number)
        return "·" if right is None else TICK if right else CROSS

    @staticmethod
    def _answer(concept: Concept) -> list[str]:
        question = concept.questions[AFTER]
        return [question.text, f"Right: {question.right}. {question.reason}"]


def page() -> Page:
    """Compare what you answered before the lessons and after them. For the last line of a cell."""
    return Page(answers())


def normalized_gain(before: float, after: float) -> float | None:
    """Return Hake's gain: which share of what was missing before came in. None where nothing was missing."""
    return None if before == 1 else (after - before) / (1 - before)


def export(path: str | Path) -> Path:
    """Write a row for each concept, 1 for a right answer and 0 for another, without a name or a time.

    Raises GradingError where there is nothing to write.
    """
    rows = answers()
    if not any(rows.values()):
        raise GradingError("no question was answered yet: run the folded cell at the start of lesson 01 first")
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for concept in concepts():
        marks = [rows[form].get(concept.number) for form in FORMS]
        table.writerow([f"{concept.number} {concept.name}", *("" if mark is None else int(mark) for mark in marks)])
    try:
        write_whole(Path(path), text.getvalue())
    except OSError as error:
        raise GradingError(f"{path} cannot be written ({error.strerror}): name another place") from None
    return Path(path)


def compare(paths: Iterable[Path]) -> str:
    """Say what the exports of a class show: the number of learners, their means and gains, and each concept."""
    read = [_read(path) for path in paths]
    learners = [rows for rows in read if all(len(rows[form]) == len(concepts()) for form in FORMS)]
    n, left_out = len(learners), len(read) - len(learners)
    words = f"n = {n} learners who answered both forms"
    words += f"; {left_out} {'file was' if left_out == 1 else 'files were'} incomplete, and left out." * bool(left_out)
    if not n:
        return f"{words}\nNo gain without learners."
    means = [sum(sum(rows[form].values()) for rows in learners) / n for form in FORMS]
    of = len(concepts())
    lines = [words, f"right of {of}, on average: {means[0]:.1f} before, {means[1]:.1f} after (n = {n})"]
    gain = normalized_gain(*(mean / of for mean in means))
    if gain is None:
        lines.append(f"no gain can be computed: all was known before (n = {n})")
    else:
        lines.append(f"normalized gain of the class (Hake): g = {gain:.2f} (n = {n})")
        single = [normalized_gain(*(sum(rows[form].values()) / of for form in FORMS)) for rows in learners]
        sizes = sorted(size for size in single if size is not None)
        middle = statistics.median(sizes)
        lines.append(f"of single learners: {sizes[0]:.2f} to {sizes[-1]:.2f}, median {middle:.2f} (n = {len(sizes)})")
    for concept in concepts():
        before, after = (sum(rows[form][concept.number] for rows in learners) for form in FORMS)
        lines.append(f"  {before:3} -> {after:3}  {concept.number} {concept.name}")
    return "\n".join(lines)


def _read(path: Path) -> dict[str, dict[str, bool]]:
    """Read an export. Raises GradingError, naming the file, where it is none."""
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
        if [row[COLUMNS[0]] for row in rows] != [f"{concept.number} {concept.name}" for concept in concepts()]:
            raise ValueError
        return {form: {row[COLUMNS[0]][:2]: bool(int(row[form])) for row in rows if row[form]} for form in FORMS}
    except (OSError, ValueError, KeyError, csv.Error):
        raise GradingError(f"{path} is no file that `minigrad concepts --export` of this version has written") from None


def register(commands: argparse._SubParsersAction) -> None:
    """Add `concepts` to the commands."""
    parser = commands.add_parser("concepts", help="what you knew before the lessons, and what you know after them")
    parser.add_argument("--export", type=Path, metavar="FILE", help="write your rows, without a name, to hand on")
    parser.add_argument("--compare", type=Path, metavar="FILE", nargs="+", help="exports of a class: n and gain")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show the page, write an export, or compare exports."""
    if arguments.compare:
        print(compare(arguments.compare))
    elif arguments.export:
        print(f"wrote {export(arguments.export)}: {len(concepts())} rows, and no name")
    else:
        print(page())
    return 0
