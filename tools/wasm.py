"""A WebAssembly file without names for debuggers, and without the bodies of functions that nobody calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

VERSION = 1  # of what is left out
CUSTOM, IMPORTS, CODE = 0, 2, 10  # sections
FUNCTION_NAMES = 1  # a part of the custom section "name"
UNREACHABLE = bytes([3, 0, 0, 11])  # three bytes of a function: no local variables; a trap; its end


def stripped(wasm: bytes, unused: re.Pattern[str]) -> bytes:
    """Return the same module without names. Functions by a name that `unused` finds trap where they are called."""
    sections = list(_sections(wasm))
    [imports] = [wasm[at:end] for kind, at, end in sections if kind == IMPORTS]
    [names] = [_names(wasm[at:end]) for kind, at, end in sections if kind == CUSTOM and _text(wasm, at)[0] == "name"]
    empty = {number for number, name in names if unused.search(name)}
    out = [wasm[:8]]
    for kind, at, end in sections:
        if kind == CUSTOM:
            continue
        body = _emptied(wasm[at:end], empty, _imported_functions(imports)) if kind == CODE else wasm[at:end]
        out += [bytes([kind]), _packed(len(body)), body]
    return b"".join(out)


def _emptied(code: bytes, empty: set[int], first: int) -> bytes:
    """Return the section of functions with some bodies emptied. first: the number of its first function."""
    count, at = _number(code, 0)
    bodies = [code[:at]]
    for number in range(first, first + count):
        size, start = _number(code, at)
        bodies.append(UNREACHABLE if number in empty else code[at : start + size])
        at = start + size
    return b"".join(bodies)


def _sections(wasm: bytes) -> Iterator[tuple[int, int, int]]:
    at = 8
    while at < len(wasm):
        size, start = _number(wasm, at + 1)
        yield wasm[at], start, start + size
        at = start + size


def _imported_functions(section: bytes) -> int:
    """Count the functions that a module imports. Raises ValueError where it imports anything else."""
    count, at = _number(section, 0)
    for _ in range(count):
        for _ in ("module", "name"):
            _, at = _text(section, at)
        if section[at] != 0:
            raise ValueError("only imports of functions are understood")
        _, at = _number(section, at + 1)
    return count


def _names(section: bytes) -> Iterator[tuple[int, str]]:
    """The functions' numbers and names, from the custom section."""
    _, at = _text(section, 0)
    while at < len(section):
        kind, (size, at) = section[at], _number(section, at + 1)
        if kind == FUNCTION_NAMES:
            count, at = _number(section, at)
            for _ in range(count):
                number, at = _number(section, at)
                name, at = _text(section, at)
                yield number, name
            return
        at += size


def _text(data: bytes, at: int) -> tuple[str, int]:
    size, at = _number(data, at)
    return data[at : at + size].decode("utf-8", "replace"), at + size


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Read a number of LEB128 at a place: it, and the place behind it."""
    number = shift = 0
    while True:
        byte = data[at]
        number, at, shift = number | (byte & 0x7F) << shift, at + 1, shift + 7
        if byte < 0x80:
            return number, at


def _packed(number: int) -> bytes:
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])
