"""The doctor: says what this machine has, what it lacks, and how that is fixed."""

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
    monkeypatch.setattr(doctor, "install", lambda *packages: f"install {' '.join(packages)}")

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


def test_a_group_is_fine_or_names_packages(packages):
    lesson = Line("lessons", BAD, "matplotlib 3.8.0 (needs >=3.9) (the lessons need that)", "install [course]")
    lines = packages()
    assert lines["minigrad"] == Line("minigrad", GOOD, "0.1.0")
    assert lines["computing"].finding == "not installed: scipy (nothing works without)"
    assert lines["computing"].fix == "install [course]"
    assert lines["lessons"] == lesson
    assert (lines["PyTorch"].state, lines["PyTorch"].fix) == (NOTE, "install torch")
    assert lines.keys() == {"minigrad", "computing", "lessons", "PyTorch"}, "and none that this machine does not need"
    assert packages(scipy="1.15")["computing"] == Line("computing", GOOD, "numpy 2.1.0, scipy 1.15")


@pytest.mark.parametrize(
    ("summary", "states"),
    [("A tiny autograd engine", [BAD]), ("Automatic differentiation, built from the chain rule up", [])],
)
def test_another_project_of_the_name_is_found(packages, monkeypatch, summary, states):
    monkeypatch.setattr(metadata, "metadata", lambda name: {"Summary": summary})
    packages(minigrad="0.0.6")
    lines = [line for line in doctor.packages() if "same name is installed (version 0.0.6)" in line.finding]
    assert [line.state for line in lines] == states
    assert all(line.fix for line in lines)


@pytest.mark.compiled
def test_a_cache_that_does_not_last_is_noted(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path / "minigrad-x")
    (line,) = doctor.machine_code()
    assert line.state == NOTE
    assert "MINIGRAD_CACHE_DIR" in line.fix


def test_mnist_is_found_without_a_network(monkeypatch, tmp_path):
    monkeypatch.setenv("MINIGRAD_DATA", str(tmp_path))
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("the doctor went to the network"))
    assert by_name(doctor.data())["MNIST"].state == NOTE
    raw = tmp_path / "MNIST" / "raw"
    raw.mkdir(parents=True)
    for part in originals.PARTS:
        (raw / part).touch()
    assert by_name(doctor.data())["MNIST"].state == GOOD


def test_a_broken_check_does_not_stop_the_others(monkeypatch):
    def broken():
        raise OSError("no such device")
        yield

    monkeypatch.setattr(doctor, "CHECKS", (broken, lambda: iter([Line("next", GOOD, "looked at")])))
    first, second = doctor.run().lines
    assert (first.what, first.state) == ("broken", BAD)
    assert "no such device" in first.finding
    assert second.what == "next"


@pytest.mark.compiled
def test_every_check_works_on_this_machine():
    lines = doctor.run().lines
    assert not [line.finding for line in lines if "could not look" in line.finding]
    assert {"machine code", "BLAS", "digits", "MNIST"} <= set(by_name(lines))


def test_the_report_says_its_states_in_words():
    """Notes do not make a machine unfit."""
    good, note = Line("a", GOOD, "1.0"), Line("b", NOTE, "<none>")
    report = Report([good, note, Line("c", BAD, "gone", "install <c>")])
    assert not report.healthy
    text, html = repr(report), report._repr_html_()
    assert [line.split()[0] for line in text.splitlines() if line][:3] == ["fine", "note", "fix"]
    assert all(f">{word}</span>" in html for word in ("fine", "note", "fix"))
    assert "&lt;none&gt;" in html
    assert "fix: <code>install &lt;c&gt;</code>" in html
    assert "fix: install <c>" in text
    assert Report([good, note]).healthy
    assert Report([good, note]).verdict().startswith("All is ready")


@pytest.mark.parametrize(("state", "code"), [(GOOD, 0), (NOTE, 0), (BAD, 1)])
def test_the_command_returns_whether_the_course_runs(monkeypatch, capsys, state, code):
    """Outside of a notebook, show() prints them as well."""
    monkeypatch.setattr(doctor, "CHECKS", (lambda: iter([Line("thing", state, "as found", "a command")]),))
    assert doctor.main() == code
    assert "thing" in capsys.readouterr().out
    doctor.show()
    assert ("fine  thing" in capsys.readouterr().out) is (state == GOOD)
