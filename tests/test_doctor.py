"""The doctor: says what this machine has, what it lacks, and how that is fixed."""

import email.message
import socket
from importlib import metadata

import pytest

from minigrad.native import jit
from minigrad_course import doctor
from minigrad_course.data import originals
from minigrad_course.doctor import BAD, GOOD, NOTE, Line, Report

INSTALLED = {"minigrad-course": "0.1.0", "numpy": "2.1.0", "matplotlib": "3.8.0"}
WRITTEN = [
    "numpy>=2.0",
    "scipy>=1.14",
    'matplotlib>=3.9; extra == "course"',
    'torch>=2.6; extra == "torch"',
    'pytest>=8; extra == "test"',
    'memray>=1.14; (sys_platform == "no-such-system") and extra == "memory"',
]


@pytest.fixture
def packages(monkeypatch):
    """The lines of a machine with NumPy, an old matplotlib, and nothing else, and with what it is given."""

    def lines(**more):
        have = INSTALLED | more

        def version(name):
            if name not in have:
                raise metadata.PackageNotFoundError(name)
            return have[name]

        monkeypatch.setattr(metadata, "requires", lambda name: WRITTEN)
        monkeypatch.setattr(metadata, "version", version)
        return by_name(doctor.packages())

    return lines


def by_name(lines):
    return {line.what: line for line in lines}


def test_each_package_is_judged_by_its_range_and_a_missing_one_has_a_command(packages):
    lines = packages()
    assert list(lines.values()) == [
        Line("minigrad", GOOD, "0.1.0"),
        Line("numpy", GOOD, "2.1.0 (supported: >=2.0)"),
        Line("scipy", BAD, "not installed: nothing works without it", '{pip} install "scipy>=1.14"'),
        Line("matplotlib", BAD, "3.8.0, but the course needs >=3.9", '{pip} install "matplotlib>=3.9"'),
        Line("torch", NOTE, lines["torch"].finding, doctor.TORCH),
    ], "and none that this machine or a learner does not need"
    assert "the course runs without it" in lines["torch"].finding
    assert "whl/cpu" in doctor.TORCH, "and not the build with gigabytes of GPU libraries"


def test_on_colab_no_other_versions_of_its_packages_are_asked_for(packages):
    lines = packages(**{"google-colab": "1.0.0"})
    assert lines.keys() == {"minigrad", "numpy", "scipy", "Colab", "torch"}
    assert lines["Colab"].state == GOOD


def test_not_installed_minigrad_is_a_finding(monkeypatch):
    def requires(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)
    (line,) = doctor.packages()
    assert (line.state, line.fix) == (BAD, "make lab")


@pytest.mark.parametrize(
    ("summary", "states"),
    [("A tiny autograd engine", [BAD]), ("Automatic differentiation, built from the chain rule up", [])],
)
def test_another_project_of_the_same_name_is_a_finding(packages, monkeypatch, summary, states):
    monkeypatch.setattr(metadata, "metadata", lambda name: {"Summary": summary})
    packages(minigrad="0.0.6")
    lines = [line for line in doctor.packages() if "same name is installed (version 0.0.6)" in line.finding]
    assert [line.state for line in lines] == states
    assert all("uninstall minigrad" in line.fix for line in lines)


@pytest.mark.parametrize(
    ("wanted", "tried", "state"),
    [
        (">=3.10", ("3.10", "3.99"), GOOD),
        (">=3.10", (), GOOD),
        (">=3.10", ("3 :: Only", "3.8", "3.9"), NOTE),
        ("<3.10", ("3.8", "3.9"), BAD),
    ],
)
def test_python_must_be_in_the_range_of_the_metadata_and_may_be_newer_than_tried(monkeypatch, wanted, tried, state):
    about = email.message.Message()
    about["Requires-Python"] = wanted
    for version in tried:
        about["Classifier"] = f"Programming Language :: Python :: {version}"
    monkeypatch.setattr(metadata, "metadata", lambda name: about)
    (line,) = doctor.python()
    assert line.state == state
    assert ("up to 3.9)" in line.finding) is (state == NOTE)


@pytest.mark.compiled
def test_a_cache_that_does_not_last_is_noted(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path / "minigrad-x")
    (line,) = doctor.machine_code()
    assert line.state == NOTE
    assert "MINIGRAD_CACHE_DIR" in line.fix


def test_blas_is_named_with_its_kernels_and_threads():
    pytest.importorskip("threadpoolctl")
    (line,) = doctor.blas()
    assert line.state == GOOD
    assert "core" in line.finding


def test_mnist_is_found_by_its_files_alone_and_an_unknown_size_must_be_mended(monkeypatch, tmp_path):
    monkeypatch.setenv("MINIGRAD_DATA", str(tmp_path))
    monkeypatch.setenv("MINIGRAD_SIZE", "huge")
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("the doctor went to the network"))
    lines = by_name(doctor.data())
    assert lines["MNIST"].state == NOTE
    assert lines["MNIST"].fix
    assert lines["size"].state == BAD
    assert "huge" in lines["size"].finding
    raw = tmp_path / "MNIST" / "raw"
    raw.mkdir(parents=True)
    for part in originals.PARTS:
        (raw / part).touch()
    assert by_name(doctor.data())["MNIST"].state == GOOD


def test_a_check_that_breaks_does_not_stop_the_others(monkeypatch):
    def broken():
        raise OSError("no such device")
        yield

    monkeypatch.setattr(doctor, "CHECKS", (broken, lambda: iter([Line("next", GOOD, "looked at")])))
    first, second = doctor.findings()
    assert (first.what, first.state) == ("broken", BAD)
    assert "no such device" in first.finding
    assert second.what == "next"


@pytest.mark.compiled
def test_every_check_works_on_this_machine():
    lines = list(doctor.findings())
    assert not [line.finding for line in lines if "could not look" in line.finding]
    assert {"numba's cache", "BLAS", "digits", "MNIST"} <= set(by_name(lines))


def test_the_report_says_its_state_in_words_and_marks_not_in_colour_alone():
    """Notes do not make a machine unfit."""
    good, note = Line("a", GOOD, "1.0"), Line("b", NOTE, "<none>")
    report = Report([good, note, Line("c", BAD, "gone", "{pip} install c")])
    assert not report.healthy
    text, html = repr(report), report._repr_html_()
    for mark, word in (("✓", "fine"), ("!", "note"), ("✗", "fix")):
        assert f"{mark} {word}" in text
        assert f"{mark} {word}" in html
    assert "&lt;none&gt;" in html
    assert "%pip install c" in html
    assert "-m pip install c" in text
    assert Report([good, note]).healthy
    assert Report([good, note]).verdict().startswith("All is ready")


@pytest.mark.parametrize(("state", "code"), [(GOOD, 0), (NOTE, 0), (BAD, 1)])
def test_the_command_prints_all_lines_and_returns_whether_the_course_runs(monkeypatch, capsys, state, code):
    """Outside of a notebook, show() prints them as well."""
    monkeypatch.setattr(doctor, "CHECKS", (lambda: iter([Line("thing", state, "as found", "a command")]),))
    assert doctor.main() == code
    assert "thing" in capsys.readouterr().out
    doctor.show()
    assert ("✓ fine  thing" in capsys.readouterr().out) is (state == GOOD)


@pytest.mark.parametrize(
    ("why", "teaches", "state"), [("", True, GOOD), ("", False, GOOD), ("no", True, NOTE), ("no", False, GOOD)]
)
def test_a_sandbox_is_missed_by_those_who_grade_a_class(monkeypatch, why, teaches, state):
    monkeypatch.setattr("minigrad_course.apart.sandbox.missing", lambda: why)
    monkeypatch.setattr(doctor, "_version", lambda package: "1.0" * teaches)
    (line,) = doctor.sandbox()
    assert (line.what, line.state) == ("sandbox", state)
    assert bool(line.fix) == (state == NOTE)
