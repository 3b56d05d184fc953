"""Asks a JupyterLab whether it answers, by the file that it keeps in its runtime folder while it runs."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit


def answer(info: Path) -> dict | None:
    """Return a server's "url" and "token" from its jpserver-*.json, if the server answers; else None.

    One that was killed leaves its file behind. No proxy is asked: the server is on this machine. One that listens on
    all interfaces names the machine, and not every machine can look up its own name: then 127.0.0.1 is the url.
    """
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with contextlib.suppress(OSError, ValueError, KeyError):
        about = json.loads(info.read_text(encoding="utf-8"))
        url = urlsplit(about["url"])
        for place in (url.netloc, f"127.0.0.1:{url.port}"):
            address = url._replace(netloc=place).geturl()
            with contextlib.suppress(OSError, HTTPException, ValueError), direct.open(f"{address}api", timeout=5):
                return about | {"url": address}
    return None
