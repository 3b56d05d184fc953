"""digits(): real handwriting that comes with the package, for lessons that must run anywhere in seconds.

The pictures are the UCI optical digits that scikit-learn ships: 1,797 images of 8x8 (source: digits-licence.md).
Here they become pictures like MNIST's, by the steps that MNIST's makers took as well:

    a digit fills a box of 20x20    each 8x8 image is enlarged 2.5 times, by cubic interpolation
    in a frame of 28x28             black all around
    with its centre of mass         in the middle of the frame (part of the interpolation, so it costs no sharpness)

and by more contrast, because ink is black, and enlarging makes it grey. Tried and left out: additional training images,
shifted by a pixel or two. They brought no better test accuracy, because every test image is centred as well.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from minigrad_course.data.dataset import Data, DataError

FILE = Path(__file__).with_name("digits.npz")
BOX, FRAME = 20, 28
CONTRAST = 1.5


def digits() -> Data:
    """1,297 training and 500 test images of handwritten digits, as `Data`: no download, no other package.

    train_x (1297, 784), test_x (500, 784) float32 in [0, 1], labels int64. The test part has 50 images of each digit.
    The split was drawn once, by image, and is stored in the file, so everybody has the same. The source does not say
    which of its 13 writers wrote which image: the same hands are in both parts, so a test accuracy here flatters.
    Raises DataError if the package's own file is missing or damaged.

    >>> mg.data.digits().train_x.shape
    (1297, 784)
    """
    try:
        with np.load(FILE) as arrays:
            train_x, train_y, test_x, test_y = (arrays[part] for part in ("train_x", "train_y", "test_x", "test_y"))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(
            f"{FILE}, a part of minigrad, is missing or damaged ({error}): install minigrad again."
        ) from None
    return Data(
        train_x=enlarge(train_x / 16),
        train_y=train_y.astype(np.int64),
        test_x=enlarge(test_x / 16),
        test_y=test_y.astype(np.int64),
        name="digits",
        source="UCI Optical Recognition of Handwritten Digits (8x8, enlarged to 28x28), embedded in minigrad",
        licence="CC BY 4.0 (E. Alpaydin, C. Kaynak)",
    )


def enlarge(images: np.ndarray) -> np.ndarray:
    """Small square images (N, n, n), values in [0, 1], as MNIST-like rows: float32 (N, 784) in [0, 1].

    Interpolation is linear in the pixels, first along columns, then along rows. So it is two matrix products per image:
    `down @ image @ across.T`, where row i of `down` says how much of each small row goes into row i of the frame.
    """
    n = images.shape[-1]
    middle = np.arange(n) - (n - 1) / 2  # pixel positions, measured from the middle of the image
    ink = np.maximum(images.sum((1, 2)), 1e-12)  # an empty image stays where it is
    down = _interpolation(n, centre=images.sum(2) @ middle / ink)
    across = _interpolation(n, centre=images.sum(1) @ middle / ink)
    frames = down @ images @ across.transpose(0, 2, 1)
    frames = np.clip((frames - 0.5) * CONTRAST + 0.5, 0, 1)
    return frames.astype(np.float32).reshape(len(images), FRAME * FRAME)


def _interpolation(n: int, centre: np.ndarray) -> np.ndarray:
    """Matrices (N, 28, n) that enlarge a line of n pixels to 20 and bring `centre` (N,) to the middle of the 28."""
    small = np.arange(n) - (n - 1) / 2  # pixel positions in the line, measured from its middle
    frame = (np.arange(FRAME) - (FRAME - 1) / 2) * (n / BOX)  # the frame's pixels on the same scale
    distance = np.abs(frame[:, None] + centre[:, None, None] - small)
    # The Catmull-Rom cubic: passes through the pixels' values, smooth, and 0 from two pixels away.
    near = (1.5 * distance - 2.5) * distance**2 + 1
    far = ((-0.5 * distance + 2.5) * distance - 4) * distance + 2
    return np.where(distance < 1, near, np.where(distance < 2, far, 0.0))
