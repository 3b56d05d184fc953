"""The gradient puzzles: right answers of any spelling pass, and wrong ones are told the step at which they part."""

import linecache
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad_course import puzzles
from minigrad_course.grading.make_notebooks import read_lesson
from minigrad_course.two_moons import two_moons
from minigrad_course.viz.explore.walk import Rules, walks

CELLS = read_lesson(Path(__file__).resolve().parent.parent / "sources" / "lessons" / "puzzles.py").cells
EMPTY = {re.search(r"def (\w+)", cell.source)[1]: cell.source for cell in CELLS if cell.source.startswith("@puzzle")}
ANSWERS = dict(zip(EMPTY, re.findall(r"(?m)^\d+\. `(.+)`$", CELLS[-1].source), strict=True))
STEP = re.compile(
    r"(Right with the numbers at first, and wrong with these\. )?Step (\d+) of (\d+), (\w+ → \w+|the adjoint)"
)

OTHERS = {  # right ones, as people write them who come from elsewhere
    "product": ["[adjoint * b, b and a * adjoint or 0.0 * a]", "mg.abs(1.0) * adjoint * b, adjoint * a",
                "tuple(adjoint * x for x in (b, a))", "np.array([b, a]) * adjoint", "adjoint * a * b / a, adjoint * a"],
    "row": ["np.sum(adjoint, 0)", "sum(adjoint)", "np.ones(len(adjoint)) @ adjoint", "np.einsum('ij->j', adjoint)",
            "mg.sum(adjoint, axis=0)", "[sum(column) for column in adjoint.T]", "np.einsum('i...->...', adjoint)"],
    "largest": ["adjoint * (a == np.max(a)) / (a == np.max(a)).sum()", "np.where(a == max(a), adjoint / list(a).count(max(a)), 0)",
                "[adjoint / sum(a == max(a)) if x == max(a) else 0.0 for x in a]",
                "adjoint * np.mean(np.eye(len(a))[np.flatnonzero(a == a.max())], axis=0)"],
    "choice": ["np.where(c, adjoint, 0), np.where(c, 0, adjoint)", "adjoint * c, adjoint * (1 - c)",
               "mg.where(c, adjoint, 0.0), mg.where(c, 0.0, adjoint)", "(d := adjoint * c), adjoint - d",
               "np.multiply(adjoint, c), np.multiply(adjoint, np.logical_not(c))"],
    "matmul": ["np.dot(adjoint, B.T), np.dot(A.T, adjoint)", "mg.matmul(adjoint, B.T), mg.matmul(A.T, adjoint)",
               "np.einsum('ik,jk->ij', adjoint, B), np.einsum('ij,ik->jk', A, adjoint)", "(B @ adjoint.T).T, (adjoint.T @ A).T",
               "np.array([[sum(adjoint[i] * B[j]) for j in range(len(B))] for i in range(len(A))]), A.T @ adjoint"],
    "softmax": ["(np.diag(p) - np.outer(p, p)) @ adjoint", "p * adjoint - p * (p @ adjoint)", "p * (adjoint - mg.dot(adjoint, p))",
                "[p[i] * sum((float(i == j) - p[j]) * adjoint[j] for j in range(len(p))) for i in range(len(p))]",
                "np.einsum('i,ij->j', adjoint, np.diag(p) - p[:, None] * p)"],
    "turn": ["(s := after_bar * (1 - after * after)) * w, w_bar + s * before",
             "after_bar * w * (1 - np.tanh(w * before) ** 2), w_bar + before * after_bar * (1 - np.tanh(w * before) ** 2)",
             "after_bar * w / np.cosh(w * before) ** 2, w_bar + after_bar * before / np.cosh(w * before) ** 2"],
    "square": ["np.array(a)", "a + 0", "1 * a", "a[:] * 1.0", "list(a)", "np.copy(a)", "tuple(a)"],
    "pull": ["adjoint @ np.stack([push(e) for e in np.eye(n)], axis=1)", "[sum(adjoint * push(e)) for e in np.eye(n)]",
             "np.array([push(np.eye(n)[k]) for k in range(n)]) @ adjoint", "[float(np.dot(adjoint, push(e))) for e in np.eye(n)]",
             "np.einsum('ni,i->n', np.stack([push(row) for row in np.identity(n)]), adjoint)"],
    "hvp": ["mg.jvp(mg.grad(f), (x,), (v,))[1]", "mg.vjp(mg.grad(f), x)[1](v)[0]",
            "mg.grad(lambda y: mg.sum(v * mg.grad(f)(y)))(x)", "mg.grad(lambda y: mg.dot(mg.grad(f)(y), v))(x)",
            "mg.grad(lambda y: mg.jvp(f, (y,), (v,))[1])(x)"],
    "solve": ["-np.linalg.solve(A.T, adjoint)[:, None] * x, np.linalg.solve(A.T, adjoint)",
              "-np.outer(np.linalg.inv(A).T @ adjoint, x), adjoint @ np.linalg.inv(A)",
              "np.einsum('i,j->ij', -(s := np.linalg.solve(A.T, adjoint)), x), s"],
    "backward": ["for x, s in shares(node, adjoint[node]): adjoint[x] = s + (adjoint[x] if x in adjoint else 0)",
                 "for x, s in shares(node, adjoint[node]): adjoint.setdefault(x, 0.0); adjoint[x] += s",
                 "for pair in shares(node, adjoint[node]): adjoint.update({pair[0]: adjoint.get(pair[0], 0) + pair[1]})"],
}  # fmt: skip
WRONG = {  # each with a piece of the sentence
    "product": [("adjoint * a, adjoint * b", "f → c: expected 3, got 6 (that is what f → x should be)"), ("b, a", "c → x: expected 6, got 2"),
                ("adjoint * b", "2 results are expected, got one float"), ("adjoint, adjoint", "f → c: expected 3, got 1"),
                ("adjoint + b, adjoint + a", "expected 3, got 4"), ("adjoint * b, -adjoint * a", "the sign is the opposite"),
                ("None", "got one NoneType (is a `return` missing?"), ("adjoint * b, adjoint * a, 0", "got 3"),
                ("adjoint * y, adjoint * x", "NameError"), ("adjoint @ b, adjoint @ a", "stops with"), ("'a', 'b'", "f → c"),
                ("3.0, 6.0", "c → x: expected 6, got 3")],
    "row": [("adjoint", "its sum over the first axis would be right"), ("adjoint.sum(axis=1)", "expected an array of shape (3,), got an array of shape (2,)"),
            ("adjoint.sum()", "got a single number"), ("adjoint.mean(axis=0)", "every entry is half of what is expected"), ("b", "entry 0"),
            ("adjoint[0]", "entry 0"), ("np.ones(3)", "entry 0"), ("adjoint.sum(axis=0) * b", "S → b"), ("adjoint.sum(axis=2)", "fewer axes"),
            ("np.array([50.0, 88.0, 0.0])", "S → b")],
    "largest": [("adjoint * (a == a.max())", "every entry is twice what is expected"), ("adjoint * (np.arange(len(a)) == a.argmax())", "m → a, entry 1"),
                ("adjoint * a / a.sum()", "m → a, entry 0"), ("adjoint", "got a single number"), ("a == a.max()", "m → a, entry 1"),
                ("adjoint / 2 * (a == a.max())", "Right with the numbers at first"), ("a.max()", "got a single number"),
                ("adjoint * np.ones(len(a)) / len(a)", "entry 0"), ("np.array([0, 7.0, 7.0, 0])", "Right with the numbers at first")],
    "choice": [("adjoint[c], adjoint[~c]", "2 entries too few"), ("adjoint, adjoint", "v → a, entry 1"), ("adjoint * ~c, adjoint * c", "that is what v → b should be"),
               ("adjoint * c", "2 results are expected, got one ndarray"), ("c, ~c", "v → a"), ("adjoint * c, -adjoint * c", "v → b"),
               ("np.where(c, adjoint, 1), np.where(c, 1, adjoint)", "v → a, entry 1"), ("adjoint * c / 2, adjoint * ~c / 2", "every entry is half"),
               ("adjoint * -c, adjoint * c", "stops with TypeError")],
    "matmul": [("adjoint @ B, A @ adjoint", "where adjoint is of shape (2, 2) and B is of shape (3, 2)"), ("adjoint * B.T, A.T * adjoint", "stops with ValueError"),
               ("A.T @ adjoint, adjoint @ B.T", "that is what C → B should be"), ("(adjoint @ B.T).T, (A.T @ adjoint).T", "it is the transpose"),
               ("B.T, A.T", "C → A"), ("B, A", "C → A"), ("adjoint @ B.T", "got one ndarray"), ("adjoint @ B.T, -A.T @ adjoint", "C → B")],
    "softmax": [("adjoint * p * (1 - p)", "p → z, entry 0"), ("p", "p → z, entry 0"), ("adjoint * p", "p → z"), ("adjoint - np.sum(adjoint * p)", "p → z"),
                ("p * (adjoint - adjoint.mean())", "p → z"), ("p * (np.sum(adjoint * p) - adjoint)", "the sign of every entry is the opposite"),
                ("np.diag(p) - np.outer(p, p)", "expected an array of shape (3,)"), ("p - adjoint", "p → z"), ("np.sum(adjoint * p)", "a single number")],
    "turn": [("after_bar * (1 - after**2) * w, after_bar * (1 - after**2) * before", "h2 → w"), ("after_bar * (1 - after**2), w_bar", "f → h2"),
             ("after_bar * (1 - before**2) * w, w_bar + after_bar * (1 - before**2) * before", "f → h2"), ("after_bar * w, w_bar + after_bar * before", "f → h2"),
             ("after_bar * (1 - after**2) * w", "got one float"), ("after_bar * (1 - after**2) * w, w_bar + after_bar * (1 - after**2) * after", "f → w"),
             ("(after_bar + 1) * (1 - after**2) * w, w_bar", "f → h2"), ("w_bar, after_bar", "f → h2"),
             ("after_bar * (1 - after**2) * w, w_bar * after_bar * (1 - after**2) * before", "f → w")],
    "square": [("a", "v → a, entry 1: expected"), ("np.asarray(a)", "v → a"), ("a[:]", "v → a"), ("a.view()", "v → a"), ("2 * a", "every entry is twice what is expected"),
               ("a * a", "v → a"), ("None", "v → a"), ("abs(a)", "Right with the numbers at first"), ("a.sum()", "v → a"), ("np.array([1.0, 2.0, 3.0])", "Right with the numbers at first")],
    "pull": [("push(adjoint)", "stops with ValueError"), ("[push(e) for e in np.eye(n)]", "y → x"), ("push(np.ones(n))", "y → x"), ("[push(e).sum() for e in np.eye(n)]", "y → x"),
             ("np.array([push(e) for e in np.eye(n)]).T @ adjoint", "stops with"), ("adjoint", "y → x"), ("[adjoint @ push(e) for e in np.eye(3)]", "Right with the numbers at first"),
             ("[adjoint * push(e) for e in np.eye(n)]", "y → x"), ("np.zeros(n)", "all are 0")],
    "hvp": [("mg.grad(f)(x) * v", "g → x"), ("mg.grad(f)(x) @ v", "got a single number"), ("mg.jvp(f, (x,), (v,))[1]", "a single number"), ("mg.grad(f)(x + v)", "g → x"),
            ("mg.grad(lambda y: f(y) * v.sum())(x)", "g → x"), ("(mg.grad(f)(x + 1e-6 * v) - mg.grad(f)(x)) / 1e-6", "nearly right, but not exactly"), ("(mg.grad(f)(x + 1e-5 * v) - mg.grad(f)(x - 1e-5 * v)) / 2e-5", "nearly right"),
            ("mg.grad(mg.grad(f))(x) * v", "stops with"), ("mg.grad(lambda y: np.sum(mg.grad(f)(y)))(x) * v", "g → x"), ("v", "g → x")],
    "solve": [("np.linalg.solve(A.T, adjoint), adjoint", "that is what x → b should be"), ("-np.outer(np.linalg.solve(A, adjoint), x), np.linalg.solve(A, adjoint)", "x → A, entry (0, 0)"),
              ("np.outer(np.linalg.solve(A.T, adjoint), x), np.linalg.solve(A.T, adjoint)", "the sign of every entry is the opposite"),
              ("-np.outer(x, np.linalg.solve(A.T, adjoint)), np.linalg.solve(A.T, adjoint)", "it is the transpose"), ("np.linalg.solve(A.T, adjoint)", "got one ndarray"),
              ("-np.outer(adjoint, x), adjoint", "x → A"), ("np.linalg.inv(A).T, adjoint", "x → A"), ("A, x", "x → A"),
              ("-np.outer(np.linalg.solve(A.T, adjoint), x), np.linalg.solve(A, adjoint)", "x → b")],
    "backward": [("for x, s in shares(node, adjoint[node]): adjoint[x] = s", "the adjoint that b passes on"), ("for x, s in shares(node, 1.0): adjoint[x] = adjoint.get(x, 0) + s", "passes on"),
                 ("for x, s in shares(node, adjoint[node]): adjoint[x] += s", "stops with KeyError"), ("shares(node, adjoint[node])", "stops with KeyError"),
                 ("for x, s in shares(node, adjoint[node]): adjoint.setdefault(x, s)", "the adjoint that b passes on"), ("pass", "the adjoint of c: expected 1, got 0"),
                 ("for x, s in shares(node, adjoint[order[-1]]): adjoint[x] = adjoint.get(x, 0) + s", "the adjoint that"),
                 ("for x, s in shares(node, adjoint[node]): adjoint[x] = adjoint.get(x, 1) + s", "the adjoint that"),
                 ("for s, x in shares(node, adjoint[node]): adjoint[x] = adjoint.get(x, 0) + s", "stops with")],
}  # fmt: skip


def rule_of(name, answer):
    """The function that a cell defines with an answer in the place of its `...`, as a notebook would have it."""
    source = re.sub(r"\.\.\.$", lambda _: answer, EMPTY[name].removeprefix("@puzzle\n"), flags=re.MULTILINE)
    file = f"<cell {name} {abs(hash(answer))}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    names = {"np": np, "mg": mg}
    exec(compile(source, file, "exec"), names)
    return names[name]


def judged(name, answer):
    answer = answer.removeprefix("return ").removeprefix("kept = ")
    return puzzles.judged(rule_of(name, answer))


@pytest.fixture(autouse=True)
def none_solved(monkeypatch):
    monkeypatch.setattr(puzzles, "solved", {})
    monkeypatch.setattr("minigrad_course.two_moons.solved", puzzles.solved)


def test_the_page_has_every_puzzle_in_order():
    assert [*EMPTY] == [*puzzles.PUZZLES]
    assert len(EMPTY) == 12
    assert all(source.count("...") == 1 for source in EMPTY.values())


@pytest.mark.parametrize("name", EMPTY)
def test_an_empty_cell_draws_its_graph(name):
    verdict = judged(name, "...")
    assert verdict.right is None
    assert "0 of 12 · Put your rule in the place of the `...`" in repr(verdict)
    assert verdict.picture.svg.count("<title>") > 3
    assert "adjoint" not in verdict.picture.text


@pytest.mark.parametrize("name", EMPTY)
def test_right_rules_pass_in_any_spelling(name):
    for answer in (ANSWERS[name], *OTHERS[name]):
        verdict = judged(name, answer)
        assert verdict.right, (answer, verdict.sentence)
        assert verdict.sentence == puzzles.PUZZLES[name].praise
        assert verdict.count == "1 of 12"
        assert "adjoint" in verdict.picture.text


@pytest.mark.parametrize("name", EMPTY)
def test_wrong_rules_are_told_the_step(name):
    assert len(WRONG[name]) >= 8
    for answer, words in WRONG[name]:
        verdict = judged(name, answer)
        assert verdict.right is False, answer
        assert words in verdict.sentence, (answer, verdict.sentence)
        match = STEP.match(verdict.sentence)
        assert match, (answer, verdict.sentence)
        assert 1 <= int(match[2]) <= int(match[3]), (answer, verdict.sentence)
        assert verdict.sentence.endswith(puzzles.PUZZLES[name].hint)
        assert "parts here" in verdict.picture.text, answer
        assert puzzles.solved == {}


@pytest.mark.parametrize("name", EMPTY)
def test_steps_are_those_of_explore(name):
    walk = puzzles.Walk(name, puzzles.PUZZLES[name].numbers[0])
    assert walk.steps == [event.share for event in walks(walk.record, Rules()) if event.kind == "share"]
    graph, function = walk.puzzle.graph, walk.puzzle.function
    whole = graph if callable(graph) else lambda op, *x: mg.sum(mg.square(op("", *x)))
    inputs = [node.value for node in walk.record.inputs]
    right = mg.vjp(lambda *x: whole(lambda _, *of: function(*of), *x), *inputs)[1](1.0)
    for node, gradient in zip(walk.record.inputs, right, strict=True):
        np.testing.assert_allclose(walk.truth.adjoints[walk.output][node], gradient, rtol=1e-12)


BY_LIBRARY = {
    "product": "mg.grad(lambda t: adjoint * t * b)(a), mg.grad(lambda t: adjoint * a * t)(b)",
    "row": "mg.grad(lambda t: mg.sum(adjoint * (t + np.zeros(adjoint.shape))))(b)",
    "largest": "mg.grad(lambda t: adjoint * mg.max(t))(a)",
    "matmul": "mg.vjp(mg.matmul, A, B)[1](adjoint)",
    "softmax": "mg.vjp(mg.softmax, mg.log(p))[1](adjoint)[0]",
    "solve": "mg.vjp(np.linalg.solve, A, A @ x)[1](adjoint)",
    "pull": "mg.grad(lambda t: mg.sum(adjoint * (np.stack([push(e) for e in np.eye(n)]).T @ t)))(np.zeros(n))",
    "hvp": "mg.hessian(f)(x) @ v",
    "turn": "mg.vjp(lambda h, u: mg.tanh(u * h), before, w)[1](after_bar)[0], w_bar + after_bar * (1 - after**2) * before",
}


@pytest.mark.parametrize("name", BY_LIBRARY)
def test_the_librarys_own_derivatives_are_refused(name):
    verdict = judged(name, BY_LIBRARY[name])
    assert verdict.right is False
    assert f"The numbers are right, but `{name}` leaves the work to" in verdict.sentence, verdict.sentence


def test_a_line_that_has_to_stay():
    def square(a):
        return a

    assert "The line `a *= a` has to stay as it is" in puzzles.judged(square).sentence


def test_a_rule_that_becomes_wrong_counts_no_more():
    assert judged("product", ANSWERS["product"]).count == "1 of 12"
    assert judged("row", ANSWERS["row"]).count == "2 of 12"
    assert judged("product", "b, a").count == "1 of 12"


def test_another_name_is_no_puzzle():
    with pytest.raises(ValueError, match="a rule has the name of its puzzle, product, row"):
        puzzles.puzzle(lambda adjoint: adjoint)


def test_a_moon_waxes_with_each_puzzle():
    arcs = set()
    for k, (name, answer) in enumerate(ANSWERS.items(), 1):
        page = judged(name, answer)._repr_mimebundle_()["text/html"]
        assert f"{k} of 12" in page
        arcs.add(re.search(r'<path d="(M17 2A[^"]+)"', page)[1])
    assert len(arcs) == 12


def test_two_moons_wait_for_all_rules(capsys):
    judged("product", ANSWERS["product"])
    two_moons()
    assert "wait for 11 of your rules: row, largest" in capsys.readouterr().out


@pytest.mark.parametrize("spelling", range(4))
def test_all_rules_together_train_a_network(spelling, capsys, monkeypatch):
    titles = []
    monkeypatch.setattr("minigrad_course.viz.plots.show", lambda figure, _: titles.extend(figure.axes))
    for name in EMPTY:
        assert judged(name, [ANSWERS[name], *OTHERS[name], ANSWERS[name]][spelling]).right
    two_moons()
    assert [axes.get_title(loc="left") for axes in titles][1] == "step 80: 60 of 60 right"
    before, after = map(float, re.findall(r"\d\.\d\d", capsys.readouterr().out))
    assert after < before / 3


PROGRAM = """
import sys
sys.modules["numba"] = None
import numpy as np
import minigrad as mg
from minigrad_course.puzzles import puzzle
{}
"""


def test_plain_python_without_numba_prints_it(tmp_path):
    cells = [re.sub(r"\.\.\.", lambda _, name=name: ANSWERS[name].removeprefix("return ").removeprefix("kept = "), source)
             for name, source in EMPTY.items()]  # fmt: skip
    script = tmp_path / "rules.py"
    script.write_text(PROGRAM.format("\n\n".join([EMPTY["product"], *cells])), encoding="utf-8")
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    assert re.findall(r"(?m)^. (\d+) of 12", run.stdout) == [str(k) for k in range(13)]
