"""The five minutes that CONTRIBUTING.md promises, and operations on arrays in docs/authors.md: their code, run."""

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
from minigrad_course.check import GradientError

ROOT = Path(__file__).resolve().parent.parent
ROW, USE, WRONG, RIGHT, SUMS, MIRROR, _ = [
    block
    for page in ("CONTRIBUTING.md", "docs/authors.md")
    for block in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
]


@pytest.fixture(scope="module")
def names():
    """Run the pages' code; return its names and output. The first block is a row of rules.py, so it goes there."""
    result = {"rule": lambda *texts, **options: rules.rule(*texts, **options, name="softsign")}
    exec(ROW, result)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as printed:
        patch.setattr(rules, "softsign", result["softsign"], raising=False)
        for block in (USE, SUMS, MIRROR):
            exec(block, result)
    return result | {"printed": printed.getvalue()}


def test_the_code_of_the_page_runs(names):
    softsign, running_sum = names["softsign"], names["running_sum"]
    x = np.array([-1.0, 0.5, 3.0])
    np.testing.assert_allclose(softsign(x), x / (1 + abs(x)), rtol=1e-15)
    np.testing.assert_allclose(mg.jacobian(running_sum)(x), np.tril(np.ones((3, 3))))
    assert names["printed"].count("gradients agree") == 4


def test_a_limit_without_a_slope_is_found(names, capsys):
    with pytest.raises(GradientError, match=re.escape("they differ by 3.3e+00")):
        exec(WRONG, names)
    exec(RIGHT, names)
    assert "gradients agree" in capsys.readouterr().out
    sinc = names["sinc"]
    for x in (0.0, 1e-8, 0.0499, 0.0501, -0.3, 2.0):
        t = (np.arange(10_000) + 0.5) / 10_000  # sinc x is the integral of cos(pi x t) for t from 0 to 1
        bend = -np.mean((np.pi * t) ** 2 * np.cos(np.pi * x * t))
        assert mg.grad(mg.grad(sinc))(x) == pytest.approx(bend, abs=1e-6)
    x = mg.Variable(np.array([0.0, 0.3, -2.5]), name="x")
    np.testing.assert_allclose(mg.compile_graph([sinc(x)])(x.value), np.sinc(x.value), atol=1e-15)


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
