"""`tune --watch`: the tuning page in a browser, while the run goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tilewright.commands.terminal.browser import open_in_browser
from tilewright.explorer.server.extra import need_server_packages
from tilewright.ir.errors import UserError
from tilewright.tuning.workers.processes import import_path
from tilewright.tuning.workers.worker_main import die_with_parent

_END_SECONDS = 15.0
"""How long the server may take to end after the run."""


@contextmanager
def watched(database: Path, say: Callable[[str], object]) -> Iterator[None]:
    """Serve the results file in a child process while the body runs."""
    need_server_packages("tune --watch")
    child = subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-m",
            "tilewright.explorer.server.watch",
            str(database.resolve()),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # Ctrl-C is for the run; the server ends when the run has.
        start_new_session=True,
        preexec_fn=die_with_parent,
        env={**os.environ, "PYTHONPATH": import_path()},
    )
    assert child.stdin is not None and child.stdout is not None
    address = child.stdout.readline().strip()
    if not address:
        raise UserError("--watch: the server of the page does not start")
    say(f"watch it: {address}")
    open_in_browser(address)
    try:
        yield
    finally:
        with suppress(OSError):
            child.stdin.close()
        try:
            child.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        child.stdout.close()
