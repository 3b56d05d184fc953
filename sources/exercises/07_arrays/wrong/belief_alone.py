# replaces: slope
# loses: 3
# hint: That is the softmax alone, the prediction. Its gradient would push all logits down, the right one as well.
#   What is missing is the truth.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return adjoint * powers / powers.sum(axis=1, keepdims=True) / len(labels)
