"""The server of `warm_python.py`: imports torch and triton, then forks for each script.

Reads a request from each line of its standard input. Prints the number of the process
that it has forked, and the exit code when that process has ended.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import runpy
import signal
import sys
import traceback
from typing import Any

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """End this process when its parent ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def serve() -> None:
    """Answer requests until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        process = os.fork()
        if process == 0:
            os._exit(run_script(request))
        print(process, flush=True)
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def run_script(request: dict[str, Any]) -> int:
    """Become the process that a request describes; return its exit code."""
    die_with_parent()
    for number, name, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, request["out"], os.O_WRONLY | os.O_APPEND),
        (2, request["err"], os.O_WRONLY | os.O_APPEND),
    ):
        os.dup2(os.open(name, flags), number)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    file = request.get("file")
    sys.argv = [file or "-c", *request["arguments"]]
    sys.path[0] = os.path.dirname(file) if file else ""
    sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    code = 0
    try:
        if file:
            runpy.run_path(file, run_name="__main__")
        else:
            exec(compile(request["text"], "<string>", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    die_with_parent()
    # Modules that scripts import; numpy and triton read the environment at import.
    import ml_dtypes  # noqa: F401
    import torch  # noqa: F401
    import triton  # noqa: F401
    import triton.language  # noqa: F401
    import triton.runtime.interpreter  # noqa: F401
    import triton.tools.tensor_descriptor  # noqa: F401

    serve()
