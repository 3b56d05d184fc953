# replaces: features
# loses: 2
# hint: The mean goes along each picture's code. It should go down the rows, over the pictures: axis 0.


def features(train_pictures, pictures, W, b):
    seen = sigmoid(train_pictures @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return (codes - seen.mean(axis=1, keepdims=True)) / seen.std(axis=1, keepdims=True)
