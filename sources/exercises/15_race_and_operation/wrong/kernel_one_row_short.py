# replaces: kernel
# loses: 2
# hint: The last row still holds what was there before: range(1, n) ends before n by itself.


def echo_kernel(r):

    def kernel(a, out):
        for j in range(a.shape[1]):
            out[0, j] = a[0, j]
        for k in range(1, a.shape[0] - 1):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] + r * out[k - 1, j]

    return kernel
