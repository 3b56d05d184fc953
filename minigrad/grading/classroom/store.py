"""Results on disk: one file for each, named by what was graded, written whole or not at all.

The name is a digest of the exercise and of the submission's answers. So a rerun finds what is there and grades the
rest; a changed submission or exercise has another name, and is graded again.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any


class Store:
    """The results of one exercise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> dict[str, Any] | None:
        """A result, or None where there is none (or one that is damaged: then it is made again)."""
        try:
            result = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return result if isinstance(result, dict) and result.get("key") == key else None

    def put(self, result: dict[str, Any]) -> None:
        """Keep a result."""
        write_whole(self.folder / f"{result['key']}.json", json.dumps(result, indent=1, ensure_ascii=False))

    def forget(self, key: str) -> None:
        """Have it graded again."""
        (self.folder / f"{key}.json").unlink(missing_ok=True)


def write_whole(path: Path, content: str | bytes, sync: bool = True) -> None:
    """Write a file in one go: whoever reads it finds the old one or the new one, with `sync` also after a power cut."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".part", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
