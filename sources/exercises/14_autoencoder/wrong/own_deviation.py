# replaces: features
# loses: 1
# hint: The mean is that of the training codes, but the standard deviation is that of the other pictures. Take both
#   from the training codes.


def features(train_pictures, pictures, W, b):
    seen = sigmoid(train_pictures @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return (codes - seen.mean(axis=0)) / codes.std(axis=0)
