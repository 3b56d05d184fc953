"""Derivations as shuffled lines, to put in order by clicks, or in words: `order(3, 1, 2)`.

The derivations are in parsons.txt. Each line says which lines must stand before it, so that every order in which the
derivation works is right; a line that does not belong says why not.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from minigrad_course.grading.points_table import in_html
from minigrad_course.guesses import beside

BLOCK = re.compile(r"^(\d\d) (.+)\n((?:[+-] .+\n)+)= (.+)$", re.MULTILINE)
LINE = re.compile(r"([+-]) (.+?)(?: <- ([\d ]+)| \| (.+))?$", re.MULTILINE)


def derivations() -> dict[str, list[str]]:
    """Read parsons.txt: for each lesson a question, the lines in a right order, and what is said at the end."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    return {lesson: rest for lesson, *rest in BLOCK.findall(text)}


class Derivation:
    """The derivation of a lesson ("05"), in shuffled lines; a call with their numbers checks an order."""

    def __init__(self, lesson: str) -> None:
        self.question, block, self.conclusion = derivations()[lesson]
        lines = LINE.findall(block)
        numbers = random.Random(lesson).sample(range(1, len(lines) + 1), len(lines))  # of the lines as they are shown
        self.lines = {number: line[1] for number, line in sorted(zip(numbers, lines, strict=True))}
        self.reasons = {number: line[3] for number, line in zip(numbers, lines, strict=True) if line[0] == "-"}
        self.needs: dict[int, set[int]] = {}  # of the lines that belong here, in a right order
        for number, (sign, _, before, _) in zip(numbers, lines, strict=True):
            if sign == "+":
                right = [*self.needs]
                places = {int(k) for k in before.split()}  # 0: it needs none
                self.needs[number] = {right[k - 1] for k in places if k} if places else set(right[-1:])

    def verdict(self, order: list[int]) -> tuple[bool, str]:
        """Tell whether an order is right, and say in a sentence up to where it is."""
        for place, number in enumerate(order):
            if number not in self.lines or number in order[:place]:
                problem = f"Each of the numbers 1 to {len(self.lines)} stands for a line, and stands once."
            elif number in self.reasons:
                problem = f"Line {number} does not belong here. {self.reasons[number]}"
            elif not self.needs[number] <= set(order[:place]):
                problem = f"Line {number} needs something that no line before it gives."
            else:
                continue
            return False, (f"The first {place} can stay. " if place > 1 else "") + problem
        missing = len(self.needs) - len(order)
        return not missing, f"In order so far. Still missing: {missing}." if missing else f"Right. {self.conclusion}"

    def __call__(self, *order: int) -> None:
        print(self.verdict(list(order))[1])

    def __repr__(self) -> str:
        return "\n".join([self.question, *(f"  {n}  {line.replace('`', '')}" for n, line in self.lines.items())])

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        lines = "".join(f"<li>{in_html(line)}</li>" for line in self.lines.values())
        page = f"{in_html(self.question)}<ol>{lines}</ol>"
        return {**self.widget._repr_mimebundle_(), "text/html": page, "text/plain": repr(self)}

    @property
    def widget(self) -> Any:
        """The lines, each with a button that moves it to the end of the answer, or back."""
        import ipywidgets

        picked: list[int] = []
        rows: dict[int, Any] = {}

        def moved(button: Any) -> None:
            number = int(button.description)
            (picked.remove if number in picked else picked.append)(number)
            answer.children = [rows[n] for n in picked]
            pool.children = [rows[n] for n in rows if n not in picked]
            result.value = ""

        def checked(_: object) -> None:
            right, sentence = self.verdict(picked)
            result.value = beside(in_html(sentence), right)

        result, check = ipywidgets.HTML(), ipywidgets.Button(description="Check")
        check.on_click(checked)
        for number, line in self.lines.items():
            button = ipywidgets.Button(description=str(number), tooltip=f"Move line {number}", layout={"width": "3em"})
            button.on_click(moved)
            rows[number] = ipywidgets.HBox([button, ipywidgets.HTML(in_html(line))])
        pool, answer = ipywidgets.VBox([*rows.values()]), ipywidgets.VBox()
        columns = [pool, ipywidgets.VBox([ipywidgets.HTML("<b>Your order</b>"), answer, check, result])]
        lines = ipywidgets.HBox(columns, layout={"flex_flow": "row wrap", "grid_gap": "2em"})
        return ipywidgets.VBox([ipywidgets.HTML(in_html(self.question)), lines])
