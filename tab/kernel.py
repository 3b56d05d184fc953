"""A Jupyter kernel in a browser tab: IPython, and Jupyter's messages through the door.

It does what ipykernel does, without sockets and threads. One message is handled at a time; while a cell runs, the page
is asked twice a second whether the learner wants it stopped.
"""

from __future__ import annotations

import builtins
import io
import os
import random
import sys
import time
import uuid
import warnings
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import comm
import numpy
from comm.base_comm import BaseComm, CommManager
from IPython.core.completer import provisionalcompleter, rectify_completions
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from IPython.utils.tokenutil import token_at_cursor
from minigrad_tab import door
from minigrad_tab.stop import Stop
from traitlets import Any as AnyTrait
from traitlets import Instance
from traitlets.config import Config

NO_INPUT = "a tab cannot wait for what you type: write the value into the cell, and run it again"
NO_TERMINAL = (
    "A browser tab has no terminal and takes no other packages. Points come from the exercise's own cells. For hidden "
    "tests choose File, Download My Work, unpack that in the course's folder on a computer, and run this there."
)


class Kernel:
    """The state of one notebook: IPython's shell, comms, and the message that is being answered."""

    def __init__(self, folder: str, later: dict[str, Any], site: str) -> None:
        door.fetch_later(later)
        os.environ.setdefault("MINIGRAD_SITE_URL", site)  # explore makes links to the playground there
        os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
        os.makedirs(folder, exist_ok=True)
        os.chdir(folder)
        self.parent: dict[str, Any] = {"header": {}}
        self.comms = CommManager()
        comm.create_comm = lambda *arguments, **options: Comm(*arguments, **options)
        comm.get_comm_manager = lambda: self.comms
        config = Config()
        config.HistoryManager.enabled = False
        config.Completer.use_jedi = False  # it is not shipped: names that are there suffice
        self.shell = Shell.instance(config=config, kernel=self)
        for name in ("bash", "sh", "script", "system", "sx"):
            self.shell.register_magic_function(self.shell.system, "line_cell", name)
        for name in ("pip", "conda", "mamba", "uv"):
            self.shell.register_magic_function(self.shell.system, "line", name)
        sys.path.insert(0, "")
        sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
        builtins.input = self.refuse_input  # type: ignore[assignment]
        self.stop = Stop(lambda: door.ask("interrupted") == b"yes")

    def get_parent(self, channel: str = "shell") -> dict[str, Any]:
        """Return the message that is being answered, as ipykernel does."""
        return self.parent

    def send(
        self, kind: str, content: dict[str, Any], channel: str = "iopub", metadata: Any = None, buffers: Any = ()
    ) -> None:
        """Send a message to the page, as an answer to the one being handled."""
        header = {
            "msg_id": uuid.uuid4().hex, "msg_type": kind, "session": self.parent["header"].get("session", ""),
            "username": "", "version": "5.3", "date": datetime.now(timezone.utc).isoformat(),
        }  # fmt: skip
        message = {
            "channel": channel, "header": header, "parent_header": self.parent["header"], "content": content,
            "metadata": metadata or {},
        }  # fmt: skip
        door.ask("send", buffers or (), message=message)

    def turn(self) -> None:
        """Handle the message that the page has."""
        request, buffers = door.unpack(door.ask("receive"))
        message = request["message"]
        self.parent, kind, content = message, message["header"]["msg_type"], message["content"]
        self.send("status", {"execution_state": "busy"})
        try:
            if kind in ("comm_open", "comm_msg", "comm_close"):
                with self.stop:
                    getattr(self.comms, kind)(None, None, {**message, "buffers": buffers})
            elif handler := getattr(self, kind.removesuffix("_request"), None):
                self.send(f"{kind.removesuffix('_request')}_reply", {"status": "ok", **handler(**content)}, "shell")
        except KeyboardInterrupt:
            self.shell.showtraceback()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            self.send("status", {"execution_state": "idle"})

    # Each is a request of Jupyter's, by its name, with its content; it returns the reply's.

    def kernel_info(self) -> dict[str, Any]:
        version = ".".join(map(str, sys.version_info[:3]))
        language = {
            "name": "python", "version": version, "mimetype": "text/x-python", "file_extension": ".py",
            "pygments_lexer": "ipython3", "nbconvert_exporter": "python",
            "codemirror_mode": {"name": "ipython", "version": 3},
        }  # fmt: skip
        return {
            "protocol_version": "5.3", "implementation": "minigrad-tab", "implementation_version": version,
            "language_info": language, "banner": f"Python {version} in this tab", "help_links": [],
        }  # fmt: skip

    def execute(
        self, code: str, silent: bool = False, store_history: bool = True, user_expressions: Any = None, **_: Any
    ) -> dict[str, Any]:
        shell = self.shell
        store_history = store_history and not silent
        if not silent:
            self.send("execute_input", {"code": code, "execution_count": shell.execution_count})
        cell = self.parent.get("metadata", {}).get("cellId")
        shell.payload_manager.clear_payload()
        with self.stop:
            result = shell.run_cell(code, store_history=store_history, silent=silent, cell_id=cell)
        count = shell.execution_count - (1 if store_history else 0)
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            return {
                "status": "error", "execution_count": count, "ename": type(error).__name__, "evalue": str(error),
                "traceback": [], "payload": [],
            }  # fmt: skip
        return {
            "execution_count": count, "payload": shell.payload_manager.read_payload(),
            "user_expressions": shell.user_expressions(user_expressions or {}),
        }  # fmt: skip

    def complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        with provisionalcompleter():
            offered = list(rectify_completions(code, self.shell.Completer.completions(code, cursor_pos)))
        typed = [{"start": c.start, "end": c.end, "text": c.text, "type": c.type} for c in offered]
        start, end = (offered[0].start, offered[0].end) if offered else (cursor_pos, cursor_pos)
        return {
            "matches": [c.text for c in offered], "cursor_start": start, "cursor_end": end,
            "metadata": {"_jupyter_types_experimental": typed},
        }  # fmt: skip

    def inspect(self, code: str, cursor_pos: int, detail_level: int = 0, **_: Any) -> dict[str, Any]:
        name = token_at_cursor(code, cursor_pos)
        try:
            data = self.shell.object_inspect_mime(name, detail_level=detail_level)
        except KeyError:
            return {"found": False, "data": {}, "metadata": {}}
        return {"found": True, "data": data, "metadata": {}}

    def is_complete(self, code: str) -> dict[str, Any]:
        status, indent = self.shell.input_transformer_manager.check_complete(code)
        return {"status": status, "indent": " " * (indent or 0)}

    def history(self, **_: Any) -> dict[str, Any]:
        return {"history": []}

    def comm_info(self, target_name: str | None = None, **_: Any) -> dict[str, Any]:
        open_ = {key: {"target_name": c.target_name} for key, c in self.comms.comms.items()}
        return {"comms": {key: c for key, c in open_.items() if target_name in (None, c["target_name"])}}

    @staticmethod
    def refuse_input(prompt: object = "") -> str:
        raise RuntimeError(NO_INPUT)


class Stream(io.TextIOBase):
    """Standard output, or errors, as messages: sent at the end of a line, and not too many of them."""

    encoding = "utf-8"

    def __init__(self, name: str) -> None:
        self.name, self.text, self.sent = name, [], 0.0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() takes text, got {type(text).__name__}")
        self.text.append(text)
        if time.monotonic() - self.sent > 0.05:
            self.flush()
        return len(text)

    def flush(self) -> None:
        if text := "".join(self.text):
            self.text.clear()
            KERNEL.send("stream", {"name": self.name, "text": text})
        self.sent = time.monotonic()


def flush() -> None:
    """Send what was printed, before something else is shown."""
    sys.stdout.flush()
    sys.stderr.flush()


class Publisher(DisplayPublisher):
    """Send what `display` shows."""

    def publish(
        self, data: Any, metadata: Any = None, *, transient: Any = None, update: bool = False, **_: Any
    ) -> None:
        flush()
        kind = "update_display_data" if update else "display_data"
        KERNEL.send(kind, {"data": data, "metadata": metadata or {}, "transient": transient or {}})

    def clear_output(self, wait: bool = False) -> None:
        flush()
        KERNEL.send("clear_output", {"wait": wait})


class Result(DisplayHook):
    """The value of a cell's last line, unless it has shown itself."""

    def start_displayhook(self) -> None:
        self.bundle = None

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        self.bundle = {"data": format_dict, "metadata": md_dict or {}, "execution_count": self.prompt_count}

    def finish_displayhook(self) -> None:
        if self.bundle is not None:
            flush()
            KERNEL.send("execute_result", self.bundle)


class Shell(InteractiveShell):
    """IPython, whose outputs are messages."""

    kernel = AnyTrait()
    displayhook_class = AnyTrait(Result)
    display_pub_class = AnyTrait(Publisher)
    display_pub = Instance(DisplayPublisher, allow_none=True)

    def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
        flush()
        content = {"ename": getattr(etype, "__name__", str(etype)), "evalue": str(evalue), "traceback": stb}
        KERNEL.send("error", content)

    def ask_exit(self) -> None:
        print("The tab's Python stays. Kernel, Restart begins anew.")

    def system(self, *_: str) -> None:
        """Say why `!command` does nothing here."""
        print(NO_TERMINAL)

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> Any:
        """Say the same for `names = !command`."""
        self.system()
        return SList() if split else ""

    def set_next_input(self, s: str, replace: bool = False) -> None:
        self.payload_manager.write_payload({"source": "set_next_input", "text": s, "replace": replace})

    def enable_gui(self, gui: Any = None) -> None:
        """There are no windows in a tab; pictures are shown below the cell."""


class Comm(BaseComm):
    """One thread of talk between a widget here and its picture in the page."""

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **keys: Any
    ) -> None:
        flush()
        KERNEL.send(msg_type, {"data": data or {}, "comm_id": self.comm_id, **keys}, "iopub", metadata, buffers)


KERNEL: Kernel
turn: Callable[[], None]


def start() -> None:
    """Begin: the page says in which folder, and which packages are fetched later."""
    global KERNEL, turn
    warnings.filterwarnings("ignore", message="IPython parent")  # it keeps nothing that would outlive the tab
    random.seed()  # or each page would go on as the one whose memory this is
    numpy.random.seed()  # noqa: NPY002 - the same for who uses NumPy's one generator
    options, _ = door.unpack(door.ask("receive"))
    KERNEL = Kernel(options["folder"], options["later"], options["site"])
    turn = KERNEL.turn
