"""The writer that `Operation.lower` is given: the compiler's Linearizer, with methods for views, sums and products."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minigrad.compiler.linearize import Linearizer as Lowering
else:
    Lowering = Any
