# replaces: choose
# loses: 2
# hint: Your k is one too small for the cap: is T / k rounded up, for the last, shorter part? 10 steps with k = 3:
#   how many checkpoints are there?


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (T // k + k - 1) * state_bytes <= cap:
            return k
    raise ValueError("no k fits")
