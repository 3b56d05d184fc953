"""For authors: makes what learners open from what they write. `python -m minigrad_course.grading.make_notebooks`

    sources/lessons/<name>.py               -> notebooks/<name>.ipynb
    sources/exercises/<id>/exercise.py      -> solutions/<id>/<id>.ipynb   everything
                                            -> exercises/<id>/<id>.ipynb   solutions and hidden tests taken out
    sources/exercises/<id>/wrong.py         -> tests.json beside it: points, and hints by symptom
    sources/project/                        -> project/, solutions/project/ (see project/engine_states.py)

Sources are in jupytext's percent format; what stands above the first `# %%` is for authors only, and a line
`# %%measure` (or another magic of IPython) loses its `# `. In a lesson `{first run}` becomes its measured seconds, and
a line `{guess: ...}` the cell that asks for it (minigrad_course/guesses.py). The same sources give the same bytes: no
outputs, and cell ids that are the grade_id or else count. `--check` writes nothing and names what is stale.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from minigrad.guards.installation import install
from minigrad_course.grading import effort
from minigrad_course.grading.asked import cells_around, without_guesses
from minigrad_course.grading.cells import HIDDEN, SOLUTION, GradingError, Notebook, grade_id, kind, release
from minigrad_course.grading.exercises import read_notebook
from minigrad_course.grading.rehearse import Rehearsal
from minigrad_course.grading.sheet import FILE, Sheet
from minigrad_course.grading.wrong_table import read_wrong

if TYPE_CHECKING:
    from nbformat import NotebookNode

KERNEL = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
    "license": {"content": "CC-BY-4.0", "code": "MIT"},  # as MyST reads it
}
METADATA = {
    "nbgrader",
    "tags",
    "slideshow",
    "jupyter",
    "minigrad",
}  # keys of a cell that are kept; jupytext adds some of its own


def build(root: Path, sheets: bool = True) -> dict[Path, str]:
    """Build all of root/sources: a dict from paths, relative to the root, to texts. Writes nothing.

    Without `sheets`, only the notebooks, for which no wrong answer has to be rehearsed. Raises GradingError, naming
    the file and the cell, where a source cannot be built.
    """
    built: dict[Path, str] = {}
    for source in sorted((root / "sources" / "lessons").glob("*.py")):
        built[Path("notebooks") / f"{source.stem}.ipynb"] = dumps(read_lesson(source))
    sources = sorted((root / "sources" / "exercises").glob("*/exercise.py"))
    if not sheets:
        parts = [build_notebooks(source.parent.name, read_exercise(source)) for source in sources]
    elif len(sources) < 3:
        parts = list(map(build_exercise, sources))
    else:  # a rehearsal takes seconds for each exercise: several at a time
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            parts = list(pool.map(build_exercise, reversed(sources)))  # the last ones take longest
    for part in parts:
        built |= part
    from minigrad_course.project import engine_states as project  # imports this package

    for source in sorted((root / "sources" / "project").glob("project.py")):
        built[Path("project") / "project.ipynb"] = dumps(read_source(source))
    return built | project.build(root, sheets)


def build_exercise(source: Path) -> dict[Path, str]:
    """Build one exercise.py, with the table of wrong answers beside it."""
    rehearsal = read_rehearsal(source)
    return build_notebooks(rehearsal.exercise, rehearsal.full) | build_sheets(rehearsal)


def build_notebooks(name: str, full: Notebook) -> dict[Path, str]:
    """Build the author's notebook and the learner's."""
    return {
        Path("solutions") / name / f"{name}.ipynb": dumps(full),
        Path("exercises") / name / f"{name}.ipynb": dumps(release(full)),
    }


def build_sheets(rehearsal: Rehearsal) -> dict[Path, str]:
    """Build the sheet of public tests that goes with them; that of all tests is made when it is asked for."""
    return {Path("exercises") / rehearsal.exercise / FILE: rehearsal.sheet(public=True).dumps()}


def read_rehearsal(source: Path) -> Rehearsal:
    """Read an exercise.py and the table of wrong answers beside it."""
    full = read_exercise(source)
    answers = {grade_id(cell): cell["source"] for cell in full["cells"] if kind(cell) == "solution"}
    wrong = read_wrong(source.with_name("wrong.py"), answers)
    return Rehearsal(source.parent.name, full, wrong, _built_before(source))


def _built_before(source: Path) -> dict[bool, Sheet]:
    """Load the sheets that were last built from an exercise.py, public (True) and full (False), if they exist."""
    sheets = {}
    for public, room in ((True, "exercises"), (False, "solutions")):
        path = source.parents[3 if len(source.parents) > 3 else -1] / room / source.parent.name / FILE
        with contextlib.suppress(GradingError):
            sheets[public] = Sheet.load(path)
    return sheets


def read_source(path: Path) -> NotebookNode:
    """Read a percent-format file as a notebook, in the form that is written out."""
    try:
        import jupytext
    except ImportError:
        raise GradingError(f"building the notebooks needs jupytext: {install('jupytext')}") from None
    text = path.read_text(encoding="utf-8")
    first = re.search(r"^# %%(\s|$)", text, re.MULTILINE)
    if first is None:
        raise GradingError(f"{path} has no cell: a line `# %%` or `# %% [markdown]` starts one")
    # Left to itself jupytext takes a comment such as `# why?` or `# cat` for a command of IPython.
    form = {"extension": ".py", "format_name": "percent", "comment_magics": False}
    notebook = jupytext.reads(text[first.start() :], fmt=form)
    for i, cell in enumerate(notebook.cells):
        cell.id = grade_id(cell) or f"c{i:02d}"
        cell.metadata = {key: value for key, value in cell.metadata.items() if key in METADATA}
        if cell.cell_type == "code":
            cell.source = re.sub(r"^# (%%?[A-Za-z])", r"\1", cell.source, flags=re.MULTILINE)
            cell.outputs, cell.execution_count = [], None
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = dict(KERNEL)
    return notebook


def read_lesson(path: Path) -> NotebookNode:
    """Read a lesson; fill in the measured seconds of its first run (tools/first_runs.py) and the cells of guesses."""
    notebook = read_source(path)
    measured = path.parent / "first_runs.json"
    seconds = json.loads(measured.read_text(encoding="utf-8")) if measured.exists() else {}
    cells = []
    try:
        texts = [cell.source if cell.cell_type == "markdown" else "" for cell in notebook.cells]
        around = list(cells_around(texts, path.stem.partition("_")[0]))
    except GradingError as error:
        raise GradingError(f"{path}: {error}") from None
    for cell, (before, after) in zip(notebook.cells, around, strict=True):
        if "{first run}" in cell.source and cell.cell_type == "markdown":
            if path.stem not in seconds:
                raise GradingError(f"{path} has {{first run}}, and was not measured: python tools/first_runs.py")
            cell.source = cell.source.replace(
                "{first run}",
                f"; on a first run its cells compute for {seconds[path.stem]} seconds (small size, two cores)",
            )
        if after:
            cell.source = without_guesses(cell.source)
        cells += [*([_unread(before)] if before else []), cell, *([_unread(after)] if after else [])]
    notebook.cells = cells
    for i, cell in enumerate(cells):
        cell.id = f"c{i:02d}"
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            cell.metadata["slideshow"] = {"slide_type": "slide"}  # for `jupyter nbconvert --to slides`
        if cell.source.startswith("## Further"):
            cell.metadata["jp-MarkdownHeadingCollapsed"] = True  # folded by JupyterLab, with all below it
    return notebook


def _unread(source: str) -> NotebookNode:
    """Return a code cell whose source is folded away, and which a page that is only read leaves out."""
    from nbformat.v4 import new_code_cell

    return new_code_cell(source, metadata={"jupyter": {"source_hidden": True}, "tags": ["remove-cell"]})


def read_exercise(path: Path) -> NotebookNode:
    """Read an exercise as its full notebook, and check it for slips that would show only later."""
    notebook = read_source(path)
    notebook.metadata["minigrad"] = {"exercise": path.parent.name}
    seen: set[str] = set()
    for cell in notebook.cells:
        role, name = kind(cell), grade_id(cell)
        if role != "plain":
            if not name or not re.fullmatch(r"[\w-]{1,64}", name):
                raise GradingError(f"{path}: a {role} cell needs a grade_id of letters, digits, - and _, not {name!r}")
            if name in seen:
                raise GradingError(f"{path}: two cells are called {name!r}")
            seen.add(name)
        if role in ("test", "essay") and not cell.metadata["nbgrader"].get("points", 0) > 0:
            raise GradingError(f"{path}: the {role} cell {name!r} needs points")
        if role == "solution" and SOLUTION[0] not in cell.source:
            raise GradingError(f"{path}: the solution cell {name!r} has no `{SOLUTION[0]}`")
        for marker, place in ((SOLUTION[0], ("solution", "essay")), (HIDDEN[0], ("test",))):
            if marker in cell.source and role not in place:
                raise GradingError(f"{path}: `{marker}` stands in a {role} cell ({name or cell.source[:30]!r})")
        for line in cell.source.split("\n"):
            if re.search(r"(BEGIN|END)\W+(SOLUTION|HIDDEN)", line) and line.strip() not in SOLUTION + HIDDEN:
                raise GradingError(
                    f"{path}: `{line.strip()}` in {name!r} is nearly a marker, and would be shown to learners"
                )
        if role in ("test", "solution"):
            cell.metadata["tags"] = ["raises-exception"]  # so that "Run All Cells" goes on after it
    try:
        effort.say(notebook)
        release(notebook)
    except GradingError as error:
        raise GradingError(f"{path}: {error}") from None
    return notebook


def dumps(notebook: Notebook) -> str:
    """A notebook as the text of its file."""
    import nbformat

    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def differences(root: Path, built: dict[Path, str]) -> list[str]:
    """List the files that differ from the build: stale, missing, or left over from a deleted source."""
    lines = []
    for path, text in built.items():
        if not (root / path).exists():
            lines.append(f"{path} is missing")
        elif (root / path).read_text(encoding="utf-8") != text:
            lines.append(f"{path} is stale")
    for pattern in ("notebooks/[0-9][0-9]*_*.ipynb", "solutions/*/*.ipynb", "exercises/*/*.ipynb"):
        extra = {path.relative_to(root) for path in root.glob(pattern)} - built.keys()
        lines += [f"{path} has no source" for path in sorted(extra)]
    return lines


def write(root: Path, built: dict[Path, str], force: bool = False) -> list[Path]:
    """Write the files that have changed, and return their paths. A started exercise is left alone unless `force`."""
    written = []
    for path, text in built.items():
        target = root / path
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        if path.parts[0] == "exercises" and path.suffix == ".ipynb" and not force and _in_use(target):
            print(f"{path} holds somebody's answers and is left alone (--force overwrites it)")
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return written


def _in_use(notebook: Path) -> bool:
    """Tell, by the sheet that was built with it, whether somebody has written answers into an exercise."""
    sheet = notebook.parent / FILE
    return notebook.exists() and sheet.exists() and Sheet.load(sheet).is_started(read_notebook(notebook))


def main(arguments: list[str] | None = None) -> int:
    """Build, or with --check only compare: exit code 0 if all is in step, 1 if something is not."""
    parser = argparse.ArgumentParser(
        prog="python -m minigrad_course.grading.make_notebooks", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; name what is stale")
    parser.add_argument("--notebooks-only", action="store_true", help="leave out tests.json: seconds, not minutes")
    parser.add_argument("--force", action="store_true", help="overwrite exercises that hold answers too")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the repository (default: this folder)")
    options = parser.parse_args(arguments)
    try:
        built = build(options.root, sheets=not options.notebooks_only)
        if not options.check:
            for path in write(options.root, built, options.force):
                print(f"wrote {path}")
            return 0
    except GradingError as error:
        print(f"build: {error}", file=sys.stderr)
        return 1
    stale = differences(options.root, built)
    for line in stale:
        print(line)
    if stale:
        print("Run `python -m minigrad_course.grading.make_notebooks`, and commit what it writes.")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
