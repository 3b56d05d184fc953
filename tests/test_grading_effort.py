"""Minutes and difficulty of tasks: every task says both, by one rule, and nothing else says them."""

import json
from pathlib import Path

from minigrad_course.grading import effort
from minigrad_course.grading.cells import grade_id, kind
from minigrad_course.grading.exercises import all_exercises
from minigrad_course.grading.make_notebooks import read_exercise

ROOT = Path(__file__).parents[1]
TEXT = "# # Exercise 1 · One\n#\n# Words.\n"
ANSWER = """
# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "NAME"}
def f():
    ### BEGIN SOLUTION
    LINES
    ### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "grade_id": "test_NAME", "points": 1}
f()
"""


def cell(text):
    return "\n# %% [markdown]\n" + "".join(f"# {line}\n" for line in text.split("\n"))


def an_exercise(folder, *parts):
    path = folder / "01_one" / "exercise.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text("# %% [markdown]\n" + TEXT + "".join(parts), encoding="utf-8")
    return read_exercise(path)


def answer(name, *lines):
    return ANSWER.replace("NAME", name).replace("LINES", "\n    ".join(lines))


def test_minutes_come_of_words_difficulty_and_lines(tmp_path):
    notebook = an_exercise(
        tmp_path,
        cell("Before it.\n\n## Task 1 · Half (1 point, hard)\n\n" + "word " * 290),  # 300 words with the heading's
        answer("half", "x = 1", "# why", "", "return x"),  # two lines: 3 + 15 + 4
        cell("## Together (1 point)"),
        answer("all", *["pass"] * 30),
        cell("## Task 2 · Fill in (2 points, easy)"),
        answer("table", 'return {"A": 1, "B": -2, "C": 3.5, "D": 0}'),  # a table of four numbers: 0 + 2 + 8
        cell("More."),
        answer("more", 'return {"w": x, "u": y}'),  # one line, and no table: 2
    )
    assert effort.read(notebook) == [[["test_half"], 20, "hard"], [["test_table", "test_more"], 10, "easy"]]
    title, task, fill_in = (notebook.cells[k].source for k in (0, 1, 7))
    assert title == "# Exercise 1 · One\n\n" + effort.IN_ALL.format(30) + "\n\nWords."
    assert "## Task 1 · Half (1 point)\n\n*About 20 minutes · hard*\n\nword" in task
    assert fill_in == "## Task 2 · Fill in (2 points)\n\n*About 10 minutes · easy*"


def test_every_task_of_the_course_says_both():
    exercises = all_exercises(ROOT)
    assert len(exercises) == 17
    for exercise in exercises:
        for room in ("exercises", "solutions"):
            folder = ROOT / room / exercise.id
            notebook = json.loads((folder / f"{exercise.id}.ipynb").read_text(encoding="utf-8"))
            for c in notebook["cells"]:
                c["source"] = "".join(c["source"])
            tasks = effort.read(notebook)
            headings = sum(c["source"].count("## Task ") for c in notebook["cells"] if c["cell_type"] == "markdown")
            assert len(tasks) == headings
            assert all(tests for tests, _, _ in tasks)
            assert notebook["cells"][0]["source"].count(effort.IN_ALL.format(sum(m for _, m, _ in tasks))) == 1
            assert exercise.sheet().tasks == tasks
            tested = [grade_id(c) for c in notebook["cells"] if kind(c) == "test"]
            assert {t for tests, _, _ in tasks for t in tests} >= {t for t in tested if t != "test_together"}
