"""The worker process: takes jobs from a pipe, runs them, sends back what came of them.

    python -m tilewright.tuning.worker_main <pipe> <parent's process id> <preload>

It leads a session of its own, so that Ctrl-C reaches the parent alone and killing the
group ends the tools it started; and it dies with its parent, however that one ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

# By their own module's name: here they would pickle as `__main__`'s.
from tilewright.ir.errors import UserError
from tilewright.tuning.jobs import PRELOADS, Ready, Reply

_PR_SET_PDEATHSIG = 1
_LONGEST_ERROR = 4000


def main() -> None:
    """Serve jobs until the pipe closes."""
    pipe, parent, preload = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    _die_with(parent)
    _be_first_out_of_memory()
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
        return Reply(None, _describe(error), seconds, fatal=not _device_is_sound())
    return Reply(value, None, time.perf_counter() - start, fatal=False)


def _describe(error: Exception) -> str:
    # A mistake with a place says all there is to say.
    if isinstance(error, UserError):
        return str(error)[:_LONGEST_ERROR]
    text = "".join(traceback.format_exception_only(error)).strip()
    return text[:_LONGEST_ERROR]


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


def _die_with(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # The parent may have died before the line above took effect.
    if os.getppid() != parent:
        sys.exit(1)


def _be_first_out_of_memory() -> None:
    """When memory runs out, let it be this process that the system ends."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


if __name__ == "__main__":
    main()
