# replaces: choose
# loses: 2
# hint: You return the number of parts, T / k rounded up, or the largest k that fits. The smallest k was asked for.


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (-(-T // k) + k - 1) * state_bytes <= cap:
            return -(-T // k)
    raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")
