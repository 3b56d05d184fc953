"""My own engine: numbers that remember how they were computed, and so can be differentiated.

A node has four attributes, and everything around it (the checks, the pictures, the tables) needs no more:

    value     the number or array that it holds
    op        the name of the operation that made it; "" for an input
    inputs    the nodes that it was made from
    grad      the derivative that has been added up so far; 0.0 at first
"""

import numpy as np

# ── Milestone 1 · Numbers that remember ──────────────────────────────────────────────────────────────────────────────


# ── Milestone 2 · Backward ───────────────────────────────────────────────────────────────────────────────────────────


# ── Milestone 3 · Dual numbers, and one mode checks the other ────────────────────────────────────────────────────────


# ── Milestone 4 · Arrays ─────────────────────────────────────────────────────────────────────────────────────────────


# ── Milestone 5 · Matrix products and relu ───────────────────────────────────────────────────────────────────────────


# ── Milestone 6 · Softmax and cross-entropy ──────────────────────────────────────────────────────────────────────────


# ── Milestone 7 · A network that reads digits ────────────────────────────────────────────────────────────────────────


# ── Milestone 8 · A recurrent cell, and the loop over time ───────────────────────────────────────────────────────────


# ── Choice 9 · Convolution ───────────────────────────────────────────────────────────────────────────────────────────


# ── Choice 10 · Second derivatives ───────────────────────────────────────────────────────────────────────────────────


# ── Choice 11 · Momentum and Adam ────────────────────────────────────────────────────────────────────────────────────


# ── Choice 12 · Checkpoints ──────────────────────────────────────────────────────────────────────────────────────────


# ── Choice 13 · The backward pass, written out as a program ──────────────────────────────────────────────────────────
