"""The form of an exercise: which cell is what, and what is taken out before a learner sees it.

The markers and the metadata are nbgrader's (schema version 3), so that the same notebooks can be graded by nbgrader:
a *solution* cell holds what the learner writes, a *test* cell is locked and carries points, a *given* cell is
locked and carries none. The few lines that take solutions and hidden tests out do what nbgrader's generator does,
without it.
"""

from __future__ import annotations

import copy
import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


Notebook = dict[str, Any]
CODE_STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
TEXT_STUB = "YOUR ANSWER HERE"
SOLUTION = ("### BEGIN SOLUTION", "### END SOLUTION")
HIDDEN = ("### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS")


class GradingError(Exception):
    """An exercise that cannot be graded, or a request for one that is not there; the text is one sentence about it."""


def parse(data: str | bytes) -> Notebook:
    """Return the notebook in a file's content, the source of each cell in one piece. Raises ValueError for none."""
    try:
        notebook = json.loads(data)
        if notebook.get("nbformat", 4) > 4:
            raise ValueError(f"a notebook of format {notebook['nbformat']}, which is newer than 4")
        for cell in notebook["cells"]:
            cell["source"] = "".join(cell["source"])
            if not isinstance(cell["cell_type"], str) or not isinstance(cell["metadata"], dict):
                raise TypeError
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{type(error).__name__} in what should be a notebook") from None
    return notebook


def mark(cell: Mapping[str, Any]) -> dict:
    """Return a cell's nbgrader metadata; empty for an ordinary cell."""
    metadata = cell.get("metadata", {}).get("nbgrader")
    return metadata if isinstance(metadata, dict) else {}


def grade_id(cell: Mapping[str, Any]) -> str:
    """Return a cell's name, nbgrader's grade_id; empty for an ordinary cell."""
    name = mark(cell).get("grade_id", "")
    return name if isinstance(name, str) else ""


def kind(cell: Mapping[str, Any]) -> str:
    """Classify a cell: "solution", "test", "essay" (graded by a person), "given" (locked, no points) or "plain"."""
    m = mark(cell)
    if m.get("solution"):
        return "essay" if m.get("grade") else "solution"
    if m.get("grade"):
        return "test"
    return "given" if m.get("locked") else "plain"


def strip_solution(source: str, stub: str = CODE_STUB) -> str:
    """Replace the solution regions of a source by `stub`, indented alike; without a region, all of it."""
    if SOLUTION[0] not in source:
        return stub
    return _without_region(source, SOLUTION, stub)


def strip_hidden(source: str) -> str:
    """Remove the hidden tests from a source."""
    return _without_region(source, HIDDEN, "")


def hidden_lines(source: str) -> set[int]:
    """Return the numbers of the lines, counted from 1, that are hidden tests."""
    inside, lines = False, set()
    for number, line in enumerate(source.split("\n"), start=1):
        if line.strip() in HIDDEN:
            inside = line.strip() == HIDDEN[0]
        elif inside:
            lines.add(number)
    return lines


def _without_region(source: str, markers: tuple[str, str], stub: str) -> str:
    begin, end = markers
    kept, inside = [], False
    for line in source.split("\n"):
        if line.strip() == begin:
            if inside:
                raise GradingError(f"`{begin}` stands twice before `{end}`")
            inside = True
            indent = line[: line.index(begin)]
            kept += [indent + stub_line for stub_line in stub.split("\n")] if stub else []
        elif line.strip() == end:
            if not inside:
                raise GradingError(f"`{end}` stands without `{begin}` before it")
            inside = False
        elif not inside:
            kept.append(line)
    if inside:
        raise GradingError(f"`{begin}` has no `{end}`")
    return "\n".join(kept).rstrip("\n")


def release(notebook: Notebook) -> Notebook:
    """Copy a full notebook as a learner gets it: without solutions and hidden tests, its locked cells read-only."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        role = kind(cell)
        if role in ("solution", "essay"):
            cell["source"] = strip_solution(cell["source"], CODE_STUB if cell["cell_type"] == "code" else TEXT_STUB)
            cell["metadata"]["deletable"] = False
        elif role in ("test", "given"):
            cell["source"] = strip_hidden(cell["source"])
            cell["metadata"].update(deletable=False, editable=False)
    return notebook


def authors_cells(notebook: Notebook) -> list[tuple[str, str, str]]:
    """List (kind, name, source) of the code cells of an author's notebook."""
    return [(kind(c), grade_id(c), c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]


def fingerprint(source: str) -> str:
    """Hash a cell's source, ignoring spaces at the ends of its lines."""
    text = "\n".join(line.rstrip() for line in source.strip().splitlines())
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def assemble(learner: Mapping[str, Any], trusted: Mapping[str, Any]) -> tuple[list[Any], list[str]]:
    """Assemble the cells to run: the learner's own, with every locked cell restored. Also returns notes on the repairs.

    The learner's cells keep their order, added cells included. A locked cell is found by its grade_id, else by its
    cell id, else by its text; its source comes from `trusted`, a second copy is dropped, and one that is missing comes
    back in its place.
    """
    locked = {grade_id(cell): cell for cell in trusted["cells"] if kind(cell) in ("test", "given")}
    solutions = {grade_id(cell) for cell in trusted["cells"] if kind(cell) == "solution"}
    texts = {print_: name for name, cell in locked.items() for print_ in _fingerprints(cell["source"])}
    result: list[Any] = []
    names: list[str] = []  # the trusted name of each cell in result; empty for the learner's own
    notes: list[str] = []
    for cell in learner["cells"]:
        if cell["cell_type"] != "code":
            continue
        known = [name for name in (grade_id(cell), cell.get("id", "")) if name in locked.keys() | solutions]
        name = known[0] if known else texts.get(fingerprint(cell["source"]), "")
        if name in locked:
            if name in names:
                notes.append(f"the cell `{name}` is there twice: the first one counts")
                continue
            if fingerprint(cell["source"]) not in _fingerprints(locked[name]["source"]):
                notes.append(f"the cell `{name}` was edited: it ran as it was given")
            cell = locked[name]
        result.append(cell)
        names.append(name if name in locked or name in solutions else "")
    for before, cell in _with_predecessors(trusted):
        name = grade_id(cell)
        if name in names:
            continue
        if kind(cell) == "solution":
            notes.append(f"the cell `{name}`, where your answer goes, is missing, or has lost its name")
            continue
        notes.append(f"the cell `{name}` was missing: it ran as it was given")
        if kind(cell) == "test" and not solutions & before <= set(names):
            before = set()  # a cell without a name may hold the answer: the test comes last
        earlier = [i for i, other in enumerate(names) if other in before]
        at = earlier[-1] + 1 if earlier else (0 if kind(cell) == "given" else len(result))
        result.insert(at, cell)
        names.insert(at, name)
    return result, notes


def _fingerprints(source: str) -> set[str]:
    return {fingerprint(source), fingerprint(strip_hidden(source))}


def _with_predecessors(trusted: Mapping[str, Any]) -> list[tuple[set[str], Any]]:
    """Pair each named code cell with the names of all cells before it."""
    named = [cell for cell in trusted["cells"] if kind(cell) in ("solution", "test", "given")]
    return [({grade_id(earlier) for earlier in named[:i]}, cell) for i, cell in enumerate(named)]
