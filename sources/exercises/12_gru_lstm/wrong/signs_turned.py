# replaces: choose
# loses: 3
# hint: The k - 1 states were subtracted. They are held in addition to the checkpoints.


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (-(-T // k) - k + 1) * state_bytes <= cap:
            return k
    raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")
    ### END SOLUTION
