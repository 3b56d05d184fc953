"""The jobs of a campaign process: each returns the number of questions asked, and the failures."""

from __future__ import annotations

from itertools import islice

import numpy as np

from minigrad.native import kernels
from minigrad.native.jit import cache_folder

from . import PART, PARTS
from .awkward import questions as awkward_questions
from .corners import corner_questions
from .modes import Failure, every_mode
from .questions import operation_questions, special_questions
from .refusals import asked_to_run, built
from .trainings import Training, examine
from .typed_graphs import typed_questions
from .updates import COUNT, Update

Answer = tuple[int, list[Failure]]


def graphs(seed: int, start: int, stop: int) -> Answer:
    """Random graphs on numbers of every kind."""
    return every_mode(typed_questions(seed, range(start, stop), longer=10))


def compiled_graphs(seed: int, start: int, stop: int) -> Answer:
    """The same as machine code, which is not kept: the next run asks about other graphs."""
    folder = cache_folder()
    before = set(folder.glob("campaign_*.py"))
    try:
        return every_mode(typed_questions(seed, range(start, stop)), replayed=False)
    finally:
        for path in set(folder.glob("campaign_*.py")) - before:
            path.unlink()
            for file in (folder / "__pycache__").glob(f"{path.stem}.*"):
                file.unlink(missing_ok=True)


def operations(part: int, parts: int, every: int, most: int) -> Answer:
    """Every operation of the table: other dtypes, mixed, integers and truth values, too."""
    return every_mode(operation_questions(part, parts, every, most))


def special() -> Answer:
    """Every special value: nan for nan, infinity for infinity, ties and corners."""
    return every_mode(special_questions())


def trainings(start: int, stop: int) -> Answer:
    """Random networks, twenty steps each."""
    return stop - start, [failure for number in range(start, stop) for failure in examine(Training(number))]


def updates(start: int, stop: int, step: int) -> Answer:
    """Three steps of models whose parameters read each other, by optimizers that hand arrays round; in shards, too."""
    numbers = range(start, stop, step)
    return len(numbers), [failure for number in numbers for failure in examine(Update(number % COUNT))]


def bounds(seed: int) -> Answer:
    """A sample of everything, for a run in which numba checks every index, in kernels too."""

    failures = [] if _checked() else [Failure("kernels.take", "bounds", "a place out of bounds is read")]
    count = len(BOUNDED)
    random, table = typed_questions(seed, range(16 // PARTS)), operation_questions(PART, PARTS, 400, 0)
    for questions, batch in ((random, 2), (table, 16), (islice(corner_questions(1), PART, None, PARTS), 4)):
        asked, result = every_mode(questions, batch, replayed=False)
        count, failures = count + asked, failures + result
    for number in BOUNDED[::PARTS]:
        failures += examine(Training(number), ["program"])
    return count, failures


BOUNDED = (0, 5)  # trainings


def _checked() -> bool:
    """Tell whether a kernel raises when it reads out of bounds."""
    try:
        kernels.take(np.zeros(3), np.array([7]), np.zeros(1))
    except IndexError:
        return True
    return False


def corners() -> Answer:
    """Questions that aim at one pass each."""
    return every_mode(corner_questions())


def awkward(every: int) -> Answer:
    """Functions of NumPy on awkward inputs."""
    return every_mode(awkward_questions(every))


def errors() -> Answer:
    """Every error case: every mode refuses the same inputs as eager mode, in the same words, and trains nothing."""
    (first, failures), (second, more) = built(), asked_to_run()
    return first + second, failures + more
