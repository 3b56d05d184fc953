# replaces: accuracy
# loses: 1
# hint: max gives the largest score. Where it stands was asked for: argmax.


def accuracy(scores, labels):
    return np.mean(scores.max(axis=1) == labels)
