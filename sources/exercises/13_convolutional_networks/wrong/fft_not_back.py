# replaces: by_fft
# loses: 2
# hint: Those are still frequencies: complex numbers. Transform back with irfft2.


def slide_by_fft(x, w):
    frequencies = np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape))
    y = frequencies
    return y[: x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1]
