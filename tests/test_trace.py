"""Trace tables: right in both modes, for any function; readable as text, HTML and rows."""

import html
import itertools
import math
import re
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections import namedtuple

import numpy as np
import pytest
from campaign import PART, PARTS
from campaign.operations import TABLE, cases
from campaign.random_graphs import Program
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.core.rules import TABLE as RULES
from minigrad_course.trace import HTML, TEXT


def twice(x1, x2):
    a = 0
    b = 0
    for _ in range(2):
        a += x1 * x2
        b += x1 + x2
    return a, b


def piecewise(x):
    y = x * 2
    if x > 1:
        return y * y
    return y - 1


# The tables, as they are read ---------------------------------------------------------------------------------------

FORWARD = """\
Forward trace of twice, seed ẋ1 = 1, ẋ2 = 0

program line | primal trace ↓              | tangent trace ↓                    | note
-------------+-----------------------------+------------------------------------+-----
input        | x1 = 3                      | ẋ1 = 1                             | seed
input        | x2 = 4                      | ẋ2 = 0                             | seed
a += x1 * x2 | v1 = x1·x2 = 3·4 = 12       | v̇1 = x2·ẋ1 + x1·ẋ2 = 4·1 + 3·0 = 4 |
             | v2 = 0 + v1 = 0 + 12 = 12   | v̇2 = v̇1 = 4                        |
b += x1 + x2 | v3 = x1 + x2 = 3 + 4 = 7    | v̇3 = ẋ1 + ẋ2 = 1 + 0 = 1           |
             | v4 = 0 + v3 = 0 + 7 = 7     | v̇4 = v̇3 = 1                        |
a += x1 * x2 | v5 = x1·x2 = 3·4 = 12       | v̇5 = x2·ẋ1 + x1·ẋ2 = 4·1 + 3·0 = 4 |
             | v6 = v2 + v5 = 12 + 12 = 24 | v̇6 = v̇2 + v̇5 = 4 + 4 = 8           |
b += x1 + x2 | v7 = x1 + x2 = 3 + 4 = 7    | v̇7 = ẋ1 + ẋ2 = 1 + 0 = 1           |
             | v8 = v4 + v7 = 7 + 7 = 14   | v̇8 = v̇4 + v̇7 = 1 + 1 = 2           |"""

REVERSE = """\
Reverse trace of twice, seed v̄6 = 1, v̄8 = 0. Values are read downwards, adjoints upwards

program line | primal trace ↓              | adjoint trace ↑                | note
-------------+-----------------------------+--------------------------------+--------------------------
input        | x1 = 3                      | x̄1 = 8                         | the result
input        | x2 = 4                      | x̄2 = 6                         | the result
a += x1 * x2 | v1 = x1·x2 = 3·4 = 12       | x̄1 += v̄1·x2 = 1·4 = 4  (sum 8) |
             |                             | x̄2 += v̄1·x1 = 1·3 = 3  (sum 6) |
             | v2 = 0 + v1 = 0 + 12 = 12   | v̄1 = v̄2 = 1                    |
b += x1 + x2 | v3 = x1 + x2 = 3 + 4 = 7    | v̄3 = 0                         | does not reach the output
             | v4 = 0 + v3 = 0 + 7 = 7     | v̄4 = 0                         | does not reach the output
a += x1 * x2 | v5 = x1·x2 = 3·4 = 12       | x̄1 = v̄5·x2 = 1·4 = 4           |
             |                             | x̄2 = v̄5·x1 = 1·3 = 3           |
             | v6 = v2 + v5 = 12 + 12 = 24 | v̄2 = v̄6 = 1                    |
             |                             | v̄5 = v̄6 = 1                    |
b += x1 + x2 | v7 = x1 + x2 = 3 + 4 = 7    | v̄7 = 0                         | does not reach the output
             | v8 = v4 + v7 = 7 + 7 = 14   | v̄8 = 0                         | does not reach the output
output a     | v6 = 24                     | v̄6 = 1                         | seed
output b     | v8 = 14                     | v̄8 = 0                         | seed"""

JACOBIAN = """\
Jacobian of twice in forward mode: 2 passes, a column in each

pass 1: ẋ1 = 1
   x1  x2
a   8   ·
b   2   ·

pass 2: ẋ2 = 1
   x1  x2
a   8   6
b   2   2"""


def test_the_forward_table_as_text():
    assert str(mg.trace(twice, 3.0, 4.0).forward("x1")).split("\n") == FORWARD.split("\n")


def test_the_reverse_table_as_text():
    assert str(mg.trace(twice, 3.0, 4.0).reverse("a")).split("\n") == REVERSE.split("\n")


def test_the_jacobian_as_text():
    assert str(mg.trace(twice, 3.0, 4.0).jacobian("forward")) == JACOBIAN


# True: every printed equation, evaluated again --------------------------------------------------------------------


def evaluated(text, names=None):
    """Evaluate one side of a printed equation, as text or as HTML, with the rows of the derivative table."""
    text = re.sub(r"</?(b|var|sub|span)[^>]*>", "", text).replace("<sup>", "**(").replace("</sup>", ")")
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", html.unescape(text).replace("√", "sqrt "))
    text = re.sub(r"sqrt ([\w.]+)", r"sqrt(\1)", text).replace("σ", "sigmoid").replace("ln(", "log(")
    for sign, python in {"·": "*", "^": "**", "−": "-", "≥": ">=", "≤": "<=", "≠": "!="}.items():
        text = text.replace(sign, python)
    scope = {"e": np.exp(1.0), "inf": np.inf, "nan": np.nan, "true": True, "false": False, "number": np.float64}
    # NumPy's numbers divide by 0, and Python's do not.
    text = re.sub(r"(?<![\w.\u0300-\u036f])\d[\d.]*(e-?\d+)?", lambda number: f"number({number[0]})", text)
    with np.errstate(all="ignore"):
        return eval(text, {**RULES, **scope, **(names or {})})


def check_equation(equation):
    """Compare each side of an equation with the number behind it."""
    names = {evaluated_name(s.name, s.accent): np.float64(s.value) for s in equation.symbols.values()}
    for style in (TEXT, HTML):
        for numbers in (False, True) if equation.template is not None else ():
            side = equation.written(style, numbers)
            # Constants have six digits; with all numbers in six digits, a difference such as 1 - v·v loses up to 1e-5.
            close = {"rel": 1e-4, "abs": 1e-5} if numbers else {"rel": 1e-5}
            assert float(evaluated(side, names)) == pytest.approx(float(equation.value), nan_ok=True, **close), side
    result = re.split(r" \+?= ", str(equation))[-1].split("  (sum")[0]
    assert float(evaluated(result)) == pytest.approx(float(equation.value), nan_ok=True, rel=1e-5)


def evaluated_name(name, accent):
    return unicodedata.normalize("NFKC", TEXT.symbol(name, accent))


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_printed_equations_hold_at_kinks_and_ties(rule):
    with np.errstate(all="ignore"):
        for point in itertools.product((-2.0, 0.0, 0.5, 3.0), repeat=len(rule.inputs)):
            t = mg.trace(lambda *xs: rule(*xs) * 1.5 + xs[0], *point)
            for table in (t.forward([0.5, -2.0, 3.0][: len(point)]), t.reverse([-2.5])):
                for row in table:
                    check_equation(row.primal)
                    if row.derivative is not None:
                        check_equation(row.derivative)


# Loops and branches -------------------------------------------------------------------------------------------------


def test_a_branch_follows_this_runs_value():
    for x, value, slope, went in ((3.0, 36.0, 24.0, "true"), (0.5, 0.0, 2.0, "false")):
        table = mg.trace(piecewise, x).forward()
        assert (table.trace.value, table[-1].derivative_value) == (value, slope)
        asked = next(row for row in table if row.source == "if x > 1:")
        assert asked.primal_formula == "x > 1"
        assert asked.note == f"decided: {went}"
        assert asked.derivative is None


def test_equality_asks_about_values_in_a_trace():
    def f(x, y):
        return x * 10 if x == y else x

    assert mg.trace(f, 2.0, 2.0).value == 20.0
    assert mg.trace(f, 2.0, 3.0).value == 2.0
    assert mg.trace(lambda x: x if x != 0 else x + 1, 0.0).value == 1.0
    x = mg.Variable(2.0)
    with pytest.raises(TypeError, match="one and the same node"):
        _ = x == 2.0
    with pytest.raises(TypeError, match="decided once"):
        bool(x)


def test_loops_that_depend_on_values():
    def newton(x, c):
        while abs(x * x - c) > 1e-9:
            x = (x + c / x) / 2
        return x

    t = mg.trace(newton, 1.0, 2.0)
    assert math.isclose(t.value, math.sqrt(2), rel_tol=1e-9)
    assert [d.went for d in t.decisions] == [True] * (len(t.decisions) - 1) + [False]
    # The derivative of the last steps forgets the start, and is that of the square root.
    assert t.jacobian().matrix == pytest.approx(np.array([[0, 0.5 / math.sqrt(2)]]), abs=1e-4)


def test_each_run_of_a_line_is_told_apart():
    def f(x):
        for _ in range(3):
            x = x * 2
        return x + x * x

    def runs(function, x):
        return [row.run for row in mg.trace(function, x).forward() if row.kind == "operation"]

    assert runs(f, 1.0) == [1, 2, 3, 4, 4]
    layer = mg.nn.Linear(3, 2)
    assert set(runs(lambda x: layer(x), np.ones((1, 3)))) == {1}


def test_weights_from_outside_are_rows_without_a_derivative():
    w = mg.Variable(2.0, name="w")
    table = mg.trace(lambda x: w * x, 3.0).forward()
    assert [(row.kind, row.name) for row in table] == [("input", "x"), ("constant", "w"), ("operation", "v1")]
    assert table[1].derivative is None
    assert table[2].derivative_formula == "w·ẋ"


def test_the_steps_of_scan_are_not_rows():
    def f(xs, s):
        return mg.scan(lambda s, x: (mg.tanh(s * x), s), xs, s)[0]

    t = mg.trace(f, np.array([0.5, 1.0, 2.0]), 0.5)
    assert t.forward()[2].primal_formula == "scan over 3 steps of (s, xs)"
    assert t.jacobian("forward").matrix == pytest.approx(t.jacobian("reverse").matrix, rel=1e-12)


# Seeds and weights --------------------------------------------------------------------------------------------------


def test_a_seed_takes_four_forms():
    t = mg.trace(twice, 3.0, 4.0)
    a = t.names[t.outputs[0]]
    assert [t.forward(s).derivatives[a] for s in (1, "x2", [0, 1], {"x2": 1.0})] == [6, 6, 6, 6]
    assert t.forward(np.array([2.0, 10.0])).derivatives[a] == 2 * 8 + 10 * 6
    assert [t.reverse(o).derivatives["x1"] for o in (1, -1, "b", [0, 1], {"b": 1.0})] == [2] * 5
    assert t.reverse([10.0, 100.0]).derivatives["x1"] == 10 * 8 + 100 * 2


def test_an_array_is_seeded_by_entries():
    t = mg.trace(lambda x, w: w * x, np.array([1.0, 2.0]), 3.0)
    assert t.input_names == ("x[0]", "x[1]", "w")
    assert t.output_names == ("v1[0]", "v1[1]")
    assert t.forward("x[1]").derivatives["v1"].tolist() == [0, 3]
    assert t.forward({"x": 1.0}).derivatives["v1"].tolist() == [3, 3]
    assert t.forward({"x": [1.0, 2.0], "w": 1}).derivatives["v1"].tolist() == [4, 8]
    assert [t.reverse(seed).derivatives["w"] for seed in ("v1", [1.0, 1.0], [1.0, 10.0])] == [3.0, 3.0, 21.0]


def test_outputs_in_tuples_dicts_and_named_tuples():
    Pair = namedtuple("Pair", "first second")
    assert mg.trace(lambda x: {"p": x * x, "q": 2.0}, 3.0).output_names == ("p", "q")
    t = mg.trace(lambda x: Pair(x, [x * x, x]), 3.0)
    assert t.value == Pair(3.0, [9.0, 3.0])
    assert t.jacobian("reverse").matrix.tolist() == [[1], [6], [1]]
    assert mg.trace(lambda x: Pair(x, x * x), 3.0).output_names == ("first", "second")


def test_names_come_from_the_parameters():
    def f(first, *others):
        return first * others[0] + others[1]

    assert mg.trace(f, 1.0, 2.0, 3.0).input_names == ("first", "others1", "others2")
    nested = mg.trace(lambda p, q: p["w"] * q[0] + q[1], {"w": 2.0}, (3.0, 4.0))
    assert nested.input_names == ("p['w']", "q[0]", "q[1]")
    assert nested.forward()[3].primal_formula == "p['w']·q[0]"
    assert mg.trace(np.sin, 1.0).input_names in [("x1",), ("x",)]  # NumPy tells its parameters from 2.4 on
    assert mg.trace(lambda x, turns: sum([x] * turns), 2.0, turns=3).value == 6.0


# The Jacobian, pass by pass -----------------------------------------------------------------------------------------


def test_forward_mode_fills_columns_and_reverse_mode_rows():
    t = mg.trace(twice, 3.0, 4.0)
    forward, reverse = t.jacobian("forward"), t.jacobian("reverse")
    assert np.array_equal(forward.passes[0].matrix, [[8, np.nan], [2, np.nan]], equal_nan=True)
    assert np.array_equal(reverse.passes[0].matrix, [[8, 6], [np.nan, np.nan]], equal_nan=True)
    assert [p.name for p in forward.passes] == ["x1", "x2"]
    assert [p.name for p in reverse.passes] == ["a", "b"]
    assert forward.matrix.tolist() == reverse.matrix.tolist() == [[8, 6], [2, 2]]
    assert forward.passes[1].table.mode == "forward"
    assert mg.trace(lambda x: mg.sum(x * x), np.ones(5)).jacobian().mode == "reverse"
    assert mg.trace(lambda x: (x, x * x, x + 1), 1.0).jacobian().mode == "forward"


# Right: against dual numbers, the graph, and differences ------------------------------------------------------------


def agree(fn, leaves, seed=0, shown=True):
    """Both tables of one run against mg.jvp and mg.vjp, and every way to show them."""
    rng = np.random.default_rng(seed)
    t = mg.trace(fn, *leaves)
    (y,) = t.outputs
    move, weights = rng.normal(size=len(t.input_names)), rng.normal(size=len(t.output_names))
    forward, reverse = t.forward(move), t.reverse(weights)
    for table in (forward, reverse) if shown else ():
        assert table.text()
        ElementTree.fromstring(table.html())
    directions = tuple(forward[k].derivative_value for k in range(len(t.inputs)))
    value, tangent = mg.jvp(fn, tuple(leaves), directions)
    _, pull = mg.vjp(fn, *leaves)
    size = 1e-4 if any(x.dtype == np.float32 for x in t.inputs) else 1e-10
    tolerance = {"rtol": size, "atol": size}
    np.testing.assert_allclose(t.value, value, **tolerance)
    np.testing.assert_allclose(forward.derivatives.get(t.names[y], 0.0), tangent, **tolerance)
    for x, right in zip(t.inputs, pull(np.asarray(weights.reshape(y.shape), y.dtype)[()]), strict=True):
        np.testing.assert_allclose(reverse.derivatives[t.names[x]], right, **tolerance)


@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: entry.name)
def test_every_operation_has_its_rows(entry):
    """Four cases, one of them to be shown; in a shorter run one or two, others each time."""
    every = list(cases(entry))
    for number, case in enumerate(every[:: max(1, len(every) // 4)][PART::PARTS]):
        agree(case.fn, case.leaves(), case.seed, shown=not number)


@settings(max_examples=100 // PARTS, deadline=None)
@given(st.integers(0, 2**31))
def test_random_graphs_of_arrays(number):
    program = Program(7, number)
    agree(program, program.inputs, number, shown=number % 3 == 0)


STEPS = st.lists(
    st.tuples(st.sampled_from(["a * b", "a + b", "a - 2 * b", "sin(a)", "tanh(a) * b", "a / (b * b + 1)", "branch"]),
              st.integers(0, 99), st.integers(0, 99)),
    min_size=1, max_size=12,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(STEPS, st.lists(st.floats(-2, 2), min_size=1, max_size=3), st.integers(1, 3))
def test_random_functions_with_branches(steps, point, outputs):
    def fn(*xs):
        values = list(xs)
        for what, i, j in steps:
            a, b = values[i % len(values)], values[j % len(values)]
            if what == "branch":
                values.append(a * b if a > b + 0.01 else b - a)
            else:
                values.append(eval(what, {"sin": np.sin, "tanh": np.tanh, "a": a, "b": b}))
        return tuple(np.tanh(y) for y in values[-outputs:])

    t = mg.trace(fn, *point)
    forward, reverse = t.jacobian("forward").matrix, t.jacobian("reverse").matrix
    assert t.value == pytest.approx(fn(*point))
    np.testing.assert_allclose(forward, reverse, rtol=1e-10, atol=1e-10)
    for k in range(len(point)):
        unit = tuple(float(i == k) for i in range(len(point)))
        np.testing.assert_allclose(forward[:, k], mg.jvp(fn, tuple(point), unit)[1], rtol=1e-10, atol=1e-10)
    went = [d.went for d in t.decisions]
    for k in range(len(point)):
        moved = [[x + side * 1e-6 * (i == k) for i, x in enumerate(point)] for side in (-1, 1)]
        if all([d.went for d in mg.trace(fn, *p).decisions] == went for p in moved):  # no kink in between
            low, high = (np.array(fn(*p)) for p in moved)
            np.testing.assert_allclose(forward[:, k], (high - low) / 2e-6, rtol=1e-5, atol=1e-5)


# Errors are sentences -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "kind", "words"),
    [
        (lambda: mg.trace(3.0), TypeError, "trace needs a function and its arguments"),
        (lambda: mg.trace(twice, 3.0), TypeError, "twice cannot be called with these 1 arguments"),
        (lambda: mg.trace(lambda: 3.0), ValueError, "nothing to differentiate by"),
        (lambda: mg.trace(twice, "three", 4.0), TypeError, "x1 is none: it is a str: 'three'"),
        (lambda: mg.trace(twice, True, 4.0), TypeError, "no derivative by a truth value"),
        (lambda: mg.trace(twice, np.array([1, 2]), 4.0), TypeError, "x1 is none: .*float32 or float64"),
        (lambda: mg.trace(twice, mg.Variable(1.0), 4.0), TypeError, "takes numbers, and x1 is a Variable"),
        (lambda: mg.trace(lambda x: None, 3.0), ValueError, "returned None.*`return` missing"),
        (lambda: mg.trace(lambda x: 5.0, 3.0), ValueError, "does not depend on its arguments"),
        (lambda: mg.trace(lambda x: x.value * 2, 3.0), ValueError, "taken out on the way"),
        (lambda: mg.trace(lambda x: (x, "text"), 3.0), TypeError, "returned a str among its values"),
        (lambda: mg.trace(lambda x, n: [x for _ in range(n)], 3.0, 2), TypeError, "cannot count the turns"),
        (lambda: mg.trace(lambda x: x if x > 0 else -x, np.ones(3)), ValueError, "needs one truth value"),
        (lambda: mg.trace(twice, 3.0, 4.0).forward(2), ValueError, "2 inputs: x1, x2; .* from 0 to 1"),
        (lambda: mg.trace(twice, 3.0, 4.0).forward([1, 2, 3]), ValueError, r"one for each.*got \[1, 2, 3\]"),
        (lambda: mg.trace(twice, 3.0, 4.0).forward(1.0), ValueError, "the name of one of 2 inputs: x1, x2"),
        (lambda: mg.trace(twice, 3.0, 4.0).forward("x3"), ValueError, "no input is called 'x3'; .*: x1, x2"),
        (lambda: mg.trace(twice, 3.0, 4.0).forward(None), ValueError, "in a list or a dict by names; got None"),
        (lambda: mg.trace(twice, 3.0, 4.0).forward(["a", "b"]), ValueError, r"one for each.*got \['a', 'b'\]"),
        (lambda: mg.trace(twice, 3.0, 4.0).forward({"x1": [1, 2]}), ValueError, r"got {'x1': \[1, 2\]}"),
        (lambda: mg.trace(twice, 3.0, 4.0).reverse("c"), ValueError, "no output is called 'c'; .*: a, b"),
        (lambda: mg.trace(twice, 3.0, 4.0).reverse([1.0]), ValueError, r"one of 2 outputs: a, b; .*one for each"),
        (lambda: mg.trace(twice, 3.0, 4.0).jacobian("sideways"), ValueError, 'mode="forward" and mode="reverse"'),
    ],
)  # fmt: skip
def test_a_mistake_gets_a_sentence(wrong, kind, words):
    with pytest.raises(kind, match=words):
        wrong()
