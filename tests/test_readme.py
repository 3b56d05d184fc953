"""Commands that the README shows, and figures that it quotes."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from minigrad.like_numpy import SURFACE
from minigrad.native import jit
from minigrad_course import prepare

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["grade 05", "tutor 05", "progress", "doctor"])
def test_commands_of_the_shell(command):
    done = subprocess.run(
        [sys.executable, "-m", "minigrad_course.cli", *command.split()], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr  # 1: exercise 05 is empty, or the doctor has something to mend
    assert done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.skipif(sys.prefix != str(ROOT / ".venv"), reason="make lab would set up another environment")
@pytest.mark.parametrize(
    "arguments",
    [
        ["SIZE=full", "ARGS=--port=9137"],
        ["ARGS=--ip=0.0.0.0 --port=9138"],
    ],
)
def test_make_lab_says_where_the_course_is_open(arguments, tmp_path, monkeypatch):
    environment = os.environ | {"SSH_CONNECTION": "so that no browser opens", "MINIGRAD_DATA": str(tmp_path)}
    environment |= {"JUPYTER_RUNTIME_DIR": str(tmp_path), "MINIGRAD_CACHE_DIR": str(tmp_path)}
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    prepare._mark().touch()  # or kernels would be compiled in the background, long after this test
    made_with = f"PYTHON={sys._base_executable}"  # for another Python .venv would be made anew
    process = subprocess.Popen(
        ["make", "lab", made_with, *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        text, until = "", time.monotonic() + 120
        while "Ctrl-C here ends" not in text and time.monotonic() < until and process.poll() is None:
            text += process.stdout.readline()
        assert re.search(r"http://\S+:913[78]/lab/tree/notebooks/00_start.ipynb\?token=\w+", text), text
        assert ("full" if "SIZE=full" in arguments else "small") + " size" in text
    finally:
        os.killpg(process.pid, 15)
        process.wait(30)


def test_make_lab_takes_the_given_python():
    command = ["make", "--no-print-directory", "--dry-run", "lab", "PYTHON=/path/to/python3.12"]
    dry = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert dry.stdout.split()[:3] == ["/path/to/python3.12", "tools/run.py", "lab"], dry.stderr


def test_the_promised_number_of_numpy_functions_works():
    assert len(SURFACE) > int(re.search(r"More than (\d+) of NumPy's functions", README)[1])
