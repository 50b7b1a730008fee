"""When two payloads have the same program: equal texts, apart from their names.

A key holds everything that a program depends on: the payload, the GPU, how torch
multiplies f32, the options, the winners of the tuner, and the versions of the compiler,
torch and Triton.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from tilewright.torch_backend.compiling.precision import library_f32
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.tuned.results_file import stamp
from tilewright.version import __version__

_NAME = re.compile(r"%\w+|@\w+|\^\w+")
_WITHOUT_EFFECT = (
    *("fallback", "interpreter", "placement", "strict", "tune_budget", "results"),
    *("check_indices", "keep_eager"),
)
"""Options that decide what is compiled, and not how; winners have a stamp."""
_SOURCES = (".py", ".tw", ".lark")


def program_key(text: str, gpu: str, options: Options) -> str:
    """A hash of what a program is made from."""
    chosen = {k: v for k, v in asdict(options).items() if k not in _WITHOUT_EFFECT}
    words = repr(sorted(chosen.items()))
    gpu = f"{gpu} {library_f32()}"
    parts = (without_names(text), gpu, words, stamp(options), versions())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def graph_key(gpu: str, options: Options) -> str:
    """A hash of what a graph's function is made from, beside the graph."""
    parts = (repr(options), gpu, library_f32(), stamp(options), versions())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def without_names(text: str) -> str:
    """A payload's text with numbers for the names of values, blocks and functions."""
    numbers: dict[str, str] = {}

    def numbered(found: re.Match[str]) -> str:
        name = found[0]
        return numbers.setdefault(name, f"{name[0]}{len(numbers)}")

    return _NAME.sub(numbered, text)


@functools.cache
def versions() -> str:
    """The versions of this compiler's sources, torch and Triton."""
    numbers = [f"{name} {version(name)}" for name in ("torch", "triton", "xdsl")]
    return " ".join((f"tilewright {__version__} {_sources()}", *numbers))


def _sources() -> str:
    """A hash of the names, sizes and times of all source files.

    Reading them takes three times as long.
    """
    found = hashlib.sha256()
    top = Path(__file__).parents[2]  # the package tilewright
    for folder, folders, files in os.walk(top, followlinks=True):
        folders.sort()
        for name in sorted(files):
            if name.endswith(_SOURCES):
                at = os.stat(os.path.join(folder, name))
                found.update(f"{name} {at.st_size} {at.st_mtime_ns}\n".encode())
    return found.hexdigest()[:16]
