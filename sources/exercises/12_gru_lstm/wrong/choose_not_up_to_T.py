# replaces: choose
# loses: 2
# hint: For one step your loop finds nothing: range(1, T) ends before T. The largest k is T itself.


def choose(T, state_bytes, cap):
    for k in range(1, T):
        if (-(-T // k) + k - 1) * state_bytes <= cap:
            return k
    raise ValueError("none")
