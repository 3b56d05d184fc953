"""NumPy's functions of traced values: np.cumsum(x) and mg.cumsum(x), with NumPy's names and keywords.

Each file registers its functions by `@as_numpy` (names.py). They are made of the operations in ops/, but for some that
are operations of their own, with a derivative beside them. No other module needs these functions, apart from operand.py
and vmap's rules (many.py), so that a reader can leave them for later.

    names.py        the table, and the decorator that fills it
    nearest.py      the nearest thing to each function that is not here
    core.py         the library's own operations under NumPy's names, and what is one line of them
    arrange.py      joining, splitting, flipping, rolling, repeating, diagonals
    elementwise.py  functions of single numbers that are made of rows of the derivative table
    order.py        sorting, and places of the largest
    running.py      running sums and differences
    einsum.py       sums of products along named axes
    linalg.py       systems of equations: mg.linalg
"""

# ruff: noqa: F401 - importing them registers their functions
from minigrad.like_numpy import core  # first: what comes later takes its place

# isort: split
from minigrad.like_numpy import arrange, einsum, elementwise, linalg, order, running
from minigrad.like_numpy.registry import FUNCTIONS, SURFACE, as_numpy, numpys
