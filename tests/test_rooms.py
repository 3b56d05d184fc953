"""The two houses: each package's list names all of its rooms, no room imports from one below it, and the library none
of the course."""

import ast
import re
from pathlib import Path

import pytest

import minigrad
import minigrad_course

HOUSES = (minigrad, minigrad_course)
FILES = [
    (house, path)
    for house in HOUSES
    for path in sorted(Path(house.__file__).parent.rglob("*.py"))
    if path != Path(house.__file__)
]


def rooms_of(house):
    lines = re.findall(r"^    ([a-z, ]+?)  ", house.__doc__, re.MULTILINE)
    return [room.strip() for line in lines for room in line.split(",")]


def room_of(house, path):
    return path.relative_to(Path(house.__file__).parent).parts[0].removesuffix(".py")


def imports(path):
    """Packages and rooms that a file imports when it is imported itself (what stands inside a function comes later)."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom):
            names = [f"{statement.module}.{alias.name}" for alias in statement.names]
        elif isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        else:
            continue
        yield from (tuple(f"{name}.".split(".")[:2]) for name in names if name.split(".")[0].startswith("minigrad"))


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.__name__)
def test_every_room_is_on_the_list(house):
    assert set(rooms_of(house)) == {room_of(house, path) for other, path in FILES if other is house}


@pytest.mark.parametrize(("house", "room"), [(house, room) for house in HOUSES for room in rooms_of(house)])
def test_a_room_imports_only_rooms_above_it(house, room):
    own, rooms = house.__name__, rooms_of(house)
    above = set(rooms[: rooms.index(room) + 1])
    found = {
        (path.name, package, other)
        for where, path in FILES
        if where is house and room_of(house, path) == room
        for package, other in imports(path)
    }
    assert {(name, other) for name, package, other in found if package == own and other in {*rooms} - above} == set()
    if house is minigrad:
        assert {name for name, package, _ in found if package != own} == set()


@pytest.mark.parametrize("path", [path for _, path in FILES], ids=lambda path: "/".join(path.parts[-3:]))
def test_a_file_begins_by_saying_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
