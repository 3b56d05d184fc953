# replaces: price
# loses: 1
# hint: Twice the bytes: a float32 takes 4, and you counted 8.


def im2col_bytes(n, channels, rows, columns, size):
    windows = n * (rows - size + 1) * (columns - size + 1)
    return windows * channels * size * size * 8
