"""The declaration of `tilewright serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import ScheduleOption, TargetOption, examples

EXAMPLES = examples(
    "tilewright serve                                (an example to start from)",
    "tilewright serve payload.mlir -s tile_fuse.tw   (edit both, see every step)",
    "tilewright serve payload.mlir                   (the planned schedule)",
    "tilewright serve payload.mlir --port 8000 --no-open",
)


def serve(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[PAYLOAD]",
            help="The payload, an .mlir file. Default: an example.",
            show_default=False,
        ),
    ] = None,
    schedule: ScheduleOption = None,
    target: TargetOption = None,
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="The port. 0: a free one."),
    ] = 0,
    host: Annotated[
        str,
        typer.Option(help="The name to listen on: 127.0.0.1, localhost or ::1."),
    ] = "127.0.0.1",
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Do not open the page in a browser.")
    ] = False,
) -> None:
    """Serve a page in which payload and schedule are edited, until Ctrl-C.

    The page shows every step, the generated code and the estimated time while you type,
    and has a slider or a switch for each open choice. It starts `run` and `tune`.

    The server answers this machine alone, and only with the token in the address that
    it prints. It writes no file: copy what you want to keep. Needs Starlette and
    uvicorn: pip install 'tilewright[serve]'.
    """
    from tilewright.commands import serve as command

    command.serve(
        command.Options(file, schedule, target, port, host, open_page=not no_open)
    )
