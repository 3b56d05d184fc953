# replaces: price
# loses: 1
# hint: A filter of size by size has size² pixels.


def im2col_bytes(n, channels, rows, columns, size):
    windows = n * (rows - size + 1) * (columns - size + 1)
    return windows * channels * size * 4
