# replaces: kernel
# loses: 2
# hint: Your echo goes along each row, from left to right. It should go down, from one row to the next: the first
#   axis.


def echo_kernel(r):
    def kernel(a, out):
        for k in range(a.shape[0]):
            out[k, 0] = a[k, 0]
            for j in range(1, a.shape[1]):
                out[k, j] = a[k, j] + r * out[k, j - 1]

    return kernel
