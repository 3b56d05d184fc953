"""All that minigrad uses of numba's own parts, which another version of numba may change without notice.

Nothing of numba is replaced: what others compile in the same process is theirs. Our functions are of classes of our
own (`Function`, `Kernel`), and so are their cache (code_cache.py) and their compiler (`Pipeline`). Three things need
that. Machine code on disk is sealed, and made again where a kernel that it calls has changed. While one of our
functions is compiled, Ctrl-C waits for a moment at which nothing is half done. And compiled functions call others at
their address, instead of taking in a copy of their code. If a part is missing, `jit.numba` says so in a sentence.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import gc
import importlib
import importlib.util
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import llvmlite.binding
from numba import types
from numba.core import cgutils, event, ir
from numba.core.codegen import JITCodeLibrary, get_host_cpu_features  # noqa: F401
from numba.core.compiler import Compiler, CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.datamodel import default_manager
from numba.core.errors import NumbaError, RequireLiteralValue  # noqa: F401
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global  # noqa: F401
from numba.core.untyped_passes import InlineClosureLikes
from numba.np import linalg
from numba.np.ufunc.ufuncbuilder import UFuncBuilder

from minigrad.guards.interrupts import Held, is_main_thread
from minigrad.native.code_cache import cache_of


def _check(owner: object, *names: str) -> None:
    """Raise AttributeError unless numba has these parts, which are overridden, or used when compiling."""
    for name in names:
        getattr(owner, name)


if " ".join(default_manager[types.float32[:, ::1]]._fields) != "meminfo parent nitems itemsize data shape strides":
    raise AttributeError("an array has other parts")
_check(cgutils, "for_range", "get_or_insert_function", "pack_array", "unpack_tuple", "voidptr_t")
_check(CPUDispatcher, "enable_caching", "get_call_template", "compile", "typeof_pyval")
_check(JITCodeLibrary, "_optimize_functions", "_optimize_final_module", "get_pointer_to_function")

# ---------------------------------------------------------------- SciPy
# Before its first function, numba imports SciPy's linear algebra only to learn whether there is one. That takes a tenth
# of a second in each process that loads machine code. A function that calls it asks once more: then it is imported.


def _import_arraymath() -> None:
    """Import numba's functions of arrays, if nobody has yet, without SciPy's linear algebra."""

    def blas_is_there() -> None:
        if importlib.util.find_spec("scipy") is None:
            raise ImportError("no SciPy")

    if "numba.np.arraymath" in sys.modules:
        return
    ensure_blas, linalg.ensure_blas = linalg.ensure_blas, blas_is_there
    try:
        importlib.import_module("numba.np.arraymath").ensure_blas = ensure_blas  # type: ignore[attr-defined]
    finally:
        linalg.ensure_blas = ensure_blas


_import_arraymath()

# ---------------------------------------------------------------- while numba compiles
# LLVM calls back into Python, and what is raised there is printed and forgotten: a Ctrl-C that came at such a moment
# left a library without its machine code. Anywhere else it could leave a symbol without an address, or numba's tables
# with a part of their entries. So a signal waits for the compiler's next step, as its own errors do, or for its end.


class _Compiling(contextlib.ContextDecorator, event.Listener):  # type: ignore[misc]
    """Holds numba's lock while one of our functions is compiled, and signals back until the compiler's next step."""

    def __init__(self) -> None:
        self.threads, self.paused, self.lock = 0, False, threading.Lock()
        self.held, self.depth = Held(), 0  # of the main thread

    def __enter__(self) -> None:
        if is_main_thread():
            if self.depth == 0:
                self.held = Held()
                self.held.hold(signal.valid_signals())
            self.depth += 1
        with self.lock:
            self.threads += 1
            if self.threads == 1:
                event.register("numba:run_pass", self)
                if gc.isenabled():  # nearly all of numba's objects stay, and scanning them took a tenth of the time
                    self.paused = True
                    gc.disable()
        global_compiler_lock.acquire()

    def __exit__(self, *error: object) -> None:
        global_compiler_lock.release()
        with self.lock:
            self.threads -= 1
            if self.threads == 0:
                event.unregister("numba:run_pass", self)
                if self.paused:
                    self.paused = False
                    if not gc.get_freeze_count():  # moves all objects to the oldest generation, unscanned
                        gc.freeze()
                        gc.unfreeze()
                    gc.enable()
        if is_main_thread():
            self.depth -= 1
            if self.depth == 0:
                self.held.release()

    def on_start(self, event: object) -> None:
        """Let signals through where the compiler begins with one of its passes: it may fail there, and so end there."""
        if self.depth and is_main_thread():
            self.held.call()

    def on_end(self, event: object) -> None:
        """Do nothing: what comes behind a pass belongs to it."""


compiling = _Compiling()


class Function(CPUDispatcher):
    """A function that numba compiles for us. Its machine code is kept in our files; Ctrl-C waits while it is made."""

    def enable_caching(self) -> None:
        """Keep machine code on disk, if possible."""
        self._cache = cache_of(self.py_func)

    def compile(self, signature: Any) -> Any:
        """Compile or load the version for these types of arguments."""
        with compiling:
            return super().compile(signature)

    def get_call_template(self, arguments: Sequence[types.Type], named: Any) -> Any:
        """Choose the version that compiled code calls."""
        return super().get_call_template(tuple(map(self.plain, arguments)), named)

    @staticmethod
    def plain(kind: types.Type) -> types.Type:
        """Return the type of argument for which a version is made."""
        return kind


class Plain(Function):
    """A function with one version for all numbers and shapes: numba would make one for a 3 and again for a 5, where
    those stand in the text of a caller, and one for each shape of an array.
    """

    @staticmethod
    def plain(kind: types.Type) -> types.Type:
        """Return the type without the number or the shape."""
        return types.unliteral(kind)


def compiled_function(
    function: Callable[..., Any], kind: type[Function] = Function, pipeline_class: Any = Compiler, **options: Any
) -> Function:
    """`numba.njit(cache=True, **options)(function)`, of our own class."""
    options = {"nopython": True, "boundscheck": None, **options}
    compiled = kind(function, targetoptions=options, pipeline_class=pipeline_class)
    compiled.enable_caching()
    return compiled


def vectorized(signatures: Sequence[str]) -> Callable[[Callable[..., Any]], Any]:
    """`numba.vectorize(signatures, cache=True)`, with our cache."""

    @compiling
    def decorate(function: Callable[..., Any]) -> Any:
        builder = UFuncBuilder(function)
        builder.nb_func.cache = cache_of(function)
        for signature in signatures:
            builder.add(signature)
        return builder.build_ufunc()

    return decorate


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


class Inside(Function):
    """A function for compiled code. Python may call it, too: what that takes is made at its first call, and kept."""

    def __call__(self, *arguments: object) -> Any:
        if "from_python" not in vars(self):
            self.from_python = compiled_function(_caller(self), pipeline_class=Pipeline, nogil=True)
        return self.from_python(*arguments)


def _caller(callee: Any) -> Any:
    """A function that only calls another, and seems to stand in its file: numba keeps machine code of files."""
    function = callee.py_func
    names = {"callee": callee, "__name__": function.__module__}
    text = "def from_python(*arguments):\n    return callee(*arguments)\n"
    exec(compile(text, function.__code__.co_filename, "exec"), names)
    names["from_python"].__qualname__ = f"{function.__qualname__}.from_python"
    return names["from_python"]


class Kernel(Plain, Inside):
    """A function that all compiled code calls at its address."""

    def compile(self, signature: Any) -> Any:
        """Compile or load it, and announce its address."""
        with compiling:
            entry = super().compile(signature)
            announced = vars(self).setdefault("announced", set())
            overloads: dict[Any, Any] = self.overloads
            for arguments, result in overloads.items():
                if arguments in announced:
                    continue
                announced.add(arguments)
                symbol = Callee(self.py_func.__module__, self.py_func.__qualname__, arguments).symbol
                address = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
                llvmlite.binding.add_symbol(symbol, address)
                known = copy.copy(result.fndesc)
                known.mangled_name = symbol
                self.targetctx.remove_user_function(result.entry_point)
                self.targetctx.insert_user_function(result.entry_point, known)  # and no library to link with
            return entry


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


@functools.cache
def _size_of(kind: Any) -> int:
    """Return the bytes of a type of LLVM, which numba has it read a module for: for each argument of each function."""
    return int(cpu_target.target_context.get_abi_sizeof(kind))


class Once(JITCodeLibrary):
    """The code of a function that only calls others: LLVM optimizes it once, as a whole."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout


class AsWritten(Once):
    """The code of loops in LLVM's own words: no pass of LLVM's shall change them."""

    def _optimize_final_module(self) -> None:
        """Leave it as it is."""


class Pipeline(CompilerBase):
    """numba's usual compiler, for functions that call others at their addresses."""

    library: type[JITCodeLibrary] = JITCodeLibrary

    def define_pipelines(self) -> Any:
        self.state.targetctx.get_abi_sizeof = _size_of
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(RememberCallees, NopythonTypeInference)
        passes.passes = [step for step in passes.passes if step[0] is not InlineClosureLikes]  # there are none here
        passes.finalize()
        return [passes]
