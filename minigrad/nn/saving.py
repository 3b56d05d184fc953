"""Arrays on disk: what `Module.save` and the checkpoints of `fit` are written with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from minigrad.files import whole_file


def save_arrays(path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays, by name, to a NumPy .npz file: whole or not at all, also when the computer goes off.

    The name of the file is taken as it is. Where writing fails, what was there stays, nothing is left beside it, and
    the error (OSError for a full disk, say) goes on its way.
    """
    with whole_file(Path(path)) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
        file.flush()
        os.fsync(file.fileno())
