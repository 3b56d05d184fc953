# replaces: choose
# loses: 5
# hint: You count one state too many: the first state of a part is its checkpoint, so only k - 1 are computed again.


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (-(-T // k) + k) * state_bytes <= cap:
            return k
    raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")
