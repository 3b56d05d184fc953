# replaces: features
# loses: 1
# hint: The deviation is that of the training codes, and the mean is not: it is that of the pictures' own codes.


def features(train_pictures, pictures, W, b):
    seen, codes = sigmoid(train_pictures @ W.T + b), sigmoid(pictures @ W.T + b)
    return (codes - codes.mean(axis=0)) / seen.std(axis=0)
