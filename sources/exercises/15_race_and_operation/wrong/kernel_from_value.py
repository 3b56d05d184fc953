# replaces: kernel
# loses: 2
# hint: The numbers are right, but arrays are made on the way. Write the loops out, with out[k, j] = ...


def echo_kernel(r):
    def kernel(a, out):
        echo_value(a.copy(), r, out)

    return kernel
