"""`%%measure` in IPython and Jupyter: run the cell, show its cost, and then its value as usual."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minigrad_course.measure.stopwatch import measure

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register %%measure (`%load_ext minigrad_course.measure`; so does importing it in IPython)."""
    from IPython.core import magic
    from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
    from IPython.display import display

    @magic.no_var_expand
    @getattr(magic, "output_can_be_silenced", lambda function: function)  # by a semicolon, since IPython 8.8
    @magic_arguments("%%measure")
    @argument("--all", action="store_true", help="count all allocations of the process, PyTorch's too: slows Python")
    @argument("-o", "--output", metavar="NAME", help="keep the measurement in the variable NAME")
    def measure_cell(line: str, cell: str) -> Any:
        """Measure this cell: seconds (compiling apart), bytes of NumPy and numba arrays allocated, peak.

        With --all the seconds are too long.
        """
        __tracebackhide__ = True  # an error shows the lines of the cell alone
        options = parse_argstring(measure_cell, line)
        if options.output is not None and not options.output.isidentifier():
            raise _usage_error(f"-o {options.output}: that is no name for a variable.")
        run = _Cell(shell, cell)
        with measure("process" if options.all else "arrays") as m:
            run()
        if options.output:
            shell.user_ns[options.output] = m
        display(m)
        return run.value

    shell.register_magic_function(measure_cell, "cell", "measure")


class _Cell:
    """A cell, compiled: calling it runs it in the user's namespace and keeps the value of the last expression."""

    def __init__(self, shell: InteractiveShell, cell: str) -> None:
        self.value: object = None
        self._names = shell.user_ns
        # An empty line in place of %%measure, and the number of this cell, so that errors name the notebook's lines.
        source = "\n" + shell.transform_cell(cell)
        name = shell.compile.cache(source, shell.displayhook.prompt_count)
        try:
            tree = shell.transform_ast(shell.compile.ast_parse(source, filename=name))
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            self._body = shell.compile(tree, name, "exec")
            self._last = shell.compile(ast.Expression(last.value), name, "eval") if last else None
        except SyntaxError as error:
            if "outside" in error.msg and ("await" in error.msg or "async" in error.msg):
                raise _usage_error(
                    "a measured cell cannot `await` outside a function; use `with mg.measure() as m:` in a plain cell."
                ) from None
            raise

    def __call__(self) -> None:
        __tracebackhide__ = True
        exec(self._body, self._names)
        self.value = eval(self._last, self._names) if self._last else None


def _usage_error(message: str) -> Exception:
    from IPython.core.error import UsageError

    return UsageError(f"%%measure: {message}")
