"""Pictures that move: what they say and show is what minigrad computes, and a page needs nothing else to play them."""

import json
import re
from base64 import b64decode
from io import BytesIO
from xml.dom import minidom

import numpy as np
import pytest
from contrast import contrast
from films import Y_BAR, W, X, one_of_each, up_and_down

import minigrad as mg
from minigrad_course.viz import animate_adjoint, animate_descent, animate_dual, animate_loop, animate_weights
from minigrad_course.viz.film import Film, arrow, colours, number


def shown(state, name, shape):
    """The numbers in a grid of a film."""
    return np.array([[float(state[f"{name}{r},{q}"]["text"].replace("−", "-")) for q in range(shape[1])]
                     for r in range(shape[0])])  # fmt: skip


def last_of(film, chapter):
    return film.at(max(k for k, step in enumerate(film.steps) if step["chapter"] == chapter))


# The player's side.


def test_a_part_that_has_a_name_changes_from_step_to_step():
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
        *((lambda kept=kept: animate_weights(kept, "none"), "all of one shape")
          for kept in ({}, {0: np.ones((1, 4)), 1: np.ones((1, 9))})),
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


@pytest.mark.parametrize("name", one_of_each())
def test_without_scripts_there_is_a_picture_and_its_sentence(name):
    film = one_of_each()[name]
    image = re.search(r'<img alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]+)">', film.html)
    assert image[1].startswith(film.title)
    root = minidom.parseString(b64decode(image[2])).documentElement
    assert root.tagName == "svg"
    assert root.getAttribute("aria-label") == film.title
    assert f'<p class="sentence">{film.steps[-1]["sentence"]}</p>' in film.html.replace("&amp;", "&")


@pytest.mark.parametrize("dark", [False, True])
def test_the_colours_are_explores_and_can_be_read(dark):
    result = colours(dark)
    panel = "#1b2129" if dark else "#ffffff"
    assert result["fwd"] == ("#79c3f5" if dark else "#0072b2")
    for name in ("ink", "grey", "fwd", "rev", "bad"):
        assert contrast(result[name], panel) >= 4.5, name


def test_an_arrow_ends_where_it_points():
    places = np.array([[float(x) for x in point.split()] for point in arrow(0, 0, 30, 40).strip("M").split("L")])
    assert places[0].tolist() == [0, 0]
    assert places[3].tolist() == [30, 40]
    assert len(arrow(5, 5, 5, 5).split("L")) == len(places), "as many points, so that it can grow out of nothing"


def test_numbers_are_written_as_on_paper():
    assert [number(x) for x in (-0.0, -1.5, 1234.5, 1e-9)] == ["0", "−1.5", "1.23e+03", "1e−09"]


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
    assert "v2 = v1·x" in film.steps[2]["sentence"]
    assert "other way" in film.steps[-1]["sentence"], "at 3 the function falls"


def test_a_way_down_tells_the_heights_of_its_points():
    points = [(1.0, 1.0), (0.5, -0.5), (0.25, 2.5)]
    film = animate_descent(up_and_down, {"rate 1": points}, (-2, 2, -2, 2))
    for (a, b), step in zip(points, film.steps, strict=True):
        assert number(up_and_down(a, b), 4) in step["sentence"]
    assert "lower than before" in film.steps[1]["sentence"]
    assert "higher than before. It has left the map." in film.steps[2]["sentence"]
    assert film.steps[2]["set"]["point"]["class"] == "wrong full"
    counts = {len(step["set"]["trail"]["points"].split()) for step in film.steps}
    assert counts == {3}, "as many corners at each step, so that they can move"


def test_the_map_lies_as_its_axes_say():
    film = animate_descent(lambda a, b: b, {"up": [(0, -1), (0, 1)]}, (-1, 1, -1, 1))
    (low, high) = (step["set"]["point"]["cy"] for step in film.steps)
    assert high < low
    deepest = re.findall(r'd="M([^"]+)Z"', film.svg())[0]
    heights = [float(point.split()[1]) for point in re.split("[LM]", deepest)]
    assert min(heights) > (low + high) / 2, "what is low is at the bottom"


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


def test_the_filter_turns_by_half_a_turn():
    film = animate_adjoint(X, W, Y_BAR)
    before, after = film.at(0), film.at(-1)
    for r, q in np.ndindex(3, 3):
        other = before[f"w{2 - r},{2 - q}"]
        assert (after[f"w{r},{q}"]["x"], after[f"w{r},{q}"]["y"]) == (other["x"], other["y"])


def test_weights_are_pixels_of_one_scale():
    imread = pytest.importorskip("matplotlib.image").imread
    film = animate_weights({1: 0.5 * np.eye(4)[:1], 0: np.zeros((1, 4)), 8: -np.eye(4)[:1]}, "one unit")
    assert [step["set"]["batch"]["text"] for step in film.steps] == ["batch 0", "batch 1", "batch 8"]
    sheets = []
    for step in film.steps:
        png = b64decode(step["set"]["sheet"]["href"].removeprefix("data:image/png;base64,"))
        sheets.append(imread(BytesIO(png)))
    assert sheets[0][..., 3].max() == 0, "0 lets the page show through"
    half, whole = sheets[1][0, 0], sheets[2][0, 0]
    assert half[3] == pytest.approx(0.5, abs=0.04)
    assert whole[3] == 1
    assert half[0] > half[2], "above 0 it is orange"
    assert whole[2] > whole[0], "below 0 it is blue"
