"""The server around an application: its socket, its thread, its end."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from tilewright.explorer.server.security import Access, Application, Guard
from tilewright.ir.errors import UserError

_CONNECTIONS = 64
"""Connections at a time; a browser opens six."""


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket of this machine alone; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        # Now, so that a browser that is quicker than the server waits for it.
        found.listen()
    except OSError as error:
        found.close()
        raise UserError(
            f"--port {port}: {error.strerror}", remedy="leave it out for a free one"
        ) from error
    return found


def _server(app: Application, access: Access) -> uvicorn.Server:
    config = uvicorn.Config(
        Guard(app, access),
        log_level="error",
        access_log=False,
        lifespan="off",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws="none",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def serve(app: Application, access: Access, listening: socket.socket) -> None:
    """Answer until Ctrl-C or SIGTERM."""
    _server(app, access).run(sockets=[listening])


@contextmanager
def served(
    app: Application, access: Access, listening: socket.socket
) -> Iterator[None]:
    """Answer in a thread while the body runs."""
    server = _server(app, access)
    thread = threading.Thread(
        target=server.run, kwargs={"sockets": [listening]}, daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(5.0)
        listening.close()
