"""Results in a folder: one file for each, named by what was graded, written once, whole or not at all.

The name is a digest of the exercise and of the submission's answers. So a rerun finds what is there and grades the
rest; a changed submission or exercise has another name, and is graded again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from minigrad_course.grading.whole_files import write_whole


class Store:
    """The results of one exercise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> dict[str, Any] | None:
        """A result, or None where there is none (or one that is damaged: then it is made again)."""
        try:
            result = json.loads(self._file(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return result if isinstance(result, dict) and result.get("key") == key else None

    def put(self, result: dict[str, Any]) -> dict[str, Any]:
        """Write a result. `times` counts how often one of this key was made: 1, unless work was done twice. The first
        one stays, but for one that says only that there is none."""
        before = self.get(result["key"])
        result = {**result, "times": 1 + (before or {}).get("times", 0)}
        if before is not None and "ungraded" not in before:
            result = {**before, "times": result["times"]}
        write_whole(self._file(result["key"]), json.dumps(result, indent=1, ensure_ascii=False))
        return result

    def forget(self, key: str) -> None:
        """Have it graded again."""
        self._file(key).unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json"
