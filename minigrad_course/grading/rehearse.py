"""For authors: runs an exercise with any answers, in this process: milliseconds instead of seconds.

The build asks it for the line that each wrong answer ends with (see sheet.py); the tests ask it whether the solution
earns everything, the empty exercise nothing, and each wrong answer loses what its table says.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import linecache
import symtable
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from minigrad.native import jit
from minigrad_course.grading import cases, checks, effort, likeness, own_lines, runner
from minigrad_course.grading import slips as slips_
from minigrad_course.grading.cases import seeded
from minigrad_course.grading.cells import HIDDEN, GradingError, authors_cells, fingerprint, grade_id, kind, release
from minigrad_course.grading.clean import BUILTINS, Guard, names_bound
from minigrad_course.grading.outcome import Outcome, score
from minigrad_course.grading.own_lines import difference
from minigrad_course.grading.runner import Plain, Runner
from minigrad_course.grading.sheet import Entry, Sheet, advice, several, symptom
from minigrad_course.grading.whole_files import write_whole
from minigrad_course.grading.wrong_table import Wrong, read_wrong, without_markers

LIMIT = 20.0  # seconds of the processor's time for each cell: those that compile need some, where nothing is cached yet
MOST = 3  # hints for one line; where there are more, the line says too little
WAITING = 60.0  # seconds by the clock, for a cell that only waits
MEMORY = (0.0, 3.0)  # what fresh memory holds in the two performances of a slip that takes some
SEED = 0  # of fresh inputs, so that the same sources give the same sheet


def perform(
    notebook: dict[str, Any],
    answers: Mapping[str, str] | None = None,
    until: Callable[[str, Outcome], bool] | None = None,
    known: Mapping[str, Outcome] | None = None,
) -> dict[str, Outcome]:
    """Run a notebook in this process, with other answers in some solution cells. Returns the outcome of each test.

    Stops after the first test for which `until` is true. Cells that are neither locked nor answers are skipped:
    learners may change or delete them, so no test may need them. (They draw and train for show, which takes most of the
    time in some exercises.)

    known: the outcomes with the notebook's own answers. Tests that no other answer reaches are not run again.
    """
    answers = answers or {}
    reached = _reached(notebook, answers) if known else set()
    _wake_numba()
    cells = Runner(Plain(), Guard(_redefined(notebook)), author=authors_cells(notebook))
    outcomes: dict[str, Outcome] = {}
    try:
        for cell in notebook["cells"]:
            name, role = grade_id(cell), kind(cell)
            if cell["cell_type"] != "code" or role == "plain":
                continue
            if role == "test" and known and name not in reached:
                outcomes[name] = known[name]
                continue
            with seeded(SEED), warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # what a wrong answer divides by zero is nobody's news
                outcome = cells.run(role, name, answers.get(name, cell["source"]), WAITING, LIMIT)
            if role == "test":
                outcomes[name] = outcome
                if until is not None and until(name, outcome):
                    break
    finally:
        for cell in notebook["cells"]:  # their sources: elsewhere another file may have such a name, as in `<program>`
            linecache.cache.pop(f"<{grade_id(cell)}>", None)
    return outcomes


_wake_numba = functools.cache(jit.plain_python)  # an import that a cell's time limit cuts short stays broken


def _redefined(notebook: dict[str, Any]) -> list[str]:
    """List the names that answers of a full notebook define although Python or a locked cell has them."""
    bound: dict[str, set[str]] = {"given": set(), "solution": set()}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and kind(cell) in bound:
            bound[kind(cell)] |= names_bound(cell["source"])
    return sorted(bound["solution"] & (bound["given"] | BUILTINS))


def _reached(notebook: dict[str, Any], answers: Mapping[str, str]) -> set[str]:
    """Return the tests that read what these answers bind or what is made of it, and those that make what these read."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and kind(cell) != "plain"]
    source_of = {grade_id(cell): answers.get(grade_id(cell), cell["source"]) for cell in code}
    tests = [grade_id(cell) for cell in code if kind(cell) == "test"]
    changed = set[str]().union(*(names_bound(cell["source"]) for cell in code if grade_id(cell) in answers))
    changed = changed.union(*map(names_bound, answers.values()))
    others = [part for name, source in source_of.items() if name not in tests for part in _statements(source)]
    before = 0
    while len(changed) > before:  # a function that is defined earlier may call an answer as well
        before = len(changed)
        changed = changed.union(*(bound for read, bound in others if read & changed))
    reached = set[str]()
    for name in tests:
        if _names(source_of[name])[0] & changed:
            reached.add(name)
            changed |= names_bound(source_of[name])
    needed = set[str]()
    for name, source in reversed(source_of.items()):
        if name in tests and names_bound(source) & needed:
            reached.add(name)
        if name in reached or name not in tests:
            read, bound = _names(source)
            needed = needed - bound | read
    return reached


def _names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell reads before it binds them, and those that it binds in any case."""
    names, known = set[str](), set[str]()
    for read, bound in _statements(source):
        names |= read - known
        known |= bound - read
    return names, known


@functools.lru_cache(maxsize=1024)
def _statements(source: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return the names that each statement of a cell reads and binds; none if it is not Python.

    What is bound only sometimes, or from what it was, counts as read.
    """
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    pairs = []
    for statement in statements:
        text = ast.unparse(statement)
        read, bound = frozenset(_of_globals(symtable.symtable(text, "<cell>", "exec"))), names_bound(text)
        sometimes = isinstance(statement, ast.AugAssign | ast.If | ast.For | ast.While | ast.Try)
        pairs.append((read | bound if sometimes else read, bound))
    return tuple(pairs)


def _of_globals(table: symtable.SymbolTable) -> set[str]:
    """Return the names that a piece of code and the functions in it read from their module."""
    symbols = [one for one in table.get_symbols() if one.is_referenced()]
    own = {one.get_name() for one in symbols if table.get_type() == "module" or one.is_global()}
    return own.union(*map(_of_globals, table.get_children()))


def public_tests(full: dict[str, Any]) -> dict[str, Any]:
    """Copy a full notebook with the public tests only: the answers stay."""
    notebook = release(full)
    answers = {grade_id(cell): cell["source"] for cell in full["cells"] if kind(cell) == "solution"}
    for cell in notebook["cells"]:
        cell["source"] = answers.get(grade_id(cell), cell["source"])
    return notebook


def sheet_of_all_tests(exercise: str, full: dict[str, Any], table: Path, kept: Path) -> Sheet:
    """Load the sheet of a full notebook, or make it, where there is none or it is out of date, and keep it."""
    answers = {grade_id(cell): cell["source"] for cell in full["cells"] if kind(cell) == "solution"}
    rehearsal = Rehearsal(exercise, full, read_wrong(table, answers))
    made_of = rehearsal.made_of()
    with contextlib.suppress(GradingError):
        rehearsal.built = {False: Sheet.load(kept)}
        if rehearsal.built[False].made_of == made_of:
            return rehearsal.built[False]
    sheet = rehearsal.sheet(public=False)
    sheet.made_of = made_of
    with contextlib.suppress(OSError):
        write_whole(kept, sheet.dumps())
    return sheet


class Rehearsal:
    """An exercise with its wrong answers. Each way to answer it runs once, however often its outcomes are asked for.

    full: the notebook as its author wrote it. public: the same answers, with the tests that learners get.
    """

    def __init__(
        self, exercise: str, full: dict[str, Any], wrong: list[Wrong], built: Mapping[bool, Sheet] | None = None
    ) -> None:
        """`built`: the sheets as they were built last, public and full. What has not changed is taken from them."""
        self.exercise, self.full, self.wrong, self.built = exercise, full, wrong, built or {}
        self.public = public_tests(full)
        self._seen: dict[tuple, dict[str, Outcome]] = {}

    def outcomes(self, answers: Mapping[str, str] | None = None, public: bool = False) -> dict[str, Outcome]:
        """Return the outcome of each test, with these answers in some solution cells."""
        key = (public, *sorted((answers or {}).items()))
        if key not in self._seen:
            known = self.outcomes(public=public) if answers else None
            self._seen[key] = perform(self.public if public else self.full, answers, known=known)
        return self._seen[key]

    def sheet(self, public: bool, slips: bool = True) -> Sheet:
        """Make tests.json of the exercise: for the public tests, or for all. Without `slips` in a tenth of the time.

        The hint of a wrong answer is kept for the first test that it fails. Later failures are consequences, which
        other mistakes share: they would get the wrong hint.
        """
        full, released = self.full, release(self.full)
        tests: dict[str, Entry] = {}
        locked: dict[str, str] = {}
        for cell, full_cell in zip((self.public if public else full)["cells"], full["cells"], strict=True):
            if kind(cell) == "test":
                source, points = cell["source"], cell["metadata"]["nbgrader"]["points"]
                tests[grade_id(cell)] = Entry(
                    points, HIDDEN[0] in full_cell["source"], fingerprint(source), advice(source), list(locked)
                )
            elif kind(cell) == "given" and cell["cell_type"] == "code":
                locked[grade_id(cell)] = fingerprint(cell["source"])
        to_write = [cell for cell in released["cells"] if kind(cell) in ("solution", "essay")]
        self._note_what_builds_on_what(tests, {grade_id(cell): cell["source"] for cell in to_write}, public)
        right = {grade_id(cell): without_markers(cell["source"]) for cell in full["cells"] if kind(cell) == "solution"}
        hints: dict[tuple[str, str], dict[str, list[str]]] = {}  # mistakes that end alike, mostly one
        for entry in self.wrong:
            outcomes = self.outcomes({entry.replaces: entry.source}, public)
            failed = next((name for name, outcome in outcomes.items() if not _earns_all(outcome, tests[name])), None)
            line = symptom(outcomes[failed]) if failed else None
            if failed and line:
                alike = hints.setdefault((failed, line), {})
                _join(alike, entry.hint, difference(entry.source, right[entry.replaces]))
        for (test, line), texts in hints.items():
            if len(texts) <= MOST:
                tests[test].hints[line] = several(texts)
                tests[test].traits |= {line: _in_one(texts)} if len(texts) > 1 else {}
        slips_of = self._note_slips(tests, public) if slips else ""
        empty = {grade_id(cell): fingerprint(cell["source"]) for cell in to_write}
        named = [cell for cell in released["cells"] if kind(cell) in ("test", "given", "solution")]
        cells = [[kind(cell), grade_id(cell), cell["source"]] for cell in named if cell["cell_type"] == "code"]
        cells = cells if public else []
        tasks = effort.read(full)
        return Sheet(self.exercise, tests, empty, _title(full), locked, _redefined(full), cells, slips_of, tasks)

    def made_of(self) -> str:
        """Return the fingerprint of all that the sheet of all tests depends on."""
        return fingerprint("\n".join([self.slips_of(False), *(f"{one.source}\n{one.hint}" for one in self.wrong)]))

    def slips_of(self, public: bool) -> str:
        """Return the fingerprint of all that the lines of slips depend on: the notebook's code, and this grader's."""
        notebook = self.public if public else self.full
        code = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code" and kind(cell) != "plain"]
        modules = [
            checks,
            likeness,
            runner,
            slips_,
            own_lines,
            *[cases] * any("fresh(" in text for text in code),
        ]
        makers = [Path(inspect.getfile(module)).read_text(encoding="utf-8") for module in modules]
        return fingerprint("\n".join([*code, *makers]))

    def _note_slips(self, tests: dict[str, Entry], public: bool) -> str:
        """Note, for each line that no wrong answer has, the small slips that end with it. Returns a fingerprint.

        There are hundreds of slips, so they are tried anew only when their fingerprint has changed.
        """
        notebook = self.public if public else self.full
        slips_of = self.slips_of(public)
        before = self.built.get(public)
        if before is not None and before.slips_of == slips_of:
            for name, entry in tests.items():
                entry.slips = {k: v for k, v in before.tests[name].slips.items() if k not in entry.hints}
            return slips_of
        kinds_by_line: dict[tuple[str, str], dict[str, list[str]]] = {}
        for cell in notebook["cells"]:
            for slip, source in slips_.slips(cell["source"]) if kind(cell) == "solution" else ():
                ended = self.first_failure(grade_id(cell), source, tests, public)
                if ended:
                    alike = kinds_by_line.setdefault(ended, {})
                    _join(alike, slip, difference(source, without_markers(cell["source"])))
        for (test, line), kinds in sorted(kinds_by_line.items()):
            if len(kinds) <= slips_.MOST and slips_.is_telling(line, len(kinds)) and line not in tests[test].hints:
                tests[test].slips[line] = _in_one(kinds)
        return slips_of

    def first_failure(
        self, answer: str, source: str, tests: Mapping[str, Entry], public: bool
    ) -> tuple[str, str] | None:
        """Return the first test that fails with a source in place of an answer, and its lines.

        None if all pass, or if the lines say nothing; nor is there one where they depend on what fresh memory held.
        """
        notebook, known = self.public if public else self.full, self.outcomes(public=public)
        ends: set[tuple[str, str | None]] = set()
        for text in [slips_.with_memory_of(number, source) for number in MEMORY] if "empty" in source else [source]:
            outcomes = perform(notebook, {answer: text}, lambda n, o: not _earns_all(o, tests[n]), known)
            failed = ((n, symptom(o)) for n, o in outcomes.items() if not _earns_all(o, tests[n]))
            ends.add(next(failed, ("", None)))
        (test, line), *others = ends
        return (test, line) if line and not others else None

    def _note_what_builds_on_what(self, tests: dict[str, Entry], empty: dict[str, str], public: bool) -> None:
        """Note the earlier tests that each test builds on: those that need no other answers than it does."""
        needs: dict[str, set[str]] = {name: set() for name in tests}
        for answer, stub in empty.items():
            for name, outcome in self.outcomes({answer: stub}, public).items():
                if not _earns_all(outcome, tests[name]):
                    needs[name].add(answer)
        names = list(tests)
        for i, name in enumerate(names):
            tests[name].needs = [answer for answer in empty if answer in needs[name]]
            tests[name].builds_on = [
                earlier for earlier in names[:i] if needs[earlier] and needs[earlier] <= needs[name]
            ]


def _in_one(shows: Mapping[str, list[str]]) -> dict[str, str]:
    return {what: " ".join(traits) for what, traits in shows.items()}


def _join(alike: dict[str, list[str]], what: str, shows: list[str]) -> None:
    """Note what a mistake shows in its text; of mistakes that are told alike, what all of them show."""
    alike[what] = [one for one in shows if one in alike.get(what, shows)]


def _title(notebook: dict[str, Any]) -> str:
    """Return the exercise's title without its number, from a heading `# Exercise 5 · The graph that remembers`."""
    text = next((cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown"), "")
    heading = text.split("\n")[0].lstrip("# ").strip()
    return heading.partition("·")[2].strip() or heading


def _earns_all(outcome: Outcome, test: Entry) -> bool:
    return (score(outcome, test.points)[0] or 0.0) >= test.points
