# replaces: choose
# loses: 2
# hint: The square root holds the fewest states. But the smallest k that fits was asked for, because with it the
#   fewest steps are computed again.


def choose(T, state_bytes, cap):
    k = max(1, round(T**0.5))
    if (-(-T // k) + k - 1) * state_bytes > cap:
        raise ValueError("no k fits")
    return k
