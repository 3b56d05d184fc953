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


KEY = "It prints 3 numbers. … 3 :: "


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (KEY + "code print(3)", ""),
        (KEY + "asserts right == 3", ""),
        (KEY + "math 1 + 2", ""),
        (KEY + "test test_claims.py test_says_prints_what_is_true_and_refuses_what_is_not", ""),
        ("It prints 4 numbers. … 4 :: math 2 + 2", "not listed: It prints 3 numbers."),
        (KEY + "math 1 + 2\nOnly 4 … Only, 4 :: math 4", "no such claim any more: Only 4"),
        (KEY, "no reason: "),
        (KEY + "hopes so", "no reason: "),
        (KEY + "math", "no reason: "),
        (KEY + "code print(4)", "no longer in the code: print(4)"),
        (KEY + "asserts print(3)", "no longer asserted: print(3)"),
        (KEY + "test test_claims.py no_such", "no such test: test_claims.py no_such"),
    ],
)
def test_what_is_wrong_with_a_table(tmp_path, monkeypatch, table, fault):
    monkeypatch.setattr(claims, "TABLES", tmp_path)
    monkeypatch.setitem(claims.LESSONS, "99_new", tmp_path / "99_new.py")
    cells = "# %% [markdown]\n# It prints 3 numbers.\n\n# %%\nprint(3)\nassert right == 3\n"
    (tmp_path / "99_new.py").write_text(cells, encoding="utf-8")
    (tmp_path / "99_new.txt").write_text(table, encoding="utf-8")
    wrong = claims.faults("99_new")
    assert bool(wrong) == bool(fault)
    assert not wrong or wrong[0].startswith(fault)


def test_says_prints_what_is_true_and_refuses_what_is_not(capsys):
    says("{:.0%} of {} digits", 0.96, 500, when=lambda share, n: share > 0.9 and n == 500)
    assert capsys.readouterr().out == "96% of 500 digits\n"
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
