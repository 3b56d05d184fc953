# replaces: by_fft
# loses: 2
# hint: With an odd number of columns it goes wrong: irfft2 cannot tell 6 from 7. Give it the picture's size.


def slide_by_fft(x, w):
    y = np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape)))
    return y[: x.shape[0] - w.shape[0] + 1, : x.shape[1] - w.shape[1] + 1]
