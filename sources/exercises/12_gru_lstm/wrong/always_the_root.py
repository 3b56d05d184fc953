# replaces: choose
# loses: 2
# hint: The square root holds the fewest states. But the question is another one: the smallest k that fits,
#   because it computes the fewest steps again.


def choose(T, state_bytes, cap):
    k = max(1, round(T**0.5))
    if (-(-T // k) + k - 1) * state_bytes > cap:
        raise ValueError("no k fits")
    return k
