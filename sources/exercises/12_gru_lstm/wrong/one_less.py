# replaces: choose
# loses: 3
# hint: Your k is one too small for the cap: what is compared and what is returned differ by one, or a checkpoint is
#   not counted.


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (-(-T // k) + k - 1) * state_bytes <= cap:
            return k - 1
    raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")
    ### END SOLUTION
