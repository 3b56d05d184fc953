"""The text of a compiled program, which people read. Those of an MLP, an RNN and a CNN stand in tests/program_texts:
whoever changes them reads the difference. This writes them anew:

    MINIGRAD_WRITE_DOCS=1 .venv/bin/python -m pytest tests/test_program_text.py

The first lines of a file, down to the first function, are left out: they hold a fingerprint of all kernels.
"""

import ast
import itertools
import json
import os
import re

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.compiler.text import WIDTH, wrapped
from minigrad.core.rules import TABLE
from minigrad.native import kernels
from minigrad.native.compiled import PURE_PYTHON
from minigrad.training import optim
from tests.fresh import ROOT, printed
from tests.made_up_workloads import WORKLOADS, batch_of

TEXTS = ROOT / "tests" / "program_texts"


class Deep(nn.Sequential):
    def __init__(self, layers):
        sizes = [7, *[6] * layers, 3]
        made = [nn.Linear(a, b, rng=k) for k, (a, b) in enumerate(itertools.pairwise(sizes))]
        super().__init__(*(module for layer in made for module in (layer, nn.Tanh())))


class Own(nn.Module):
    """A model that does something beside its layers."""

    def __init__(self):
        self.first, self.second = nn.Linear(7, 6, rng=0), nn.Linear(6, 3, rng=1)

    def forward(self, x):
        hidden = mg.relu(self.first(x))
        return self.second(hidden)


class Reader(nn.Module):
    def __init__(self, layer):
        self.layer, self.dense = layer, nn.Linear(5, 3, rng=1)

    def forward(self, x):
        return self.dense(self.layer(x)[0][:, -1])


def a_network(name):
    workload = WORKLOADS[name]
    batch = batch_of(name, np.random.default_rng(0), np.float32)
    return mg.compile(workload.make(np.float32), workload.loss, optim.SGD(workload.lr), *batch)


def small(model, x, optimizer=None, **options):
    rng = np.random.default_rng(0)
    batch = rng.standard_normal(x).astype(np.float32), np.arange(x[0]) % 3
    return mg.compile(model, nn.cross_entropy, optimizer or optim.SGD(0.1), *batch, **options)


def mlp():
    model = nn.Sequential(nn.Linear(784, 64, rng=0), nn.Tanh(), nn.Linear(64, 10, rng=1))
    batch = batch_of("RNN", np.random.default_rng(0), np.float32)
    return mg.compile(model, nn.cross_entropy, optim.SGD(0.3), *batch)


def of_length_one(grads):
    length = mg.sqrt(sum(mg.sum(g * g) for g in grads))
    return [g / length for g in grads]


PINNED = {"MLP": mlp, "RNN": lambda: a_network("RNN"), "CNN": lambda: a_network("CNN")}
OTHERS = {
    "autoencoder": lambda: a_network("autoencoder"),
    "own": lambda: small(Own(), (8, 7)),
    "few equal layers": lambda: small(Deep(4), (8, 7), optim.Adam(0.1)),
    "many equal layers": lambda: small(Deep(20), (8, 7)),
    "loop": lambda: small(Reader(nn.LSTM(4, 5, batch_first=True, rng=0, checkpoint="states")), (8, 6, 4)),
    "layers in a loop": lambda: small(Reader(nn.GRU(4, 5, 2, batch_first=True, rng=0)), (8, 6, 4)),
    "shards": lambda: small(Deep(2), (8, 7), shards=4),
    "clipped": lambda: small(Deep(1), (8, 7), gradients=of_length_one),
}


@pytest.fixture(scope="module")
def texts():
    """The functions of all of these programs, found where nothing is compiled."""
    if PURE_PYTHON:
        return {name: made().source for name, made in every().items()}
    program = (
        "import json, tests.test_program_text as t; print(json.dumps({k: f().source for k, f in t.every().items()}))"
    )
    return json.loads(printed(program, NUMBA_DISABLE_JIT=1))


def every():
    return PINNED | OTHERS


def functions(text):
    return text[text.index("\n@") + 1 :]


@pytest.mark.parametrize("name", PINNED)
def test_the_text_is_as_it_was_read(texts, name):
    path = TEXTS / f"{name}.txt"
    if os.environ.get("MINIGRAD_WRITE_DOCS"):
        path.write_text(functions(texts[name]), encoding="utf-8")
    assert functions(texts[name]) == path.read_text(encoding="utf-8"), (
        f"the {name}'s program reads differently: run this test with MINIGRAD_WRITE_DOCS=1, and read the difference"
    )


VIEW = re.compile(r"    ((?:\w+ = )+)(?:shaped\(.*\)|memory_\d+)$")


def test_views_are_defined_above_their_first_use(texts):
    views = 0
    for text in texts.values():
        for function in functions(text).split("\n@"):
            lines = [line for line in function.split("\n") if not line.lstrip().startswith("#")]
            for k, line in enumerate(lines):
                if not (view := VIEW.match(line)):
                    continue
                names = re.findall(r"\w+", view[1])
                first = next(n for n in range(k + 1, len(lines)) if not VIEW.match(lines[n]))
                stop = next((n for n in range(first, len(lines)) if VIEW.match(lines[n])), len(lines))
                below = "\n".join(lines[k + 1 : stop])  # the views beside it, and what comes before the next ones
                for name in names:
                    assert not re.search(rf"\b{name}\b", "\n".join(lines[:k])), name
                    assert re.search(rf"\b{name}\b", below), name
                views += len(names)
    assert views > 50


def test_steps_differing_by_a_place_share_a_function(texts):
    """The place is an argument, unless all of them have the same; and what a function does belongs to one step."""
    text = functions(texts["RNN"])
    assert text.count("= tanh(") == 1
    assert re.findall(r"# t = (\d)\n[^#]*add_1_100x4x64, (\d), ", text) == [(t, t) for t in "0123"]
    for name, text in texts.items():
        for arguments in re.findall(r"^def \w+\(([^)]*)\)", functions(text), re.MULTILINE):
            assert all(word.strip().isidentifier() for word in arguments.split(",") if word.strip()), name


def test_a_shared_array_has_its_own_name():
    x, u = mg.Variable(np.ones((4, 3)), name="x"), mg.Variable(np.eye(3), name="U")
    loss = mg.sum(mg.tanh(mg.tanh(x @ u) @ u))
    program = mg.compile_graph([loss, *mg.adjoints(loss, [u])])
    assert re.search(r"return .*, U_bar$", program.source, re.MULTILINE)
    named = [row for row in program.buffers.rows if row.shared_with]
    assert named
    assert all(row.name.startswith("memory_") and len(row.shared_with) > 1 for row in named)
    assert "return loss, output" in mlp().source


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_slope_of_relu_has_a_name(texts, dtype):
    assert "relu_slope(" in texts["CNN"]
    x = np.array([-np.inf, -1, -0.0, 0.0, 1e-45, 2, np.inf, np.nan], dtype)
    expected = TABLE["step"].ufunc(x)
    got = np.array([kernels.relu_slope(a) for a in x], dtype)
    np.testing.assert_array_equal(got, expected)
    leaf = mg.Variable(x, name="x")
    y = mg.relu(leaf)
    program = mg.compile_graph(mg.adjoints(mg.sum(y), [leaf]))
    assert "relu_slope(" in program.source
    result = program(x)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, expected)


LONG = [
    "    total[i, j] = " + " + ".join(f"a_long_name_{k}[i, j] * (one - b[{k}, j])" for k in range(9)),
    "        some_kernel(one, " + ", ".join(f"a_long_name_{k}[:, {k}].T" for k in range(9)) + ")",
    "    losses[k], scores = step(" + ", ".join(f"an_argument_{k}" for k in range(12)) + ")",
    "    x = zero if " + " and ".join(f"first_{k} < second_{k}" for k in range(9)) + " else one",
    "    return " + ", ".join(f"a_long_result_{k}" for k in range(12)),
    "    y = f(" + ", ".join(f"a_long_name_{k}" for k in range(6)) + ") + g(" + ", ".join("abcdefgh") + ", zero * one)",
]


def test_long_lines_are_broken_and_mean_the_same():
    for line in LONG:
        lines = wrapped([line])
        assert len(lines) > 1
        assert all(len(part) <= WIDTH for part in lines), lines
        whole, broken = _parsed([line]), _parsed(lines)
        assert _assigned(whole) == _assigned(broken)
    comment = f"    # {'word ' * 40}"
    assert [part.lstrip()[:2] for part in wrapped([comment])] == ["# ", "# "]
    assert wrapped(["short"]) == ["short"]


def _parsed(lines):
    deeper = [line if line.startswith("        ") else f"    {line}" for line in lines]
    return ast.parse("\n".join(["def f():", "    for i in j:", *(deeper if lines[0][:8].strip() else lines)]))


def _assigned(function):
    """Return the assignments of its statements. Several names for one thing are the same together or one by one."""
    result = []
    for statement in ast.walk(function):
        if isinstance(statement, ast.Assign):
            result += [(ast.dump(target), ast.dump(statement.value)) for target in statement.targets]
        elif isinstance(statement, ast.Expr | ast.Return):
            result.append(ast.dump(statement))
    return result


WORDS = ["exp", "log_f8", "sum_all", "maximum", "relu_slope", "kernels", "one", "None", "class", "i"]


@pytest.mark.parametrize("word", WORDS)
def test_no_array_takes_a_name_of_the_text(word):
    x = mg.Variable(np.ones((2, 2), np.float32), name=word)
    y = mg.Variable(np.ones((2, 2)), name=f"{word}_f8")
    f = mg.sum(mg.exp(x) * mg.log(y) + mg.relu(y) + mg.maximum(x, y)) + mg.sum(mg.max(x, 1))
    above, text = mg.compile_graph([f, *mg.adjoints(f, [x, y])], [x, y]).source.split("@program\n")
    (function,) = ast.parse(text).body
    arrays = {argument.arg for argument in function.args.args}
    arrays |= {name for part in ast.walk(function) if isinstance(part, ast.Assign) for name in _names(*part.targets)}
    others = {alias.asname or alias.name for part in ast.walk(ast.parse(above)) if isinstance(part, ast.ImportFrom)
              for alias in part.names}  # fmt: skip
    others |= {name for part in ast.parse(above).body if isinstance(part, ast.Assign) for name in _names(*part.targets)}
    others |= {name for part in ast.walk(function) if isinstance(part, ast.For) for name in _names(part.target)}
    assert len(arrays) > 4
    assert len(others) > 10
    assert not arrays & others


def _names(*targets):
    """The names that are assigned to, and not those of arrays of which entries are."""
    parts = [part for target in targets for part in getattr(target, "elts", [target])]
    return [part.id for part in parts if isinstance(part, ast.Name)]
