# replaces: kernel
# loses: 2
# hint: kernel takes two things, a and out. r is known already: the function around it has it.


def echo_kernel(r):
    def kernel(a, r, out):
        for k in range(a.shape[0]):
            for j in range(a.shape[1]):
                out[k, j] = a[k, j] + (r * out[k - 1, j] if k else 0.0)

    return kernel
