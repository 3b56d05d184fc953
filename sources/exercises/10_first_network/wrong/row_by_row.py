# replaces: accuracy
# loses: 1
# hint: You return for each row whether it is right. The fraction of all rows was asked for: a mean.


def accuracy(scores, labels):
    return scores.argmax(axis=1) == labels
