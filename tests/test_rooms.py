"""The house: the list of rooms in minigrad/__init__.py names each of them, and no room imports from one below it."""

import ast
import re
from pathlib import Path

import pytest

import minigrad

ROOT = Path(minigrad.__file__).parent
LISTED = re.findall(r"^    ([a-z, ]+?)  ", minigrad.__doc__, re.MULTILINE)
ROOMS = [room.strip() for line in LISTED for room in line.split(",")]


def room_of(path):
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path):
    """Rooms that a file imports when it is imported itself (what stands inside a function comes later)."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "minigrad":
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("minigrad."):
            yield statement.module.split(".")[1]
        elif isinstance(statement, ast.Import):
            yield from (alias.name.split(".")[1] for alias in statement.names if alias.name.startswith("minigrad."))


FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def test_every_room_is_on_the_list():
    assert set(ROOMS) == {room_of(path) for path in FILES}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_rooms_above_it(room):
    above = set(ROOMS[: ROOMS.index(room) + 1])
    found = {(path.name, other) for path in FILES if room_of(path) == room for other in imports(path)}
    assert {(name, other) for name, other in found if other not in above} == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_begins_by_saying_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
