"""Compiled functions that others call at their address, instead of taking in a copy of their code.

numba hands LLVM a function together with all that it calls, to be optimised and translated as one. For a program over a
library of kernels that was most of the time that compiling took, though the kernels are there as machine code already.
So a kernel has a name, made of what it is called and of the types of its arguments. Whoever calls it knows the name,
and finds the address when its own machine code is loaded. On disk, too, machine code knows only names; beside it
stands which functions they belong to, and these are loaded, or compiled again, before it is.

A function that becomes part of what calls it is optimised there, and never runs by itself: nothing else is made of it.
Nor can Python call a kernel right away: numba would write, optimise and translate a function for that, with each
kernel. It is written where Python does call one, as a test or a lesson may.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import llvmlite.binding
import llvmlite.ir
import numba
from numba import types
from numba.core import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NopythonTypeInference


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
    """A function for compiled code, which Python may call as well."""

    def __call__(self, *arguments: Any) -> Any:
        if "from_python" not in vars(self):
            self.from_python = numba.njit(nogil=True)(_caller(self))
        return self.from_python(*arguments)


def _caller(function: Any) -> Any:
    return lambda *arguments: function(*arguments)


def inside(dispatcher: Any) -> Any:
    """Have Python call a function of which there is no version for Python."""
    dispatcher.__class__ = Inside
    return dispatcher


class Kernel(Inside):
    """The same for a function that is called at its address."""


def by_address(dispatcher: Any, before: Callable[[tuple[types.Type, ...]], None] | None = None) -> Any:
    """Have all compiled code call a function made by `njit` at its address.

    before: what is called before it is compiled or loaded, with the types of its arguments.
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
    # numba would compile it for a 3 and again for a 5, where those stand in the text of a caller.
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda positional, named: template(tuple(map(types.unliteral, positional)), named)
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


class Simple(JITCodeLibrary):
    """The code of a function whose speed does not matter. It shall be small: LLVM is quick with it."""

    def _optimize_functions(self, module: Any) -> None:
        super()._optimize_functions(module)
        for function in module.functions:
            if not function.is_declaration:
                function.add_function_attribute("optsize")
                function.add_function_attribute("minsize")


class Ingredient(JITCodeLibrary):
    """The code of a function that becomes part of others, as it was written: it is optimised there.

    Where numba looks for its machine code, there is only the variable that belongs to each of its functions.
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
        passes.finalize()
        return [passes]
