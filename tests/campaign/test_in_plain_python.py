"""The campaign in plain Python: eager, replayed, and the text of compiled programs without a compiler.

That needs processes of their own, in which numba is switched off from the start. It costs no compiling, and so it
carries the number; machine code is asked in test_compiled.py. MINIGRAD_CAMPAIGN sets how many random graphs (100000 for
a long run) and scales the other amounts; MINIGRAD_CAMPAIGN_SEED sets which ones: without it, others in each run.
"""

import pytest

from . import GRAPHS, SEED, job_process
from .modes import summary
from .trainings import Training
from .typed_graphs import Typed, shortest
from .updates import COUNT

pytestmark = pytest.mark.steady

PARTS = 2
TRAININGS = 200
SHARE = min(1, GRAPHS / 10_000)  # of what is asked whole in a run of 10,000 graphs


APART = round(1 / SHARE)
JOBS = {  # of jobs.py: what is counted, and the arguments
    "operations": ("operations' cases, replayed and", 0, 1, round(2 / SHARE), 3 if SHARE == 1 else 1),
    "special": ("special values, replayed and",),
    "trainings": ("random networks trained for 20 steps,", 0, round(SHARE * TRAININGS)),
    "updates": ("steps of parameters that read each other,", SEED % APART, COUNT, APART),
    "corners": ("corners of single passes, replayed and",),
    "errors": ("error cases, replayed and",),
}
SLOW = ("operations", "trainings", "updates")


def answers(job, *arguments):
    """Ask in a process without numba's compiler; return the number of questions, and the failures."""
    return job_process.start(job, *arguments, environment=job_process.PLAIN)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_graphs_in_plain_python(part, count):
    """Values and gradients of graphs on numbers of every kind, replayed and as a program, are those of eager mode."""
    asked, failures = answers("graphs", SEED, GRAPHS * part // PARTS, GRAPHS * (part + 1) // PARTS)
    count("random graphs, replayed and in plain Python", asked)
    assert not failures, summary(failures)


@pytest.mark.parametrize("job", [pytest.param(job, marks=[pytest.mark.slow] * (job in SLOW)) for job in JOBS])
def test_other_questions_in_plain_python(job, count):
    """jobs.py says what each asks."""
    what, *arguments = JOBS[job]
    asked, failures = answers(job, *arguments)
    count(f"{what} in plain Python", asked)
    assert not failures, summary(failures)


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
    for of, most in (("kind", 4), ("optimizer_name", 3), ("rate_name", 5), ("loss_name", 3), ("shards", 5)):
        assert len({getattr(training, of) for training in trainings}) == most
    assert str(Training(3)) == str(Training(3))


def test_a_failing_graph_is_shortened():
    """The reported program has as few operations as still fail."""
    long = Typed(SEED, 11)
    short = shortest(SEED, 11, lambda question: len(question.fn.steps) >= 2)
    assert 2 <= len(short.steps) <= len(long.steps)
