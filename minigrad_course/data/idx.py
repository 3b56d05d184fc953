"""IDX, the file format of MNIST: a header of a few bytes, then the numbers themselves.

    bytes 0-3      0, 0, type of the numbers (8 = unsigned byte), number of axes
    then           the length of each axis, 4 bytes each, most significant byte first
    then           the numbers, last axis fastest

Reading it takes ten lines. The rest of this file makes sure that a file which is not whole is named, not used.
"""

from __future__ import annotations

import gzip
import hashlib
import math
import zlib
from pathlib import Path

import numpy as np

from minigrad_course.data.dataset import DataError

UNSIGNED_BYTE = 8


def read_idx(path: str | Path, shape: tuple[int, ...], md5: str | None = None) -> np.ndarray:
    """Read an IDX file of unsigned bytes that holds an array of this shape. A file whose name ends in .gz is unzipped.

    `md5` is the checksum of the file's content (not compressed), if known. Returns a read-only uint8 array.
    Raises DataError, which names the file and says what is wrong with it: unreadable, not IDX, too short, too long,
    another shape or another checksum.
    """
    path = Path(path)
    try:
        stored = path.read_bytes()
        content = gzip.decompress(stored) if path.suffix == ".gz" else stored
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{path} is not a whole gzip file ({error}).") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror or error}).") from error

    magic, start = bytes([0, 0, UNSIGNED_BYTE, len(shape)]), 4 + 4 * len(shape)
    if len(content) < start:
        raise DataError(f"{path} is truncated: it has {len(content)} bytes, its header alone should have {start}.")
    if content[:4] != magic:
        raise DataError(f"{path} is not the file it should be: it starts with {content[:4]!r} instead of {magic!r}.")
    promised = tuple(int(length) for length in np.frombuffer(content, ">u4", count=len(shape), offset=4))
    expected, follow = math.prod(promised), len(content) - start
    if follow != expected:
        problem = "is truncated" if follow < expected else "is too long"
        lengths = " x ".join(map(str, promised))
        raise DataError(f"{path} {problem}: its header promises {lengths} = {expected} bytes, but {follow} follow.")
    if promised != shape:
        raise DataError(f"{path} holds an array of shape {promised} instead of {shape}.")
    # Last, because a checksum only detects an error, while the checks above explain it.
    checksum = hashlib.md5(content, usedforsecurity=False).hexdigest()
    if md5 not in (None, checksum):
        raise DataError(f"{path} is corrupt: its content has the MD5 checksum {checksum}, the original's has {md5}.")
    return np.frombuffer(content, np.uint8, offset=start).reshape(shape)
