"""`%%explore` in IPython and Jupyter: run a cell, and explore the last function that it defines.

    %%explore x=2.0 w=[1,2]
    def f(x, w):
        return mg.sum(w * x)

The names of its parameters are the names of its inputs.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register %%explore (importing minigrad in IPython does so)."""
    from IPython.core import magic

    @magic.no_var_expand
    def explore_cell(line: str, cell: str) -> Any:
        """Run this cell, and explore a run of the last function that it defines.

        %%explore                   with the defaults of its parameters, or 1
        %%explore x=2.0 w=[1,2]     with these values
        %%explore mode=forward      a pass forward for each input
        """
        __tracebackhide__ = True  # an error is about the cell, not about ours
        from minigrad_course.viz.explore.typed import Typed, TypedError  # only where it is used: it takes a moment

        values, mode = _options(line)
        try:
            source = "\n" + shell.transform_cell(cell)  # an empty line in place of %%explore: lines are the cell's
            typed = Typed(source, shell.user_ns, shell.compile.cache(source, shell.displayhook.prompt_count))
            explorer, notice = typed.explore(values, mode)
        except TypedError as error:
            raise _usage_error(f"{f'line {error.line}: ' if error.line else ''}{error}") from None
        if notice:
            print(notice)
        return explorer

    shell.register_magic_function(explore_cell, "cell", "explore")


def _options(line: str) -> tuple[dict[str, Any], str]:
    """Return the values of inputs, and the mode."""
    values, mode = {}, "reverse"
    for part in line.split():
        name, equals, text = part.partition("=")
        if name == "mode" and text in ("forward", "reverse"):
            mode = text
            continue
        try:
            values[name] = ast.literal_eval(text)
        except (SyntaxError, ValueError):
            equals = ""
        if not equals or not name.isidentifier():
            raise _usage_error(
                f"{part} is no input with its value. Write name=value without blanks: x=2.0 w=[1,2] mode=forward"
            )
    return values, mode


def _usage_error(message: str) -> Exception:
    from IPython.core.error import UsageError

    return UsageError(f"%%explore: {message}")
