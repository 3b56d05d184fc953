# replaces: features
# loses: 2
# hint: Each row was divided by its length. Each number of the code has a standard deviation of its own, over the
#   training pictures.


def features(train_pictures, pictures, W, b):
    seen, codes = sigmoid(train_pictures @ W.T + b), sigmoid(pictures @ W.T + b)
    d = codes - seen.mean(axis=0)
    return d / np.linalg.norm(d, axis=1, keepdims=True)
