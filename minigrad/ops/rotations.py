"""Decompositions in plain loops: eigenvectors and singular vectors by rotations, orthogonal factors by reflections.

A rotation of two columns makes them orthogonal (singular vectors), or a matrix's entry 0 on both sides of the diagonal
(eigenvectors). It spoils earlier ones a little; after some rounds over all pairs nothing is left to do (Jacobi, 1846).
Everything is computed in float64.
"""

import numpy as np

from minigrad.jit import kernel

ROUNDS = 60  # a dozen is enough for thousands of columns
SMALL = 1e-16


@kernel
def eigenvectors(a, out):
    """out[0] = the eigenvalues, the smallest first, out[1:] = their vectors, of symmetric matrices' lower triangles."""
    n = a.shape[-1]
    matrices, found = a.reshape(-1, max(n, 1)), out.reshape(-1, max(n, 1))
    m, v = np.empty((n, n)), np.empty((n, n))
    for s in range(matrices.shape[0] // max(n, 1)):
        total = 0.0
        for i in range(n):
            for j in range(n):
                m[i, j] = matrices[s * n + max(i, j), min(i, j)]
                v[i, j] = 1.0 if i == j else 0.0
                total += m[i, j] * m[i, j]
        for _ in range(ROUNDS):
            apart = 0.0
            for i in range(n):
                for j in range(i):
                    apart += m[i, j] * m[i, j]
            if not apart > (SMALL * SMALL) * total:
                break
            for p in range(n):
                for q in range(p + 1, n):
                    if m[p, q] == 0:
                        continue
                    slope = (m[q, q] - m[p, p]) / (2 * m[p, q])
                    t = (1.0 if slope >= 0 else -1.0) / (abs(slope) + np.sqrt(slope * slope + 1))
                    c = 1 / np.sqrt(t * t + 1)
                    d = t * c
                    for k in range(n):
                        x, y = m[k, p], m[k, q]
                        m[k, p], m[k, q] = c * x - d * y, d * x + c * y
                        x, y = v[k, p], v[k, q]
                        v[k, p], v[k, q] = c * x - d * y, d * x + c * y
                    for k in range(n):
                        x, y = m[p, k], m[q, k]
                        m[p, k], m[q, k] = c * x - d * y, d * x + c * y
                    m[p, q] = m[q, p] = 0.0
        at = s * (n + 1)
        for place in range(n):  # the smallest of those that are left comes next
            best = place
            for j in range(place + 1, n):
                if m[j, j] < m[best, best]:
                    best = j
            m[place, place], m[best, best] = m[best, best], m[place, place]
            found[at, place] = m[place, place] if total - total == 0 else np.nan
            for k in range(n):
                v[k, place], v[k, best] = v[k, best], v[k, place]
                found[at + 1 + k, place] = v[k, place] if total - total == 0 else np.nan


@kernel
def singular_vectors(a, out):
    """U, then the singular values, the largest first, then V, of (m, n) matrices with a = U diag(s) V.T."""
    rows, columns = a.shape[-2:]
    n, m = min(rows, columns), max(rows, columns)
    matrices, found = a.reshape(-1, max(columns, 1)), out.reshape(-1, max(n, 1))
    left, v, sizes = np.empty((m, n)), np.empty((n, n)), np.empty(n)  # of the matrix that is not wider than it is high
    for s in range(matrices.shape[0] // max(rows, 1) if n else 0):
        total = 0.0
        for i in range(rows):
            for j in range(columns):
                x = np.float64(matrices[s * rows + i, j])
                total += x * x
                left[(i, j) if rows >= columns else (j, i)] = x
        for i in range(n):
            for j in range(n):
                v[i, j] = 1.0 if i == j else 0.0
        for _ in range(ROUNDS):
            turned = False
            for p in range(n):
                for q in range(p + 1, n):
                    first, second, both = 0.0, 0.0, 0.0
                    for k in range(m):
                        first += left[k, p] * left[k, p]
                        second += left[k, q] * left[k, q]
                        both += left[k, p] * left[k, q]
                    if not abs(both) > 1e-15 * np.sqrt(first * second) or not abs(both) > SMALL * SMALL * total:
                        continue
                    turned = True
                    slope = (second - first) / (2 * both)
                    t = (1.0 if slope >= 0 else -1.0) / (abs(slope) + np.sqrt(slope * slope + 1))
                    c = 1 / np.sqrt(t * t + 1)
                    d = t * c
                    for k in range(m):
                        x, y = left[k, p], left[k, q]
                        left[k, p], left[k, q] = c * x - d * y, d * x + c * y
                    for k in range(n):
                        x, y = v[k, p], v[k, q]
                        v[k, p], v[k, q] = c * x - d * y, d * x + c * y
            if not turned:
                break
        for j in range(n):
            size = 0.0
            for k in range(m):
                size += left[k, j] * left[k, j]
            sizes[j] = np.sqrt(size)
        for place in range(n):  # the largest of those that are left comes next
            best = place
            for j in range(place + 1, n):
                if sizes[j] > sizes[best]:
                    best = j
            sizes[place], sizes[best] = sizes[best], sizes[place]
            for k in range(m):
                left[k, place], left[k, best] = left[k, best], left[k, place]
            for k in range(n):
                v[k, place], v[k, best] = v[k, best], v[k, place]
            if sizes[place] > 1e-15 * np.sqrt(total):
                for k in range(m):
                    left[k, place] /= sizes[place]
                continue
            for start in range(m):  # nothing is left of this column: any that is orthogonal to the others
                for k in range(m):
                    left[k, place] = 1.0 if k == start else 0.0
                for _ in range(2):
                    for j in range(place):
                        overlap = 0.0
                        for k in range(m):
                            overlap += left[k, j] * left[k, place]
                        for k in range(m):
                            left[k, place] -= overlap * left[k, j]
                size = 0.0
                for k in range(m):
                    size += left[k, place] * left[k, place]
                if size > 0.5 / m:
                    for k in range(m):
                        left[k, place] /= np.sqrt(size)
                    break
        at = s * (rows + 1 + columns)
        for j in range(n):
            for i in range(rows):
                found[at + i, j] = left[i, j] if rows >= columns else v[i, j]
            found[at + rows, j] = sizes[j] if total - total == 0 else np.nan
            for i in range(columns):
                found[at + rows + 1 + i, j] = v[i, j] if rows >= columns else left[i, j]


@kernel
def decompose_by_reflections(a, out):
    """Q, then R, of (m, n) matrices with m >= n. What is below the diagonal is reflected away, as LAPACK does."""
    m, n = a.shape[-2:]
    matrices, found = a.reshape(-1, max(n, 1)), out.reshape(-1, max(n, 1))
    r, q, mirror = np.empty((m, n)), np.empty((m, n)), np.empty((m, n))
    for s in range(matrices.shape[0] // max(m, 1) if n else 0):
        for i in range(m):
            for j in range(n):
                r[i, j], q[i, j], mirror[i, j] = matrices[s * m + i, j], 1.0 if i == j else 0.0, 0.0
        for k in range(n):
            below = 0.0
            for i in range(k + 1, m):
                below += r[i, k] * r[i, k]
            if below == 0:
                continue  # there is nothing to reflect
            length = np.sqrt(r[k, k] * r[k, k] + below)
            mirror[k, k] = r[k, k] + (length if r[k, k] >= 0 else -length)
            for i in range(k + 1, m):
                mirror[i, k] = r[i, k]
            square = mirror[k, k] * mirror[k, k] + below
            for j in range(k, n):
                along = 0.0
                for i in range(k, m):
                    along += mirror[i, k] * r[i, j]
                for i in range(k, m):
                    r[i, j] -= 2 * along / square * mirror[i, k]
        for k in range(n - 1, -1, -1):
            square = 0.0
            for i in range(k, m):
                square += mirror[i, k] * mirror[i, k]
            if square == 0:
                continue
            for j in range(n):
                along = 0.0
                for i in range(k, m):
                    along += mirror[i, k] * q[i, j]
                for i in range(k, m):
                    q[i, j] -= 2 * along / square * mirror[i, k]
        at = s * (m + n)
        for j in range(n):
            for i in range(m):
                found[at + i, j] = q[i, j]
            for i in range(n):
                found[at + m + i, j] = r[i, j] if i <= j else 0.0
