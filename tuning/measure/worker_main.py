"""The worker process: takes jobs from a pipe, runs them, sends back what came of them.

    python -m tilewright.tuning.measure.worker_main <pipe> <parent's id> <preload>

It leads a session of its own, so that Ctrl-C reaches the parent alone and killing the
group ends the tools it started; and it dies with its parent, however that one ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import signal
import subprocess
import sys
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

# By their own module's name: here they would pickle as `__main__`'s.
from tilewright.ir.errors import UserError
from tilewright.tuning.measure.jobs import PRELOADS, Ready, Reply
from tilewright.tuning.results.records import Cause

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)
_LONGEST_ERROR = 4000

_FULL = (errno.ENOSPC, errno.EDQUOT)
_PASSING = (
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
"""What a file system or the system refuses today, and may not tomorrow."""

_PASSING_NAMES = ("OutOfMemoryError",)
"""The card's memory: every candidate has the same arguments and results, so another
process has taken it."""


def main() -> None:
    """Serve jobs until the pipe closes."""
    pipe, parent, preload = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    die_with(parent)
    be_first_out_of_memory()
    tools_die_too()
    if preload:
        PRELOADS[preload]()
    serve(Connection(pipe))


def serve(connection: Connection) -> None:
    """Run jobs one after another; an exception is an answer, not an end."""
    connection.send(Ready())
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            return
        reply = _run(job)
        try:
            connection.send(reply)
        except (EOFError, OSError):
            return
        if reply.fatal:
            # Without the exit handlers: CUDA's own hang on a broken context.
            os._exit(1)


def _run(job: Any) -> Reply:
    start = time.perf_counter()
    try:
        value = job.run()
    except Exception as error:  # noqa: BLE001 - whatever a candidate raises is its result
        seconds = time.perf_counter() - start
        fatal, cause = not _device_is_sound(), cause_of(error)
        return Reply(None, _describe(error), seconds, fatal, cause)
    return Reply(value, None, time.perf_counter() - start, fatal=False)


def _describe(error: Exception) -> str:
    # A mistake with a place says all there is to say.
    if isinstance(error, UserError):
        return str(error)[:_LONGEST_ERROR]
    text = "".join(traceback.format_exception_only(error)).strip()
    return text[:_LONGEST_ERROR]


def cause_of(error: BaseException | None) -> Cause:
    """Whether an exception tells of the job, or of the machine it ran on."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _PASSING:
            return "environment"
        if type(error).__name__ in _PASSING_NAMES:
            return "environment"
        if any(os.strerror(number) in str(error) for number in _FULL):
            return "environment"  # a tool said so
        error = error.__cause__ or error.__context__
    return "candidate"


def _device_is_sound() -> bool:
    """Whether the device still answers: an illegal access leaves it unusable."""
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
    """End this process when its parent ends, and not at Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    # The parent may have died before the line above took effect.
    if os.getppid() != parent:
        sys.exit(1)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def tools_die_too() -> None:
    """Let the tools started here end when this process does.

    Triton runs ptxas; when this process is killed, that would go on for minutes.
    """
    start = subprocess.Popen.__init__

    def start_mortal(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) < 7:  # `preexec_fn` is not among them
            kwargs.setdefault("preexec_fn", _die_with_parent)
        start(self, *args, **kwargs)

    subprocess.Popen.__init__ = start_mortal


def be_first_out_of_memory() -> None:
    """When memory runs out, let it be this process that the system ends."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


if __name__ == "__main__":
    main()
