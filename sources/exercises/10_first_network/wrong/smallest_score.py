# replaces: accuracy
# loses: 1
# hint: You looked for the smallest score. The prediction is the place of the largest: argmax.


def accuracy(scores, labels):
    return np.mean(scores.argmin(axis=1) == labels)
