# replaces: kernel
# loses: 2
# hint: Your inner loop counts as many columns as there are ROWS: a.shape[1] is the number of columns.


def echo_kernel(r):
    def kernel(a, out):
        for k in range(a.shape[0]):
            for j in range(a.shape[0]):
                out[k, j] = a[k, j] + (r * out[k - 1, j] if k else 0.0)

    return kernel
