"""Files that are written whole or not at all: programs, machine code, weights, checkpoints."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write, which replaces the one at `path` when all went well: also when two processes write at once."""
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
