# replaces: features
# loses: 1
# hint: Mean and deviation come from the codes of both sets together. What is tested must not have a part in that:
#   those of the training pictures only.


def features(train_pictures, pictures, W, b):
    every = sigmoid(np.concatenate([train_pictures, pictures]) @ W.T + b)
    codes = sigmoid(pictures @ W.T + b)
    return (codes - every.mean(axis=0)) / every.std(axis=0)
