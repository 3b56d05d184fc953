"""Ctrl-C, and other signals, while something is half done: they wait, and the next call works."""

import os
import signal
import threading

import pytest
from numba import config

from minigrad.guards import interrupts
from tests.fresh import caches, run

posix = pytest.mark.skipif(os.name != "posix", reason="sends signals as Linux and macOS do")
compiling = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="plain Python compiles nothing")


def python(folder, code, *arguments):
    """Run a program with empty caches; what it printed."""
    done = run(code, *arguments, **caches(folder))
    assert done.returncode == 0, done.stderr
    assert "Exception ignored" not in done.stderr
    return done.stdout


NETWORK = """
import gc, os, random, signal, sys, threading
import numpy as np

def network():
    import minigrad as mg
    model = mg.nn.Sequential(mg.nn.Linear(4, 5, rng=0), mg.nn.Tanh(), mg.nn.Linear(5, 3, rng=1))
    x = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
    return mg, model, x, np.arange(6) % 3

def compiled():
    mg, model, x, y = network()
    return mg.compile(model, mg.nn.cross_entropy, mg.optim.SGD(0.1), x, y)

def tried():
    try:
        compiled()
    except KeyboardInterrupt:
        return "interrupted"
    return "done"

def whole():
    '''Nothing is held back, locked or paused, and the step computes what it should.'''
    from numba.core.compiler_lock import global_compiler_lock
    free = []

    def take():
        free.append(global_compiler_lock._lock.acquire(timeout=10))
        global_compiler_lock._lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    step = compiled()
    mg, model, x, y = network()
    losses = []
    for _ in range(3):
        loss = mg.nn.cross_entropy(model(mg.Constant(x)), y)
        loss.backward()
        losses.append(loss.value)
        for p in model.parameters():
            p.value = p.value - 0.1 * p.grad
            p.zero_grad()
    assert np.allclose([step(x, y) for _ in range(3)], losses, rtol=1e-5), losses
    assert free == [True] and gc.isenabled(), free
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""

IN_LLVM = """
from numba.core import codegen
hook, left = codegen.CPUCodeLibrary._object_compiled_hook.__func__, 0

def interrupted(cls, module, code):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGINT)
    return hook(cls, module, code)

codegen.CPUCodeLibrary._object_compiled_hook = classmethod(interrupted)
heard = []
for left in map(int, sys.argv[1:]):
    heard.append(tried())
whole()
print(heard)
"""


@pytest.mark.slow
@pytest.mark.turns
@posix
@compiling
def test_ctrl_c_while_llvm_calls_back_is_heard(tmp_path):
    """An error there is printed and forgotten, and the library was without machine code from then on."""
    assert python(tmp_path, NETWORK + IN_LLVM, 1, 2, 5, 9) == f"{['interrupted'] * 4}\n"
    assert not [path.name for path in tmp_path.rglob("*.tmp*")]


ANYWHERE = """
chance, heard = random.Random(int(sys.argv[1])), []
for _ in range(int(sys.argv[2])):
    left = int(10 ** chance.uniform(3, 6))

    def count(frame, event, argument):
        global left
        if frame.f_code.co_flags & 32:  # a generator: where one is closed, Python prints an error and forgets it
            return
        left -= 1
        if left == 0:
            sys.setprofile(None)
            os.kill(os.getpid(), signal.SIGINT)

    sys.setprofile(count)
    heard.append(tried())
    sys.setprofile(None)
whole()
print(len(heard))
"""


@pytest.mark.slow
@pytest.mark.turns
@posix
@pytest.mark.parametrize(
    ("seed", "times"), [(0, 8), *(pytest.param(seed, 12, marks=pytest.mark.thorough) for seed in range(1, 6))]
)
def test_ctrl_c_anywhere_while_compiling_is_heard(tmp_path, seed, times):
    """From the first import on: at some call of a function, again and again, until it is compiled all the same."""
    assert python(tmp_path, NETWORK + ANYWHERE, seed, times) == f"{times}\n"
    assert not [path.name for path in tmp_path.rglob("*.tmp*")]


@posix
def test_other_signals_wait_as_well(monkeypatch):
    """Such as that of a time limit. Their handlers may return, or raise."""
    from numba.core.compiler_lock import global_compiler_lock

    from minigrad.native.numba_internals import compiling

    heard = []

    def too_late(number, frame):
        heard.append(number)
        raise TimeoutError

    def noted(number, frame):
        heard.append(number)

    before = {number: signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2)}
    signal.signal(signal.SIGALRM, too_late)
    signal.signal(signal.SIGUSR1, noted)
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)

    def locked():
        with compiling:
            for number in before:
                os.kill(os.getpid(), number)
            assert heard == []

    try:
        with pytest.raises(TimeoutError):
            locked()
        assert set(heard) == {signal.SIGALRM, signal.SIGUSR1}
        assert [signal.getsignal(number) for number in before] == [too_late, noted, signal.SIG_IGN]
        assert not global_compiler_lock.is_locked()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@posix
def test_uninterrupted_defers_ctrl_c_to_its_end():
    done = []

    def work():
        with interrupts.uninterrupted():
            with interrupts.uninterrupted():
                os.kill(os.getpid(), signal.SIGINT)
                done.append("inner")
            done.append("outer")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["inner", "outer"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@posix
def test_a_signal_between_two_is_held_with_them(monkeypatch):
    """It comes when the first of them waits already, and the second does not."""

    def handler(number, frame):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, handler)
    put = signal.signal

    def late(number, new):
        if number == signal.SIGALRM and new is not handler:
            os.kill(os.getpid(), signal.SIGALRM)
        return put(number, new)

    monkeypatch.setattr(interrupts.signal, "signal", late)
    try:
        with pytest.raises(TimeoutError):
            interrupts.Held().hold([signal.SIGINT, signal.SIGALRM])
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.getsignal(signal.SIGALRM) is handler
    finally:
        put(signal.SIGALRM, before)


def test_other_threads_are_not_interrupted():
    handlers = []

    def work():
        with interrupts.uninterrupted():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]
