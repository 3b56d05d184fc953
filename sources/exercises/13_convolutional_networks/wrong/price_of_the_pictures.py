# replaces: price
# loses: 1
# hint: Those are the bytes of the pictures themselves. In the matrix every pixel occurs several times, once for
#   each window that it is in.


def im2col_bytes(n, channels, rows, columns, size):
    return n * channels * rows * columns * 4
