"""The reproducer of a compiler bug: one file to send with a report."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
import traceback
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def reproducer(error: Exception) -> str:
    """The command, versions, traceback and input files, as text."""
    parts = ["# tilewright reproducer", "", "command: " + " ".join(sys.argv), ""]
    parts += [f"python {platform.python_version()} on {platform.platform()}"]
    parts += [f"{name} {_version(name)}" for name in _PACKAGES]
    parts += ["", "".join(traceback.format_exception(error))]
    for argument in sys.argv[1:]:
        path = Path(argument)
        if path.suffix in (".mlir", ".tw") and os.path.isfile(path):
            parts += [f"==== {path}", _content(path)]
    return "\n".join(parts)


def write_reproducer(text: str) -> Path:
    """Write the text to a file here, or to a temporary one; raises `OSError`."""
    # A file name may contain bytes that are not UTF-8.
    content = text.encode(errors="backslashreplace")
    name = f"tilewright-bug-{hashlib.sha256(content).hexdigest()[:10]}.txt"
    try:
        Path(name).write_bytes(content)
        return Path(name)
    except OSError:
        Path(name).unlink(missing_ok=True)  # half of one, where the disk is full
        folder = Path(tempfile.mkdtemp(prefix="tilewright-bug-"))
        (folder / name).write_bytes(content)
        return folder / name


def _content(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError as error:
        return f"cannot be read: {error}"


_PACKAGES = ("tilewright", "xdsl", "torch", "triton", "numpy", "optuna", "lark")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
