# replaces: accuracy
# loses: 1
# hint: You looked for the largest score in each column, that is, for the image that is most like a 0. Each row is
#   an image: look along the row.


def accuracy(scores, labels):
    return np.mean([scores[:, label].argmax() == row for row, label in enumerate(labels)])
