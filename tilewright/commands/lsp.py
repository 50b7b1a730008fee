"""`tilewright lsp`: answer an editor until it closes the connection."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path

from tilewright.commands.inputs.files import check_payload
from tilewright.ir.errors import UserError
from tilewright.ir.text import read_text


def serve(payload: Path | None) -> None:
    """Speak the protocol on standard input and output."""
    need_packages()
    if payload is not None:
        check_payload(payload, "name it with --payload PAYLOAD.mlir")
        # Mistakes in it are for the editor; that it is there is checked here.
        read_text(payload)
        payload = payload.resolve()
    from tilewright.editor.server.features import add_features
    from tilewright.editor.server.server import ScheduleServer

    output = sys.stdout
    server = ScheduleServer(payload)
    add_features(server)
    # What else is printed must not come between the messages.
    with redirect_stdout(sys.stderr):
        server.start_io(sys.stdin.buffer, output.buffer)


def need_packages() -> None:
    """Refuse with a remedy where the extra is missing; imports nothing."""
    if find_spec("pygls") is None:
        raise UserError(
            "tilewright lsp needs pygls", remedy="pip install 'tilewright[lsp]'"
        )
