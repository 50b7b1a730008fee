"""Standard streams that are closed, full, or a pipe that nobody reads any more.

A reader such as `head` that has seen enough ends the command without a word. Where
standard output cannot be written for another reason, the command ends with an error.
Messages that standard error does not take are lost, and change nothing.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

READER_GONE = 128 + signal.SIGPIPE
"""The exit code of a program that a closed pipe ends, as a shell reports it."""
OUTPUT_FAILED = 1


class OutputLost(SystemExit):
    """Ends the command, since nothing that it prints arrives.

    It is no `OSError`: a handler would take it for an error of its own file.
    """

    def __init__(self, error: OSError):
        is_gone = error.errno == errno.EPIPE
        super().__init__(READER_GONE if is_gone else OUTPUT_FAILED)
        self.message = ""
        if not is_gone:
            self.message = (
                f"error: cannot write to standard output: {error.strerror or error}; "
                "send it to a file on a disk with room"
            )


class _Output(io.FileIO):
    """Standard output; after the first error, what is written is dropped."""

    lost: OutputLost | None = None

    def write(self, data: Any, /) -> int:
        if self.lost is None:
            try:
                return super().write(data)
            except OSError as error:
                self.lost = OutputLost(error)
                raise self.lost from None
        return len(data)


class _Messages(io.FileIO):
    """Standard error; what cannot be written is dropped."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Let a command print to streams that may fail, and end it where output is lost.

    Streams that were replaced, as in tests, stay as they are.
    """
    _open_closed_ones()
    output = None
    if sys.stdout is sys.__stdout__:
        output = _Output(1, "wb", closefd=False)
        sys.stdout = _text_stream(output, sys.stdout)
    if sys.stderr is sys.__stderr__:
        messages = _Messages(2, "wb", closefd=False)
        sys.stderr = _text_stream(messages, sys.stderr, line_buffering=True)
    try:
        yield
    except SystemExit as end:
        lost = _lost(output)
        if lost is None or end.code not in (None, 0, lost.code):
            raise
        _end(lost)
    else:
        if (lost := _lost(output)) is not None:
            _end(lost)


def _open_closed_ones() -> None:
    """Give streams that were closed a number of their own again.

    The next file that is opened would have it, and get what is printed.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)


def _text_stream(raw: io.FileIO, before: Any, **options: bool) -> io.TextIOWrapper:
    """A stream with the encoding of another one, which is None if it was closed."""
    if before is None:
        return io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", "backslashreplace")
    with suppress(OSError):
        before.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        before.encoding,
        before.errors,
        **{"line_buffering": before.line_buffering, **options},
        write_through=before.write_through,
    )


def _lost(output: _Output | None) -> OutputLost | None:
    """Why output was lost, after the last of it was written."""
    if output is None:
        return None
    # A command may close its output itself, as the language server does.
    if not sys.stdout.closed:
        with suppress(OutputLost):
            sys.stdout.flush()
    return output.lost


def _end(lost: OutputLost) -> None:
    if lost.message:
        sys.stderr.write(f"{lost.message}\n")
    raise SystemExit(lost.code) from None
