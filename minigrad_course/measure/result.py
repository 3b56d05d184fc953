"""The result of a measurement, shown as one line of text or one small table in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from minigrad.compiler.tables import as_html


class Unavailable(Exception):
    """A way of counting that does not work here; the message says why and what to do."""


@dataclass(frozen=True)
class Count:
    """The result of a counter. A figure that it cannot know is None, with a note that explains why."""

    allocated_bytes: int | None = None
    allocations: int | None = None
    peak_bytes: int | None = None
    notes: tuple[str, ...] = ()


@dataclass
class Measurement:
    """Seconds and bytes of one piece of code. Filled in when the measured block ends; until then all is None.

    A figure that is not known is None, never a guess: `notes` and `method` say why.
    """

    #: Wall-clock seconds without compile_seconds. The median, where the code ran several times.
    seconds: float | None = None
    #: Seconds in which numba compiled or loaded compiled code; in all runs together, warm-up included.
    compile_seconds: float | None = None
    #: All bytes allocated in one run, even if freed since (as Julia's @time counts).
    allocated_bytes: int | None = None
    #: The number of memory blocks.
    allocations: int | None = None
    #: The highest that the counted bytes rose above their level at the start. Memory from before that is given back
    #: inside lowers it only where the counter knows of it (numba's, and arrays made in an earlier measured block).
    peak_bytes: int | None = None
    #: The scope of the bytes: "arrays" (NumPy and numba), "process" (everything) or "nothing".
    counted: str = "nothing"
    #: The method of counting, and its blind spots.
    method: str = ""
    #: Remarks on these figures.
    notes: tuple[str, ...] = ()
    #: The seconds of each timed run, in order.
    times: tuple[float, ...] = ()
    #: True if the counter ran during the timing and slows Python down: then `seconds` is too long.
    slowed: bool = False

    def __repr__(self) -> str:
        if not self.method:
            return "Measurement: the measured block has not ended yet"
        return "\n  ".join([" · ".join(f"{value} {name}" for name, value in self._figures()), *self._remarks()])

    def _repr_html_(self) -> str:
        """Return one small table for notebooks; the method of counting shows when the pointer rests on the remarks."""
        if not self.method:
            return f"<pre>{escape(repr(self))}</pre>"
        figures = self._figures()
        names, values = [name for name, _ in figures], [value for _, value in figures]
        table = as_html(names, [values], "text-align:right;padding:0.2em 0.8em")
        remarks = "<br>".join(escape(remark) for remark in self._remarks())
        small = f'<div style="font-size:85%;opacity:0.75" title="{escape(self.method)}">{remarks}</div>'
        return table + small

    def _figures(self) -> list[tuple[str, str]]:
        """Return (name, value) of each known figure."""
        rows = []
        if self.seconds is not None:
            name = "run time (slowed by counting)" if self.slowed else "run time"
            if len(self.times) > 1:
                name = (
                    f"median of {len(self.times)} ({show_seconds(min(self.times))} to {show_seconds(max(self.times))})"
                )
            rows.append((name, show_seconds(self.seconds)))
        if self.compile_seconds:
            rows.append(("compiling", show_seconds(self.compile_seconds)))
        if self.counted != "nothing":
            number = "not known" if self.allocations is None else f"{self.allocations:,}"
            rows.append(("allocated", show_bytes(self.allocated_bytes)))
            rows.append(("allocation" if self.allocations == 1 else "allocations", number))
            rows.append(("peak", show_bytes(self.peak_bytes)))
        return rows

    def _remarks(self) -> list[str]:
        counted = {"arrays": "Counted: NumPy and numba arrays.", "process": "Counted: every allocation of the process."}
        return [remark for remark in (counted.get(self.counted), *self.notes) if remark]


def show_seconds(seconds: float) -> str:
    """`1.23 s`, `45.6 ms`, `7.89 µs`: three digits and a unit."""
    value, unit = seconds, "s"
    for smaller in ("ms", "µs", "ns"):
        if value >= 0.9995 or value == 0:
            break
        value, unit = value * 1000, smaller
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"


def show_count(number: float | None, digits: int = 0, per: float = 1) -> str:
    """`25,600`: what was counted, divided by `per`, with so many decimals; `not known` if it was not counted."""
    return "not known" if number is None else f"{number / per:,.{digits}f}"


def show_bytes(number: int | None) -> str:
    """`512 B`, `25,600,000 B (24.4 MiB)`: the exact number, and a readable one beside it."""
    if number is None:
        return "not known"
    size, unit = float(number), "B"
    for bigger in ("KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            break
        size, unit = size / 1024, bigger
    return f"{number:,} B" + (f" ({size:.1f} {unit})" if unit != "B" else "")
