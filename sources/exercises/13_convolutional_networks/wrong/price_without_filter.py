# replaces: price
# loses: 1
# hint: Each row of the matrix holds all pixels of its window: size times size, for each channel.


def im2col_bytes(n, channels, rows, columns, size):
    windows = n * (rows - size + 1) * (columns - size + 1)
    return windows * channels * 4
