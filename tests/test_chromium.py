"""Which Chromium the tests in a browser use, and what is said where there is none. No browser is started here."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def chromium(monkeypatch, tmp_path):
    """tools/chromium.py on a computer without any browser."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    sys.modules.pop("chromium", None)
    import chromium

    monkeypatch.setattr(chromium, "OWN", tmp_path / "own")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("MINIGRAD_CHROMIUM", "PLAYWRIGHT_BROWSERS_PATH"):
        monkeypatch.delenv(name, raising=False)
    return chromium


def program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_without_a_chromium_there_is_none_and_the_help_says_what_to_do(chromium):
    assert chromium.find_chromium() is None
    assert "skipped" in chromium.HELP
    assert "make test-browser CHROMIUM=install" in chromium.HELP
    assert "MINIGRAD_CHROMIUM" in chromium.HELP


def test_the_systems_chromium_comes_before_a_download(chromium, tmp_path):
    downloaded = program(tmp_path / ".cache/ms-playwright/chromium-1200/chrome-linux64/chrome")
    if sys.platform.startswith("linux"):
        assert chromium.find_chromium() == downloaded
    systems = program(tmp_path / "bin/google-chrome")
    assert chromium.find_chromium() == systems


def test_what_the_environment_names_is_taken_or_refused(chromium, tmp_path, monkeypatch):
    program(tmp_path / "bin/chromium")
    ours = program(tmp_path / "mine")
    monkeypatch.setenv("MINIGRAD_CHROMIUM", ours)
    assert chromium.find_chromium() == ours
    os.remove(ours)
    with pytest.raises(chromium.NoSuchProgram, match=r"MINIGRAD_CHROMIUM=.*no program"):
        chromium.find_chromium()


def test_what_was_downloaded_into_the_environment_is_found(chromium, tmp_path):
    older = program(tmp_path / "own/chromium_headless_shell-1199/chrome-linux/headless_shell")
    assert chromium.find_chromium() == older


@pytest.fixture
def run(chromium, monkeypatch):
    """tools/run.py beside it; nothing is set up or started."""
    sys.modules.pop("run", None)
    import run

    monkeypatch.setattr(run, "find_chromium", chromium.find_chromium)
    monkeypatch.setattr(run, "processors", lambda: 8)
    monkeypatch.setenv(
        "MINIGRAD_SITE_OF_TESTS", "set, so that it is put back: the site of this run would be built twice"
    )
    return run


IN_BROWSER = ("pytest", "tests/browser", "--numprocesses", "2", "--dist", "loadfile", "-k", "dual")


def test_without_a_chromium_make_test_installs_nothing_for_it_skips_and_says_so(run, capsys):
    assert "browser" not in run.needed_for("test")
    assert run.test_in_browser([]) == 0
    assert "the tests in a browser are skipped" in " ".join(capsys.readouterr().out.split())


def test_with_a_chromium_make_test_runs_the_tests_in_a_browser_before_the_last_run(run, tmp_path, monkeypatch):
    program(tmp_path / "bin/chromium")
    assert run.needed_for("test") == [*run.AUTHOR, "browser"]
    assert run.needed_for("lab") == ["course"]
    started = []
    monkeypatch.setattr(run, "status_of", lambda *command, **_: started.append(command) or 0)
    monkeypatch.setattr(run, "style", lambda arguments: None)
    monkeypatch.setattr(run.subprocess, "run", lambda *_, **__: type("Done", (), {"returncode": 0}))
    with pytest.raises(SystemExit) as end:
        run.test(["-k", "dual"])
    assert end.value.code == 0
    assert {started[0][0], started[1][0]} == {"mypy", "minigrad_course.grading.make_notebooks"}
    in_browser = started.index((*IN_BROWSER[:-2], "-m", "smoke", *IN_BROWSER[-2:]))
    elsewhere = [command for command in started if "--ignore=tests/browser" in command]
    assert len(elsewhere) == len(run.TIERS[""].runs)
    assert started.index(elsewhere[-1]) > in_browser


def test_make_test_browser_runs_them_alone(run, tmp_path, monkeypatch):
    program(tmp_path / "bin/chromium")
    started = []
    monkeypatch.setattr(run, "status_of", lambda *command, **_: started.append(command) or 3)
    with pytest.raises(SystemExit) as end:
        run.test_browser(["-k", "dual"])
    assert end.value.code == 3
    assert started == [IN_BROWSER]


def test_a_failure_in_either_process_is_a_failure(run, tmp_path, monkeypatch):
    program(tmp_path / "bin/chromium")
    monkeypatch.setattr(run, "style", lambda arguments: None)
    monkeypatch.setattr(run.subprocess, "run", lambda *_, **__: type("Done", (), {"returncode": 0}))
    none = run.NOTHING_CHOSEN
    for (elsewhere, browser), wanted in {(0, 1): 1, (1, 0): 1, (0, none): 0, (none, 0): 0, (none, none): none}.items():
        statuses = {
            "mypy": 0,
            "--check": 0,
            "--numprocesses": elsewhere,
            "tests/browser": browser,
        }  # by a command's second words
        monkeypatch.setattr(run, "status_of", lambda *command, of=statuses, **_: of[command[:2][-1]])
        with pytest.raises(SystemExit) as end:
            run.test([])
        assert end.value.code == wanted
