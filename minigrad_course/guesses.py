"""Guesses: asked for before a cell, kept on the learner's computer, and shown beside the result when the cell has run.

    {guess: times | slow / fast}
    {guess: rising, falling | "rising" if slope > 0 else "falling"}
    {guess in order: a, b, c | sorted("abc", key=cost.get)}

Such a line at the end of a lesson's text, in its source, becomes a cell that calls `ask` with the question before it
(grading/asked.py): for a number with its unit, for one of a few, or for an order. What stands behind the bar computes
the answer among the learner's names, as soon as a later cell has defined them. To skip a guess, run on: nothing is
shown, and nothing is kept.
"""

from __future__ import annotations

import ast
import builtins
import html
import math
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from minigrad_course.grading.exercises import course_or_here
from minigrad_course.grading.progress import keep, kept

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
    from ipywidgets import Widget

FILE = "guesses.jsonl"
LABEL: dict[str, Any] = {"description": "Your guess", "style": {"description_width": "initial"}}  # of a field
CLOSE = 0.1  # a guess of a number is right if it is off by a tenth at most

_waiting: dict[str, Guess] = {}  # for their answers, by name


@dataclass
class Guess:
    """A question, an expression that computes its answer, and what the learner guesses: a text, or "" so far.

    unit: of a number, such as "times"; options: the texts to pick from instead of writing a number; ranked: the answer
    is a list, of all options in their order.
    """

    name: str
    question: str
    answer: str
    unit: str = ""
    options: tuple[str, ...] = ()
    ranked: bool = False
    text: str = ""
    asked_now: bool = True  # the cell that asks has not ended

    def outcome(self, answer: Any) -> Outcome:
        """Compare the guess with the answer."""
        if self.options:
            answer = ", ".join(map(str, answer)) if self.ranked else str(answer)
            off, verdict = (0.0, "Right.") if self.text == answer else (1.0, "")
        else:
            off, verdict = _compare(as_number(self.text) or 0.0, float(answer))
            answer = in_digits(float(answer))
        return Outcome(self.say(self.text), self.say(answer), off, verdict)

    def say(self, text: str) -> str:
        """Return a guess or an answer with its unit."""
        return f"{text} {self.unit}".strip() if self.unit != "%" else f"{text.removesuffix('%').strip()} %"


@dataclass(frozen=True)
class Outcome:
    """A guess beside the answer. off: 0 for a right one, and larger the farther it is from the answer."""

    guess: str
    answer: str
    off: float
    verdict: str

    def __repr__(self) -> str:
        return f"You guessed: {self.guess}. It is: {self.answer}. {self.verdict}".strip()

    def _repr_html_(self) -> str:
        return beside(html.escape(repr(self)), self.off == 0)


def beside(words: str, right: bool) -> str:
    """Return words of HTML with a line at their left, in one colour for what is right and another for what is not."""
    colour = "#2e7d4f" if right else "#b35c00"
    return f'<div class="minigrad-guess" style="border-left:3px solid {colour};padding-left:.6em">{words}</div>'


def ask(
    name: str, question: str, answer: str, *, unit: str = "", options: tuple[str, ...] = (), ranked: bool = False
) -> None:
    """Ask for a guess, and show it beside the value of `answer` once a later cell has defined its names.

    name: the lesson's number and the guess's, "07-2". In a notebook only: elsewhere nothing happens.
    """
    notebook = shell()
    if notebook is None:
        return
    guess = _waiting[name] = Guess(name, question, answer, unit, options, ranked)
    if _after_cell not in notebook.events.callbacks["post_run_cell"]:
        notebook.events.register("post_run_cell", _after_cell)
    from IPython.display import display

    display(_widget(guess, _kept().get(name, {}).get("guess", "")))


def surprises(lesson: str) -> Surprises | None:
    """List the guesses of a lesson ("07") that were wrong, the farthest first. None where nothing was guessed."""
    rows = [row for name, row in sorted(_kept().items()) if name.startswith(f"{lesson}-")]
    return Surprises(rows) if rows else None


class Surprises:
    """The guesses of a lesson that were wrong."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.of = len(rows)
        self.rows = sorted((row for row in rows if row["off"] > 0), key=lambda row: -row["off"])

    def __repr__(self) -> str:
        guesses = f"{self.of} guess{'es' if self.of != 1 else ''}"
        if not self.rows:
            return f"You made {guesses} in this lesson, and no result surprised you."
        return f"You made {guesses} in this lesson. {len(self.rows)} came out otherwise:" + "".join(
            f"\n- {row['question']} You guessed: {row['guess']}. It was: {row['answer']}." for row in self.rows
        )

    def _repr_markdown_(self) -> str:
        first, *rest = repr(self).split("\n")
        return "\n".join(["**What surprised you.** " + first, "", *rest])


def as_number(text: str) -> float | None:
    """Read a number as people write it: 20, 20x, 1/3, 1e-5, 10^-5, 1,000, 30 %."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)|[\s_%~≈×x]|times|about", "", text.lower()).replace("−", "-")
    if power := re.fullmatch(r"(?:([\d.]+)\*)?10(?:\^|\*\*)([+-]?\d+)", text):
        text = f"{power[1] or 1}e{power[2]}"
    try:
        return float(Fraction(text))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def in_digits(number: float) -> str:
    """Write a number with as many digits as a guess deserves."""
    if math.isfinite(number) and number == int(number) and abs(number) < 1e6:
        return f"{int(number):,}"
    return f"{number:,.0f}" if 100 <= abs(number) < 1e9 else f"{number:.3g}"


def _compare(guess: float, answer: float) -> tuple[float, str]:
    """Return how far a guess is from the answer, and a sentence about it."""
    if guess == answer:
        return 0.0, "Right."
    if abs(guess - answer) <= CLOSE * abs(answer):
        return 0.0, "Close."
    if not math.isfinite(answer) or guess * answer <= 0:  # no factor leads from one to the other
        return 100.0, ""
    factor = abs(guess / answer)
    times = max(factor, 1 / factor)
    if times < 2:
        size = f"{100 * abs(guess - answer) / abs(answer):.0f} %"
    else:
        size = (f"{times:.1f}".removesuffix(".0") if times < 10 else in_digits(times)) + " times"
    return math.log(times), f"Your guess was {size} too {'large' if factor > 1 else 'small'}."


def _after_cell(result: ExecutionResult | None) -> None:
    """Called by IPython after each cell: show the guesses whose answers can be computed now."""
    for name, guess in list(_waiting.items()):
        if guess.asked_now:
            guess.asked_now = False
        elif result is not None and result.success and _concerns(result.info.raw_cell, guess) and _is_answered(guess):
            del _waiting[name]


def _concerns(cell: str, guess: Guess) -> bool:
    """Tell whether a cell has a name of the answer in it: the learner's own cell in between is none that answers."""
    tree = ast.walk(ast.parse(guess.answer, mode="eval"))
    names = {node.id for node in tree if isinstance(node, ast.Name)} - vars(builtins).keys() - {"mg", "np"}
    return not names or not names.isdisjoint(re.findall(r"\w+", cell))


def _is_answered(guess: Guess) -> bool:
    """True if there was an answer, which is shown and kept where there was a guess."""
    from IPython.display import display

    try:
        answer = eval(guess.answer, shell().user_ns)
        outcome = guess.outcome(answer) if guess.text and answer is not None else None
        excuse = "There is no result to compare with: it is not counted here."
    except NameError:
        return False  # a later cell will define it
    except Exception:  # the learner's own variant of the cell, with other names and values
        outcome, excuse = None, "The cell was changed, so there is no result to compare with."
    if outcome is not None:
        line = {"name": guess.name, "question": guess.question, "guess": outcome.guess}
        keep(course_or_here(), FILE, {**line, "answer": outcome.answer, "off": outcome.off})
        display(outcome)
    elif guess.text:
        print(f"You guessed: {guess.say(guess.text)}. {excuse}")
    return True


def _widget(guess: Guess, before: str) -> object:
    import ipywidgets

    note = ipywidgets.HTML(f"Last time you guessed: {before}." if before else "")

    def take(text: str) -> None:
        if guess.name not in _waiting:
            note.value = "The result is there already: the next guess counts."
        elif guess.options or as_number(text) is not None:
            guess.text, note.value = text.strip(), "Kept. Run on: it will stand beside the result."
        else:
            guess.text, note.value = "", "Write a number, such as 20 or 1/3."

    if guess.ranked:
        field = _ranking(guess.options, take)
    elif guess.options:
        field = ipywidgets.ToggleButtons(options=guess.options, value=None, **LABEL)
        field.style.button_width = "auto"
    else:
        field = ipywidgets.Text(placeholder="a number", continuous_update=False, layout={"width": "16em"}, **LABEL)
    if not guess.ranked:
        field.observe(lambda change: take(change["new"]), "value")
    unit = [ipywidgets.HTML(guess.unit)] if guess.unit else []
    layout = ipywidgets.Layout(flex_flow="row wrap", align_items="center", grid_gap="0.5em")
    return ipywidgets.HBox([field, *unit, note], layout=layout)


def _ranking(options: tuple[str, ...], take: Callable[[str], None]) -> Widget:
    """Make buttons that are clicked one after the other; a second click takes one back, and all after it."""
    import ipywidgets

    buttons = [ipywidgets.Button(description=text, layout={"width": "auto"}) for text in options]
    order: list[int] = []

    def clicked(button: object) -> None:
        k = buttons.index(button)
        order[:] = order[: order.index(k)] if k in order else [*order, k]
        for j, other in enumerate(buttons):
            other.description = f"{order.index(j) + 1}. {options[j]}" if j in order else options[j]
        if len(order) == len(buttons):
            take(", ".join(options[j] for j in order))

    for button in buttons:
        button.on_click(clicked)
    label = ipywidgets.HTML(f"{LABEL['description']}, in order")
    return ipywidgets.HBox([label, *buttons], layout={"flex_flow": "row wrap"})


def _kept() -> dict[str, dict[str, Any]]:
    """Return the latest guess of each name; a line that cannot be read is passed over."""
    rows: dict[str, dict[str, Any]] = {}
    for row in kept(course_or_here(), FILE):
        try:
            row["off"] = float(row["off"])
            rows[str(row["name"])] = {key: row[key] for key in ("question", "guess", "answer", "off")}
        except (ValueError, KeyError, TypeError):
            continue
    return rows


def shell() -> InteractiveShell:
    """Return IPython's shell; None outside of a notebook."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
