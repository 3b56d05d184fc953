"""Pictures of graphs: what they show, what they say to those who cannot see them, and that they are always there."""

import gc
import os
import re
import sys
import xml.etree.ElementTree as ET
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from contrast import contrast

import minigrad as mg
from minigrad_course import short
from minigrad_course.viz import PictureError, draw, looks
from minigrad_course.viz.render import render
from tests.fresh import printed, run

READ = Path(__file__).with_name("pictures.txt")
SVG = "{http://www.w3.org/2000/svg}"


def graphviz_is_there():
    try:
        return bool(render('digraph { x [label="x"] }', "svg"))
    except PictureError:
        return False


needs_graphviz = pytest.mark.skipif(not graphviz_is_there(), reason="neither pygraphviz nor a program dot is installed")


def neuron():
    """f = tanh(w x + b) at w x + b = 0.25, after backward."""
    w, x, b = mg.Variable(-3.0, name="w"), mg.Variable(2.0, name="x"), mg.Variable(6.25, name="b")
    f = mg.tanh(w * x + b)
    f.name = "f"
    f.backward()
    return f


def rnn(steps, hidden=2, size=3):
    """The loss of a recurrent network written out over time, its four weights shared by all steps."""
    rng = np.random.default_rng(0)
    w = mg.Variable(rng.normal(size=(size, hidden)), name="W")
    u = mg.Variable(rng.normal(size=(hidden, hidden)) / 2, name="U")
    b = mg.Variable(np.zeros(hidden), name="b")
    v = mg.Variable(rng.normal(size=(hidden, 10)), name="V")
    xs = mg.Constant(rng.normal(size=(steps, 1, size)), name="X")
    h = mg.Constant(np.zeros((1, hidden)), name="h0")
    for t in range(steps):
        h = mg.tanh(xs[t] @ w + h @ u + b)
    return mg.softmax_cross_entropy(h @ v, np.array([3])), [w, u, b, v]


class Net(mg.nn.Module):
    def __init__(self):
        self.fc1, self.fc2 = (mg.nn.Linear(*size, rng=0, dtype=np.float64) for size in ((4, 8), (8, 3)))

    def forward(self, x):
        return self.fc2(mg.tanh(self.fc1(x)))


def network():
    """The loss of a network of two layers after backward, and its parameters."""
    net = Net()
    x = mg.Constant(np.random.default_rng(0).normal(size=(5, 4)), name="x")
    loss = mg.nn.cross_entropy(net(x), np.array([0, 1, 2, 0, 1]))
    loss.backward()
    return loss, net.parameters()


def rnn_layer(steps, **options):
    """The loss of a recurrent layer and a dense one after backward."""

    class Reader(mg.nn.Module):
        def __init__(self):
            self.rnn = mg.nn.RNN(3, 2, batch_first=True, rng=0, dtype=np.float64, **options)
            self.head = mg.nn.Linear(2, 4, rng=1, dtype=np.float64)

        def forward(self, x):
            _, last = self.rnn(x)
            return self.head(last[0])

    x = np.random.default_rng(0).normal(size=(2, steps, 3))
    loss = mg.nn.cross_entropy(Reader()(x), np.array([0, 1]))
    loss.backward()
    return loss


def chain(length):
    f = mg.Variable(1.0, name="x")
    for _ in range(length):
        f = mg.sin(f)
    return f


def loop(steps):
    """h = tanh(w * x + u * h), from the first step on."""
    w, u, h = mg.Variable(1.0, name="w"), mg.Variable(0.9, name="u"), 0.0
    for t in range(1, steps + 1):
        with mg.block("step", t):
            h = np.tanh(w * mg.Constant(0.1 * t, name=f"x{t}") + u * h)
    return h


def scalars(make):
    """The result of a function of x = 2 and y = 3."""
    return make(mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y"))


def square_root():
    """Newton's steps in a part that has a name, and a check in another."""
    x = mg.Variable(2.0, name="x")
    with mg.block("square root by Newton"):
        y = x / 2
        for k in range(2):
            with mg.block("step", k):
                y = (y + x / y) / 2
    with mg.block("check"):
        return y * y - x


def second_derivatives():
    x = mg.Variable(0.5, name="x")
    (first,) = mg.adjoints(mg.sin(x * x), [x])
    return first, mg.adjoints(first, [x])


def layers(*layers, size):
    return mg.nn.Sequential(*layers)(mg.Constant(np.ones(size), name="x"))


def adjoints_of_one_name():
    x = mg.Variable(2.0, name="x")
    return mg.grad(lambda y: y * x * y)(x) + mg.Variable(1.0, name="x_bar")


nn = mg.nn
PICTURES = {
    "a neuron": lambda: draw(neuron()),
    "constants by their number, arrays by a letter":
        lambda: draw((mg.Variable(np.ones(2), name="x") * -2.0 + np.array([1.0, 5.0])) ** 3),
    "one name twice": lambda: draw(mg.Variable(1.0, name="w") * mg.Variable(2.0, name="w")),
    "what an index picks": lambda: draw(mg.Variable(np.arange(6.0).reshape(2, 3), name="x")[1, 2]),
    "a shared node has two arrows": lambda: draw(scalars(lambda x, y: (lambda b: b * mg.sin(b))(x * 3))),
    "one input many times": lambda: draw(mg.concatenate([mg.Variable(np.ones(1), name="x")] * 5000)),
    "a long list of inputs":
        lambda: draw(np.concatenate([mg.Variable(np.ones(1), name=f"p{k}") for k in range(12)]), fold=False),
    "adjoints, and a variable of such a name": lambda: draw(adjoints_of_one_name()),
    "two ways back": lambda: draw(*second_derivatives()),
    "steps of a loop": lambda: draw(loop(3)),
    "parts with names": lambda: draw(square_root()),
    "one layer folded": lambda: draw(network()[0], fold="fc1"),
    "all layers folded": lambda: draw(network()[0], fold=True),
    "layers folded on the way back": lambda: draw(mg.adjoints(*network()), fold=True),
    "layers without names":
        lambda: draw(layers(nn.Conv2d(1, 4, 5, rng=0), nn.ReLU(), nn.Flatten(), nn.Linear(64, 10, rng=0),
                            size=(1, 1, 8, 8)), fold=True),
    "no frame around everything or a single box":
        lambda: draw(layers(nn.Sequential(nn.Linear(2, 2, rng=0), nn.Tanh()), nn.Tanh(), size=(1, 2))),
    "a long recurrent layer as one box": lambda: draw(rnn_layer(28)),
}  # fmt: skip


def described(picture):
    """A line for each box: as the text has it, its kind and title, where its arrows come from, and its rows."""
    sketch = picture.sketch
    names = [box.name or box.title for box in sketch.boxes]
    sources = {k: [] for k in range(len(names))}
    for arrow in sketch.arrows:
        ends = [sketch.frames[k].title for k in (arrow.tail_frame, arrow.head_frame) if k is not None]
        sources[arrow.head].append(
            names[arrow.tail]
            + f" as {arrow.position}" * (arrow.position is not None)
            + f" {arrow.count}×" * (arrow.count > 1)
            + "".join(f" [{end}]" for end in ends)
        )
    for line, k in sketch.lines():
        if k is None:
            yield line
            continue
        box = sketch.boxes[k]
        flags = [word for word in ("output", "backward") if getattr(box, word)]
        kind = ", ".join([box.kind, *flags, *([f"{box.count} nodes"] if box.count > 1 else [])])
        rows = [f"{name} {value}" for name, value in box.rows if box.count > 1]
        parts = [line, f"| {kind}: {box.title}" + f" <- {', '.join(sources[k])}" * bool(sources[k]), *rows]
        yield re.sub(r"line \d+", "line", "   ".join(parts))
    for k, frame in enumerate(sketch.frames):
        words = [f"frame {sketch.way(k)}", frame.kind, "backward" * frame.backward, "abreast" * (k in sketch.abreast)]
        yield ", ".join(filter(None, words))


def test_pictures_are_those_that_were_read():
    """In tests/pictures.txt. To write it anew: MINIGRAD_WRITE_DOCS=1; then read the difference."""
    pictures = {name: make() for name, make in PICTURES.items()}
    for picture in pictures.values():
        assert len(set(re.findall(r"^\s*(\S+) \[label=", picture.dot, re.MULTILINE))) == len(picture.sketch.boxes)
    text = "\n\n".join("\n".join([f"# {name}", *described(picture)]) for name, picture in pictures.items()) + "\n"
    if os.environ.get("MINIGRAD_WRITE_DOCS"):
        READ.write_text(text, encoding="utf-8")
    assert text.split("\n") == READ.read_text(encoding="utf-8").split("\n")


def lines(picture):
    """The lines of the text that stand for boxes."""
    return picture.text.split("\n\n", 1)[1].splitlines()


def titles(picture):
    return [box.title for box in picture.sketch.boxes]


def arrows(picture):
    """Arrows as (from, to, position, count), by the names of the boxes."""
    names = [box.name or box.title for box in picture.sketch.boxes]
    return [(names[a.tail], names[a.head], a.position, a.count) for a in picture.sketch.arrows]


def texts(svg):
    """Return the text in the boxes, by the class of the box: a list of lists."""
    result = {}
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        kind = group.get("class", "")
        if kind.startswith("node "):
            result.setdefault(kind.split()[1], []).append(
                [t.text.strip() for t in group.iter(f"{SVG}text") if t.text.strip()]
            )
    return result


# What is drawn --------------------------------------------------------------------------------------------------


@needs_graphviz
def test_the_svg_of_a_neuron_shows_its_numbers():
    shown = texts(draw(neuron()).svg)
    assert sorted(shown) == ["operator", "variable"]
    assert ["w", "value", "−3", "adjoint", "1.88003"] in shown["variable"]
    assert ["×", "v1", "value", "−6", "adjoint", "0.940015"] in shown["operator"]
    assert ["tanh", "f", "value", "0.244919", "adjoint", "1"] in shown["operator"]


def test_a_picture_keeps_the_values_of_its_moment():
    x = mg.Variable(3.0, name="x")
    f = x * x
    picture = draw(f)
    x.value = 4.0
    mg.Graph(f).forward()
    assert "value 9" in picture.text
    assert "9" in picture.dot
    assert "16" not in picture.dot.replace("penwidth=1.6", "")
    assert "value 16" in draw(f).text


# Numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (3.0, "3"), (381.14112, "381.141"), (0.1 + 0.2, "0.3"), (np.float32(0.1), "0.1"), (-1234567.0, "-1.23457e6"),
        (1e-10, "1e-10"), (1e100, "1e100"), (float("nan"), "nan"), (float("-inf"), "-inf"), (123456789, "123456789"),
        (True, "True"), (np.int64(7), "7"),
        ([0.12345, -2.0], "[0.123, -2]"), ([[1.0], [2.0]], "[[1], [2]]"), (np.linspace(-1, 2, 50), "-1 … 2"),
        (np.full((3, 4), 0.5), "all 0.5"), (np.zeros((0, 3)), "empty"),
        ([1.0, np.nan, -np.inf, 2.0, np.inf], "1 nan, 2 inf, 1 … 2"), (np.full(5, np.nan), "5 nan"),
        (np.arange(10) > 6, "3 of 10 true"), (np.arange(10), "0 … 9"),
    ],
)  # fmt: skip
def test_numbers_have_six_digits_and_arrays_a_range(value, wanted):
    assert short.value(np.array(value) if isinstance(value, list) else value) == wanted


# Names with odd characters ---------------------------------------------------------------------------------------

ODD = ['say "x"', "a<b>&c", "a&lt;b", "é猫∂", "a:b", r"back\slash\N", "{|}", "-->", "node", "label=1", "%s {0}", "'"]
ODD.append("]]>")


@needs_graphviz
def test_odd_names_come_out_as_they_are():
    squares = []
    for name in ODD:
        w = mg.Variable(2.0, name=name)
        squares.append(w * w)
        squares[-1].name = f"{name} squared"
    picture = draw(squares, fold=False)
    shown = texts(picture.svg)
    assert sorted(box[0] for box in shown["variable"]) == sorted(ODD)
    assert all(any(f"{name} squared" in box for box in shown["operator"]) for name in ODD)
    assert {f"variable {name}   value 2" for name in ODD} <= set(picture.text.splitlines())
    assert picture.png.startswith(b"\x89PNG")


# Files and forms --------------------------------------------------------------------------------------------------


@needs_graphviz
def test_svg_speaks_to_a_screen_reader():
    picture = draw(neuron())
    root = ET.fromstring(picture.svg)
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert (root.get("aria-labelledby"), root.get("aria-describedby")) == (title.get("id"), desc.get("id"))
    assert title.text == "Graph of 6 nodes: 3 variables, 3 operators. Output: f."
    assert desc.text == picture.text
    boxes = [g.find(f"{SVG}title").text for g in root.iter(f"{SVG}g") if g.get("class", "").startswith("node")]
    assert sorted(boxes) == sorted(lines(picture))
    panel = next(root.iter(f"{SVG}rect"))
    assert panel.get("fill") == "white"
    assert float(panel.get("rx")) > 0
    assert root.get("style") == "max-width:100%;height:auto"


@pytest.mark.slow
@pytest.mark.turns
def test_a_picture_keeps_no_graph_alive():
    f = neuron()
    picture = draw(f)
    nodes = [node for group in picture._groups for node in group]
    assert len(nodes) == 6
    del f
    gc.collect()
    assert all(node() is None for node in nodes)
    assert "v1 = w * x" in picture.text


@needs_graphviz
def test_a_fresh_process_draws_every_text():
    code = (
        "import minigrad as mg; from minigrad_course.viz import draw\n"
        "x = mg.Variable(3.0, name='x'); print(draw(x * x).svg)"
    )
    done = run(code, PYTHONIOENCODING="utf-8")
    x = mg.Variable(3.0, name="x")
    assert done.stdout == draw(x * x).svg + "\n"
    assert done.stderr == ""  # red text above every first picture, otherwise


def svg_in(html):
    """The SVG that a notebook gets, in the image of its HTML."""
    return b64decode(html.split("data:image/svg+xml;base64,")[1].split('"')[0]).decode()


@needs_graphviz
def test_a_notebook_gets_svg_png_and_text():
    picture = mg.draw(neuron())
    data, metadata = picture._repr_mimebundle_()
    assert str(picture) == picture.text
    assert repr(picture).startswith("<Picture: Graph of 6 nodes")
    assert (data["image/png"], data["text/plain"]) == (picture.png, picture.text)
    assert svg_in(data["text/html"]) == picture.svg
    assert len(data) == 3
    width, height = picture.size
    assert metadata["image/png"] == {"width": width, "height": height, "alt": picture.sketch.summary}
    assert list(picture._repr_mimebundle_(include=["image/png"])[0]) == ["image/png"]
    assert "image/png" not in picture._repr_mimebundle_(exclude=["image/png"])[0]


@needs_graphviz
def test_save_writes_what_the_suffix_says(tmp_path):
    picture = draw(neuron())
    contents = {"svg": picture.svg, "png": picture.png, "dot": picture.dot, "txt": picture.text, "SVG": picture.svg}
    for suffix, content in contents.items():
        path = picture.save(tmp_path / f"graph.{suffix}")
        written = path.read_bytes()
        assert written == content if suffix == "png" else written.decode() == content + "\n"
        assert os.listdir(tmp_path) == [path.name]
        path.unlink()


# Colours -----------------------------------------------------------------------------------------------------------


def test_a_marked_node_says_what_is_wrong():
    x = mg.Variable(3.0, name="x")
    f = mg.sin(x)
    f.backward()
    plain = mg.draw(f)
    marked = plain.marked(x, "grad: expected -0.989992, got 0.14112")
    assert "✗" not in plain.text
    assert "variable x   value 3   adjoint -0.989992   ✗ grad: expected -0.989992, got 0.14112" in marked.text
    box = marked.sketch.boxes[0]
    assert box.wrong == (("✗ grad", ""), ("expected", "-0.989992"), ("got", "0.14112"))
    assert looks.of_box(box).line == looks.WRONG_LINE
    assert "dashed" in re.search(r"^\s*x \[.*$", marked.dot, re.MULTILINE)[0]
    assert marked._page != plain._page  # two pictures may stand on one page
    with pytest.raises(ValueError, match="in the picture"):
        plain.marked(mg.Variable(1.0), "value: expected 1, got 2")


def test_text_contrasts_with_what_it_stands_on():
    for fill in [*looks.FILLS.values(), looks.BACKWARD_FILL, looks.WRONG_FILL]:
        assert all(contrast(text, fill) >= 4.5 for text in (looks.INK, looks.GREY, looks.ADJOINT))
    assert contrast(looks.WRONG_LINE, looks.WRONG_FILL) >= 4.5


# Mistakes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: draw(), TypeError, r"needs a node to start from"),
        (lambda: draw([]), TypeError, r"needs a node to start from"),
        (lambda: draw(3.0), TypeError, r"needs a node or a Graph, got a float"),
        (lambda: draw(mg.sin), TypeError, r"got a Rule\. Call it on Variables, and draw what it returns"),
        (lambda: draw(mg.Dual(1.0, 1.0)), TypeError, r"got a Dual"),
        (lambda: draw(neuron(), direction="left"), ValueError, r"'LR', 'TB', 'RL', 'BT'; got 'left'"),
        (lambda: draw(neuron(), max_nodes=0), ValueError, r"max_nodes=0"),
        (lambda: draw(chain(150), fold=False), ValueError, r"151 nodes .* raise max_nodes to 151"),
        (lambda: draw(network()[0], fold="fc"), ValueError,
         r"no part 'fc' in this graph\. Did you mean 'fc\d'\? There are .*'fc1', 'Linear'"),
        (lambda: draw(neuron(), fold="rnn"), ValueError, r"no part 'rnn'.* no mg\.block"),
        (lambda: draw(rnn(28)[0]), ValueError, r"177 nodes .*with mg\.block"),
        (lambda: draw(neuron()).save("nowhere/a.jpg"), ValueError, r"\.svg, \.png, \.dot, \.txt.*'a.jpg'"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_or_saved_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


# Without Graphviz -----------------------------------------------------------------------------------------------


@pytest.fixture
def no_graphviz(monkeypatch, tmp_path):
    """Neither pygraphviz nor a program dot."""
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_without_graphviz_a_notebook_shows_the_text(no_graphviz):
    f = neuron()
    picture = draw(f)
    data, _ = picture._repr_mimebundle_()
    assert list(data) == ["text/plain", "text/html"]
    root = ET.fromstring(picture.svg)
    shown = ["".join(t.itertext()) for t in root.iter(f"{SVG}text")]
    assert shown[: len(picture.text.splitlines())] == picture.text.splitlines()
    assert "pip install pygraphviz" in " ".join(shown)
    elements = {g.get("id"): g for g in root.iter(f"{SVG}g")}
    titles = [g.find(f"{SVG}title").text for g in elements.values() if g.get("data-node")]
    assert titles == lines(picture)
    assert all(size > 100 for size in picture.size)
    assert picture.save(no_graphviz / "graph.dot").read_text(encoding="utf-8").startswith("digraph {")
    assert picture.save(no_graphviz / "graph.svg").read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for dot is a script")
def test_without_pygraphviz_a_program_dot_is_used(no_graphviz):
    dot = no_graphviz / "dot"
    dot.write_text(f"#!{sys.executable}\nimport sys\nprint('drawn by', *sys.argv[1:], len(sys.stdin.read()) > 0)\n")
    dot.chmod(0o755)
    assert render("digraph { }", "svg") == b"drawn by -Kdot -Tsvg True\n"


# What it takes ---------------------------------------------------------------------------------------------------


def test_a_first_picture_takes_few_files():
    program = """
import os, sys
import numpy as np
import minigrad as mg
x = mg.Variable(2.0, name="x")
y = x * x + np.sin(x)
files, house = set(), os.path.dirname(mg.__file__)
look = lambda frame, event, _: files.add(frame.f_code.co_filename)
sys.setprofile(look)
mg.draw(y)
sys.setprofile(None)
files = sorted(file for file in files if file.startswith((house + os.sep, house + "_course" + os.sep)))
assert len(files) <= 25, files
"""
    printed(program)


# The documentation -----------------------------------------------------------------------------------------------


def test_the_pictures_of_the_documentation_can_be_drawn():
    import draw_pictures  # of tools/

    docs = Path(__file__).parents[1] / "docs"
    page = (docs / "drawing.md").read_text(encoding="utf-8")
    for name, picture in draw_pictures.pictures().items():
        ET.fromstring(picture.svg)
        assert (docs / "pictures" / f"{name}.svg").is_file()
        assert f"(pictures/{name}.svg)" in page
