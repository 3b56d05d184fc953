# replaces: choose
# loses: 2
# hint: You round T / k down, and so forget the checkpoint of the last, shorter part. 10 steps with k = 3: count
#   the checkpoints on your fingers.


def choose(T, state_bytes, cap):
    for k in range(1, T + 1):
        if (T // k + k - 1) * state_bytes <= cap:
            return k
    raise ValueError("no k fits")
