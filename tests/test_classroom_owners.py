"""Owners of submissions: unusual names, platforms with formats of their own, and attempts to impersonate."""

import json
import unicodedata

import pytest
from classroom_course import (  # noqa: F401 (fixtures)
    BOOK,
    EXERCISE,
    gathered,
    in_one_process,
    lay,
    make_course,
    submission,
    zip_of,
)  # fmt: skip

from minigrad_class import collect, downloads, owners

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("in_one_process")]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("course"))


def book(course, text="", **answers):
    notebook = submission(course, **answers)
    notebook["cells"][0]["source"] += text
    return json.dumps(notebook).encode()


def roster_of(folder, *lines):
    (folder / "class.csv").write_text("id,name\n" + "\n".join(lines), encoding="utf-8")
    return folder / "class.csv"


def taken(collection):
    return {one.student for one in collection.values() if one.status == "taken"}


def kept(tmp_path, student):
    return (tmp_path / "grading" / "submitted" / student / EXERCISE / BOOK).read_bytes()


# Names as they are.

PEOPLE = [
    "Nguyen My", "Nguyen The", "new line Kim", "Kim", "Ng", "My", "The", "李小龍", "Владимир Ильич", "محمد علي",
    "Zoë O'Brien", "Jean-Luc", "Søren Ågård", "Old New", "Part Done", "Late Lab", "Ò", "José  María", "Group A",
    "Exercise", "Jr. Lee III",
]  # fmt: skip


@pytest.mark.parametrize("form", ["{}_{}_assignsubmission_file_/{}.ipynb", "{}_{}_assignsubmission_file_{}.ipynb"])
def test_moodle_names_come_through_whatever_they_are(course, tmp_path, form):
    files = {form.format(who, 10000 + i, EXERCISE): book(course, who) for i, who in enumerate(PEOPLE)}
    for heap in (lay(tmp_path / "folder", files), zip_of(tmp_path / "course-exercise-98765.zip", files)):
        collection = gathered(course, heap, tmp_path / heap.stem)
        assert taken(collection) == {owners.slug(who.split()) for who in PEOPLE}


def test_composed_and_decomposed_letters_are_the_same_person(course, tmp_path):
    name = "Zoë Å"
    files = {f"{unicodedata.normalize(form, name)}_123_assignsubmission_file_/{BOOK}" for form in ("NFC", "NFD")}
    readings = owners.read_names([file.split("/") for file in files], EXERCISE)
    assert {reading.student for reading in readings} == {"Zoë_Å"}


def test_canvas(course, tmp_path):
    files = {
        f"doejane_{'LATE_' * late}{number}_6789{number}_{file}": book(course, str(number))
        for number, late, file in ((111, False, f"{EXERCISE}-1.ipynb"), (222, True, "my work.ipynb"))
    } | {f"李小龍_333_44_{BOOK}": book(course, "333")}
    heap = zip_of(tmp_path / "submissions.zip", files)
    assert taken(gathered(course, heap, tmp_path)) == {"doejane_111", "doejane_222", "李小龍"}
    roster = roster_of(tmp_path, "jd1,Jane Doe,111", "jd2,Jane Doe,222", "bl,小龍 李,333")
    with_roster = gathered(course, lay(tmp_path / "folder", files), tmp_path / "other", roster=roster)
    assert taken(with_roster) == {"jd1", "jd2", "bl"}, "two Jane Does, told apart by Canvas's numbers"
    roster = roster_of(tmp_path, "jd1,Jane Doe", "bl,李小龍")
    files = {f"doejane_111_5_{BOOK}": book(course), f"李小龍_333_44_{BOOK}": book(course, "b")}
    collection = gathered(course, lay(tmp_path / "again", files), tmp_path / "again", roster=roster)
    assert taken(collection) == {"jd1", "bl"}


# Nobody is robbed.

B = "Bob Roe_11111_assignsubmission_file_"
A = "Ann Poe_22222_assignsubmission_file_"


@pytest.mark.parametrize("with_roster", [False, True])
@pytest.mark.parametrize(
    "theft",
    [
        lambda empty, zipped: {f"{A}/late.zip": zipped({f"{B}/05.ipynb": empty})},
        lambda empty, zipped: {f"{A}/{B}/05.ipynb": empty},
        lambda empty, zipped: {f"{A}/Bob Roe.ipynb": empty},
        lambda empty, zipped: {f"{A}/br.ipynb": empty},
        lambda empty, zipped: {f"{A}/roebob_11111_2_x.ipynb": empty},
        lambda empty, zipped: {"all.zip": zipped({f"{B}/05.ipynb": empty})},
        lambda empty, zipped: {"late.zip": zipped({"Bob Roe.ipynb": empty})},
        lambda empty, zipped: {f"{A}.zip": zipped({f"../{B}/05.ipynb": empty})},
        lambda empty, zipped: {"mallory_99999_1_bob roe.ipynb": empty},
        lambda empty, zipped: {"poeann_22222_1_br.ipynb": empty},
    ],
    ids=lambda _: "",
)
def test_nobody_takes_the_place_of_another_student(course, tmp_path, theft, with_roster):
    options = {"roster": roster_of(tmp_path, "br,Bob Roe", "ap,Ann Poe")} if with_roster else {}
    first = lay(tmp_path / "first", {f"{B}/{BOOK}": book(course)})
    bob = min(taken(gathered(course, first, tmp_path, **options)))
    before = kept(tmp_path, bob)
    empty = book(course, double=None, half=None, look=None)
    late = lay(tmp_path / "late heap", theft(empty, lambda files: zip_of(tmp_path / "inner.zip", files).read_bytes()))
    collection = gathered(course, late, tmp_path, **options)
    assert kept(tmp_path, bob) == before
    assert not [one for one in collection.values() if one.instead]
    absent = gathered(course, late, tmp_path / "another class", **options)
    assert not {"br", "Bob_Roe"} & taken(absent), "nor is somebody given what he has not handed in"


@pytest.mark.parametrize(
    "name", ["Bob Roe_99999_assignsubmission_file_", "bob roe?_9999_assignsubmission_file_", "Bob_Roe_"]
)
def test_a_namesake_takes_nobodys_place(course, tmp_path, name):
    gathered(course, lay(tmp_path / "first", {f"{B}/{BOOK}": book(course)}), tmp_path)
    late = lay(tmp_path / "late", {f"{name}/{BOOK}": book(course, double=None)})
    (one,) = gathered(course, late, tmp_path).values()
    assert (one.status, kept(tmp_path, "Bob_Roe")) == ("again", book(course))
    both = gathered(course, lay(tmp_path / "late", {f"{B}/{BOOK}": book(course)}), tmp_path / "new")
    assert "Bob_Roe" not in taken(both)


# Much.


def test_a_zip_of_many_notebooks_stays_unread(course, tmp_path, monkeypatch):
    looked = []
    monkeypatch.setattr(collect, "_look", lambda *arguments: looked.append(arguments))
    files = {f"student {i:04d} abc.ipynb": b"{}" for i in range(3000)}
    collection = gathered(
        course, lay(tmp_path / "heap", {"Ann.zip": zip_of(tmp_path / "x.zip", files).read_bytes()}), tmp_path
    )
    assert looked == []
    assert taken(collection) == set()
    assert len(collection) <= downloads.MOST_NOTEBOOKS + 1
    collection = gathered(
        course, lay(tmp_path / "loose", {f"Ann/{name}": data for name, data in files.items()}), tmp_path
    )
    assert looked == []
    assert {one.note for one in collection.values()} == {"one of 3,000 notebooks in one upload"}


def test_a_zip_claiming_a_million_files_stays_closed(tmp_path):
    path = zip_of(tmp_path / "a.zip", {"x": b""})
    end = bytearray(path.read_bytes())
    at = end.rfind(b"PK\x05\x06")
    end[at + 12 : at + 16] = (300_000_000).to_bytes(4, "little")
    path.write_bytes(end)
    (only,) = downloads.walk(tmp_path)
    assert "1,000,000 files is not looked into" in only.note


def test_a_notebook_that_takes_much_memory_is_named(course, tmp_path):
    files = {
        "Ann_01.ipynb": b'{"cells": [' + b"{}," * 6_000_000 + b"{}]}",
        "Bob_01.ipynb": b"[" * 10_000_000,
        "Cleo_01.ipynb": book(course),
        "Dan_01.ipynb": b'{"cells": [' + b'{"source": ["' + b'","' * 4_000_000 + b'"]}]}',
    }
    before = memory()
    collection = gathered(course, lay(tmp_path / "heap", files), tmp_path)
    assert memory() - before < 200_000_000
    assert collection["Cleo_01.ipynb"].status == "taken"
    assert collection["Bob_01.ipynb"].status == "unreadable"


def memory():
    """The most that this process ever had in memory, in bytes."""
    import resource
    import sys

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
