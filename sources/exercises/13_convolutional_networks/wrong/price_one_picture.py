# replaces: price
# loses: 1
# hint: One picture is right. With n pictures the matrix has n times as many rows.


def im2col_bytes(n, channels, rows, columns, size):
    windows = (rows - size + 1) * (columns - size + 1)
    return windows * channels * size * size * 4
