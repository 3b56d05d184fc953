# replaces: features
# loses: 2
# hint: You take one mean over everything. Each number of the code has its own: the mean goes down the rows, axis 0.


def features(train_pictures, pictures, W, b):
    seen = sigmoid(train_pictures @ W.T + b)
    return (sigmoid(pictures @ W.T + b) - seen.mean()) / seen.std()
