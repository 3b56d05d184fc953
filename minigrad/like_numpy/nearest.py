"""The nearest thing to each function of NumPy's that minigrad does not have: what the error message recommends."""

from __future__ import annotations

from minigrad.core.operand import NEAREST

_COUNTS = "How many entries it has depends on the numbers, and a graph has one shape: "
_NEAREST = {
    "nonzero flatnonzero argwhere trim_zeros":
        f"{_COUNTS}mg.where(condition, a, 0) keeps them all, and the .value of a condition picks once",
    "unique unique_values union1d intersect1d setdiff1d setxor1d": f"{_COUNTS}np.sort puts equal ones side by side",
    "linalg.eigh linalg.eigvalsh linalg.eig linalg.eigvals": "np.trace(a) is the sum of the eigenvalues",
    "linalg.svd linalg.svdvals linalg.cond linalg.matrix_rank":
        "np.linalg.norm(a) is the root of the sum of squared singular values",
    "linalg.qr linalg.cholesky linalg.det linalg.slogdet linalg.tensorsolve linalg.tensorinv":
        "np.linalg.solve and np.linalg.inv are there",
    "linalg.matrix_power linalg.multi_dot": "Write the products with @",
    "linalg.vector_norm linalg.matrix_norm": "np.linalg.norm is the root of a sum of squares",
    "linalg.lstsq linalg.pinv": "np.linalg.solve(a.T @ a, a.T @ b) is the least squares solution of a @ x = b",
    "put place putmask copyto fill_diagonal put_along_axis": "mg.where(condition, new, a) gives new numbers",
    "median quantile percentile partition": "np.sort gives the entries in order",
    "average cov corrcoef": "mg.mean and mg.sum of products are there",
    "inner vdot tensordot kron vecdot": "np.einsum sums products along named axes",
    "convolve correlate": "mg.conv2d slides filters over images",
    "cumprod cumulative_prod": "np.cumsum of logarithms, if no factor is negative",
    "column_stack dstack append": "np.concatenate and np.stack join arrays",
    "nansum nanprod nancumsum nancumprod nanmean nanstd nanvar nanmax nanmin nanmedian nanquantile nanpercentile "
    "nanargmax nanargmin":
        "mg.where(np.isnan(a), b, a) puts a number that you choose in the place of nan",
    "insert": "np.concatenate joins what lies before, between and behind",
    "apply_along_axis apply_over_axes": "Operations take whole arrays: write the function with axis=",
    "histogram bincount": "A count has no derivative: mg.sum(mg.equal(a, k)) says how many entries are k",
    "lexsort": "np.argsort sorts by one key, and keeps the order of equal ones",
    "polyfit": "np.linalg.solve(V.T @ V, V.T @ y) fits it, with the powers of x as the columns of V",
    "unwrap": "np.remainder(x + np.pi, 2 * np.pi) - np.pi brings angles between -pi and pi",
}  # fmt: skip
NEAREST.update({name: advice for names, advice in _NEAREST.items() for name in names.split()})


def without(name: str) -> str:
    """Continue the sentence "minigrad has no `name`" with the nearest alternative, if one is known."""
    return f". {NEAREST[name]}" if name in NEAREST else ""
