"""The results: a page of feedback for each student, a table of grades, and a list of cases that need a person.

A page is made of what strangers wrote: all of it is text, cut where it is long, and escaped.
"""

from __future__ import annotations

import html

from minigrad_class.assignment import Assignment
from minigrad_class.csv_tables import safe
from minigrad_class.marks import Mark
from minigrad_class.roster import called
from minigrad_course.grading import points_table as show
from minigrad_course.grading.outcome import Row

MOST_SHOWN = 5_000  # characters of one answer, of a page that somebody reads
MOST_NOTES = 20

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3em .8em; border-bottom: 1px solid rgba(128,128,128,.4); }
.points { text-align: right; white-space: nowrap; }
pre { overflow-x: auto; padding: .8em; border: 1px solid rgba(128,128,128,.4); border-radius: 4px; font-size: 14px; }
"""


def feedback(title: str, mark: Mark) -> str:
    """One student's page: points, what went wrong and where, hints, and the answers that were graded."""
    title = html.escape(title)
    rows = "".join(map(_row, mark.rows))
    total = "not graded yet" if mark.points is None else f"{mark.points:g}"
    notes = "".join(f"<li>{html.escape(note[:500])}</li>" for note in mark.notes[:MOST_NOTES])
    answers = "".join(
        f'<h3>{html.escape(name)}</h3><pre tabindex="0">{html.escape(_cut(source))}</pre>'
        for name, source in mark.answers.items()
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body><main><h1>{title}</h1><p>{html.escape(_who(mark))}</p>"
        f"{_moment(mark)}"
        f'<table><tr><th>test</th><th class="points">points</th><th>remarks</th></tr>{rows}'
        f'<tr><th>total</th><td class="points"><b>{total}</b> / {mark.of:g}</td><td></td></tr></table>'
        + (f"<h2>Notes</h2><ul>{notes}</ul>" if notes else "")
        + (f"<h2>Your answers</h2>{answers}" if answers else "")
        + "</main></body></html>\n"
    )


def _moment(mark: Mark) -> str:
    if not mark.time:
        return ""
    late = f", {mark.late} late" if mark.late else ""
    return f"<p>Handed in {html.escape(mark.time.replace('T', ' '))}{html.escape(late)}</p>"


def _row(row: Row) -> str:
    details = [html.escape(row.feedback[:500])] if row.feedback else []
    if row.hint:
        details.append(f"<b>Hint:</b> {html.escape(row.hint)}")
    points = "not graded" if row.points is None else f"{row.points:g}"
    return (
        f"<tr><td>{show.coloured(row)}&nbsp;{html.escape(row.test)}</td>"
        f'<td class="points">{points} / {row.of:g}</td><td>{"<br>".join(details)}</td></tr>'
    )


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}\n[... {len(text) - MOST_SHOWN:,} characters more]"


def grades(assignment: Assignment, marks: list[Mark]) -> list[list[str]]:
    """The table of grades, its header first. What is not graded is empty, and its status says why; it is never 0."""
    names = [*assignment.sheet.tests]
    rows = [["student", "exercise", "status", "points", "of", *names, "name", "handed in", "late", "remarks"]]
    for mark in marks:
        points = {row.test: row.points for row in mark.rows}
        cells = ["" if points.get(name) is None else f"{points[name]:g}" for name in names]
        total = "" if mark.points is None else f"{mark.points:g}"
        remarks = safe("; ".join(mark.doubts))
        about = [safe(mark.name), mark.time, mark.late]
        rows.append([safe(mark.student), assignment.id, mark.status, total, f"{mark.of:g}", *cells, *about, remarks])
    return rows


def needs_a_person(assignment: Assignment, marks: list[Mark], heap: list[str]) -> str:
    """List the cases that need a person, most urgent first; `heap`: those that collecting left open."""
    groups = {
        "Files that were not taken": heap,
        "Ungraded": [_line(mark) for mark in marks if mark.status == "ungraded"],
        "Graded, but have a look": [_line(mark) for mark in marks if mark.status == "graded" and mark.doubts],
        "Late": [f"{_who(mark)}: {mark.late} ({mark.time})" for mark in marks if mark.late],
        "Nothing handed in": [_who(mark) for mark in marks if mark.status == "missing"],
    }
    lines = [f"{assignment.id}: what needs a person", ""]
    for heading, entries in groups.items():
        if entries:
            lines += [f"{heading} ({len(entries)})", *(f"  {safe(entry)}" for entry in entries), ""]
    return "\n".join(lines if len(lines) > 2 else [*lines, "Nothing."]) + "\n"


def _line(mark: Mark) -> str:
    open_rows = ", ".join(row.test for row in mark.rows if row.points is None)
    reasons = "; ".join(mark.doubts) or open_rows
    return f"{_who(mark)}: {reasons}"


def _who(mark: Mark) -> str:
    return called(mark.student, {mark.student: mark.name} if mark.name else {})


def summary(marks: list[Mark]) -> str:
    """One line for the shell."""
    counts = {status: sum(mark.status == status for mark in marks) for status in ("graded", "ungraded", "missing")}
    counted = ", ".join(f"{n} {status}" for status, n in counts.items() if n)
    points = [mark.points for mark in marks if mark.points is not None]
    mean = f"; mean {sum(points) / len(points):.2f} of {marks[0].of:g}" if points else ""
    return f"{counted or 'no submissions'}{mean}"
