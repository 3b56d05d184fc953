"""The steps of `minigrad class` (command.py). Each returns its exit status."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from minigrad_class import batch, csv_tables, feedback_pages, gradescope, packing, term, times
from minigrad_class import collect as collecting
from minigrad_class.assignment import Assignment
from minigrad_class.judge_client import ENOUGH, judge_for
from minigrad_class.marks import Submission, make_marks, note_times, read_submissions
from minigrad_class.owners import People, slug
from minigrad_class.platforms import Export, fill
from minigrad_class.roster import called, read_names, read_roster
from minigrad_class.store import Store
from minigrad_class.supervise import grade_job
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.exercises import course_folder
from minigrad_course.grading.outcome import Outcome
from minigrad_course.grading.whole_files import write_whole
from minigrad_course.isolation.limits import Limits


def course(arguments: argparse.Namespace) -> int:
    """Pack what students get. 0."""
    count, others = packing.course(course_folder(), arguments.target.absolute())
    print(f"For students: {arguments.target}, {count} files, without solutions and hidden tests.")
    if others:
        print(packing.sentence(others))
    return 0


def term_course(arguments: argparse.Namespace) -> int:
    """Make the course of a term, with other exercises. 0."""
    root, target = course_folder(), arguments.folder / arguments.term
    drawn = term.variants_for(root, arguments.term, arguments.after)
    print("\n".join(term.table(drawn)), flush=True)
    term.write(root, target, drawn)
    print(
        f"The course of {arguments.term}, with its solutions: {target}. Go there, and release, collect and grade in it."
    )
    return 0


def release(arguments: argparse.Namespace) -> int:
    """Check that the exercise can be graded, and pack what students get. 0, or 1 with remarks on the tests."""
    assignment = Assignment.load(arguments.exercise)
    calibrate(assignment, _limits(arguments), not arguments.no_sandbox)
    archive, others = packing.pack(assignment, arguments.folder)
    print(f"{assignment.id}: {assignment.of:g} points; the solution earns them all here, the empty notebook none.")
    print(f"For students: {archive}")
    if others:
        print(packing.sentence(others))
    remarks = [remark for test in assignment.tests.values() for remark in test.remarks]
    bits = judge_for(assignment.payload).bits
    remarks += [
        f"`{name}` can be guessed: all that it asks for are {bits[name]:.0f} bits, of True, False, 0, 1 and words"
        for name in assignment.tests
        if bits[name] < ENOUGH
    ]
    for remark in remarks:
        print(f"Note: {remark}")
    return 0


def collect(arguments: argparse.Namespace) -> int:
    """0 when every file found its student, else 1."""
    assignment, names = Assignment.load(arguments.exercise), _names(arguments)
    if arguments.due:
        times.keep_due(arguments.folder, assignment.id, arguments.due)
    collection = collecting.collect(assignment, arguments.heap, arguments.folder, _roster(arguments), arguments.replace)
    taken, unreadable = collection.by_status("taken"), collection.by_status("unreadable")
    print(f"Of {assignment.id} taken: {len(taken)}; cannot be read: {len(unreadable)}.")
    if replaced := sorted(called(one.student, names) for one in (*taken, *unreadable) if one.instead):
        print(f"Instead of what was collected before: {', '.join(replaced)}.")
    for one in collection.by_status(*collecting.OPEN, "unreadable"):
        print(f"  {one.name}: {one.note}")
    table = arguments.folder / f"collected-{assignment.id}.csv"
    due = times.due(arguments.folder, assignment.id)
    after = {one.student: times.late(one.time, due) for one in collection.found if one.student}
    if late := [f"{called(student, names)}, {length} late" for student, length in sorted(after.items()) if length]:
        print(f"After {due}: {'; '.join(late)}.")
    waiting = collecting.open_files(table)
    if len(waiting) > len(collection.by_status(*collecting.OPEN)):
        print("From what was collected before, some files still wait for a decision.")
    if waiting:
        print(f"Write a student's name, `take` or `skip` into the column `decision` of {table}, and collect again.")
    else:
        print(f"What became of each file: {table}")
    return 1 if waiting or unreadable else 0


def grade(arguments: argparse.Namespace) -> int:
    """0 when everybody is graded, 1 when something needs a person."""
    assignment = Assignment.load(arguments.exercise)
    submissions = _collected(assignment, arguments)
    if arguments.no_sandbox:
        print(
            "WARNING: no sandbox. Every submission can read and write what you can, grades included.",
            file=sys.stderr,
        )
    store = Store(arguments.folder / "results" / assignment.id)
    again = _called({submission.student for submission in submissions}, arguments)
    for submission in submissions:
        if submission.student in again:
            store.forget(submission.key)
    _grade(assignment, submissions, store, arguments)
    return report(arguments)


def _collected(assignment: Assignment, arguments: argparse.Namespace) -> list[Submission]:
    """Return what was collected. Raises GradingError where nothing was."""
    submissions = read_submissions(assignment, arguments.folder)
    if not submissions and not collecting.handed_in(arguments.folder / f"collected-{assignment.id}.csv"):
        where = f"{assignment.id} in {arguments.folder}"
        raise GradingError(f"nothing is collected for {where}: minigrad class collect {arguments.exercise} FOLDER")
    return submissions


def _called(students: set[str], arguments: argparse.Namespace) -> set[str]:
    """Return the students that --again names: by their ids here, or as the class list knows them.

    Raises GradingError where nobody, or more than one, is called so.
    """
    people = People(_listed(arguments))
    again: set[str] = set()
    for name in arguments.again:
        fitting = {name, slug(name.split())} & students or {slug([one]) for one in people.named(name)} & students
        if not fitting:
            raise GradingError(f"there is no submission of {name}")
        if len(fitting) > 1:
            raise GradingError(f"{name} may be {' or '.join(sorted(fitting))}: write one of these")
        again |= fitting
    return again


def _grade(assignment: Assignment, submissions: list[Submission], store: Store, arguments: argparse.Namespace) -> None:
    """Have all graded that are not."""
    limits, sandboxed = _limits(arguments), not arguments.no_sandbox
    open_keys: dict[str, Submission] = {}
    done_before = 0
    for submission in submissions:
        if submission.repaired is not None:
            done = store.get(submission.key)
            if submission.key not in open_keys and (done is None or "ungraded" in done):
                open_keys[submission.key] = submission
            else:
                done_before += 1
    if not open_keys:
        print("All of them are graded already, or have the same answers as one that is; the tables are written anew.")
        return
    calibrate(assignment, limits, sandboxed)
    masked = (arguments.folder.absolute(),)
    jobs = (assignment.job(s.repaired, limits, sandboxed, masked) for s in open_keys.values() if s.repaired)
    if arguments.dask or arguments.scheduler:
        results: Iterator = batch.with_dask(jobs, arguments.workers, arguments.scheduler)
    else:
        results = batch.with_processes(jobs, arguments.workers)
    start = time.monotonic()
    for count, result in enumerate(results, start=1):
        store.put(result)
        seconds = time.monotonic() - start
        if count % max(10, len(open_keys) // 100) == 0 or count == len(open_keys):
            print(f"{count} of {len(open_keys)} graded, {seconds:.1f} s, {seconds / count:.2f} s each", flush=True)
    if done_before:
        print(f"{done_before} had been graded before, or have the same answers as another.")


def calibrate(assignment: Assignment, limits: Limits, sandboxed: bool) -> None:
    """Grade the author's solution and the empty notebook, as if they were submissions: all points, and none.

    Raises GradingError where the exercise, or this machine, is not fit for grading.
    """
    for solved in (True, False):
        result = grade_job(assignment.job(assignment.example(solved), limits, sandboxed))
        rows = assignment.sheet.rows(
            {n: Outcome(**{**o, "overwritten": tuple(o["overwritten"])}) for n, o in result["outcomes"].items()}
        )
        for row in rows:
            if solved and not row.passed:
                raise GradingError(
                    f"{assignment.id} cannot be graded: its solution fails `{row.test}` ({row.feedback or 'not run'})"
                )
            if not solved and row.points != 0:
                raise GradingError(f"{assignment.id} cannot be graded: an empty notebook passes `{row.test}`")


def report(arguments: argparse.Namespace) -> int:
    """0 when everybody is graded, 1 when something needs a person."""
    assignment, folder = Assignment.load(arguments.exercise), arguments.folder
    submissions = _collected(assignment, arguments)
    store = Store(arguments.folder / "results" / assignment.id)
    roster, names = _listed(arguments), _names(arguments)
    table = folder / f"collected-{assignment.id}.csv"
    marks = make_marks(
        assignment, submissions, store, roster, arguments.show_hidden, collecting.handed_in(table), names
    )
    note_times(marks, collecting.read_times(table), times.due(folder, assignment.id))
    for mark in marks:
        if mark.status != "missing":
            try:
                page = feedback_pages.feedback(assignment.sheet.title or assignment.id, mark)
                write_whole(folder / "feedback" / mark.student / f"{assignment.id}.html", page, sync=False)
            except Exception as error:  # the others shall have theirs
                mark.doubts.append(f"the feedback could not be written: {type(error).__name__}: {error}")
                print(f"The feedback of {mark.student} could not be written: {error}")
    csv_tables.write(folder / f"grades-{assignment.id}.csv", feedback_pages.grades(assignment, marks))
    todo = feedback_pages.needs_a_person(assignment, marks, collecting.open_files(table))
    write_whole(folder / f"needs-a-person-{assignment.id}.txt", todo)
    print(f"{assignment.id}: {feedback_pages.summary(marks)}")
    print(f"Grades: {folder}/grades-{assignment.id}.csv   feedback: {folder}/feedback/")
    print(f"What needs a person: {folder}/needs-a-person-{assignment.id}.txt")
    return 0 if all(mark.status in ("graded", "missing") for mark in marks) else 1


def marks(arguments: argparse.Namespace) -> int:
    """Write the platform's table with the points in it: 0 when everybody with points is there, else 1."""
    assignment, folder = Assignment.load(arguments.exercise), arguments.folder
    points = _points(assignment, arguments)
    roster, export = _listed(arguments), Export.read(arguments.table)
    filled = fill(export, points, assignment.of, assignment.id, roster, arguments.column, arguments.scale)
    target = arguments.to or folder / f"marks-{arguments.table.name}"
    if target.resolve() == arguments.table.resolve():
        raise GradingError(f"{target} is the export itself, which stays as it is: another name for --to")
    export.write(target)
    print(f"{filled.written} students have their points in the column `{filled.column}` of {target}: import it there.")
    names = _names(arguments)
    for what, who in (
        ("Had other points there", filled.replaced),
        ("Without points here, left as they were", [called(one, names) for one in filled.open]),
        ("In the platform's table, and not in this class", filled.unknown),
        ("To be written by hand, since a row fits several students or a student several rows", filled.unclear),
        ("With points here, and in no row of the platform's table", [called(one, names) for one in filled.left]),
    ):
        if who:
            print(f"{what}: {'; '.join(map(csv_tables.safe, who))}.")
    return 1 if filled.unclear or filled.left else 0


def for_gradescope(arguments: argparse.Namespace) -> int:
    """Check that the exercise can be graded, and pack it for Gradescope. 0."""
    assignment = Assignment.load(arguments.exercise)
    calibrate(assignment, _limits(arguments), not arguments.no_sandbox)
    target = arguments.folder / "release" / f"gradescope-{assignment.id}.zip"
    size = gradescope.pack(assignment, target)
    print(f"For Gradescope, Configure Autograder, Zip file upload: {target} ({size / 1e6:.1f} MB, with the solutions)")
    print(f"The assignment has {assignment.of:g} points. Students hand in {assignment.id}.ipynb.")
    return 0


def _points(assignment: Assignment, arguments: argparse.Namespace) -> dict[str, float | None]:
    """Everybody's points in the table of grades; None where there are none yet."""
    try:
        rows = csv_tables.read_named(arguments.folder / f"grades-{assignment.id}.csv")
    except OSError:
        raise GradingError(
            f"{assignment.id} has no table of grades in {arguments.folder}: minigrad class grade {arguments.exercise}"
        ) from None
    return {row["student"]: float(row["points"]) if row["points"] else None for row in rows}


def _roster(arguments: argparse.Namespace) -> Path | None:
    """The class list: the one that is named, of which a copy is kept; else the copy, if there is one."""
    kept = arguments.folder / "roster.csv"
    if arguments.roster and read_roster(arguments.roster):
        write_whole(kept, arguments.roster.read_bytes())
    return kept if kept.exists() else None


def _listed(arguments: argparse.Namespace) -> dict[str, str]:
    """The class list: id -> the other words of its line."""
    kept = _roster(arguments)
    return read_roster(kept) if kept else {}


def _names(arguments: argparse.Namespace) -> dict[str, str]:
    """The names that the class list has beside the ids."""
    kept = _roster(arguments)
    return read_names(kept) if kept else {}


def _limits(arguments: argparse.Namespace) -> Limits:
    if not (0 < arguments.limit <= arguments.total):
        raise GradingError("--limit must be positive, and not more than --total")
    return Limits(cell=arguments.limit, total=arguments.total, cpu=int(arguments.total) + 5)
