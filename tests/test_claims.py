"""Every sentence of a lesson that claims a number, a superlative or "all, never, ..." says how it is backed."""

import claims
import pytest

import minigrad as mg
from minigrad_course import data
from minigrad_course.says import says


@pytest.mark.parametrize("name", claims.LESSONS)
def test_every_claim_is_listed_and_backed(name):
    assert claims.faults(name) == [], f"python tools/claims.py {name[:2]} --write adds lines to fill in"


@pytest.mark.parametrize(
    ("sentence", "marks"),
    [
        ("It prints 1,297 digits, 2.5 times as many.", ["1,297", "2.5"]),
        ("The error is about $10^{-8}$, the largest of all.", ["10^{-8}", "largest", "all"]),
        ("Half of them never move.", ["Half", "never"]),
        ("Halve $h$: the error falls to a quarter.", ["quarter"]),
        ("In lesson 05, and in rows 2 and 3 of `x[7]`, the two differ (1998).", []),
        ("How many of the 784 are the same?", []),
        ("Move all 3 sliders.", []),
        ("A test of an honest guest, suggested by $x_1 + 2$.", []),
    ],
)
def test_the_marks_of_a_claim(sentence, marks):
    assert claims.triggers(sentence) == marks


def test_list_items_rows_and_sentences_stand_by_themselves():
    text = "# All 3\n\nOne. **Two** are\nhere.\n\n| a | b |\n|---|---|\n| 1 | all |\n\n- never\n- only\n"
    text += "\n{guess: a | 5}\n$$ 7 $$"
    assert claims.sentences(text) == ["One.", "**Two** are here.", "| a | b |", "| 1 | all |", "never", "only", "…"]


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """Write a lesson and its table, and return what is wrong with them."""
    monkeypatch.setattr(claims, "TABLES", tmp_path)
    monkeypatch.setitem(claims.LESSONS, "99_new", tmp_path / "99_new.py")

    def write(prose, code, table):
        (tmp_path / "99_new.py").write_text(f"# %% [markdown]\n# {prose}\n\n# %%\n{code}\n", encoding="utf-8")
        (tmp_path / "99_new.txt").write_text(table, encoding="utf-8")
        return claims.faults("99_new")

    return write


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("It prints 3 numbers. … 3 :: code print(3)\n", None),
        ("It prints 3 numbers. … 3 :: asserts right == 3\n", None),
        ("It prints 3 numbers. … 3 :: math 1 + 2\n", None),
        ("It prints 3 numbers. … 3 :: test test_claims.py lesson\n", None),
        ("", "not listed: It prints 3 numbers."),
        ("It prints 3 numbers. … 3 :: \n", "no reason: "),
        ("It prints 3 numbers. … 3 :: hopes so\n", "no reason: "),
        ("It prints 3 numbers. … 3 :: math\n", "no reason: "),
        ("It prints 3 numbers. … 3 :: code print(4)\n", "no longer in the code: print(4)"),
        ("It prints 3 numbers. … 3 :: asserts print(3)\n", "no longer asserted: print(3)"),
        ("It prints 3 numbers. … 3 :: test test_claims.py no_such\n", "no such test: test_claims.py no_such"),
        ("It prints 3 numbers. … 3 :: math 1 + 2\nOnly 4 … Only, 4 :: math 4\n", "no such claim any more: Only 4"),
    ],
)
def test_what_is_wrong_with_a_table(lesson, table, fault):
    wrong = lesson("It prints 3 numbers.", "print(3)\nassert right == 3", table)
    assert len(wrong) == (fault is not None)
    assert not fault or wrong[0].startswith(fault)


def test_a_number_that_changed_is_a_new_claim(lesson):
    assert len(lesson("It prints 4 numbers.", "pass", "It prints 3 numbers. … 3 :: math 1 + 2\n")) == 2


def test_says_prints_what_is_true(capsys):
    says("{:.0%} of {} digits", 0.96, 500, when=lambda share, n: share > 0.9 and n == 500)
    assert capsys.readouterr().out == "96% of 500 digits\n"


def test_says_refuses_what_is_not(capsys):
    with pytest.raises(AssertionError, match="This is not so: “80% of 500 digits”"):
        says("{:.0%} of {} digits", 0.8, 500, when=lambda share, _: share > 0.9)
    assert capsys.readouterr().out == ""


def test_the_figures_of_lesson_00():
    digits = data.digits()
    network = mg.nn.Sequential(mg.nn.Linear(784, 32, rng=1), mg.nn.ReLU(), mg.nn.Linear(32, 10, rng=2))
    before = [parameter.value.copy() for parameter in network.parameters()]
    mg.fit(network, digits, 1, 50, mg.optim.SGD(0.3), rng=1, progress=False)
    assert (len(digits.train_x), sum(old.size for old in before)) == (1_297, 25_450)
    ink = digits.train_x.reshape(-1, 784).any(axis=0)
    moved = (network.parameters()[0].value != before[0]).any(axis=0)
    assert not moved[~ink].any()
    assert moved[ink].mean() > 0.9
