# replaces: accuracy
# loses: 1
# hint: That is the fraction of rows that are WRONG.


def accuracy(scores, labels):
    return np.mean(scores.argmax(axis=1) != labels)
