"""The five minutes that CONTRIBUTING.md promises: its code, run as it stands."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad.core import rules

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture(scope="module")
def names():
    """Run the page's code; return its names and output. Its first block is a row of rules.py, so it goes there."""
    row, *others = BLOCKS
    result = {"rule": lambda *texts, **options: rules.rule(*texts, **options, name="softsign")}
    exec(row, result)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as printed:
        patch.setattr(rules, "softsign", result["softsign"], raising=False)
        for block in others:
            exec(block, result)
    return result | {"printed": printed.getvalue()}


def test_the_code_of_the_page_runs_and_its_derivatives_are_right(names):
    softsign, running_sum = names["softsign"], names["running_sum"]
    x = np.array([-1.0, 0.5, 3.0])
    np.testing.assert_allclose(softsign(x), x / (1 + abs(x)), rtol=1e-15)
    np.testing.assert_allclose(mg.jacobian(running_sum)(x), np.tril(np.ones((3, 3))))
    assert names["printed"].startswith("[0.25       0.44444444 0.0625    ]\n0.25 -0.25\n")
    assert names["printed"].count("gradients agree") == 3


def test_the_new_operation_runs_again_in_its_place(names):
    running_sum = names["running_sum"]
    x = mg.Variable([1.0, 2.0, 3.0])
    graph = mg.Graph(mg.sum(running_sum(x) * x))
    x.value = [3.0, 1.0, 1.0]
    assert graph.forward() == 3 * 3 + 4 * 1 + 5 * 1


def test_the_new_operation_compiles(names):
    """With any number of axes."""
    for shape in ((4,), (3, 2), (2, 2, 3)):
        x = mg.Variable(np.random.default_rng(0).normal(size=shape), name="x")
        y = mg.sum(mg.sin(names["running_sum"](x)))
        value, slope = mg.compile_graph([y, *mg.adjoints(y, [x])])(x.value)
        y.backward()
        assert value == pytest.approx(y.value, rel=1e-14)
        np.testing.assert_allclose(slope, x.grad, rtol=1e-13)


@pytest.mark.thorough
def test_pytest_by_itself_collects_everything():
    """Two files of one name in different folders, neither of them a package, end it."""
    done = subprocess.run([sys.executable, "-m", "pytest", "--collect-only", "-q"], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stdout[-3000:]
