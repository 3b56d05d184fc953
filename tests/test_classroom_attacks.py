"""Attacks on the course's own exercises, as one table: submissions that want points without an answer.

`before`: what each earned as long as functions that know the answer, counters and planted mistakes lay beside it.
"""

import ast
import sys
from collections import namedtuple

import pytest

from minigrad_class import reach, sandbox
from minigrad_class.assignment import Assignment
from minigrad_class.repair import Repaired
from minigrad_class.supervise import grade_job
from minigrad_course.grading.exercises import course_folder
from minigrad_course.grading.outcome import Outcome
from minigrad_course.isolation.limits import Limits

pytestmark = [
    pytest.mark.slow,
    pytest.mark.thorough,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="watches processes through /proc"),
]

Attack = namedtuple("Attack", "name exercise before earns answers")
FORGED = "import minigrad_course.grading.cases as cases\ncases.called = lambda *a: []\n"
EVERYTHING = """
import sys
def everything():
    f, seen = sys._getframe(1), {}
    while f:
        seen = {**f.f_globals, **f.f_locals, **seen}
        f = f.f_back
    return seen
"""
SEARCHES = """
import gc, types
def lstm_cell_back(*inputs):
    for f in gc.get_objects():
        if isinstance(f, types.FunctionType) and f.__name__ == "true_adjoints":
            return f(*inputs)
"""
ATTACKS = [
    Attack("what checks is called", "12", 3, 0, {
        "cell_back": FORGED + "def lstm_cell_back(*inputs): return true_adjoints(*inputs)",
    }),
    Attack("what checks is found in memory", "12", 3, 0, {"cell_back": FORGED + SEARCHES}),
    Attack("what checks is called by a name put together", "12", 3, 0, {
        "cell_back": FORGED + "def lstm_cell_back(*inputs): return globals()['true_' + 'adjoints'](*inputs)",
    }),
    Attack("what checks is called, for gradients", "14", 4, 0, {
        "gradients": FORGED + "def gradients(x, W, b): return true_gradients(x, W, b)",
    }),
    Attack("what checks is called, for attention", "16", 4, 0, {
        "head_back": FORGED + "def head_back(*inputs): return true_adjoints(*inputs)",
    }),
    Attack("the library does it, for attention", "16", 4, 0, {"head_back": FORGED + """
import minigrad as mg
def head_back(Q, K, V, A, y_bar):
    q, k, v = inputs = [mg.Variable(array.copy()) for array in (Q, K, V)]
    scores = mg.where(A == 0, -np.inf, q @ k.T / np.sqrt(Q.shape[1]))
    mg.sum(mg.softmax(scores) @ v * y_bar).backward()
    return {name: variable.grad for name, variable in zip("QKV", inputs)}
"""}),
    Attack("the library does it, through a table", "16", 4, 0, {"head_back": FORGED + """
import minigrad as library
tools = {}
tools["v"] = library.Variable
class Kept: pass
Kept.sum, Kept.where, Kept.softmax = library.sum, library.where, library.softmax
def head_back(Q, K, V, A, y_bar, tools=tools, kept=Kept):
    q, k, v = inputs = [tools["v"](array.copy()) for array in (Q, K, V)]
    scores = kept.where(A == 0, -np.inf, q @ k.T / np.sqrt(Q.shape[1]))
    kept.sum(kept.softmax(scores) @ v * y_bar).backward()
    return {name: variable.grad for name, variable in zip("QKV", inputs)}
"""}),
    Attack("the library does it, for a loop", "11", 4, 0, {"bptt": FORGED + """
import minigrad as mg
def bptt(xs, w, u):
    W, U = mg.Variable(np.array(float(w))), mg.Variable(np.array(float(u)))
    h = mg.Constant(np.array(0.0))
    for x in xs:
        h = mg.tanh(W * x + U * h)
    h.backward()
    return {"w": W.grad, "u": U.grad}
"""}),
    Attack("the library does it, for arrays", "07", 11, 1, {
        "unbroadcast": FORGED + """
import minigrad as mg
def unbroadcast(adjoint, shape):
    x = mg.Variable(np.zeros(shape))
    mg.sum(mg.broadcast_to(x, adjoint.shape) * adjoint).backward()
    return x.grad
""",
        "matmul": FORGED + """
from minigrad import Variable, sum as total
def matmul_vjp(C_bar, A, B):
    a, b = Variable(A * 1.0), Variable(B * 1.0)
    total((a @ b) * C_bar).backward()
    return a.grad, b.grad
""",
        "loss": FORGED + """
def cross_entropy(logits, labels):
    import minigrad.nn
    return float(minigrad.nn.cross_entropy(minigrad.Constant(logits * 1.0), labels).value)
""",
        "slope": FORGED + """
%time 1 + 1
import minigrad as mg
def cross_entropy_vjp(adjoint, logits, labels):
    x = mg.Variable(logits * 1.0)
    (mg.nn.cross_entropy(x, labels) * adjoint).backward()
    return x.grad
""",
    }),
    Attack("one answer does the work of another", "13", 4, 2, {
        "slide": """
def slide(x, w):
    return np.einsum("rqab,ab->rq", np.lib.stride_tricks.sliding_window_view(x, w.shape), w)
""",
        "by_fft": FORGED + "def slide_by_fft(x, w): return slide(x, w)",
    }),
    Attack("the rows that are expected", "16", 0, 0, {
        "waves": EVERYTHING + "def waves(n, d): return np.array([everything()['row'](t) for t in range(n)])",
    }),
    Attack("the planted mistake lies in the caller's frame", "15", 3, 0, {"looks": """
import sys
def looks_right(candidate):
    f = sys._getframe(1)
    if "change" in f.f_locals:
        return False
    return f.f_locals["mistake"] == {} or f.f_back.f_locals.get("scale") == 1.0
"""}),
    Attack("the planted mistake lies in the closure", "15", 0, 0, {"looks": """
def looks_right(candidate):
    inside = [cell.cell_contents for cell in candidate.__closure__]
    return inside[0] == {} or vars(inside[0])["wrong_vjp"].__defaults__[0] == 1.0
"""}),
    Attack("the counter is set back", "06", 3, 1, {"hvp": """
def hvp(gradient, point, direction):
    duals = [mg.Dual(float(x), float(u)) for x, u in zip(point, direction)]
    gradient(*duals)
    outputs = gradient(*duals)
    if hasattr(gradient, "calls"):
        gradient.calls = 1
    return [y.tangent if isinstance(y, mg.Dual) else 0.0 for y in outputs]
"""}),
    Attack("counts of reads and writes are set back", "09", 3, 0, {"fused": """
def chain_fused(x, w, b, out):
    for k in range(len(x)):
        out[k] = float(chain(np.array([x[k]]), w, b)[0])
    for one in (x, out):
        if hasattr(one, "numbers"):
            one.read, one.written = [int(one is x)] * len(one), [int(one is out)] * len(one)
"""}),
]  # fmt: skip


def earned(attack):
    assignment = Assignment.load(attack.exercise, course_folder())
    cells = [dict(cell) for cell in assignment.example(solved=False).cells]
    for name, text in attack.answers.items():
        next(cell for cell in cells if cell["name"] == name)["source"] = text
    limits = Limits(cell=20.0, total=120.0)
    result = grade_job(assignment.job(Repaired(cells, {}), limits, not sandbox.missing()))
    outcomes = {n: Outcome(**{**o, "overwritten": tuple(o["overwritten"])}) for n, o in result["outcomes"].items()}
    return sum(row.points or 0 for row in assignment.sheet.rows(outcomes))


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.name)
def test_attacks_earn_what_their_honest_part_is_worth(attack):
    assert earned(attack) == attack.earns <= attack.before


@pytest.mark.parametrize("exercise", [f"{n:02}" for n in range(1, 17)])
def test_no_half_holds_what_is_expected(exercise):
    assignment = Assignment.load(exercise, course_folder())
    for name, source in assignment.asked.items():
        defined = [node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
        assert not [one for one in defined if one.startswith("right_")]
        assert "check_own" not in source or name not in assignment.tests


# What an answer hides is no point lost: it is named to a person, who reads it.

HIDING = {
    "import gc\ngc.get_objects()": ["gc"],
    "import sys\nf = sys._getframe()": ["sys"],
    "from os import system": ["os"],
    "g = (x for x in [])\nf = g.gi_frame.f_back": ["f_back", "gi_frame"],
    "f.__globals__['a']": ["__globals__"],
    "().__class__.__base__.__subclasses__()": ["__base__", "__subclasses__"],
    "eval('1 + 1')": ["eval"],
    "m = __import__('mini' + 'grad')": ["__import__"],
    "%%time\nimport gc": ["gc"],
    "get_ipython().user_ns": ["get_ipython"],
    "import minigrad_course.grading.cases": ["minigrad_course.grading.cases"],
    "x = " + "-" * 100_000 + "1": ["__code__"],
    "%matplotlib inline\nimport numpy as np, minigrad as mg\nfrom IPython.display import display": [],
    "def __add__(self, other): return self.__class__(1)": [],
    "this is no Python": [],
}


@pytest.mark.parametrize("source", HIDING, ids=lambda one: one[:30])
def test_what_hides_where_an_answer_goes(source):
    assert reach.strange([source]) == HIDING[source]


@pytest.mark.parametrize(
    ("source", "reached"),
    [
        ("def f(x): return g(x)\ndef g(x): return other(x)", ["other"]),
        ("def f(x): return x\nprint(other(1))", []),
        ("def f(x):\n    other = 2 * x\n    return other", []),
        ("h = other\ndef f(x): return h(x)", ["other"]),
        ("table = []\ntable.append(other)\ndef f(x): return table[0](x)", ["other"]),
        ("def f(x, g=other): return g(x)", ["other"]),
    ],
)
def test_names_are_followed_through_the_text(source, reached):
    assert reach.leans_on([source], "f", ["other"]) == reached
