"""Use numba lazily: kernels compile on their first call, and their machine code is kept on disk.

Importing numba takes half a second, so nothing here imports it early. The cache is optional: if the disk is full or
read-only, one warning says so, and everything is compiled in memory. Machine code ends with a seal (a checksum), which
is checked before it is loaded (code_cache.py). What does not fit is compiled again.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import itertools
import keyword
import linecache
import os
import shutil
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from minigrad.core import dtypes
from minigrad.core.errors import PACKAGE_DIR
from minigrad.core.rules import Rule
from minigrad.guards import capabilities, installation
from minigrad.guards.files import remove_parts, whole_file
from minigrad.guards.interrupts import uninterrupted
from minigrad.native import ieee

TRIED = "0.68"  # the numba whose inside is known (numba_internals.py)


@functools.cache
def cache_folder() -> Path:
    """The folder for generated programs and their machine code: MINIGRAD_CACHE_DIR, else the user's cache folder.

    Where that cannot be written, a temporary folder serves: everything works, and compiles anew each time.
    """
    if chosen := os.environ.get("MINIGRAD_CACHE_DIR"):
        wanted = Path(chosen).expanduser()
    elif sys.platform == "win32":
        wanted = Path(os.environ.get("LOCALAPPDATA", Path.home())) / "minigrad" / "cache"
    else:
        wanted = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "minigrad"
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=wanted):
            remove_parts(wanted, ".*.tmp")
            return wanted
    except OSError as error:
        warn_uncached(error.strerror or str(error))
        folder = Path(tempfile.mkdtemp(prefix="minigrad-"))
        atexit.register(_removed, folder, os.getpid())
        return folder


def _removed(folder: Path, process: int) -> None:
    if process == os.getpid():  # not at the end of a fork
        shutil.rmtree(folder, ignore_errors=True)


def plain_python() -> bool:
    """Tell whether kernels and programs stay plain Python: there is no numba, or NUMBA_DISABLE_JIT switches it off."""
    return not capabilities.has("numba") or bool(numba().config.DISABLE_JIT)


@functools.cache
def tell_of_plain_python() -> None:
    """Warn, once, that a program runs without machine code because there is no numba."""
    if not capabilities.has("numba"):
        warnings.warn(
            f"this program runs in plain Python, correctly and slowly ({capabilities.without('numba')})",
            RuntimeWarning,
            stacklevel=2,
        )


def numba() -> ModuleType:
    """The package numba, if minigrad knows this version of it."""
    capabilities.demand("numba", "machine code")
    with uninterrupted():  # an import that is cut short stays broken in this process
        import numba

        try:
            from minigrad.native import numba_internals  # noqa: F401
        except (ImportError, AttributeError) as error:
            if not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
                raise ImportError(
                    f"minigrad uses the inside of numba {TRIED}, and that of numba {numba.__version__} is another one "
                    f"({error}). `{installation.install(f'numba=={TRIED}.*')}` brings the former; with "
                    "NUMBA_DISABLE_JIT=1 everything runs in plain Python, correctly and slowly"
                ) from error
    return numba


@functools.cache
def kernels_stamp() -> str:
    """A fingerprint of all files that hold kernels."""
    folders = [Path(PACKAGE_DIR, name).rglob("*.py") for name in ("compiler", "like_numpy", "native", "ops")]
    files = sorted(itertools.chain(*folders))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


SEAL = 32  # bytes


def sealed(name: str, content: bytes) -> bytes:
    """Return the content of a cached file, followed by a seal: a checksum of its name and content."""
    return content + hashlib.sha256(name.encode() + content).digest()


def unsealed(path: Path) -> bytes | None:
    """The content of such a file; None if there is no file, or it is not whole, or was one of another name."""
    try:
        kept = path.read_bytes()
    except FileNotFoundError:
        return None
    content = kept[:-SEAL]
    return content if kept == sealed(path.name, content) else None


@functools.cache
def warn_uncached(why: str) -> None:
    """Warn, once for each reason."""
    if not capabilities.has("numba"):
        return  # nothing is compiled
    warnings.warn(
        f"compiled code cannot be kept on disk ({why}). All works, but is compiled anew in each new process. "
        f"`{installation.command('doctor')}` names the folder; MINIGRAD_CACHE_DIR chooses another one",
        RuntimeWarning,
        stacklevel=2,
    )


@contextlib.contextmanager
def if_possible() -> Iterator[None]:
    """Warn where something cannot be read from or written to the cache, and go on behind the block."""
    try:
        yield
    except OSError as error:
        warn_uncached(error.strerror or str(error))


CACHED = ContextVar("CACHED", default=True)  # whether machine code of new functions is kept on disk


@contextlib.contextmanager
def uncached() -> Iterator[None]:
    """Keep no machine code of the functions that are made inside."""
    before = CACHED.set(False)
    try:
        yield
    finally:
        CACHED.reset(before)


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit(cache=True, **options)` as a decorator, with a cache and a compiler that are minigrad's.

    In plain Python a function stays as it is.
    """
    if plain_python():
        return lambda function: function
    numba()
    from minigrad.native.numba_internals import compiled_function

    return lambda function: compiled_function(function, **options)


def vectorize(signatures: Sequence[str]) -> Callable[[Callable[..., Any]], Any]:
    """`numba.vectorize(signatures, cache=True)`, likewise."""
    numba()
    from minigrad.native.numba_internals import vectorized

    return vectorized(signatures)


def kernel(function: Callable[..., Any], at_once: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """`numba.njit(cache=True)`, put off until the first call. An operation's `kernel` may be such a function.

    at_once: the same by NumPy, on whole arrays. It takes the place of the loops in plain Python.
    """

    @functools.cache
    def compiled() -> Any:
        if at_once is not None and plain_python():
            return at_once
        # The default error model raises for a division by zero; that check stops loops from vectorising.
        return njit(error_model="numpy", nogil=True, no_cfunc_wrapper=True)(function)

    @functools.wraps(function)
    def run(*args: Any) -> Any:
        return compiled()(*args)

    run.compiled = compiled  # type: ignore[attr-defined]
    return run


def ufunc(name: str, expression: str, inputs: tuple[str, ...]) -> Callable[..., Any]:
    """A NumPy ufunc for a scalar expression, for float32 and float64, made by `numba.vectorize`.

    The generated source is a file in the cache folder, because numba keeps machine code only for code in files.
    """
    if plain_python():
        return _python_ufunc(expression, inputs)
    arguments = ", ".join(inputs)
    called = name if name.isascii() and name.isidentifier() and not keyword.iskeyword(name) else "row"
    signatures = [f"{dtype}({', '.join([dtype] * len(inputs))})" for dtype in ("float32", "float64")]
    source = (
        f"from math import *\nfrom numpy import maximum as max, minimum as min, sign\n"
        "from minigrad.native.jit import vectorize\n\n\n"
        f"@vectorize({signatures})\ndef {called}({arguments}):\n    return {expression}\n"
    )
    compiled = getattr(load_source(name, source), called)

    def call(*args: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        # exp may overflow on the way to a result that is finite, as in the sigmoid of -1000: no news to the user.
        # Nor is a division by zero in the branch of a condition that was not taken.
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            return compiled(*args) if out is None else compiled(*args, out)

    return call


def _python_ufunc(expression: str, inputs: tuple[str, ...]) -> Callable[..., Any]:
    """The same without numba: on whole arrays where NumPy has all that it calls, else number by number."""
    words = compile(expression, "", "eval").co_names
    names = {word: getattr(ieee, word) for word in words if word not in inputs}
    at_once = " if " not in expression and all(isinstance(function, np.ufunc) for function in names.values())
    compute = eval(f"lambda {', '.join(inputs)}: {expression}", names)

    def call(*args: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        kinds: list[dtypes.Kind] = [a.dtype if isinstance(a, np.ndarray | np.generic) else type(a) for a in args]
        dtype = dtypes.of_expression(*kinds)[1]
        shape = np.broadcast_shapes(*(np.shape(a) for a in args))
        numbers = [np.broadcast_to(np.asarray(a, dtype), shape) for a in args]
        result = np.empty(shape, dtype) if out is None else out
        with np.errstate(all="ignore"):
            if at_once:
                result[...] = compute(*numbers)
            else:
                result.flat[:] = [compute(*entries) for entries in zip(*(x.flat for x in numbers), strict=True)]
        return result[()] if out is None else out

    return call


def load_source(name: str, source: str, alone: bool = False) -> Any:
    """Import `source` as a module from a file in the cache folder that is named by its content.

    alone: whether it is a module of its own, even if the same text was loaded before.
    """
    digest = hashlib.sha256(source.encode()).hexdigest()[:12]
    word = "".join(c if c.isalnum() or c in "_-" else "_" for c in str(name)[:60])  # whatever it is, in this folder
    stem, file = f"{word}_{digest}", f"<{word}_{digest}>"
    with if_possible():
        file = str(_written(cache_folder() / f"{stem}.py", source.encode()))
    if file.startswith("<"):
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)  # for tracebacks and numba
    # numba's machine code on disk refers to the module by its name.
    return _module(f"minigrad_generated_{stem}" + (f"_{next(_ALONE)}" if alone else ""), file, source)


_ALONE = itertools.count()


def write_if_possible(path: Path, content: bytes) -> None:
    """Write a file of the cache."""
    with if_possible():
        _written(path, content)


def _written(path: Path, content: bytes) -> Path:
    """Write the file unless it exists with that content; return its path."""
    with contextlib.suppress(OSError):  # missing or unreadable: then it is replaced, if possible
        if path.read_bytes() == content:
            return path
    with whole_file(path) as file:
        file.write(content)
    return path


def _module(name: str, file: str, source: str) -> Any:
    """Make a module of the text, unless it is loaded."""
    loaded = sys.modules.get(name)
    if loaded is not None and loaded.__file__ == file:
        return loaded
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = file
    try:
        exec(compile(source, file, "exec"), vars(module))  # Python's own cache of it has no seal
    except BaseException:
        del sys.modules[name]
        raise
    return module


Rule.compiled = staticmethod(ufunc)  # type: ignore[method-assign]
