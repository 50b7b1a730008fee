"""A server of the live page, and requests to it over real HTTP."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from tilewright.explorer.server.app import LiveServer
from tilewright.explorer.server.security import TOKEN_HEADER, Access
from tilewright.explorer.server.serving import bound_socket, served

PAYLOAD = """\
func.func @f(%a: tensor<256xf32>, %e: tensor<256xf32>) -> tensor<256xf32> {
  %r = linalg.exp ins(%a : tensor<256xf32>)
    outs(%e : tensor<256xf32>) -> tensor<256xf32>
  return %r : tensor<256xf32>
}
"""
SCHEDULE = """\
schedule s(root) {
  B = knob [8, 16, 32]
  e = match "linalg.exp" in root
  e, grid = tile e by [B] onto [block.x]
  choose width {
    narrow { launch grid warps = 1 }
    wide { launch grid warps = 8 }
  }
}
"""
"""The texts that the page of `live` begins with."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass(frozen=True)
class Running:
    """A server that runs in a thread of the test."""

    server: LiveServer
    access: Access

    @property
    def url(self) -> str:
        return self.access.url("127.0.0.1")

    def ask(
        self,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        token: bool = True,
    ) -> Answer:
        """GET without a body, POST with one."""
        sent = {TOKEN_HEADER: self.access.token} if token else {}
        sent |= headers or {}
        raw = body if isinstance(body, bytes) or body is None else json.dumps(body)
        connection = http.client.HTTPConnection("127.0.0.1", self.access.port)
        with closing(connection):
            connection.request("GET" if body is None else "POST", path, raw, sent)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read().decode())


@contextmanager
def running(server: LiveServer) -> Iterator[Running]:
    """Serve while the body runs."""
    listening = bound_socket("127.0.0.1", 0)
    access = Access(listening.getsockname()[1])
    with closing(server), served(server.application(), access, listening):
        yield Running(server, access)
