"""With NUMBA_DISABLE_JIT=1 the text of a program runs in plain Python, and says what the machine code says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.thorough  # the campaign runs the same kinds of graphs in plain Python
def test_plain_python_says_the_same():
    """All of test_one_meaning.py again, in a process without numba's compiler."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    for name in ("PYTEST_ADDOPTS", "MINIGRAD_CAMPAIGN"):  # the latter would ask a third of them
        environment.pop(name, None)
    done = subprocess.run(
        [*command, "tests/test_one_meaning.py"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:]
