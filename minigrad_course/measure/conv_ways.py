"""One convolution in three ways, to compare: loops, one matrix product, the Fourier transform.

All compute y[n, o, r, q] = the sum of x[n, c, r + a, q + b] w[o, c, a, b], as `conv2d` with a stride of 1 and no
padding. The matrix product copies every pixel kh kw times first; the Fourier transform's work is that of any filter.
"""

from __future__ import annotations

import numpy as np

from minigrad.native.jit import kernel
from minigrad.ops.conv import Conv2d


def by_loops(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Evaluate the formula in compiled loops. x: (n, c, h, w) floats, w: (o, c, kh, kw) of the same dtype."""
    y = np.zeros(_shape(x, w), np.result_type(x, w))
    _loops(np.ascontiguousarray(x, y.dtype), np.ascontiguousarray(w, y.dtype), y)
    return y


def by_matmul(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Copy the pixels under each filter entry into one matrix (im2col), and multiply it by the filters."""
    n, o, rows, columns = _shape(x, w)
    windows = np.lib.stride_tricks.sliding_window_view(x, (1, 1, *w.shape[2:]))
    seen = windows[:, :, :, :, 0, 0]  # (n, c, rows, columns, kh, kw)
    pixels = seen.transpose(0, 2, 3, 1, 4, 5).reshape(n * rows * columns, -1)
    y = pixels @ w.reshape(o, -1).T
    return np.ascontiguousarray(y.reshape(n, rows, columns, o).transpose(0, 3, 1, 2))


def by_fft(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Multiply frequency by frequency. Cooley and Tukey, 1965; for networks Mathieu, Henaff and LeCun, 2013."""
    from scipy import fft

    _, _, rows, columns = _shape(x, w)
    size = x.shape[2:]
    # Sliding without flipping the filter is a product with the complex conjugate.
    frequencies = np.einsum("ncij,ocij->noij", fft.rfft2(x), np.conj(fft.rfft2(w, size)))
    return np.ascontiguousarray(fft.irfft2(frequencies, size)[:, :, :rows, :columns])


WAYS = {"loops": by_loops, "matmul": by_matmul, "fft": by_fft}


def _shape(x: np.ndarray, w: np.ndarray) -> tuple[int, ...]:
    return Conv2d((1, 1), (1, 1)).output_shape(x.shape, w.shape)


@kernel
def _loops(x, w, y):
    images, filters, rows, columns = y.shape
    for n in range(images):
        for o in range(filters):
            out = y[n, o]
            for c in range(x.shape[1]):
                for a in range(w.shape[2]):
                    for b in range(w.shape[3]):
                        factor = w[o, c, a, b]
                        for r in range(rows):
                            line, target = x[n, c, r + a, b:], out[r]
                            for q in range(columns):
                                target[q] += factor * line[q]
