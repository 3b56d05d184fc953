"""The browser's data: trace, correct and broken walks, program; and the still picture."""

import ast
import json

import numpy as np
import pytest
from campaign.operations import TABLE, cases

import minigrad as mg
from minigrad_course.viz.explore import forward
from minigrad_course.viz.explore.listing import program_lines
from minigrad_course.viz.explore.record import record
from minigrad_course.viz.explore.walk import Rules, walks


def thesis(x1, x2):
    a = 0
    b = 0
    for _ in range(2):
        a += x1 * x2
        b += x1 + x2
    return a, b


def essay(x, y):
    return 2 * x + x * y**3 + mg.sin(x)


def diamond(x, y):
    a = x * y
    b = a + x
    return a * b


def jacobian(recorded, events):
    """The adjoints of the inputs after each walk: one row for each output, from its last walk."""
    rows, adjoint = {}, {}
    for event in events:
        if event.kind == "reset":
            adjoint = {}
        elif event.kind == "done":
            rows[event.node] = [adjoint.get(x, np.zeros(x.shape)) for x in recorded.inputs]
        else:
            adjoint[event.node] = event.after
    return list(rows.values())


def ends(recorded, **rules):
    return [[float(a) for a in row] for row in jacobian(recorded, walks(recorded, Rules(**rules)))]


def run(lines, **values):
    """Carry a program's lines out, as Python."""
    scope = {"sin": np.sin, "cos": np.cos, **values}
    exec("\n".join(lines), scope)
    return scope


def test_the_examples_of_the_thesis_and_the_essay():
    """Without a reset the second output starts with what the first one left."""
    recorded = record(thesis, 3.0, 4.0)
    assert [float(y.value) for y in recorded.outputs] == [24, 14]
    assert ends(recorded) == [[8, 6], [2, 2]]
    assert ends(recorded, reset=False) == [[8, 6], [10, 8]]
    assert ends(record(essay, 3.0, 5.0))[0] == pytest.approx([2 + 125 + np.cos(3), 225])


def test_every_walk_of_a_function_of_arrays_ends():
    def f(w, x):
        return mg.sum(mg.tanh(w @ x) * x)

    w, x = np.array([[0.3, -0.2], [0.5, 0.1]]), np.array([1.0, 2.0])
    recorded = record(f, w, x)
    result = jacobian(recorded, walks(recorded, Rules()))[0]
    for a, b in zip(result, mg.grad(f, (0, 1))(w, x), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize(("rule", "slopes"), [("order", [30, 16]), ("add", [18, 12]), ("reset", [162, 96])])
def test_a_broken_walk_says_what_went_wrong(rule, slopes):
    recorded = record(diamond, 2.0, 3.0)
    assert ends(recorded, **{rule: False}) == [slopes]  # as the nine lines of lesson 05 without that rule
    wrong = [event.wrong for event in walks(recorded, Rules(**{rule: False})) if event.wrong]
    reason = {"order": "did not wait", "add": "is lost", "reset": "left by the walk before"}[rule]
    assert reason in wrong[0]
    assert not any(event.wrong for event in walks(recorded, Rules()))


@pytest.mark.parametrize(("f", "values"), [(essay, {"x": 3.0, "y": 5.0}), (diamond, {"x": 2.0, "y": 3.0})])
def test_the_program_computes_the_derivatives(f, values):
    lines = program_lines(record(f, *values.values()))
    scope = run([line for line, _ in lines], **values)
    wanted = mg.grad(f, (0, 1))(*values.values())
    assert [scope[f"{name}_bar"] for name in values] == pytest.approx(wanted)


def test_the_story_is_json_and_has_every_walk():
    story = mg.explore(thesis, 3.0, 4.0).story
    assert set(json.loads(json.dumps(story))["walks"]) == {f"{k:03b}" for k in range(8)}
    assert len(story["graph"]["boxes"]) == len(story["nodes"])
    lines = [text for _, text in story["source"]]
    assert "        a += x1 * x2" in lines
    shown = {number: text.strip() for number, text in story["source"]}
    assert [shown[story["nodes"][k]["line"]] for k in story["forward"][:2]] == ["a += x1 * x2"] * 2


def test_the_still_picture_has_the_same_numbers():
    shown = mg.explore(essay, 3.0, 5.0)
    data, _ = shown._repr_mimebundle_()
    for form in ("text/plain", "text/html"):
        assert "126.01" in data[form]
        assert "225" in data[form]
    assert "<script" not in data["text/html"]
    assert "x_bar += " in data["text/plain"]
    assert str(shown) == data["text/plain"]


def test_names_in_the_page_are_text():
    x = mg.Variable(1.0, name="<b>x</b>")
    assert "<b>x" not in json.dumps(mg.explore(x * 2).story["nodes"][0]["html"])
    assert "<b>x" not in mg.explore(x * 2).still.html


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: mg.explore(3), TypeError, "a function and its arguments, or a node"),
        (lambda: mg.explore(mg.Variable(1.0) * 2, 3.0), TypeError, "no arguments"),
        (lambda: mg.explore(mg.Constant(1.0) * 2), ValueError, "no Variable"),
        (lambda: mg.explore([1, 2]), TypeError, "nodes"),
        (lambda: mg.explore(lambda x: sum((mg.sin(x) for _ in range(500)), x), 1.0), ValueError, "up to 400"),
        (lambda: mg.explore(thesis, 3.0, 4.0, mode=3), ValueError,
         'explore knows mode="forward" and mode="reverse", got 3'),
    ],
)  # fmt: skip
def test_what_cannot_be_explored_gets_a_sentence(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


# Forward mode --------------------------------------------------------------------------------------------------------


def test_each_pass_forward_fills_a_column():
    story = mg.explore(thesis, 3.0, 4.0, mode="forward").story
    events = story["walks"]["111"]["events"]
    done = [event for event in events if event[0] == 3]
    assert [event[5] for event in done] == [["8", "2"], ["6", "2"]]
    assert [story["nodes"][event[2]]["name"] for event in done] == ["x1", "x2"]
    assert json.loads(json.dumps(story)) == story
    first = next(event for event in events if event[0] == 2)
    step = story["shares"][first[3]]
    assert step["text"] == "x2·ẋ1 + x1·ẋ2"
    assert step["code"] == ["v1_dot", "x2 * x1_dot + x1 * x2_dot"]
    assert (first[4], first[5]) == ("4·1 + 3·0", "4")


@pytest.mark.parametrize(("f", "values"), [(essay, {"x": 3.0, "y": 5.0}), (diamond, {"x": 2.0, "y": 3.0})])
def test_the_forward_program_computes_the_tangent(f, values):
    lines = forward.program_lines(record(f, *values.values()))
    for k, name in enumerate(values):
        dots = {f"{x}_dot": float(x == name) for x in values}
        scope = run(lines, **values, **dots)
        assert scope[lines[-1].split(" = ")[0]] == pytest.approx(mg.grad(f, k)(*values.values()))


@pytest.mark.turns
@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("entry", [e for e in TABLE if "scan" not in e.name], ids=lambda entry: entry.name)
def test_every_operation_can_be_explored(entry, mode):
    """A scan is refused, as it is a loop."""
    case = next(case for case in cases(entry) if case.dtype is np.float64)
    explored = mg.explore(lambda *xs: case.fn(*xs), *(np.asarray(x) for x in case.leaves(0)), mode=mode)
    assert explored.story["nodes"]
    assert explored.text
    for line in forward.program_lines(explored.record):
        ast.parse(line)
