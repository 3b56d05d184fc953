"""The campaign in all modes: eager, replayed, compiled, and the compiled text in plain Python.

Plain Python needs a process of its own, in which numba is switched off from the start; it costs no compiling, and so it
carries the number. Machine code costs a third of a second for each random graph the first time, and a fiftieth once it
is on disk: of the COMPILED graphs that a run asks, at most NEW are compiled anew, so a folder of machine code that was
empty fills up over several runs. MINIGRAD_CAMPAIGN sets how many graphs (100000 for a long run) in plain Python,
MINIGRAD_CAMPAIGN_COMPILED and MINIGRAD_CAMPAIGN_NEW those as machine code, MINIGRAD_CAMPAIGN_SEED which ones.
"""

import os

import pytest

from . import jobs, worker
from .corners import corner_questions
from .modes import Failure, summary
from .networks import Training
from .questions import operation_questions, special_questions
from .typed_graphs import Typed, shortest

SEED = int(os.environ.get("MINIGRAD_CAMPAIGN_SEED", 1))
GRAPHS = int(os.environ.get("MINIGRAD_CAMPAIGN", 10_000))
COMPILED = int(os.environ.get("MINIGRAD_CAMPAIGN_COMPILED", 2_000))
NEW = int(os.environ.get("MINIGRAD_CAMPAIGN_NEW", 80))
PARTS = 8
TRAININGS, COMPILED_TRAININGS = 200, 16
NO_COMPILER = {"NUMBA_DISABLE_JIT": "1"}
BOUNDS = {"NUMBA_BOUNDSCHECK": "1"}


def told(answer: dict) -> str:
    """The failures of a child process, or nothing."""
    failures = [Failure(**failure) for failure in answer["failures"]]
    return summary(failures) if failures else ""


# ---------------------------------------------------------------- in plain Python


@pytest.mark.parametrize("part", range(PARTS))
def test_random_graphs_in_plain_python(part, count):
    """Values and gradients of graphs on numbers of every kind, replayed and as a program, are those of eager mode."""
    answer = worker.start("graphs", SEED, GRAPHS * part // PARTS, GRAPHS * (part + 1) // PARTS, environment=NO_COMPILER)
    count("random graphs, replayed and in plain Python", answer["count"])
    assert not told(answer), told(answer)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_operations_in_plain_python(part, count):
    """Every gradient case; and other dtypes, mixed, integers and truth values."""
    answer = worker.start("operations", part, PARTS, 2, 3, environment=NO_COMPILER)
    count("operations' cases, replayed and in plain Python", answer["count"])
    assert not told(answer), told(answer)


def test_special_values_in_plain_python(count):
    """nan for nan, infinity for infinity, ties and corners."""
    answer = worker.start("special", environment=NO_COMPILER)
    count("special values, replayed and in plain Python", answer["count"])
    assert not told(answer), told(answer)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_training_in_plain_python(part, count):
    """Twenty steps of random networks."""
    answer = worker.start("trainings", TRAININGS * part // 4, TRAININGS * (part + 1) // 4, environment=NO_COMPILER)
    count("random networks trained for 20 steps, in plain Python", answer["count"])
    assert not told(answer), told(answer)


def test_corners_in_plain_python(count):
    """Questions that aim at one pass each."""
    answer = worker.start("corners", environment=NO_COMPILER)
    count("corners of single passes, replayed and in plain Python", answer["count"])
    assert not told(answer), told(answer)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_mistake_in_the_compiler_is_noticed(part, count):
    """Lines of linearizer, passes, schedule, memory plan, emitter, kernels and shards, replaced by wrong ones."""
    answer = worker.start("survivors", part, 4, environment=NO_COMPILER)
    count("mistakes planted in the compiler", answer["count"])
    count("mistakes in the compiler caught", answer["count"] - len(answer["failures"]))
    assert not told(answer), told(answer)


# ---------------------------------------------------------------- as machine code


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_random_graphs_compiled(part, count):
    """The same as machine code, compared with eager mode as it is where numba compiles."""
    numbers = range(COMPILED * part // PARTS, COMPILED * (part + 1) // PARTS)
    asked, failures = jobs.compiled_graphs(SEED, numbers, NEW // PARTS)
    count("random graphs, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_operations_compiled(part, count):
    """Of each operation a case of the table, and one in every third kind of number."""
    asked, failures = jobs.every_mode(operation_questions(part, PARTS, 400, 1, turns=True), batch=16, replayed=False)
    count("operations' cases, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
def test_corners_compiled(count):
    """Questions that aim at one pass each."""
    asked, failures = jobs.every_mode(corner_questions(1), batch=2, replayed=False)
    count("corners of single passes, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
def test_special_values_compiled(count):
    """nan for nan, infinity for infinity, ties and corners."""
    asked, failures = jobs.every_mode(special_questions(turns=True), batch=16, replayed=False)
    count("special values, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_training_compiled(part, count):
    """Twenty steps of random networks, tiny ones: the compiler takes a second or two for each."""
    start, stop = COMPILED_TRAININGS * part // 4, COMPILED_TRAININGS * (part + 1) // 4
    asked, failures = jobs.trainings(start, stop)
    count("random networks trained for 20 steps, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
def test_nothing_reads_or_writes_out_of_bounds(count):
    """With numba's checks of every index: some graphs, and two networks."""
    answer = worker.start("bounds", SEED, environment=BOUNDS)
    count("programs run with checked bounds", answer["count"])
    assert not told(answer), told(answer)


# ---------------------------------------------------------------- what is asked


def test_typed_graphs_are_what_they_promise():
    """The same number is the same graph; they use many operations, all kinds of numbers, and empty arrays."""
    programs = [Typed(SEED, number) for number in range(600)]
    assert str(Typed(SEED, 7)) == str(Typed(SEED, 7)) != str(Typed(SEED, 8)).replace("graph 8", "graph 7")
    assert len({name.split()[0] for program in programs for name, _, _ in program.steps}) > 60
    assert {str(x.dtype) for p in programs for x in p.inputs} >= {"float32", "float64", "int8", "uint8", "bool"}
    assert any(x.size == 0 for program in programs for x in program.inputs)
    assert any(x.shape == () for program in programs for x in program.inputs)


def test_trainings_are_what_they_promise():
    """All kinds of networks, optimizers, schedules, losses, dtypes and numbers of shards occur."""
    trainings = [Training(number) for number in range(TRAININGS)]
    for of, most in (("kind", 3), ("optimizer_name", 3), ("rate_name", 5), ("loss_name", 3), ("shards", 5)):
        assert len({getattr(training, of) for training in trainings}) == most
    assert str(Training(3)) == str(Training(3))


def test_a_failing_graph_is_shortened():
    """What is reported is the program with as few operations as still fail."""
    long = Typed(SEED, 11)
    short = shortest(SEED, 11, lambda question: len(question.fn.steps) >= 2)
    assert 2 <= len(short.steps) <= len(long.steps)
