# replaces: kernel
# loses: 2
# hint: Your echo runs from the last row up to the first. It goes down: row k needs row k - 1.


def echo_kernel(r):
    def kernel(a, out):
        n = a.shape[0]
        for k in range(n - 1, -1, -1):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] + (r * out[k + 1, j] if k + 1 < n else 0.0)

    return kernel
