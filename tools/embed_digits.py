"""Write minigrad_course/data/digits.npz, the embedded handwriting, from scikit-learn's copy. Done once.

    pip install scikit-learn
    python tools/embed_digits.py

The file holds four uint8 arrays: train_x (1297, 8, 8) and test_x (500, 8, 8) with values 0 to 16, and their labels. The
test part is 50 images of each digit, drawn by image; the rest, in the source's order, is for training. The split is
stored, not recomputed, so that it is the same with every version of NumPy.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

TEST_IMAGES_PER_DIGIT = 50
SEED = 0
TARGET = Path(__file__).parents[1] / "minigrad" / "data" / "digits.npz"


def main() -> None:
    from sklearn.datasets import load_digits

    source = load_digits()
    images, labels = source.images.astype(np.uint8), source.target.astype(np.uint8)
    assert images.shape == (1797, 8, 8)
    assert np.array_equal(images, source.images)  # nothing was lost in the bytes
    # An image that is there twice could end up on both sides of the split.
    assert len(np.unique(images.reshape(len(images), -1), axis=0)) == len(images)

    rng = np.random.default_rng(SEED)
    for_test = np.zeros(len(labels), bool)
    for digit in range(10):
        for_test[rng.permutation(np.flatnonzero(labels == digit))[:TEST_IMAGES_PER_DIGIT]] = True
    np.savez_compressed(
        TARGET,
        train_x=images[~for_test],
        train_y=labels[~for_test],
        test_x=images[for_test],
        test_y=labels[for_test],
    )
    print(f"{TARGET}: {(~for_test).sum()} training and {for_test.sum()} test images, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
