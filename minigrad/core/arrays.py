"""The words of every signature: what an operation takes, and what it gives.

    ArrayLike    a number, a list, NumPy's array, or what is traced: a node, a dual number, an example of a vmap
    Tree         any of these, or tuples, lists and dicts of them
    Array        what is computed with: traced, NumPy's array or number. It has a shape, a dtype, and operators

For a type checker an `Array` is a `Node`, on which it knows `backward` and finds the attributes of all the others. The
other names are of classes that this folder only speaks of: Python reads them as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import numpy.typing as npt

    from minigrad.compiler import linearize, values
    from minigrad.core import node, operand
    from minigrad.core import operation as operations

Array: TypeAlias = "node.Node"
ArrayLike: TypeAlias = "operations.Traced | np.ndarray | np.generic | float | Sequence[ArrayLike]"
Tree: TypeAlias = "ArrayLike | tuple[Tree, ...] | list[Tree] | dict[Any, Tree] | None"
DTypeLike: TypeAlias = "npt.DTypeLike | None"  # None: the dtype that it has
Node: TypeAlias = "node.Node"
Operand: TypeAlias = "operand.Operand"
Operation: TypeAlias = "operations.Operation"
Lowering: TypeAlias = "linearize.Linearizer"  # the writer that `Operation.lower` is given
Value: TypeAlias = "values.Value"
