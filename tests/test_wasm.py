"""tools/wasm.py: a module without names, and with bodies of functions that nobody calls taken out."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import wasm


def module(import_kind=0):
    """A module that imports one function, and has two: "keep" and "drop", of which each returns 7."""
    imports = bytes([1, 1]) + b"a" + bytes([1]) + b"b" + bytes([import_kind, 0])
    seven = bytes([4, 0, 0x41, 7, 0x0B])
    named = b"".join(bytes([number, 4]) + name for number, name in ((1, b"keep"), (2, b"drop")))
    names = bytes([4]) + b"name" + bytes([1, 1 + len(named), 2]) + named
    sections = ((1, bytes([1, 0x60, 0, 1, 0x7F])), (2, imports), (3, bytes([2, 0, 0])), (10, bytes([2]) + seven * 2))
    body = b"".join(bytes([kind, len(data)]) + data for kind, data in (*sections, (0, names)))
    return b"\0asm\1\0\0\0" + body


def test_only_functions_by_these_names_trap():
    whole = module()
    less = wasm.stripped(whole, re.compile("^drop$"))
    assert b"keep" not in less
    code = bytes([2, 4, 0, 0x41, 7, 0x0B, 3, 0, 0, 0x0B])  # the second one's first instruction is `unreachable`
    assert less.endswith(bytes([10, len(code)]) + code)
    assert wasm.stripped(whole, re.compile("^$")) == whole[: whole.index(bytes([4]) + b"name") - 2]


def test_other_imports_are_refused():
    with pytest.raises(ValueError, match="only imports of functions"):
        wasm.stripped(module(import_kind=3), re.compile("drop"))
