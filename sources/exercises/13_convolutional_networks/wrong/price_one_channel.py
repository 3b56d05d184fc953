# replaces: price
# loses: 1
# hint: One picture with one channel is right. A row of the matrix holds the pixels of all channels.


def im2col_bytes(n, channels, rows, columns, size):
    return n * (rows - size + 1) * (columns - size + 1) * size * size * 4
