# replaces: choose
# loses: 5
# hint: You give up at the first k that does not fit. Larger ones may: raise the error after the loop.


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (-(-T // k) + k - 1) * state_bytes <= cap:
            return k
        else:
            raise ValueError("none")
