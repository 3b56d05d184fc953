# replaces: accuracy
# loses: 1
# hint: A fraction from 0 to 1 was asked for. You return percent.


def accuracy(scores, labels):
    return 100 * np.mean(scores.argmax(axis=1) == labels)
