# replaces: features
# loses: 2
# hint: You divide by the variance. The standard deviation, its root, was asked for.


def features(train_pictures, pictures, W, b):
    seen = sigmoid(train_pictures @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return (codes - seen.mean(axis=0)) / seen.var(axis=0)
