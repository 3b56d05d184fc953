# replaces: kernel
# loses: 2
# hint: The sign of the echo is the opposite, or the factor r is missing: plus r times the row before.


def echo_kernel(r):

    def kernel(a, out):
        for j in range(a.shape[1]):
            out[0, j] = a[0, j]
        for k in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] - r * out[k - 1, j]

    return kernel
