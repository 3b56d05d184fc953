# replaces: accuracy
# loses: 1
# hint: argmax without an axis gives one place for the whole array. Look along each row: axis=1.


def accuracy(scores, labels):
    return np.mean(scores.argmax() == labels)
