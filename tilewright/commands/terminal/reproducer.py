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


def write_reproducer(error: Exception) -> Path:
    """Write a file with the command, versions, traceback and input files."""
    parts = ["# tilewright reproducer", "", "command: " + " ".join(sys.argv), ""]
    parts += [f"python {platform.python_version()} on {platform.platform()}"]
    parts += [f"{name} {_version(name)}" for name in _PACKAGES]
    parts += ["", "".join(traceback.format_exception(error))]
    for argument in sys.argv[1:]:
        path = Path(argument)
        if path.suffix in (".mlir", ".tw") and os.path.isfile(path):
            parts += [f"==== {path}", path.read_text(errors="replace")]
    # A file name may contain bytes that are not UTF-8.
    text = "\n".join(parts).encode(errors="backslashreplace")
    name = f"tilewright-bug-{hashlib.sha256(text).hexdigest()[:10]}.txt"
    try:
        Path(name).write_bytes(text)
        return Path(name)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="tilewright-bug-"))
        (folder / name).write_bytes(text)
        return folder / name


_PACKAGES = ("tilewright", "xdsl", "torch", "triton", "numpy", "optuna", "lark")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
