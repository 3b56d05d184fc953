# replaces: batches
# loses: 5
# hint: Some rows come twice and others never: each batch is cut from a permutation of its own. In an epoch
#   every row has one turn: draw ONE permutation, and cut that.


def batches(n, size, rng):
    return [rng.permutation(n)[i : i + size] for i in range(0, n, size)]
