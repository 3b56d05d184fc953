"""Write files atomically: programs, machine code, weights, checkpoints."""

from __future__ import annotations

import contextlib
import glob
import io
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

import numpy as np


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that replaces the one at `path` on success, even if two processes write at once."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", suffix=".tmp", delete=False) as file:
        try:
            yield file
            file.close()
            os.replace(file.name, path)
        except BaseException:
            with contextlib.suppress(OSError):  # what could not be written
                file.close()
            with contextlib.suppress(OSError):  # it has replaced the other one already
                os.unlink(file.name)
            raise


DAY = 24 * 60 * 60  # seconds


def remove_parts(folder: Path, pattern: str) -> None:
    """Remove what killed processes left half-written in a folder, a day later: until then they may be at work."""
    with contextlib.suppress(OSError):  # the folder may not be listed
        for part in folder.glob(pattern):
            with contextlib.suppress(OSError):  # another process has removed it, or it may not be removed
                if time.time() - part.stat().st_mtime > DAY:
                    part.unlink()


def save_arrays(path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays, by name, to a NumPy .npz file atomically, even if the computer loses power.

    The file name is used unchanged. If writing fails, the old file stays, nothing is left beside it, and the error
    (OSError for a full disk, say) propagates.
    """
    path = Path(path)
    with whole_file(path) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
        file.flush()
        os.fsync(file.fileno())
    remove_parts(path.parent, f".{glob.escape(path.name)}-*.tmp")


def load_arrays(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """Read the arrays that `save_arrays` wrote. OSError: the file cannot be read; ValueError: it is damaged."""
    content = io.BytesIO(Path(path).read_bytes())
    try:
        with np.load(content, allow_pickle=False) as arrays:
            return dict(arrays)
    except Exception as error:  # zipfile, zlib and NumPy have many for what they do not expect
        raise ValueError(str(error) or type(error).__name__) from None
