"""Set before NumPy loads: one thread for each library. Tests run side by side in several processes, and two thread
pools in one process (NumPy's and PyTorch's) that wait for each other made a comparison eighty times slower."""

import collections
import gc
import itertools
import os
import secrets
import signal
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))

# As in a terminal of JupyterLab: then messages name `minigrad`, and not its whole path.
os.environ["PATH"] = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ.get('PATH', os.defpath)}"

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

# Compiling leaves many objects behind, most of which stay: looking for garbage among them took 8 % of the time.
gc.set_threshold(100_000, 50, 100)

# A shell's background job starts with interrupts ignored, and so would everything that the tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Other random graphs in each run, and the same ones in all of its processes, which inherit this.
os.environ.setdefault("MINIGRAD_CAMPAIGN_SEED", str(secrets.randbelow(1_000_000)))


def pytest_configure(config):
    """Kernels of the tests, nbmake's among them, talk through sockets in a folder, not through ports: a port is chosen
    before the kernel takes it, and with several processes at work another program is sometimes there first."""
    try:
        import wakeup
        from jupyter_client.manager import KernelManager

        wakeup.mend()
    except ImportError:
        return
    if os.name != "posix":
        return
    folder = tempfile.TemporaryDirectory(prefix="minigrad-", ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    number = itertools.count()
    start = KernelManager.__init__

    def with_sockets_in_the_folder(self, *args, **kwargs):
        start(self, *args, **kwargs)
        self.transport, self.ip = "ipc", f"{folder.name}/{next(number)}"

    KernelManager.__init__ = with_sockets_in_the_folder


# What takes longest, before the lessons, so that no process ends with it alone. The first three begin at once, and only
# the compiler's tests among them compile kernels, which are there for all others when these come to them.
FIRST = (
    "tests/campaign/test_in_plain_python.py",
    "tests/test_compiler.py",
    "tests/campaign/test_gradients.py",
    "tests/campaign/test_compiled.py",
    "tests/test_one_meaning.py",
    "tests/test_variants.py",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """A file is the work of one process, so that what its tests share is made once, unless it names other groups."""
    from campaign import GRAPHS

    chosen = config.option.keyword or any(".ipynb" in word for word in config.args)
    for item in items:
        if item.nodeid.split("::")[0].endswith(".ipynb"):
            item.add_marker("slow")
            if GRAPHS < 3_000 and not chosen:  # in less than ALL=1
                item.add_marker("turns")
    leave_out_turns(config, items)
    place = {name: k for k, name in enumerate(FIRST)}
    file_of = {item: item.nodeid.split("::")[0] for item in items}
    items.sort(key=lambda item: place.get(file_of[item], len(FIRST)))
    for item in items if config.pluginmanager.hasplugin("xdist") else ():
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(file_of[item]))


def leave_out_turns(config, items):
    """Of the tests of a file that are marked `turns`, and of lessons, a run of less than the whole campaign asks every
    third one."""
    from campaign import PART, PARTS

    numbers = collections.defaultdict(lambda: itertools.count(PART))  # of each file, and of all lessons
    kept, left_out = [], []
    for item in items:
        file = item.nodeid.split("::")[0]
        waits = item.get_closest_marker("turns") and next(numbers[file.endswith(".ipynb") or file]) % PARTS
        (left_out if waits else kept).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


@pytest.fixture(autouse=True)
def same_random_numbers(request):
    """Every test starts its module's generator anew: its numbers do not depend on which tests ran before it."""
    import numpy as np

    generator = getattr(request.module, "rng", None)
    if isinstance(generator, np.random.Generator):
        generator.bit_generator.state = np.random.default_rng(0).bit_generator.state


@pytest.fixture(autouse=True)
def same_depth_of_calls():
    """An answer that raises the limit on calls inside each other raises it for its own test."""
    limit = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)


@pytest.fixture
def count(request):
    """count("gradient cases", 86) adds to a sum over all tests, in whichever process they run; printed at the end."""
    return lambda what, number: request.node.user_properties.append((f"count: {what}", number))


@pytest.fixture
def clock(monkeypatch):
    """A stopwatch that stands still unless the test moves it (clock.now += 2): what it shows is known, however busy the
    machine is. To compare two real ones is to toss a coin now and then."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(time, "perf_counter", lambda: clock.now)
    return clock


@pytest.fixture(autouse=True)
def no_figure_stays_open():
    """Pyplot keeps figures until they are closed and warns at the twenty-first: which test that is, is chance."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def pytest_terminal_summary(terminalreporter):
    """Print the tests' counts (the fixture `count`), summed over all processes."""
    totals = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                for name, number in report.user_properties:
                    if name.startswith("count: "):
                        totals[name[7:]] = totals.get(name[7:], 0) + number
    if totals:
        terminalreporter.section("the campaign counted")
        for name, number in totals.items():
            terminalreporter.write_line(f"{number:>9,}  {name}")
        seed = os.environ["MINIGRAD_CAMPAIGN_SEED"]
        terminalreporter.write_line(f"The same graphs again: MINIGRAD_CAMPAIGN_SEED={seed}")


@pytest.fixture
def shown(monkeypatch):
    """The pictures that are shown, as (figure, sentence); each is drawn to its end."""
    plt = pytest.importorskip("matplotlib.pyplot")
    from minigrad_course.viz import plots

    pictures = []

    def show(figure, sentence):
        assert plots.png(figure).startswith(b"\x89PNG")
        plt.close(figure)
        pictures.append((figure, sentence))

    monkeypatch.setattr(plots, "show", show)
    return pictures
