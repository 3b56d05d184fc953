"""minigrad in a page: it is a page, it needs `math` and nothing else, and it computes what minigrad computes."""

import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import minigrad as mg
from minigrad_course import minigrad_in_a_page as page

DOMAIN = {  # of the values of its inputs: where an operation is smooth, and stays small
    "div": lambda a, b: abs(b) > 0.2,
    "mul": lambda a, b: abs(a * b) < 50,
    "pow": lambda a, b: 0.2 < a < 4 and abs(b) < 3,
    "exp": lambda a: a < 3,
    "log": lambda a: a > 0.2,
}


def random_graph(rng):
    """Values of variables, and (operation, its inputs) for each step: numbers, or places among all that came before."""
    values = list(rng.uniform(-2, 2, rng.integers(1, 4)))
    count, steps, known = len(values), [], [*values]
    for _ in range(rng.integers(1, 16)):
        op = str(rng.choice([*page.TABLE]))
        inputs = [int(rng.integers(len(known))) for _ in page.TABLE[op][1:]]
        if len(inputs) == 2 and rng.random() < 0.3:
            inputs[rng.integers(2)] = float(rng.choice([-1.0, 0.5, 2.0, 3.0]))
        numbers = [known[x] if isinstance(x, int) else x for x in inputs]
        if not all(isinstance(x, float) for x in inputs) and DOMAIN.get(op, lambda *_: True)(*numbers):
            steps.append((op, inputs))
            known.append(page.apply(op, *numbers))
    return values, steps, list(rng.normal(size=count))


def build(apply, variables, steps):
    nodes = [*variables]
    for op, inputs in steps:
        nodes.append(apply(op, *[nodes[x] if isinstance(x, int) else x for x in inputs]))
    return nodes[-1]


def everything(engine, variables, output, directions):
    """The value, both modes, and second derivatives by one mode of the other's result, in both ways."""
    slopes = engine.adjoints(output, variables)
    along = engine.tangents([output], variables, directions)[0]
    twice = [engine.adjoints(along, variables), engine.tangents(slopes, variables, directions)]
    return [float(node.value) for node in (output, *slopes, along, *twice[0], *twice[1])]


def test_random_graphs_have_the_derivatives_of_minigrad():
    rng, compared = np.random.default_rng(0), set()
    for _ in range(300):
        values, steps, directions = random_graph(rng)
        nodes, variables = [page.Node(x, "x") for x in values], [mg.Variable(x, "x") for x in values]
        result = everything(page, nodes, build(page.apply, nodes, steps), directions)
        output = build(lambda op, *inputs: getattr(mg, op)(*inputs), variables, steps)
        np.testing.assert_allclose(result, everything(mg, variables, output, directions), rtol=1e-9, atol=1e-9)
        compared |= {op for op, _ in steps}
    assert compared == {*page.TABLE}


def test_only_what_is_needed_is_evaluated():
    x = page.Node(-2.0, "x")
    (slope,) = page.adjoints(x**3, [x])  # by the exponent: v log(-2), which math refuses
    assert (slope.value, page.tangents([x**3], [x], [1.0])[0].value) == (12.0, 12.0)
    with pytest.raises(ValueError, match=r"math domain error|positive input"):
        page.adjoints(x ** (n := page.Node(3.0, "n")), [n])


def test_long_chains_and_many_paths_take_no_longer():
    x = wide = page.Node(1.0, "x")
    for _ in range(60):
        wide = wide + wide
    assert page.adjoints(wide, [x])[0].value == 2.0**60
    deep = x
    for _ in range(20_000):
        deep = -deep
    assert page.adjoints(deep, [x])[0].value == page.tangents([deep], [x], [1.0])[0].value == 1.0


def test_the_page_runs_without_minigrad_and_numpy(tmp_path):
    shutil.copy(page.__file__, tmp_path)
    example = re.sub(r"^    ", "", page.__doc__.partition("\n\n")[2], flags=re.MULTILINE)
    example += "trace(x_bar)\nprint(*[f'{node.value:.5g}' for node in (x_bar, y_bar, f_dot, x_bar_by_y)])\n"
    program = (
        f"import sys\nfrom minigrad_in_a_page import *\n{example}assert not {{'numpy', 'minigrad'}} & {{*sys.modules}}"
    )
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-2:] == ["v8 = add(v6, v7) = 126.01            adjoint 1", "126.01 225 126.01 75"]
