"""What may stand in square brackets: a[2, ::-1, None, ...]."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_basic(key: Any) -> bool:
    """Whether `key` holds integers, slices, None and ... alone: then a[key] is a view, and meets no entry twice."""
    parts = key if isinstance(key, tuple) else (key,)
    return all(
        part is None or part is Ellipsis or (isinstance(part, int | np.integer | slice) and not isinstance(part, bool))
        for part in parts
    )


def key_text(key: Any) -> str:
    """A key as it is written; an array as its shape."""

    def part(k: Any) -> str:
        if isinstance(k, slice):
            return ":".join("" if x is None else str(x) for x in ((k.start, k.stop, k.step)[: 3 if k.step else 2]))
        if k is Ellipsis:
            return "..."
        return f"array{k.shape}" if isinstance(k, np.ndarray) else str(k)

    return ", ".join(part(k) for k in key) if isinstance(key, tuple) else part(key)
