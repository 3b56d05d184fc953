# replaces: by_fft
# loses: 2
# hint: Without the conjugate, a product of frequencies slides the rotated filter, and from another corner. Which of
#   the two factors needs np.conj?


def slide_by_fft(x, w):
    frequencies = np.fft.rfft2(x) * np.fft.rfft2(w, x.shape)
    y = np.fft.irfft2(frequencies, x.shape)
    return y[: x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1]
