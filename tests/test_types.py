"""Types: signatures say what goes in and what comes out, and a user's type checker is told so."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"minigrad": 5, "minigrad_course": 5, "class/minigrad_class": 5}  # at most so many of 100 say Any


def annotations(path):
    """The annotations of arguments, results and variables in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            a = node.args
            arguments = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]
            yield from (x for x in (*(x.annotation for x in arguments), node.returns) if x is not None)
        elif isinstance(node, ast.AnnAssign):
            yield node.annotation


@pytest.mark.parametrize("package", PACKAGES)
def test_few_annotations_say_any(package):
    every = [ast.unparse(x) for path in sorted((ROOT / package).rglob("*.py")) for x in annotations(path)]
    share = 100 * every.count("Any") / len(every)
    assert share <= PACKAGES[package], f"{every.count('Any')} of {len(every)}: name what comes in and goes out"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_tells_checkers_that_it_has_types(package):
    assert (ROOT / package / "py.typed").exists()


USE = """
import numpy as np
import minigrad as mg

x = mg.Variable(np.array([1.0, 2.0]), name="x")
loss = mg.mse(mg.sin(x) * 2 + mg.softmax(x), np.zeros(2))
loss.backward()
print(x.grad, loss.value, loss.shape[:1], mg.adjoints(loss, [x]), mg.Graph(loss).forward())
print(mg.grad(lambda w: mg.sum(w * w))(np.ones(3)) + 1, mg.derivative(mg.exp, 0.5), float(mg.exp(0.5)))
model = mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.Tanh(), mg.nn.Linear(3, 2))
output = model(np.ones((4, 2), np.float32))
mg.optim.SGD(0.1).step(model.parameters())
print(mg.concatenate([x, x]).sum(), mg.reshape(x, (1, 2)) @ np.ones((2, 1)), x[0] + x.mean())
"""


def test_a_program_that_uses_the_library_passes(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent", "--cache-dir", "cache", "use.py"]
    run = subprocess.run(command, cwd=tmp_path, env={"MYPYPATH": str(ROOT), "PATH": ""}, capture_output=True, text=True)
    assert run.stdout == "Success: no issues found in 1 source file\n", run.stdout
