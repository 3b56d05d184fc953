"""Nobody who has handed something in is told to have handed in nothing."""

import io
import os
import zipfile

import pytest
from classroom_course import BOOK, EXERCISE, in_one_process, lay, make_course, notebook_bytes, zip_of  # noqa: F401

from minigrad_class import collect, csv_tables, downloads
from minigrad_course import cli

pytestmark = pytest.mark.usefixtures("in_one_process")

OTHER = "02_halving"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Two exercises that look alike."""
    folder = tmp_path_factory.mktemp("course")
    assignment = make_course(folder)
    for room in ("exercises", "solutions"):
        (folder / room / OTHER).mkdir()
        text = (folder / room / EXERCISE / BOOK).read_text().replace(EXERCISE, OTHER)
        (folder / room / OTHER / f"{OTHER}.ipynb").write_text(text)
        sheet = (folder / room / EXERCISE / "tests.json").read_text().replace(EXERCISE, OTHER)
        (folder / room / OTHER / "tests.json").write_text(sheet)
    return assignment


def zipped(files):
    return zip_of(io.BytesIO(), files).getvalue()


def nested(data, depth):
    for _ in range(depth):
        data = zipped({"inner.zip": data})
    return data


def linked(data):
    """A zip in which the notebook is a link."""
    archive, about = io.BytesIO(), zipfile.ZipInfo(BOOK)
    about.external_attr = 0o120777 << 16
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(about, "/etc/passwd")
    return archive.getvalue()


def locked(data):
    """A zip that says of its file that it needs a password."""
    archive = bytearray(zipped({BOOK: data}))
    for start, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        archive[archive.index(start) + flags] |= 1
    return bytes(archive)


ZIP = f"{EXERCISE}.zip"
HANDED_IN = {
    "too large": lambda good: (BOOK, b"{" + b" " * (downloads.MOST_BYTES + 1)),
    "too large in a zip": lambda good: (ZIP, zipped({BOOK: b"{" + b" " * (downloads.MOST_BYTES + 1)})),
    "no json": lambda good: (BOOK, good[:300]),
    "other exercise": lambda good: (BOOK, good.replace(EXERCISE.encode(), OTHER.encode())),
    "cut zip": lambda good: (ZIP, zipped({BOOK: good})[:200]),
    "no zip": lambda good: (ZIP, b"hello"),
    "empty zip": lambda good: (ZIP, zipped({})),
    "zips in zips": lambda good: (ZIP, nested(zipped({BOOK: good}), 5)),
    "link in a zip": lambda good: (ZIP, linked(good)),
    "password": lambda good: (ZIP, locked(good)),
    "another archive": lambda good: ("answers.rar", b"Rar!\x1a\x07"),
    "pdf": lambda good: ("answers.pdf", b"%PDF-1.7"),
    "text": lambda good: ("answers.py", b"def double(x): return 2 * x"),
    "empty file": lambda good: (BOOK, b""),
}


NO_FILES = ("a link", "a linked folder", "a pipe", "forbidden")
EVES = {what: f"{letter}oll" for letter, what in zip("ABCDEFGHIJKLMNOPQR", (*HANDED_IN, *NO_FILES), strict=True)}


def put(course, folder, what, surname):
    """Into an upload's folder what is no ordinary file."""
    upload, elsewhere = folder / f"Eve {surname}_1234_assignsubmission_file_", folder.parent / "elsewhere"
    upload.mkdir()
    elsewhere.mkdir(exist_ok=True)
    (elsewhere / BOOK).write_bytes(notebook_bytes(course))
    if what == "a link":
        (upload / BOOK).symlink_to(elsewhere / BOOK)
    elif what == "a linked folder":
        upload.rmdir()
        upload.symlink_to(elsewhere)
    elif what == "a pipe":
        os.mkfifo(upload / BOOK)
    else:
        (upload / BOOK).write_bytes(notebook_bytes(course))
        (upload / BOOK).chmod(0)


@pytest.mark.thorough
@pytest.mark.parametrize("roster", [True, False])
@pytest.mark.parametrize("as_zip", [True, False])
def test_what_cannot_be_graded_counts_as_handed_in(course, tmp_path, capsys, monkeypatch, as_zip, roster):
    """Everybody of a class has made another mistake: on the screen, in the tables, and in what needs a person."""
    monkeypatch.chdir(course.course)
    entries = {}
    for what, make in HANDED_IN.items():
        name, data = make(notebook_bytes(course))
        entries[f"Eve {EVES[what]}_1234_assignsubmission_file_/{name}"] = data
    heap, eves = tmp_path / ("export.zip" if as_zip else "export"), {EVES[what] for what in HANDED_IN}
    if as_zip:
        heap.write_bytes(zipped(entries))
    else:
        lay(heap, entries)
        for what in NO_FILES[: 3 if os.getuid() == 0 else 4]:  # root may read everything
            put(course, heap, what, EVES[what])
            eves.add(EVES[what])
    (tmp_path / "class.csv").write_text(
        "".join(["id,name\n", *(f"{eve},Eve {eve}\n" for eve in eves), "bob,Bob Roe\n"])
    )
    more = ["--roster", str(tmp_path / "class.csv")] if roster else []
    where = ["--folder", str(tmp_path / "grading")]
    ids = {eve if roster else f"Eve_{eve}" for eve in eves}
    assert cli.main(["class", "collect", "01", str(heap), *more, *where]) == 1
    printed = capsys.readouterr().out
    assert [eve for eve in eves if f"Eve {eve}" not in printed] == []
    rows = csv_tables.read_named(tmp_path / "grading" / f"collected-{EXERCISE}.csv")
    rows = [row for row in rows if row["status"] != "other"]
    assert sorted(row["student"] for row in rows) == sorted(ids)
    assert {row["status"] for row in rows} == {"not taken", "unreadable"}
    assert cli.main(["class", "grade", "01", "--no-sandbox", *where]) == 1
    grades = csv_tables.read_named(tmp_path / "grading" / f"grades-{EXERCISE}.csv")
    expected = {("bob", "missing", "")} if roster else set()
    expected |= {(one, "ungraded", "") for one in ids}
    assert sorted((row["student"], row["status"], row["points"]) for row in grades) == sorted(expected)
    person = (tmp_path / "grading" / f"needs-a-person-{EXERCISE}.txt").read_text()
    ungraded = person.partition(f"Ungraded ({len(ids)})\n")[2].splitlines()[: len(ids)]
    assert {line.partition(": ")[0].strip() for line in ungraded} == {
        f"{eve} (Eve {eve})" if roster else f"Eve_{eve}" for eve in eves
    }
    assert not [one for one in ids if one in person.partition("Nothing handed in")[2]]


def gathered(course, tmp_path, files, **options):
    collection = collect.collect(course, lay(tmp_path / "heap", files), tmp_path / "grading", **options).found
    return {one.name: (one.student, one.status) for one in collection}


def test_whoever_hands_in_again_is_not_missing(course, tmp_path):
    table = tmp_path / "grading" / f"collected-{EXERCISE}.csv"
    assert gathered(course, tmp_path, {"eve/answers.zip": b"no zip"}) == {"eve/answers.zip": ("eve", "not taken")}
    assert set(collect.handed_in(table)) == {"eve"}
    (tmp_path / "heap" / "eve" / "answers.zip").unlink()
    gathered(course, tmp_path, {f"eve/{BOOK}": notebook_bytes(course)})
    assert (collect.open_files(table), collect.handed_in(table)) == ([], {})
    # ... and a broken one later on is pointed out, and takes nothing away.
    (tmp_path / "heap" / "eve" / BOOK).unlink()
    gathered(course, tmp_path, {"eve/answers.zip": b"no zip"})
    assert len(collect.open_files(table)) == 1
    assert (tmp_path / "grading" / "submitted" / "eve" / EXERCISE / BOOK).exists()


def test_a_person_may_discount_a_submission(course, tmp_path):
    gathered(course, tmp_path, {"eve/answers.zip": b"no zip"})
    table = tmp_path / "grading" / f"collected-{EXERCISE}.csv"
    rows = csv_tables.read_named(table)
    header, *lines = ([*rows[0]], *([*row.values()] for row in rows))
    for line in lines:
        line[header.index("decision")] = "skip"
    csv_tables.write(table, [header, *lines])
    assert gathered(course, tmp_path, {}) == {"eve/answers.zip": ("", "skipped")}
    assert collect.open_files(table) == []


def test_full_without_solutions_mentions_hidden_tests(course, tmp_path, capsys, monkeypatch):
    copy = tmp_path / "exercises" / EXERCISE
    copy.mkdir(parents=True)
    for name in (BOOK, "tests.json"):
        (copy / name).write_bytes((course.course / "exercises" / EXERCISE / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert cli.main(["grade", "--full", "01"]) == 2
    error = capsys.readouterr().err
    assert "the hidden tests of 01_doubling are not here" in error
    assert "git" not in error
    # ... and nobody is sent there: neither by the table of points nor by the overview of all of them.
    (copy / BOOK).write_bytes(notebook_bytes(course))
    assert cli.main(["grade", "01"]) == 0
    assert "the hidden tests are your instructor's" in capsys.readouterr().out
    assert cli.main(["progress"]) == 0
    printed = capsys.readouterr().out
    assert "hidden tests with your instructor" in printed
    assert "--full" not in printed
