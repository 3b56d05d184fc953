"""Makes a Python into a lighter one: without numba, or as in a browser, where C libraries, threads and processes are
missing too, or one that counts no bytes, with numba or bare. A program for a process of its own (test_light.py):

    python tests/light.py numba|browser|webassembly|uncounted|bare PROGRAM [ARGUMENT ...]

PROGRAM is text. It finds here what runs notebooks.
"""

import contextlib
import io
import json
import sys
import warnings

BROWSER = {
    "numba", "llvmlite", "scipy", "_ctypes", "ctypes", "_posixsubprocess", "_multiprocessing", "_posixshmem", "fcntl",
    "resource", "pygraphviz", "memray", "threadpoolctl", "torch",
}  # fmt: skip
# A real Python in WebAssembly lacks all of that by itself, but for packages that lie in the folder of this one.
LIGHT = {
    "numba": {"numba", "llvmlite"},
    "browser": BROWSER,
    "webassembly": {"numba", "llvmlite"},
    "uncounted": {"memray", "torch"},
    "bare": {"memray", "torch", "numba", "llvmlite"},
    "all": set(),
}


class _Without:
    """The finders of modules that there were, less some modules."""

    def __init__(self, names, finders):
        self.names, self.finders = names, finders

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.names:
            return None
        specs = (finder.find_spec(name, path, target) for finder in self.finders)
        return next((spec for spec in specs if spec is not None), None)

    def find_distributions(self, *words):
        for finder in self.finders:
            yield from getattr(finder, "find_distributions", lambda *_: ())(*words)


def become(kind):
    """Take away what is missing there."""
    if kind == "browser":
        import _thread
        import os
        import signal
        import subprocess
        import sysconfig
        import threading

        def nowhere(*_, **__):
            raise RuntimeError("can't start new thread")

        def no_program(*_, **__):
            raise OSError(58, "wasi does not support processes.")

        for module in (_thread, threading):
            for name in [name for name in dir(module) if name.lstrip("_").startswith("start_")]:
                setattr(module, name, nowhere)
        subprocess.Popen._execute_child = no_program
        del os.fork, signal.setitimer, os.sched_getaffinity
        sysconfig.get_config_vars()  # kept from then on, and read from a file that is named by the platform
        sys.platform = "wasi"
    if kind in ("uncounted", "bare"):
        import importlib.util

        find = importlib.util.find_spec  # which minigrad asks; numba imports ctypes and has it
        importlib.util.find_spec = lambda name, package=None: None if name == "_ctypes" else find(name, package)
    sys.meta_path[:] = [_Without(LIGHT[kind], sys.meta_path[:])]
    for name in [name for name in sys.modules if name.split(".")[0] in LIGHT[kind]]:
        del sys.modules[name]  # Python's own modules have imported it


def shell():
    """An IPython that shows nothing, with the notebooks' kind of figures: there before minigrad is imported."""
    import matplotlib

    matplotlib.use("agg")
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    own = InteractiveShell.instance(config=config)
    own.display_pub = CapturingDisplayPublisher()
    own.showtraceback = own.showsyntaxerror = lambda *_, **__: None
    return own


def run(path, own):
    """Run a notebook. Returns, for each cell of code, the error that it should not have had, and what it printed."""
    with open(path, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    results = []
    for cell in cells:
        printed, complaints = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaints):
            ended = own.run_cell("".join(cell["source"]), store_history=True, cell_id=cell.get("id"))
        error = ended.error_before_exec or ended.error_in_exec
        wanted = "raises-exception" in cell["metadata"].get("tags", [])
        message = "" if wanted or error is None else f"{type(error).__name__}: {error}"
        results.append({"error": message, "printed": printed.getvalue(), "complaints": complaints.getvalue()})
    return results


if __name__ == "__main__":
    _, kind, program, *arguments = sys.argv
    become(kind)
    sys.modules["light"] = sys.modules["__main__"]
    warnings.simplefilter("default")
    exec(compile(program, "<program>", "exec"), {"__name__": "program", "arguments": arguments})
