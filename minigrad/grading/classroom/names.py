"""Whose submission is it? Learning platforms, mail programs and people have their own ways to name a file.

    Jane Doe_12345_assignsubmission_file_/05_computational_graph.ipynb        Moodle
    doejane_LATE_12345_67890_05_computational_graph-1.ipynb                   Canvas
    jane/05_computational_graph/05_computational_graph.ipynb                  nbgrader
    Jane Doe_12345_05_graph (1).ipynb, Group A/graph jane doe final.ipynb     people

What belongs to the exercise, the platform or the attempt is taken away; what is left is the name. Where two readings
are left, or none, this says so, and a person decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

NOISE = frozenset(
    re.findall(
        r"\w+",
        """assignsubmission assignment attempt answer answers copy copyof exercise exercises ex file final fixed graded
        homework hw ipynb kopie late lab latest my new notebook of old onlinetext problem ps resubmission set solution
        solutions solved submission submissions submit submitted task the updated version week work done part sheet""",
    )
)


@dataclass(frozen=True)
class Reading:
    """Whose a file is: the student, or, where that is not certain, what speaks for whom."""

    student: str = ""
    doubt: str = ""


def words(text: str, exercise: str) -> tuple[list[str], list[str]]:
    """What may be a person's name in the name of a file or folder; and the numbers of four and more digits."""
    text = unicodedata.normalize("NFC", text)
    for known in (exercise, exercise.partition("_")[2]):
        pattern = r"[\s_.\-]*".join(map(re.escape, known.split("_")))
        text = re.sub(rf"(?<![^\W_]){pattern}(?![^\W_])", " ", text, flags=re.IGNORECASE) if known else text
    own = {word.casefold() for word in exercise.split("_")}
    found, numbers = [], []
    for word in re.split(r"[\s_.,;()\[\]{}+=#@!~]+|-(?=\d)|(?<=\d)-", text):
        word = word.strip("-'’").strip()
        plain = word.casefold()
        if re.fullmatch(r"\d+", word):
            numbers += [word] if len(word) >= 4 else []
        elif word and plain not in NOISE | own and not re.fullmatch(r"(v|ex|hw|ps|no|nr|attempt)\d+|\d+\w{0,2}", plain):
            found.append(word)
    return found, numbers


def slug(parts: Sequence[str]) -> str:
    """A name as it is used for folders: no part of it is a path."""
    name = re.sub(r'[\\/:*?"<>|]', "", "_".join(parts))
    return "".join(c for c in name if c.isprintable()).strip("._ ")[:80]


def read_names(paths: Iterable[Sequence[str]], exercise: str, roster: Mapping[str, str] | None = None) -> list[Reading]:
    """Whose each file is. `paths`: folder names and file name, from the outermost; `roster`: id -> other words."""
    paths = list(paths)
    if roster:
        return [_by_roster(path, exercise, roster) for path in paths]
    readings = [_by_itself(path, paths, exercise) for path in paths]
    # One name with different numbers is several persons.
    numbers: dict[str, set[str]] = {}
    for student, number, _ in readings:
        numbers.setdefault(student.casefold(), set()).add(number)
    spelling: dict[str, str] = {}
    result = []
    for student, number, doubt in readings:
        if doubt:
            result.append(Reading("", doubt))
            continue
        several = len(numbers[student.casefold()] - {""}) > 1
        if several and not number:
            result.append(Reading("", f"there are several called {student}"))
            continue
        name = f"{student}_{number}" if several else student
        result.append(Reading(spelling.setdefault(name.casefold(), name)))  # Jane_Doe and jane_doe are one
    return result


def _by_itself(path: Sequence[str], paths: Sequence[Sequence[str]], exercise: str) -> tuple[str, str, str]:
    """Name, number and doubt."""
    own, numbers = words(_stem(path[-1]), exercise)
    folders = [(i, *words(path[i], exercise)) for i in range(len(path) - 1)]
    named = [(i, found, digits) for i, found, digits in folders if found]
    if not named:
        return (slug(own), next(iter(numbers), ""), "" if own else "no name is in its name")
    depth, nearest, digits = named[-1]
    number = next(iter([*digits, *numbers]), "")
    if not own:
        return slug(nearest), number, ""
    if {w.casefold() for w in own} & {w.casefold() for w in nearest}:
        longer = max(own, nearest, key=len)
        return slug(longer), number, ""
    if digits and not numbers:  # a platform's folder
        return slug(nearest), digits[0], ""
    if numbers and not digits:
        return slug(own), numbers[0], ""
    shared = sum(other[: depth + 1] == path[: depth + 1] for other in paths)
    if shared > 1:  # a folder of several, such as a group's
        return slug(own), next(iter(numbers), ""), ""
    return "", "", f"is it {' '.join(nearest)}'s or {' '.join(own)}'s?"


def _by_roster(path: Sequence[str], exercise: str, roster: Mapping[str, str]) -> Reading:
    for part in (_stem(path[-1]), *reversed(path[:-1])):  # the file's own name speaks first, then the nearest folder
        said = {word.casefold() for word in re.split(r"[\s_.,()\-]+", unicodedata.normalize("NFC", part)) if word}
        fitting = [
            student
            for student, more in roster.items()
            if _fits(student, said, part) or any(_fits(word, said, part) for word in more.split("|"))
        ]
        if len(fitting) == 1:
            return Reading(slug([fitting[0]]))
        if len(fitting) > 1:
            return Reading("", f"is it {' or '.join(sorted(fitting))}?")
    return Reading("", "nobody in the roster is called so")


def _fits(name: str, said: set[str], part: str) -> bool:
    wanted = {word.casefold() for word in re.split(r"[\s_.,@\-]+", unicodedata.normalize("NFC", name)) if word}
    return bool(wanted) and (wanted <= said or (len(name) > 3 and name.casefold() == part.casefold()))


def _stem(name: str) -> str:
    return re.sub(r"(\.(ipynb|json|txt))+$", "", name, flags=re.IGNORECASE)
