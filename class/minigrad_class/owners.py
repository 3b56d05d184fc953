"""Find the owner of a submission: learning platforms, mail programs and people name files in their own ways.

    Jane Doe_12345_assignsubmission_file_/05_computational_graph.ipynb        Moodle
    doejane_LATE_12345_67890_05_computational_graph-1.ipynb                   Canvas
    jane/05_computational_graph/05_computational_graph.ipynb                  nbgrader
    Jane Doe_12345_05_graph (1).ipynb, Group A/graph jane doe final.ipynb     people

The outermost name decides: a platform or the instructor gave it. What stands further in was chosen by whoever handed
it in, and is only looked at for doubts: where it names somebody else, or nothing names anybody, this says so, and a
person decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

# Words of a file's name that are about the file; none of them is anybody's name. (My, The, New, Kim, Old may be.)
ZIP = ".zip"
NOISE = frozenset(
    re.findall(
        r"\w+",
        """assignsubmission assignment attempt copy copyof exercise exercises final homework hw ipynb kopie notebook
        onlinetext resubmission solution solutions solved submission submissions submitted updated version""",
    )
)
# Folders that an instructor makes, or a platform: no more than such words, and perhaps numbers.
CONTAINER = re.compile(
    r"(all|answers|attempt|batch|class|collected|course|day|downloads?|early|export|files?|group|gruppe|handed|heap|in|"
    r"late|lab|moodle|canvas|gradescope|new|notebooks?|old|on|part|punctual|resubmissions?|round|second|section|"
    r"submissions?|submitted|team|time|tutorial|upload(s|ed)?|week|work|zip)",
    re.IGNORECASE,
)
LETTERED = re.compile(r"(group|gruppe|section|team|tutorial|class|lab)[\W_]*\w{1,2}", re.IGNORECASE)
MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(file|onlinetext)(_.*)?", re.DOTALL)
CANVAS = re.compile(r"(?P<name>[^_]+)(_LATE)?_(?P<number>\d+)_\d+_.+", re.DOTALL)


@dataclass(frozen=True)
class Reading:
    """A file's owner: the student or, if uncertain, the evidence for each one. `depth`: of the part of the path with
    the name; everything inside that part is one upload.
    """

    student: str = ""
    doubt: str = ""
    depth: int = 0


@dataclass(frozen=True)
class Owner:
    """The evidence in one part of a path: a name, a platform's number, and whether a platform wrote it."""

    words: tuple[str, ...] = ()
    number: str = ""
    platform: bool = False


@dataclass
class People:
    """The class, as far as it is known: a roster (id -> other words, `|` between them)."""

    roster: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._index: dict[str, set[str]] = {}
        self._forms: dict[str, list[frozenset[str]]] = {}
        for student, more in self.roster.items():
            forms = [_words(one) for one in (student, *more.split("|"))]
            self._forms[student] = [frozenset(form) for form in forms if form]
            joined = {"".join(order) for form in forms if 1 < len(form) <= 4 for order in permutations(form)}
            self._forms[student] += [frozenset({one}) for one in joined]  # Canvas: doejane
            for form in self._forms[student]:
                for word in form:
                    self._index.setdefault(word, set()).add(student)

    def named(self, text: str) -> list[str]:
        """The students of the roster that a text names, in full."""
        spoken = set(_words(text))
        maybe = {student for word in spoken for student in self._index.get(word, ())}
        return sorted(student for student in maybe if any(form <= spoken for form in self._forms[student]))


def owner(part: str, exercise: str, folder: bool) -> Owner:
    """Return the owner that one part of a path names."""
    part = _plain(part)
    stem = _stem(part) if not folder or part.lower().endswith(ZIP) else part
    for pattern in (MOODLE, CANVAS):
        match = pattern.fullmatch(stem)
        if match and match["name"].strip():
            return Owner(tuple(match["name"].split()), match["number"], True)
    if folder and _is_container(stem, exercise):
        return Owner()
    found_words, numbers = words(stem, exercise)
    return Owner(tuple(found_words), next(iter(numbers), ""))


def words(text: str, exercise: str) -> tuple[list[str], list[str]]:
    """Return the words in a file's or folder's name that may belong to a person, and numbers of four and more
    digits.
    """
    text = _without(_plain(text), exercise)
    own = {word.casefold() for word in exercise.split("_")}
    names, numbers = [], []
    for word in re.split(r"[\s_.,;()\[\]{}+=#@!~]+|-(?=\d)|(?<=\d)-", text):
        word = word.strip("-'’").strip()
        plain = word.casefold()
        if re.fullmatch(r"\d+", word):
            numbers += [word] if len(word) >= 4 else []
        elif word and plain not in NOISE | own and not re.fullmatch(r"(v|ex|hw|ps|no|nr|attempt)\d+|\d+\w{0,2}", plain):
            names.append(word)
    return names, numbers


def slug(parts: Sequence[str]) -> str:
    """A name as it is used for folders: no part of it is a path."""
    name = re.sub(r'[\\/:*?"<>|]', "", "_".join(parts))
    name = "".join(c for c in name if c.isprintable()).strip("._ ")
    while len(name.encode()) > 200:  # the most that file systems take is 255
        name = name[:-1]
    return name


def read_names(
    paths: Iterable[Sequence[str]], exercise: str, roster: Mapping[str, str] | People | None = None
) -> list[Reading]:
    """Find each file's owner. `paths`: folder names and file name, from the outermost; `roster`: id -> other words."""
    people = roster if isinstance(roster, People) else People(roster or {})
    paths = [tuple(path) for path in paths]
    if people.roster:
        return [_by_roster(path, exercise, people) for path in paths]
    outermost = [_outermost(path, exercise) for path in paths]
    # One name with different numbers is several persons, and so are two names that one folder would stand for.
    numbers: dict[str, set[str]] = {}
    names: dict[str, Counter[str]] = {}
    for who, _ in outermost:
        key = slug(who.words).casefold()
        numbers.setdefault(key, set()).add(who.number)
        names.setdefault(key, Counter())[" ".join(who.words).casefold().replace("_", " ")] += 1
    spelling: dict[str, str] = {}
    return [
        _by_itself(path, who, depth, exercise, numbers, names, spelling)
        for path, (who, depth) in zip(paths, outermost, strict=True)
    ]


def _outermost(path: Sequence[str], exercise: str) -> tuple[Owner, int]:
    for depth, part in enumerate(path):
        who = owner(part, exercise, depth < len(path) - 1)
        if who.words or part.lower().endswith(ZIP):  # what lies in a zip is no platform's word any more
            return who, depth
    return Owner(), len(path) - 1


def _by_itself(
    path: Sequence[str],
    who: Owner,
    depth: int,
    exercise: str,
    numbers: Mapping[str, set[str]],
    names: Mapping[str, Counter[str]],
    spelling: dict[str, str],
) -> Reading:
    student = slug(who.words)
    if not student:
        whole = " (a platform's export? collect this zip by itself)" if path[depth].lower().endswith(ZIP) else ""
        return Reading("", f"no name is in its name{whole}", depth)
    key = student.casefold()
    several = len(numbers[key] - {""}) > 1
    if several and not who.number:
        return Reading("", f"there are several called {student}", depth)
    if len(names[key]) > 1:
        return Reading("", f"two names would share one folder: {' and '.join(sorted(names[key]))}", depth)
    for part in path[depth + 1 :]:  # inside of an upload: it may be anything, but no other person's name
        inner = owner(part, exercise, part is not path[-1])
        other = slug(inner.words).casefold()
        stranger = inner.platform or other in names or (not who.platform and len(inner.words) > 1)
        common = {w.casefold() for w in inner.words} & {w.casefold() for w in who.words}
        if inner.words and stranger and not common:
            return Reading("", f"is it {' '.join(who.words)}'s or {' '.join(inner.words)}'s?", depth)
    name = f"{student}_{who.number}" if several else student
    return Reading(spelling.setdefault(name.casefold(), name), "", depth)  # Jane_Doe and jane_doe are one


def _by_roster(path: Sequence[str], exercise: str, people: People) -> Reading:
    for depth, part in enumerate(path):
        who = owner(part, exercise, depth < len(path) - 1)
        by_name: list[str] = []
        if who.platform:  # the rest of such a name was chosen by whoever handed it in
            by_name, by_number = people.named(" ".join(who.words)), people.named(who.number)
            fitting = [one for one in by_name if one in by_number] or by_name or by_number
        else:
            fitting = people.named(_shown(part, depth, path))
        if len(fitting) > 1:
            return Reading("", f"is it {' or '.join(fitting)}?", depth)
        if fitting:
            inner = {student for i in range(depth, len(path)) for student in people.named(_shown(path[i], i, path))}
            if others := sorted(inner - {*fitting, *by_name}):
                return Reading("", f"is it {fitting[0]}'s or {others[0]}'s?", depth)
            return Reading(slug(fitting), "", depth)
        if who.platform or part.lower().endswith(ZIP):
            break  # what lies in there was chosen by whoever handed it in
    return Reading("", "nobody in the roster is called so", depth)


def _shown(part: str, depth: int, path: Sequence[str]) -> str:
    return part if depth < len(path) - 1 else _stem(part)


def _is_container(part: str, exercise: str) -> bool:
    if LETTERED.fullmatch(part):
        return True
    left = re.findall(r"[^\W_]+", _without(part, exercise))
    return all(word.isdigit() or word.casefold() in NOISE or CONTAINER.fullmatch(word) for word in left)


def _without(text: str, exercise: str) -> str:
    """A text without the name of the exercise."""
    for known in (exercise, exercise.partition("_")[2]):
        pattern = r"[\s_.\-]*".join(map(re.escape, known.split("_")))
        text = re.sub(rf"(?<![^\W_]){pattern}(?![^\W_])", " ", text, flags=re.IGNORECASE) if known else text
    return text


def _words(text: str) -> list[str]:
    return [word.casefold() for word in re.split(r"[\s_.,()@\-]+", _plain(text)) if word]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _stem(name: str) -> str:
    return re.sub(r"(\.(ipynb|json|txt|zip))+$", "", name, flags=re.IGNORECASE)
