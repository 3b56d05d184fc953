"""Mistakes that learners make here, with their hints; minigrad_course/grading/wrong_table.py says how to add one."""

WRONG = [
    # slide · Task 1 · Slide
    ("slide", 2, ..., """
     def slide(x, w):
         h, k = w.shape
         y = np.zeros((x.shape[0] - h + 1, x.shape[1] - k + 1))
         for a in range(h):
             for b in range(k):
                 y += w[a, b] * x[a : a + y.shape[0], b : b + y.shape[0]]
         return y
     """,
     "The second slice is as long as y has ROWS. Columns are counted by y.shape[1]."),
    ("slide", 2, ..., """
     def slide(x, w):
         h, k = w.shape
         return np.array(
             [
                 [np.sum(x[r : r + h, q : q + k] * w) for q in range(0, x.shape[1] - k + 1, 2)]
                 for r in range(0, x.shape[0] - h + 1, 2)
             ]
         )
     """, "Your filter moves by two pixels at a time, so half of the places are missing. It moves by one."),
    ("slide", 2, ..., """
     def slide(x, w):
         h, k = w.shape
         p = np.pad(x, ((h // 2, h // 2), (k // 2, k // 2)))
         return np.array(
             [[np.sum(p[r : r + h, q : q + k] * w) for q in range(x.shape[1] - k + 1)] for r in range(x.shape[0] - h + 1)]
         )
     """,
     "Your filter hangs over the edge, as if its middle stood on the pixel. It stands with its upper left corner "
     "there, and stays inside."),
    ("slide", 2, ..., """
     def slide(x, w):
         h, k = w.shape
         return np.array(
             [[np.max(x[r : r + h, q : q + k] * w) for q in range(x.shape[1] - k + 1)] for r in range(x.shape[0] - h + 1)]
         )
     """,
     "Only the largest product is left of each window. The products are added up: this is a convolution, not a "
     "pooling."),
    ("slide", 2, ..., """
     def slide(x, w):
         height, width = w.shape
         y = np.zeros((x.shape[0] // height, x.shape[1] // width))
         for r in range(y.shape[0]):
             for q in range(y.shape[1]):
                 y[r, q] = np.sum(x[r * height : (r + 1) * height, q * width : (q + 1) * width] * w)
         return y
     """,
     "Your filter jumps by its own size, as pooling does. It moves by one pixel at a time, and its windows overlap."),
    ("slide", 2, "x[r : r + height, q : q + width] * w",
     "x[r * height : (r + 1) * height, q * width : (q + 1) * width] * w",
     "Your filter jumps by its own size, and soon there is no picture under it. It moves by one pixel at a time: the "
     "window begins at r, and not at r times the height."),
    ("slide", 2, "(x[r : r + height, q : q + width] * w)", "(x[r : r + height, q : q + width] * w[:, ::-1])",
     "The filter's columns are reversed. Here it is used as it is."),
    ("slide", 2, "(x[r : r + height, q : q + width] * w)", "(x[r : r + height, q : q + width] * w.T)",
     "The filter was transposed: its rows became columns."),
    ("slide", 2, "(x[r : r + height, q : q + width] * w)", "(x[r : r + height, q : q + width] @ w)",
     "@ multiplies matrices. Here each pixel is multiplied by the weight that lies on it: *, entry by entry."),
    ("slide", 2, "height + 1, x.shape[1] - width + 1", "height, x.shape[1] - width",
     "A row and a column are missing: the last position of the filter ends exactly at the edge. In 3 rows, how many "
     "places are there for a filter of 2?"),
    ("slide", 2, "r : r + height, q : q", "q : q + height, r : r",
     "Row and column have changed places: x[r + a, q + b], with the row r first."),
    ("slide", 2, "(x[r : r + height, q : q + width] * w)", "(x[r : r + height, q : q + width]) * np.sum(w)",
     "You multiplied the sum of the pixels by the sum of the weights. Multiply each pixel by ITS weight first, then "
     "add up."),

    # x_adjoint · Task 2 · Back to the picture
    ("x_adjoint", 3, "x_bar = np.zeros((rows + height - 1, columns + width - 1))", "x_bar = np.zeros((rows, columns))",
     "The adjoint has the size of the picture, which is larger than y_bar: height - 1 more rows, width - 1 more "
     "columns."),
    ("x_adjoint", 3, ..., """
     def x_adjoint(y_bar, w):
         height, width = w.shape
         framed = np.pad(y_bar, ((height - 1, height - 1), (width - 1, width - 1)))
         return slide(framed, w[:, ::-1])
     """, "Only one of the two axes was reversed. Rotating by half a turn reverses rows and columns."),
    ("x_adjoint", 3, ..., """
     def x_adjoint(y_bar, w):
         h, k = w.shape
         padded = np.pad(y_bar, ((h, h), (k, k)))
         return slide(padded, w[::-1, ::-1])
     """, "Your frame is one pixel too wide on each side: a filter of height h hangs over by h - 1 at most."),
    ("x_adjoint", 3, ..., """
     def x_adjoint(y_bar, w):
         h, k = w.shape
         padded = np.pad(y_bar, ((k - 1, k - 1), (h - 1, h - 1)))
         return slide(padded, w[::-1, ::-1])
     """, "The frame is as wide above and below as it should be left and right: height and width have changed places."),
    ("x_adjoint", 3, "height - 1, columns + width - 1", "height, columns + width",
     "One row and one column too many: the picture has rows + height - 1 rows."),
    ("x_adjoint", 3, "x_bar[r : r + height, q : q + width] += y_bar[r, q] * w",
     "x_bar[r : r + height, q : q + width] = y_bar[r, q] * w",
     "Where windows overlap, the next one overwrites what the one before has left. A pixel that was used twice gets "
     "two shares."),
    ("x_adjoint", 3, ..., """
     def x_adjoint(y_bar, w):
         height, width = w.shape
         framed = np.pad(y_bar, ((height - 1, height - 1), (width - 1, width - 1)))
         return slide(framed, w)
     """,
     "One output sent its adjoint back, and it arrived as the filter rotated by half a turn. It must arrive as the "
     "filter is. If you slide over y_bar: which filter must slide?"),
    ("x_adjoint", 3, "x_bar[r : r + height, q : q + width] += y_bar[r, q] * w",
     "x_bar[r : r + height, q : q + width] += y_bar[r, q] * w.T",
     "You transposed the filter: rows became columns. If you slide over y_bar, rotate it instead: reverse both axes."),
    ("x_adjoint", 3, ..., """
     def x_adjoint(y_bar, w):
         h, k = w.shape
         x = np.zeros((y_bar.shape[0] + h - 1, y_bar.shape[1] + k - 1))
         x[: y_bar.shape[0], : y_bar.shape[1]] = y_bar * w.sum()
         return x
     """,
     "Each y gives everything to the upper left pixel of its window. Each pixel of the window was multiplied by a "
     "weight of its own: it gets that weight's part."),

    # w_adjoint · Task 3 · Back to the filter
    ("w_adjoint", 2, ..., """
     def w_adjoint(x, y_bar):
         return x_adjoint(x, y_bar)
     """,
     "That is larger than the filter: x_adjoint goes back to the picture. The filter's adjoint slides y_bar over x."),
    ("w_adjoint", 2, ..., """
     def w_adjoint(x, y_bar):
         rows, columns = y_bar.shape
         height, width = x.shape[0] - rows + 1, x.shape[1] - columns + 1
         w_bar = np.zeros((height, width))
         for r in range(rows):
             for q in range(columns):
                 w_bar = y_bar[r, q] * x[r : r + height, q : q + width]
         return w_bar
     """, "Only the last window counts. All windows share the filter, so its adjoint is the sum over all of them."),
    ("w_adjoint", 2, ..., """
     def w_adjoint(x, y_bar):
         rows, columns = y_bar.shape
         height, width = x.shape[0] - rows + 1, x.shape[1] - columns + 1
         w_bar = np.zeros((height, width))
         for r in range(rows):
             for q in range(columns):
                 w_bar += y_bar[r, q] * x[r : r + height, q : q + width]
         return w_bar / y_bar.size
     """, "You took the mean over the windows. Derivatives add up: each window used the whole filter."),
    ("w_adjoint", 2, ..., """
     def w_adjoint(x, y_bar):
         return slide(x, y_bar[::-1, ::-1])
     """, "The adjoint was rotated. On the way to the filter nothing is: y_bar slides over x as it is."),
    ("w_adjoint", 2, "return w_bar", "return w_bar.T",
     "It is the transpose: rows and columns have changed places somewhere."),

    # pool_adjoint · Task 4 · Back through max pooling
    ("pool_adjoint", 2, """
     a, b = divmod(int(np.argmax(square)), 2)  # argmax names the first of several
     x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]
     """, "x_bar[2 * r : 2 * r + 2, 2 * q : 2 * q + 2] = (square == square.max()) * y_bar[r, q]",
     "At a tie each of the equal pixels got the whole adjoint, and together they get more than arrived. Only the "
     "first gets it."),
    ("pool_adjoint", 2, ..., """
     def pool_adjoint(x, y_bar):
         return y_bar.copy()
     """, "The adjoint of x is as large as x, and not as y."),
    ("pool_adjoint", 2, ..., """
     def pool_adjoint(x, y_bar):
         x_bar = np.zeros(x.shape)
         rows, columns = y_bar.shape
         x_bar[: 2 * rows, : 2 * columns] = np.repeat(np.repeat(y_bar, 2, axis=0), 2, axis=1) / 4
         return x_bar
     """,
     "Every pixel of a square got a quarter. That is the adjoint of the mean. The largest was taken, so the others "
     "did not count."),
    ("pool_adjoint", 2, "square = x[2 * r : 2 * r + 2, 2 * q : 2 * q + 2]", "square = x[r : r + 2, q : q + 2]",
     "Your squares overlap: the square of output (r, q) begins at row 2r and column 2q."),
    ("pool_adjoint", 2, """
     a, b = divmod(int(np.argmax(square)), 2)  # argmax names the first of several
     x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]
     """, """
     won = square == square.max()
     x_bar[2 * r : 2 * r + 2, 2 * q : 2 * q + 2] = won / won.sum() * y_bar[r, q]
     """,
     "At a tie you share the adjoint among the equal pixels. That is a reasonable rule, too, but not the one asked "
     "for: the first takes all."),
    ("pool_adjoint", 2, "x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]", "x_bar[r + a, q + b] = y_bar[r, q]",
     "The square is right, but the place where you write is not: squares begin two pixels apart, at 2r and 2q."),
    ("pool_adjoint", 2, """
     square = x[2 * r : 2 * r + 2, 2 * q : 2 * q + 2]
     a, b = divmod(int(np.argmax(square)), 2)  # argmax names the first of several
     x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]
     """, """
     win = x[r : r + 2, q : q + 2]
     a, b = np.unravel_index(win.argmax(), (2, 2))
     x_bar[r + a, q + b] += y_bar[r, q]
     """, "Your squares overlap: they begin at r and q. Each is two pixels further than the last: 2 r and 2 q."),
    ("pool_adjoint", 2, "x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]", "x_bar[2 * r, 2 * q] = y_bar[r, q]",
     "The adjoint always goes to the pixel at the upper left of its square. It belongs to the largest one."),
    ("pool_adjoint", 2, "x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]", "x_bar[2 * r + a, 2 * q + b] = square.max()",
     "You put the largest VALUE in. What goes back is the adjoint, y_bar."),
    ("pool_adjoint", 2, "x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]",
     "x_bar[2 * r : 2 * r + 2, 2 * q : 2 * q + 2] = y_bar[r, q]",
     "Every pixel of a square got the whole adjoint. Only the largest one does."),

    # im2col · Task 5 · All windows in one matrix
    ("im2col", 2, "windows = [x[r : r + height, q : q + width].ravel() for r in range(rows) for q in range(columns)]",
     "windows = [x[r : r + height, q : q + width].ravel()[::-1] for r in range(rows) for q in range(columns)]",
     "The pixels of each window are in reverse order."),
    ("im2col", 2, "windows = [x[r : r + height, q : q + width].ravel() for r in range(rows) for q in range(columns)]", """
     windows = [
         x[r : r + height, q : q + width].ravel() for r in range(0, rows, height) for q in range(0, columns, width)
     ]
     """, "Your windows jump by their own size. They move by one pixel at a time, and overlap."),
    ("im2col", 2, ..., """
     def im2col(x, height, width):
         rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
         return np.array([x[r : r + height, q : q + width].ravel() for r in range(rows) for q in range(columns)]).T
     """, "It is the transpose: your windows are the columns of the matrix. They should be its rows."),
    ("im2col", 2, ..., """
     def im2col(x, height, width):
         rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
         return np.array([x[r : r + height, q : q + width].ravel() for q in range(columns) for r in range(rows)])
     """,
     "The second row should be the window to the right of the first, and yours is the one below it. Which of the two "
     "loops is the outer one?"),
    ("im2col", 2, "return np.array(windows)", "return np.concatenate(windows)",
     "All windows are in one long row. Each should have a row of its own: a matrix."),
    ("im2col", 2, "windows = [x[r : r + height, q : q + width].ravel() for r in range(rows) for q in range(columns)]",
     "windows = [x[r : r + height, q : q + width] for r in range(rows) for q in range(columns)]",
     "Each window is still a square of its own. A row of the matrix is flat: ravel()."),
    ("im2col", 2, "height + 1, x.shape[1] - width + 1", "height, x.shape[1] - width",
     "Windows are missing: the last one ends exactly at the edge. In 3 rows, how many places are there for a window "
     "of 2?"),
    ("im2col", 2, ..., """
     def im2col(x, height, width):
         rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
         return np.array([x[r : r + height, q : q + width].T.ravel() for r in range(rows) for q in range(columns)])
     """,
     "Within a window your pixels stand column by column. They should stand row by row, as w.ravel() has the filter."),

    # by_fft · Task 6 · By frequencies
    ("by_fft", 2, "x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1", "w.shape[0], : w.shape[1]",
     "You cut out as many rows and columns as the FILTER has. The filter fits into the picture at x.shape[0] - "
     "w.shape[0] + 1 places."),
    ("by_fft", 2, """
     frequencies = np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape))
     y = np.fft.irfft2(frequencies, x.shape)
     """, "y = np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape)))",
     "With an odd number of columns it goes wrong: irfft2 cannot tell 6 from 7. Give it the picture's size."),
    ("by_fft", 2, ".fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape))",
     ".conj(np.fft.rfft2(x)) * np.fft.rfft2(w, x.shape)",
     "You took the conjugate of the picture: then the picture is rotated, and not the filter."),
    ("by_fft", 2, "return y[: x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1]",
     "return y[w.shape[0] - 1 :, w.shape[1] - 1 :]",
     "You kept the part at the lower right. The places where the filter stays inside are at the upper left."),
    ("by_fft", 2, ..., """
     def slide_by_fft(x, w):
         y = np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape)), x.shape)
         return y[: x.shape[0] - w.shape[0], : x.shape[1] - w.shape[1]]
     """,
     "One row and one column are missing: a filter of 2 has one place fewer than the picture has rows, and not two. "
     "Where does + 1 belong?"),
    ("by_fft", 2, ".conj(np.fft.rfft2(w, x.shape))", ".fft.rfft2(w[::-1, ::-1], x.shape)",
     "The filter was rotated before the transform. With the conjugate it must not be; without it, the result also "
     "sits in another corner."),
    ("by_fft", 2, "frequencies = np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape))",
     "frequencies = np.fft.rfft2(x) @ np.conj(np.fft.rfft2(w, x.shape))",
     "The frequencies are multiplied entry by entry, with *; @ is a product of matrices."),
    ("by_fft", 2, "y = np.fft.irfft2(frequencies, x.shape)", "y = frequencies",
     "Those are still frequencies: complex numbers. Transform back with irfft2."),
    ("by_fft", 2, ..., """
     def slide_by_fft(x, w):
         return np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape)), x.shape)
     """,
     "The result still has the picture's size. In its last row and column the filter continues on the opposite side: "
     "leave them out."),
    ("by_fft", 2, """
     frequencies = np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape))
     y = np.fft.irfft2(frequencies, x.shape)
     """, "y = np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w[::-1, ::-1], x.shape)), x.shape)",
     "The filter was rotated, and then the conjugate rotates it again. One of the two is enough."),
    ("by_fft", 2, """
     frequencies = np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape))
     y = np.fft.irfft2(frequencies, x.shape)
     """, "y = np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w)), x.shape)",
     "You multiply the frequencies of a picture by those of a filter that has another size. rfft2(w, size) pads it "
     "with zeros first."),

    # price · Task 7 · The price, and the race
    ("price", 1, "return windows * channels * size * size * 4", "return windows * channels * size * size * 8",
     "Twice the bytes: a float32 takes 4, and you counted 8."),
    ("price", 1, ..., """
     def im2col_bytes(n, channels, rows, columns, size):
         return n * rows * columns * channels * size * size * 4
     """, "You took a window for every pixel. Near the right and the lower edge no window starts."),
    ("price", 1, ..., """
     def im2col_bytes(n, channels, rows, columns, size):
         return n * channels * rows * columns * 4
     """,
     "Those are the bytes of the pictures themselves. In the matrix every pixel occurs several times, once for each "
     "window that it is in."),
    ("price", 1, ..., """
     def im2col_bytes(n, channels, rows, columns, size):
         return n * (rows - size) * (columns - size) * channels * size * size * 4
     """, "A row and a column of windows are missing: there are rows - size + 1 places for a window."),
    ("im2col", 2, "x[r : r + height, q : q + width]", "x[r : r + width, q : q + height]",
     "Height and width have changed places in your window: r counts rows, and a window has `height` of them."),
]
