# replaces: choose
# loses: 3
# hint: You count the checkpoints, but not the k - 1 states that are computed again between two of them. They are
#   held at the same time.


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if -(-T // k) * state_bytes <= cap:
            return k
    raise ValueError("no k fits")
