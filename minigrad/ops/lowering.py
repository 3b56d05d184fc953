"""What `Operation.lower` writes a node with: the compiler's Linearizer, whose methods are views, sums and products."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minigrad.compiler.linearize import Linearizer as Lowering
else:
    Lowering = Any
