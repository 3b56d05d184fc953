"""Puts a student's answers into a clean notebook, whatever has become of theirs.

Nothing of a submission is taken on trust: not its points, not its tests, not its metadata. What counts is the text of
its answers. An answer is found by the grade_id of its cell, else by the cell's id, else by the names that it defines,
else by how much it resembles what was handed out. Cells that a student added run as well, where they stood: a helper
function or an import may be in one. All the rest comes from the author's notebook.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from minigrad_class.downloads import MOST_BYTES, too_large
from minigrad_class.reach import modules, strange
from minigrad_course.grading.cells import GradingError, fingerprint, grade_id, kind, release
from minigrad_course.grading.clean import names_bound

MOST_CELLS = 1_000
MOST_SOURCE = 200_000  # characters of one cell
ALIKE = 0.6  # how much an unnamed cell must resemble an answer


@dataclass
class Repaired:
    """The cells to run, in order, each with kind, name and source; the essays; and remarks on what was mended."""

    cells: list[dict[str, str]]
    essays: dict[str, str]
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)  # those that a person should look at


@dataclass
class Cell:
    """A cell of a submission, reduced to what can be used of it."""

    kind: str  # "code", "markdown" or another
    source: str
    name: str  # its grade_id, as far as it is to be believed
    id: str


def read_cells(data: bytes) -> tuple[list[Cell], str]:
    """The cells of a notebook file, and the exercise that it says it is. Tolerates all but what is no notebook.

    Raises GradingError, in half a sentence, where there are no cells to be found.
    """
    if len(data) > MOST_BYTES:
        raise GradingError(too_large(len(data)))
    try:
        content = json.loads(_decoded(data))
    except RecursionError:
        raise GradingError("it is nested too deeply to be a notebook") from None
    except ValueError as error:
        raise GradingError(f"it is not a notebook, or a broken one ({str(error)[:100]})") from None
    if not isinstance(content, dict):
        raise GradingError("it is JSON, but not a notebook")
    cells_of_file = content.get("cells")
    if cells_of_file is None:  # notebooks from before 2015
        sheets = content.get("worksheets")
        cells_of_file = (
            sheets[0].get("cells") if isinstance(sheets, list) and sheets and isinstance(sheets[0], dict) else None
        )
    if not isinstance(cells_of_file, list):
        raise GradingError("it has no cells")
    cells = [_cell(cell) for cell in cells_of_file[:MOST_CELLS] if isinstance(cell, dict)]
    exercise_of_file = _dict(_dict(content.get("metadata")).get("minigrad")).get("exercise")
    return cells, exercise_of_file if isinstance(exercise_of_file, str) else ""


def _decoded(data: bytes) -> str:
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


def _cell(cell: dict) -> Cell:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    source = source if isinstance(source, str) else ""
    source = source[:MOST_SOURCE].encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    name = _dict(_dict(cell.get("metadata")).get("nbgrader")).get("grade_id")
    return Cell(str(cell.get("cell_type")), source, name if isinstance(name, str) else "", str(cell.get("id", "")))


def _dict(value: object) -> dict:
    return value if isinstance(value, dict) else {}


def belongs(cells: list[Cell], full: Any) -> int:
    """Count the exercise's named cells in a notebook."""
    names = {grade_id(cell) for cell in full["cells"] if kind(cell) != "plain"}
    return len({cell.name if cell.name in names else cell.id for cell in cells} & names)


def repair(cells: list[Cell], full: Any) -> Repaired:
    """The submission's answers in the author's notebook."""
    released = release(full)
    handed_out = {grade_id(cell) or cell["id"]: cell for cell in released["cells"]}
    repaired = Repaired([], {})
    answers, owner = _find(cells, handed_out, repaired)

    known = {fingerprint(cell["source"]) for cell in handed_out.values()}
    known |= {fingerprint(cell["source"]) for cell in full["cells"] if kind(cell) == "test"}
    added: dict[str, list[str]] = {}  # the name of a cell -> the code that was added after it
    last = ""
    for i, cell in enumerate(cells):
        if owner[i]:
            last = owner[i]
        elif cell.kind == "code" and cell.source.strip() and fingerprint(cell.source) not in known:
            added.setdefault(last, []).append(cell.source)

    handed = [cell["source"] for cell in full["cells"] if cell["cell_type"] == "code" and kind(cell) != "test"]
    own = [cell.source for cell in cells if cell.kind == "code" and fingerprint(cell.source) not in known]
    if odd := strange(own, modules(handed)):
        repaired.doubts.append(f"its answers use {', '.join(odd[:10])}, which none needs: read what they do")
    repaired.cells += [{"kind": "plain", "name": "", "source": source} for source in added.get("", [])]
    for cell in full["cells"]:
        name, what = grade_id(cell) or cell["id"], kind(cell)
        if what == "essay":
            repaired.essays[name] = "\n\n".join(answers.get(name, []))
        elif cell["cell_type"] == "code":
            sources = [cell["source"]]
            if what == "solution":
                sources = answers.get(name) or [handed_out[name]["source"]]
            elif what == "plain":
                sources = answers.get(name, sources)
            repaired.cells += [{"kind": what, "name": name, "source": source} for source in sources]
        repaired.cells += [{"kind": "plain", "name": "", "source": source} for source in added.get(name, [])]
    return repaired


def _find(cells: list[Cell], handed_out: dict[str, Any], repaired: Repaired) -> tuple[dict[str, list[str]], list[str]]:
    """Find the contents of each cell that was handed out, and match the student's cells to these."""
    notes, doubts = repaired.notes, repaired.doubts
    owner = [cell.name if cell.name in handed_out else cell.id if cell.id in handed_out else "" for cell in cells]
    answers: dict[str, list[str]] = {}
    for name, original in handed_out.items():
        what = kind(original)
        sources = [cell.source for cell, of in zip(cells, owner, strict=True) if of == name]
        if what in ("test", "given"):
            _note_locked(name, original, sources, notes)
            continue
        if what == "plain":
            answers[name] = sources if original["cell_type"] == "code" else []
            continue
        if not sources:
            i = _best_match(original, cells, owner, what)
            if i is None:
                notes.append(f"there is no cell `{name}`, where an answer goes")
                doubts.append(f"the answer `{name}` was not found")
                continue
            owner[i], sources = name, [cells[i].source]
            notes.append(f"the cell `{name}` had lost its name, and was found by what is in it")
        if any(cell.kind != original["cell_type"] for cell, of in zip(cells, owner, strict=True) if of == name):
            notes.append(f"the cell `{name}` had become a cell of another kind")
        written = [source for source in sources if fingerprint(source) != fingerprint(original["source"])]
        if len(sources) > 1:
            notes.append(
                f"the cell `{name}` is there {len(sources)} times: all that were written in ran, in their order"
            )
            if len(set(map(fingerprint, written))) > 1:
                doubts.append(f"there are {len(written)} different answers `{name}`; the last one counts")
        answers[name] = written or sources[:1]
    return answers, owner


def _note_locked(name: str, original: Any, sources: list[str], notes: list[str]) -> None:
    if not sources:
        notes.append(f"the locked cell `{name}` was missing, and ran as it was given")
    elif any(fingerprint(source) != fingerprint(original["source"]) for source in sources):
        notes.append(f"the locked cell `{name}` was edited, and ran as it was given")


def _best_match(original: Any, cells: list[Cell], owner: list[str], what: str) -> int | None:
    """The nameless cell that is most like an answer: it defines the same names, or is nearly the same text."""
    free = [i for i, cell in enumerate(cells) if not owner[i] and cell.source.strip()]
    if what == "solution":
        names = names_bound(original["source"])
        defining = [i for i in free if names and names <= names_bound(cells[i].source)]
        if defining:
            return defining[-1]
    free = [i for i in free if cells[i].kind == original["cell_type"]]
    like = {i: difflib.SequenceMatcher(None, original["source"], cells[i].source[:5000]).ratio() for i in free[:50]}
    best = max(like, key=like.__getitem__, default=None)
    return best if best is not None and like[best] > ALIKE else None


def identical(answers: dict[str, str]) -> list[list[str]]:
    """Students whose answers are the same, letter by letter: `answers` has a digest for each student."""
    counts = Counter(answers.values())
    return [sorted(s for s, d in answers.items() if d == digest) for digest, n in counts.items() if n > 1]
