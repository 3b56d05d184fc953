"""Write files atomically: programs, machine code, weights, checkpoints."""

from __future__ import annotations

import contextlib
import os
import tempfile
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
            os.unlink(file.name)
            raise


def save_arrays(path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays, by name, to a NumPy .npz file atomically, even if the computer loses power.

    The file name is used unchanged. If writing fails, the old file stays, nothing is left beside it, and the error
    (OSError for a full disk, say) propagates.
    """
    with whole_file(Path(path)) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
        file.flush()
        os.fsync(file.fileno())
