"""Faults of real machines: things keep working, or one sentence says what was wrong and what to do.

Tried elsewhere: downloads that fail, damaged data, a disk that fills up while downloading, two downloads at once
(test_data.py), a damaged cache (test_jit.py), a training that is killed or runs out of disk (test_checkpoint.py),
installations that are interrupted or damaged (test_setup.py).
"""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fresh import caches, environment, printed, run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]

# A gradient, a kernel of ours, a ufunc of numba's, and two compiled training steps: all that compiles and caches.
WORK = """
import numpy as np, minigrad as mg
x, y = np.ones((6, 4), np.float32), np.ones((6, 3), np.float32)
step = mg.compile(mg.nn.Linear(4, 3, bias=False, rng=0), mg.nn.mse, mg.optim.SGD(0.1), x, y)
print(mg.grad(lambda x: x**3)(2.0), mg.softmax_cross_entropy(np.zeros((1, 2)), [0]) > 0.69, mg.sigmoid(np.zeros(2))[0])
print(f"{step(x, y):.4f} {step(x, y):.4f}")
"""
DONE = "12.0 True 0.5\n3.2168 1.7299\n"
posix = pytest.mark.skipif(os.name != "posix", reason="a fault of Linux and macOS")


def finished(done):
    """The program's output, if it ended well."""
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---------------------------------------------------------------- the page


def test_the_page_about_faults_names_tests_that_exist():
    """At least twenty kinds of damage, each line with a test."""
    page = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\|.*\| ([^|]*test_[^|]*) \|$", page, re.MULTILINE)
    assert len(lines) > 20
    for line in lines:
        for file, tests in re.findall(r"([\w/]+\.py): ((?:`\w+`(?:, )?)+)", line):
            text = (ROOT / "tests" / file).read_text(encoding="utf-8")
            for test in re.findall(r"`(\w+)`", tests):
                assert f"\ndef {test}(" in text, f"{file} has no {test}"
    assert set(re.findall(r"`(test_\w+)`", page)) == set(re.findall(r"`(test_\w+)`", " ".join(lines)))


# ---------------------------------------------------------------- the disk


@pytest.mark.thorough
@pytest.mark.turns
@posix
@pytest.mark.parametrize("room", [0, 4000], ids=["no room at all", "room for programs, not for machine code"])
def test_a_full_disk_costs_the_cache(tmp_path, room):
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))\n{WORK}"
    # Some Pythons keep what they could write of a module's bytecode, and nobody could import that module again.
    done = run(limited, **caches(tmp_path), PYTHONDONTWRITEBYTECODE=1)
    assert finished(done) == DONE
    assert done.stderr.count("compiled code cannot be kept on disk (File too large)") == 1, "one warning, with a remedy"
    assert "MINIGRAD_CACHE_DIR" in done.stderr
    assert not list(tmp_path.rglob("*.tmp")), "nothing half-written is left"
    if room:  # what did fit is whole: a run with more room goes on from there, and keeps all
        assert printed(WORK, **caches(tmp_path)) == DONE
        assert list(tmp_path.rglob("*.nbc"))


NOWHERE = """
import sys
from numba.core import caching
for kind in (caching.CompileResultCacheImpl, caching.CodeLibraryCacheImpl):
    kind._locator_classes = []  # as where neither the package's folder nor the home can be written
"""


@pytest.mark.thorough
@pytest.mark.turns
@posix
def test_a_read_only_home_and_installation_work(tmp_path):
    """/proc cannot be written by anybody, root included."""
    nowhere = {"HOME": "/proc/nobody", "XDG_CACHE_HOME": None, "MINIGRAD_CACHE_DIR": None, "NUMBA_CACHE_DIR": None}
    assert printed(NOWHERE + WORK, **nowhere, TMPDIR=tmp_path, NUMBA_OPT=0) == DONE


# ---------------------------------------------------------------- several kernels, and stopping one


@pytest.mark.thorough
@pytest.mark.turns
def test_two_kernels_may_compile_the_same_program(tmp_path):
    """And that in folders with spaces and umlauts."""
    folder = tmp_path / "Übung 1, mit Leerzeichen"
    folder.mkdir()
    settings = environment(**caches(folder / "my cache"), PYTHONWARNINGS="ignore")  # numba's about NUMBA_OPT
    code = WORK + "step.model.save('my weights.npz'); mg.draw(mg.Variable(1.0) + 1).save('a graph.svg')"
    running = [
        subprocess.Popen([sys.executable, "-c", code], env=settings, cwd=folder, stdout=-1, stderr=-1, text=True)
        for _ in range(2)
    ]
    ended = [process.communicate(timeout=300) for process in running]
    assert ended == [(DONE, ""), (DONE, "")]
    assert {path.name for path in folder.iterdir()} == {"my cache", "my weights.npz", "a graph.svg"}
    assert not list(folder.rglob("*.tmp"))
    assert finished(subprocess.run(running[0].args, env=settings, cwd=folder, capture_output=True, text=True)) == DONE


STOPPED = """
import os, signal, sys, threading, time
import numpy as np, minigrad as mg
from types import SimpleNamespace
rng = np.random.default_rng(0)
x, y = rng.random((2000, 100), np.float32), rng.random((2000, 10), np.float32)
data = SimpleNamespace(train_x=x, train_y=y, test_x=x[:0], test_y=y[:0])
model = mg.nn.Linear(100, 10, bias=False, rng=0)
before = model.state_dict()["weight"]

optimizer = mg.optim.SGD(0.001)

def soon():
    while optimizer.steps < 30:
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=soon, daemon=True).start()
shards = int(sys.argv[1])
options = {"loss": mg.nn.mse, "compiled": True, "shards": shards}
history = mg.fit(model, data, 10**6, 100, optimizer, rng=0, **options)
after = model.state_dict()["weight"]
print(np.isfinite(after).all() and not np.array_equal(before, after), len(history.losses) >= 30, history.stopped)
"""


@pytest.mark.turns
@posix
@pytest.mark.parametrize("shards", [1, 2])
def test_ctrl_c_during_compiled_training_keeps_the_weights(shards):
    """A real signal, while compiled code runs; the shards' threads end as well, or the program would not."""
    assert printed(STOPPED, shards).startswith("True True Stopped in epoch ")


HALF_WAY = """
import os, signal
import numpy as np, minigrad as mg

model = mg.nn.Sequential(*(mg.nn.Linear(4, 4, rng=k) for k in range(3)))
x, optimizer = np.ones((6, 4), np.float32), mg.optim.SGD(0.1)
mg.nn.mse(model(mg.Constant(x)), mg.Constant(2 * x)).backward()
before = model.state_dict()
changed = mg.Variable.changed

def interrupted(variable):
    os.kill(os.getpid(), signal.SIGINT)
    changed(variable)

mg.Variable.changed = interrupted
try:
    optimizer.step(model.parameters())
except KeyboardInterrupt:
    print("interrupted", optimizer.steps, all(not np.array_equal(v, before[k]) for k, v in model.state_dict().items()))
"""


@posix
def test_ctrl_c_in_optimizers_leaves_a_whole_step():
    """It comes when the first of six parameters has changed."""
    assert printed(HALF_WAY).strip() == "interrupted 1 True"


COUNTED = """
import os, random, signal, sys
import numpy as np, minigrad as mg

model = mg.nn.Sequential(*(mg.nn.Linear(3, 3, rng=k) for k in range(12)))
x, optimizer = np.ones((4, 3), np.float32), mg.optim.SGD(0.01)
step = mg.compile(model, mg.nn.mse, optimizer, x, 2 * x, shards=int(sys.argv[1]))
other = mg.nn.Sequential(*(mg.nn.Linear(3, 3, rng=k) for k in range(12)))
same = mg.compile(other, mg.nn.mse, mg.optim.SGD(0.01), x, 2 * x, shards=int(sys.argv[1]))
chance, batches, heard, trained = random.Random(0), 400, 0, 0

def count(*_):
    global left
    left -= 1
    if left == 0:
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGINT)

for _ in range(20):
    left = chance.randrange(1, 30_000)
    before = optimizer.steps
    try:
        sys.setprofile(count)
        step.epoch(x, 2 * x, np.tile(np.arange(4), batches))
        sys.setprofile(None)
    except KeyboardInterrupt:
        heard += 1
    trained += before < optimizer.steps < before + batches
    same.epoch(x, 2 * x, np.tile(np.arange(4), optimizer.steps - same.optimizer.steps))
    for name, value in model.state_dict().items():
        assert np.array_equal(value, other.state_dict()[name]), name
print(heard, "interrupted, whole", trained)
"""


@pytest.mark.turns
@posix
@pytest.mark.parametrize("shards", [1, 2])
def test_ctrl_c_in_plain_python_is_heard(shards, monkeypatch):
    """It comes at some call of a function, and not after some time: on a busy machine no batch was done by then."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    heard, trained = printed(COUNTED, shards).split(" interrupted, whole ")
    assert heard == "20"
    assert int(trained) >= 10


FORKED = """
import os, sys
import numpy as np, minigrad as mg
x, y = np.ones((6, 4), np.float32), np.arange(6) % 3
model = mg.nn.Sequential(mg.nn.Linear(4, 5, rng=0), mg.nn.Tanh(), mg.nn.Linear(5, 3, rng=1))
step = mg.compile(model, mg.nn.cross_entropy, mg.optim.Adam(0.1), x, y, shards=int(sys.argv[1]))
step(x, y)
sys.stdout.flush()
child = os.fork()
if child:
    assert os.waitpid(child, 0)[1] == 0
more = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), x[:4], y[:4])
print([step(x, y) for _ in range(3)], more(x[:4], y[:4]), flush=True)
if not child:
    os._exit(0)
"""


@pytest.mark.turns
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a fault of Linux and macOS")
@pytest.mark.parametrize("shards", [1, 2])
def test_a_process_that_forks_goes_on_twice(shards):
    """Between two steps, as multiprocessing does on Linux: both train on, compile, and get the same."""
    child, parent = printed(FORKED, shards, PYTHONWARNINGS="ignore::DeprecationWarning").splitlines()
    assert child == parent


# ---------------------------------------------------------------- the network


OFFLINE = """
import socket

def refused(*_, **__):
    raise AssertionError("something went to the network")

socket.socket.connect = socket.socket.connect_ex = socket.create_connection = socket.getaddrinfo = refused
"""


def test_nothing_but_a_download_needs_a_network():
    code = """
import minigrad as mg
from minigrad_course import doctor
data = mg.data.for_lesson("small")
mg.fit(mg.nn.Sequential(mg.nn.Linear(784, 10, rng=0)), data, 1, 100, mg.optim.SGD(0.1), rng=0, progress=False)
mg.draw(mg.Variable(1.0) + 1).svg
mg.explore(lambda x: x * x, 3.0)._repr_mimebundle_()
print(mg.trace(lambda x: x * x, 3.0))
doctor.run()
"""
    assert "Data: the embedded digits" in printed(OFFLINE + code)


# ---------------------------------------------------------------- what is not installed


# In a copy of the process for each package, so that what all need is imported only once: Matplotlib after the copy that
# goes without it, the first.
WITHOUT = """
import importlib.abc, io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout, suppress
import numba, numpy, scipy.special

numba.vectorize(["float64(float64)"])(lambda x: x)  # gets numba's compiler ready

class Missing(importlib.abc.MetaPathFinder):
    def __init__(self, names):
        self.names = names.split(",")

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

def tried():
    import minigrad as mg
    from minigrad_course import cli
    from minigrad_course.viz import plots

    def f(x, y):
        return 2 * x + x * y**3 + mg.sin(x)

    x, y, data = mg.Variable(3.0, name="x"), mg.Variable(5.0, name="y"), mg.data.digits()
    fit = lambda **more: mg.fit(mg.nn.Sequential(mg.nn.Linear(784, 10, rng=0)), data, 1, 100, mg.optim.SGD(0.1), **more)
    things = {
        "gradient": lambda: mg.grad(lambda x: x**3)(2.0), "fit": fit, "trace": lambda: str(mg.trace(f, 3.0, 5.0)),
        "draw": mg.draw(f(x, y))._repr_mimebundle_, "dot": lambda: mg.draw(f(x, y)).save("graph.dot"),
        "measure": mg.measure, "progress": lambda: cli.main(["progress"]), "bar": lambda: fit(progress=True),
        "explore": lambda: mg.explore(f, 3.0, 5.0)._repr_mimebundle_(),
        "plots": lambda: plots.show(plots.canvas()[0], "a plot"),
    }
    said = {}
    for name, thing in things.items():
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                thing()
        except Exception as error:
            said[name] = f"{type(error).__name__}: {error}"
    return said

for name in sys.argv[1:]:
    if name != "matplotlib":
        with suppress(ImportError):
            import matplotlib.pyplot
    sys.stdout.flush()
    child = os.fork()
    if not child:
        sys.meta_path.insert(0, Missing(name))
        print(json.dumps([name, tried()]), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""

# Package -> what cannot be had without it, and what the message names. All else works.
NEEDED_FOR = {
    "matplotlib": ("plots", "matplotlib"),
    "graphviz": ("dot", "graphviz"),
    "IPython": ("plots", "IPython"),
    "tqdm": ("bar", "tqdm"),
}
# Without these nothing of that is lost, not even without all of them at once. (Graphs as lines of text, a picture in
# the place of a widget, fewer bytes counted: test_viz.py, test_live.py, test_measure.py.)
NEEDED_FOR_NOTHING = "anywidget,ipywidgets,memray,pygraphviz,torch,threadpoolctl,sympy,nbformat"


@pytest.mark.turns
@posix
def test_optional_packages_are_missed_one_by_one_only(tmp_path):
    done = run(WITHOUT, *NEEDED_FOR, NEEDED_FOR_NOTHING, cwd=tmp_path, MPLBACKEND="agg")
    output = dict(json.loads(line) for line in finished(done).splitlines())
    assert output.keys() == {NEEDED_FOR_NOTHING, *NEEDED_FOR}
    gone = {thing for package, (thing, _) in NEEDED_FOR.items() if not _installed(package)}
    assert output.pop(NEEDED_FOR_NOTHING).keys() == gone
    for package, (thing, named) in NEEDED_FOR.items():
        if thing in gone and _installed(package):
            continue  # another package is missed first
        assert output[package].keys() - gone == {thing} - gone, f"without {package}: {output[package]}"
        assert output[package][thing].startswith("ImportError: ")
        assert named in output[package][thing]
        assert "pip install" in output[package][thing]


def _installed(name):
    from importlib.util import find_spec

    return find_spec(name) is not None


# ---------------------------------------------------------------- consoles and Pythons of other times


LANGUAGE = """
import numpy as np, minigrad as mg
from types import SimpleNamespace
from minigrad_course import cli, doctor
x = np.ones((4, 4), np.float32)
data = SimpleNamespace(train_x=x, train_y=x, test_x=x[:0], test_y=x[:0])
print(mg.fit(mg.nn.Sequential(mg.nn.Linear(4, 4, rng=0)), data, 1, 2, mg.optim.SGD(0.1), loss=mg.nn.mse))
print(mg.trace(lambda x, y: 2 * x + x * y**3 + mg.sin(x), 3.0, 5.0))
print(mg.draw(mg.sin(mg.Variable(3.0, name="x"))).text)
print(doctor.run(), mg.data.digits(), cli.main(["doctor"]))
mg.draw(mg.sin(mg.Variable(3.0, name="Gr\\u00f6sse"))).save("graph.svg")
"""
CONSOLES = {
    "ASCII": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "Latin-1": {"PYTHONIOENCODING": "latin-1"},
    "C": {"LC_ALL": "C"},
}


@pytest.mark.turns
@pytest.mark.parametrize("console", CONSOLES)
def test_a_console_that_is_not_utf_8(tmp_path, console):
    clean = dict.fromkeys(("LC_ALL", "LC_CTYPE", "LANG", "PYTHONUTF8", "PYTHONIOENCODING"))
    output = printed(LANGUAGE, cwd=tmp_path, **{**clean, **CONSOLES[console]})
    assert "fine  Python" in output
    assert "Grösse" in (tmp_path / "graph.svg").read_text(encoding="utf-8"), "files are UTF-8, whatever the console is"


@pytest.mark.parametrize("name", ["run", "setup", "chromium"])
def test_an_old_python_can_read_what_refuses_it(name):
    """Or `make lab PYTHON=python3.9` would show a SyntaxError, and not the sentence (test_setup.py)."""
    source = (ROOT / "tools" / f"{name}.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 8))
