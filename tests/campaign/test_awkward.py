"""NumPy's functions on awkward inputs: NumPy's values, shapes, dtypes and refusals, or a reason in docs/limits.md."""

from pathlib import Path

import numpy as np
import pytest

from minigrad.like_numpy import SURFACE

from . import job_process
from .awkward import REASONS, calls, differences
from .modes import summary

LIMITS = Path(__file__).parents[2] / "docs" / "limits.md"
PLAIN_EVERY = 31


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="at its edges each NumPy is another one")
def test_awkward_inputs_give_what_numpy_gives(count):
    """Every cell; and no reason that is not needed."""
    asked, reasons, failures = differences()
    count("calls of NumPy's functions on awkward inputs", asked)
    count("of these, other than NumPy for a reason", reasons.total())
    print(f"\n{asked} cells; " + "; ".join(f"{n} {reason}" for reason, n in reasons.items()))
    assert asked > 20_000
    assert not failures, f"{len(failures)}, the first:\n" + "\n".join(failures[:10])
    assert set(REASONS) == set(reasons)


def test_every_function_is_called():
    """Whatever is registered as a function of NumPy's."""
    assert set(SURFACE) <= {name for name, _ in calls()}


@pytest.mark.thorough
def test_awkward_inputs_in_plain_python(count):
    """A sample of the cells, replayed and as a program, with derivatives, to the last bit."""
    asked, failures = job_process.start("awkward", PLAIN_EVERY, environment=job_process.PLAIN)
    count("awkward inputs, replayed and in plain Python", asked)
    assert asked > 500
    assert not failures, summary(failures)


def test_the_page_of_limits_has_each_reason():
    """As a list of its own, and nothing else in it."""
    _, _, rest = LIMITS.read_text(encoding="utf-8").partition("## Where NumPy's functions differ\n")
    listed = [line for line in rest.partition("\n## ")[0].splitlines() if line.startswith("- ")]
    assert listed == [f"- {reason[0].upper() if reason[0] != '`' else '`'}{reason[1:]}." for reason in REASONS]
