# replaces: kernel
# loses: 2
# hint: From the third row on, the echo of the echo is missing: the row before has to be taken from out, not from a.


def echo_kernel(r):
    def kernel(a, out):
        for j in range(a.shape[1]):
            out[0, j] = a[0, j]
        for k in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] + r * a[k - 1, j]

    return kernel
