"""docs/teaching.md: its plans and its table agree with the course, and what its answers say is computed."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.grading import effort, make_notebooks

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
EXERCISES = {path.parent.name[:2]: path for path in sorted((ROOT / "sources" / "exercises").glob("*/exercise.py"))}
LESSONS = {path.name[:2]: path for path in sorted((ROOT / "sources" / "lessons").glob("[0-9][0-9]_*.py"))}


def plan(heading):
    """Return the lessons and the exercises of a plan, week by week."""
    section = PAGE.split(f"### {heading}")[1].split("\n#")[0]
    rows = [line.split("|")[2:4] for line in section.splitlines() if re.match(r"\| \d", line)]
    return [[cell.strip().split(", ") for cell in row] for row in rows]


@pytest.mark.parametrize(("heading", "weeks"), [("Four weeks", 4), ("Eight weeks", 8), ("Twelve weeks", 12)])
def test_a_plan_keeps_the_order(heading, weeks):
    rows = plan(heading)
    assert len(rows) == weeks
    lessons, exercises = ([one for row in rows for one in row[k]] for k in (0, 1))
    assert lessons == sorted(set(lessons) & set(LESSONS))
    assert exercises == sorted(set(exercises) & set(EXERCISES))
    for taken, asked in rows:
        assert set(asked) <= set(taken)
    if weeks == 12:
        assert (lessons, exercises) == (list(LESSONS), list(EXERCISES))


def test_the_table_has_every_exercise():
    section = PAGE.split("## What the exercises ask for")[1].split("\n#")[0]
    rows = [
        [cell.strip() for cell in line.split("|")[1:5]] for line in section.splitlines() if re.match(r"\| \d", line)
    ]
    expected, sums = [], []
    for number, path in EXERCISES.items():
        text = path.read_text(encoding="utf-8")
        title = re.search(r"^# # Exercise \d+ · (.*)", text, re.MULTILINE)[1]
        tasks = re.findall(r"^# ## Task \d+ · (.*) \(\d+ points?, (\w+)\)", text, re.MULTILINE)
        points = sum(map(int, re.findall(r'"points": (\d+)', text)))
        sums.append(sum(minutes for _, minutes, _ in effort.read(make_notebooks.read_exercise(path))))
        face = {"easy": "*{}*", "medium": "{}", "hard": "**{}**"}
        names = "; ".join(face[level].format(task) for task, level in tasks)
        expected.append([f"{number} · {title}", str(points), str(sums[-1]), names])
    assert rows == expected
    hours = f"{sum(sums) / 60:.0f}"
    assert f"from {min(sums)} to {max(sums)} minutes then, and all seventeen take {hours} hours." in section
    first, last = effort.TO_FIND["easy"], effort.TO_FIND["hard"]
    assert f"{first}, {effort.TO_FIND['medium']} or {last} minutes, by difficulty" in section
    assert f"and {effort.TO_WRITE} minutes for each line" in section
    assert f"read twice at {2 * effort.WORDS} words" in section
    assert f"rounded to {effort.STEP} minutes" in section


def test_two_minutes_tell_the_estimated_hours():
    lessons = "".join(path.read_text(encoding="utf-8") for path in LESSONS.values())
    hours = sum(map(int, re.findall(r"Time: about (\d+) minutes", lessons))) / 60
    exercises = re.search(r"all seventeen take (\d+) hours", PAGE)[1]
    page = (ROOT / "docs" / "two_minutes.md").read_text(encoding="utf-8")
    assert f"lessons 00 to 17 take some {hours:.0f} hours and the seventeen exercises some {exercises}" in page


def test_what_the_answers_of_an_exam_say():
    codes = re.findall(r"^<!-- computed\n(.*?)\n-->", PAGE, re.DOTALL | re.MULTILINE)
    assert len(codes) == PAGE.count("*Answer.*") > 20
    for code in codes:
        assert "assert" in code
        close = lambda got, want: math.isclose(float(got), want, rel_tol=1e-12)  # noqa: E731
        exec(code, {"mg": mg, "np": np, "math": math, "close": close})
