"""Who may ask the server, how much they may send, and the headers of every answer.

The server is for one person on one machine. A page of another site must not reach it:
not by its name (DNS rebinding), not from its origin, and not without the token, which
only the person who started the server has.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qs

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 1 << 20
"""Bytes of a request; payload and schedule together are far below."""
_BODY_SECONDS = 10.0
TOKEN_HEADER = "x-tilewright-token"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The names that the server may be bound to, and be asked by."""

_HEADERS = (
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)
_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Of answers that are no page; a page brings its own."""


@dataclass(frozen=True)
class Access:
    """The port of a server and the token that its users have."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers share cookies between ports."""
        return f"tilewright-{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """The `Host` headers that are answered."""
        names = ("127.0.0.1", "localhost", "[::1]")
        bare = set(names) if self.port == 80 else set[str]()
        return frozenset({f"{name}:{self.port}" for name in names} | bare)

    def url(self, host: str) -> str:
        """The address to open."""
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{self.port}/?token={self.token}"

    def is_token(self, given: str | None) -> bool:
        """Whether this is the token; the time does not tell how much of it is right."""
        return given is not None and hmac.compare_digest(
            given.encode(), self.token.encode()
        )


class Guard:
    """Answers what must be refused, and lets the application answer the rest."""

    def __init__(self, app: Application, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and add headers to its answer."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = _headers(scope)
        by_url = self._token_in_url(scope)
        send = _with_headers(send, self._cookie() if by_url else None)
        refusal = self._refusal(scope, headers, by_url)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        body = await _body(headers, receive)
        if isinstance(body, tuple):
            await _answer(send, *body)
            return
        await self._app(scope, _replayed(body, receive), send)

    def _refusal(
        self, scope: Scope, headers: dict[str, str], by_url: bool
    ) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if host not in self._access.hosts:
            return 403, "this server answers only under its own name"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return 403, "this server does not answer pages of other sites"
        if by_url or self._has_token(headers):
            return None
        return 403, (
            "this page needs its token: open the address that `tilewright serve` "
            "printed. A server that was started again has a new one."
        )

    def _token_in_url(self, scope: Scope) -> bool:
        """Whether this is the first visit of a page, by the address with the token."""
        if scope["method"] != "GET" or scope["path"] != "/":
            return False
        query = parse_qs(scope["query_string"].decode("latin-1"))
        return self._access.is_token(query.get("token", [None])[0])

    def _has_token(self, headers: dict[str, str]) -> bool:
        if self._access.is_token(headers.get(TOKEN_HEADER)):
            return True
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        found = cookies.get(self._access.cookie)
        return found is not None and self._access.is_token(found.value)

    def _cookie(self) -> str:
        access = self._access
        return f"{access.cookie}={access.token}; Path=/; HttpOnly; SameSite=Strict"


def _headers(scope: Scope) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): value.decode("latin-1")
        for name, value in scope["headers"]
    }


async def _body(headers: dict[str, str], receive: Receive) -> bytes | tuple[int, str]:
    """The body of a request, or why it is refused."""
    too_large = 413, f"a request has at most {LARGEST_BODY} bytes"
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > LARGEST_BODY:
        return too_large
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return 400, "the request has no end"
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > LARGEST_BODY:
                    return too_large
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        return 408, "the request did not arrive in time"


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Gives the body that was read already, then what else arrives."""
    is_given = False

    async def again() -> MutableMapping[str, Any]:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(send: Send, cookie: str | None) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            names = {name.lower() for name, _ in headers}
            added = [*_HEADERS, ("content-security-policy", _POLICY)]
            if cookie is not None:
                added.append(("set-cookie", cookie))
            headers += [
                (name.encode(), value.encode())
                for name, value in added
                if name.encode() not in names
            ]
            message["headers"] = headers
        await send(message)

    return sending


async def _answer(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    body = f"{text}\n".encode()
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
