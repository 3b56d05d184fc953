"""Numbers of other sizes; class/minigrad_class/variation.py says how."""

ANSWERS = ("price",)
PLAIN = 4


def drawn(random):
    return random.choice([2, 3, 5, 6, 8, 10, 12, 16])


def exercise(b):
    size = "are `float32`, of 4 bytes" if b == PLAIN else f"have {8 * b} bits here, that is {b} bytes"
    return [
        f"All numbers {size}.\n",
        f"matrix of a whole layer, in {'float32' if b == PLAIN else f'numbers of {8 * b} bits'}.",
        f"windows * channels * size * size * {b}\n",
        f"columns of the matrix, times {b}. The rows",
        f"im2col_bytes(1, 1, 7, 12, 3), {450 * b}, ",
        f"im2col_bytes(100, 6, 13, 13, 3), {653_400 * b:_}, ",
        f"2 * 6 * 4 * 3 * 25 * {b}, ",
        f"im2col_bytes(5, 1, 4, 4, 1), {80 * b}, ",
    ]


def wrong(b):
    line = f"return windows * channels * size * size * {b}"
    a_number = "a float32" if b == PLAIN else f"a number of {8 * b} bits"
    return [
        f'"{line}", "return windows * channels * size * size * {2 * b}"',
        f"{a_number} takes {b}, and you counted {2 * b}.",
        f"n * rows * columns * channels * size * size * {b}\n",
        f"n * channels * rows * columns * {b}\n",
        f"(columns - size) * channels * size * size * {b}\n",
    ]


def says(b):
    return f"bytes of numbers of {8 * b} bits"
