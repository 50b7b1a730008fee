"""The main program of a worker: reads jobs from a pipe, runs them, sends the results.

    python -m tilewright.tuning.workers.worker_main <pipe> <parent's id> <preload>

The worker leads a session of its own, so that Ctrl-C reaches only the parent, and
killing the group ends the tools it started. It ends when its parent ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import faulthandler
import os
import signal
import subprocess
import sys
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

# Imported by their module's name: classes defined here would pickle as `__main__`'s.
from tilewright.ir.errors import UserError
from tilewright.tuning.results.records import Cause
from tilewright.tuning.workers.inbox import Inbox, serve_from
from tilewright.tuning.workers.jobs import Ready, Reply, load_modules

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)
_LONGEST_ERROR = 4000

OWN_SIGNALS = (
    signal.SIGSEGV,
    signal.SIGABRT,
    signal.SIGBUS,
    signal.SIGFPE,
    signal.SIGILL,
)
"""Signals that a process causes itself. Any other signal came from outside: a person, a
batch system, or the kernel when the machine ran out of memory."""

_FULL = (errno.ENOSPC, errno.EDQUOT)
_TEMPORARY = (
    *_FULL,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.EMFILE,
    errno.ENFILE,
    errno.EAGAIN,
    errno.EIO,
    errno.ENOMEM,
    errno.ENOENT,
)
"""Errors of the system that may not occur again."""

_LOST = (
    "no cuda-capable device",
    "no cuda gpus are available",
    "torch not compiled with cuda enabled",
    "found no nvidia driver",
    "cuda-capable device(s) is/are busy or unavailable",
    "gpu is lost",
    "gpu has fallen off the bus",
    "cuda driver initialization failed",
    "cuda unknown error",
    "unknown error - this may be due to an incorrectly set up environment",
    "system not yet initialized",
    "system has unsupported display driver",
)
"""Sentences of the driver and of torch when there is no device, in small letters. A
candidate cannot cause them; it breaks its own context with other errors."""

_TEMPORARY_NAMES = ("OutOfMemoryError",)
"""The card's memory is full. Since all candidates have the same arguments and results,
another process must have taken it."""


def main() -> None:
    """Serve jobs until the pipe closes."""
    pipe, parent, preload = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    die_with(parent)
    prefer_for_oom_kill()
    end_tools_with_worker()
    load(preload)
    serve(Connection(pipe))


def load(preload: str) -> None:
    """Load what a worker needs; only the worker that times kernels keeps its priority.

    A worker that a server has forked has loaded most of it.
    """
    if preload != "measure":
        lower_priority()
    if preload:
        load_modules(preload)


def serve(connection: Connection) -> None:
    """Run jobs one after another; an exception is sent back and does not end this."""
    inbox = Inbox(connection)
    serve_from(inbox)
    connection.send(Ready(os.getpid()))
    while True:
        try:
            job = inbox.take()
        except (EOFError, OSError):
            return
        reply = _run(job)
        try:
            connection.send(reply)
        except (EOFError, OSError):
            return
        if reply.fatal:
            # Skip the exit handlers: CUDA's handler hangs on a broken context.
            os._exit(1)


def _run(job: Any) -> Reply:
    start = time.perf_counter()
    try:
        value = job.run()
    except Exception as error:  # noqa: BLE001 - whatever a candidate raises is its result
        seconds = time.perf_counter() - start
        fatal, cause = not _device_is_sound(), cause_of(error)
        return Reply(None, _describe(error), seconds, fatal, cause, is_lost(error))
    return Reply(value, None, time.perf_counter() - start, fatal=False)


def _describe(error: Exception) -> str:
    # A UserError needs no exception name before it.
    if isinstance(error, UserError):
        return str(error)[:_LONGEST_ERROR]
    text = "".join(traceback.format_exception_only(error)).strip()
    return text[:_LONGEST_ERROR]


def cause_of(error: BaseException | None) -> Cause:
    """Whether the job or the environment caused an exception."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _TEMPORARY:
            return "environment"
        if type(error).__name__ in _TEMPORARY_NAMES:
            return "environment"
        if any(os.strerror(number) in str(error) for number in _FULL):
            return "environment"  # a tool reported it
        if _says_lost(error):
            return "environment"
        error = error.__cause__ or error.__context__
    return "candidate"


def is_lost(error: BaseException | None) -> bool:
    """Whether an exception says that there is no device any more."""
    while error is not None:
        if _says_lost(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _says_lost(error: BaseException) -> bool:
    text = str(error).lower()
    return any(sentence in text for sentence in _LOST)


def _device_is_sound() -> bool:
    """Whether the device still works: an illegal access leaves it unusable."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        return True
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        return False
    torch.cuda.empty_cache()
    return True


def die_with(parent: int) -> None:
    """End this process when its parent ends, but not at Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    # The parent may have died before the line above took effect.
    if os.getppid() != parent:
        sys.exit(1)


def die_with_parent() -> None:
    """End this process when the thread that started it ends."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def end_tools_with_worker() -> None:
    """End the tools that this process starts when the process ends.

    Triton runs ptxas, which would go on for minutes after this process was killed.
    """
    start = subprocess.Popen.__init__

    def start_with_death_signal(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) < 7:  # `preexec_fn` is not given by position
            kwargs.setdefault("preexec_fn", die_with_parent)
        start(self, *args, **kwargs)

    subprocess.Popen.__init__ = start_with_death_signal


def report_crashes() -> None:
    """Report a crash of a fork in its output, and let it end the fork.

    Libraries of the parent may have set handlers of their own: that of LLVM does not
    end in a fork.
    """
    faulthandler.disable()
    for number in OWN_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    faulthandler.enable(2)


def prefer_for_oom_kill() -> None:
    """Let the system kill this process first when memory runs out."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def lower_priority() -> None:
    """Leave the processor to the process that times kernels, and to the parent."""
    with contextlib.suppress(OSError):
        os.nice(5)


if __name__ == "__main__":
    main()
