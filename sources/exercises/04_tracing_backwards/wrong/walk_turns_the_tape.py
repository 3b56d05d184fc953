# replaces: walk
# loses: 5
# hint: Your function reverses the caller's tape itself (`tape.reverse()`), so the second call goes through it in
#   the wrong direction. `reversed(tape)` leaves it as it is.


def backward_pass(tape, weights):
    bar = {name: weights.get(name, 0.0) for name, _ in tape}
    tape.reverse()
    for name, parts in tape:
        for n, p in parts:
            bar[n] += p * bar[name]
    return bar
