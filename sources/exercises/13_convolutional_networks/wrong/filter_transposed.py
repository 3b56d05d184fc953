# replaces: slide
# loses: 2
# hint: The filter was transposed: rows and columns of it have changed places. It lies on the picture as it
#   is.


def slide(x, w):
    h, k = w.shape
    return (
        np.array(
            [
                [(x[r : r + h, q : q + k] * w.T).sum() for q in range(x.shape[1] - k + 1)]
                for r in range(x.shape[0] - h + 1)
            ]
        )
        if h == k
        else np.zeros((x.shape[0] - h + 1, x.shape[1] - k + 1))
    )
