"""Google Colab: its own packages stay as they are beside ours, and lessons run with them. tests/colab.txt is its list.

Colab starts each kernel with the IPython, ipykernel, ipywidgets and notebook of its image. A package that replaces one
of them ends the runtime, so the extra `colab` brings only what is missing there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "colab.txt"
PYTHON = "3.13"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LESSONS = ["02_dual_numbers", "05_computational_graph", "10_first_network"]
# With nbclient mended, as in all of our runs.
CONVERT = f"import sys; sys.path.append({str(ROOT / 'tools')!r}); import wakeup; wakeup.mend()"
CONVERT += "; from nbconvert import nbconvertapp; nbconvertapp.main()"
NOT_NEEDED = {"jupyterlab"}  # Colab has a page of its own


def colabs() -> dict[str, str]:
    """Name -> version of Colab's packages."""
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def needs(*extras: str) -> dict[str, Requirement]:
    """Name -> requirement of the package, with these extras."""
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    return {canonicalize_name(need.name): need for need in map(Requirement, lines)}


def test_colabs_packages_fit_our_ranges():
    there_already = {name: need for name, need in needs("colab").items() if name in colabs()}
    assert set(there_already) >= {"numpy", "scipy", "numba"}
    wrong = [f"{need}: Colab has {colabs()[name]}" for name, need in there_already.items() if not fits(name, need)]
    assert wrong == [], "pip would replace it there"


def fits(name: str, need: Requirement) -> bool:
    return need.specifier.contains(colabs()[name], prereleases=True)


def test_the_extra_brings_what_the_lessons_need():
    missing = needs("course", "pictures").keys() - colabs().keys() - NOT_NEEDED
    assert {canonicalize_name(Requirement(line).name) for line in EXTRAS["colab"]} == missing


# ---------------------------------------------------------------- with the packages themselves

in_earnest = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.skipif(
        "MINIGRAD_NETWORK" not in os.environ, reason="installs Colab's packages from the index: MINIGRAD_NETWORK=1 asks"
    ),
]


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    """The Python of an environment with Colab's packages and ours, and what was installed before and after ours."""
    pytest.importorskip("hatchling", reason="the build tool is not installed")
    folder = tmp_path_factory.mktemp("colab")
    run(colabs_python(), "-m", "venv", folder / "env", at=folder)
    python = folder / "env" / "bin" / "python"
    get = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    reached = subprocess.run([*get, "--no-deps", "--retries", "0", "graphviz"], cwd=folder, capture_output=True)
    if reached.returncode:
        pytest.skip("no package index can be reached")
    run(*get, "--no-deps", "--requirement", LIST, at=folder)
    before = versions(python, folder)
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, at=ROOT)
    [wheel] = folder.glob("*.whl")
    run(*get, f"{PROJECT['name']}[colab] @ {wheel.as_uri()}", at=folder)
    return python, before, versions(python, folder)


def colabs_python() -> str:
    """A Python of Colab's version on this computer."""
    for python in (sys.executable, shutil.which(f"python{PYTHON}")):
        ask = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        if python and subprocess.run(ask, capture_output=True, text=True).stdout.strip() == PYTHON:
            return python
    pytest.skip(f"there is no Python {PYTHON} here, which Colab has")


def run(*command: str | Path, at: Path) -> str:
    """Run a command outside of the repository's own environment; fail with what it said."""
    place = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=at, env=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def versions(python: Path, folder: Path) -> dict[str, str]:
    """Name -> version of what is installed."""
    listed = run(python, "-m", "pip", "list", "--format", "json", "--disable-pip-version-check", at=folder)
    return {canonicalize_name(package["name"]): package["version"] for package in json.loads(listed)}


class TestInEarnest:
    pytestmark = in_earnest

    def test_none_of_colabs_packages_changes(self, colab):
        _, before, after = colab
        assert before == colabs()
        assert {name: version for name, version in after.items() if name in before} == before
        new = after.keys() - before.keys()
        # Is one of them on Colab's whole list? Then it belongs into tests/colab.txt.
        assert new == {PROJECT["name"], *(Requirement(line).name for line in EXTRAS["colab"])}

    @pytest.mark.parametrize("lesson", LESSONS)
    def test_a_lesson_runs(self, colab, tmp_path, lesson):
        """From the notebook alone, as Colab opens it."""
        shutil.copy(ROOT / "notebooks" / f"{lesson}.ipynb", tmp_path)
        convert = [colab[0], "-c", CONVERT, "--to", "notebook", "--execute", "--ExecutePreprocessor.timeout=300"]
        convert += ["--ExecutePreprocessor.kernel_name=python3", "--output=ran", f"{lesson}.ipynb"]
        run(*convert, at=tmp_path)
        cells = json.loads((tmp_path / "ran.ipynb").read_text(encoding="utf-8"))["cells"]
        outputs = json.dumps([output for cell in cells for output in cell.get("outputs", ())])
        assert "image/png" in outputs or "minigrad-picture" in outputs
        assert "so they are text" not in outputs, "graphs are drawn"
        assert '"stderr"' not in outputs
