# replaces: accuracy
# loses: 1
# hint: 3 is the number of rows that are right. What fraction of all rows is that?


def accuracy(scores, labels):
    return np.sum(scores.argmax(axis=1) == labels)
