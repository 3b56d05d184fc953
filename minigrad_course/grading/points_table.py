"""The points table of one exercise, as text for the shell and as HTML for the notebook.

The HTML takes its colours from the page around it, so that it reads on light and on dark; a cross or a tick, never
colour alone, says how a test went.
"""

from __future__ import annotations

import html
import re
import sys
import textwrap
from dataclasses import dataclass, field

from minigrad.guards.capabilities import IN_A_BROWSER
from minigrad.guards.installation import command
from minigrad_course.grading.outcome import Row, in_points

TICK, CROSS, OPEN = "✓", "✗", "·"


@dataclass
class Report:
    """The result of one exercise: a row for each test, and remarks."""

    exercise: str
    rows: list[Row]
    full: bool = False  # whether hidden tests ran
    hidden: bool = True  # whether there are any
    at_hand: bool = True  # whether they are here, and not with an instructor
    notes: list[str] = field(default_factory=list)

    @property
    def points(self) -> float:
        return sum(row.points or 0.0 for row in self.rows)

    @property
    def of(self) -> float:
        return sum(row.of for row in self.rows)

    @property
    def passed(self) -> bool:
        """True if every test ran, and earned all of its points."""
        return all(row.passed for row in self.rows)

    def verdict(self) -> str:
        """Say in a sentence what is next, and claim no more than was checked."""
        if not self.passed:
            next_test = next(row.test for row in self.rows if not row.passed)
            return f"Next: {next_test}."
        if self.full:
            return "All tests passed, the hidden ones included." if self.hidden else "All tests passed."
        if not self.hidden:
            return "All tests passed; this exercise has no hidden ones."
        if sys.platform in IN_A_BROWSER:
            return "Public checks passed; the hidden tests run where the course is installed, on the notebook you save."
        if not self.at_hand:
            return "Public checks passed; the hidden tests are your instructor's, and run on what you hand in."
        return f"Public checks passed; hidden tests have not run: {command('grade', '--full', short(self.exercise))}"

    def __repr__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def title(report: Report) -> str:
    """Name the exercise, and the tests that ran."""
    return f"{report.exercise} · {'all tests' if report.full or not report.hidden else 'public checks'}"


def short(exercise: str) -> str:
    """Return the number of an exercise: 05 for 05_computational_graph."""
    return exercise.split("_")[0]


def text(report: Report, width: int = 100) -> str:
    """Format the table as plain text, `width` columns wide."""
    name_width = max([len(row.test) for row in report.rows] + [len("total")])
    lines = [title(report), ""]
    for row in report.rows:
        line = f"  {mark(row)} {row.test:{name_width}}  {earned(row):>4} / {row.of:<4g}"
        if row.hint or len(line) + 2 + len(row.feedback) > width:
            lines.append(line.rstrip())
            for remark in (row.feedback, f"Hint: {row.hint}" if row.hint else ""):
                lines += textwrap.wrap(remark, width, initial_indent=" " * 6, subsequent_indent=" " * 6)
        else:
            lines.append(f"{line}  {row.feedback}".rstrip())
    lines.append(f"    {'total':{name_width}}  {report.points:>4g} / {report.of:g}")
    for remark in (*(f"Note: {note}." for note in report.notes), report.verdict()):
        lines += [
            "",
            *textwrap.wrap(remark, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False),
        ]
    return "\n".join(lines)


def in_html(text: str) -> str:
    """Return lines of text as HTML, with `code` in it."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False)).replace("\n", "<br>")


def as_html(report: Report) -> str:
    """Format the table as HTML."""
    rows = "".join(
        f"<tr><td {CELL}>{coloured(row)} {html.escape(row.test)}</td>"
        f"<td {NUMBER}>{earned(row)} / {row.of:g}</td>"
        f"<td {CELL}>{in_html(row.feedback)}{_hint(row)}</td></tr>"
        for row in report.rows
    )
    notes = "".join(f"<br>Note: {in_html(note)}." for note in report.notes)
    return (
        '<div style="overflow-x:auto"><table class="minigrad-points" '
        'style="border-collapse:collapse;font-size:inherit">'
        f"<tr><th {CELL}>{html.escape(title(report))}</th><th {NUMBER}>points</th><td {CELL}></td></tr>{rows}"
        f"<tr><th {CELL}>total</th><th {NUMBER}>{report.points:g} / {report.of:g}</th>"
        f"<td {CELL}>{in_html(report.verdict())}{notes}</td></tr></table></div>"
    )


def line_text(row: Row, report: Report, note: str) -> str:
    """Format the line under a test cell: its points, the sum so far, and the hint."""
    hint = f"\n  Hint: {row.hint}" if row.hint else ""
    sum_ = f"{report.points:g} of {report.of:g} in all"
    below = hint + (f"\n  Note: {note}." if note else "")
    return f"{mark(row)} {row.test}: {earned(row)} of {in_points(row.of)} ({sum_}){below}"


def line_html(row: Row, report: Report, note: str) -> str:
    """Format the same line as HTML."""
    head = f"{coloured(row)} <b>{html.escape(row.test)}</b>: {earned(row)} of {in_points(row.of)}"
    total = f'<span style="opacity:.7">({report.points:g} of {report.of:g} in all)</span>'
    below = _hint(row) + (f"<br>Note: {in_html(note)}." if note else "")
    return f'<div class="minigrad-line">{head} {total}{below}</div>'


def earned(row: Row) -> str:
    """Format the points of a row; a dash if nothing ran."""
    return "–" if row.points is None else f"{row.points:g}"


def mark(row: Row) -> str:
    """Return a tick, a cross, or a dot if nothing ran."""
    return OPEN if row.points is None else TICK if row.passed else CROSS


def coloured(row: Row) -> str:
    """Colour the mark blue or orange, which colour-blind eyes keep apart, mixed with the page's ink to be legible."""
    colour = "#2f86c5" if row.passed else "#d0661b"
    style = "" if row.points is None else f"color:color-mix(in srgb, currentColor, {colour});"
    return f'<span style="{style}font-weight:bold">{mark(row)}</span>'


def _hint(row: Row) -> str:
    return f"<br><b>Hint:</b> {in_html(row.hint)}" if row.hint else ""


_LINE = (
    "border-bottom:1px solid rgba(128,128,128,.4);padding:.25em min(.8em,1.5vw);background:transparent;"
    "vertical-align:top"
)
CELL = f'style="text-align:left;{_LINE}"'
NUMBER = f'style="text-align:right;white-space:nowrap;{_LINE}"'
