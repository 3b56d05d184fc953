"""Guesses: asked for in a cell that the build makes, and shown beside the result when a later cell has run."""

import ast
import builtins
from pathlib import Path

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

from minigrad_course import guesses

ROOT = Path(__file__).parents[1]
LESSONS = sorted(path.stem for path in (ROOT / "sources" / "lessons").glob("[0-9]*.py"))


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """Run cells as a notebook does: notebook(source) returns what was displayed."""
    shell, shown, fields = InteractiveShell(), [], []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(guesses, "shell", lambda: shell)
    monkeypatch.setattr(guesses, "course_or_here", lambda: tmp_path)
    monkeypatch.setattr(guesses, "_waiting", {})
    monkeypatch.setattr("IPython.display.display", lambda shown_now: shown.append(shown_now))

    def run(source):
        shown.clear()
        shell.run_cell(source)
        return list(shown)

    run.ask = lambda *a, **k: run(f"from minigrad_course.guesses import ask\nask(*{a!r}, **{k!r})")[0]
    run.fields = fields
    yield run
    shell.events.callbacks["post_run_cell"].clear()


def write(widget, text):
    """Write into the field of a guess; returns the note beside it."""
    widget.children[0].value = text
    return widget.children[-1].value


def test_the_guess_is_shown(notebook):
    field = notebook.ask("07-1", "How many?", "slow / fast", unit="times")
    assert write(field, "about 20x").startswith("Kept")
    assert notebook("slow = 83") == [], "fast is not there yet"
    assert notebook("fast = 1; boom") == [], "a cell that failed has no result"
    assert notebook("1 + 1") == [], "the learner's own cell answers nothing"
    [outcome] = notebook("print(slow / fast)")
    assert str(outcome) == "You guessed: about 20x times. It is: 83 times. Your guess was 4.2 times too small."
    assert notebook("slow = 5") == [], "once"
    assert guesses.surprises("07").rows[0]["answer"] == "83 times"
    assert "minigrad-guess" in outcome._repr_html_()


def test_who_runs_on_sees_nothing(notebook, tmp_path):
    notebook.ask("07-1", "How many?", "x")
    assert notebook("x = 3") == []
    assert guesses.surprises("07") is None
    assert not (tmp_path / ".minigrad").exists()


@pytest.mark.parametrize(
    ("text", "number"),
    [("20", 20), ("20x", 20), ("1/3", 1 / 3), ("1e-5", 1e-5), ("10^-5", 1e-5), ("2 * 10**3", 2000), ("1,000", 1000),
     ("30 %", 30), ("−2", -2), ("a lot", None), ("", None), ("1/0", None), ("1,5", None)],
)  # fmt: skip
def test_numbers_as_people_write_them(text, number):
    assert guesses.as_number(text) == number


def test_one_of_a_few_and_an_order(notebook):
    field = notebook.ask("07-1", "Which?", "best", options=("a", "b"))
    write(field, "b")
    assert str(*notebook("best = 'a'")) == "You guessed: b. It is: a."
    field = notebook.ask("07-2", "In which order?", "order", options=("a", "b", "c"), ranked=True)
    b, a, c = (field.children[0].children[k] for k in (2, 1, 3))
    for button in (b, c, c, a, c):  # a second click takes it back, and all after it
        button.click()
    assert [button.description for button in (b, a, c)] == ["1. b", "2. a", "3. c"]
    assert str(*notebook("order = ['b', 'a', 'c']")) == "You guessed: b, a, c. It is: b, a, c. Right."
    assert guesses.surprises("07").of == 2
    assert str(guesses.surprises("07")).endswith("1 came out otherwise:\n- Which? You guessed: b. It was: a.")


def test_a_changed_cell_is_no_error(notebook, capsys):
    write(notebook.ask("07-1", "How many?", "x"), "3")
    assert notebook("x = 'many'") == []
    assert "The cell was changed" in capsys.readouterr().out


@pytest.mark.parametrize("lesson", LESSONS)
def test_answers_are_there_once_their_cell_ran(lesson):
    """Its names are first defined by a later cell, or else the very next cell is about one of them."""
    before, later = set(dir(builtins)), None
    cells = [
        cell for cell in nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", 4).cells if cell.cell_type == "code"
    ]
    texts = [cell.source if not cell.source.startswith("%%") else measured(cell.source) for cell in cells]
    for number, text in enumerate(texts):
        for call in ast.walk(ast.parse(text)) if "import ask" in text else ():
            if isinstance(call, ast.Call):
                answer = ast.parse(ast.literal_eval(call.args[2]), mode="eval")
                names = {node.id for node in ast.walk(answer) if isinstance(node, ast.Name)}
                names -= {node.arg for node in ast.walk(answer) if isinstance(node, ast.arg)}
                names -= {n.id for n in ast.walk(answer) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                later = set().union(*(stored(text) for text in texts[number:]))
                assert names <= before | later, f"{ast.unparse(call)} asks for what is never defined"
                about = {n.id for n in ast.walk(ast.parse(texts[number + 1])) if isinstance(n, ast.Name)}
                following = about | stored(texts[number + 1])
                assert not names or not names <= before or names & following - {"mg", "np"}, (
                    f"{ast.unparse(call)} is answered too early"
                )
        before |= stored(text)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_that_asks_says_what_surprised(lesson):
    cells = nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", 4).cells
    asks, surprises = (sum(call in cell.source for cell in cells) for call in ("import ask", "\nsurprises("))
    assert surprises == (asks > 0)


def measured(source):
    """A cell under %%measure, whose -o NAME defines a name."""
    first, _, rest = source.partition("\n")
    words = first.split()
    return (f"{words[words.index('-o') + 1]} = 0\n" if "-o" in words else "") + (
        rest if first[2:9] == "measure" else ""
    )


def stored(text):
    """The names that a cell defines."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(name.asname or name.name).split(".")[0] for name in node.names}
    return names
