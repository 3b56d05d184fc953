# replaces: choose
# loses: 3
# hint: The cap is in bytes. How many bytes do so many states take?


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (-(-T // k) + k - 1) <= cap:
            return k
    raise ValueError(f"{T} states of {state_bytes} bytes do not fit into {cap} bytes")
