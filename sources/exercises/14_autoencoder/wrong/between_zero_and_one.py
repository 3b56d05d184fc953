# replaces: features
# loses: 2
# hint: You scaled to the range from 0 to 1. Asked for is: minus the mean, divided by the standard deviation.


def features(train_pictures, pictures, W, b):
    seen, codes = sigmoid(train_pictures @ W.T + b), sigmoid(pictures @ W.T + b)
    return (codes - seen.min(axis=0)) / (seen.max(axis=0) - seen.min(axis=0))
