"""docs/coming_from.md: both sides of a row are one number, and all that stands for minigrad runs."""

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg

PAGE = (Path(__file__).parents[1] / "docs" / "coming_from.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n")[0]: part for part in PAGE.split("\n## ")[1:]}
IMPORTS = {"PyTorch": "import torch", "JAX": "import jax, jax.numpy as jnp"}
OURS = {
    "PyTorch": re.findall(r"```python\n(.*?)```", SECTIONS["PyTorch"], re.DOTALL)[1],
    "JAX": re.findall(r"```python\n(.*?)```", SECTIONS["JAX"], re.DOTALL)[1],
    "micrograd": "v = mg.Variable(2.0); y = mg.relu(v * v); y.backward()",
}
ASK = """
import json
def plain(x):
    return [plain(part) for part in x] if isinstance(x, tuple) else x.tolist() if hasattr(x, "tolist") else x
print(json.dumps([plain(eval(row)) for row in json.loads(input())]))
"""


def rows(section, table):
    """The first two columns of a table of the page."""
    lines = SECTIONS[section].split("|---|---|---|\n")[table + 1].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.split("|")[1:3]] for line in lines]


def numbers(x):
    parts = x if isinstance(x, list | tuple) else [x]
    return np.concatenate(
        [numbers(y) if isinstance(y, list | tuple) else np.ravel(getattr(y, "value", y)) for y in parts]
    )


@pytest.mark.torch
@pytest.mark.parametrize("library", IMPORTS)
def test_both_sides_are_the_same_numbers(library):
    if find_spec({"PyTorch": "torch", "JAX": "jax"}[library]) is None:
        pytest.skip(f"{library} is not installed")
    pairs = [[cell.strip("`") for cell in row] for row in rows(library, 0)]
    theirs = re.search(r"```python\n(.*?)```", SECTIONS[library], re.DOTALL)[1]
    code, asked = f"{IMPORTS[library]}\n{theirs}{ASK}", json.dumps([left for left, _ in pairs])
    done = subprocess.run([sys.executable, "-c", code], input=asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = {"mg": mg, "np": np}
    exec(OURS[library], names)
    for (left, right), result in zip(pairs, json.loads(done.stdout), strict=True):
        np.testing.assert_allclose(numbers(eval(right, names)), numbers(result), rtol=2e-6, atol=1e-6, err_msg=left)


@pytest.mark.parametrize(
    ("section", "table"), [("PyTorch", 0), ("PyTorch", 1), ("JAX", 0), ("JAX", 1), ("micrograd", 0)]
)
def test_all_that_stands_for_minigrad_runs(section, table):
    names = {"mg": mg, "np": np}
    exec(OURS[section], names)
    codes = [code for _, right in rows(section, table) for code in re.findall("`([^`]+)`", right)]
    assert len(codes) > 3
    for code in codes:
        eval(code, names)
