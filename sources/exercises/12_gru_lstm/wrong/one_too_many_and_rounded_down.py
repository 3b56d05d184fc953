# replaces: choose
# loses: 5
# hint: With k = 1 you count 101 states for 100 steps. Count again: T / k checkpoints, rounded up, and k - 1 states.


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (T // k + k) * state_bytes <= cap:
            return k
    raise ValueError
