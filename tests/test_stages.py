"""A compiled program, pass by pass."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.compiler.passes import PASSES


def essay():
    x, y = mg.Variable(3.0, name="x"), mg.Variable(5.0, name="y")
    f = 2 * x + x * y**3 + mg.sin(x)
    return mg.compile_graph([f, *mg.adjoints(f, [x, y])], name="essay")


def step(shards=1):
    rng = np.random.default_rng(0)
    model = mg.nn.Sequential(mg.nn.Linear(8, 4, rng=0), mg.nn.Linear(4, 3, rng=1))
    x, y = rng.standard_normal((16, 8)).astype(np.float32), np.arange(16) % 3
    return mg.compile(model, mg.softmax_cross_entropy, mg.optim.SGD(0.1), x, y, shards=shards)


def body(compiled):
    return compiled.source[compiled.source.index("\n@") + 1 :].rstrip()


@pytest.mark.parametrize("make", [essay, step, lambda: step(shards=2)], ids=["graph", "step", "shards"])
def test_the_last_stage_is_the_program(make):
    compiled = make()
    shown = mg.explore(compiled)
    assert body(compiled).startswith(shown.stages[-1].text)
    assert {*(s.name for s in shown.stages[1:]), *(name for name, _ in shown.others)} == {*PASSES}
    assert shown.stages[0].name == "written"
    for before, after in zip(shown.stages, shown.stages[1:], strict=False):
        old = "\n".join(text for mark, text in after.lines if mark != "+")
        assert old == before.text
        assert any(mark for mark, _ in after.lines)


def test_a_page_has_a_button_for_each_stage():
    x = mg.Variable(3.0, name="x")
    with mg.block("a <b> & c"):
        f = mg.where(x < 4, x * x, x)
    shown = mg.explore(mg.compile_graph([f], [x]))
    assert shown.html.count('type="radio"') == len(shown.stages)
    assert "<b>" not in shown.html
    assert shown.html != shown.html, "two on a page have names of their own"
    assert shown.text in shown._repr_mimebundle_()["text/plain"]
