"""How the command line ends: a user's mistake, an interrupt, or a bug of ours."""

from __future__ import annotations

import hashlib
import platform
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tilewright.ir.errors import CompilerBug, UserError

USER_ERROR = 1
USAGE_ERROR = 2
COMPILER_BUG = 3
INTERRUPTED = 130


class UsageError(UserError):
    """What was typed cannot be meant; the program that was given is not to blame."""


def guarded(command: Callable[[], object]) -> None:
    """Run a command; turn exceptions into messages and exit codes."""
    try:
        command()
    except UsageError as error:
        print(error, file=sys.stderr)
        sys.exit(USAGE_ERROR)
    except UserError as error:
        print(error, file=sys.stderr)
        sys.exit(USER_ERROR)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        if isinstance(error, CompilerBug) and error.evidence is not None:
            told, kept = str(error), f"the folder {error.evidence}"
        else:
            told = f"internal error: {type(error).__name__}: {error}"
            kept = f"the file {write_reproducer(error)}"
        print(
            f"{told}\n"
            "This is a bug in tilewright, not in your program. Please report it with "
            f"{kept}, which holds what is needed to reproduce it.",
            file=sys.stderr,
        )
        sys.exit(COMPILER_BUG)


def write_reproducer(error: Exception) -> Path:
    """One file with command, versions, traceback and the input files' texts."""
    parts = ["# tilewright reproducer", "", "command: " + " ".join(sys.argv), ""]
    parts += [f"python {platform.python_version()} on {platform.platform()}"]
    parts += [f"{name} {_version(name)}" for name in _PACKAGES]
    parts += ["", "".join(traceback.format_exception(error))]
    for argument in sys.argv[1:]:
        path = Path(argument)
        if path.suffix in (".mlir", ".tw") and path.is_file():
            parts += [f"==== {path}", path.read_text(errors="replace")]
    text = "\n".join(parts)
    digest = hashlib.sha256(text.encode()).hexdigest()[:10]
    path = Path(f"tilewright-bug-{digest}.txt")
    path.write_text(text)
    return path


_PACKAGES = ("tilewright", "xdsl", "torch", "triton", "numpy", "optuna", "lark")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
