"""The playground's address of a function that is explored in a notebook: its source, its inputs, and the mode.

A link is text, so the function's source must say all that it needs, beside what every text of the playground begins
with. A function that uses more, a lambda, and inputs that the playground could not show as they are, have no link.
"""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Mapping, Sequence
from importlib import metadata
from types import FunctionType
from typing import Any

import numpy as np

SITE = "MINIGRAD_SITE_URL"  # in the environment: the address of the course's site
PLAYGROUND = "tab/playground/index.html"  # on that site


def site() -> str:
    """Return the address of the course's site: the environment's, else the package's documentation, else none."""
    address = os.environ.get(SITE, "")
    if not address:
        try:
            urls = metadata.metadata("minigrad-course").get_all("Project-URL") or []
        except metadata.PackageNotFoundError:
            urls = []
        labelled = [url.partition(",") for url in urls]
        address = next((url.strip() for label, _, url in labelled if label.strip() == "Documentation"), "")
    return address.rstrip("/") if address.startswith(("http://", "https://")) else ""


def link(what: object, args: Sequence[Any], options: Mapping[str, Any], mode: str) -> dict[str, Any]:
    """Return page, code, inputs and mode of the playground's address for a call that is explored, or an empty dict."""
    from minigrad_course.viz.explore.typed import ALONE, Typed, TypedError  # imports explore, and so this module

    address = site()
    if not address or not isinstance(what, FunctionType) or what.__name__ == "<lambda>":
        return {}
    outside = inspect.getclosurevars(what)
    used = {**outside.globals, **outside.nonlocals}
    if any(ALONE.get(name) is not value for name, value in used.items()):
        return {}
    try:
        typed = Typed(textwrap.dedent(inspect.getsource(what)), file="<link>")
        inputs = dict(zip([p["name"] for p in typed.parameters if p["moves"]], args, strict=True)) | dict(options)
        fixed = {p["name"] for p in typed.parameters if not p["moves"]}
        plain = (
            isinstance(x, int | float | np.ndarray) and np.asarray(x).dtype in ("f8", "i8") for x in inputs.values()
        )
        if not options.keys() <= fixed or not all(plain):
            return {}
        inputs = {p["name"]: typed.read(p["name"], inputs[p["name"]], not p["moves"]) for p in typed.parameters
                  if p["name"] in inputs}  # fmt: skip
    except (OSError, TypeError, ValueError, TypedError):  # without a source, or what cannot be typed
        return {}
    return {"page": f"{address}/{PLAYGROUND}", "code": typed.source, "inputs": inputs, "mode": mode}
