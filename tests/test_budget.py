"""The sizes in budget.txt: what counts as a line of code, what may rise, and what is then said. Offline."""

import pytest
from test_setup import load

budget = load("budget")


@pytest.fixture
def house(tmp_path):
    """A package of two folders at its size, and a function that writes a file of it anew."""

    def write(name, text):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    write("budget.txt", budget.HEADER)
    write("minigrad/a.py", "x = 1\ny = 2\n")
    write("minigrad/ops/b.py", "z = 3\n")
    budget.check("--write", "the first", root=tmp_path)
    assert budget.check(root=tmp_path) == ""
    return tmp_path, write


def test_comments_docstrings_and_blank_lines_are_no_code(tmp_path):
    (tmp_path / "a.py").write_text('"""A heading.\n\nMore."""\n\n# why\nx = f"{1}"  # one token\ny = """\n"""\n')
    assert budget.measure(tmp_path / "a.py") == (3, 6, 8)


def test_moving_lines_within_a_package_is_free(house):
    root, write = house
    write("minigrad/a.py", "x = 1\n")
    write("minigrad/ops/b.py", "z = 3\ny = 2\n")
    assert budget.check(root=root) == ""


def test_a_rise_needs_a_reason(house):
    root, write = house
    write("minigrad/a.py", "x = 1\ny = 2\nz = 3\n")
    for arguments in ((), ("--write",)):
        sentence = budget.check(*arguments, root=root)
        assert sentence.startswith(
            "minigrad grew from 3 to 4 lines of code. minigrad grew from 3 to 4 lines in all. Take as"
        )
    assert budget.check("--write", "speed", root=root) == budget.check(root=root) == ""
    rows = (root / "budget.txt").read_text(encoding="utf-8").splitlines()
    assert [row.split()[0::4] for row in rows[1:]] == [["minigrad", "speed"], ["minigrad/ops", "the"]]


def test_joined_lines_are_noticed_and_fewer_lines_lower_the_numbers(house):
    root, write = house
    write("minigrad/a.py", "x = 1; y = 2\n")
    assert budget.check(root=root).startswith("minigrad grew from 3 to 5 tokens a line. ")
    write("minigrad/a.py", "x = 1\n")
    assert budget.check("--write", root=root) == ""
    write("minigrad/a.py", "x = 1\ny = 2\n")
    assert "grew from 2 to 3 lines of code" in budget.check(root=root)
