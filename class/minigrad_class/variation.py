"""For authors: makes of an exercise another one for a term: other numbers and functions, in text, solution and tests.

Beside an exercise.py may lie a variants.py. It draws parameters, and writes the pieces of exercise.py and of wrong.py
that follow from them. The same functions write the pieces of the exercise as it stands, from its own parameters, and
that is how their places are known:

    ANSWERS          the answers that vary, by the grade_id of their cells
    PLAIN            the parameters of the exercise as it stands
    drawn(random)    other parameters, drawn with a random.Random; None where they do not serve, and are drawn anew
    exercise(p)      pieces of exercise.py, in their order
    wrong(p)         pieces of wrong.py, in their order
    says(p)          the new exercise in a line, for the instructor's table

A piece is looked for behind the one before, and a piece that changes may occur nowhere else: so no old number stays.
The draws come from the term's name and the exercise's alone: the same term gives the same exercises. What an answer
varies with must be seen in its text: names that the learner's code may choose are not worth a draw.
"""

from __future__ import annotations

import functools
import hashlib
import random
import re
import runpy
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from minigrad_course.grading.cells import GradingError, grade_id, kind
from minigrad_course.grading.wrong_table import FILE as WRONG

FILE, SOURCE = "variants.py", "exercise.py"
NAMES = ("ANSWERS", "PLAIN", "drawn", "exercise", "wrong", "says")
TRIES = 1000  # draws, of which most may be refused
PLAIN_TERM = ""


@dataclass(frozen=True)
class Variant:
    """An exercise for a term: its sources, the answers that vary, and what is new in a line."""

    exercise: str
    texts: dict[str, str]
    answers: tuple[str, ...] = ()
    says: str = ""

    def write(self, root: Path) -> Path:
        """Write the sources below a course's folder, and return the path of exercise.py."""
        folder = root / "sources" / "exercises" / self.exercise
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        return folder / SOURCE


def vary(source: Path, term: str, before: Sequence[str] = ()) -> Variant:
    """Make the variant of an exercise.py for a term; the exercise as it stands for the term "", or without variants.py.

    before: earlier terms, in their order. Answers to their variants, and to the plain exercise, shall not serve again:
    those worth half of the points are others. Where there are not so many variants, the oldest terms' may come back,
    and `says` names the terms. Raises GradingError, naming the exercise and the text, where a piece has no place.
    """
    name = source.parent.name
    texts = {path.name: path.read_text(encoding="utf-8") for path in (source, source.with_name(WRONG)) if path.exists()}
    if not source.with_name(FILE).exists() or term == PLAIN_TERM:
        return Variant(name, texts)
    maker = _maker(source.with_name(FILE))
    plain = _answers(texts[SOURCE], maker.ANSWERS)
    known: dict[str, dict[str, tuple[str, float]]] = {}
    again: list[str] = []
    for one in dict.fromkeys((*before, term)):
        while (new := _new(name, texts, maker, one, [plain, *known.values()])) is None:
            if not known:
                raise GradingError(f"{name}/{FILE}: no parameters for the term {term!r} in {TRIES} draws")
            again.append(oldest := next(iter(known)))
            del known[oldest]
        variant, known[one] = new
        if one == term:
            break
    note = f" (answers of {', '.join(again)} may serve again)" if again else ""
    return replace(variant, says=variant.says + note)


def build(variant: Variant) -> dict[Path, str]:
    """Build a variant's notebooks and sheets, as build_exercise does: from paths, in the course, to texts."""
    from minigrad_course.grading.make_notebooks import build_exercise

    with tempfile.TemporaryDirectory(prefix="minigrad-") as folder:
        return build_exercise(variant.write(Path(folder)))


def points_of(notebook: Any, answers: Sequence[str]) -> dict[str, float]:
    """Return the tests of some answers, with their points: those that stand behind them, up to the next answer."""
    tests: dict[str, float] = {}
    answer = ""
    for cell in notebook["cells"]:
        if kind(cell) == "solution":
            answer = grade_id(cell)
        elif kind(cell) == "test" and answer in answers:
            tests[grade_id(cell)] = cell["metadata"]["nbgrader"]["points"]
    return tests


def replaced(text: str, old: Sequence[str], new: Sequence[str], place: str) -> str:
    """Put new pieces in place of old ones, each behind the one before. Raises GradingError, with `place`, otherwise."""
    parts, kept, position = [], [], 0
    for was, becomes in zip(old, new, strict=True):
        at = text.find(was, position)
        if at < 0:
            where = " behind the piece before it" if was in text else ""
            raise GradingError(f"{place}: {was!r} does not occur{where}")
        kept.append(text[position:at])
        parts += [kept[-1], becomes]
        position = at + len(was)
    kept.append(text[position:])
    for was, becomes in zip(old, new, strict=True):
        if was != becomes and any(was in piece for piece in kept):
            raise GradingError(f"{place}: {was!r} occurs once more, and would stay as it is")
    return "".join([*parts, kept[-1]])


def number(value: float | Fraction) -> str:
    """Write a number as a person would: 6, -1.5, 8 / 3."""
    exact = Fraction(value).limit_denominator(10**6)
    if 1000 % exact.denominator == 0:
        return f"{float(exact):.10g}"
    return f"{exact.numerator} / {exact.denominator}"


def times(factor: float | Fraction, text: str, between: str = " * ") -> str:
    """Write a product: 3 * x; x where the factor is 1, and -x where it is -1."""
    return text if factor == 1 else f"-{text}" if factor == -1 else f"{number(factor)}{between}{text}"


@functools.cache
def _maker(path: Path) -> SimpleNamespace:
    try:
        names = runpy.run_path(str(path))
    except Exception as error:
        raise GradingError(f"{path} cannot be run: {type(error).__name__}: {error}") from None
    if missing := [name for name in NAMES if name not in names]:
        raise GradingError(f"{path} defines no {', '.join(missing)}")
    return SimpleNamespace(**{name: names[name] for name in NAMES})


def _new(
    name: str, texts: dict[str, str], maker: SimpleNamespace, term: str, known: list[dict[str, tuple[str, float]]]
) -> tuple[Variant, dict[str, tuple[str, float]]] | None:
    """Draw until the answers are others than the known ones; None if they never are."""
    seed = hashlib.sha256(f"{term}\n{name}".encode()).digest()
    chance = random.Random(int.from_bytes(seed[:8], "big"))
    for _ in range(TRIES):
        p = maker.drawn(chance)
        if p is None:
            continue
        new = {
            SOURCE: replaced(texts[SOURCE], maker.exercise(maker.PLAIN), maker.exercise(p), f"{name}/{SOURCE}"),
            WRONG: replaced(texts[WRONG], maker.wrong(maker.PLAIN), maker.wrong(p), f"{name}/{WRONG}"),
        }
        answers = _answers(new[SOURCE], maker.ANSWERS)
        if all(_lost(answers, one) for one in known):
            return Variant(name, new, tuple(maker.ANSWERS), maker.says(p)), answers
    return None


def _lost(answers: dict[str, tuple[str, float]], others: dict[str, tuple[str, float]]) -> bool:
    """True if others for half of the points, at least."""
    of = sum(points for _, points in answers.values())
    return 2 * sum(points for name, (text, points) in answers.items() if others[name][0] != text) >= of


def _answers(source: str, names: Sequence[str]) -> dict[str, tuple[str, float]]:
    """Return the text of each of these answers, and the points of its tests, from the text of an exercise.py."""
    cells = re.split(r"^# %%", source, flags=re.MULTILINE)[1:]
    texts: dict[str, tuple[str, float]] = {}
    answer = ""
    for cell in cells:
        mark, _, text = cell.partition("\n")
        if '"solution": true' in mark:
            answer = (re.search(r'"grade_id": "([\w-]+)"', mark) or [""] * 2)[1]
            if answer in names:
                texts[answer] = (text, 0.0)
        elif answer in texts and (points := re.search(r'"points": ([\d.]+)', mark)):
            texts[answer] = (texts[answer][0], texts[answer][1] + float(points[1]))
    if missing := set(names) - set(texts):
        raise GradingError(f"{FILE}: there is no answer {sorted(missing)[0]!r}")
    return texts
