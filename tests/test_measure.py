"""measure(), count_allocations(), per_step(), repeat() and %%measure: cases whose answers are known."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from minigrad_course.measure import count_allocations, in_turns, load_ipython_extension, measure, per_step, repeat
from tests.fresh import printed

pytestmark = pytest.mark.slow

needs_memray = pytest.mark.skipif(
    importlib.util.find_spec("memray") is None, reason="memray is not installed: the whole process cannot be counted"
)
A = np.ones((100, 64), np.float32)
B = np.full((100, 64), 2, np.float32)
OUT = np.empty_like(A)


def in_new_process(program: str) -> dict:
    """Run `program` in a new Python; what it puts into `answer` comes back."""
    return json.loads(printed(f"answer = {{}}\n{program}\nimport json; print(json.dumps(answer))").splitlines()[-1])


@pytest.fixture(scope="module")
def numba():
    return pytest.importorskip("numba")


@pytest.fixture(scope="module")
def sum_in_njit(numba):
    return a_thousand_sums_in_njit()


def a_thousand_sums_in_njit():
    from numba import njit

    @njit
    def sum_in_njit(a, b):
        total = 0.0
        for _ in range(1000):
            c = np.empty(a.shape, a.dtype)
            for i in range(a.shape[0]):
                for j in range(a.shape[1]):
                    c[i, j] = a[i, j] + b[i, j]
            total += c[0, 0]
        return total

    sum_in_njit(A, B)
    return sum_in_njit


def add_1000_times():
    for _ in range(1000):
        c = A + B
    return c


def add_1000_times_in_place():
    for _ in range(1000):
        np.add(A, B, out=OUT)


def counts(m):
    return [m.allocated_bytes, m.allocations, m.peak_bytes]


def least(function, *arguments):
    """Return the least of three counts of `function` in the whole process, without Python's occasional allocations."""
    result = [counts(count_allocations(function, *arguments, bytes="process")) for _ in range(3)]
    return [min(column) for column in zip(*result, strict=True)]


def middle(run):
    """Return the middle of three counts of a step in the whole process, for the same reason."""
    return sorted(per_step(run, 300, 1300) for _ in range(3))[1]


def run(steps):
    """80,000 bytes once, and 5,000 bytes in two arrays at each step."""
    np.empty(10_000)
    for _ in range(steps):
        np.empty(3000, np.uint8)
        np.empty(2000, np.uint8)


def a_hundred_small_arrays():
    for _ in range(100):
        np.empty(100, np.uint8)


def train_a_little():
    import minigrad as mg

    x, y = np.ones((20, 6), np.float32), np.arange(20) % 3
    model = mg.nn.Sequential(mg.nn.Linear(6, 5, rng=0), mg.nn.Tanh(), mg.nn.Linear(5, 3, rng=1))
    with measure() as m:
        step = mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), x[:10], y[:10])
    order = np.resize(np.arange(20), 10 * 1300)
    return m, lambda steps: step.epoch(x, y, order[: 10 * steps])


@pytest.fixture(scope="module")
def whole_process():
    """All that is counted in the whole process, in a process of its own with one thread: pytest's would be counted."""
    return in_new_process("""
from tests.test_measure import *
answer.update(sums=least(add_1000_times), in_place=least(add_1000_times_in_place), small=least(a_hundred_small_arrays))
answer.update(njit=least(a_thousand_sums_in_njit(), A, B), loop=middle(run))
answer.update(training=middle(train_a_little()[1]), threads=threading.active_count())
""")


# Bytes, allocations, peak: the next sum is there before the last one goes.
SUMS = [25_600_000, 1000, 2 * 25_600]
HEADER, ARGUMENT = 112, 48  # bytes that numba adds to an array, and for an array that it is given
NJIT = [25_600_000 + 1000 * HEADER + 2 * ARGUMENT, 1000 + 2]


def sizes_one_after_the_other():
    for size in (10, 1000, 100_000):
        np.empty(size, np.uint8)


def at_most_two_at_a_time():
    a = np.empty(3000, np.uint8)
    b = np.empty(5000, np.uint8)
    del a
    c = np.empty(1000, np.uint8)
    del b, c


def more_than_there_is():
    with pytest.raises(MemoryError):
        np.empty(10**17)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (add_1000_times, SUMS),
        (add_1000_times_in_place, [0, 0, 0]),
        (sizes_one_after_the_other, [101_010, 3, 100_000]),
        (at_most_two_at_a_time, [9000, 3, 8000]),
        (lambda: np.zeros((7, 5)), [7 * 5 * 8, 1, 7 * 5 * 8]),
        (lambda: A.reshape(-1)[::2].T, [0, 0, 0]),
        (more_than_there_is, [0, 0, 0]),
        (a_hundred_small_arrays, [100 * 100, 100, 100]),
    ],
)
def test_bytes_allocations_and_peak(function, expected):
    """All bytes count, not only those that are still held; the peak is what is held at one time."""
    assert counts(count_allocations(function, bytes="arrays")) == expected


class TestFiveKnownCases:
    """By both ways of counting."""

    def test_3_np_empty_in_an_njit_loop(self, sum_in_njit):
        *result, peak = counts(count_allocations(sum_in_njit, A, B, bytes="arrays"))
        assert result == NJIT
        assert 25_800 <= peak < 25_900  # malloc rounds numba's blocks up

    @needs_memray
    def test_in_the_whole_process(self, whole_process):
        """By memray, which does not see NumPy's small blocks: they come out of a cache of NumPy's own."""
        *result, peak = whole_process["njit"]
        assert result == NJIT
        assert 25_800 <= peak < 25_900
        assert {name: counted for name, counted in whole_process.items() if name != "njit"} == {
            "threads": 1, "sums": SUMS, "in_place": [0, 0, 0], "small": [0, 0, 0], "loop": [5000, 2], "training": [4, 0]
        }  # fmt: skip


class TestBytes:
    def test_arrays_may_outlive_their_block_or_precede_it(self):
        older = np.empty(10_000)
        with measure() as m:
            del older
            younger = np.empty(1000)
        assert (m.allocated_bytes, m.peak_bytes) == (8000, 8000)
        with measure() as m:
            del younger
        assert (m.allocated_bytes, m.peak_bytes) == (0, 0)

    def test_what_the_compiler_allocates_is_not_counted(self, numba, sum_in_njit):
        constant = np.ones(10_000)  # which numba copies into the code

        @numba.njit
        def add_constant(x):
            return x + constant

        with measure() as first:
            add_constant(constant)
        with measure() as second:
            add_constant(constant)
        assert first.compile_seconds > 0 == second.compile_seconds
        assert first.allocated_bytes == second.allocated_bytes == 80_000 + HEADER + ARGUMENT


class TestNesting:
    def test_the_inner_block_belongs_to_the_outer(self, clock):
        with measure() as outer:
            a = np.empty(1000, np.uint8)
            clock.now += 1
            with measure() as inner:
                b = np.empty(500, np.uint8)
                clock.now += 2
            del a, b
            c = np.empty(100, np.uint8)
            del c
        assert (inner.allocated_bytes, inner.peak_bytes) == (500, 500)
        assert (outer.allocated_bytes, outer.allocations, outer.peak_bytes) == (1600, 3, 1500)
        assert (inner.seconds, outer.seconds) == (2, 3)


def handler_name() -> str:
    return importlib.import_module("numpy._core.multiarray").get_handler_name()


class TestErrors:
    def test_after_an_error_nothing_is_left_in_place(self):
        def fail():
            names.append(handler_name())
            1 / 0

        names: list[str] = []
        profile, finders = threading.getprofile(), list(sys.meta_path)
        with pytest.raises(ZeroDivisionError), measure() as m:
            fail()
        assert "ZeroDivisionError" in repr(m)
        assert [*names, handler_name()] == ["minigrad_course.measure", "default_allocator"]
        assert (threading.getprofile(), sys.meta_path) == (profile, finders)
        with measure() as m:
            pass
        add_1000_times()
        assert m.allocated_bytes == 0

    @pytest.mark.parametrize(
        ("wrong", "words"),
        [
            (lambda: measure(bytes="torch"), r"'torch'.*arrays.*process"),
            (lambda: repeat(int, repeats=0), "repeats is 0"),
            *((lambda few=few: per_step(run, few, 5), f"few is {few} and many is 5") for few in (5, 6, -1)),
        ],
    )
    def test_a_wrong_argument_is_named(self, wrong, words):
        with pytest.raises(ValueError, match=words):
            wrong()

    def test_without_memray_a_note_says_what_to_do(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "memray", None)
        m = count_allocations(add_1000_times)
        assert (m.allocated_bytes, m.allocations, m.peak_bytes, m.counted) == (None, None, None, "nothing")
        assert "pip install memray" in repr(m)

    def test_without_numba_arrays_are_timed_and_not_counted(self):
        answer = in_new_process("""
import sys
sys.modules["numba"] = None
import numpy as np
from minigrad_course.measure import measure
with measure() as m:
    np.empty(10)
answer.update(bytes=m.allocated_bytes, seconds=m.seconds, says=repr(m))
""")
        assert answer["bytes"] is None
        assert answer["seconds"] > 0
        assert "pip install numba" in answer["says"]


class TestThreads:
    def test_threads_that_start_inside_are_counted(self):
        def work(_):
            return np.empty(1000, np.uint8).size

        with measure() as m:
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(work, range(10)))
            thread = threading.Thread(target=work, args=(0,))
            thread.start()
            thread.join()
        assert m.allocated_bytes == 11_000

    def test_earlier_threads_are_named_and_not_counted(self):
        with ThreadPoolExecutor(1, thread_name_prefix="early") as pool:
            pool.submit(int).result()
            with measure() as m:
                pool.submit(np.empty, 1000).result()
        assert m.allocated_bytes == 0
        assert re.search(r"started before is not counted: early", repr(m))


def compile_for(seconds, clock):
    """Send numba's compile events, for this duration."""
    with importlib.import_module("numba.core.event").trigger_event("numba:compile"):
        clock.now += seconds


class TestSeconds:
    def test_seconds_and_compile_seconds_add_up(self, numba, clock):
        with measure() as outer, measure() as m:
            compile_for(5, clock)
            clock.now += 3
        assert (m.seconds, m.compile_seconds, outer.compile_seconds) == (3, 5, 5)
        event = importlib.import_module("numba.core.event")
        with measure() as m, event.trigger_event("numba:compile"):
            clock.now += 1
            compile_for(2, clock)
        assert m.compile_seconds == 3, "compiling inside of compiling counts once"


def test_a_training_step_allocates_only_its_loss():
    """And compiling it counts as compiling."""
    compiling, train = train_a_little()
    assert compiling.compile_seconds > 0
    assert per_step(train, 300, 1300, bytes="arrays").allocated_bytes == 4


class TestPerStep:
    def test_what_happens_once_is_no_steps(self):
        assert per_step(run, 1, 1000, bytes="arrays") == (5000, 2)


class TestRepeat:
    def test_median_spread_and_the_bytes_of_one_call(self):
        m = repeat(add_1000_times, repeats=3)
        assert len(m.times) == 3
        assert min(m.times) <= m.seconds == float(np.median(m.times)) <= max(m.times)
        assert m.allocated_bytes == 25_600_000
        assert "median of 3" in repr(m)


class TestInTurns:
    def jobs(self, clock, *seconds):
        """Jobs that take so many seconds each, and the list of their calls."""
        calls = []

        def job(k, took):
            calls.append(k)
            clock.now += took

        return [lambda k=k, took=took: job(k, took) for k, took in enumerate(seconds)], calls

    def test_all_take_turns_in_each_round(self, clock):
        jobs, calls = self.jobs(clock, 0.25, 0.5)
        assert (in_turns(jobs, rounds=3, budget=60) == [[0.25, 0.5]] * 3).all()
        assert calls == [0, 1] * 4, "and a round that does not count"

    def test_a_short_job_is_called_several_times(self, clock):
        jobs, calls = self.jobs(clock, 2**-10, 1.0)
        assert (in_turns(jobs, rounds=2, budget=60) == [[2**-10, 1.0]] * 2).all()
        assert calls == [0, 0, 0, 0, 0, 0, 0, 1, *[0, 0, 0, 0, 1] * 2], "1, 2 and 4 calls, of which 4 are long enough"

    @pytest.mark.parametrize(("took", "rounds"), [(60.0, 2), (0.5, 3), (0.25, 7), (0.125, 9)])
    def test_the_budget_bounds_the_rounds(self, clock, took, rounds):
        [job], calls = self.jobs(clock, took)
        assert len(in_turns([job], rounds=9, budget=2.0)) == rounds == len(calls) - 1

    def test_another_clock_can_be_read(self, clock):
        jobs, _ = self.jobs(clock, 0.5)
        assert (in_turns(jobs, clock=lambda: 3 * clock.now) == 1.5).all()


def test_importing_it_loads_nothing_heavy():
    answer = in_new_process("import sys, minigrad_course.measure\nanswer.update(loaded=sorted(sys.modules))")
    assert not {"numba", "llvmlite", "memray", "torch", "IPython", "scipy"} & set(answer["loaded"])


class TestMagic:
    @pytest.fixture
    def shell(self):
        interactiveshell = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
        config = importlib.import_module("traitlets.config").Config()
        config.HistoryManager.hist_file = ":memory:"
        shell = interactiveshell.InteractiveShell(config=config)
        load_ipython_extension(shell)
        shell.user_ns["np"] = np
        return shell

    def test_variables_live_on_after_a_cell(self, shell, capsys):
        result = shell.run_cell("%%measure\nx = np.empty(1000)\nx.nbytes")
        assert result.result == 8000
        assert shell.user_ns["x"].shape == (1000,)
        shown = capsys.readouterr().out
        assert "8,000 B (7.8 KiB) allocated" in shown
        assert "Counted: NumPy and numba arrays." in shown

    def test_an_error_shows_the_lines_of_the_cell(self, shell, capsys):
        result = shell.run_cell("%%measure\ndef f(x):\n    return 1 / x\n\nf(0)")
        assert isinstance(result.error_in_exec, ZeroDivisionError)
        shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
        assert re.search(r"-> 5 f\(0\)", shown)
        assert re.search(r"-> 3 +return 1 / x", shown)
        assert "magic.py" not in shown
        assert handler_name() == "default_allocator"
        assert isinstance(shell.run_cell("%%measure\nx = 1 +").error_in_exec, SyntaxError)
