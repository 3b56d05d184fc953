# replaces: features
# loses: 2
# hint: Nearly right: you divide by n - 1 inside the standard deviation (ddof=1). NumPy's plain std divides by n.


def features(train_pictures, pictures, W, b):
    seen = sigmoid(train_pictures @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return (codes - seen.mean(axis=0)) / seen.std(axis=0, ddof=1)
