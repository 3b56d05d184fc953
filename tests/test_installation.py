"""Each message that names a command names one that works in the installation that it is read in."""

import ast
import json
import re
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from minigrad.guards import installation
from minigrad.guards.installation import command, fetch, install

ROOT = Path(__file__).resolve().parent.parent
WHEEL = "file:///tmp/minigrad_course-0.1.0-py3-none-any.whl"
FROM = f'"minigrad-course[course] @ {WHEEL}"'
RECEIPT = '[tool]\nrequirements = [{ name = "minigrad-course" }, { name = "fsrs" }]\nentrypoints = [\n'
TOOL = "uv tool install --force"
CPU = "--index-url https://download.pytorch.org/whl/cpu"


@pytest.fixture
def python(monkeypatch, tmp_path):
    """Set the stage for one way to install: python(way) makes the file by which it is known; PY is its Python."""

    def environment(way):
        prefix = tmp_path / {"clone": ".venv", "uvx": "archive-v0"}.get(way, "env")
        files = {"conda": "conda-meta/history", "uv tool": "uv-receipt.toml", "pipx": "pipx_metadata.json"}
        for file in (prefix / files.get(way, "pyvenv.cfg"), tmp_path / "Makefile", prefix / "bin/minigrad"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(RECEIPT + '    { name = "minigrad", install-path = "x" }]\n')
        for what, name, value in (
            (sys, "prefix", str(prefix)), (sys, "executable", "PY"), (installation, "CLONE", tmp_path),
            (installation.importlib.util, "find_spec", lambda name: None if way == "uv" else name),
            (metadata, "distribution", lambda name: SimpleNamespace(read_text=lambda _: json.dumps({"url": WHEEL}))),
            (installation, "_in_a_notebook", lambda: way == "notebook"),
            ("sysconfig", "get_path", lambda name: str(prefix / "bin")),
            ("shutil", "which", lambda name: None if way == "windows" else str(prefix / "bin" / name)),
        ):  # fmt: skip
            monkeypatch.setattr(sys.modules[what] if isinstance(what, str) else what, name, value)

    return environment


@pytest.mark.parametrize(
    ("way", "course", "package", "torch", "lab"),
    [
        ("clone", "make lab", "PY -m pip install tqdm", f"PY -m pip install torch {CPU}", "make lab SIZE=full"),
        ("pip", f"PY -m pip install {FROM}", "PY -m pip install tqdm", f"PY -m pip install torch {CPU}", ""),
        ("notebook", f"%pip install {FROM}", "%pip install tqdm", f"%pip install torch {CPU}", ""),
        ("uv", f"uv pip install --python PY {FROM}", "uv pip install --python PY tqdm",
         "uv pip install --python PY torch --torch-backend cpu", ""),
        ("uv tool", f"{TOOL} --with fsrs {FROM}", f"{TOOL} --with fsrs --with tqdm {FROM}",
         f"{TOOL} --torch-backend cpu --with fsrs --with torch {FROM}", ""),
        ("uvx", f"uvx --from {FROM} minigrad lab", f"uvx --with tqdm --from {FROM} minigrad lab",
         f"uvx --torch-backend cpu --with torch --from {FROM} minigrad lab",
         f"uvx --from {FROM} minigrad lab --size full"),
        ("pipx", f"pipx install --force {FROM}", "pipx inject minigrad-course tqdm",
         f'pipx inject minigrad-course torch --pip-args="{CPU}"', ""),
        ("conda", f"PY -m pip install {FROM}", "conda install --channel conda-forge tqdm",
         "conda install --channel conda-forge pytorch-cpu", ""),
    ],
)  # fmt: skip
def test_each_way_to_install_has_its_commands(python, way, course, package, torch, lab):
    python(way)
    commands = install("[course]"), install("tqdm"), install("torch"), command("lab", "--size", "full")
    assert commands == (course, package, torch, lab or "minigrad lab --size full")
    assert '"numba==0.68.*"' in install("numba==0.68.*"), "a shell would take the star for a file"


def test_a_clone_has_its_own_commands(python, tmp_path):
    python("clone")
    assert install("minigrad-class") == "make class"
    (tmp_path / ".git").mkdir()
    assert fetch(tmp_path / "tests.json") == f"git -C {tmp_path} checkout HEAD -- tests.json"
    python("conda")
    (tmp_path / "environment.yml").touch()
    assert install("[course]") == f"conda env update --file {tmp_path}/environment.yml"


def test_without_make_a_command_is_spelled_out(python, monkeypatch, tmp_path):
    python("windows")
    assert command("grade", "my file.ipynb") == f'{tmp_path}/env/bin/minigrad grade "my file.ipynb"'
    assert fetch(tmp_path / "tests.json") == f"delete it, and {tmp_path}/env/bin/minigrad lab"
    (tmp_path / "env/bin/minigrad").unlink()
    assert command("doctor") == "PY -m minigrad_course.cli doctor"
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    assert command("lab", "--size", "full") == "python tools/run.py lab --size full"
    monkeypatch.setattr(sys, "platform", "wasi")
    assert (install("tqdm"), command("lab")) == ("the course on a computer has it", "minigrad lab")


def test_no_other_file_says_how_something_is_installed():
    """Of all texts in the packages that a program could print: those of docstrings are not."""
    named = re.compile(r"\b(pip|conda|uv|pipx|uvx)3? (install|inject|tool|--from)|\bmake (lab|class|install)\b|git -C")
    for package in ("minigrad", "minigrad_course", "class/minigrad_class"):
        for path in (ROOT / package).rglob("*.py"):
            if path.name in ("installation.py", "gradescope.py"):  # the latter's is a script for a machine of its own
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            spoken = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
                    assert not named.search(node.value), f"{path}:{node.lineno}: {node.value}"
