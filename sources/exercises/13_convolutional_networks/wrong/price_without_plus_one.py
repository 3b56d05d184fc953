# replaces: price
# loses: 1
# hint: A row and a column of windows are missing: there are rows - size + 1 places for a window.


def im2col_bytes(n, channels, rows, columns, size):
    return n * (rows - size) * (columns - size) * channels * size * size * 4
