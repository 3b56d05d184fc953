"""The campaign as machine code, compared with eager mode as it is where numba compiles.

Each random graph costs half a second, so there are few of them, and others in each run. MINIGRAD_CAMPAIGN_COMPILED sets
how many (8 for each 1,000 of MINIGRAD_CAMPAIGN by default), MINIGRAD_CAMPAIGN_SEED which ones. The large numbers are in
test_in_plain_python.py.
"""

import os
from itertools import islice

import pytest

import minigrad as mg
from minigrad.core.graph import topological_order
from minigrad.core.operation import Operation

from . import GRAPHS, PART, PARTS, SEED, job_process, jobs
from .corners import corner_questions
from .modes import summary
from .questions import operation_questions, special_questions
from .trainings import examine
from .updates import COUNT, PAIRS, Update

pytestmark = pytest.mark.steady

COMPILED = int(os.environ.get("MINIGRAD_CAMPAIGN_COMPILED", GRAPHS // 125))
TRAININGS = min(16, max(2, GRAPHS // 600))
UPDATES = 3


def in_turns(questions):
    return islice(questions, PART, None, PARTS)


APART = COUNT // UPDATES
FIRST = SEED % APART
# What is counted, and who asks. Of each operation: a case of the table, and one in every third kind of number.
QUICK = {
    "random graphs": lambda: jobs.compiled_graphs(SEED, 0, COMPILED),
    "random networks trained for 20 steps": lambda: jobs.trainings(0, TRAININGS),  # tiny ones: seconds for each
}
THOROUGH = {
    "operations' cases": lambda: whole(operation_questions(PART, PARTS, every=400, most=1, turns=True), 16),
    "corners of single passes": lambda: whole(in_turns(corner_questions(1)), 2),
    "special values": lambda: whole(in_turns(special_questions(turns=True)), 16),
    "steps of parameters that read each other": lambda: jobs.updates(FIRST, FIRST + UPDATES * APART, APART),
}


def whole(questions, batch):
    return jobs.every_mode(questions, batch=batch, replayed=False)


@pytest.mark.parametrize(
    "what",
    [*(pytest.param(what, marks=pytest.mark.slow) for what in QUICK)]
    + [pytest.param(what, marks=pytest.mark.thorough) for what in THOROUGH],
)
def test_questions_compiled(what, count):
    asked, failures = (QUICK | THOROUGH)[what]()
    count(f"{what}, compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.thorough
def test_error_cases_compiled(count):
    """Compiled steps and programs refuse the same inputs as eager mode, in the same words, and train nothing."""
    asked, failures = jobs.errors()
    count("error cases, replayed and compiled", asked)
    assert not failures, summary(failures)


@pytest.mark.thorough
def test_a_step_calls_every_operations_own_kernel():
    """Such kernels may make arrays, as those of a sort do, in programs whose own functions make none."""
    made = Update(2 * PAIRS.index(("every kernel", "SGD")))
    loss = made.loss(made.model()(mg.Constant(made.x)), None)
    used = {type(node.op) for node in topological_order(*mg.adjoints(loss, leaves_of(loss)), loss)}
    assert {op for op in operations(Operation) if op.lower is Operation.lower and hasattr(op, "kernel")} <= used
    assert not (failures := examine(made, ["program"])), summary(failures)


def operations(kind):
    """minigrad's operations of this kind."""
    ours = [kind] if kind.__module__.startswith("minigrad.") and "value" in vars(kind) else []
    return [*ours, *(op for sub in kind.__subclasses__() for op in operations(sub))]


def leaves_of(node):
    return [x for x in topological_order(node) if isinstance(x, mg.Variable)]


@pytest.mark.thorough
def test_nothing_reads_or_writes_out_of_bounds(count):
    """With numba's checks of every index: some graphs, and two networks."""
    asked, failures = job_process.start("bounds", SEED, environment=job_process.BOUNDS)
    count("programs run with checked bounds", asked)
    assert not failures, summary(failures)
