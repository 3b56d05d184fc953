# replaces: by_norm
# loses: 3
# hint: The numbers are right, but the arrays that you were given have changed, too: *= writes into the array
#   itself. Return new ones.


def clip_by_norm(gradients, limit):
    n = np.sqrt(sum(np.sum(g**2) for g in gradients))
    if n > limit:
        for g in gradients:
            g *= limit / n
    return gradients
