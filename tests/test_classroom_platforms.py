"""Points in the tables that Canvas, Moodle and Blackboard export: written where they belong, and nothing else changed.

The tables have the columns that each platform documents; none of them was tried with the platform itself.
"""

import pytest
from classroom_course import EXERCISE, make_course

from minigrad_class import csv_tables
from minigrad_class.platforms import Export, fill
from minigrad_course import cli
from minigrad_course.grading.cells import GradingError

ROSTER = {
    "roe.a": "Ann Roe|1001|ann@uni.example",
    "wu.b": "Bob Wu|1002|bob@uni.example",
    "noel.c": "Céline Noël|1003|celine@uni.example",
    "noll.e": "Eve Noll|1004|eve@uni.example",
    "wu.b2": "Bob Wu|1005|bw@uni.example",
}
POINTS = {"roe.a": 11.0, "wu.b": 7.5, "noel.c": 0.0, "noll.e": None, "wu.b2": 12.0}
WANTED = {"Roe": "11", "Wu": "7.5", "Noël": "0", "Noll": "old"}  # of the first of two with that name

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Exercise 1 (771),01 Doubling (772),Final Score
    Points Possible,,,,,10,12,(read only)
"Roe, Ann",9,1001,roe.a,"Lecture, Mon",1,,80
"Wu, Bob",8,1002,wu.b,"Lecture, Mon",2,3,70
"Noël, Céline",7,1003,noel.c,,3,,60
"Noll, Eve",6,1004,noll.e,,4,old,50
"Student, Test",5,,,,,,
"""
WORKSHEET = """\
Identifier,"Full name","Email address",Status,Grade,"Maximum grade","Grade can be changed","Last modified (submission)","Feedback comments"
"Participant 31","Ann Roe",ann@uni.example,"Submitted for grading - ",,12.00,Yes,"Friday, 20 November 2026, 5:30 PM",
"Participant 32","Bob Wu",bob@uni.example,"Submitted for grading - ",3.00,12.00,Yes,-,"see me, please"
"Participant 33","Céline Noël",celine@uni.example,"No submission - ",,12.00,Yes,-,
"Participant 34","Eve Noll",eve@uni.example,"No submission - ",old,12.00,Yes,-,
"""  # noqa: E501
GRADER = """\
First name;Last name;ID number;Institution;Email address;Assignment: Doubling (Real);Last downloaded from this course
Ann;Roe;1001;;ann@uni.example;-;1763
Bob;Wu;1002;;bob@uni.example;3,00;1763
Céline;Noël;1003;;celine@uni.example;-;1763
Eve;Noll;1004;;eve@uni.example;old;1763
"""
BLACKBOARD = """\
"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"\t"01 Doubling [Total Pts: 12 Score] |5432"
"Roe"\t"Ann"\t"roe.a"\t"1001"\t""\t"Yes"\t""
"Wu"\t"Bob"\t"wu.b"\t"1002"\t""\t"Yes"\t"3.00"
"Noël"\t"Céline"\t"noel.c"\t"1003"\t""\t"Yes"\t"In Progress"
"Noll"\t"Eve"\t"noll.e"\t"1004"\t""\t"Yes"\t"old"
"""  # noqa: E501
EXPORTS = {
    "Canvas": (CANVAS, "utf-8-sig", "01 Doubling (772)"),
    "Moodle, worksheet": (WORKSHEET, "utf-8", "Grade"),
    "Moodle, grades": (GRADER, "cp1252", "Assignment: Doubling (Real)"),
    "Blackboard": (BLACKBOARD, "utf-16", "01 Doubling [Total Pts: 12 Score] |5432"),
}


def exported(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "export.csv"
    path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
    return path


@pytest.mark.parametrize("platform", EXPORTS)
def test_points_go_into_the_exercises_column_alone(tmp_path, platform):
    text, encoding, column = EXPORTS[platform]
    export = Export.read(exported(tmp_path, text, encoding))
    filled = fill(export, POINTS, 12, EXERCISE, ROSTER)
    assert filled.column == column
    assert (filled.written, filled.open, filled.unknown, filled.unclear) == (3, ["noll.e"], [], [])
    assert filled.left == ["wu.b2"]
    assert [one.split()[0] for one in filled.replaced] == ["wu.b"]
    export.write(tmp_path / "out.csv")
    after = (tmp_path / "out.csv").read_bytes().decode(encoding)
    before = exported(tmp_path, text, encoding).read_bytes().decode(encoding)
    assert len(after.splitlines()) == len(before.splitlines())
    written = {}
    where = Export.read(tmp_path / "out.csv").rows[0].index(column)
    for old, new in zip(Export.read(exported(tmp_path, text, encoding)).rows, export.rows, strict=True):
        assert old[:where] + old[where + 1 :] == new[:where] + new[where + 1 :]
        written |= {name: new[where] for name in WANTED if name in " ".join(new)}
    assert written == WANTED
    if '"' in text and platform == "Blackboard":
        assert after.count('"') == before.count('"'), "Blackboard's fields stay in quotation marks"
    elsewhere = [line for line in before.splitlines() if "Noll" in line or "Total Pts" in line or "Possible" in line]
    if platform != "Moodle, worksheet":  # where a field without a comma had quotation marks
        assert set(elsewhere) <= set(after.splitlines())


def test_namesakes_get_nobody_elses_points(tmp_path):
    """Two called Bob Wu: by number each has his own; by the name alone neither has any, and a person decides."""
    numbers = "Student,ID,Doubling\nBob Wu,1005,\nBob Wu,1002,\n"
    export = Export.read(exported(tmp_path, numbers))
    assert fill(export, POINTS, 12, EXERCISE, ROSTER).unclear == []
    assert [row[2] for row in export.rows[1:]] == ["12", "7.5"]
    export = Export.read(exported(tmp_path, "Full name,Doubling\nBob Wu,\nBob Wu,\nAnn Roe,\n"))
    filled = fill(export, POINTS, 12, EXERCISE, ROSTER)
    assert filled.unclear == ["Bob Wu", "Bob Wu"]
    assert [row[1] for row in export.rows[1:]] == ["", "", "11"]
    contradiction = "Full name,ID number,Email address,Doubling\nAnn Roe,1001,bob@uni.example,\n"
    export = Export.read(exported(tmp_path, contradiction))
    assert fill(export, POINTS, 12, EXERCISE, ROSTER).unclear == ["Ann Roe 1001 bob@uni.example"]


def test_duplicate_students_and_strangers_are_named(tmp_path):
    export = Export.read(exported(tmp_path, "Username,Doubling\nroe.a,\nROE.A,1\nsomebody,2\nwu.b,\n"))
    filled = fill(export, POINTS, 12, EXERCISE, ROSTER)
    assert (filled.unclear, filled.unknown) == (["roe.a", "ROE.A"], ["somebody"])
    assert [row[1] for row in export.rows[1:]] == ["", "1", "2", "7.5"]


@pytest.mark.parametrize(
    ("titles", "column", "sentence"),
    [
        ("Username,Quiz 1,Quiz 2", "", "no column fits 01_doubling: 'Quiz 1', 'Quiz 2'"),
        ("Username,Doubling A,Doubling B", "", "2 columns fit 01_doubling"),
        ("Username,Quiz 1,Quiz 2", "quiz", "2 columns fit `quiz`"),
        ("Username,Section,Status", "", "there is none for points"),
        ("Place,Doubling", "", "no column says who is who"),
        ("Username,Doubling [Total Pts: 100 Score] |7", "", "goes up to 100, the exercise to 12"),
    ],
)
def test_where_it_is_not_certain_nothing_is_written(tmp_path, titles, column, sentence):
    export = Export.read(exported(tmp_path, f"{titles}\nroe.a,,\n"))
    before = [list(row) for row in export.rows]
    with pytest.raises(GradingError) as refused:
        fill(export, POINTS, 12, EXERCISE, ROSTER, column)
    assert sentence in str(refused.value)
    assert export.rows == before


def test_the_command(tmp_path, capsys, monkeypatch):
    assignment = make_course(tmp_path / "course")
    course, of = assignment.course, assignment.of
    monkeypatch.chdir(course)
    table = str(exported(tmp_path, CANVAS.replace(",10,12,", f",10,{of:g},"), "utf-8-sig"))
    (tmp_path / "class.csv").write_text(
        "id,name,number\n" + "".join(f"{k},{v.split('|')[0]},{v.split('|')[1]}\n" for k, v in ROSTER.items()), "utf-8"
    )
    assert cli.main(["class", "marks", "01", table]) == 2
    assert "minigrad class grade 01" in capsys.readouterr().err
    rows = [
        [k, EXERCISE, "graded" if v is not None else "ungraded", "" if v is None else v, of] for k, v in POINTS.items()
    ]
    csv_tables.write(
        course / "grading" / f"grades-{EXERCISE}.csv", [["student", "exercise", "status", "points", "of"], *rows]
    )
    words = ["class", "marks", "01", table, "--roster", str(tmp_path / "class.csv")]
    status, text = cli.main(words), capsys.readouterr().out
    assert status == 1, "one with points is in no row of the table"
    assert "3 students have their points in the column `01 Doubling (772)`" in text
    assert "Had other points there: wu.b (3, now 7.5)." in text
    assert "in no row of the platform's table: wu.b2 (Bob Wu)." in text
    assert (course / "grading" / "marks-export.csv").read_text(encoding="utf-8-sig").count("\n") == CANVAS.count("\n")
    assert cli.main([*words, "--to", table]) == 2
    assert "another name for --to" in capsys.readouterr().err
