# replaces: price
# loses: 1
# hint: You counted numbers. How many bytes has each of them?


def im2col_bytes(n, channels, rows, columns, size):
    return n * (rows - size + 1) * (columns - size + 1) * channels * size * size
