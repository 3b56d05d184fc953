"""Functions of PyTorch and JAX in explore: sixty of each."""

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIBRARIES = [
    pytest.param(library, marks=[pytest.mark.torch] * (module == "torch") + [
        pytest.mark.skipif(find_spec(module) is None, reason=f"compares with {library}")])
    for library, module in (("pytorch", "torch"), ("jax", "jax"))
]  # fmt: skip
MODULES = {"pytorch": "torch", "jax": "jax.numpy"}
TITLES = {"pytorch": "layer(x)", "jax": "f(x=3, y=5)"}  # of the calls in the guide
MISSING = {  # of each library: the functions with an operation that is named as missing
    "pytorch": {40: "_linalg_det"},
    "jax": {19: "cumprod", 39: "lu"},
}


def python(*arguments):
    """Run Python in a process of its own: the threads of two libraries do not go together."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=HERE, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.turns
@pytest.mark.parametrize("library", LIBRARIES)
def test_values_and_gradients_are_theirs(library):
    answers = dict(map(json.loads, python("functions_of_guests.py", library, "SIXTY").splitlines()))
    assert len(answers) == 60
    worked = {number: answer for number, answer in answers.items() if isinstance(answer, list)}
    print(f"\n{len(worked)} of {len(answers)} for {library}")
    print("largest difference of values, of gradients:", [max(a[k] for a in worked.values()) for k in (0, 1)])
    others = {number: answer for number, answer in answers.items() if number not in worked}
    print(others)
    expected = MISSING[library]
    assert others.keys() == expected.keys(), others
    for number, name in expected.items():
        assert f"'s {name} (at " in others[number]
        assert "CONTRIBUTING.md" in others[number]
    assert all(max(values, gradients) < 1e-12 for values, gradients, _ in worked.values())


def test_our_functions_load_neither_library():
    explored = "import sys, minigrad as mg; mg.explore(lambda x: x * mg.sin(x), 3.0)"
    python("-c", f"{explored}; assert not {{'torch', 'jax'}} & {{*sys.modules}}")


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.turns
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_code_of_the_guide_runs(library, tmp_path):
    """A warning would be that values or gradients differ from theirs."""
    text = (HERE.parent / "docs" / "others.md").read_text(encoding="utf-8")
    [block] = [
        code for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if f"import {MODULES[library]}" in code
    ]
    page = tmp_path / "page.py"
    page.write_text(block.replace("\nmg.explore(", "\nshown = mg.explore(") + "print(shown.text)\n", encoding="utf-8")
    assert python("-W", "error::UserWarning", str(page)).startswith(f"{TITLES[library]}\n")
