# replaces: by_fft
# loses: 2
# hint: The frequencies were added. They are multiplied.


def slide_by_fft(x, w):
    frequencies = np.fft.rfft2(x) + np.conj(np.fft.rfft2(w, x.shape))
    y = np.fft.irfft2(frequencies, x.shape)
    return y[: x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1]
