"""A Python without what only POSIX has, for minigrad's own modules: put this folder on PYTHONPATH.

Every process that is started from there is like it. Other packages keep what they need on this machine.
"""

import builtins
import importlib
import os
import sys

MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
NAMES = {
    "os": """fork forkpty killpg getpgid setsid setpgid nice getuid geteuid getgid setuid setgid sysconf uname mkfifo
        sched_getaffinity sched_setaffinity getloadavg register_at_fork wait4 WIFSIGNALED WTERMSIG O_NOFOLLOW
        O_DIRECTORY O_CLOEXEC O_NONBLOCK fchmod fchown chown statvfs pread pwrite posix_spawn memfd_create pipe2""",
    "signal": """SIGALRM SIGHUP SIGKILL SIGPROF SIGUSR1 SIGUSR2 SIGXCPU SIGCHLD SIGPIPE SIGQUIT SIGSTOP SIGCONT
        setitimer alarm ITIMER_REAL ITIMER_PROF pthread_kill pthread_sigmask sigwait SIG_BLOCK""",
}
OURS = ("minigrad", "minigrad_course", "minigrad_class")


def refuse_links(*args, **kwargs):
    raise OSError("a link needs a privilege here")


OTHERS = {"os": {"name": "nt", "symlink": refuse_links}, "sys": {"platform": "win32"}, "signal": {}}


class Without(type(os)):
    """A module, less some names, and with others of its own; what is set is set in the module itself."""

    def __init__(self, name):
        super().__init__(name)
        module = importlib.import_module(name)
        own = {key: (value, getattr(module, key)) for key, value in OTHERS[name].items()}
        about = {"module": module, "less": {*NAMES.get(name, "").split()}, "own": own}
        object.__setattr__(self, "_about", about)

    def __getattribute__(self, name):
        about = object.__getattribute__(self, "_about")
        if name in about["less"]:
            raise AttributeError(f"module {about['module'].__name__!r} has no attribute {name!r}: this is no POSIX")
        now = getattr(about["module"], name)
        other, before = about["own"].get(name, (now, now))
        return other if now is before else now  # a test has set it

    def __setattr__(self, name, value):
        setattr(object.__getattribute__(self, "_about")["module"], name, value)


LESS = {name: Without(name) for name in OTHERS}
plain_import, plain_open = builtins.__import__, builtins.open


def is_ours(names):
    return names is not None and (names.get("__name__") or "").partition(".")[0] in OURS


def import_(name, names=None, local=None, fromlist=(), level=0):
    if level == 0 and is_ours(names):
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}: this is no POSIX", name=name)
        if name in LESS:
            return LESS[name]
    return plain_import(name, names, local, fromlist, level)


def open_(file, *args, **kwargs):
    of_the_system = isinstance(file, str) and file.startswith(("/proc/", "/sys/", "/dev/shm"))
    if of_the_system and is_ours(sys._getframe(1).f_globals):
        raise FileNotFoundError(f"[Errno 2] No such file or directory: {file!r}")
    return plain_open(file, *args, **kwargs)


builtins.__import__, builtins.open = import_, open_
