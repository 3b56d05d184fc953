"""Passes over a program, each with a name: the pipeline.

A pass is a function that takes a program (ir.py), changes it, and says in one sentence what it did. None changes what
the program computes, but for rounding, the sign of a zero that is a derivative, and which of several pixels that are
nan gets the derivative of a max pool. So each can be left out, and the program is still right, only slower. Those
of NEEDED cannot: they bring a program into a form that the next ones need.

`outline`, the last, works on the finished text (outline.py).
"""

from minigrad.compiler.memory import alias, allocate, reuse_buffers
from minigrad.compiler.optional.one_walk import one_walk
from minigrad.compiler.optional.pool_early import pool_early
from minigrad.compiler.passes.accumulate import accumulate, fold_updates
from minigrad.compiler.passes.dead import dead
from minigrad.compiler.passes.finish import finish
from minigrad.compiler.passes.fuse import fuse, order
from minigrad.compiler.passes.simplify import simplify
from minigrad.compiler.passes.transpose import transpose

PIPELINE = (
    simplify,  # a * 1 is a
    pool_early,  # max pooling before bias and activation
    dead,  # unused equations are removed
    transpose,  # (a @ b).T is b.T @ a.T
    accumulate,  # c + a @ b is one product
    fold_updates,  # w - rate * (a @ b) as well
    finish,  # convert inputs for their kernels
    order,  # an order to run in
    fuse,  # loops over one shape become one
    one_walk,  # x @ W and W += x y with a single row
    alias,  # new parameters overwrite the old ones
    allocate,  # a buffer for each array
    reuse_buffers,  # one buffer for arrays that are not needed at the same time
)

NEEDED = ("finish", "order", "alias", "allocate")
PASSES = (*(change.__name__ for change in PIPELINE if change.__name__ not in NEEDED), "outline")
