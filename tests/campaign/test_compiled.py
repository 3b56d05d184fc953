"""The campaign as machine code, compared with eager mode as it is where numba compiles.

Each random graph costs half a second, so there are few of them, and others in each run. MINIGRAD_CAMPAIGN_COMPILED sets
how many, MINIGRAD_CAMPAIGN_SEED which ones. test_in_plain_python.py carries the number.
"""

import os

import pytest

from . import jobs, worker
from .corners import corner_questions
from .jobs import SEED
from .modes import summary
from .questions import operation_questions, special_questions

COMPILED = int(os.environ.get("MINIGRAD_CAMPAIGN_COMPILED", 80))
TRAININGS = 16


@pytest.mark.slow
def test_random_graphs_compiled(count):
    """Values and gradients of graphs on numbers of every kind."""
    asked, failures = jobs.compiled_graphs(SEED, 0, COMPILED)
    count("random graphs, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
def test_operations_compiled(count):
    """Of each operation a case of the table, and one in every third kind of number."""
    asked, failures = jobs.every_mode(operation_questions(every=400, most=1, turns=True), batch=16, replayed=False)
    count("operations' cases, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
def test_corners_compiled(count):
    """Questions that aim at one pass each."""
    asked, failures = jobs.every_mode(corner_questions(1), batch=2, replayed=False)
    count("corners of single passes, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
def test_error_cases_compiled(count):
    """What eager mode refuses compiled steps and programs refuse, in the same words, and train nothing."""
    asked, failures = jobs.errors()
    count("error cases, replayed and compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
def test_special_values_compiled(count):
    """nan for nan, infinity for infinity, ties and corners."""
    asked, failures = jobs.every_mode(special_questions(turns=True), batch=16, replayed=False)
    count("special values, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
def test_training_compiled(count):
    """Twenty steps of random networks, tiny ones: the compiler takes a second or two for each."""
    asked, failures = jobs.trainings(0, TRAININGS)
    count("random networks trained for 20 steps, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.slow
def test_nothing_reads_or_writes_out_of_bounds(count):
    """With numba's checks of every index: some graphs, and two networks."""
    asked, failures = worker.start("bounds", SEED, environment=worker.BOUNDS)
    count("programs run with checked bounds", asked)
    assert not failures, summary(failures)
