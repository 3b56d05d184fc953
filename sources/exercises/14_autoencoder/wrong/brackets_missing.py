# replaces: features
# loses: 2
# hint: Python divides first, and subtracts then: only the mean was divided. Where do brackets belong?


def features(train_pictures, pictures, W, b):
    seen = sigmoid(train_pictures @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return codes - seen.mean(axis=0) / seen.std(axis=0)
