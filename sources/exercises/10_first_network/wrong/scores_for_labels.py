# replaces: accuracy
# loses: 1
# hint: You compare the largest SCORE with the label. The label is a place, a column number: where in its row
#   does the largest score stand?


def accuracy(scores, labels):
    return np.mean(scores.max(axis=1).round() == labels)
