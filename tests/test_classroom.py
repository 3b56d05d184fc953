"""The classroom: whose a submission is, what is made of it, what is asked and judged, and that nothing is lost."""

import ast
import csv
import io
import itertools
import json
import os
import re
import shlex
import stat
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from classroom_course import (
    BOOK,
    EXERCISE,
    LIMITS,
    RIGHT,
    SANDBOX,
    WALL,
    cell,
    gathered,
    job_of,
    lay,
    make_course,
    notebook_bytes,
    stay_in_one_process,
    submission,
    zip_of,
)  # fmt: skip

from minigrad_class import (
    batch,
    collect,
    csv_tables,
    downloads,
    engines,
    feedback_pages,
    owners,
    plain_values,
    sandbox,
    split,
)
from minigrad_class.assignment import Assignment
from minigrad_class.marks import Mark, make_marks, read_submissions
from minigrad_class.roster import read_roster
from minigrad_class.store import Store
from minigrad_class.supervise import grade_job
from minigrad_course import cli
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.exercises import all_exercises, course_folder
from minigrad_course.grading.outcome import Row
from minigrad_course.isolation.limits import Limits

pytestmark = pytest.mark.slow

needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="Linux only")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("course"))


# Whose is it?


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("Jane Doe_12345_assignsubmission_file_/05_computational_graph.ipynb", "Jane_Doe"),
        ("Jane Doe_12345_05_graph (1).ipynb", "Jane_Doe"),
        ("doejane_LATE_12345_67890_05_computational_graph-1.ipynb", "doejane"),
        ("doejane_12345_67890_Exercise 05.ipynb", "doejane"),
        ("jane/05_computational_graph/05_computational_graph.ipynb", "jane"),
        ("Group A/graph jane doe final v2.ipynb", "jane_doe"),
        ("submissions/Jane Doe/attempt 2/computational graph (copy).ipynb", "Jane_Doe"),
        ("O'Brien Zoë_05_computational_graph.ipynb", "O'Brien_Zoë"),
        ("Jean-Luc Picard_05.ipynb", "Jean-Luc_Picard"),
        ("05-computational-graph-jane.doe.ipynb", "jane_doe"),
        ("Doe, Jane - hw05.ipynb", "Doe_Jane"),
        ("李小龍_05_computational_graph.ipynb", "李小龍"),
    ],
)
def test_a_name_is_found_in_file_or_folder(path, student):
    (reading,) = owners.read_names([path.split("/")], "05_computational_graph")
    others = [path.split("/"), ["Group A", "John Roe_05.ipynb"]]
    assert student in (reading.student, owners.read_names(others, "05_computational_graph")[0].student)


def test_where_two_readings_are_left_a_person_decides():
    paths = [["Jane Doe", "John Roe.ipynb"], ["05.ipynb"]]
    first, second = owners.read_names(paths, "05_graph")
    assert first.doubt == "is it Jane Doe's or John Roe's?"
    assert second.doubt == "no name is in its name"


def test_one_name_with_two_numbers_is_two_persons():
    paths = [["Jane Doe_11111_05.ipynb"], ["jane doe_22222_05.ipynb"], ["John_33333_05.ipynb"], ["Jane Doe_05.ipynb"]]
    readings = owners.read_names(paths, "05_graph")
    assert [r.student for r in readings] == ["Jane_Doe_11111", "jane_doe_22222", "John", ""]
    assert readings[3].doubt == "there are several called Jane_Doe"


def test_an_id_is_once_in_a_roster(tmp_path):
    (tmp_path / "class.csv").write_text("id,name\nann,Ann A\nbob,Bob B\nann,Ann C\n")
    with pytest.raises(GradingError, match="has ann in several lines"):
        read_roster(tmp_path / "class.csv")


def test_a_report_of_nothing_makes_no_folder(tmp_path, monkeypatch):
    make_course(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["class", "report", "01", "--folder", "new"]) != 0
    assert not (tmp_path / "new").exists()


def test_engines_that_need_a_person_are_named(tmp_path):
    (tmp_path / "mine.py").write_text("import gc\nimport numpy as np\n")
    assert "needs a person: uses gc" in engines._hides(tmp_path / "mine.py")[0]


def test_a_roster_knows_better():
    roster = {"jd1": "Jane Doe|jane@uni.edu", "jd2": "Jane Dorn", "x9": "Xu Li"}
    paths = [["Doe Jane_05.ipynb"], ["x9.ipynb"], ["Jane_05.ipynb"], ["homework", "Li, Xu (2).ipynb"]]
    readings = owners.read_names(paths, "05_graph", roster)
    assert [r.student for r in readings] == ["jd1", "x9", "", "x9"]
    assert readings[2].doubt == "nobody in the roster is called so"


def test_a_decision_is_never_a_path():
    assert owners.slug(["../../etc", "x\x00y"]) == "etc_xy"


# The heap.


@pytest.fixture
def heap(tmp_path, monkeypatch):
    stay_in_one_process(monkeypatch)
    folder = tmp_path / "heap"
    folder.mkdir()
    return folder


def test_files_folders_and_zips_in_zips_are_collected(course, heap, tmp_path):
    files = {"Ann_01_doubling.ipynb": notebook_bytes(course), f"Bob/{BOOK}": notebook_bytes(course, half=None)}
    files |= {"Bob/.ipynb_checkpoints/01_doubling-checkpoint.ipynb": b"old", "readme.txt": b"hello"}
    lay(heap, files)
    inner = io.BytesIO()
    zip_of(inner, {"work/01_doubling.ipynb": notebook_bytes(course, look=None)})
    files = {"answer.zip": inner.getvalue(), "__MACOSX/._x.ipynb": b"", "../../../notes.txt": b"hello"}
    zip_of(heap / "Cleo_4711_assignsubmission_file_.zip", files)
    collection = gathered(course, heap, tmp_path)
    assert {one.student for one in collection.values() if one.status == "taken"} == {"Ann", "Bob", "Cleo"}
    assert collection["readme.txt"].status == "other"
    saved = tmp_path / "grading" / "submitted" / "Bob" / EXERCISE / BOOK
    assert saved.read_bytes() == notebook_bytes(course, half=None)
    assert not list(tmp_path.glob("*notes*"))


def test_links_bombs_and_giants_are_named_and_left(course, heap, tmp_path, monkeypatch):
    monkeypatch.setattr(downloads, "MOST_UNPACKED", 3_000_000)
    monkeypatch.setattr(downloads, "MOST_BYTES", 1_000_000)
    secret = tmp_path / "secret.ipynb"
    secret.write_bytes(notebook_bytes(course))
    (heap / "Link_01.ipynb").symlink_to(secret)
    (heap / "Loop").symlink_to(heap)
    os.mkfifo(heap / "Pipe_01.ipynb")
    (heap / "Huge_01.ipynb").write_bytes(b" " * 1_500_000)
    (heap / "Broken_01.zip").write_bytes(b"PK\x03\x04 no zip at all")
    with zipfile.ZipFile(heap / "Bomb_01.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(5):
            archive.writestr(f"Bomb{chr(65 + i)}_01.ipynb", b" " * 900_000)
        link = zipfile.ZipInfo("Linked_01.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    (heap / "Ann_01.ipynb").write_bytes(notebook_bytes(course))
    collection = gathered(course, heap, tmp_path)
    for name, note in {
        "Link_01.ipynb": "a link",
        "Loop": "a link",
        "Pipe_01.ipynb": "no ordinary file",
        "Huge_01.ipynb": "it has 2 MB",
        "Broken_01.zip": "cannot be opened",
        "Bomb_01.zip/BombE_01.ipynb": "unpacks to more",
        "Bomb_01.zip/Linked_01.ipynb": "a link",
    }.items():
        assert note in collection[name].note
        assert collection[name].status in ("not taken", "other", "unreadable", "unclear", "several")
    assert collection["Ann_01.ipynb"].status == "taken"


def test_a_name_without_a_letter_is_no_name(course, heap, tmp_path):
    (heap / "***.ipynb").write_bytes(notebook_bytes(course))
    assert gathered(course, heap, tmp_path)["***.ipynb"].status == "unclear"


def test_a_person_decides_in_the_table(course, heap, tmp_path):
    (heap / "Ann_01.ipynb").write_bytes(notebook_bytes(course))
    (heap / "Ann_01 (1).ipynb").write_bytes(notebook_bytes(course, half=None))
    (heap / "01.ipynb").write_bytes(notebook_bytes(course, look=None))
    collection = gathered(course, heap, tmp_path)
    assert {name: one.status for name, one in collection.items()} == {
        "Ann_01.ipynb": "several", "Ann_01 (1).ipynb": "several", "01.ipynb": "unclear",
    }  # fmt: skip
    table = tmp_path / "grading" / f"collected-{EXERCISE}.csv"
    decide(table, **{"Ann_01.ipynb": "skip", "01.ipynb": "Bob Roe"})
    collection = gathered(course, heap, tmp_path)
    assert {one.student: one.status for one in collection.values()} == {
        "": "skipped", "Ann": "taken", "Bob_Roe": "taken",
    }  # fmt: skip
    assert collect.open_files(table) == []


def decide(table, **decisions):
    """Write into the table as a German spreadsheet saves it: with semicolons, in its own encoding."""
    rows = csv_tables.read_named(table)
    with table.open("w", encoding="cp1252", newline="") as file:
        writer = csv.DictWriter(file, collect.COLUMNS, delimiter=";")
        writer.writeheader()
        writer.writerows({**row, "decision": decisions.get(row["file"], "")} for row in rows)


def test_a_later_submission_waits_for_a_person(course, heap, tmp_path):
    (heap / "Ann_01.ipynb").write_bytes(notebook_bytes(course))
    assert gathered(course, heap, tmp_path)["Ann_01.ipynb"].status == "taken"
    assert gathered(course, heap, tmp_path)["Ann_01.ipynb"].status == "taken", "it is the same"
    late = lay(tmp_path / "late", {"ann_LATE_123_01.ipynb": notebook_bytes(course, half=None)})
    roster, table = roster_of(tmp_path, "Ann"), tmp_path / "grading" / f"collected-{EXERCISE}.csv"
    (one,) = gathered(course, late, tmp_path, roster=roster).values()
    assert (one.status, one.instead) == ("again", False)
    saved = tmp_path / "grading" / "submitted" / "Ann" / EXERCISE / BOOK
    assert saved.read_bytes() == notebook_bytes(course)
    assert "--replace" in collect.open_files(table)[0]
    decide(table, **{"ann_LATE_123_01.ipynb": "take"})
    (one,) = gathered(course, late, tmp_path, roster=roster).values()
    assert (one.status, one.instead) == ("taken", True)
    assert saved.read_bytes() == notebook_bytes(course, half=None)
    rows = collect.read_table(table)
    assert rows["Ann_01.ipynb"]["status"] == "replaced"
    assert "late" in rows["ann_LATE_123_01.ipynb"]["note"]
    (late / "ann_LATE_123_01.ipynb").write_bytes(notebook_bytes(course, look=None))
    (one,) = gathered(course, late, tmp_path, roster=roster, replace=True).values()
    assert one.instead, "or by a word in the command, for all"


def roster_of(folder, *lines):
    (folder / "class.csv").write_text("\n".join(lines), encoding="cp1252")
    return folder / "class.csv"


def test_notebooks_of_other_exercises_are_told_apart(heap, tmp_path):
    real = Assignment.load("05", course_folder())
    other = real.course / "exercises" / "02_dual_numbers" / "02_dual_numbers.ipynb"
    (heap / "Ann_02.ipynb").write_bytes(other.read_bytes())
    collection = collect.collect(real, heap, tmp_path / "grading").found
    assert [(one.status, one.note) for one in collection] == [("not taken", "belongs to 02_dual_numbers")]


# Splitting a test.


def asked(source, **options):
    return split.split("t", source, {"f", "g"}, **options)


def test_a_submission_is_asked_for_a_value():
    test = asked("x = 3\ncheck_close(f(x), 9, 'f(3)')")
    assert test.asked == "x = 3\n_ask_(0, f(x))"
    assert test.judged == "x = 3\n_ask_(0, check_close, f(x), 9, 'f(3)')"
    assert test.remarks == []


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("want = 9\ncheck_close(f(3), want)", "_ask_(0, f(3))"),
        ("base = 3\nwant = base ** 2\ncheck_close(f(3), want)", "_ask_(0, f(3))"),
        ("assert f(3) == 9, 'nine'", "_ask_(0, f(3))"),
        ("import numpy as np\nassert np.allclose(f(3), [9.0])", "_ask_(0, f(3))"),
        (
            "for x, want in [(1, 1), (3, 9)]:\n    check_close(f(x), want)",
            "for x, want in [(1, None), (3, None)]:\n    _ask_(0, f(x))",
        ),
        (
            "with here as there:\n    check_close(got=f(there), expected=9)",
            "with here as there:\n    _ask_(0, f(there))",
        ),
    ],
)
def test_what_serves_only_the_expectation_stays_outside(source, kept):
    assert asked(source).asked == ast.unparse(ast.parse(kept))  # Python 3.10 writes `for (x, want) in`


def test_what_a_submission_could_see_is_remarked():
    assert "shows a submission" in asked("for w in [9]:\n    check_close(f(3), w)").remarks[0]


@pytest.mark.parametrize(
    "source",
    [
        "assert callable(f)",
        "f(3)\n2.5",
        "check_close(*[f(3), 9])",
        "pass",
        "check_close(",
        "check_close(784, 1, f(2))",
        "check_close(f(1), 1)\nassert isinstance(f(2), int)",
        "order = f(3)\ncheck_close(f(order), g(order))",
    ],
)
def test_a_test_judged_from_inside_is_refused(source):
    with pytest.raises(GradingError, match="t"):
        asked(source)


@pytest.mark.turns
@pytest.mark.parametrize("exercise", all_exercises(course_folder()), ids=lambda exercise: exercise.id)
def test_every_exercise_can_be_graded_from_outside(exercise):
    """Each of its tests can be split, shows nothing that it expects, and decides nothing beside a submission."""
    if exercise.full() is None:
        pytest.skip("no solutions here")
    remarks = [r for test in Assignment.load(exercise.id, exercise.course).tests.values() for r in test.remarks]
    assert [remark for remark in remarks if "shows a submission" in remark] == []


# Values.


class Point:
    def __init__(self):
        self.x, self.friends = 1.5, []


Point.__module__ = "__main__"


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, -(10**50), 1.5, float("inf"), 1 + 2j, "ε\n", [], [1, [2.0, "x"]], (1, (2,)), {"a": [1], 2: None},
        {1, 2}, frozenset({(1, 2)}), np.float32(0.1), [np.int64(3)], {(1, 2): {"b": 1}},
    ],
    ids=repr,
)  # fmt: skip
def test_values_come_through_the_wall_as_they_were(value):
    back = plain_values.decode(json.loads(json.dumps(plain_values.encode(value))))
    assert back == value
    assert type(back) is type(value)


def test_objects_come_through_as_fields():
    points = [Point() for _ in range(5000)]
    for one, next_ in itertools.pairwise(points):
        one.friends.append(next_)
    points[-1].friends.append(points[0])
    table = json.loads(json.dumps(plain_values.encode(points[0])))
    back = plain_values.decode(table, {"Point": Point})
    assert back.friends[0].friends[0].x == 1.5
    stranger = plain_values.decode(table)
    assert type(stranger).__name__ == "Point"
    assert not isinstance(stranger, Point)
    assert stranger.x == 1.5


@pytest.mark.parametrize(
    "table",
    [
        None, [], [["list", [5]]], [["list", [-1]]], [["tuple", [0]]], [["what", 1]], [["int", "zz"]], ["list"],
        [["array", "<f8", [10**9], "AAAA"]], [["array", "O", [1], "AAAAAAAAAAA="]], [["plain", {}]],
        [["dict", [[1, 1]]]], [["set", [1]], ["list", []]], [["object", "A", "", {"a": 9}, None]],
        [["float", "0x1p99999"]], [["str", 5]],
    ],
    ids=str,
)  # fmt: skip
def test_a_table_that_was_tampered_with_is_unreadable(table):
    with pytest.raises(plain_values.Unreadable):
        plain_values.decode(table)


def test_no_memory_address_comes_from_a_submission():
    fields = {"__array_interface__": 1, "x": 2}
    table = [["object", "Point", "", fields, None], ["dict", []], ["float", "0x1p0"]]
    assert vars(plain_values.decode(table, {"Point": Point})) == {"x": 1.0}
    assert vars(plain_values.decode(table)) == {"x": 1.0}


def test_what_is_too_much_is_said_so():
    with pytest.raises(plain_values.Unreadable, match="never ends"):
        plain_values.encode(iter(int, 1))
    with pytest.raises(plain_values.Unreadable, match="bytes"):
        plain_values.encode(np.zeros(10**6))


# One submission.


def mark_of(course, folder, show_hidden=False, **answers):
    """The first row of a submission's mark, and the page about it."""
    lay(folder / "submitted", {f"ann/{EXERCISE}/{BOOK}": notebook_bytes(course, **answers)})
    submissions, store = read_submissions(course, folder), Store(folder / "results")
    store.put(grade_job(course.job(submissions[0].repaired, LIMITS, SANDBOX)))
    (mark,) = make_marks(course, submissions, store, show_hidden=show_hidden)
    return mark.rows[0], feedback_pages.feedback("Doubling", mark)


@needs_proc
def test_feedback_is_that_of_a_learner_hint_included(course, tmp_path):
    row, page = mark_of(course, tmp_path, double="def double(x):\n    return x * x")
    assert (row.points, row.feedback, row.hint) == (0, "double(3): expected 6, got 9", "You square.")
    assert "You square." in page
    assert "expected 6, got 9" in page


@needs_proc
@pytest.mark.parametrize(
    ("shown", "feedback"),
    [
        (False, "a hidden check failed (double(-1.25))"),
        (True, "double(-1.25): expected -2.5, got 2.5 (the sign is the opposite)"),
    ],
)
def test_what_a_hidden_check_expects_is_not_said(course, tmp_path, shown, feedback):
    row, _ = mark_of(course, tmp_path, shown, double="def double(x):\n    return abs(2 * x)")
    assert row.feedback == feedback


@needs_proc
@pytest.mark.parametrize(("table", "known"), [("{}", True), ("{3: 6}", False)])
def test_an_error_shows_the_line(course, tmp_path, table, known):
    row, _ = mark_of(course, tmp_path, double=f"def double(x):\n    return {table}[x]")
    assert row.feedback.startswith("KeyError")
    assert row.hint.startswith("It stops at `{}[x]`, where x is 3. The dict has no entry 3.") == known
    assert ("It stops" in row.hint) == known


@needs_proc
def test_without_a_sandbox_cells_are_ended_as_well(course):
    limits = Limits(cell=1.0, grace=0.5, total=30)
    result = grade_job(job_of(course, limits, False, double="import time\ndef double(x):\n    time.sleep(60)"))
    assert [o["status"] for o in result["outcomes"].values()] == ["timeout", "ok", "ok"]


def test_without_bubblewrap_one_has_to_say_so(course, monkeypatch, tmp_path):
    monkeypatch.setattr(sandbox, "missing", lambda: "bubblewrap is not installed")
    with pytest.raises(GradingError, match=r"no sandbox: bubblewrap is not installed.*--no-sandbox"):
        grade_job(job_of(course, sandboxed=True))


@pytest.mark.skipif(not SANDBOX, reason="needs bubblewrap")
def test_the_sandbox_holds_nothing_of_the_course(course):
    words = sandbox.wall(None, 3_000_000, [course.course])
    look = "import os; print(os.path.exists(%r), os.listdir('/home/student'), os.environ['HOME'], os.getpid() < 10)"
    output = subprocess.run(
        [*words, "--", sys.executable, "-c", look % str(course.course)], capture_output=True, text=True
    )
    assert output.stdout.strip() == "False [] /home/student True", output.stderr


@pytest.mark.skipif(not SANDBOX, reason="needs bubblewrap")
def test_the_sandbox_hides_the_solutions(monkeypatch, tmp_path):
    """A wheel brings the whole course; an editable install of before had a copy of it too."""
    site, prefix = tmp_path / "env" / "site-packages", tmp_path / "env"
    for place in (site / "minigrad_course" / "course_files" / "solutions", prefix / "runtime", site / "other"):
        place.mkdir(parents=True)
        (place / "secret").write_text("42")
    (prefix / "lab.log").write_text("secret")
    monkeypatch.setattr(sandbox.site, "getsitepackages", lambda: [str(site)])
    readable = [*sandbox._readable(), tmp_path]
    monkeypatch.setattr(sandbox, "_readable", lambda: readable)
    with monkeypatch.context() as patch:
        patch.setattr(sandbox.sys, "prefix", str(prefix))
        words = sandbox.wall(None, 3_000_000)
    look = f"cd {tmp_path}; find . -name secret; cat env/lab.log; ls env/runtime"
    output = subprocess.run([*words, "--", "/bin/sh", "-c", look], capture_output=True, text=True)
    assert output.stdout == "./env/site-packages/other/secret\n", output.stderr


def test_damaged_answers_of_the_judge_are_nobodys_points(course):
    from minigrad_class.judge_client import judge_for

    judge = judge_for(course.payload)
    good = {"status": "ok", "error": "", "message": "", "overwritten": []}
    three = [[0, [plain_values.encode(6)]], [1, [plain_values.encode(-2.5)]]]
    for text, status in [
        ({**good, "values": three}, "ok"),
        ({**good, "values": three[:1]}, "refused"),
        ({**good, "values": [*three, three[0]]}, "refused"),
        ({**good, "values": three[::-1]}, "refused"),
        ({**good, "values": [[0, None], [1, None]]}, "refused"),
        ({**good, "values": [[0, []], [1, []]]}, "refused"),
        ({**good, "values": three, "status": "error"}, "error"),
    ]:
        assert judge.outcomes({"test_double": text})["test_double"][0].status == status, text


# Many.


def jobs_for(course, count):
    return [job_of(course, double=f"def double(x):\n    return 2 * x  # {i}") for i in range(count)]


def test_a_submission_without_workers_is_for_a_person(course):
    jobs = jobs_for(course, 2)
    jobs[0]["exercise"] = {"id": "bad"}  # not even a worker's error stops the others
    results = {result["key"]: result for result in batch.with_processes(jobs, 1)}
    assert "ungraded" in results[jobs[0]["key"]]
    assert "outcomes" in results[jobs[1]["key"]]


def test_a_test_of_verdicts_is_pointed_out(tmp_path, monkeypatch, capsys):
    course = make_course(tmp_path)
    path = tmp_path / "solutions" / EXERCISE / f"{EXERCISE}.ipynb"
    text = path.read_text(encoding="utf-8").replace("check_close(double(3), 6,", "check_close(double(3) == 6, True,")
    path.write_text(text.replace("check_close(double(-1.25), -2.5,", "check_close(double(2) == 5, False,"), "utf-8")
    assert run(monkeypatch, course, "release", "01", *WALL) == 0
    assert "`test_double` can be guessed" in capsys.readouterr().out


# The store.


def test_a_result_is_there_whole(tmp_path):
    store = Store(tmp_path)
    store.put({"key": "a", "x": 1})
    assert store.get("a") == {"key": "a", "x": 1, "times": 1}
    (tmp_path / "a.json").write_text('{"key": "a", "x"')
    assert store.get("a") is None
    (tmp_path / "b.json").write_text('{"key": "a"}')
    assert store.get("b") is None
    assert not list(tmp_path.glob(".*"))


def test_the_key_changes_with_answers_and_exercise(course, tmp_path):
    def key(assignment, limits=LIMITS, **answers):
        return job_of(assignment, limits, False, **answers)["key"]

    assert key(course) == key(course, Limits(cell=1.0))
    assert key(course) != key(course, half=RIGHT["half"] + " ")
    other = make_course(tmp_path)
    assert key(other) == key(course)
    cell(other.full, "test_half")["source"] += "\ncheck_close(half(8.0), 4, 'half(8)')"
    del other.__dict__["payload"], other.__dict__["tests"]
    assert key(other) != key(course)


# Out.


def test_what_is_not_graded_is_empty(course, tmp_path):
    lay(tmp_path / "submitted", {f"ann/{EXERCISE}/{BOOK}": notebook_bytes(course), f"bob/{EXERCISE}/{BOOK}": b"{"})
    marks = make_marks(course, read_submissions(course, tmp_path), Store(tmp_path / "results"), roster=["cleo", "ann"])
    header, *lines = feedback_pages.grades(course, marks)
    rows = {line[0]: dict(zip(header, line, strict=True)) for line in lines}
    assert {name: (row["status"], row["points"], row["test_half"]) for name, row in rows.items()} == {
        "ann": ("ungraded", "", ""), "bob": ("ungraded", "", ""), "cleo": ("missing", "", ""),
    }  # fmt: skip
    todo = feedback_pages.needs_a_person(course, marks, ["x.ipynb: no name"])
    assert "bob: the notebook cannot be read" in todo
    assert "x.ipynb: no name" in todo


def test_a_page_shows_code_as_text(course):
    mark = Mark("<b>ann</b>", [Row("test_half", 0.0, 1.0, "<script>x</script>", "<i>hint</i>")], "graded", 6.0)
    mark.answers = {"half": "<script>alert(1)</script>" + "x" * 10**6}
    mark.notes = ["<img src=x>" * 1000] * 1000
    page = feedback_pages.feedback("Doubling", mark)
    assert "<script>" not in page
    assert "<img" not in page
    assert len(page) < 100_000


# All of it, by the command.


def run(monkeypatch, course, *words):
    monkeypatch.chdir(course.course)
    return cli.main(["class", *words])


@needs_proc
def test_from_release_to_grades(tmp_path, monkeypatch, capsys):
    course = make_course(tmp_path, essay=True)
    assert run(monkeypatch, course, "release", "01", *WALL) == 0
    with zipfile.ZipFile(tmp_path / "grading" / "release" / f"{EXERCISE}.zip") as archive:
        assert sorted(archive.namelist()) == [f"{EXERCISE}/{EXERCISE}.ipynb", f"{EXERCISE}/tests.json"]
        assert b"-1.25" not in archive.read(f"{EXERCISE}/{EXERCISE}.ipynb")
    heap = tmp_path / "heap"
    heap.mkdir()
    for name, answers in {"Ann": {}, "Bob": {"half": None}}.items():
        notebook = submission(course, **answers)
        cell(notebook, "why")["source"] = f"Because {name} says so."
        (heap / f"{name}_01.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    assert run(monkeypatch, course, "collect", "01", str(heap)) == 0
    assert run(monkeypatch, course, "grade", "01", *WALL) == 0
    assert "2 of 2 graded" in capsys.readouterr().out
    assert grades(tmp_path) == {"Ann": ("graded", "6"), "Bob": ("graded", "5")}
    page = (tmp_path / "grading" / "feedback" / "Ann" / f"{EXERCISE}.html").read_text(encoding="utf-8")
    assert "Because Ann says so." in page, "an essay is shown, and a person gives its points"
    stay_in_one_process(monkeypatch)  # what has been seen once at work

    # Nothing is graded twice; what changes is graded again.
    assert run(monkeypatch, course, "grade", "01", *WALL) == 0
    assert "All of them are graded already" in capsys.readouterr().out
    (heap / "Ann_01.ipynb").write_bytes(notebook_bytes(course, half="def half(x):\n    return x"))
    assert run(monkeypatch, course, "collect", "01", str(heap)) == 1  # what was collected stays, until somebody says so
    assert run(monkeypatch, course, "collect", "01", str(heap), "--replace") == 0
    assert run(monkeypatch, course, "grade", "01", *WALL) == 0
    assert "1 of 1 graded" in capsys.readouterr().out
    assert grades(tmp_path)["Ann"] == ("graded", "5")


def grades(folder):
    rows = csv_tables.read_named(folder / "grading" / f"grades-{EXERCISE}.csv")
    return {row["student"]: (row["status"], row["points"]) for row in rows}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 2 * x + x", "the author's own `test_double` fails: Mismatch: double(3): expected 6, got 9"),
        ("return 3 * x", "wrong.py:1: '2 * x' does not occur; the nearest line is `return 3 * x`"),
    ],
)
def test_an_exercise_whose_solution_fails_is_not_graded(tmp_path, monkeypatch, capsys, body, message):
    course = make_course(tmp_path)
    path = tmp_path / "solutions" / EXERCISE / f"{EXERCISE}.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("return 2 * x", body), encoding="utf-8")
    assert run(monkeypatch, course, "release", "01", "--no-sandbox") == 2
    assert message in capsys.readouterr().err


@pytest.mark.thorough
@needs_proc
def test_every_command_of_the_instructors_guide_works(tmp_path, monkeypatch, capsys):
    """In its order, with exercise 01 of a small course in the place of 05."""
    stay_in_one_process(monkeypatch)
    course = make_course(tmp_path)
    pages = [course_folder() / "docs" / f"{name}.md" for name in ("two_minutes", "instructors")]
    guide = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    commands = [
        line.split("  #")[0] for line in re.findall(r"^    (mkdir .*|cp .*|minigrad class .*)$", guide, re.MULTILINE)
    ]
    files = {
        f"{who}_1234{i}_assignsubmission_file_/{EXERCISE}.ipynb": i for i, who in enumerate(("ann", "bob", "cleo"))
    }
    for name, answers in (("export.zip", {}), ("late.zip", {"half": None})):
        bodies = {file: json.dumps(submission(course, **(answers if i else {}))) for file, i in files.items()}
        zip_of(tmp_path / name, bodies)
    (tmp_path / "class.csv").write_text("id,name\nann,Ann\nbob,Bob\ncleo,Cleo\ndan,Dan\n")
    (tmp_path / "export.csv").write_text("Username,01 Doubling\nann,\nbob,\ncleo,\ndan,\n")

    ran = []
    for command in commands:
        words = shlex.split(command.replace("05_computational_graph", EXERCISE).removeprefix("minigrad "))
        words = [EXERCISE if word == "05" else word for word in words]
        if words[0] != "class":
            subprocess.run(words, cwd=tmp_path, check=True)
            continue
        if words[1] in ("release", "grade", "gradescope"):
            words += WALL
        if words[1] == "course":
            words[2] = str(tmp_path / "course.zip")
        status = run(monkeypatch, course, *words[1:])
        printed = capsys.readouterr()
        assert status in (0, 1), (command, printed)
        ran.append(words[1])
    trial = csv_tables.read_named(tmp_path / "build" / "grading" / f"grades-{EXERCISE}.csv")
    assert {row["student"]: row["points"] for row in trial} == {"author": "6", "you": "0"}
    assert ran[:8] == ["collect", "grade", "release", "course", "collect", "grade", "marks", "collect"]
    assert {"report", "gradescope"} <= set(ran)
    assert "ann,6" in (tmp_path / "grading" / "marks-export.csv").read_text()
    assert len(ran) >= 9
    rows = {row["student"]: row for row in csv_tables.read_named(tmp_path / "grading" / f"grades-{EXERCISE}.csv")}
    assert {name: (row["status"], row["points"]) for name, row in rows.items()} == {
        "ann": ("graded", "6"), "bob": ("graded", "5"), "cleo": ("graded", "5"), "dan": ("missing", ""),
    }  # fmt: skip


def test_collecting_one_exercise_makes_no_others_sheet(monkeypatch):
    """That of all tests takes a minute where it has not been made, and there are sixteen others."""
    monkeypatch.setattr(
        "minigrad_course.grading.rehearse.sheet_of_all_tests", lambda *_: pytest.fail("a sheet is made")
    )
    first, *rest = all_exercises(course_folder())
    own = Assignment(first.id, first.course, first.full(), first.sheet())
    assert [one.id for one in collect._others(own)] == [one.id for one in rest if one.has_hidden]
