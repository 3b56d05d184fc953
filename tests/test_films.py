"""Pictures that move: what they say and show is what minigrad computes, and a page needs nothing else to play them."""

import json
import re

import numpy as np
import pytest
from films import Y_BAR, W, X, one_of_each, up_and_down

import minigrad as mg
from minigrad_course.viz import animate_adjoint, animate_descent, animate_dual, animate_loop
from minigrad_course.viz.film import Film, number


def shown(state, name, shape):
    """The numbers in a grid of a film."""
    return np.array([[float(state[f"{name}{r},{q}"]["text"].replace("−", "-")) for q in range(shape[1])]
                     for r in range(shape[0])])  # fmt: skip


def last_of(film, chapter):
    return film.at(max(k for k, step in enumerate(film.steps) if step["chapter"] == chapter))


# The player's side.


def test_a_named_part_changes_from_step_to_step():
    film = Film("A point", 100, 50)
    film.add("circle", "point", "value", cx=10, cy=20, r=6)
    film.step("Here.")
    film.step("There.", point={"cx": 80, "fill_opacity": 0.5})
    assert film.at(0)["point"] == {"class": "value", "cx": 10, "cy": 20, "r": 6, "fill-opacity": ""}
    assert film.at(-1)["point"]["cx"] == 80
    assert film.text == "A point\n  0  Here.\n  1  There."
    assert 'cx="10"' in film.svg(0)
    assert 'fill-opacity="0.5"' in film.svg()


def a_point():
    film = Film("A point", 100, 50)
    film.add("circle", "point", r=1)
    return film


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: a_point().step("Moves.", pint={"cx": 1}), "no part called 'pint'"),
        (lambda: a_point().add("circle", "point", r=2), "a part called 'point' already"),
        (lambda: animate_dual(lambda x: mg.stack([x, x]), 1.0), "one number of one number"),
        (lambda: animate_dual(lambda x: x * x if x > 0 else x, 1.0, moves=[-1.0]), "other steps when x moves"),
        *((lambda n=n: animate_descent(up_and_down, {"way": np.zeros((n, 2))}, (-1, 1, -1, 1)), "2 to 61 points")
          for n in (1, 62)),
        *((lambda xs=xs: animate_loop(xs, 1.0, 1.0), "1 to 10 steps") for xs in ([], [0.0] * 11)),
        (lambda: animate_adjoint(X, W, np.ones((2, 2))), r"got \(5, 5\), \(3, 3\) and \(2, 2\)"),
        (lambda: animate_adjoint(np.ones((8, 8)), W, np.ones((6, 6))), "up to 7 by 7"),
    ],
)  # fmt: skip
def test_what_makes_no_film_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("name", one_of_each())
def test_a_page_has_all_that_it_needs(name):
    film = one_of_each()[name]
    page = film.html
    assert not re.search(r"""(?:src|href)="(?!data:)""", page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    data = re.search(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)[1]
    text = json.loads(data)
    assert len(text["steps"]) == len(film.steps) > 1
    for step in text["steps"]:
        assert step["sentence"].endswith((".", "!"))
        for part, attributes in step["set"].items():
            assert set(attributes) <= set(text["start"][part]), "or a step back could not take it back"


# What they show.


def test_points_and_arrows_are_values_and_tangents():
    f = lambda x: mg.sin(x) * x  # noqa: E731
    film = animate_dual(f, 2.0, moves=[-1.0, 0.5, 3.0])
    for x, step in zip((-1.0, 0.5, 3.0), film.steps[-3:], strict=True):
        dual = f(mg.Dual(x, 1.0))
        sign = "+" if dual.tangent >= 0 else "−"
        last = max(key for key in step["set"] if key.startswith("tangent"))
        assert step["set"][last]["text"] == f"{sign} {number(abs(dual.tangent))}ε"
        assert step["set"][last.replace("tangent", "value")]["text"] == number(dual.value)
    assert [step["chapter"] for step in film.steps] == ["Compute"] * 3 + ["Move x"] * 3
    assert "f = v1·x" in film.steps[2]["sentence"]
    assert "other way" in film.steps[-1]["sentence"], "at 3 the function falls"


def test_the_gradient_goes_back_as_the_graph_says():
    xs, w, u = [0.9, -0.4, 0.7], 1.0, 0.9
    shared, h, states = mg.Variable(u), 0.0, []
    for x in xs:
        h = mg.tanh(w * x + shared * h)
        states.append(h)
    h.backward()
    film = animate_loop(xs, w, u)
    assert film.at(-1)["total"]["text"] == number(shared.grad, 4)
    back = [step["sentence"] for step in film.steps if step["sentence"].startswith("One step back")]
    assert [text.split(" = ")[-1].split(". ")[0] for text in back] == [number(s.adjoint, 4) for s in states[1::-1]]
    high = [film.at(-1)[f"adjoint{t}"]["height"] for t in range(3)]
    assert np.allclose(np.array(high) / high[2], [s.adjoint for s in states], atol=0.001)


def test_both_ways_back_are_conv2ds():
    x, w = mg.Variable(X[None, None].astype(float)), W[None, None].astype(float)
    y = mg.conv2d(x, w)
    (y * Y_BAR).sum().backward()
    film = animate_adjoint(X, W, Y_BAR)
    assert np.array_equal(shown(last_of(film, "Forward"), "y", (3, 3)), y.value[0, 0])
    for chapter in ("Back: given out", "Back: collected"):
        assert np.array_equal(shown(last_of(film, chapter), "x", (5, 5)), x.grad[0, 0])
    assert sum("the same number as before" in step["sentence"] for step in film.steps) == 25
