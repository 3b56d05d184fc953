"""What a process of the campaign may be asked to do: each job returns how many questions it asked, and what failed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import minigrad as mg
from minigrad.jit import cache_folder

from .corners import corner_questions
from .modes import Asked, Failure, Question, ask, compare, every_mode
from .networks import Training, examine
from .questions import operation_questions, special_questions
from .typed_graphs import Typed, typed_questions

Answer = tuple[int, list[Failure]]


def graphs(seed: int, start: int, stop: int) -> Answer:
    """Random graphs on numbers of every kind."""
    return every_mode(typed_questions(seed, range(start, stop)))


def compiled_graphs(seed: int, numbers: range, new: int) -> Answer:
    """The same as machine code: at most `new` of them that no earlier run left on disk."""
    count, failures = 0, list[Failure]()
    for number in numbers:
        asked = ask(Typed(seed, number).question())
        if not on_disk(asked):
            if new <= 0:
                continue
            new -= 1
        count += 1
        failures += compare([asked])
    return count, failures


def on_disk(asked: Asked) -> bool:
    """Whether the program for a question was compiled by an earlier run."""
    source = mg.compile_graph(asked.outputs, asked.inputs, name="campaign").source
    digest = hashlib.sha256(source.encode()).hexdigest()[:12]
    return (cache_folder() / f"campaign_{digest}.py").exists()


def operations(part: int, parts: int, every: int, most: int) -> Answer:
    """Every operation of the table."""
    return every_mode(operation_questions(part, parts, every, most))


def special() -> Answer:
    """Every special value."""
    return every_mode(special_questions())


def trainings(start: int, stop: int) -> Answer:
    """Random networks, twenty steps each."""
    return stop - start, [failure for number in range(start, stop) for failure in examine(Training(number))]


def bounds(seed: int) -> Answer:
    """A sample of everything, for a run in which numba checks every index."""

    def sample() -> Iterator[Question]:
        yield from typed_questions(seed, range(40))
        yield from operation_questions(0, 1, 400, 0)

    count, failures = every_mode(sample(), batch=4, replayed=False)
    for number in (0, 5):
        failures += examine(Training(number), ["program"])
    return count + 2, failures


def corners() -> Answer:
    """Questions that aim at one pass each."""
    return every_mode(corner_questions())
