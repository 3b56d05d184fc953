"""Limits: one deadline and one memory limit for a submission, helpers that may be lost, and nothing left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from classroom_course import (  # noqa: F401 (fixtures)
    BOOK,
    EXERCISE,
    RIGHT,
    SANDBOX,
    WALL,
    cell,
    in_one_process,
    job_of,
    lay,
    make_course,
    new_cell,
    notebook_bytes,
    submission,
)  # fmt: skip

from minigrad_class import batch, judge_client, plain_values
from minigrad_class.supervise import grade_job
from minigrad_course import cli
from minigrad_course.grading.runner import TimeLimit, time_limit
from minigrad_course.isolation import processes, scratch
from minigrad_course.isolation.helper import Helper, Lost
from minigrad_course.isolation.limits import Limits

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="watches processes through /proc"),
]
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("course"))


# Whatever is handed in, the class goes on.


def test_a_notebook_that_kills_its_reader_stops_nobody(tmp_path, monkeypatch, capsys):
    course = make_course(tmp_path)
    bad = submission(course)
    del cell(bad, "double")["metadata"]["nbgrader"]
    cell(bad, "double")["id"] = "lost"
    bad["cells"] = [new_cell("x = " + "1+" * 90_000 + "1"), new_cell("-" * 150_000 + "1"), *bad["cells"]]
    files = {"Ann_01.ipynb": notebook_bytes(course), "Cleo_01.ipynb": notebook_bytes(course, half=None)}
    lay(tmp_path / "heap", {**files, "Bad_01.ipynb": json.dumps(bad).encode()})
    monkeypatch.chdir(tmp_path)
    assert cli.main(["class", "collect", "01", "heap"]) == 0
    cli.main(["class", "grade", "01", *WALL])
    table = (tmp_path / "grading" / f"grades-{EXERCISE}.csv").read_text(encoding="utf-8-sig")
    rows = {line.split(",")[0]: line.split(",")[2:4] for line in table.splitlines()[1:]}
    assert (rows["Ann"], rows["Cleo"]) == (["graded", "6"], ["graded", "5"])
    assert "Bad" in rows


@pytest.mark.usefixtures("in_one_process")
def test_what_happens_around_one_submission_is_named(tmp_path, monkeypatch, capsys):
    """A page that cannot be written, a result that is damaged: ungraded, by name."""
    course = make_course(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("Ann", "Bob"):
        data = notebook_bytes(course, double=f"def double(x):\n    return 2 * x  # {name}")
        lay(tmp_path / "grading" / "submitted", {f"{name}/{EXERCISE}/{BOOK}": data})
    cli.main(["class", "grade", "01", *WALL])
    results = sorted((tmp_path / "grading" / "results" / EXERCISE).glob("*.json"))
    assert len(results) == 2
    results[0].write_text(json.dumps({"key": results[0].stem, "outcomes": {"test_double": 5}, "hidden": 3}))
    (tmp_path / "grading" / "feedback" / "Bob" / f"{EXERCISE}.html").unlink()
    (tmp_path / "grading" / "feedback" / "Bob" / f"{EXERCISE}.html").mkdir()
    capsys.readouterr()
    assert cli.main(["class", "report", "01"]) == 1
    printed = capsys.readouterr().out
    assert "1 graded, 1 ungraded" in printed
    assert "feedback of Bob could not be written" in printed


# Deadlines.


def test_the_judge_shares_the_submissions_deadline(course, monkeypatch):
    """A comparison that is too slow is lost with its judge, and costs only its own test and the time available."""
    judge = judge_client.judge_for(course.payload)
    monkeypatch.setattr(judge_client, "LAST", 1.0)
    slow = {"status": "ok", "values": "slow"} | dict.fromkeys(("error", "message", "overwritten"), "")
    good = grade_job(job_of(course))["outcomes"]["test_half"]
    assert good["status"] == "ok"
    real = judge.helper._exchange

    def exchange(what, patience):
        if isinstance(what, dict) and any(reply is slow for reply in what.get("replies", {}).values()):
            time.sleep(min(patience, 30))
            raise Lost("slow")
        return real(what, patience)

    monkeypatch.setattr(judge.helper, "_exchange", exchange)
    start = time.monotonic()
    result = judge.outcomes({"test_double": slow, "test_half": slow, "test_look": slow}, 2.0)
    assert {name: outcome.message for name, (outcome, _) in result.items()} == dict.fromkeys(result, judge_client.LOST)
    assert time.monotonic() - start < 60, "thirty seconds for each would be more"


def test_limits_count_the_processor_and_not_the_clock(course):
    waits = "import time\ndef double(x):\n    time.sleep(0.8)\n    return 2 * x"  # twice, in one test
    outcomes = grade_job(job_of(course, Limits(cell=1.0, total=2.0), double=waits))["outcomes"]
    assert outcomes["test_double"]["status"] == "ok"


def test_a_limit_strikes_again():
    """Once more, where an answer has swallowed the first."""

    def swallows():
        try:
            while True:
                pass
        except BaseException:
            while True:
                pass

    with pytest.raises(TimeLimit), time_limit(0.1, 0.1):
        swallows()


def test_printing_flushes_before_the_end(course):
    result = grade_job(
        job_of(course, double="import os\ndef double(x):\n    print('last words', end='')\n    os._exit(1)")
    )
    assert "last words" in result["printed"]
    assert result["outcomes"]["test_double"]["status"] == "dead"


# Memory.


def test_memory_that_has_no_name_is_counted():
    """In this process, where making it is not refused."""
    code = (
        "import os, mmap, time\nfd = os.memfd_create('x')\n[os.write(fd, b'x' * 10**6) for _ in range(99)]\n"
        "m = mmap.mmap(-1, 50_000_000); m.write(b'x' * 50_000_000)\nprint('ready', flush=True)\ntime.sleep(30)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    process.stdout.readline()
    memory, threads = processes.usage(process.pid)
    process.kill()
    process.communicate()
    assert 149_000_000 <= memory < 200_000_000
    assert threads == 1


def test_unneeded_system_calls_are_refused():
    code = (
        "import os, ctypes\nfrom minigrad_course.isolation.processes import refuse_system_calls\n"
        "there = refuse_system_calls()\nc = ctypes.CDLL(None)\n"
        "try: print(there, os.memfd_create('x'))\nexcept OSError: print(there, 'refused', c.shmget(0, 10, 0o1600))\n"
        "import threading, subprocess, numpy\nsubprocess.run(['true'], check=True)"
    )
    words = {
        "env": {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'class'}"},
        "capture_output": True,
        "text": True,
    }
    output = subprocess.run([sys.executable, "-c", code], **words)
    assert output.stdout in ("True refused -1\n", "False 3\n"), output.stderr


@pytest.mark.parametrize("make", ["socket.socketpair()", "socket.socket(socket.AF_UNIX)", "socket.socket()"])
def test_no_kernel_buffer_is_available(course, make):
    """Bytes in one are no process's memory, and nobody counts them."""
    answer = f"import socket\ndef double(x):\n    {make}\n    return 2 * x"
    outcome = grade_job(job_of(course, double=answer))["outcomes"]["test_double"]
    assert outcome["status"] == "error"
    assert "not implemented" in outcome["message"]


# Nothing stays behind.


def test_a_helper_that_is_lost_is_replaced(course):
    first = {"redefined": [], "limit": 10.0, "tests": {}, "cells": []}
    with Helper("minigrad_class.judge_process", first, 10**9) as helper:
        helper.begin()
        os.kill(helper.process.pid, signal.SIGKILL)
        helper.process.wait()
        assert helper.ask({"replies": {}, "sources": []}, 30) == {}
        with pytest.raises(Lost, match="more than"):
            helper.ask({"a": "b" * 10**7}, 0.0)
        assert helper.ask({"replies": {}, "sources": []}, 30) == {}


GRADE = """
import json, sys
from minigrad_class import batch
if __name__ == "__main__":
    jobs = json.load(open(sys.argv[1]))
    for result in batch.with_processes(jobs, 2):
        print(result["key"], flush=True)
"""


def everyone():
    """Every process, with its command and what started it."""
    result = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            result[int(name)] = (words, int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1]))
        except OSError:
            continue
    return result


@pytest.mark.parametrize("sandboxed", [False, True] if SANDBOX else [False])
def test_a_killed_grader_leaves_nothing_behind(course, tmp_path, sandboxed):
    endless = "def double(x):\n    while True: pass"
    limits = Limits(cell=100.0, total=300)
    jobs = [job_of(course, limits, sandboxed, double=f"{endless}  # {i}") for i in range(4)]
    (tmp_path / "jobs.json").write_text(json.dumps(jobs))
    (tmp_path / "grade.py").write_text(GRADE)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'class'}", "TMPDIR": str(tmp_path)}
    grader = subprocess.Popen(
        [sys.executable, str(tmp_path / "grade.py"), str(tmp_path / "jobs.json")], env=environment
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        ours = list(processes.descendants(grader.pid))
        names = [words for pid, (words, _) in everyone().items() if pid in ours]
        if sum("minigrad_class.sandbox_worker" in words for words in names) >= 2:
            break
        time.sleep(0.1)
    time.sleep(2)  # until the endless answers run
    ours = set(processes.descendants(grader.pid))
    assert len(ours) > 4
    assert list(tmp_path.glob(f"{scratch.PREFIX}*"))
    grader.kill()
    grader.wait()
    deadline = time.monotonic() + 60
    while (left := ours & everyone().keys() - zombies()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left, [everyone().get(pid) for pid in left]
    swept = "from minigrad_course.isolation import scratch; scratch.sweep()"
    subprocess.run([sys.executable, "-c", swept], env=environment, check=True)
    assert not list(tmp_path.glob(f"{scratch.PREFIX}*"))


def zombies():
    """Processes that have ended, and whose end nobody has looked at yet: their command is empty."""
    return {pid for pid, (words, _) in everyone().items() if not words}


def test_a_folder_in_use_is_not_swept(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    ours = scratch.make("mine")
    (tmp_path / f"{scratch.PREFIX}left").mkdir()
    code = "from minigrad_course.isolation import scratch; print(scratch.sweep())"
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'class'}", "TMPDIR": str(tmp_path)}
    output = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert output.stdout == "1\n", output.stderr
    assert list(tmp_path.iterdir()) == [ours]
    scratch.remove(ours)
    assert not ours.exists()


def test_a_daemon_ends_with_its_submission(course):
    mark = f"{9_000_000 + os.getpid()}"
    daemon = (
        "import os, sys\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        f"        os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(100) #{mark}'])\n"
        "    os._exit(0)\n"
    )
    jobs = [job_of(course, sandboxed=False, double=daemon + RIGHT["double"])]
    (result,) = batch.with_processes(jobs, 1)
    assert result["outcomes"]["test_double"]["status"] == "ok"
    assert not [words for words, _ in everyone().values() if f"sleep(100) #{mark}" in words]


def test_deep_structures_that_share_parts_are_refused():
    bomb = (0,)
    for _ in range(90):
        bomb = (bomb, bomb)
    with pytest.raises(plain_values.Unreadable, match="parts"):
        plain_values.decode(plain_values.encode(bomb))
    shared = [1.0, 2.0]
    honest = {"rows": [shared] * 1000, "x": (shared, [shared])}
    assert plain_values.decode(plain_values.encode(honest)) == honest
    assert np.array_equal(plain_values.decode(plain_values.encode([np.eye(3)] * 2))[1], np.eye(3))


# One submission after the other.

LOOK = r"""
def double(x):
    import glob, os
    status = open('/proc/self/status').read()
    seen = [status.split('CapEff:')[1].split()[0], status.count('NoNewPrivs:\t1')]
    seen += sorted(os.listdir('/home/student')) + sorted(os.listdir('/tmp')) + sorted(os.listdir('/dev/shm'))
    seen += [len([p for p in os.listdir('/proc') if p.isdigit()]) < 6]
    for name in ('/home/student/left', '/tmp/left', '/dev/shm/left'):
        open(name, 'w').write('for the next one')
    if os.fork() == 0:
        os.setsid()
        import time; time.sleep(100)
        os._exit(0)
    import ctypes
    c = ctypes.CDLL(None)
    seen += [c.mount(b'tmpfs', b'/mnt', b'tmpfs', 0, None), c.umount2(b'/run', 2), c.unshare(0x20000)]
    raise RuntimeError(repr(seen))
"""


@pytest.mark.skipif(not SANDBOX, reason="needs bubblewrap")
def test_one_submission_leaves_nothing_to_the_next(course):
    text = [grade_job(job_of(course, double=LOOK))["outcomes"]["test_double"]["message"] for _ in range(3)]
    nothing = "['0000000000000000', 1, 'ipython', True, -1, -1, -1]"  # but for its own IPython's folder
    assert text == [nothing] * 3


READ = """
def double(x):
    import glob
    raise RuntimeError(repr(sorted(open(p).read() for p in glob.glob('/proc/[0-9]*/environ'))))
"""


@pytest.mark.skipif(not SANDBOX, reason="needs bubblewrap")
def test_no_sandboxed_process_shows_the_graders_environment(course, monkeypatch):
    """Neither its own nor the first one, which bubblewrap is."""
    monkeypatch.setenv("THE_GRADERS_OWN", "secret")
    path = os.environ["PATH"]
    outcomes = grade_job(job_of(course, double=READ))["outcomes"]
    assert [outcome["status"] for outcome in outcomes.values()] == ["error", "ok", "ok"]
    seen = outcomes["test_double"]["message"]
    assert "MINIGRAD_SANDBOX=on" in seen
    assert "secret" not in seen
    assert path not in seen
