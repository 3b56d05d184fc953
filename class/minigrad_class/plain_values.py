"""Answers as plain data: what a submission computed is carried over the wall as JSON, never as objects with code.

`encode` runs beside the submission, which can make it say anything. That is why `decode`, on our side, builds numbers,
strings, arrays and lists of its own, checks every size, and takes nothing for a class but the ones that it was given.
The form is a flat table whose entries name each other by number: a chain of 5,000 nodes is no deep recursion, and a
node that appears twice stays one node.
"""

from __future__ import annotations

import base64
import math
import numbers
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from minigrad_course import PACKAGES

MOST = 200_000  # entries in one value
MOST_BYTES = 4_000_000  # in one array or string
NUMERIC = "biufc"  # kinds of NumPy's types
CONTAINERS = ("list", "tuple", "set", "frozenset", "dict")


class Unreadable(ValueError):
    """A value that cannot be carried over; the text is half a sentence about it."""


def encode(value: object) -> list[list[Any]]:
    """A value as a table of entries [tag, content]; the first entry is the value itself.

    Lists, tuples, sets, mappings and arrays keep their form; a generator becomes a list of what it gives; objects of
    classes from the notebook or from minigrad become their fields; of anything else stays its type and its text.
    """
    table: list[list[Any]] = []
    number: dict[int, int] = {}
    kept: list[Any] = []  # so that no id is used twice

    def refer(part: object) -> int:
        if id(part) not in number:
            if len(kept) >= MOST:
                raise Unreadable(f"it has more than {MOST:,} parts")
            number[id(part)] = len(kept)
            kept.append(part)
        return number[id(part)]

    refer(value)
    while len(table) < len(kept):
        table.append(_entry(kept[len(table)], refer))
    return table


def _entry(value: Any, refer: Any) -> list[Any]:
    if value is None or isinstance(value, (bool, np.bool_)):
        return ["plain", None if value is None else bool(value)]
    if isinstance(value, str):
        return ["str", str.__str__(value)[:MOST_BYTES]]
    if isinstance(value, int):
        text = format(int(value), "x")
        return ["int", text] if len(text) <= 10_000 else ["opaque", "int", "a very long number"]
    if isinstance(value, float) and not isinstance(value, np.generic):
        return ["float", float(value).hex()]
    if isinstance(value, complex) and not isinstance(value, np.generic):
        return ["complex", [value.real.hex(), value.imag.hex()]]
    if isinstance(value, (np.ndarray, np.generic)):
        return _array(value) or _entry(value.tolist(), refer)
    if isinstance(value, (list, tuple, set, frozenset)):
        kind = next(kind for kind in (list, tuple, set, frozenset) if isinstance(value, kind))
        return [kind.__name__, [refer(part) for part in value]]
    if isinstance(value, Mapping):
        return ["dict", [[refer(key), refer(part)] for key, part in value.items()]]
    module = str(type(value).__module__)
    if (module == "__main__" or module.split(".")[0] in PACKAGES) and not isinstance(value, type):
        return ["object", type(value).__name__, _text(value), _fields(value, refer), _number(value)]
    if hasattr(value, "__array__"):
        encoded = _array(np.asarray(value))
        if encoded:
            return encoded
    if isinstance(value, Iterable) and not isinstance(value, (type, bytes, bytearray)):
        parts = []
        for part in value:
            parts.append(refer(part))
            if len(parts) > MOST:
                raise Unreadable("it never ends")
        return ["list", parts]
    if isinstance(value, numbers.Real):
        return ["float", float(value).hex()]
    return ["opaque", type(value).__name__, _text(value)]


def _array(value: object) -> list[Any] | None:
    array = np.asarray(value)
    if array.dtype.kind not in NUMERIC:
        return None
    if array.nbytes > MOST_BYTES:
        raise Unreadable(f"it has {array.nbytes:,} bytes, and {MOST_BYTES:,} are the most")
    native = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    return ["array", native.dtype.str, list(array.shape), base64.b64encode(native.tobytes()).decode()]


def _fields(value: object, refer: Any) -> dict[str, int]:
    fields = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name):
                fields[name] = getattr(value, name)
    return {str(name): refer(part) for name, part in fields.items() if not callable(part)}


def _number(value: Any) -> list[Any] | None:
    """For objects that stand for numbers, such as nodes: the numbers."""
    if not hasattr(value, "__array__") and not hasattr(value, "__float__"):
        return None
    try:
        return _array(np.asarray(value) if hasattr(value, "__array__") else float(value))
    except Exception:
        return None  # an object that refuses to be a number is none


def _text(value: object) -> str:
    try:
        return repr(value)[:200]
    except Exception:
        return f"a {type(value).__name__}"


class Opaque:
    """Something that was an object on the other side; its text and its fields are known, and nothing can be done."""

    _text = ""

    def __repr__(self) -> str:
        return self._text


def decode(table: object, classes: Mapping[str, type] | None = None) -> Any:
    """The value of a table. An object whose class is in `classes` becomes one of these, with the fields it had.

    Raises Unreadable where the table is not one that `encode` makes.
    """
    if not isinstance(table, list) or not 0 < len(table) <= MOST or not all(isinstance(e, list) and e for e in table):
        raise Unreadable("it is no table of values")
    try:
        return _Decoder(table, classes or {}).value()
    except Unreadable:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, MemoryError) as error:
        raise Unreadable(f"it does not fit together ({type(error).__name__})") from None


class _Decoder:
    def __init__(self, table: list, classes: Mapping[str, type]) -> None:
        self.table, self.classes = table, classes
        self.made: dict[int, Any] = {}
        self.making: set[int] = set()

    def value(self) -> Any:
        self._unfold()
        for i, (tag, *content) in enumerate(self.table):
            if tag in ("list", "dict", "set"):
                self.made[i] = {"list": list, "dict": dict, "set": set}[tag]()
            elif tag == "object":
                self.made[i] = self._object(*content)
            elif tag not in ("tuple", "frozenset"):
                self.made[i] = _atom(tag, content)
        # Objects first: sets and dicts may ask their fields for a hash.
        for only in ("list", "object", "set", "dict"):
            for i, (tag, *content) in enumerate(self.table):
                if tag == only:
                    self._fill(tag, self.made[i], content)
        return self.get(0)

    def _unfold(self) -> None:
        """Refuse what is small as a table and endless to whoever walks through it: `t = (t, t)`, ninety times."""
        sizes: dict[int, int] = {}  # entries of each container with all that is in it; -1 while it is being counted
        for start, entry in enumerate(self.table):
            if entry[0] not in CONTAINERS or start in sizes:
                continue
            waiting = [start]
            while waiting:
                i = waiting[-1]
                parts = self._parts(i)
                if i not in sizes:
                    sizes[i] = -1
                    inner = [p for p in parts if sizes.get(p, 0) <= 0 and self.table[p][0] in CONTAINERS]
                    if any(p in sizes for p in inner):
                        raise Unreadable("it contains itself")
                    waiting += inner
                    continue
                waiting.pop()
                sizes[i] = 1 + sum(sizes.get(p, 1) for p in parts)
                if sizes[i] > MOST:
                    raise Unreadable(f"it has more than {MOST:,} parts")

    def _parts(self, i: int) -> list[int]:
        tag, content = self.table[i][:2]
        parts = [part for pair in content for part in pair] if tag == "dict" else content
        if not all(type(part) is int and 0 <= part < len(self.table) for part in parts):
            raise Unreadable("it refers to a part that is not there")
        return parts

    def get(self, i: int) -> Any:
        if type(i) is not int or not 0 <= i < len(self.table):
            raise Unreadable("it refers to a part that is not there")
        if i not in self.made:  # a tuple or a frozenset: made of its parts
            if i in self.making or len(self.making) > 100:
                raise Unreadable("its tuples are nested without end")
            self.making.add(i)
            kind = tuple if self.table[i][0] == "tuple" else frozenset
            self.made[i] = kind([self.get(part) for part in self.table[i][1]])
            self.making.remove(i)
        return self.made[i]

    def _object(self, name: str, text: object, fields: object, number: Any) -> Any:
        kind = self.classes.get(str(name))
        if kind is not None:
            return object.__new__(kind)
        members: dict[str, Any] = {"_text": str(text)[:200]}
        if number is not None:
            array = _atom(number[0], number[1:])
            members["__array__"] = lambda self, dtype=None, copy=None: np.asarray(array, dtype=dtype)
        return type(_name(name), (Opaque,), members)()

    def _fill(self, tag: str, made: Any, content: list) -> None:
        if tag == "list":
            made.extend(self.get(part) for part in content[0])
        elif tag == "set":
            made.update(self.get(part) for part in content[0])
        elif tag == "dict":
            made.update((self.get(key), self.get(part)) for key, part in content[0])
        else:
            for name, part in content[2].items():
                if str(name).startswith("__"):  # NumPy would believe an __array_interface__, and read our memory
                    continue
                if hasattr(made, "__dict__"):
                    made.__dict__[str(name)] = self.get(part)
                elif type(getattr(type(made), str(name), None)).__name__ == "member_descriptor":  # a slot
                    object.__setattr__(made, str(name), self.get(part))


def _atom(tag: str, content: list) -> Any:
    if tag == "plain" and (content[0] is None or isinstance(content[0], bool)):
        return content[0]
    if tag == "str" and isinstance(content[0], str):
        return content[0]
    if tag == "int" and len(content[0]) <= 10_001:
        return int(content[0], 16)
    if tag == "float":
        return float.fromhex(content[0])
    if tag == "complex":
        return complex(float.fromhex(content[0][0]), float.fromhex(content[0][1]))
    if tag == "array":
        return _read_array(*content)
    if tag == "opaque":
        return type(_name(content[0]), (Opaque,), {"_text": str(content[1])[:200]})()
    raise Unreadable("it has a part of an unknown kind")


def _read_array(kind: str, shape: list[int], data: str) -> Any:
    dtype = np.dtype(kind)
    if dtype.kind not in NUMERIC or dtype.hasobject or len(data) > 2 * MOST_BYTES:
        raise Unreadable("it has an array of no numbers")
    content = base64.b64decode(data, validate=True)
    if not all(type(n) is int and n >= 0 for n in shape) or math.prod(shape) * dtype.itemsize != len(content):
        raise Unreadable("it has an array that is not of its own size")
    array = np.frombuffer(content, dtype).reshape(shape).astype(dtype.newbyteorder("="))
    return array if shape else array[()]


def _name(name: str) -> str:
    return str(name)[:60] if str(name).isidentifier() else "object"
