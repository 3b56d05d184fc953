"""The set-up: lists that must agree, a README that keeps its word, and how tools/setup.py judges a .venv. Offline."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14", "3.15")
CONDA_NAMES = {"graphviz": "python-graphviz", "torch": "pytorch-cpu"}
IN_CONDA = ("course", "pictures", "memory", "torch", "test")  # extras that environment.yml offers

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CI = (ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8")


def load(name: str):
    """A script of tools/ as a module; one that imports another one finds it, as when it is run."""
    spec = importlib.util.spec_from_file_location(f"tools_{name}", ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        spec.loader.exec_module(module)
    return module


def pins(python: str) -> dict[str, str]:
    """Name -> the one version that constraints.txt gives this Python."""
    result, here = {}, {"python_version": python, "python_full_version": f"{python}.9"}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pin = Requirement(line)
            if pin.marker is None or pin.marker.evaluate(here):
                assert pin.name not in result, f"two pins of {pin.name} for Python {python}"
                result[pin.name] = str(pin.specifier)
    return result


# ---------------------------------------------------------------- lists in step


@pytest.mark.parametrize("python", PYTHONS)
def test_every_requirement_has_one_exact_pin(python):
    everything = [*PROJECT["dependencies"], *PYPROJECT["build-system"]["requires"], "uv"]
    everything += [need for needs in EXTRAS.values() for need in needs]
    for need in map(Requirement, everything):
        if need.name != PROJECT["name"]:
            pin = pins(python).get(canonicalize_name(need.name), "none")
            assert pin.startswith("=="), f"constraints.txt does not pin {need.name} for Python {python}: {pin}"
            assert need.specifier.contains(pin[2:]), f"{need.name}{pin} is outside of {need.specifier}"


def test_pins_cover_the_needs_of_installed_packages():
    pinned, needed = pins(f"{sys.version_info[0]}.{sys.version_info[1]}"), set()
    for name in pinned:
        try:
            needs = map(Requirement, metadata.requires(name) or [])
        except metadata.PackageNotFoundError:
            continue
        needed |= {canonicalize_name(n.name) for n in needs if n.marker is None or n.marker.evaluate({"extra": ""})}
    gpu = re.compile(r"nvidia|cuda|triton")  # a CUDA build that somebody asked for: its libraries are not ours to pin
    assert not {name for name in needed - pinned.keys() if not gpu.match(name)}


def test_no_pin_names_an_address():
    assert "://" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert not [*ROOT.glob("*.lock")]


def test_environment_yml_has_the_ranges_of_pyproject():
    def normal(needs):
        return {name: ",".join(sorted(text.strip().split(","))) for name, text in needs.items()}

    expected = {"python": PROJECT["requires-python"]}
    for line in [*PROJECT["dependencies"], *(need for extra in IN_CONDA for need in EXTRAS[extra])]:
        need = Requirement(line)
        expected[CONDA_NAMES.get(need.name, need.name)] = str(need.specifier)
    entries = re.findall(r"^  - ([\w-]+)(?: +([<>=][^#\n]*))?", (ROOT / "environment.yml").read_text(), re.MULTILINE)
    conda = {name: text for name, text in entries if name not in ("conda-forge", "nodefaults", "pip")}
    assert normal(conda) == normal(expected)


# ---------------------------------------------------------------- README, Makefile, CI


TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/authors.md", "docs/two_minutes.md"])
def test_named_make_targets_and_linked_files_exist(page):
    text = re.sub(r"<!--.*?-->", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    named = set(re.findall(r"(?:^ {4}|`|\S=\S+ )make ([a-z-]+)", text, re.MULTILINE))
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if not link.startswith("http")]
    assert named
    assert named <= TARGETS
    assert links
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


def test_the_readme_example_prints_what_it_says():
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    promised = re.findall(r"(\d+\.\d+)\.\.\.", code)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    printed = done.stdout.split()
    assert len(promised) == len(printed) == 2
    assert all(number.startswith(start) for number, start in zip(printed, promised, strict=True))


def test_a_wheel_brings_the_packages_data(tmp_path):
    pytest.importorskip("hatchling", reason="the build tool is not installed")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    names = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    for package in ("minigrad", "minigrad_course"):
        files = [path for path in (ROOT / package).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        assert {path.relative_to(ROOT).as_posix() for path in files} <= names
    assert "minigrad_course/data/digits.npz" in names
    lesson, solution = "notebooks/00_start.ipynb", "solutions/05_computational_graph/05_computational_graph.ipynb"
    for part in (lesson, solution, "sources/project/engine.py"):
        assert f"minigrad_course/course_files/{part}" in names
    # Nothing in it grades others: that is minigrad-class, in a wheel of its own.
    assert not [name for name in names if re.search(r"minigrad_class|sandbox\.py|variation\.py|variants\.py", name)]
    words = [*build[:-1], str(tmp_path / "class")]
    subprocess.run(words, cwd=ROOT / "class", capture_output=True, check=True)
    files = set(zipfile.ZipFile(next((tmp_path / "class").glob("*.whl"))).namelist())
    ours = {f"minigrad_class/{path.name}" for path in (ROOT / "class" / "minigrad_class").iterdir() if path.is_file()}
    assert {name for name in files if "dist-info" not in name} == ours


# ---------------------------------------------------------------- how the set-up judges a .venv


@pytest.fixture
def setup(tmp_path, monkeypatch):
    """tools/setup.py in an empty folder; `said` is what uv was asked for, `has` what there is besides the course."""
    module = load("setup")
    for name in ("ROOT", "VENV", "STATE"):
        monkeypatch.setattr(module, name, tmp_path / getattr(module, name).relative_to(ROOT))
    monkeypatch.setattr(module, "PYTHON", Path(sys.executable))  # stands in for one that works
    monkeypatch.delenv("TORCH", raising=False)
    (tmp_path / "tools").mkdir()
    for name in ("pyproject.toml", "constraints.txt", "tools/setup.py"):
        (tmp_path / name).write_text("")
    module.said, module.has = [], {"numba", "pygraphviz", "memray", "fsrs"}

    def uv(*words, ask=False, **variables):
        module.said.append(words)
        wanted = set(re.findall(r"numba|torch|pygraphviz|memray|fsrs", " ".join(words[-3:])))
        if "--offline" in words or ("--excludes" not in words and not wanted <= module.has):
            return None
        if "--dry-run" not in words and "--editable" in words:
            put_package(module.VENV / "lib/python3/site-packages")
        return "+ small"

    monkeypatch.setattr(module, "uv", uv)
    monkeypatch.setattr(module, "must", lambda *command: None)
    return module


def put_package(site: Path) -> None:
    """A package as uv leaves one: its files, and a RECORD of them."""
    for name in ("small", "small-1.0.dist-info"):
        (site / name).mkdir(parents=True, exist_ok=True)
    (site / "small/__init__.py").write_text("x = 1\n")
    rows = ["small/__init__.py,sha256=abc,6", "small/__pycache__/__init__.pyc,,", "small-1.0.dist-info/RECORD,,"]
    (site / "small-1.0.dist-info/RECORD").write_text("\n".join(rows) + "\n")


def installs(setup) -> list[str]:
    """Return what of the course was installed since the last call."""
    extras = [word for words in setup.said if "--offline" not in words for word in words if word.startswith(".[")]
    setup.said.clear()
    return extras


def test_a_fresh_clone_is_set_up_once(setup, capsys):
    for wanted, done in (["a"], [".[a]"]), (["a"], []), (["b", "a"], [".[a,b]"]), (["a"], []):
        setup.set_up(wanted)
        assert installs(setup) == done
    assert capsys.readouterr().out.count("Making .venv (there is none yet)") == 1


def test_an_update_is_in_place_and_optional(setup, monkeypatch, capsys):
    setup.set_up(["a"])
    for name in ("pyproject.toml", "constraints.txt", "tools/setup.py"):
        (setup.ROOT / name).write_text("changed")
        installs(setup)
        setup.set_up(["a"])
        assert installs(setup) == [".[a]"]
    monkeypatch.setattr(setup, "uv_install", lambda *words, **_: None)
    (setup.ROOT / "constraints.txt").write_text("changed again")
    setup.set_up(["a"])
    assert "The update failed, so the earlier set-up is used" in capsys.readouterr().out
    with pytest.raises(setup.SetupError, match="uv says why above"):
        setup.set_up(["a", "b"])


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("small/__init__.py", "", "files are missing from small"),
        ("small/__init__.py", "cut", "files are missing from small"),
        ("small-1.0.dist-info/RECORD", "", "files are missing from small"),
        ("../../../minigrad-setup.json", '{"root": "/elsewhere"}', "the folder was moved"),
    ],
)
def test_a_broken_venv_is_made_anew(setup, capsys, name, text, reason):
    setup.set_up(["a"])
    path = next(setup.VENV.glob("lib/python3*/site-packages")) / name
    path.write_text(text) if text else path.unlink()
    setup.said.clear()
    setup.set_up(["a"])
    assert f"Making .venv ({reason})" in capsys.readouterr().out
    assert (("cache", "clean", "small") in setup.said) is reason.endswith("small")
    assert installs(setup) == [".[a]"]


def test_another_python_means_a_new_venv(setup, monkeypatch):
    setup.set_up(["a"])
    monkeypatch.setattr(setup, "HERE", "3.99")
    assert "and this is Python 3.99" in setup.fault_of({})
    monkeypatch.setattr(setup, "PYTHON", setup.VENV / "bin" / "python")
    assert setup.fault_of({}) == "its Python does not run"

    def fail():
        raise setup.SetupError("no network")

    monkeypatch.setattr(setup, "fetch_uv", fail)
    with pytest.raises(setup.SetupError, match="no network"):
        setup.set_up(["a"])
    assert setup.recorded()["extras"] == ["a"], "the old one is back"


def test_a_foreign_venv_is_filled_but_never_deleted(setup, monkeypatch):
    setup.VENV.mkdir()
    (setup.VENV / "pyvenv.cfg").write_text("")
    setup.set_up(["a"])
    assert installs(setup) == [".[a]"]
    monkeypatch.setattr(setup, "PYTHON", setup.VENV / "bin" / "python")
    with pytest.raises(setup.SetupError, match="move it away"):
        setup.set_up(["a"])
    assert (setup.VENV / "pyvenv.cfg").exists()


@pytest.mark.parametrize(("python", "way_out"), [("3.99", "make lab PYTHON=python3.15"), ("3.13", "conda env create")])
def test_without_numba_all_else_is_installed(setup, monkeypatch, capsys, python, way_out):
    monkeypatch.setattr(setup, "HERE", python)
    setup.has = {"fsrs"}
    setup.VENV.mkdir()
    setup.install_course(["a"])
    output = capsys.readouterr().out
    for words in (f"no ready-made build for Python {python}", "trains slowly", way_out, "memray: no ready-made build"):
        assert words in output
    assert "fsrs" not in output
    assert ("the newest packages are taken" in output) is (python == "3.99")
    assert {"--constraint" in words for words in setup.said} == {python != "3.99"}
    assert (setup.VENV / "without.txt").read_text() == "numba\n"


def test_pytorch_can_be_left_out(setup, monkeypatch, capsys):
    monkeypatch.setenv("TORCH", "none")
    setup.set_up(["a"])
    assert "as you wished" in capsys.readouterr().out
    monkeypatch.setenv("TORCH", "gpu")
    with pytest.raises(setup.SetupError, match="TORCH=gpu is not known"):
        setup.set_up(["a"])


# ---------------------------------------------------------------- what the Makefile runs


def test_a_wrong_command_or_python_gets_a_sentence(monkeypatch):
    run = load("run")
    monkeypatch.setattr(sys, "argv", ["run.py", "nonsense"])
    with pytest.raises(run.SetupError, match="one of lab, test, lint"):
        run.main()
    monkeypatch.setattr(run, "TRIED", ((3, 98), (3, 99)))
    with pytest.raises(run.SetupError, match=r"needs Python 3\.98 or newer"):
        run.main()
