# replaces: kernel
# loses: 2
# hint: Nobody writes the first row of out, so it holds what was there before, and everything after it echoes
#   that.


def echo_kernel(r):
    def kernel(a, out):
        for k in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] + r * out[k - 1, j]

    return kernel
