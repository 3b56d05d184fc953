"""Wrong answers that no hint was tuned on (held_out.py): none passes, most are named, few hints mislead."""

import functools
import re
from pathlib import Path

import pytest
from held_out import ANSWERS

from minigrad_course.grading import rehearse
from minigrad_course.grading.build import read_rehearsal
from minigrad_course.grading.cells import grade_id, kind
from minigrad_course.grading.rehearse import perform
from minigrad_course.grading.sheet import FILE, Sheet
from minigrad_course.grading.wrong import replaced, without_markers

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

ROOT = Path(__file__).parents[1]
KINDS = ("named", "general", "misleading", "passed")


@functools.cache
def sheet_of(exercise):
    return Sheet.load(ROOT / "solutions" / exercise / FILE).over(Sheet.load(ROOT / "exercises" / exercise / FILE))


def judged(exercise, monkeypatch):
    """Yield (kind, answer, new text, what its writer reads) for each wrong answer to an exercise."""
    monkeypatch.setattr(rehearse, "LIMIT", 5.0)
    full = read_rehearsal(ROOT / "sources" / "exercises" / exercise / "exercise.py").full
    answers = {grade_id(c): without_markers(c["source"]) for c in full["cells"] if kind(c) == "solution"}
    sheet = sheet_of(exercise)
    for answer, old, new, words in ANSWERS[exercise]:
        ended = perform(full, {answer: replaced(answers[answer], old, new)}, lambda _, o: o.status != "ok")
        failed = next((row for row in sheet.rows(ended) if not row.passed), None)
        if failed is None:
            yield "passed", answer, new, ""
            continue
        hint = failed.hint.removesuffix(sheet.tests[failed.test].advice).strip()
        if re.search(words, hint or failed.feedback.partition(" (as in")[0]):
            yield "named", answer, new, failed.feedback
        else:
            yield "misleading" if hint else "general", answer, new, f"{failed.feedback} | {hint}"


@pytest.mark.parametrize("exercise", ANSWERS)
def test_no_wrong_answer_passes_and_few_hints_mislead(exercise, monkeypatch):
    seen = list(judged(exercise, monkeypatch))
    count = {what: sum(one[0] == what for one in seen) for what in KINDS}
    print(f"\n{exercise}: {len(seen)} wrong answers, {count}")
    for one in seen:
        if one[0] != "named":
            print("   ", *one)
    assert len(seen) >= 10
    assert count["passed"] == 0
    assert count["misleading"] <= 2
    assert count["named"] >= 0.6 * len(seen)
