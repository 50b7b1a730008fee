"""`tilewright serve`: the live page, until Ctrl-C."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from tilewright.codegen.targets import detect, device_name
from tilewright.commands.inputs.files import check_payload
from tilewright.commands.inputs.programs import wanted_target
from tilewright.commands.terminal.browser import open_in_browser
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.messages import say
from tilewright.commands.terminal.sigterm import ended_by_sigterm
from tilewright.explorer.server.extra import need_server_packages
from tilewright.explorer.server.security import LOOPBACK, Access
from tilewright.explorer.server.texts import Texts
from tilewright.ir.text import STDIN, read_text


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    file: Path | None = None
    schedule: Path | None = None
    target: str | None = None
    port: int = 0
    host: str = "127.0.0.1"
    open_page: bool = True


def serve(options: Options) -> None:
    """Print the address of the page, and answer it."""
    _check(options)
    texts = _texts(options)
    here = detect()
    target = wanted_target(options.target) if options.target is not None else here
    need_server_packages("tilewright serve")
    from tilewright.explorer.server.app import LiveServer, Start
    from tilewright.explorer.server.serving import bound_socket
    from tilewright.explorer.server.serving import serve as answer

    start = Start(
        texts,
        texts is not None and not texts.has_schedule,
        "h200" if target is None else target.name,
        device_name() if options.target is None else None,
        _command_line(options),
    )
    listening = bound_socket(options.host, options.port)
    access = Access(listening.getsockname()[1])
    with ended_by_sigterm(), closing(listening), closing(LiveServer(start)) as server:
        server.looking.start()
        say(f"{access.url(options.host)}\n(Ctrl-C ends it)")
        sys.stdout.flush()
        if options.open_page:
            open_in_browser(access.url(options.host))
        # Where a shell ignores Ctrl-C for a process in the background, none is raised.
        with suppress(KeyboardInterrupt):
            answer(server.application(), access, listening)
        say("the server has ended", error=True)


def _check(options: Options) -> None:
    if options.host not in LOOPBACK:
        raise UsageError(
            f"--host {options.host}: the server is for this machine alone",
            remedy=f"one of {', '.join(LOOPBACK)}; from elsewhere, use an SSH tunnel",
        )
    if options.file is None and options.schedule is not None:
        raise UsageError(
            "a schedule needs a payload",
            remedy=f"tilewright serve PAYLOAD.mlir -s {options.schedule}",
        )
    if options.file is not None:
        check_payload(options.file)
        if options.file == options.schedule == STDIN:
            raise UsageError(
                "payload and schedule cannot both come from standard input",
                remedy="write one of them to a file",
            )


def _texts(options: Options) -> Texts | None:
    """The texts of the files; they need not be free of mistakes."""
    if options.file is None:
        return None
    payload, schedule = options.file, options.schedule
    return Texts(
        read_text(payload),
        "" if schedule is None else read_text(schedule),
        "payload.mlir" if payload == STDIN else payload.name,
        "schedule.tw" if schedule in (None, STDIN) else schedule.name,
    )


def _command_line(options: Options) -> str:
    words = ["tilewright", "serve"]
    if options.file is not None:
        words.append(str(options.file))
    if options.schedule is not None:
        words += ["-s", str(options.schedule)]
    return shlex.join(words)
