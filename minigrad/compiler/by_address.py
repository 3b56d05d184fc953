"""Compiled functions that others call at their address, instead of taking in a copy of their code.

numba hands LLVM a function together with all that it calls, to be optimised and translated as one. For a program over a
library of kernels that was most of the time that compiling took, though the kernels are there as machine code already.
So a kernel has a name, made of what it is called and of the types of its arguments. Whoever calls it knows the name,
and finds the address when its own machine code is loaded. On disk, too, machine code knows only names; beside it
stands which functions they belong to, and these are loaded, or compiled again, before it is.
"""

from __future__ import annotations

import copy
import sys
from dataclasses import dataclass
from typing import Any

import llvmlite.binding
from numba import types
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import AnalysisPass, register_pass
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


def by_address(dispatcher: Any) -> Any:
    """Have all compiled code call a function made by `njit` at its address."""
    function, compile_it, announced = dispatcher.py_func, dispatcher.compile, set()

    @global_compiler_lock
    def compile_and_announce(signature: Any) -> Any:
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

    dispatcher.compile, dispatcher.by_address = compile_and_announce, True
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
            if hasattr(kind.dispatcher, "by_address"):
                callees[Callee(function.__module__, function.__qualname__, signature.args)] = None
            else:  # its code becomes part of this function's
                callees |= dict.fromkeys(kind.dispatcher.overloads[signature.args].reload_init)
        state.reload_init.extend(callees)
        return False


class Pipeline(CompilerBase):
    """numba's usual compiler, for functions that call others at their addresses."""

    def define_pipelines(self) -> Any:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(RememberCallees, NopythonTypeInference)
        passes.finalize()
        return [passes]
