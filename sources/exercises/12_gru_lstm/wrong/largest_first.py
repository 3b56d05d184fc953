# replaces: choose
# loses: 2
# hint: You found the largest k that fits. The smallest was asked for: begin with 1.


def choose(T, state_bytes, cap):
    for k in range(T, 0, -1):
        if (-(-T // k) + k - 1) * state_bytes <= cap:
            return k
    raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")
    ### END SOLUTION
