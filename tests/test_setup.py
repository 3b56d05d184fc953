"""The set-up: lists that must agree, a README that keeps its word, and how tools/setup.py judges a .venv. Offline."""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

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
    result: dict[str, str] = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pin = Requirement(line)
            if pin.marker is None or pin.marker.evaluate({"python_version": python}):
                assert pin.name not in result, f"two pins of {pin.name} for Python {python}"
                result[pin.name] = str(pin.specifier)
    return result


def conda_ranges() -> dict[str, str]:
    """Name -> range of environment.yml, the pip part left out."""
    entries = re.findall(r"^  - ([\w-]+)(?: +([<>=][^#\n]*))?", (ROOT / "environment.yml").read_text(), re.MULTILINE)
    return {name: needs.strip() for name, needs in entries if name not in ("conda-forge", "nodefaults", "pip")}


# ---------------------------------------------------------------- lists in step


@pytest.mark.parametrize("python", PYTHONS)
def test_every_requirement_has_one_exact_pin_inside_its_range(python):
    everything = [*PROJECT["dependencies"], *PYPROJECT["build-system"]["requires"]]
    everything += [need for needs in EXTRAS.values() for need in needs]
    pinned = pins(python)
    for need in map(Requirement, everything):
        if need.name == PROJECT["name"]:
            continue
        pin = pinned.get(canonicalize_name(need.name))
        assert pin is not None, f"constraints.txt does not pin {need.name} for Python {python}"
        assert pin.startswith("=="), f"{need.name} is not pinned exactly: {pin}"
        assert need.specifier.contains(pin[2:]), f"{need.name}{pin} is outside of {need.specifier}"


@pytest.mark.parametrize("python", PYTHONS)
def test_the_pins_cover_what_the_packages_need_in_turn(python):
    """Seen from the packages that are installed where the test runs."""
    from importlib import metadata

    pinned, missing = pins(python), set()
    for name in pinned:
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        for need in map(Requirement, needs):
            environment = {"python_version": python, "extra": ""}
            if need.marker is None or need.marker.evaluate(environment):
                missing |= {canonicalize_name(need.name)} - pinned.keys()
    gpu = re.compile(r"nvidia|cuda|triton")  # a CUDA build that somebody asked for: its libraries are not ours to pin
    assert not {name for name in missing if not gpu.match(name)}


def test_environment_yml_has_the_ranges_of_pyproject():
    expected = {"python": PROJECT["requires-python"]}
    for line in [*PROJECT["dependencies"], *(need for extra in IN_CONDA for need in EXTRAS[extra])]:
        need = Requirement(line)
        expected[CONDA_NAMES.get(need.name, need.name)] = str(need.specifier)
    normal = {name: ",".join(sorted(needs.split(","))) for name, needs in conda_ranges().items()}
    assert normal == {name: ",".join(sorted(needs.split(","))) for name, needs in expected.items()}


def test_the_core_needs_three_packages_and_a_learner_gets_what_the_course_promises():
    assert {Requirement(need).name for need in PROJECT["dependencies"]} == {"numpy", "scipy", "numba"}
    promised = {"jupyterlab", "numpy", "numba", "matplotlib", "graphviz", "ipywidgets", "torchvision"}
    learner = [*PROJECT["dependencies"], *EXTRAS["course"], *EXTRAS["torch"]]
    assert promised <= {Requirement(need).name for need in learner}


def test_the_tests_of_a_file_are_the_work_of_one_process(request):
    """pytest-xdist 3.8 appends a test's group to its name, which pytest 9.2 does not read any more."""
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("the tests do not run in groups")
    assert request.node.nodeid.endswith("@tests/test_setup.py")


def test_pythons_agree_everywhere():
    setup, workflow = load("setup"), (ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8")
    low, high = (".".join(map(str, version)) for version in setup.TRIED)
    assert (PYTHONS[0], PYTHONS[-1]) == (low, high)
    assert PROJECT["requires-python"] == f">={low}", "no upper limit"
    assert f"Python {low} or newer (tried with {low} to {high})" in README
    assert f"Python {low} to {high};" in (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert re.search(r"^TRIED := (.*)", MAKEFILE, re.MULTILINE)[1].split() == list(reversed(PYTHONS))
    assert f"sys.version_info[:2] < ({low.replace('.', ', ')})" in MAKEFILE
    assert re.findall(r'"(3\.\d+)"', workflow.split("include:")[0]) == list(PYTHONS)
    classifiers = [c.rsplit(" ", 1)[1] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert classifiers == list(PYTHONS)


def test_markers_of_pins_name_neighbouring_pythons():
    merged = load("pin").lines(
        {"3.11": {"a": "2", "b": "1"}, "3.10": {"a": "1", "b": "1", "old": "3"}, "3.12": {"a": "3"}}
    )
    assert merged == [
        'a==1 ; python_version < "3.11"',
        'a==2 ; python_version >= "3.11" and python_version < "3.12"',
        'a==3 ; python_version >= "3.12"',
        "b==1",
        "old==3",
    ]


def test_a_python_for_which_there_is_no_pytorch_is_pinned_without_it(monkeypatch):
    pin = load("pin")

    def resolve(python, requirements, *options):
        if requirements is pin.HELD and python == "newest":
            raise subprocess.CalledProcessError(1, "pip")
        return [{"name": need, "version": "1+cpu"} for need in (["torch"] if requirements is pin.HELD else ["numba"])]

    monkeypatch.setattr(pin, "resolve", resolve)
    about = {**PYPROJECT, "project": PROJECT}
    assert pin.pins_for("older", about, {}) == {"torch": "1", "numba": "1+cpu"}
    assert pin.pins_for("newest", about, {}) == {"numba": "1+cpu"}


# ---------------------------------------------------------------- README, Makefile, CI


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/instructors.md"])
def test_every_make_target_that_a_page_names_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^ {4}|`|\S=\S+ )make ([a-z-]+)", text, re.MULTILINE))
    assert named
    assert named <= targets()


def test_make_help_lists_every_target():
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(re.findall(r"^  ([a-z-]+) ", done.stdout, re.MULTILINE)) == targets()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_link_to_a_file_leads_somewhere(page):
    text = re.sub(r"<!--.*?-->", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if not link.startswith("http")]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_readme_links_every_lesson_and_exercise_that_exists():
    for lesson in (ROOT / "sources" / "lessons").glob("[0-9]*.py"):
        assert f"(notebooks/{lesson.stem}.ipynb)" in README
    for exercise in (ROOT / "sources" / "exercises").glob("[0-9]*"):
        assert f"(exercises/{exercise.name}/{exercise.name}.ipynb)" in README


def test_the_readme_example_prints_what_it_says():
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    promised = re.findall(r"(\d+\.\d+)\.\.\.", code)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    printed = done.stdout.split()
    assert len(promised) == len(printed) == 2
    assert all(number.startswith(start) for number, start in zip(printed, promised, strict=True))


def test_ci_runs_the_command_of_the_readme_and_nothing_else():
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd ", "export "))]
    assert commands == ["exec make test ALL=1 </dev/null"]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    on_every_python, _, on_one = (ROOT / ".github/workflows/test.yml").read_text().partition("\n  classroom:")
    assert re.findall(r"- run: (.*)", on_every_python) == [".ci/run"]
    assert "test_classroom" in on_one, "grading a class needs what learners do not have: a job of its own"


def test_a_wheel_brings_the_data_files_of_the_package(tmp_path):
    pytest.importorskip("hatchling", reason="the build tool is not installed")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    names = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    ours = {
        path
        for house in ("minigrad", "minigrad_course", "minigrad_class")
        for path in (ROOT / house).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {path.relative_to(ROOT).as_posix() for path in ours} <= names
    assert "minigrad_course/data/digits.npz" in names
    lesson, solution = "notebooks/00_start.ipynb", "solutions/05_computational_graph/05_computational_graph.ipynb"
    for part in (lesson, solution, "sources/project/engine.py"):
        assert f"minigrad_course/course_files/{part}" in names


def test_an_editable_install_takes_no_copy_of_the_course_and_needs_no_solutions(tmp_path):
    pytest.importorskip("hatchling", reason="the build tool is not installed")
    for name in ("pyproject.toml", "README.md", "LICENSE", "tools/course_in_wheel.py", "minigrad/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    build = "import os, hatchling.build as h; os.mkdir('dist'); h.build_editable('dist')"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, capture_output=True, check=True)
    names = zipfile.ZipFile(next((tmp_path / "dist").glob("*.whl"))).namelist()
    assert "_minigrad_course.pth" in names
    assert not [name for name in names if "course_files" in name]


# ---------------------------------------------------------------- how the set-up judges a .venv


@pytest.fixture
def setup(tmp_path, monkeypatch):
    """tools/setup.py, at work in an empty folder instead of the repository."""
    module = load("setup")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STATE", tmp_path / ".venv" / "minigrad-setup.json")
    monkeypatch.setattr(module, "PYTHON", Path(sys.executable))  # stands in for one that works
    monkeypatch.delenv("TORCH", raising=False)
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "setup.py").write_text("")
    return module


@pytest.fixture
def work(setup, monkeypatch):
    """Run the set-up and return its messages; instead of installing it puts one small package there."""
    done: list[str] = []

    def create():
        done.append("create")
        (setup.VENV / "lib" / "python3" / "site-packages").mkdir(parents=True, exist_ok=True)
        setup.write_state({"root": str(setup.ROOT)})

    def install_course(extras):
        done.append("install " + " ".join(extras))
        put_package(setup.site_packages())

    monkeypatch.setattr(setup, "create", create)
    monkeypatch.setattr(setup, "install_course", install_course)
    monkeypatch.setattr(setup, "install_torch", lambda wish: done.append("torch") or "installed")
    return done


def put_package(site: Path) -> None:
    """A package as pip leaves one: its files, and a RECORD of them."""
    (site / "small").mkdir(parents=True, exist_ok=True)
    (site / "small" / "__init__.py").write_text("x = 1\n")
    (site / "small-1.0.dist-info").mkdir(exist_ok=True)
    rows = ["small/__init__.py,sha256=abc,6", "small/__pycache__/__init__.pyc,,", "small-1.0.dist-info/RECORD,,"]
    (site / "small-1.0.dist-info" / "RECORD").write_text("\n".join(rows) + "\n")


def test_a_fresh_clone_is_set_up_once_and_more_extras_are_added_with_the_old_ones_kept(setup, work):
    setup.set_up(["course"])
    setup.set_up(["course"])
    assert work == ["create", "install course", "torch"]
    setup.set_up(["course", "test"])
    setup.set_up(["course"])
    assert work[3:] == ["install course test", "torch"]


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt", "tools/setup.py"])
def test_a_pull_that_changes_what_is_wanted_updates_in_place(setup, work, name):
    setup.set_up(["course"])
    (setup.ROOT / name).write_text("changed")
    setup.set_up(["course"])
    assert work[3:] == ["install course", "torch"]


def test_an_update_that_cannot_be_had_leaves_the_old_setup_in_use(setup, work, monkeypatch, capsys):
    setup.set_up(["course"])

    def offline(extras):
        raise setup.SetupError("no network")

    monkeypatch.setattr(setup, "install_course", offline)
    (setup.ROOT / "constraints.txt").write_text("changed")
    setup.set_up(["course"])
    assert "no network" in capsys.readouterr().out
    with pytest.raises(setup.SetupError, match="no network"):
        setup.set_up(["course", "test"])


def test_a_setup_that_was_killed_starts_afresh(setup, work, monkeypatch):
    def killed(extras):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(setup, "install_course", killed)
        with pytest.raises(KeyboardInterrupt):
            setup.set_up(["course"])
    setup.set_up(["course"])
    assert work == ["create", "create", "install course", "torch"]


@pytest.mark.parametrize("damage", ["gone", "cut short", "no record"])
def test_a_damaged_package_is_noticed(setup, work, damage):
    setup.set_up(["course"])
    site = setup.site_packages()
    if damage == "gone":
        (site / "small" / "__init__.py").unlink()
    elif damage == "cut short":
        (site / "small" / "__init__.py").write_text("x")
    else:
        (site / "small-1.0.dist-info" / "RECORD").unlink()
    assert setup.damaged(site) == ["small"]
    setup.set_up(["course"])
    assert work[3:] == ["create", "install course", "torch"]


def test_a_package_that_was_uninstalled_comes_back(setup, work):
    setup.set_up(["course"])
    for path in sorted(setup.site_packages().rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    setup.set_up(["course"])
    assert work[3:] == ["install course", "torch"]


def test_a_folder_that_was_moved_or_a_python_that_is_gone_or_another_one_means_a_new_venv(setup, work, monkeypatch):
    setup.set_up(["course"])
    assert setup.what_is_wrong({**setup.read_state(), "root": "/elsewhere"}) == "the folder was moved"
    monkeypatch.setattr(setup, "HERE", "3.99")
    assert "and this is Python 3.99" in setup.what_is_wrong(setup.read_state())
    monkeypatch.setattr(setup, "PYTHON", setup.VENV / "bin" / "python")
    assert setup.what_is_wrong(setup.read_state()) == "its Python does not run"
    setup.set_up(["course"])
    assert work[3] == "create"


def test_somebody_elses_venv_is_filled_but_never_deleted(setup, work, monkeypatch):
    setup.VENV.mkdir()
    (setup.VENV / "pyvenv.cfg").write_text("")
    setup.set_up(["course"])
    assert work == ["install course", "torch"]
    monkeypatch.setattr(setup, "PYTHON", setup.VENV / "bin" / "python")
    with pytest.raises(setup.SetupError, match="move it away"):
        setup.set_up(["course"])
    assert (setup.VENV / "pyvenv.cfg").exists()


@pytest.fixture
def index(setup, monkeypatch):
    """A stand-in for pip: all words that it was called with, and the answers of a package index without numba."""
    called = []

    def pip(*words, quiet=False):
        called.append(words)
        return "numba" not in words, "ERROR: No matching distribution found"

    monkeypatch.setattr(setup, "pip", pip)
    monkeypatch.setattr(setup, "make_environment", lambda base: None)
    return called


@pytest.mark.parametrize(("here", "way_out"), [("3.99", "make lab PYTHON=python3.15"), ("3.13", "conda env create")])
def test_where_numba_has_no_build_all_else_is_installed(setup, index, monkeypatch, capsys, here, way_out):
    monkeypatch.setattr(setup, "HERE", here)
    setup.install_course(["course", "pictures"])
    output = capsys.readouterr().out
    assert f"no ready-made build for Python {here}" in output
    assert "trains slowly" in output
    assert way_out in output
    alone = next(words for words in index if "--editable" in words)
    assert {"--no-deps", "."} <= {*alone}
    wanted = next(words for words in index if any(word.startswith("jupyterlab") for word in words))
    needs = PROJECT["dependencies"] + EXTRAS["course"] + EXTRAS["pictures"]
    expected = {Requirement(need).name for need in needs} - {"numba"}
    assert {re.split("[<>=]", word)[0] for word in wanted} >= expected
    assert not [word for word in wanted if word.startswith("numba")]


def test_where_numba_is_the_course_brings_it(setup, index, monkeypatch):
    monkeypatch.setattr(setup, "HERE", "3.13")
    monkeypatch.setattr(setup, "installed", lambda site: {"numba"})
    setup.install_course(["course"])
    (words,) = [words for words in index if "--editable" in words]
    assert {".[course]"} <= {*words}
    assert "--no-deps" not in words
    assert not [words for words in index if "--dry-run" in words], "what is here is not asked for again"


def test_without_a_network_the_old_venv_stays_too(setup, index, monkeypatch):
    setup.VENV.mkdir()
    setup.write_state({"done": True, "root": str(setup.ROOT)})
    monkeypatch.setattr(setup, "HERE", "3.12")
    monkeypatch.setattr(setup, "pip", lambda *words, quiet=False: (False, "WARNING: Retrying\nERROR: no hatchling"))
    with pytest.raises(setup.SetupError, match=r"Its last words:\s+ERROR: no hatchling\s+If the network was"):
        setup.set_up(["course"])
    assert setup.read_state()["done"]


@pytest.mark.parametrize("here", ["3.15", "3.16", "4.0"])
def test_a_python_newer_than_tried_takes_the_newest_packages_and_says_so(setup, index, monkeypatch, capsys, here):
    monkeypatch.setattr(setup, "HERE", here)
    (setup.ROOT / "constraints.txt").write_text("torch==2.0\ntorchvision==0.9\n")
    setup.install_course(["course"])
    monkeypatch.setattr(setup.sys, "platform", "linux")
    monkeypatch.setattr(setup, "pip", lambda *words, quiet=False: index.append(words) or (False, ""))
    setup.install_torch("cpu")
    pinned, wanted = {"--constraint" in words for words in index}, {word for words in index for word in words}
    if here == "3.15":
        assert pinned == {True}
        assert "torch==2.0+cpu" in wanted
    else:
        assert pinned == {False}
        assert not {word for word in wanted if word.startswith("torch=")}
    assert (f"for {here} the newest packages are taken" in capsys.readouterr().out) is (here != "3.15")


def test_deleting_the_old_venv_never_leaves_half_of_it_in_place(setup, monkeypatch):
    setup.VENV.mkdir()
    (setup.VENV / "file").write_text("")

    def killed(folder):
        raise KeyboardInterrupt

    for name in ("make_environment", "install_build_tools"):
        monkeypatch.setattr(setup, name, lambda *_: None)
    monkeypatch.setattr(setup.shutil, "rmtree", killed)
    with pytest.raises(KeyboardInterrupt):
        setup.create()
    assert [path.name for path in setup.VENV.iterdir()] == [setup.STATE.name]


@pytest.mark.parametrize(
    ("word", "again"), [("not found", True), ("not tried", True), ("needs a GPU", False), ("does not load", False)]
)
def test_pytorch_that_could_not_be_had_is_said_and_looked_for_again_where_it_helps(
    setup, work, monkeypatch, capsys, word, again
):
    setup.set_up(["course"])
    setup.write_state({**setup.read_state(), "torch": word})
    monkeypatch.setattr(setup, "install_torch", lambda wish: work.append("torch") or word)
    setup.set_up(["course"])
    assert "The course runs without it" in capsys.readouterr().out
    assert work[3:] == (["torch"] if again else [])


def test_pytorch_that_was_installed_by_hand_is_not_called_missing(setup, work, capsys):
    setup.set_up(["course"])
    setup.write_state({**setup.read_state(), "torch": "needs a GPU"})
    for name in ("torch", "torchvision"):
        info = setup.site_packages() / f"{name}-2.0.dist-info"
        info.mkdir()
        (info / "RECORD").write_text("")
    setup.set_up(["course"])
    assert "without it" not in capsys.readouterr().out


def test_pytorch_can_be_left_out_or_forced(setup, work, monkeypatch):
    monkeypatch.setenv("TORCH", "none")
    setup.set_up(["course"])
    assert work == ["create", "install course"]
    setup.write_state({**setup.read_state(), "torch": "needs a GPU"})
    monkeypatch.setenv("TORCH", "plain")
    setup.set_up(["course"])
    assert work[2:] == ["torch"]
    monkeypatch.setenv("TORCH", "gpu")
    with pytest.raises(setup.SetupError, match="TORCH=gpu is not known"):
        setup.set_up(["course"])


def test_gpu_libraries_are_known_by_name(setup):
    gpu = ('nvidia-cudnn-cu13==9.20.0.48; platform_system == "Linux"', "cuda-toolkit[cublas]==13.0.3", "triton==3.7.1")
    known = [need for need in (*gpu, "filelock", "sympy>=1.13.3") if setup.GPU_LIBRARIES.match(need)]
    assert known == [*gpu]


def test_settings_that_would_mix_in_other_packages_are_kept_out(setup, monkeypatch):
    for name in ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET"):
        monkeypatch.setenv(name, "/somewhere")
    monkeypatch.setenv("MINIGRAD_SIZE", "full")
    environment = setup.clean_environment()
    assert environment["MINIGRAD_SIZE"] == "full"
    assert not {"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET"} & environment.keys()


# ---------------------------------------------------------------- what the Makefile runs


def test_an_unknown_command_or_a_python_that_is_too_old_gets_one_sentence(monkeypatch):
    run = load("run")
    monkeypatch.setattr(sys, "argv", ["run.py", "nonsense"])
    with pytest.raises(run.SetupError, match="one of lab, test, lint"):
        run.main()
    monkeypatch.setattr(run, "TRIED", ((3, 98), (3, 99)))
    with pytest.raises(run.SetupError, match=r"needs Python 3\.98 or newer"):
        run.main()


def test_a_relative_data_folder_means_the_same_in_every_lesson(monkeypatch, tmp_path):
    run, seen = load("run"), []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["run.py", "lab", "--port=9000"])
    monkeypatch.setattr(run, "set_up", seen.append)
    monkeypatch.setitem(run.COMMANDS, "lab", seen.append)
    monkeypatch.setenv("MINIGRAD_DATA", "../data")
    run.main()
    assert os.environ["MINIGRAD_DATA"] == str(tmp_path.parent / "data")
    assert seen == [["course"], ["--port=9000"]]


def test_no_more_workers_than_processors():
    run = load("run")
    assert 1 <= run.processors() <= os.cpu_count()


def what_make_test_runs(monkeypatch, *arguments):
    """The commands of `make test`, none of which is run; it ends as pytest does."""
    run, commands = load("run"), []
    monkeypatch.setattr(run, "status_of", lambda *command, **_: commands.append(command) or 0)
    monkeypatch.setattr(run, "find_chromium", lambda: "chromium")
    for name in ("MINIGRAD_CAMPAIGN", "MINIGRAD_SITE_OF_TESTS"):
        monkeypatch.setenv(name, "set, so that it is put back as it was")
        monkeypatch.delenv(name)
    monkeypatch.setattr(run.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    with pytest.raises(SystemExit) as end:
        run.test(list(arguments))
    assert end.value.code == 0
    return run, commands


@pytest.mark.parametrize("flag", ["--quick", "", "--all"])
def test_each_tier_is_style_types_and_its_part_of_the_tests(monkeypatch, flag):
    assert "$(if $(ALL),--all,$(if $(QUICK),--quick))" in MAKEFILE
    run, commands = what_make_test_runs(monkeypatch, *([flag] if flag else []), "-k", "dual")
    tier = run.TIERS[flag]
    elsewhere = [command for command in commands if "--ignore=tests/browser" in command]
    assert {command[0] for command in commands if command not in elsewhere} == {
        "ruff",
        "mypy",
        "minigrad_course.grading.build",
        *(["pytest"] if tier.browser else []),
    }
    tests = sorted(elsewhere, key=lambda words: "--nbmake" in words)  # a first run starts beside the browser's
    for run_, (program, *words) in zip(tier.runs, tests, strict=True):
        assert program == "pytest"
        assert words[-2:] == ["-k", "dual"]
        assert flag not in words
        last = run_ is tier.runs[-1]
        assert ("--nbmake" in words) is (tier.lessons and last), "lessons are collected by nbmake"
    assert os.environ["MINIGRAD_CAMPAIGN"] == str(tier.graphs)
    in_browser = [command for command in commands if "tests/browser" in command]
    assert [command[command.index("-m") + 1] for command in in_browser] == ([tier.browser] if tier.browser else [])


def test_a_tier_holds_the_one_below(monkeypatch):
    """As expressions of markers: whatever markers a test has, `make test` runs what QUICK=1 runs, and ALL=1 everything;
    each test once, and in all but those that are thorough."""
    run = load("run")
    quick, middle, everything = run.TIERS.values()
    assert quick.graphs <= middle.graphs <= everything.graphs
    markers = re.findall(r'^    "(\w+):', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    expressions = " ".join(one.tests for one in (*middle.runs, *everything.runs))
    used = set(re.findall(r"\w+", expressions)) - {"not", "or", "and"}
    assert used <= set(markers)
    for chosen in itertools.product((True, False), repeat=len(used)):
        marked = dict(zip(sorted(used), chosen, strict=True))
        times = [sum(eval(one.tests, {}, marked) for one in tier.runs) for tier in (quick, middle, everything)]
        assert times[0] <= times[1] == (not marked["thorough"]), marked
        assert times[2] == 1


def test_of_tests_in_turns_three_runs_ask_each_once(request, monkeypatch):
    """Two files of tests in turns, of seven and of one, three lessons, and a test that does not wait; all of them in a
    whole run."""
    ours = request.config.pluginmanager.get_plugin(str(ROOT / "tests" / "conftest.py"))
    names = [*(f"tests/test_a.py::test_{k}" for k in range(7)), *(f"notebooks/{k}.ipynb::" for k in range(3))]
    names += ["tests/test_b.py::test_0", "tests/test_b.py::test_now"]
    items = [SimpleNamespace(nodeid=name, get_closest_marker=lambda _, name=name: "now" not in name) for name in names]
    left_out = []
    config = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=lambda items: left_out.append(len(items))))
    for parts in (3, 1):
        monkeypatch.setattr("campaign.PARTS", parts)
        asked = []
        for part in range(parts):
            monkeypatch.setattr("campaign.PART", part)
            ours.leave_out_turns(config, chosen := list(items))
            asked += [item.nodeid for item in chosen]
        assert sorted(asked) == sorted([*names[:-1], *names[-1:] * parts])
    assert sum(left_out) == 2 * 11


def test_the_tiers_are_those_of_contributing(monkeypatch):
    """Its table has the amounts of each, as in tools/run.py."""
    rows = re.findall(
        r"^\| `make test(.*?)` +\|.*?\| ([\d,]+) \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE
    )
    flags = {"": "", " QUICK=1": "--quick", " ALL=1": "--all"}
    assert {flags[words]: int(graphs.replace(",", "")) for words, graphs in rows} == {
        flag: tier.graphs for flag, tier in load("run").TIERS.items()
    }


@pytest.mark.parametrize("screen", [True, False])
def test_the_lab_opens_a_browser_only_where_there_is_a_screen(monkeypatch, tmp_path, screen):
    """A stand-in for JupyterLab notes how it was called, and ends; the lab then says that it did not start. Another one
    takes the place of `minigrad prepare`, which the lab leaves behind, compiling for a minute."""
    run = load("run")
    (tmp_path / "jupyterlab.py").write_text("import sys; print(*sys.argv[1:])")
    (tmp_path / "minigrad_course").mkdir()
    (tmp_path / "minigrad_course" / "__init__.py").write_text("")
    (tmp_path / "minigrad_course" / "cli.py").write_text("open('prepared', 'w').close()")
    monkeypatch.setattr(run, "PYTHON", sys.executable)
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "VENV", tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(run.signal, "signal", lambda *_: None)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    for name in ("SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SHELL", "/bin/zsh")
    if screen:
        monkeypatch.setenv("DISPLAY", ":0")
    with pytest.raises(run.SetupError, match="did not start") as error:
        run.lab(["--port=9000"])
    assert ("--no-browser" in str(error.value)) is not screen
    assert ("--allow-root" in str(error.value)) is (os.geteuid() == 0)
    assert "--port=9000" in str(error.value)
    assert "{'shell_command': ['/bin/zsh']}" in str(error.value), "a terminal in JupyterLab keeps the PATH"
    assert "token" not in str(error.value), "the token stays as JupyterLab makes it"
