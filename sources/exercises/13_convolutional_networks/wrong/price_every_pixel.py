# replaces: price
# loses: 1
# hint: You took a window for every pixel. Near the right and the lower edge no window starts.


def im2col_bytes(n, channels, rows, columns, size):
    return n * rows * columns * channels * size * size * 4
