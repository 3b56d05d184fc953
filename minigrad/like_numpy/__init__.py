"""NumPy's functions of traced values: np.cumsum(x) and mg.cumsum(x), with NumPy's names and keywords.

Each file registers its functions by `@as_numpy` (registry.py). They are made of the operations in ops/, but for some
that are operations of their own, with a derivative beside them. No other module needs these functions, apart from
vmap's rules (batching.py), so that a reader can leave them for later.

    registry.py     the table, and the decorator that fills it; nearest.txt has what to use for what is not here
    surface.py      the library's own operations under NumPy's names, as operators and as methods: x @ y, x[key], x.T
    arrange.py      joining, splitting, flipping, rolling, repeating, diagonals
    order.py        along an axis: sorting, places of the largest, products, running sums and differences
    einsum.py       sums of products along named axes
    linalg.py       systems of equations: mg.linalg
"""

# ruff: noqa: F401 - importing them registers their functions
from minigrad.like_numpy import surface  # first: what comes later takes its place

# isort: split
from minigrad.like_numpy import arrange, einsum, linalg, order
from minigrad.like_numpy.registry import SURFACE, as_numpy, numpys
