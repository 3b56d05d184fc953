# replaces: features
# loses: 2
# hint: You divided by the range, the largest minus the smallest code. The standard deviation was asked for.


def features(train_pictures, pictures, W, b):
    seen = sigmoid(train_pictures @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return (codes - seen.mean(axis=0)) / (seen.max(axis=0) - seen.min(axis=0))
