# replaces: accuracy
# loses: 1
# hint: 3 is the number of rows that are right. As a fraction of all of them?


def accuracy(scores, labels):
    return np.sum(scores.argmax(axis=1) == labels)
