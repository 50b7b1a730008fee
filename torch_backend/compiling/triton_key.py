"""Triton's own key, made in a thread while Dynamo captures the model.

    start()    # when the backend is loaded
    wait()     # before the first kernel is looked up

Triton finds a kernel in its cache by a key that covers all of its own files, a library
of some hundred megabytes among them. It makes that part once in a process, in about a
third of a second; hashing does not hold Python's lock.
"""

from __future__ import annotations

from threading import Thread

import torch

_thread: Thread | None = None


def start() -> None:
    """Make the key in a thread, if torch was built for GPUs."""
    global _thread
    if _thread is None and torch.backends.cuda.is_built():
        _thread = Thread(target=_make, name="tilewright-triton-key", daemon=True)
        _thread.start()


def wait() -> None:
    """Wait for the key; else two threads would make it."""
    if _thread is not None:
        _thread.join()


def _make() -> None:
    try:
        from triton.runtime.cache import triton_key
    except ImportError:  # Triton then makes it where it needs it
        return
    triton_key()
