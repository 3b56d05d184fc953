"""A hint is found in every process: Python prints a set in another order in each (PYTHONHASHSEED)."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad_course.grading import error_words
from minigrad_course.grading.sheet import Sheet

ROOT = Path(__file__).resolve().parents[1]


def symptoms_of(sheet):
    return [line for test in sheet.tests.values() for kept in (test.hints, test.slips) for line in kept]


def test_no_hints_line_depends_on_the_process():
    """Neither on the order in which it prints a set, nor on addresses in memory."""
    lines = {}
    for path in sorted(ROOT.glob("*/*/tests.json")):
        lines |= dict.fromkeys(symptoms_of(Sheet.load(path)), path)
    assert len(lines) > 1000
    depends = {line: lines[line] for line in lines if "\n".join(map(error_words.everywhere, line.split("\n"))) != line}
    assert depends == {}
    assert not [line for line in lines if re.search(r" at 0x\w|(?<![.\d])\d{14,}", line)]


SET = """
import json
from pathlib import Path
from minigrad_course.grading import make_notebooks
from minigrad_course.grading.sheet import symptom
r = make_notebooks.read_rehearsal(Path("sources/exercises/08_tape_to_program/exercise.py"))
answer = next(c["source"] for c in r.full["cells"] if c["id"] == "dead").replace("return kept[::-1]", "return needed")
outcome = r.outcomes({"dead": answer}, public=True)["test_dead"]
print(json.dumps([outcome.message, symptom(outcome)]))
"""


@pytest.mark.slow
@pytest.mark.turns
def test_an_answer_that_is_a_set_is_met():
    seen = {}
    for seed in range(2, 12):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "NUMBA_DISABLE_JIT": "1"}
        words = [sys.executable, "-c", "import sys; print({'x', 'y'})"]
        order = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout
        if order in seen:
            continue
        done = subprocess.run([sys.executable, "-c", SET], cwd=ROOT, env=environment, capture_output=True, text=True)
        seen[order] = json.loads(done.stdout)
        if len(seen) == 2:
            break
    (one, symptom_), (other, same) = seen.values()
    assert one != other, "what is shown is what Python prints"
    assert symptom_ == same
    sheet = Sheet.load(ROOT / "exercises" / "08_tape_to_program" / "tests.json")
    assert "when an intermediate result is returned" in sheet.tests["test_dead"].slips[same]


@pytest.mark.parametrize(
    ("line", "everywhere"),
    [
        ("got {'y', 'x'}, a set", "got {'x', 'y'}, a set"),
        ("got {'v10', 'v2', 'v1', 'v", "got {…"),
        ("got {'b', 'a…", "got {…"),
        ("KeyError: frozenset({3, 1})", "KeyError: frozenset({1, 3})"),
        ("got {'y': 1, 'x': 2}, a dict", "got {'y': 1, 'x': 2}, a dict"),
        ("got 'v1 = {a} * {b}'", "got 'v1 = {a} * {b}'"),
    ],
)
def test_a_set_is_printed_in_one_order(line, everywhere):
    assert error_words.everywhere(line) == everywhere
