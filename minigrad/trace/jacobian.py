"""The Jacobian, filled pass by pass: a column in each forward pass, a row in each reverse pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from minigrad.trace.derive import forward_table, reverse_table

if TYPE_CHECKING:
    from minigrad.trace.record import Trace
    from minigrad.trace.table import Table


@dataclass(eq=False)
class Pass:
    """One pass. number: which one, from 0; name: its input (forward) or output (reverse); table: its trace table.

    matrix: the Jacobian after it, with nan where nothing has been found yet.
    """

    number: int
    name: str
    matrix: np.ndarray
    table: Table


class Jacobian:
    """d output / d input, by single numbers: a row for each of `output_names`, a column for each of `input_names`.

    mode: "forward" or "reverse". passes: see `Pass`. matrix: the full one, after the last pass.
    """

    def __init__(self, trace: Trace, mode: str, passes: list[Pass]):
        self.trace, self.mode, self.passes = trace, mode, passes

    @property
    def matrix(self) -> np.ndarray:
        return self.passes[-1].matrix

    def columns(self) -> dict[str, np.ndarray]:
        """For each input the derivatives of all outputs: what a forward pass gives."""
        return dict(zip(self.trace.input_names, self.matrix.T, strict=True))

    def rows(self) -> dict[str, np.ndarray]:
        """For each output its derivatives by all inputs: what a reverse pass gives."""
        return dict(zip(self.trace.output_names, self.matrix, strict=True))


def jacobian(trace: Trace, mode: str | None) -> Jacobian:
    if mode not in (None, "forward", "reverse"):
        raise ValueError(f'jacobian knows mode="forward" and mode="reverse", got {mode!r}')
    rows, columns = trace.output_names, trace.input_names
    if mode is None:
        mode = "forward" if len(columns) <= len(rows) else "reverse"
    matrix = np.full((len(rows), len(columns)), np.nan)
    passes = []
    for k, name in enumerate(columns if mode == "forward" else rows):
        if mode == "forward":
            table = forward_table(trace, k)
            found = {row.node: row.derivative_value for row in table.rows if row.derivative}
            matrix[:, k] = _flat([found.get(y, np.zeros(y.shape)) for y in trace.outputs])
        else:
            table = reverse_table(trace, k)
            found = {row.node: row.derivative_value for row in table.rows if row.kind == "input"}
            matrix[k] = _flat([found[x] for x in trace.inputs])
        passes.append(Pass(k, name, matrix.copy(), table))
    return Jacobian(trace, mode, passes)


def _flat(parts: list) -> np.ndarray:
    return np.concatenate([np.ravel(part) for part in parts])
