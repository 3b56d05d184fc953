"""Functions of PyTorch and JAX in explore: sixty of each."""

import json
import os
import re
import subprocess
import sys
import textwrap
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


LINES = """
    import sys, warnings
    import numpy as np
    import minigrad as mg
    {imports}

    def f(x, n, scale=0.5):
        h = {np}.tanh(x)
        for k in range(n):
            h = h * x[k]
        return scale * h

    x = {array}
    explorer = mg.explore(f, x, 2, scale=3.0)
    print(explorer.text)
    assert explorer.story["source"]
    assert mg.explore(f, x, 2, mode="forward").text
    compiled = mg.explore({scalar}, x).compiled  # its lines quote this one
    assert compiled[0][0].startswith("def program(x"), compiled
    assert {{str(node.dtype) for node in explorer.record.nodes if node.shape}} == {{"float32"}}
    try:
        mg.explore({unknown}, x)
    except NotImplementedError as error:
        print(error)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mg.explore({own}, x)
    print([str(w.message) for w in caught])
"""
WORDS = {
    "pytorch": {
        "imports": """import torch
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.sin(x)
        @staticmethod
        def backward(ctx, seed):
            return 2 * seed
    """, "np": "torch", "array": "torch.tensor([0.5, 1.0, 2.0])", "scalar": "lambda x: torch.tanh(x).sum()",
        "unknown": "lambda x: torch.special.i1(x) * x", "own": "Doubled.apply",
    },
    "jax": {
        "imports": """import jax, jax.numpy as jnp
    @jax.custom_vjp
    def doubled(x):
        return jnp.sin(x)
    doubled.defvjp(lambda x: (jnp.sin(x), None), lambda _, seed: (2 * seed,))
    """, "np": "jnp", "array": "jnp.array([0.5, 1.0, 2.0])", "scalar": "lambda x: jnp.tanh(x).sum()",
        "unknown": "lambda x: jax.lax.lgamma(x) * x", "own": "doubled",
    },
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.turns
@pytest.mark.parametrize("library", LIBRARIES)
def test_all_views_show_a_function_of_theirs(library, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(LINES).replace("{imports}", "IMPORTS").format(**WORDS[library]).replace(
        "IMPORTS", textwrap.dedent("    " + WORDS[library]["imports"])))  # fmt: skip
    text = python(str(program))
    rows = [line.split()[1:4:2] for line in text.splitlines() if " = " in line and "tanh(x)" in line]
    assert rows
    assert "h = v" in text  # the last h has the local variable's name
    assert "h = h * x[k]" in text  # the source
    assert "minigrad has nothing yet in the place of" in text
    assert "another derivative by " in text


def test_neither_library_is_loaded_for_a_function_of_ours():
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
