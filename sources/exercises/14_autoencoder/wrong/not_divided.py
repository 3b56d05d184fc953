# replaces: features
# loses: 2
# hint: The mean is subtracted, but nothing is divided: the standard deviation is missing.


def features(train_pictures, pictures, W, b):
    seen = sigmoid(train_pictures @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return codes - seen.mean(axis=0)
