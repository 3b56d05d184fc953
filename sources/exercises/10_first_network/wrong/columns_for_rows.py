# replaces: accuracy
# loses: 1
# hint: axis=0 looks down the columns and gives a row number for each digit. Each ROW has a largest score: axis=1.


def accuracy(scores, labels):
    return np.mean(np.argmax(scores, axis=0) == labels)
