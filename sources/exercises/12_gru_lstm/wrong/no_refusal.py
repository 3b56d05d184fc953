# replaces: choose
# loses: 2
# hint: If nothing fits, your function returns something nevertheless (or nothing). A cap that cannot be kept is an
#   error: raise a ValueError.


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (-(-T // k) + k - 1) * state_bytes <= cap:
            return k
    return round(T**0.5)
