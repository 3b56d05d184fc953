# replaces: kernel
# loses: 2
# hint: The numbers are right, but each call makes a new array. A kernel writes into out, and needs nothing else.


def echo_kernel(r):
    def kernel(a, out):
        v = np.empty(a.shape)
        for j in range(a.shape[1]):
            v[0, j] = out[0, j] = a[0, j]
        for k in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                v[k, j] = out[k, j] = a[k, j] + r * v[k - 1, j]

    return kernel
