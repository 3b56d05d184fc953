# replaces: slide
# loses: 2
# hint: Your filter moves by two pixels at a time, so half of the places are missing. It moves by one.


def slide(x, w):
    h, k = w.shape
    return np.array(
        [
            [np.sum(x[r : r + h, q : q + k] * w) for q in range(0, x.shape[1] - k + 1, 2)]
            for r in range(0, x.shape[0] - h + 1, 2)
        ]
    )
