"""tests.json, the sheet beside each exercise: points, fingerprints of cells, and the table from symptom to hint.

A hint is found by its *symptom*: the line that a failing test ends with, and the lines of its later checks that fail
too. Each exercise ships with wrong answers; the build runs them, and notes which test each one fails first and with
which lines. A learner who makes the same mistake gets the same lines, and so the hint. Where only the first line is the
same and most others are not, it was another mistake, and no hint is given. Where two or three wrong answers share a
symptom, all their hints are noted, and where the text of the answer does not decide between them (own_lines.py), said
to be several; where more do, none. For lines without a hint the build
tries small slips (see slips.py), and names those that end with the same lines; what Python's own errors mean stands in
error_words.py. Then the test's own advice follows (its comment that starts with `# Stuck?`). Where an earlier test of
the same answers has failed, that one is to be fixed first.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType

from minigrad.guards.installation import fetch
from minigrad_course.grading import error_words, own_lines
from minigrad_course.grading.cells import GradingError, Notebook, fingerprint, grade_id
from minigrad_course.grading.outcome import HIDDEN_LINE, MARK, Outcome, Row, marked, score
from minigrad_course.grading.places import RAISED

FILE = "tests.json"
SMALLEST = "All other checks of this test pass. What is shown is the smallest input that fails: go through it by hand."
# A known mistake ends with six lines; a learner's test has four of these and two others: 2 * 4 / (6 + 6) of all lines
# are shared. A line that agrees but for the mark of its numbers counts less.
MIN_SHARED_LINES = 0.5  # of all lines, for two mistakes to be taken for one
MIN_KNOWN_LINES = 0.4  # of those of the known mistake
WEIGHT_WITHOUT_NUMBERS = 0.45
NO_ANSWERS: Mapping[str, str] = MappingProxyType({})
NEAR = "Much the same comes out with this mistake; is it yours? "  # where not all lines agree
MOST_KINDS = 2  # kinds of slip that are named for one symptom
UNKNOWN = 0.5  # of what a text shows, where a cause shows nothing in it
SLACK = 0.2  # between what the texts of two causes lack of an answer's, for both to be named
SEVERAL, OR = "More than one mistake ends like this. ", " Or: "
POOR = re.compile(  # lines that say little: 0 or 1, what sort of thing came, or that nothing did
    r"got (-?[01]|-inf|an array of shape \(0,\)|\{\}, a dict|"
    r"(?!an array of shape)[A-Za-z]+( [A-Za-z]+)*( of length \d+)?)(?=$|;|, which| \((?!the number is))"
    r"|\(it is empty\)$|the list has 0 of|expected math\.inf$|Error$|: $"
)


def symptom(outcome: Outcome) -> str | None:
    """Return the lines of a test's failed checks, by which its hint is found; None if there are none."""
    if outcome.status == "timeout":
        return outcome.status
    if outcome.status == "ok" and outcome.message:
        return f"partly: {outcome.message}"
    if outcome.status != "error" or outcome.unwritten:
        return None
    if outcome.error == "RecursionError":
        return outcome.error  # its text depends on where the stack ran out
    if is_fresh(outcome.message):
        return None
    also = [_in_short(line) for line in outcome.also if not is_fresh(line)]
    first = error_words.everywhere(f"{outcome.error}: {outcome.message}".strip())
    return "\n".join([marked(first, outcome.mark) if is_exact(first) else first, *also])


def _public_lines(seen: str) -> str:
    """Return the lines of a symptom that stem from public tests: those before the first hidden one."""
    return "\n".join(itertools.takewhile(lambda line: not line.startswith(HIDDEN_LINE), seen.split("\n")))


def _in_short(line: str) -> str:
    """Return the line of a later check; only its place, if its numbers may differ on another machine."""
    line, _, mark = line.partition(MARK)
    line = error_words.everywhere(line)
    return marked(line, mark) if is_exact(line) else line.partition("expected ")[0]


def is_exact(line: str) -> bool:
    """True if the numbers in a line are the same on every machine: no rounding errors among them."""
    numbers = re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", line.partition("expected ")[2])
    return not any(0 < abs(float(number)) < 1e-6 for number in numbers) and not re.search(r"\.\d{9}", line)


def is_fresh(line: str) -> bool:
    """True for the line of a check on fresh inputs (cases.py): others in each run, they take no part in a symptom."""
    return bool(re.search(r" \(as in .*; seed \d+$", line))


def advice(source: str) -> str:
    """Return the test's general advice: its comment from `# Stuck?` on, as one line."""
    words: list[str] = []
    for line in source.splitlines():
        if words and not line.startswith("#"):
            break
        if words or line.startswith("# Stuck?"):
            words.append(line.lstrip("# ").strip())
    return " ".join(words).removeprefix("Stuck?").strip()


@dataclass
class Entry:
    """One test cell of an exercise."""

    points: float
    hidden: bool  # whether some of it is kept from the learner
    source: str  # fingerprint
    advice: str = ""
    given: list[str] = field(default_factory=list)  # the locked cells before it, which it may rely on
    builds_on: list[str] = field(default_factory=list)  # earlier tests of the answers that this one needs as well
    hints: dict[str, str] = field(default_factory=dict)  # from symptom to hint, of the wrong answers
    slips: dict[str, dict[str, str]] = field(default_factory=dict)  # likewise, the kinds of the slips that were tried
    traits: dict[str, dict[str, str]] = field(default_factory=dict)  # what each shows, of hints for one symptom
    needs: list[str] = field(default_factory=list)  # the answers without which it fails
    public: Entry | None = None  # of a sheet of all tests: the same test without its hidden part

    def hint(self, outcome: Outcome, source: str = "") -> str:
        """Find the hint for a test that ended so: that of the known mistake, or what can be said about the line.

        With the hidden tests there are more lines; where they lead to nothing, those of the public tests still do.
        `source` is the answer, where it is at hand: it says which of several causes it can have.
        """
        if outcome.error == "Mismatch" and is_fresh(outcome.message):
            return f"{changed(outcome)} {SMALLEST}".strip()
        seen = symptom(outcome) or ""
        ways = [(self, seen)]
        if self.public is not None and (lines := _public_lines(seen)):
            ways.append((self.public, lines))
        line = own_lines.oddity(source, outcome.message)
        for entry, lines in ways:
            known = entry.hints.get(lines, "")
            if known and (entry is self or not self._unlike(single(known), seen)):
                return entry._likely(lines, source)
            if line:  # says more than what small slips end with
                continue
            kinds = likely(entry.slips.get(lines, {}), source)
            if 0 < len(kinds) <= MOST_KINDS and (entry is self or not self._unlike({*kinds}, seen)):
                return f"{same_comes_out(kinds)} {self.advice}".strip()
            near = entry._nearest(lines)
            if near and not self._unlike(single(entry.hints[near]), seen):
                return f"{NEAR}{entry._likely(near, source).removeprefix(SEVERAL)} {self.advice}".strip()
        if words := changed(outcome):
            return f"{words} {own_lines.writes(source)}".strip()  # the test's advice is for wrong numbers
        own = outcome.place.startswith(RAISED)
        words = "" if own else error_words.in_words(outcome.error, outcome.message) or ratio(outcome)
        return " ".join(filter(None, (outcome.place, line or words, self.advice)))

    def _likely(self, symptom_: str, source: str) -> str:
        """Return the hints of a symptom whose mistakes an answer can have."""
        return several(likely(self.traits.get(symptom_) or {self.hints[symptom_]: ""}, source))

    def _nearest(self, seen: str) -> str:
        """Find the symptom whose first line is the same, and half of all lines; empty if that is not clear.

        The same mistake may be made beside another one, or in two places instead of one: then not all lines agree.
        One or two lines that many mistakes end with say too little.
        """
        known = [k for k in self.hints if _first(k) == _first(seen) and _is_telling(k, seen)]
        best = max((_alike(k, seen) for k in known), default=0.0)
        nearest = {self.hints[k]: k for k in known if _alike(k, seen) == best}
        return nearest.popitem()[1] if best >= MIN_SHARED_LINES and len(nearest) == 1 else ""

    def _unlike(self, causes: set[str], seen: str) -> bool:
        """True if a mistake with these hints, or a slip of these kinds, is known here, and ends with other lines.

        The public tests cannot tell two mistakes apart, and all tests can: then what they say decides.
        """
        every = [
            *((k, single(text)) for k, text in self.hints.items()),
            *((k, {*kinds}) for k, kinds in self.slips.items()),
        ]
        known = [_alike(symptom_, seen) for symptom_, others in every if causes & others]
        return bool(known) and max(known) < MIN_SHARED_LINES and "expected " in seen.rpartition("\n")[2]


CHANGED = re.compile(r"^the caller's |^[^:]*( afterwards| after the call|, it changes \w+ \(as in)\b")


def changed(outcome: Outcome) -> str:
    """Say what to look for where the first check that failed is about what the caller handed over; empty elsewhere."""
    if outcome.error != "Mismatch" or not CHANGED.search(outcome.message):
        return ""
    return (
        "What was handed to your function has changed, and belongs to the caller: which line writes into it "
        "(=, +=, out=, a method)? Work on a copy."
    )


NUMBERS = re.compile(rf"expected (-?[\d.]+(?:e[-+]?\d+)?), got (-?[\d.]+(?:e[-+]?\d+)?)(?= \(|$|;|{MARK})")


def ratio(outcome: Outcome) -> str:
    """Describe the factor by which single numbers of a test's first checks are wrong; empty if it is not the same."""
    pairs = [NUMBERS.search(line) for line in (outcome.message, *outcome.also)]
    numbers = [(float(pair[1]), float(pair[2])) for pair in itertools.takewhile(bool, pairs) if pair]
    if not numbers or 0.0 in numbers[0]:
        return ""
    factor = numbers[0][1] / numbers[0][0]
    same = [*itertools.takewhile(lambda pair: abs(pair[1] - factor * pair[0]) <= 1e-4 * abs(pair[1]), numbers)]
    if len({expected for expected, _ in same}) < 2 or abs(abs(factor) - 1) < 1e-3:
        return ""  # (a sign and a small error have their own words: likeness.py)
    root = round(factor**2, 3)
    words = f"{factor:.4g}" + (f" (the square root of {root:g})" if root in (2, 3, 0.5) else "")
    return f"In each of the first {len(same)} checks your number is {words} times the right one."


def several(hints: Iterable[str]) -> str:
    """Put the hints of mistakes that end alike into one text."""
    first, *more = sorted(hints)
    return SEVERAL + OR.join([first, *more]) if more else first


def likely(causes: Mapping[str, str], source: str) -> list[str]:
    """Return those of some causes, with what each shows in a text, that an answer can have: the nearest to its text."""
    far = {
        cause: own_lines.unlikeness(source, shows.split()) if source and shows else UNKNOWN
        for cause, shows in causes.items()
    }
    return [cause for cause, distance in far.items() if distance <= min(far.values()) + SLACK]


def same_comes_out(kinds: Iterable[str]) -> str:
    """Word the sentence for lines that small slips of these kinds end with."""
    return f"The same comes out {', or '.join(sorted(kinds))}. Check that first, though other mistakes can end so, too."


def single(hint: str) -> set[str]:
    """Return the hints of which a text is made."""
    return {*hint.removeprefix(SEVERAL).split(OR)}


def _first(lines: str) -> str:
    """Return the first line of a symptom without the mark of its numbers."""
    return lines.partition("\n")[0].partition(MARK)[0]


def _is_telling(known: str, seen: str) -> bool:
    """True if two symptoms share more than one or two lines that say little."""
    a, b = known.split("\n"), seen.split("\n")
    bare = {line.partition(MARK)[0] for line in a} & {line.partition(MARK)[0] for line in b}
    return len(bare) > 2 or any(MARK in line for line in {*a} & {*b}) or not all(map(POOR.search, bare))


def _alike(known: str, seen: str) -> float:
    """Return how many of the lines of two symptoms are the same, from 0 to 1.

    0 where most checks pass that fail with the known mistake, unless an error ended what was seen.
    """
    a, b = {*known.split("\n")}, {*seen.split("\n")}
    bare = [{line.partition(MARK)[0] for line in lines} for lines in (a, b)]
    weight = WEIGHT_WITHOUT_NUMBERS
    both = (1 - weight) * len(a & b) + weight * len(bare[0] & bare[1])
    if both < MIN_KNOWN_LINES * len(a) and "expected " in seen.rpartition("\n")[2]:
        return 0.0
    return 2 * both / (len(a) + len(b))


@dataclass
class Sheet:
    """All tests of an exercise, in their order."""

    exercise: str
    tests: dict[str, Entry]
    empty: dict[str, str]  # the answer cells, and the fingerprint of each before anything is written
    title: str = ""
    given: dict[str, str] = field(default_factory=dict)  # the locked cells without points, and their fingerprints
    redefined: list[str] = field(default_factory=list)  # names that Python or a locked cell has, and answers define
    cells: list[list[str]] = field(default_factory=list)  # public: (kind, name, source) of each cell with a name
    slips_of: str = ""  # fingerprint of all that the slips depend on
    tasks: list[list] = field(default_factory=list)  # [tests, minutes, difficulty] of each, as estimated (effort.py)
    made_of: str = ""  # of a sheet of all tests: fingerprint of all that it depends on

    @property
    def hidden(self) -> bool:
        """True if any test has a hidden part."""
        return any(test.hidden for test in self.tests.values())

    def is_started(self, notebook: Notebook) -> bool:
        """True if somebody has written an answer into a notebook of this exercise."""
        cells = {grade_id(cell): fingerprint(cell["source"]) for cell in notebook["cells"]}
        return any(cells.get(name, print_) != print_ for name, print_ in self.empty.items())

    def find(self, cell_id: str | None, source: str) -> str | None:
        """Identify a locked cell: by its id, else (other notebook programs have ids of their own) by its text."""
        if cell_id in self.tests or cell_id in self.given:
            return cell_id
        prints = {name: test.source for name, test in self.tests.items()} | self.given
        return next((name for name, known in prints.items() if known == fingerprint(source)), None)

    def is_original(self, name: str, source: str) -> bool:
        """True if a locked cell still has its original text."""
        return fingerprint(source) == (self.tests[name].source if name in self.tests else self.given[name])

    def relying_on(self, name: str, seen: Iterable[str], outcome: Outcome) -> Outcome:
        """Return a test's outcome if the locked cells before it ran unchanged; else it counts for nothing."""
        missing = next((cell for cell in self.tests[name].given if cell not in set(seen)), None)
        if missing is None or outcome.unwritten or outcome.status not in ("ok", "error"):
            return outcome
        return Outcome("refused", message=f"run the locked cell `{missing}` first, as it was given; then this test")

    def released(self) -> dict:
        """Return the exercise's original cells, as far as they are named, for `assemble`."""
        flags = {"test": (True, False, True), "given": (False, False, True), "solution": (False, True, False)}
        cells = []
        for what, name, source in self.cells:
            grade, solution, locked = flags[what]
            mark = {"grade": grade, "solution": solution, "locked": locked, "grade_id": name}
            cells.append({"cell_type": "code", "id": name, "source": source, "metadata": {"nbgrader": mark}})
        return {"cells": cells}

    def rows(self, outcomes: Mapping[str, Outcome], answers: Mapping[str, str] = NO_ANSWERS) -> list[Row]:
        """Make the points table from the outcomes of the tests; `answers` are the sources of the answers, by name."""
        rows: list[Row] = []
        for name, outcome in outcomes.items():
            rows.append(self.row(name, outcome, rows, answers))
        return rows

    def row(
        self, name: str, outcome: Outcome, others: Iterable[Row] = (), answers: Mapping[str, str] = NO_ANSWERS
    ) -> Row:
        """Make the row of a test. If one of `others` that it builds on has failed, its hint says to fix that first."""
        test = self.tests[name]
        points, feedback = score(outcome, test.points)
        hint = ""
        if points is not None and points < test.points and not outcome.unwritten and outcome.status != "refused":
            failed = {row.test for row in others if row.points is not None and not row.passed}
            first = next((earlier for earlier in test.builds_on if earlier in failed), None)
            hint = test.hint(outcome, answers.get(test.needs[-1], "") if test.needs else "")
            if first:
                known = f" If this line is still here then: {hint}" if symptom(outcome) in test.hints else ""
                hint = f"Fix {first} first, which tests the same code; then come back.{known}"
        return Row(name, points, test.points, feedback, hint)

    def over(self, public: Sheet) -> Sheet:
        """Take the hints of the public tests, too, where those of all tests lead to nothing. Returns this sheet."""
        for name, test in self.tests.items():
            test.public = public.tests.get(name)
        return self

    def dumps(self) -> str:
        """Return the text of tests.json."""
        tests = {n: {k: v for k, v in vars(test).items() if k != "public"} for n, test in self.tests.items()}
        data = {name: value for name, value in vars(self).items() if name != "made_of" or value}
        return json.dumps({**data, "tests": tests}, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def load(cls, path: Path) -> Sheet:
        """Read a tests.json. Raises GradingError, in a sentence, where it is missing or not what it should be."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            known, of_entry = ({f.name for f in fields(of)} for of in (cls, Entry))  # a newer sheet may have more
            tests = {n: Entry(**{k: v for k, v in e.items() if k in of_entry}) for n, e in data["tests"].items()}
            return cls(**{**{k: v for k, v in data.items() if k in known}, "tests": tests})
        except FileNotFoundError:
            why = f"{path} is missing: it holds the exercise's points and hints"
            raise GradingError(f"{why}; to have it again: {fetch(path)}") from None
        except (ValueError, KeyError, TypeError, AttributeError, OSError):
            raise GradingError(f"{path} cannot be read as a sheet of tests; to have it again: {fetch(path)}") from None
