"""Files written whole or not at all, and closed to the other users of this machine unless they are meant for all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def private(folder: Path) -> Path:
    """A folder with names, grades and solutions: made if need be, and closed to all other users of this machine.

    What this process writes from now on, and what it starts writes (nbgrader's database, Dask's files), is closed too.
    """
    os.umask(0o077)
    folder.mkdir(parents=True, exist_ok=True)
    mode = folder.stat().st_mode & 0o7777
    if mode & 0o077:
        folder.chmod(mode & ~0o077)
    return folder


def write_whole(path: Path, content: str | bytes, sync: bool = True, public: bool = False) -> None:
    """Write a file in one go: whoever reads it finds the old one or the new one, with `sync` also after a power cut.

    Only its owner may read it, and new folders above it, unless it is `public`.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    _make_folders(path.parent, 0o755 if public else 0o700)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".part", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
            os.chmod(file.name, 0o644 if public else 0o600)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _make_folders(folder: Path, mode: int) -> None:
    if not folder.exists():
        _make_folders(folder.parent, mode)
        folder.mkdir(exist_ok=True)
        folder.chmod(mode)
