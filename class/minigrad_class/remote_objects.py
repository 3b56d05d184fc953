"""Things that stay outside: a test's function that counts its calls, a loop that counts its steps.

In a notebook `counted = outside(Counted(f))` is the thing itself. In a class it stays with the judge, and the
submission is given a `Stand`, which asks for each call over the wall. Neither the function nor its counter are where
the submission runs: it cannot look at them, copy them or set them back, and every value that it has of the function
is a call that was counted. What a check asks of the thing (`check_close(counted.calls, 2)`) is not asked of the
submission at all.
"""

from __future__ import annotations

import contextlib
import copy
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad_class.plain_values import Unreadable, decode, encode

CALL = "__call__"
MOST_KEPT = 10_000  # arrays of one test


def classes() -> dict[str, type]:
    """Objects that cross the wall whole, in both directions."""
    from minigrad import Dual

    return {"Dual": Dual}


class Things:
    """On the judge's side: the things of one test while a submission works with them."""

    def __init__(self, fresh: Sequence[tuple[Any, Sequence[str]]]) -> None:
        """`fresh`: each thing, of which a copy is used, and the names that an answer may use of it."""
        self.things = [copy.deepcopy(thing) for thing, _ in fresh]
        self.names = [tuple(names) or getattr(thing, "crosses", (CALL,)) for thing, names in fresh]
        self.arrays: dict[int, Any] = {}  # what the submission holds, by number
        self.number = 0

    def given(self, which: int) -> dict[str, Any]:
        """Describe a thing for the submission: the names of its functions, and other values unchanged."""
        values = {name: getattr(self.things[which], name) for name in self.names[which] if name != CALL}
        plain = {name: self._sent(value) for name, value in values.items() if not callable(value)}
        functions = [name for name in self.names[which] if name not in plain]
        return {"class": type(self.things[which]).__name__, "functions": functions, "values": plain}

    def call(self, which: int, name: str, arguments: list[Any], gone: list[int]) -> dict[str, Any]:
        """Call a thing; `gone` are the arrays that the submission holds no more, and cannot name again."""
        for number in gone:
            self.arrays.pop(number, None)
        if name not in self.names[which]:
            raise Unreadable(f"{name} is not to be used")
        function = self.things[which] if name == CALL else getattr(self.things[which], name)
        return self._sent(function(*map(self._received, arguments)))

    def _received(self, argument: dict[str, Any]) -> Any:
        if "number" in argument:
            return self.arrays[argument["number"]]
        return decode(argument["value"], classes())

    def _sent(self, value: object) -> dict[str, Any]:
        sent: dict[str, Any] = {"value": encode(value)}
        if isinstance(value, np.ndarray) and len(self.arrays) < MOST_KEPT:
            self.number += 1
            self.arrays[self.number] = value
            sent["number"] = self.number
        return sent


def _special(name: str) -> Callable[..., Any]:
    return lambda self, *arguments: vars(self)[name](*arguments)


class Stand:
    """On the submission's side: stands for a thing that is elsewhere. `ask` carries a request there and back."""

    def __init__(self, which: int, ask: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self._which, self._ask = which, ask
        self._held: dict[int, int] = {}  # id of an array that came from there -> its number there
        self._gone: list[int] = []
        description = ask({"which": which})
        for name, value in description["values"].items():
            setattr(self, name, self._came(value))
        for name in description["functions"]:
            setattr(self, name, self._function(name))
        # Python looks for these in the class: x[k] and x(k).
        special = {n: _special(n) for n in description["functions"] if n.startswith("__")}
        self.__class__ = type(description["class"], (Stand,), special)  # the name that error messages have

    def _function(self, name: str) -> Callable[..., Any]:
        def function(*arguments: object) -> Any:
            sent = [
                {"number": self._held[id(one)]} if id(one) in self._held else {"value": encode(one)}
                for one in arguments
            ]
            gone, self._gone = self._gone, []
            return self._came(self._ask({"which": self._which, "name": name, "arguments": sent, "gone": gone}))

        return function

    def _came(self, reply: dict[str, Any]) -> Any:
        value = decode(reply["value"], classes())
        if "number" in reply and isinstance(value, np.ndarray):
            self._held[id(value)] = reply["number"]
            weakref.finalize(value, self._left, id(value)).atexit = False
        return value

    def _left(self, place: int) -> None:
        with contextlib.suppress(KeyError):
            self._gone.append(self._held.pop(place))
