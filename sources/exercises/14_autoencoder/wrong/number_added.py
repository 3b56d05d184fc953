# replaces: features
# loses: 2
# hint: Something was added to the standard deviation, so everything is a bit too small. Divide by the deviation
#   itself.


def features(train_pictures, pictures, W, b):
    seen, codes = sigmoid(train_pictures @ W.T + b), sigmoid(pictures @ W.T + b)
    return (codes - seen.mean(axis=0)) / (seen.std(axis=0) + 1e-3)
