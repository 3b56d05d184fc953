# replaces: slide
# loses: 2
# hint: Your filter hangs over the edge, as if its middle stood on the pixel. It stands with its upper left corner
#   there, and stays inside.


def slide(x, w):
    h, k = w.shape
    p = np.pad(x, ((h // 2, h // 2), (k // 2, k // 2)))
    return np.array(
        [[np.sum(p[r : r + h, q : q + k] * w) for q in range(x.shape[1] - k + 1)] for r in range(x.shape[0] - h + 1)]
    )
