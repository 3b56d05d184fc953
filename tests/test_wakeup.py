"""A reply that arrives while nbclient sends for a widget is noticed: without the mend it waits for ever."""

import asyncio
from types import SimpleNamespace

import pytest

nbclient = pytest.importorskip("nbclient", reason="Jupyter is not installed")
nbformat = pytest.importorskip("nbformat")

import wakeup  # noqa: E402
import zmq  # noqa: E402
import zmq.asyncio  # noqa: E402

COMM = {"msg_type": "comm_msg", "content": {"comm_id": "output", "data": {}}}


async def reply_while_sending():
    """Tell whether a client that waits for a reply gets one that came before a widget's message was sent."""
    context = zmq.Context()
    kernel, shell = context.socket(zmq.PAIR), zmq.asyncio.Context(context).socket(zmq.PAIR)
    try:
        port = kernel.bind_to_random_port("tcp://127.0.0.1")
        shell.connect(f"tcp://127.0.0.1:{port}")
        await shell.send(b"execute")
        kernel.recv()
        client = nbclient.NotebookClient(nbformat.v4.new_notebook())
        client.kc = SimpleNamespace(shell_channel=SimpleNamespace(socket=shell))
        underneath = zmq.Socket.shadow(shell.underlying)  # so does jupyter_client send
        client.comm_objects["output"] = SimpleNamespace(handle_msg=lambda message: underneath.send(b"comm"))
        waiting = asyncio.ensure_future(shell.recv())
        await asyncio.sleep(0.05)
        kernel.send(b"reply")
        zmq.Socket.shadow(shell.underlying).poll(2000)  # it is here; the loop has not looked yet
        client.process_message(COMM, nbformat.v4.new_code_cell(), 0)
        try:
            return await asyncio.wait_for(waiting, 1) == b"reply"
        except asyncio.TimeoutError:
            return False
    finally:
        kernel.close(0)
        shell.close(0)
        context.term()


def test_a_reply_during_a_send_is_not_lost(monkeypatch):
    mended = nbclient.NotebookClient.process_message
    monkeypatch.setattr(nbclient.NotebookClient, "process_message", getattr(mended, "__wrapped__", mended))
    assert not asyncio.run(reply_while_sending()), "nbclient needs no mending any more: wakeup.py can go"
    wakeup.mend()
    assert asyncio.run(reply_while_sending())


def test_it_is_mended_once(monkeypatch):
    wakeup.mend()
    mended = nbclient.NotebookClient.process_message
    wakeup.mend()
    assert nbclient.NotebookClient.process_message is mended
