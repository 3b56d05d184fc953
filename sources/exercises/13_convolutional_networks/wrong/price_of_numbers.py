# replaces: price
# loses: 1
# hint: That is a quarter of the bytes: you counted numbers. How many bytes does each of them take?


def im2col_bytes(n, channels, rows, columns, size):
    return n * (rows - size + 1) * (columns - size + 1) * channels * size * size
