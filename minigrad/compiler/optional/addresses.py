"""Pass the arrays of a large program by address, in a table, so that a network of twenty layers compiles in seconds.

numba's time for a function grows with every array that it takes, passes on or reshapes: an array is
nine numbers to it. So where a program has more arrays than MANY, its main function handles addresses, one number each,
and what it calls makes arrays of them. The text stays the same, but for the lines that fetch the addresses.

In plain Python the table holds the arrays themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.compiler.origins import free_name
from minigrad.compiler.outline import Function, Piece, as_function, common_words
from minigrad.compiler.text import Line
from minigrad.kernels.compiled import PURE_PYTHON, shaped

MANY = 64  # arrays
Specs = Mapping[str, tuple[tuple[int, ...], str]]  # name -> shape, and dtype as the program writes it


def table(arrays: Sequence[np.ndarray]) -> Any:
    """Return the arrays' addresses. The caller must keep the arrays alive."""
    return tuple(arrays) if PURE_PYTHON else np.array([array.ctypes.data for array in arrays], np.int64)


def fits(arrays: Sequence[Any]) -> bool:
    """Tell whether there are enough arrays for it to pay, each a contiguous array and not a number."""
    whole = all(array.flags.c_contiguous for array in arrays if isinstance(array, np.ndarray))
    return len(arrays) > MANY and whole and all(array.shape != () for array in arrays)


def addressed(
    name: str, pieces: Sequence[Piece], specs: Specs, places: Mapping[str, int], numbers: Sequence[str]
) -> tuple[list[Function], list[Line]]:
    """Return the functions that make arrays from addresses, and the lines of the main function.

    places: the index in the table of the array behind each name. numbers: the main function's other arguments.
    """
    makers: dict[tuple[str, tuple[Any, ...]], str] = {}
    called: dict[tuple[str, tuple[Any, ...]], list[list[str]]] = {}  # the arguments of its calls
    here: dict[str, None] = {}  # names that lines of the main function read or write themselves
    for piece in pieces:
        if not piece.calls:
            here |= dict.fromkeys(word for word in piece.words if word in specs)
            continue
        key = piece.calls, tuple(specs.get(argument) for argument in piece.names)
        if key not in makers:
            makers[key] = free_name(f"{piece.calls}_at", {*makers.values(), *specs, *numbers})
        called.setdefault(key, []).append(piece.names)
    functions = [_maker(makers[key], key[0], arguments, specs) for key, arguments in called.items()]
    wanted = dict.fromkeys(a for piece in pieces if piece.calls for a in piece.names if a in specs)
    lines = [Line(1, "# where the arrays are: addresses, or without numba the arrays themselves")]
    at = {word: free_name(f"{word}_at", {*specs, *numbers}) if word in here else word for word in wanted}
    by_place: dict[int, list[str]] = {}
    for word in wanted:
        by_place.setdefault(places[word], []).append(at[word])
    lines += [Line(1, f"{' = '.join(words)} = at[{place}]") for place, words in sorted(by_place.items())]
    lines += [Line(1, f"{word} = {_array(f'at[{places[word]}]', *specs[word])}") for word in here]
    for piece in pieces:
        if piece.calls:
            maker = makers[piece.calls, tuple(specs.get(argument) for argument in piece.names)]
            lines += [line for line in piece.lines if line.is_comment]
            lines.append(Line(1, f"{maker}({', '.join(at.get(a, a) for a in piece.names)})"))
        else:
            lines += piece.lines
    return functions, lines


def _maker(name: str, makes_for: str, calls: Sequence[Sequence[str]], specs: Specs) -> Function:
    arguments = list(common_words(calls).values())
    words = [_array(word, *specs[a]) if a in specs else word for word, a in zip(arguments, calls[0], strict=True)]
    return as_function(
        "@part", name, arguments, [Line(1, f"{makes_for}("), *(Line(2, f"{x},") for x in words), Line(1, ")")]
    )


def _array(address: str, shape: tuple[int, ...], dtype: str) -> str:
    return f"array_at({address}, {shape}, {dtype})"


def in_python(a, shape, dtype):
    """Return `a`, which the table holds itself, in another shape."""
    return shaped(a, shape)


array_at: Any = in_python
if not PURE_PYTHON:
    from minigrad.kernels import machine_code

    array_at = machine_code.array_at
