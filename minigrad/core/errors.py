"""Errors in a sentence: what was given, what is wrong with it, and the learner's own line."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Sequence
from types import BuiltinFunctionType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from minigrad.core.arrays import Operation

PACKAGE_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
INTERNAL_DIRS: tuple[str, ...] = (PACKAGE_DIR,)  # no line of a file in these folders is the learner's


def add_internal_dir(folder: str) -> None:
    """Count the files in a folder as internal: those of a package that calls this one."""
    global INTERNAL_DIRS
    if folder not in INTERNAL_DIRS:
        INTERNAL_DIRS += (folder,)


def is_internal(file: str) -> bool:
    """Tell whether a file is minigrad's own, or that of a package around it."""
    return file.startswith(INTERNAL_DIRS)


class Line(NamedTuple):
    """A line of the code outside minigrad that led here."""

    file: str
    number: int

    def __str__(self) -> str:
        return self._sentence(f"line {self.number} of your cell", f"{os.path.basename(self.file)}, line {self.number}")

    def unnumbered(self) -> str:
        """Return the line without its number, which changes with every line inserted above."""
        return self._sentence("your cell", os.path.basename(self.file))

    def _sentence(self, in_cell: str, in_file: str) -> str:
        linecache.checkcache(self.file)  # it may have been edited and reloaded
        source = linecache.getline(self.file, self.number).strip()
        place = in_cell if "ipykernel" in self.file or self.file.startswith("<ipython") else in_file
        return f"{place}: `{source}`" if source else place


def learner_line() -> Line | None:
    """Return the innermost line on the call stack outside minigrad."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(INTERNAL_DIRS):
        frame = frame.f_back
    return None if frame is None else Line(frame.f_code.co_filename, frame.f_lineno)


def describe(x: object) -> str:
    """Describe an input by shape and dtype."""
    if isinstance(x, int | float) and not isinstance(x, np.generic):
        return f"the number {x}"
    if isinstance(x, np.ndarray | np.generic):
        return f"{x.dtype} of shape {x.shape}"
    return kind_of(x)


def kind_of(x: object) -> str:
    """Return x's type with an article: "a Variable", "an int", "an ndarray"."""
    name = type(x).__name__.lstrip("_")
    return f"{'an' if name[:1] in 'AEIOUaeio' or name == 'ndarray' else 'a'} {name}"


def numberless(x: object) -> str:
    """Describe what holds no numbers: "a dict", "the text 'a'"; "" for what holds some."""
    if isinstance(x, int | float) or hasattr(type(x), "lift"):  # traced values hold numbers
        return ""
    if isinstance(x, ModuleType):
        return f"the module {x.__name__}"
    if isinstance(x, type):
        return f"the class {x.__name__}"
    if isinstance(x, FunctionType | BuiltinFunctionType | np.ufunc):
        return f"the function {x.__name__} itself: call it first"
    try:
        array = np.asarray(x)
    except ValueError as error:
        return "rows of unequal lengths" if "inhomogeneous" in str(error) else ""
    except TypeError:  # a list with a node in it, which has its own advice
        return ""
    if array.dtype.kind in "fiubc":
        return ""
    if isinstance(x, str | bytes) or x is None:
        return "None" if x is None else f"the text {x!r:.40}"
    if array.dtype.kind not in "OUS":
        return f"{array.dtype} of shape {array.shape}"
    content = "objects" if array.dtype == object else "texts"
    many = isinstance(x, np.ndarray | list | tuple)
    return f"{kind_of(x)} of {content}, of shape {array.shape}" if many else kind_of(x)


def refusal(op: Operation, inputs: Sequence[Any], error: Exception, line: Line | None) -> Exception:
    """Return the error of an operation that refused its inputs: its name, the inputs, the reason, and the line."""
    described = " and ".join(numberless(x) or describe(x) for x in inputs)
    if any(map(numberless, inputs)):
        advice = "It takes numbers and arrays of numbers"
    else:
        advice = op.advice(*inputs) or str(error)
    message = f"{op.name} cannot take {described}. {advice.rstrip('.')}." + (f" At {line}" if line else "")
    # NumPy's own subclasses of these errors take other arguments than a message.
    kind = next(kind for kind in (ValueError, TypeError, IndexError) if isinstance(error, kind))
    return kind(message)


def unmasked(x: Any) -> Any:
    """Return x, unless it is an array of NumPy's with a mask, which no operation would look at."""
    if hasattr(x, "mask") and isinstance(x, np.ma.MaskedArray):
        raise TypeError(
            f"a masked array of shape {x.shape} would lose its mask. x.filled(0) puts a number where something is "
            "masked, x.compressed() leaves it out, and mg.where(mask, 0, x) chooses for each entry"
        )
    return x
