"""For authors: runs an exercise with any answers, in this process, without a kernel: milliseconds instead of seconds.

The build asks it which line each wrong solution ends with (see sheet.py); the tests ask it whether the solution earns
everything, the empty exercise nothing, and each wrong solution loses what it says.
"""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minigrad.grading.cells import HIDDEN, GradingError, fingerprint, grade_id, kind, release
from minigrad.grading.outcome import Outcome
from minigrad.grading.sheet import Entry, Sheet, advice, symptom


@dataclass(frozen=True)
class Wrong:
    """A wrong solution: the answer it stands in for, the points it loses (of all tests), the hint for who wrote it."""

    name: str
    replaces: str
    loses: float
    hint: str
    source: str


def read_wrong(path: Path) -> Wrong:
    """Read wrong/<name>.py: comments `# replaces:`, `# loses:` and `# hint:` (which may go on), then the cell."""
    lines = path.read_text(encoding="utf-8").split("\n")
    said: dict[str, str] = {}
    key = ""
    while lines and lines[0].startswith("#"):
        line = lines.pop(0).removeprefix("#").strip()
        word, colon, rest = line.partition(":")
        if colon and word in ("replaces", "loses", "hint"):
            key, line = word, rest.strip()
        said[key] = f"{said.get(key, '')} {line}".strip()
    try:
        loses = float(said["loses"])
        return Wrong(path.stem, said["replaces"], loses, said["hint"], "\n".join(lines).strip("\n"))
    except (KeyError, ValueError) as error:
        raise GradingError(
            f"{path}: its first lines must say `# replaces:`, `# loses:` and `# hint:` ({error})"
        ) from None


def perform(notebook: Any, answers: Mapping[str, str] | None = None) -> dict[str, Outcome]:
    """Run a notebook's code cells in this process, with other answers in some solution cells; how each test ended."""
    answers = answers or {}
    namespace: dict[str, Any] = {"__name__": "__main__"}
    outcomes: dict[str, Outcome] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            name = grade_id(cell)
            outcome = _execute(answers.get(name, cell["source"]), f"<{name or 'cell'}>", namespace)
            if kind(cell) == "test":
                outcomes[name] = outcome
    return outcomes


def _execute(source: str, name: str, namespace: dict[str, Any]) -> Outcome:
    """Run a cell as a notebook would: the last line's value is the cell's value."""
    try:
        body = ast.parse(source, name)
        last = body.body[-1] if body.body else None
        if isinstance(last, ast.Expr):
            body.body.pop()
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(body, name, "exec", dont_inherit=True), namespace)
            if not isinstance(last, ast.Expr):
                return Outcome("ok")
            value = eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), namespace)
    except Exception as error:
        return Outcome("error", type(error).__name__, str(error))
    return Outcome("ok", value=None if value is None else repr(value))


def public_tests(full: Any) -> Any:
    """The full notebook with the public tests only: the answers stay."""
    notebook = release(full)
    answers = {grade_id(cell): cell["source"] for cell in full["cells"] if kind(cell) == "solution"}
    for cell in notebook["cells"]:
        cell["source"] = answers.get(grade_id(cell), cell["source"])
    return notebook


def make_sheet(exercise: str, full: Any, wrong: list[Wrong], public: bool) -> Sheet:
    """tests.json of an exercise: for the public tests, or for all.

    A wrong solution's hint is kept for the first test that it fails. What fails after that is a consequence, and
    would lead other mistakes, which end there by other ways, to the wrong hint.
    """
    notebook = public_tests(full) if public else full
    tests: dict[str, Entry] = {}
    for cell, full_cell in zip(notebook["cells"], full["cells"], strict=True):
        if kind(cell) == "test":
            source, points = cell["source"], cell["metadata"]["nbgrader"]["points"]
            tests[grade_id(cell)] = Entry(points, HIDDEN[0] in full_cell["source"], fingerprint(source), advice(source))
    released = [cell for cell in release(full)["cells"] if kind(cell) in ("solution", "essay")]
    _note_what_builds_on_what(tests, notebook, {grade_id(cell): cell["source"] for cell in released})
    hints: dict[tuple[str, str], set[str]] = {}
    for solution in wrong:
        outcomes = perform(notebook, {solution.replaces: solution.source})
        failed = next((name for name, outcome in outcomes.items() if outcome.status != "ok"), None)
        line = symptom(outcomes[failed]) if failed else None
        if failed and line:
            hints.setdefault((failed, line), set()).add(solution.hint)
    for (test, line), found in hints.items():
        if len(found) == 1:
            tests[test].hints[line] = found.pop()
    return Sheet(exercise, tests, {grade_id(cell): fingerprint(cell["source"]) for cell in released})


def _note_what_builds_on_what(tests: dict[str, Entry], notebook: Any, empty: dict[str, str]) -> None:
    """A test needs the answers without which it fails; it builds on earlier tests that need no others than it does."""
    needs: dict[str, set[str]] = {name: set() for name in tests}
    for answer, stub in empty.items():
        for name, outcome in perform(notebook, {answer: stub}).items():
            if outcome.status != "ok":
                needs[name].add(answer)
    names = list(tests)
    for i, name in enumerate(names):
        tests[name].builds_on = [earlier for earlier in names[:i] if needs[earlier] and needs[earlier] <= needs[name]]
