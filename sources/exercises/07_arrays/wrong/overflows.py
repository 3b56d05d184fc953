# replaces: loss
# loses: 2
# hint: exp(10000) is infinite, and so is what follows. Subtract the largest logit of each row from the whole row
#   first: softmax does not change when all logits change by the same amount.


def cross_entropy(logits, labels):
    powers = np.exp(logits)
    probabilities = powers / powers.sum(axis=1, keepdims=True)
    return -np.mean(np.log(probabilities[np.arange(len(labels)), labels]))
