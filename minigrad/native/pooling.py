"""Pooling: each window of an image becomes one number, its largest entry.

`window_argmax` is called in all modes. `max_pool` is for compiled programs alone: ops/pool.py goes over all windows at
once, so one mode can be held against the other.
"""

from functools import partial

import numpy as np

from minigrad.native.jit import kernel


def argmax_at_once(x, height, width, sh, sw, out):
    (rows, columns), across = out.shape[2:], x.shape[3]
    down, right = sh * (rows - 1) + 1, sw * (columns - 1) + 1
    firsts = np.arange(0, down, sh)[:, None] * across + np.arange(0, right, sw)
    for image, where in zip(x, out, strict=True):  # one at a time: what they need besides is small
        largest, where[:] = image[:, :down:sh, :right:sw].copy(), firsts
        for a in range(height):
            for b in range(width):
                pixels = image[:, a : a + down : sh, b : b + right : sw]
                wins = (pixels > largest) | (pixels != pixels)  # nan wins, as in PyTorch
                np.copyto(largest, pixels, where=wins)
                np.copyto(where, firsts + (a * across + b), where=wins)


@kernel
def max_pool(x, height, width, sh, sw, out):
    images, channels, rows, columns = out.shape
    for n in range(images):
        for c in range(channels):
            for r in range(rows):
                for q in range(columns):
                    best = x[n, c, r * sh, q * sw]
                    for a in range(height):
                        for b in range(width):
                            pixel = x[n, c, r * sh + a, q * sw + b]
                            best = pixel if pixel > best or pixel != pixel else best  # nan wins, as in PyTorch
                    out[n, c, r, q] = best


@partial(kernel, at_once=argmax_at_once)
def window_argmax(x, height, width, sh, sw, out):
    images, channels, rows, columns = out.shape
    for n in range(images):
        for c in range(channels):
            image = x[n, c]
            for r in range(rows):
                for q in range(columns):
                    best = r * sh * image.shape[1] + q * sw
                    largest = image[r * sh, q * sw]
                    for a in range(height):
                        for b in range(width):
                            pixel = image[r * sh + a, q * sw + b]
                            if pixel > largest or pixel != pixel:  # nan wins, as in PyTorch
                                largest = pixel
                                best = (r * sh + a) * image.shape[1] + q * sw + b
                    out[n, c, r, q] = best
