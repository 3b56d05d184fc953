"""Starts the kernel of `minigrad grade`, which lives for one notebook: an ordinary kernel, without a debugger.

Nobody debugs while points are counted, and importing the debugger takes a third of the time that a kernel needs to
start. Run by its path, as a program: what lies beside the notebook, and may be called numpy.py, is out of reach until
the kernel is there.
"""

import sys


def main() -> None:
    """Run a kernel until it is ended."""
    del sys.path[0]  # this file's folder, whose modules are to be found as parts of minigrad only
    from ipykernel.kernelapp import IPKernelApp

    sys.modules["debugpy"] = None  # type: ignore[assignment]  # as if it were not installed, which kernels put up with
    app = IPKernelApp.instance()
    app.initialize()
    del sys.modules["debugpy"]  # a notebook may have a use for it
    app.start()


if __name__ == "__main__":
    main()
