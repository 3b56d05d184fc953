"""Recall: five questions from earlier lessons at the start of each, answered by keys; what fades comes back.

The questions are in recall.txt. The build puts a folded cell that calls `recall` before a lesson's first section
(grading/asked.py). Answers are kept on the learner's computer. A question is due again when FSRS, from the package
`fsrs`, expects that it would be answered right nine times in ten at most. Without the package it is due the next day
after a wrong answer, and after each right one three times as many days later as before.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any

from minigrad_course.grading.exercises import course_or_here
from minigrad_course.grading.points_table import in_html
from minigrad_course.grading.progress import keep, kept, summary
from minigrad_course.guesses import beside, shell

FILE = "recall.jsonl"
AT_ONCE = 5
# How many lessons after its own a lesson's first question is asked, its second one, and so on, of somebody new.
LATER = (1, 2, 3, 5, 8)

Answers = list[tuple[datetime, bool]]  # of a question: times, and whether the answer was right


@dataclass(frozen=True)
class Question:
    """A question about a lesson ("05"), the right answer, wrong ones, and the reason in a sentence."""

    lesson: str
    number: int  # in its lesson, from 0 on
    text: str
    right: str
    wrong: tuple[str, ...]
    reason: str

    def choices(self) -> list[str]:
        """Return all answers, with the right one at a place that changes from question to question."""
        place = (int(self.lesson) + 3 * self.number) % (len(self.wrong) + 1)
        return [*self.wrong[:place], self.right, *self.wrong[place:]]


@cache
def questions(file: str = "recall.txt") -> tuple[Question, ...]:
    """Read recall.txt: for each question a line with its lesson, the right answer, wrong ones, and the reason."""
    table: list[Question] = []
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    form = re.compile(r"^(\d\d) (.+)\n\+ (.+)\n((?:- .+\n)+)= (.+)$", re.MULTILINE)
    for lesson, question, right, wrong, reason in form.findall(text):
        number = sum(other.lesson == lesson for other in table)
        choices = tuple(line.removeprefix("- ") for line in wrong.splitlines())
        table.append(Question(lesson, number, question, right, choices, reason))
    return tuple(table)


def due(answers: Answers) -> datetime:
    """Return the time at which a question should be asked again."""
    try:
        from fsrs import Card, Rating, Scheduler
    except ImportError:
        last_wrong = max((number for number, (_, right) in enumerate(answers, 1) if not right), default=0)
        return answers[-1][0] + timedelta(days=3 ** min(len(answers) - last_wrong, 6))
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)  # in days, the same each time
    card = Card(card_id=0)
    for when, right in answers:
        card, _ = scheduler.review_card(card, Rating.Good if right else Rating.Again, when)
    return card.due


def history() -> dict[str, Answers]:
    """Return the learner's answers to each question, by its text, the earliest first."""
    rows: dict[str, Answers] = {}
    for row in kept(course_or_here(), FILE):
        try:
            when = datetime.fromisoformat(row["when"]).replace(tzinfo=timezone.utc)
            rows.setdefault(str(row["question"]), []).append((when, row["right"] is True))
        except (ValueError, KeyError, TypeError):
            continue
    return {question: sorted(answers) for question, answers in rows.items()}


def choose(lesson: str, answered: dict[str, Answers], now: datetime) -> list[Question]:
    """Return the questions for the start of a lesson: what is due, then what was not asked yet, then the rest."""

    def turn(question: Question) -> tuple[bool, bool, int, int]:
        since = int(lesson) - int(question.lesson)
        planned = LATER[question.number]
        return planned != since, planned < since, question.number, since

    earlier = sorted((question for question in questions() if question.lesson < lesson), key=turn)
    new = [question for question in earlier if question.text not in answered]
    times = {question: due(answered[question.text]) for question in earlier if question.text in answered}
    asked = sorted(times, key=lambda question: times[question])
    faded = [question for question in asked if times[question] <= now]
    return [*faded, *new, *asked[len(faded) :]][:AT_ONCE]


def recall(lesson: str) -> None:
    """Ask five questions from the lessons before this one ("07"). In a notebook only: elsewhere nothing happens."""
    if shell() is not None:
        from IPython.display import display

        display(Round(choose(lesson, history(), _now())).widget)


def fading() -> str:
    """Describe in a sentence how many questions are due, by lesson; "" where none was ever answered."""
    answered = history()
    known = [question for question in questions() if question.text in answered]
    if not known:
        return ""
    lessons = Counter(question.lesson for question in known if due(answered[question.text]) <= _now())
    if not lessons:
        return f"Of {len(known)} questions that you have answered at the start of lessons, none is fading."
    parts = ", ".join(f"{count} of lesson {lesson}" for lesson, count in sorted(lessons.items()))
    total = sum(lessons.values())
    word = "question" if total == 1 else "questions"
    return f"Fading: {total} {word} ({parts}). Run the folded cell at the start of a later lesson to refresh them."


class Round:
    """Questions asked one by one, with a field that takes keys and a button for each answer."""

    KEYS, PLACEHOLDER = "1234", "1 to 4"

    def __init__(self, asked: list[Question]) -> None:
        import ipywidgets

        self.asked, self.at, self.right = asked, 0, 0
        self.past, self.question = ipywidgets.HTML(), ipywidgets.HTML()
        label: Any = {"description": "Your answer", "style": {"description_width": "initial"}}
        self.field = ipywidgets.Text(placeholder=self.PLACEHOLDER, layout={"width": "12em"}, **label)
        self.field.observe(lambda change: self._typed(change["new"]), "value")
        self.buttons = [ipywidgets.Button(description=key, layout={"width": "3em"}) for key in self.KEYS]
        for button in self.buttons:
            button.on_click(lambda pressed: self._typed(pressed.description))
        self.keys = ipywidgets.HBox([self.field, *self.buttons], layout={"flex_flow": "row wrap"})
        self.widget = ipywidgets.VBox([self.past, self.question, self.keys])
        self._show()

    def choices(self, question: Question) -> list[str]:
        """Return the answers to pick from, in the order of the keys."""
        return question.choices()

    def head(self, question: Question) -> str:
        """Say where we are, before a question."""
        return f"{self.at + 1} of {len(self.asked)}, from lesson {question.lesson}."

    def keep(self, question: Question, choice: str, right: bool) -> str:
        """Keep an answer. Returns what is shown of it, as HTML."""
        line = {"lesson": question.lesson, "question": question.text, "answer": choice, "right": right}
        keep(course_or_here(), FILE, line)
        verdict = "Right" if right else f"You said: {choice}. Right"
        words = f"{question.text}\n{verdict}: {question.right}. {question.reason}"
        return f'<div style="margin-bottom:.5em">{beside(in_html(words), right)}</div>'

    def end(self) -> str:
        """Return what is shown after the last question, as HTML."""
        return f"<b>{self.right} of {len(self.asked)} right.</b>"

    def _typed(self, text: str) -> None:
        """Take the last key that was pressed."""
        if not text:
            return
        self.field.value = ""
        choices = self.choices(self.asked[self.at]) if self.at < len(self.asked) else []
        if text[-1] in self.KEYS[: len(choices)]:
            self._take(choices[self.KEYS.index(text[-1])])

    def _take(self, choice: str) -> None:
        """Keep an answer, and show what is said of it and the next question."""
        question = self.asked[self.at]
        right = choice == question.right
        self.at, self.right = self.at + 1, self.right + right
        self.past.value += self.keep(question, choice, right)
        self._show()

    def _show(self) -> None:
        if self.at == len(self.asked):
            self.question.value = self.end()
            self.keys.layout.display = "none"
            return
        question, choices = self.asked[self.at], self.choices(self.asked[self.at])
        answers = zip(self.KEYS, choices, strict=False)
        lines = "".join(f'<li value="{key}">{in_html(choice)}</li>' for key, choice in answers)
        head = f"<b>{self.head(question)}</b>"
        self.question.value = f'{head} {in_html(question.text)}<ol style="margin:0">{lines}</ol>'
        for number, button in enumerate(self.buttons):
            button.layout.display = None if number < len(choices) else "none"
            button.tooltip = choices[number] if number < len(choices) else ""


def register(commands: argparse._SubParsersAction) -> None:
    """Add `progress` to the commands."""
    parser = commands.add_parser("progress", help="points over all exercises, what to do next, and what is fading")
    parser.set_defaults(run=run_progress)


def run_progress(arguments: argparse.Namespace) -> int:
    """Show the overview, and below it what fades."""
    print(summary().text(shutil.get_terminal_size((100, 24)).columns))
    if words := fading():
        print(f"\n  {words}")
    return 0


def _now() -> datetime:
    """Return the time on the learner's clock, as it is kept in the log, in the form that FSRS takes."""
    return datetime.now().replace(tzinfo=timezone.utc)
