"""On our side of the wall: knows what is expected, and compares.

A process of its own for each grader, started once per exercise. It runs the author's solution and remembers, for every
question of every test, the check and what it expects; then it is handed what submissions answered, as plain data, and
says how each test ended. No code of a submission ever runs here, and each comparison has a time limit: strange data
may be slow.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from minigrad_class.plain_values import Unreadable, decode, encode
from minigrad_class.reach import leans_on
from minigrad_class.remote_objects import Things
from minigrad_class.split import ASK, OWN, TEXT
from minigrad_course.grading.clean import Guard, told
from minigrad_course.grading.outcome import HIDDEN_LINE, Outcome, marked
from minigrad_course.grading.runner import MOST_ALSO, Runner, TimeLimit, quiet_shell, time_limit
from minigrad_course.isolation.helper import serve

PATIENCE = 5.0  # seconds of the processor for comparing one answer
WAITING = 4  # times as many by the clock


class Judge:
    """Knows the questions of one exercise: for each test, in order, (site, check, expected, options)."""

    def __init__(
        self, cells: list[dict[str, str]], redefined: list[str], limit: float, hidden: Mapping[str, list[int]]
    ) -> None:
        """`cells`: the author's, each with kind, name and source; those of the tests as split.py has `judged` them.
        `hidden`: of each test, the questions (sites) that stand among the hidden tests."""
        self.hidden = hidden
        self.questions: dict[str, list[tuple[Any, ...]]] = {}
        self.answers: dict[str, list[Any]] = {}  # the author's own: for each test the numbers and words in them
        self.problems: list[str] = []
        self.fresh: dict[str, list[tuple[Any, Any]]] = {}  # for each test, things that stay outside, as they begin
        self.own: dict[str, dict[int, tuple[list[int], Any]]] = {}  # questions to these, by site
        self.texts: dict[str, dict[int, tuple[str, dict[str, Any]]]] = {}  # questions to the text of an answer
        self.sources: list[str] = []  # the answers that are judged just now
        self.statements: dict[str, dict[int, int]] = {}  # and the statement of the test in which each question stands
        self.things: Things | None = None  # those of the submission that is asked just now
        self._test = ""
        self._used: list[Any] = []  # those of the author's own run
        helpers = {"_ask_": self._remember, "_compare_": compare, "_holds_": holds}
        helpers |= {"_outside_": self._outside, "_own_": self._own, "_text_": self._text}
        author = [(cell["kind"], cell["name"], cell["source"]) for cell in cells]
        runner = Runner(quiet_shell(), Guard(redefined), helpers, author=author)
        for cell in cells:
            if cell["kind"] == "test":
                self._test = cell["name"]
                self.questions[self._test], self.answers[self._test] = [], []
                self.fresh[self._test], self.own[self._test], self.texts[self._test] = [], {}, {}
                self._used.clear()
                self.statements[self._test] = statements(cell["source"])
            outcome = runner.run(cell["kind"], cell["name"], cell["source"], limit)
            if outcome.status != "ok" and cell["kind"] != "plain":
                symptom = f"{outcome.error}: {outcome.message}" if outcome.error else outcome.status
                self.problems.append(f"the author's own `{cell['name']}` fails: {symptom}")
        names = runner.shell.user_ns.values()
        self.classes = {c.__name__: c for c in names if isinstance(c, type) and c.__module__ == "__main__"}
        # An older class of the same name may be the one that a test made its objects of; both carry the same fields.

    def _remember(self, site: int, check: Callable[..., Any], got: object, *expected: object, **options: Any) -> None:
        check(got, *expected, **options)  # the author's answer has to pass
        encode(got)  # and to come through the wall
        self.answers[self._test] += _atoms(got)
        try:
            kept = copy.deepcopy((expected, options))  # the test may go on to change them
        except Exception:
            kept = (expected, options)
        self.questions[self._test].append((site, check, *kept))

    def _outside(self, thing: object, *names: str) -> Any:
        self.fresh[self._test].append((copy.deepcopy(thing), names))
        self._used.append(thing)
        return thing

    def _own(self, site: int, look: Any, things: Any, check: Any, *expected: Any, **options: Any) -> None:
        which = [next(k for k, one in enumerate(self._used) if one is thing) for thing in things]
        self.own[self._test][site] = which, look
        self._remember(site, check, look(*things), *expected, **options)

    def _text(
        self, site: int, answer: str, others: dict[str, Any], check: Callable[..., Any], *rest: object, **options: Any
    ) -> None:
        self.texts[self._test][site] = answer, {other: thing.__name__ for other, thing in others.items()}
        self._remember(site, check, [], *rest, **options)

    def _leans_on(self, answer: str, others: dict[str, str]) -> list[str]:
        names = {**others, **{name: name for one, name in others.items() if "." not in one}}
        return sorted({names[one] for one in leans_on(self.sources, answer, names)})

    def outside(self, request: dict[str, Any]) -> dict[str, Any]:
        """One request to the things of a test: that it begins, what is given of one, a call, or what they say at the
        end, by the number of the question."""
        try:
            with time_limit(WAITING * PATIENCE, PATIENCE):
                return self._from_things(request)
        except TimeLimit:
            return {"error": "it took too long"}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"[:500]}

    def _from_things(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "begin":
            self.things = Things(self.fresh[request["test"]])
            return {}
        if self.things is None:
            return {"error": "there is nothing to be asked"}
        if request["do"] == "end":
            things, self.things = self.things, None
            own = self.own[request["test"]]
            return {str(site): encode(look(*(things.things[k] for k in which))) for site, (which, look) in own.items()}
        asked = request["asked"]
        if "name" not in asked:
            return self.things.given(asked["which"])
        return self.things.call(asked["which"], asked["name"], asked["arguments"], asked["gone"])

    def bits(self, test: str) -> float:
        """Estimate how hard a test's answers are to guess, in bits.

        True, False, None, 0, 1, -1 and words are cheap, each only a choice among those that occur. A test whose
        answers are a few verdicts is passed by whoever tries a few times, however well they are guarded.
        """
        cheap = [one for one in self.answers[test] if isinstance(one, str) or one in (True, False, None, 0, 1, -1)]
        dear = len(self.answers[test]) - len(cheap)
        return 16.0 * dear + len(cheap) * math.log2(max(len({(type(one), one) for one in cheap}), 1))

    def outcome(self, test: str, reply: dict[str, Any]) -> tuple[Outcome, int | None]:
        """Return a test's outcome for a submission with these replies, and the question at which a check failed."""
        values = reply["values"]
        first: tuple[Outcome, int] | None = None  # what failed, and where
        also: list[str] = []
        done = -1  # the statement in which a check has failed: what follows in it would not have been asked
        for question, answer in zip(self.questions[test], values, strict=False):
            site = question[0]
            if self.statements[test][site] == done:
                continue
            outcome = self._asked(test, question, answer, reply)
            if outcome is None:
                continue
            done = self.statements[test][site]
            if first is None:
                first = outcome, site
            else:
                line = marked(outcome.message, outcome.mark) if outcome.error == "Mismatch" else outcome.error
                also.append(self._marked(test, site, line))
            if outcome.error != "Mismatch" or len(also) == MOST_ALSO:
                break
        else:
            if first is not None and reply["status"] == "error":  # it ended on the way to the next question
                site = self.questions[test][min(len(values), len(self.questions[test]) - 1)][0]
                also.append(self._marked(test, site, str(reply["error"])[:100]))
        if first is not None:
            return dataclasses.replace(first[0], also=also), first[1]
        if reply["status"] != "ok":
            # What the answer was called with is shown, unless the question that it was called for is a hidden one.
            next_ = self.questions[test][len(values) :]
            secret = bool(self.hidden[test]) and (not next_ or next_[0][0] in self.hidden[test])
            place = "" if secret else str(reply.get("place", ""))[:500]
            return Outcome(reply["status"], str(reply["error"])[:100], str(reply["message"])[:1000], place=place), None
        if len(values) != len(self.questions[test]):
            n = len(self.questions[test])
            return Outcome("refused", message=f"the test asked {n} questions and got {len(values)} answers"), None
        return Outcome("ok"), None

    def _marked(self, test: str, site: int, line: str) -> str:
        """Begin a line of Outcome.also as it begins everywhere else, if a hidden check has it to say."""
        return HIDDEN_LINE * (site in self.hidden[test]) + line

    def _asked(self, test: str, question: tuple[Any, ...], answer: object, reply: dict[str, Any]) -> Outcome | None:
        """Describe the error in the answer to one question; None if it is right."""
        site, check, expected, options = question
        if site in self.texts[test]:
            return self._compare(check, encode(self._leans_on(*self.texts[test][site])), expected, options)
        if site in self.own[test]:  # ours to say, whatever was answered
            return self._compare(check, reply["own"].get(str(site)), expected, options)
        if not isinstance(answer, list) or len(answer) != 2 or answer[0] != site or not answer[1]:
            return Outcome("refused", message="the answers do not belong to this test's questions")
        if not isinstance(answer[1], list):
            return Outcome("refused", message=f"your answer cannot be compared: {str(answer[1])[:200]}")
        return self._compare(check, answer[1][0], expected, options)

    def _compare(self, check: Callable[..., Any], answer: object, expected: tuple, options: dict) -> Outcome | None:
        """Describe the error in one answer; None if it is right."""
        try:
            with time_limit(WAITING * PATIENCE, PATIENCE):
                check(decode(answer, self.classes), *expected, **options)
        except Unreadable as error:
            return Outcome("refused", message=f"your answer cannot be compared: {error}")
        except TimeLimit:
            return Outcome("refused", message="your answer could not be compared in time")
        except Exception as error:
            return Outcome("error", type(error).__name__, told(error), mark=getattr(error, "mark", ""))
        return None


def compare(got: Any, operator: str, expected: Any) -> None:
    """The `assert got == expected` of a test."""
    import operator as operators

    names = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
    holds = got in expected if operator == "in" else getattr(operators, names[operator])(got, expected)
    if not holds:
        raise AssertionError(f"got {got!r}"[:200])


def holds(got: Any, predicate: str, *expected: Any, **options: Any) -> None:
    """The `assert isclose(got, expected)` of a test, with the options of math.isclose or of NumPy's."""
    if predicate == "isclose" and (options.keys() & {"rel_tol", "abs_tol"} or np.ndim(expected[0]) == 0):
        result = math.isclose(got, *expected, **options) if not options.keys() & {"rtol", "atol"} else None
        if result is not None:
            if not result:
                raise AssertionError(f"got {got!r}"[:200])
            return
    if not np.all(getattr(np, predicate)(got, *expected, **options)):
        raise AssertionError(f"got {got!r}"[:200])


def statements(source: str) -> dict[int, int]:
    """For each question (site) of a test, which of its statements it stands in."""
    lines_of = {}
    for number, statement in enumerate(ast.parse(source).body):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in (ASK, OWN, TEXT):
                site = node.args[0]
                if isinstance(site, ast.Constant) and isinstance(site.value, int):
                    lines_of[site.value] = number
    return lines_of


def _atoms(value: object, depth: int = 0) -> list[Any]:
    """The numbers and words that a value is made of."""
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        value = round(value, 9)  # what rounding leaves of 0 is 0
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple, set, frozenset)) and depth < 20:
        return [atom for part in value for atom in _atoms(part, depth + 1)]
    return [repr(type(value)), id(value)]  # an object: nobody guesses its fields


def _begin(first: dict[str, Any]) -> tuple[Any, Any]:
    hidden = {name: test["hidden"] for name, test in first["tests"].items()}
    judge = Judge(first["cells"], first["redefined"], first["limit"], hidden)
    sites = {test: len(questions) for test, questions in judge.questions.items()}
    bits = {test: judge.bits(test) for test in judge.questions}

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if "outside" in request:
            return judge.outside(request["outside"])
        replies, outcomes = request["replies"], {}
        judge.sources = request["sources"]
        for test, reply in replies.items():
            outcome, site = judge.outcome(test, reply)
            outcomes[test] = {**vars(outcome), "site": site}
        return outcomes

    outside = [test for test, things in judge.fresh.items() if things]
    return {"problems": judge.problems, "questions": sites, "bits": bits, "outside": outside}, answer


if __name__ == "__main__":
    serve(_begin)
