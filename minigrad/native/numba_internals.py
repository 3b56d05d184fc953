"""All that minigrad uses of numba's own parts, which another version of numba may change without notice.

Three things need them. Machine code on disk is sealed, and made again where a kernel that it calls has changed. While
something is compiled, Ctrl-C waits for a moment at which nothing is half done. And compiled functions call others at
their address, instead of taking in a copy of their code. If a part is missing, `jit.numba` says so in a sentence.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import gc
import glob
import importlib
import importlib.util
import io
import os
import pickle
import signal
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding
import llvmlite.ir
from numba import types
from numba.core import caching, cgutils, event, ir
from numba.core.base import BaseContext
from numba.core.codegen import JITCodeLibrary, get_host_cpu_features  # noqa: F401
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.datamodel import default_manager
from numba.core.errors import NumbaError, RequireLiteralValue  # noqa: F401
from numba.core.registry import CPUDispatcher, cpu_target  # noqa: F401
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global  # noqa: F401
from numba.core.untyped_passes import InlineClosureLikes
from numba.np import linalg

from minigrad.guards.files import remove_parts
from minigrad.guards.interrupts import Held, is_main_thread
from minigrad.native import jit

# ---------------------------------------------------------------- machine code on disk


def _source_stamp(locator: Any) -> tuple[Any, ...]:
    """Return the key of machine code on disk. numba checks a function's own file; our kernels call across files."""
    file = os.stat(locator._py_file)
    own = file.st_mtime, file.st_size
    return (*own, jit.kernels_stamp()) if locator._py_file.startswith(jit.HOUSE) else own


def _save(cache: Any, key: Any, data: Any) -> None:
    """Save machine code in a file of its own, and record it in the index of its function under `key`.

    numba numbers the files by the index that it has read. Two processes that begin at once used the same first number,
    and then the index of one pointed to the machine code of the other, made for other dtypes.
    """
    index = cache._load_index()
    stem = cache._index_name.removesuffix(".nbi")
    name = f"{stem}.{uuid.uuid4().hex[:16]}.nbc"
    cache._save_data(name, data)  # first: the index names only existing files
    index[key] = name
    cache._save_index(index)
    for file in Path(cache._cache_path).glob(f"{glob.escape(stem)}.*.nbc"):
        if file.name not in index.values():  # of an older source, or of a process whose index was overwritten
            with contextlib.suppress(OSError):  # in use, on Windows: the next one deletes it
                file.unlink(missing_ok=True)
    remove_parts(Path(cache._cache_path), f"{glob.escape(stem)}.*.tmp.*")


def _load(cache: Any, key: Any) -> Any:
    name = cache._load_index().get(key)
    return None if name is None else cache._load_data(name)


def _data(cache: Any, name: str) -> Any:
    content = jit.unsealed(Path(cache._cache_path, name))
    return None if content is None else pickle.loads(content)


def _save_data(cache: Any, name: str, data: Any) -> None:
    with cache._open_for_write(cache._data_path(name)) as file:
        file.write(jit.sealed(name, cache._dump(data)))


def _index(cache: Any) -> dict[Any, str]:
    """Which file holds the machine code for which types of arguments; none, for another numba or another source."""
    content = jit.unsealed(Path(cache._index_path))
    if content is None:
        return {}
    file = io.BytesIO(content)
    if pickle.load(file) != cache._version:
        return {}
    stamp, index = pickle.load(file)
    return index if stamp == cache._source_stamp else {}


def _save_index(cache: Any, index: dict[Any, str]) -> None:
    content = pickle.dumps(cache._version, protocol=-1) + cache._dump((cache._source_stamp, index))
    with cache._open_for_write(cache._index_path) as file:
        file.write(jit.sealed(cache._index_name, content))


@contextlib.contextmanager
def _guarded(cache: Any) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        jit._not_kept(error.strerror or str(error))


@contextlib.contextmanager
def open_for_write(path: str) -> Iterator[Any]:
    """Open a file that replaces the one at `path` when it is complete. numba's own function left a part of it behind
    where something else than an `Exception` ended it.
    """
    part = f"{path}.tmp.{uuid.uuid4().hex[:16]}"
    try:
        with open(part, "wb") as file:
            yield file
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def _check(owner: Any, *names: str) -> None:
    """Raise AttributeError unless numba has these parts, which are replaced, overridden, or used when compiling."""
    for name in names:
        getattr(owner, name)


def _replace(owner: Any, **methods: Any) -> None:
    _check(owner, *methods)
    for name, method in methods.items():
        setattr(owner, name, method)


# numba's hook for harmless disk errors; by default it ignores only Windows'.
_replace(caching.Cache, _guard_against_spurious_io_errors=_guarded)
_replace(caching._SourceFileBackedLocatorMixin, get_source_stamp=_source_stamp)
_replace(
    caching.IndexDataCacheFile, load=_load, save=_save, _load_index=_index, _save_index=_save_index, _load_data=_data,
    _save_data=_save_data, _open_for_write=staticmethod(open_for_write),
)  # fmt: skip

if " ".join(default_manager[types.float32[:, ::1]]._fields) != "meminfo parent nitems itemsize data shape strides":
    raise AttributeError("an array has other parts")
_check(cgutils, "for_range", "get_or_insert_function", "pack_array", "unpack_tuple", "voidptr_t")
_check(CPUDispatcher, "get_call_template", "compile", "typeof_pyval")
_check(JITCodeLibrary, "_optimize_functions", "_optimize_final_module", "_finalize_final_module")
_check(JITCodeLibrary, "_finalize_dynamic_globals", "_get_module_for_linking", "get_pointer_to_function")

# ---------------------------------------------------------------- SciPy
# Before its first function, numba imports SciPy's linear algebra only to learn whether there is one. That takes a tenth
# of a second in each process that loads machine code. A function that calls it asks once more: then it is imported.


def _blas_is_there() -> None:
    if importlib.util.find_spec("scipy") is None:
        raise ImportError("no SciPy")


_ensure_blas = linalg.ensure_blas
_replace(linalg, ensure_blas=_blas_is_there)
importlib.import_module("numba.np.arraymath")
linalg.ensure_blas = _ensure_blas

# ---------------------------------------------------------------- sizes of types
# To learn how large a variable is, numba has LLVM read a module with one in it: for each argument of each function.

_replace(BaseContext, get_abi_sizeof=functools.cache(BaseContext.get_abi_sizeof))

# ---------------------------------------------------------------- while numba compiles
# LLVM calls back into Python, and what is raised there is printed and forgotten: a Ctrl-C that came at such a moment
# left a library without its machine code. Anywhere else it could leave a symbol without an address, or numba's tables
# with a part of their entries. So a signal waits for the compiler's next step, as its own errors do, or for its end.


class _Compiling(event.Listener):  # type: ignore[misc]
    """Hears when a thread asks for numba's lock, and when it has given it back. It may do so again before that."""

    def __init__(self) -> None:
        self.compiling, self.paused, self.lock = 0, False, threading.Lock()
        self.held, self.depth = Held(), 0  # of the main thread

    def on_start(self, event: Any) -> None:
        if is_main_thread():
            if self.depth == 0:
                self.held = Held()
                self.held.hold(signal.valid_signals())
            self.depth += 1
        with self.lock:  # nearly all of numba's objects stay, and scanning them took about a tenth of the time
            self.compiling += 1
            if self.compiling == 1 and gc.isenabled():
                self.paused = True
                gc.disable()

    def on_end(self, event: Any) -> None:
        with self.lock:
            self.compiling -= 1
            if self.compiling == 0 and self.paused:
                self.paused = False
                if not gc.get_freeze_count():  # moves all objects to the oldest generation, unscanned
                    gc.freeze()
                    gc.unfreeze()
                gc.enable()
        if is_main_thread():
            self.depth -= 1
            if self.depth == 0:
                self.held.release()


class _Steps(event.Listener):  # type: ignore[misc]
    """Hears when the compiler begins with one of its passes over a function: it may fail there, and so end there."""

    def on_start(self, event: Any) -> None:
        if COMPILING.depth and is_main_thread():
            COMPILING.held.call()

    def on_end(self, event: Any) -> None:
        """Do nothing: what comes behind a pass belongs to it."""


COMPILING = _Compiling()
event.register("numba:compiler_lock", COMPILING)
event.register("numba:run_pass", _Steps())

# ---------------------------------------------------------------- functions called at their address
# numba hands LLVM a function together with all that it calls, to be optimised as one. For a program over a library of
# kernels that was most of the compile time. So a kernel has a name, made of its own and of the types of its arguments,
# and a caller finds the address of that name when its own machine code is loaded. On disk, beside machine code stands
# which functions the names in it belong to: these are loaded, or compiled again, before it is.


@dataclass(frozen=True)
class Callee:
    """A function for some types of arguments. It is called before any machine code that knows its name is loaded."""

    module: str
    function: str
    arguments: tuple[types.Type, ...]

    @property
    def symbol(self) -> str:
        """Its name for LLVM."""
        return f"{self.module}.{self.function}({', '.join(map(str, self.arguments))})"

    def __call__(self) -> None:
        getattr(sys.modules[self.module], self.function).compile(self.arguments)


class Inside(CPUDispatcher):
    """A function for compiled code. Python may call it, too: what that takes is made at its first call, and kept."""

    def __call__(self, *arguments: Any) -> Any:
        if "from_python" not in vars(self):
            self.from_python = jit.njit(pipeline_class=Pipeline, nogil=True)(_caller(self))
        return self.from_python(*arguments)


def _caller(callee: Any) -> Any:
    """A function that only calls another, and seems to stand in its file: numba keeps machine code of files."""
    function = callee.py_func
    names = {"callee": callee, "__name__": function.__module__}
    text = "def from_python(*arguments):\n    return callee(*arguments)\n"
    exec(compile(text, function.__code__.co_filename, "exec"), names)
    names["from_python"].__qualname__ = f"{function.__qualname__}.from_python"
    return names["from_python"]


def inside(dispatcher: Any) -> Any:
    """Have Python call a function of which there is no version for Python."""
    dispatcher.__class__ = Inside
    return dispatcher


class Kernel(Inside):
    """The same for a function that is called at its address."""


def by_address(
    dispatcher: Any,
    before: Callable[[tuple[types.Type, ...]], None] | None = None,
    plain: Callable[[types.Type], types.Type] = types.unliteral,
) -> Any:
    """Have all compiled code call a function made by `njit` at its address.

    before: what is called before it is compiled or loaded, with the types of its arguments. plain: see `for_types`.
    """
    function, compile_it, announced = dispatcher.py_func, dispatcher.compile, set()

    @global_compiler_lock
    def compile_and_announce(signature: Any) -> Any:
        if before is not None:
            before(normalize_signature(signature)[0])
        entry = compile_it(signature)
        for arguments, result in dispatcher.overloads.items():
            if arguments in announced:
                continue
            announced.add(arguments)
            symbol = Callee(function.__module__, function.__qualname__, arguments).symbol
            llvmlite.binding.add_symbol(symbol, result.library.get_pointer_to_function(result.fndesc.llvm_func_name))
            known = copy.copy(result.fndesc)
            known.mangled_name = symbol
            dispatcher.targetctx.remove_user_function(result.entry_point)
            dispatcher.targetctx.insert_user_function(result.entry_point, known)  # and no library to link with
        return entry

    dispatcher.__class__, dispatcher.compile = Kernel, compile_and_announce
    return for_types(dispatcher, plain)


def for_types(dispatcher: Any, plain: Callable[[types.Type], types.Type] = types.unliteral) -> Any:
    """Have callers compile a function for plain types of arguments: numba would do so for a 3 and again for a 5, where
    those stand in the text of a caller, and for each shape of an array.
    """
    template = type(dispatcher).get_call_template
    dispatcher.get_call_template = lambda args, named: template(dispatcher, tuple(map(plain, args)), named)
    return dispatcher


@register_pass(mutates_CFG=False, analysis_only=True)
class RememberCallees(AnalysisPass):
    """Records the symbols that a function's machine code refers to."""

    _name = "remember_callees"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        callees: dict[Any, None] = {}
        for expression, signature in state.calltypes.items():
            if not isinstance(expression, ir.Expr) or expression.op != "call":
                continue
            kind = state.typemap[expression.func.name]
            if not isinstance(kind, types.Dispatcher):
                continue
            function = kind.dispatcher.py_func
            if isinstance(kind.dispatcher, Kernel):
                callees[Callee(function.__module__, function.__qualname__, signature.args)] = None
            else:  # its code becomes part of this function's
                callees |= dict.fromkeys(kind.dispatcher.overloads[signature.args].reload_init)
        state.reload_init.extend(callees)
        return False


POINTER = llvmlite.ir.IntType(8).as_pointer()


class Once(JITCodeLibrary):
    """The code of a function that only calls others: LLVM optimizes it once, as a whole."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout


class Simple(JITCodeLibrary):
    """The code of a function whose speed does not matter. It shall be small: LLVM is quick with it."""

    def _optimize_functions(self, module: Any) -> None:
        super()._optimize_functions(module)
        for function in module.functions:
            if not function.is_declaration:
                function.add_function_attribute("optsize")
                function.add_function_attribute("minsize")


class Ingredient(JITCodeLibrary):
    """The code of a function that becomes part of others, and is optimised there: no machine code is made of itself,
    and where numba looks for it, there is only the variable that belongs to each function.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True
        code = self._get_module_for_linking()
        rest = self._codegen._create_empty_module(self.name)
        for variable in code.global_variables:
            if variable.name.startswith("_ZN08NumbaEnv"):
                kept = llvmlite.ir.GlobalVariable(rest, POINTER, variable.name)
                kept.linkage, kept.initializer = "common", llvmlite.ir.Constant(POINTER, None)
        self._final_module = llvmlite.binding.parse_assembly(str(rest))
        super()._finalize_final_module()


class Pipeline(CompilerBase):
    """numba's usual compiler, for functions that call others at their addresses."""

    library: type[JITCodeLibrary] = JITCodeLibrary

    def define_pipelines(self) -> Any:
        library = Ingredient if self.state.flags.forceinline else self.library
        self.state.library = library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(RememberCallees, NopythonTypeInference)
        passes.passes = [step for step in passes.passes if step[0] is not InlineClosureLikes]  # there are none here
        passes.finalize()
        return [passes]
