# replaces: by_fft
# loses: 2
# hint: One row and one column are missing: a filter of 2 has one place fewer than the picture has rows, and not
#   two. Where does + 1 belong?


def slide_by_fft(x, w):
    y = np.fft.irfft2(np.fft.rfft2(x) * np.conj(np.fft.rfft2(w, x.shape)), x.shape)
    return y[: x.shape[0] - w.shape[0], : x.shape[1] - w.shape[1]]
