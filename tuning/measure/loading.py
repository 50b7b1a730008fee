"""Loading programs: the launcher from its file, the kernels onto the device.

A program may be loaded ahead of its measurement. Its kernels are then read from
Triton's cache and put on the device, but not launched.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tilewright.codegen.runtime.compile import load_launcher

_ahead: dict[tuple[Path, str], Callable[..., Any]] = {}
"""The launcher that was loaded ahead; at most one."""


def loaded_launcher(source: Path, entry: str) -> Callable[..., Any]:
    """The launcher of a program, loaded now unless it was loaded ahead."""
    found = _ahead.pop((source, entry), None)
    _ahead.clear()
    return load_launcher(source, entry) if found is None else found


@functools.lru_cache(maxsize=32)
def kept_launcher(source: Path, entry: str) -> Callable[..., Any]:
    """The launcher of a program that is timed again and again; it stays loaded."""
    return load_launcher(source, entry)


def load_ahead(source: Path, entry: str, inputs: Sequence[Any]) -> None:
    """Load a program and its kernels for arguments like `inputs`."""
    launcher = load_launcher(source, entry)
    with _launches_load():
        launcher(*inputs)
    _ahead.clear()
    _ahead[source, entry] = launcher


@contextlib.contextmanager
def _launches_load() -> Iterator[None]:
    """Turn launches of kernels into loading them."""
    from triton.runtime.jit import JITFunction

    run = JITFunction.run

    def load_only(self: Any, *args: Any, **kwargs: Any) -> Any:
        kernel: Any = run(self, *args, **{**kwargs, "warmup": True})
        kernel._init_handles()
        return kernel

    JITFunction.run = load_only
    try:
        yield
    finally:
        JITFunction.run = run
