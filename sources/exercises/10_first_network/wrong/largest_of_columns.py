# replaces: accuracy
# loses: 1
# hint: You looked for the largest score in each column, that is, for the picture that is most of all a 0. Each row is a
#   picture: look along the row.


def accuracy(scores, labels):
    return np.mean([scores[:, label].argmax() == row for row, label in enumerate(labels)])
