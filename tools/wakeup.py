"""nbclient, mended: it could wait for ever for a reply that had come.

For an Output widget nbclient sends messages while it waits for the cell's reply on the same socket. Sending takes note
of what has arrived, without telling whoever waits; and ZeroMQ reports an arrival once. So, now and then, a notebook
with `ipywidgets.interactive` hung. JupyterLab's own client is not concerned.
"""

from __future__ import annotations

import functools
from typing import Any


def mend() -> None:
    """After each message from a kernel, look at the socket for replies again. Raises ImportError without nbclient."""
    import zmq
    from nbclient import NotebookClient

    process = NotebookClient.process_message
    if getattr(process, "mended", False):
        return

    @functools.wraps(process)
    def process_message(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return process(self, *args, **kwargs)
        finally:
            if self.kc is not None:
                self.kc.shell_channel.socket.get(zmq.EVENTS)  # asking is enough: pyzmq then wakes who waits

    process_message.mended = True  # type: ignore[attr-defined]
    NotebookClient.process_message = process_message  # type: ignore[method-assign, assignment]
