"""Who the server answers: over real HTTP, without a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.explorer.live import Running, running
from tilewright.explorer.server.app import LiveServer
from tilewright.explorer.server.security import LARGEST_BODY


@pytest.fixture(scope="module")
def live() -> Iterator[Running]:
    with running(LiveServer(preloads=False)) as started:
        yield started


def test_the_address_with_the_token_gives_the_page_and_a_cookie(live: Running) -> None:
    answer = live.ask(f"/?token={live.access.token}", token=False)
    assert answer.status == 200 and "<!doctype html>" in answer.text
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert live.access.token not in answer.text
    again = {"cookie": cookie.partition(";")[0]}
    assert live.ask("/api/examples", headers=again, token=False).status == 200


@pytest.mark.parametrize("path", ["/", "/?token=wrong", "/?token=", "/api/examples"])
def test_without_the_token_nothing_is_answered(live: Running, path: str) -> None:
    answer = live.ask(path, token=False)
    assert answer.status == 403
    assert "open the address that `tilewright serve` printed" in answer.text
    assert "set-cookie" not in answer.headers


def test_the_token_in_the_address_is_for_the_page_alone(live: Running) -> None:
    path = f"/api/examples?token={live.access.token}"
    assert live.ask(path, token=False).status == 403


@pytest.mark.parametrize("name", ["evil.example", "evil.example:{}", "127.0.0.1", ""])
def test_another_host_is_refused(live: Running, name: str) -> None:
    host = name.format(live.access.port)
    assert live.ask("/api/examples", headers={"host": host}).status == 403


def test_the_server_answers_under_its_own_names(live: Running) -> None:
    for name in ("127.0.0.1", "localhost"):
        host = f"{name}:{live.access.port}"
        headers = {"host": host, "origin": f"http://{host}"}
        assert live.ask("/api/examples", headers=headers).status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1"])
def test_another_origin_is_refused(live: Running, origin: str) -> None:
    answer = live.ask("/api/complete", {}, {"origin": origin})
    assert answer.status == 403 and "other sites" in answer.text


def test_a_request_that_is_too_large_is_refused(live: Running) -> None:
    headers = {"content-length": str(LARGEST_BODY + 1)}
    assert live.ask("/api/check", b"{}", headers).status == 413


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b'{"offset": "x"}', b'{"offset": 1, "payload": 4}']
)
def test_a_malformed_request_is_refused(live: Running, body: bytes) -> None:
    answer = live.ask("/api/complete", body)
    assert answer.status == 400 and answer.json["kind"] == "request"


def test_every_answer_has_the_headers(live: Running) -> None:
    for answer in (live.ask("/"), live.ask("/api/examples"), live.ask("/no")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in live.ask("/").text.partition("<style>")[0]
