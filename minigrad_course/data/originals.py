"""MNIST and Fashion-MNIST: find or download the original files, check them, and turn them into arrays.

The files are looked up in the folder that the environment variable MINIGRAD_DATA names, else in the user's cache, in
torchvision's layout, which is common on disk already: `MNIST/raw/` with train-images-idx3-ubyte and so on, each plain
or as .gz. If they are complete, nothing is downloaded and nothing is written. What is missing pooch fetches: it writes
into a temporary file beside the target, checks its MD5, and moves it in one step.

A file has a header, the lengths of the array's axes, and then one byte for each pixel or label (IDX, its authors call
it). A file with the right checksum has the right header, too.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from minigrad_course.data.dataset import Data, DataError

# Training images and labels, test images and labels.
PARTS = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
SECONDS_OF_SILENCE = 30  # after which a mirror counts as gone


@dataclass(frozen=True)
class Original:
    """A data set as its authors publish it: four files and their properties."""

    name: str  # of our function
    folder: str
    title: str
    licence: str
    mirrors: tuple[str, ...]  # addresses of folders that have the four PARTS, compressed
    md5: tuple[str, ...]  # checksums of the four PARTS
    md5_gz: tuple[str, ...]  # and of the compressed ones
    lengths: tuple[int, int] = (60_000, 10_000)  # images to train on, images to test on


MNIST = Original(
    name="mnist",
    folder="MNIST",
    title="MNIST",
    licence="CC BY-SA 3.0 (Y. LeCun, C. Cortes, C. Burges)",
    mirrors=("https://ossci-datasets.s3.amazonaws.com/mnist/", "http://yann.lecun.com/exdb/mnist/"),
    md5=(
        "6bbc9ace898e44ae57da46a324031adb",
        "a25bea736e30d166cdddb491f175f624",
        "2646ac647ad5339dbf082846283269ea",
        "27ae3e4e09519cfbb04c329615203637",
    ),
    md5_gz=(
        "f68b3c2dcbeaaa9fbdd348bbdeb94873",
        "d53e105ee54ea40749a09fcbcd1e9432",
        "9fb629c4189551a2d022fa330f9573f3",
        "ec29112dd5afa0611ce80d1b7f02629c",
    ),
)

FASHION_MNIST = Original(
    name="fashion_mnist",
    folder="FashionMNIST",
    title="Fashion-MNIST",
    licence="MIT (Zalando SE)",
    mirrors=("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",),
    md5=(
        "f4a8712d7a061bf5bd6d2ca38dc4d50a",
        "9018921c3c673c538a1fc5bad174d6f9",
        "8181f5470baa50b63fa0f6fddb340f0a",
        "15d484375f8d13e6eb1aabb0c3f46965",
    ),
    md5_gz=(
        "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
        "25c81989df183df01b3e8a0aad5dffbe",
        "bef4ecab320f06d8554ea6380940ec79",
        "bb300cfdad3c16e7a12a480ee83cd310",
    ),
)


def mnist() -> Data:
    """Real MNIST: 60,000 training and 10,000 test images of handwritten digits, as `Data`.

    train_x (60000, 784) and test_x (10000, 784) float32 in [0, 1]: the original byte / 255, as torchvision's ToTensor
    has it; labels int64, 0 to 9. Read from MINIGRAD_DATA or the user's cache; if the files are not there, they are
    downloaded (12 MB, once). Takes 220 MB of memory. Raises DataError if they cannot be had or one is damaged.
    """
    return load(MNIST)


def fashion_mnist() -> Data:
    """Fashion-MNIST: 60,000 training and 10,000 test pictures of clothes, shaped and loaded like `mnist()` (31 MB).

    Classes 0 to 9: T-shirt/top, trouser, pullover, dress, coat, sandal, shirt, sneaker, bag, ankle boot.
    """
    return load(FASHION_MNIST)


def load(original: Original) -> Data:
    """Read the four files, downloading them first if some are missing. Raises DataError."""
    folder = data_folder(original)
    if missing_files(folder):
        download(original, folder)
    train_x, train_y, test_x, test_y = (
        read_part(original, folder, part, md5) for part, md5 in zip(PARTS, original.md5, strict=True)
    )
    source = f"{original.title}, read from {folder}"
    return Data(train_x, train_y, test_x, test_y, original.name, source, original.licence)


def download(original: Original, folder: Path) -> None:
    """Put the missing files of `original` into `folder`. Raises DataError, with what was tried and what to do."""
    missing = missing_files(folder)
    advice = (
        f"You can put {', '.join(missing)} into {folder} yourself, or set MINIGRAD_DATA to a folder that has the four "
        f"files in {original.folder}/raw, or use the embedded digits: minigrad_course.data.digits()."
    )
    try:
        import pooch
    except ImportError:
        raise DataError(
            f"{original.title} is not in {folder}, and pooch, which would download it, is not installed: "
            f"pip install pooch. {advice}"
        ) from None
    pooch.get_logger().setLevel("ERROR")
    fetch = pooch.HTTPDownloader(timeout=SECONDS_OF_SILENCE)
    for part, md5 in zip(PARTS, original.md5_gz, strict=True):
        for mirror in original.mirrors if part in missing else ():
            try:
                pooch.retrieve(mirror + part + ".gz", f"md5:{md5}", part + ".gz", folder, downloader=fetch)
                break
            except Exception as error:  # a network and a disk have many ways to fail
                reason = " ".join(str(error).split()) or type(error).__name__
        else:
            if part in missing:
                raise DataError(
                    f"{original.title} could not be downloaded into {folder}. Is there a network, and room on the "
                    f"disk? Tried {' and '.join(original.mirrors)}; it ended with: {reason}. {advice}"
                )


def data_folder(original: Original) -> Path:
    """The folder that has, or will get, the files: an absolute path."""
    inside = Path(original.folder, "raw")
    setting = os.environ.get("MINIGRAD_DATA")
    if not setting:
        return cache_folder() / inside
    base = Path(os.path.expanduser(setting))
    # A relative path refers to the folder where the command was typed. A notebook runs in its own folder, further down.
    here = Path.cwd()
    for start in (here, *here.parents):
        if (start / base / inside).is_dir():
            return (start / base / inside).resolve()
    return (here / base / inside).resolve()


def cache_folder() -> Path:
    """Return the system's folder for files that a program can fetch again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base), "minigrad", "data")


def missing_files(folder: Path) -> list[str]:
    """Return the names of the files that exist neither plain nor as .gz."""
    return [part for part in PARTS if not any((folder / name).is_file() for name in (part, part + ".gz"))]


def read_part(original: Original, folder: Path, part: str, md5: str) -> np.ndarray:
    """Images as float32 (N, 784) in [0, 1], labels as int64 (N,). Raises DataError if the file is not the original."""
    path = folder / part if (folder / part).is_file() else folder / (part + ".gz")
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        problem = f"is not a whole gzip file ({error})"
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror or error}).") from error
    else:
        checksum = hashlib.md5(content, usedforsecurity=False).hexdigest()
        problem = f"is damaged: its {len(content)} bytes have the MD5 checksum {checksum}, the original's have {md5}"
        if checksum == md5:
            axes = content[3]
            numbers = np.frombuffer(content, np.uint8, offset=4 + 4 * axes)
            return numbers.astype(np.int64) if axes == 1 else numbers.reshape(-1, 784) / np.float32(255)
    raise DataError(
        f"{path} {problem}. Delete that file and ask for {original.title} again: it will be downloaded anew. "
        "Or use the embedded digits: minigrad_course.data.digits()."
    )
