"""Results, one file for each, named by what was graded, written once, whole or not at all.

The name is a digest of the exercise and of the submission's answers. So a rerun finds what is there and grades the
rest; a changed submission or exercise has another name, and is graded again. They lie in a folder, or wherever fsspec
reaches (`s3://bucket/class`, `gs://...`, `sftp://...`); fsspec and what it needs for a place come with that place's
own package, such as s3fs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.files import write_whole


class Store:
    """The results of one exercise, in a folder or at a URL."""

    def __init__(self, place: Path | str) -> None:
        if isinstance(place, str) and "://" in place:
            self.files: Any = _Elsewhere(place)
        else:
            self.files = _Folder(Path(place))

    def get(self, key: str) -> dict[str, Any] | None:
        """A result, or None where there is none (or one that is damaged: then it is made again)."""
        try:
            result = json.loads(self.files.read(f"{key}.json"))
        except (OSError, ValueError):
            return None
        return result if isinstance(result, dict) and result.get("key") == key else None

    def put(self, result: dict[str, Any]) -> dict[str, Any]:
        """Keep a result. `times` counts how often one of this key was made: 1, unless work was done twice. The first
        one stays, but for one that says only that there is none."""
        before = self.get(result["key"])
        result = {**result, "times": 1 + (before or {}).get("times", 0)}
        if before is not None and "ungraded" not in before:
            result = {**before, "times": result["times"]}
        self.files.write(f"{result['key']}.json", json.dumps(result, indent=1, ensure_ascii=False))
        return result

    def forget(self, key: str) -> None:
        """Have it graded again."""
        self.files.remove(f"{key}.json")


class _Folder:
    """Files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        write_whole(self.folder / name, text)

    def remove(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)


class _Elsewhere:
    """Objects where fsspec reaches. An object store shows an object when all of it is there; elsewhere a file is
    written under another name first."""

    def __init__(self, url: str) -> None:
        try:
            import fsspec

            self.system, self.root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise GradingError(f"results cannot be kept at {url}: {error}") from None
        self.whole = "://" in url and url.partition("://")[0] in ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss")
        self.system.makedirs(self.root, exist_ok=True)

    def read(self, name: str) -> str:
        return self.system.cat_file(f"{self.root}/{name}").decode("utf-8")

    def write(self, name: str, text: str) -> None:
        data, path = text.encode("utf-8", "replace"), f"{self.root}/{name}"
        if self.whole:
            self.system.pipe_file(path, data)
            return
        part = f"{self.root}/.{name}.{os.getpid()}.part"
        self.system.pipe_file(part, data)
        self.system.mv(part, path)

    def remove(self, name: str) -> None:
        path = f"{self.root}/{name}"
        if self.system.exists(path):
            self.system.rm_file(path)
