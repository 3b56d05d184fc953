"""The five minutes that CONTRIBUTING.md promises: its code, run as it stands."""

import re
from pathlib import Path

import numpy as np

import minigrad as mg
from minigrad import rules

TEXT = (Path(__file__).resolve().parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def names_after_running():
    """What the page defines. Its first block is a row of rules.py, so it is given the name that rules.py would give."""
    row, *others = BLOCKS
    names = {"rule": lambda *texts, **options: rules.rule(*texts, **options, name="softsign")}
    exec(row, names)
    for block in others:
        exec(block, names)
    return names


def test_the_code_of_the_page_runs_and_its_derivatives_are_right(capsys):
    names = names_after_running()
    softsign, running_sum = names["softsign"], names["running_sum"]
    x = np.array([-1.0, 0.5, 3.0])
    np.testing.assert_allclose(softsign(x), x / (1 + abs(x)), rtol=1e-15)
    np.testing.assert_allclose(names["x"].grad, 1 / (1 + abs(x)) ** 2, rtol=1e-15)
    np.testing.assert_allclose(mg.jacobian(running_sum)(x), np.tril(np.ones((3, 3))))
    assert "0.25" in capsys.readouterr().out


def test_the_new_operation_runs_again_in_its_place():
    running_sum = names_after_running()["running_sum"]
    x = mg.Variable([1.0, 2.0, 3.0])
    graph = mg.Graph(mg.sum(running_sum(x) * x))
    x.value = [3.0, 1.0, 1.0]
    assert graph.forward() == 3 * 3 + 4 * 1 + 5 * 1
