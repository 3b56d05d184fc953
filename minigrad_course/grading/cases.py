"""Fresh inputs, others in each run: a task says how to draw them, and its answer is compared with the solution on them.

    def tapes(draw):
        names = draw.sample("abcdef", draw.size(2, 6))
        twice = draw.sometimes("a row is made of the same name twice")
        ...
        return tape, weights  # the arguments of one call

    cases = fresh(tapes)
    check_cases(answers(backward_pass, cases), answers(solution.backward_pass, cases), cases)

The oddities that `sometimes` names come one at a time first, then together, each on inputs that grow. So the first case
that fails is the smallest, and which oddities fail by themselves says what is wrong. Hints are found by the other
checks alone (sheet.py), so this one comes last in its test. After each call its arguments are compared as well, and the
first cases are asked again at the end: an answer changes nothing of the caller's, and remembers nothing.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import os
import random
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from minigrad_course.grading.checks import Mismatch, first_difference
from minigrad_course.grading.clean import told
from minigrad_course.profiled import profiled

ROUNDS = 12  # sizes that plain inputs, and each oddity by itself, are drawn in
MIXED = 24  # cases in which the oddities meet
AGAIN = "it was called before, with other arguments"
SEED = "MINIGRAD_SEED"  # in the environment: asks the same once more
_seed: int | None = None


class Draw(random.Random):
    """The random numbers of one case. `asked`: the oddities that were asked for; `odd`: those that this case has."""

    def __init__(self, seed: str, share: float, odd: Callable[[str, float], bool]) -> None:
        super().__init__(seed)
        self.share, self._odd = share, odd
        self.asked: list[str] = []
        self.odd: list[str] = []

    def sometimes(self, what: str) -> bool:
        """Decide whether this case has an oddity, named so that it fits behind "where ..."."""
        if what not in self.asked:
            self.asked.append(what)
            if self._odd(what, self.random()):
                self.odd.append(what)
        return what in self.odd

    def size(self, least: int, most: int) -> int:
        """Draw a size; the first cases are small."""
        return self.randint(least, least + round((most - least) * self.share))

    def numbers(self, n: int) -> list[float]:
        """Draw n numbers with one decimal; sometimes one is 0, two are equal, or some are negative."""
        numbers = [k / 10 for k in self.sample(range(3, 40 + n), n)]
        if self.sometimes("a number is negative") and n:
            numbers = [-x if k == 0 or self.random() < 0.5 else x for k, x in enumerate(numbers)]
        if self.sometimes("a number is 0") and n:
            numbers[self.randrange(n)] = 0.0
        if self.sometimes("two numbers are equal") and n > 1:
            i, j = self.sample(range(n), 2)
            numbers[i] = numbers[j]
        return numbers

    def array(self, *shape: int) -> np.ndarray:
        """Draw such numbers as an array."""
        return np.array(self.numbers(int(np.prod(shape)))).reshape(shape)

    def function(self, n: int, **names: Callable[[Any], Any]) -> Formula:
        """Draw a function of n numbers, as a list, which returns a list; sometimes one of `names` is called in it."""
        some = [f"x[{k}]" for k in range(n)]
        outputs = [f"{self.choice(some)} {self.choice('+*')} {self.choice(some)}" for _ in range(self.size(1, 3))]
        if self.sometimes("a function is called"):
            outputs[-1] += f" * {self.choice(sorted(names))}({some[0]})"
        if self.sometimes("an output is an input"):
            outputs.append(self.choice(some))
        if self.sometimes("an output is a number"):
            outputs.append(self.choice(["7.0", "7"]))
        if self.sometimes("a value is returned twice"):
            outputs = [f"y := {outputs[0]}", *outputs[1:], "y"]
        return Formula(f"[{', '.join(outputs)}]", **names)


class Formula:
    """A function of x, given as text, which is also how it is shown: Formula("[x[0] * sin(x[1])]", sin=sin)."""

    def __init__(self, text: str, **names: object) -> None:
        self.text, self._names = text, names
        self._code = compile(text, "<formula>", "eval")

    def __call__(self, x: object) -> Any:
        return eval(self._code, dict(self._names, x=x))

    def __repr__(self) -> str:
        return f"lambda x: {self.text}"

    def __deepcopy__(self, memo: object) -> Formula:
        return self


@dataclass(frozen=True)
class Case:
    """The arguments of one call, and its oddities."""

    arguments: tuple[Any, ...]
    odd: tuple[str, ...]


@dataclass(frozen=True)
class Cases:
    """All cases of a test, the simplest first, and the seed that they are drawn from."""

    cases: list[Case]
    seed: int

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draw from this seed within the block."""
    global _seed
    before, _seed = _seed, seed
    try:
        yield
    finally:
        _seed = before


def fresh(make: Callable[[Draw], Any], seed: int | None = None, rounds: int = ROUNDS, mixed: int = MIXED) -> Cases:
    """Draw cases with `make`, which returns the arguments of a call: a tuple, or the only one.

    seed: of the environment (MINIGRAD_SEED) or another in each run. rounds: cases without oddities, and with each
    one alone. mixed: cases with several.
    """
    if seed is None:
        seed = _seed if _seed is not None else int(os.environ.get(SEED) or secrets.randbelow(10**6))
    cases: list[Case] = []

    def draw(name: str, rounds: int, odd: Callable[[str, float], bool]) -> list[str]:
        asked: list[str] = []
        for k in range(rounds):
            one = Draw(f"{seed} {name} {k}", (k + 1) / rounds, odd)
            arguments = make(one)
            arguments = arguments if isinstance(arguments, tuple) else (arguments,)
            cases.append(Case(arguments, tuple(one.odd)))
            asked += [what for what in one.asked if what not in asked]
        return asked

    alone = draw("plain", rounds, lambda what, chance: False)
    for which in alone:  # grows: one oddity may ask for another
        asked = draw(which, rounds, partial(_is_same, which))
        alone += [what for what in asked if what not in alone]
    draw("mixed", mixed if len(alone) > 1 else 0, lambda what, chance: chance < 2 / len(alone))
    cases.sort(key=lambda case: len(case.odd))  # and of as many oddities the smaller ones first, as they were drawn
    cases += [Case(case.arguments, (*case.odd, AGAIN)) for case in reversed(cases[:3])]
    return Cases(cases, seed)


def _is_same(which: str, what: str, chance: float) -> bool:
    return what == which


def answers(function: Callable[..., Any], cases: Cases) -> dict[str, Any]:
    """Call a function with copies of the arguments of each case.

    Returns, as plain data, what each call returned, or the error that it ended with, and its arguments afterwards.
    """
    calls = []
    for case in cases:
        arguments = copy.deepcopy(case.arguments)
        try:
            call = {"returned": copy.deepcopy(function(*arguments))}
        except NotImplementedError:
            raise
        except Exception as error:
            call = {"error": type(error).__name__, "text": told(error)}
        calls.append({**call, "arguments": [_data(argument) for argument in arguments]})
    return {"name": getattr(function, "__name__", ""), "names": _names(function), "calls": calls}


def check_cases(got: Mapping[str, Any], expected: Mapping[str, Any], cases: Cases, tolerance: float = 1e-9) -> None:
    """Check that an answer gives for each case what the solution gives, and leaves the arguments as the solution does.

    Raises Mismatch with the oddities that fail by themselves, the smallest case that fails, and the seed.
    """
    function, names = got["name"], expected["names"]
    wrong = [
        (case, difference)
        for case, have, want in zip(cases, got["calls"], expected["calls"], strict=True)
        if (difference := _difference(have, want, names, tolerance))
    ]
    if not wrong:
        return
    first, (kind, text, note) = wrong[0]
    alike = [case.odd for case, other in wrong if other.kind == kind]
    line = f"{function}{_where(alike)}{f', {kind}' if kind else ''}"
    if note and len(wrong) > 2 and all(other.note == note for _, other in wrong):
        text += f" ({note}, in each case that fails)"
    raise Mismatch(f"{line} (as in {function}({_shown(first.arguments, names)})): {text}; seed {cases.seed}")


class Difference(NamedTuple):
    """A difference in one case: its kind, empty for a wrong value; a line; and a note on what the numbers look like,
    which a single case may show by chance."""

    kind: str
    line: str
    note: str = ""


def _where(wrong: Sequence[tuple[str, ...]]) -> str:
    """Name the oddities that are wrong by themselves; those of the simplest case where none is."""
    if () in wrong:
        return ", with plain inputs"
    alone = sorted({odd[0] for odd in wrong if len(odd) == 1})
    return ", where " + (" or ".join(alone) if alone else " and ".join(wrong[0]))


def _difference(
    have: Mapping[str, Any], want: Mapping[str, Any], names: Sequence[str], tolerance: float
) -> Difference | None:
    """Return how what a call did differs from what it should do; None if nothing differs."""
    if have.get("error") != want.get("error"):
        if "error" in have:
            return Difference(f"it ends with {have['error']}", f"{have['error']}: {have['text']}"[:100])
        return Difference(f"it has to end with {want['error']}", "no error came")
    if "returned" in want and (difference := _differs(have["returned"], want["returned"], tolerance)):
        return Difference("", *difference)
    for name, before, after in zip(names, want["arguments"], have["arguments"], strict=False):
        if _differs(after, before, tolerance):
            return Difference(f"it changes {name}", f"{name} is {_show(after)} afterwards, and belongs to the caller")
    return None


def _differs(got: object, want: object, tolerance: float) -> tuple[str, str] | None:
    """Return a line on the first difference of two values, and a note on numbers; None if nothing differs."""
    if want is None or isinstance(want, (str, bool, set, frozenset)):
        same = type(got) is type(want) and got == want
        return None if same else (f"expected {_show(want)}, got {_show(got)}", "")
    if isinstance(want, Mapping) and isinstance(got, Mapping):
        for key, value in want.items():
            if key not in got:
                return f"{key} is missing", ""
            if difference := _differs(got[key], value, tolerance):
                return f"{key}: {difference[0]}", difference[1]
        return next(((f"{key} does not belong there", "") for key in got if key not in want), None)
    if isinstance(want, (list, tuple)) and not _is_table(want):
        if not isinstance(got, (list, tuple)):
            return f"expected {_show(want)}, got {_show(got)}", ""
        for k, (have, value) in enumerate(zip(got, want, strict=False)):
            if difference := _differs(have, value, tolerance):
                return f"entry {k}: {difference[0]}", difference[1]
        return None if len(got) == len(want) else (f"expected {len(want)} entries, got {len(got)}", "")
    difference = first_difference(got, want, "", tolerance)
    if difference and difference[1] and not _is_table(got):  # what sort of thing came is no matter of chance
        return f"{difference[0]} ({difference[1]})", ""
    return difference


def _is_table(value: object) -> bool:
    """Tell whether a list holds numbers only, in rows of one length."""
    try:
        return np.asarray(value).dtype.kind in "biuf"
    except ValueError:
        return False


def _data(value: object) -> object:
    """Copy what is numbers, words, lists, dicts and arrays of a value; None in the place of all else."""
    if isinstance(value, (bool, int, float, str, np.ndarray, np.generic)):
        return copy.deepcopy(value)
    if isinstance(value, Mapping):
        return {key: _data(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value)(map(_data, value))
    return None


def _names(function: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _shown(arguments: Sequence[Any], names: Sequence[str]) -> str:
    most = 120 // max(len(arguments), 1)
    return ", ".join(f"{name}={_show(argument, most)}" for name, argument in zip(names, arguments, strict=False))


def _show(value: object, most: int = 60) -> str:
    """Format a value in so many letters at most."""
    text = repr(_rounded(value)).replace("array(", "").replace("\n", "")
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _rounded(value: object) -> object:
    if isinstance(value, (np.ndarray, np.generic)):
        return _rounded(value.tolist())
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, (list, tuple)):
        return type(value)(map(_rounded, value))
    return {key: _rounded(part) for key, part in value.items()} if isinstance(value, Mapping) else value


def called(function: Callable[..., Any], arguments: Sequence[Any], *others: FunctionType | ModuleType) -> list[str]:
    """Call a function, and list those of the other functions, or modules, whose code ran: however it came to them."""
    codes = {getattr(other, "__code__", other): other.__name__ for other in others}
    modules = tuple(other.__name__ for other in others if isinstance(other, ModuleType))
    ran: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            name = str(frame.f_globals.get("__name__", ""))
            if frame.f_code in codes:
                ran.add(codes[frame.f_code])
            ran.update(module for module in modules if name == module or name.startswith(f"{module}."))

    with profiled(note):
        function(*copy.deepcopy(tuple(arguments)))
    return sorted(ran)


def within(most: int, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that may make so many calls, with those of what it calls: work is counted, and not timed.

    Raises Mismatch beyond.
    """
    made = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")
        if made > most:
            name = getattr(function, "__name__", "it")
            raise Mismatch(f"{name} makes more than {most:,} calls here: does it go the same way again and again?")

    with profiled(count):
        return function(*arguments)


def times(function: Callable[..., Any], other: FunctionType, *arguments: Any) -> int:
    """Count how often the code of another function runs while a function is called."""
    count = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code is getattr(other, "__code__", None)

    with profiled(note):
        function(*arguments)
    return count


def fails(*_: object) -> Any:
    """Stand for a function that ends with an error, whatever it is called with."""
    raise ArithmeticError("there is no such number")


def passes_on(function: Callable[..., Any], *arguments: Any) -> bool:
    """Tell whether the error of `fails`, somewhere among the arguments, comes out of a call."""
    try:
        function(*arguments)
    except ArithmeticError as error:
        return "no such number" in str(error)
    except NotImplementedError:
        raise
    except Exception:
        return False
    return False


def check_own(names: Sequence[str], where: str) -> None:
    """Check that an answer has called none of what it is to stand for. Raises Mismatch, naming it."""
    if names:
        raise Mismatch(f"{where} leaves the work to {', '.join(names)}: here it is to be written out")
