"""What the tests of the pages share: a browser, and a server of the live page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from support.explorer.bars import Held
from support.explorer.browser import Shown, chromium
from support.explorer.live import PAYLOAD, SCHEDULE, Running, running
from tilewright.explorer.server.app import LiveServer, Start
from tilewright.explorer.server.texts import Texts


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a worker."""
    with chromium() as started:
        yield started


@pytest.fixture
def shown(opened: Shown) -> Iterator[Shown]:
    """The page that a module opened, as it was then."""
    opened.begin_again()
    yield opened
    assert opened.errors == []


SHARED_MACHINE = 4
"""How much longer things may take where other work has the machine, as in CI."""


@pytest.fixture(scope="session")
def held(request: pytest.FixtureRequest) -> Held:
    """Holds times to their bars: exactly, or as a busy machine can."""
    is_exact = request.config.getoption("--exact-bars")

    def hold(what: str, milliseconds: float, bar: float) -> None:
        if is_exact:
            print(f"{what}: {milliseconds:.1f} ms of {bar:.0f}")
        limit = bar if is_exact else SHARED_MACHINE * bar
        assert milliseconds < limit, what

    return hold


@pytest.fixture(scope="session")
def live() -> Iterator[Running]:
    """One server, whose process takes seconds to load the compiler."""
    texts = Texts(PAYLOAD, SCHEDULE, "exp.mlir", "exp.tw")
    with running(LiveServer(Start(texts), preloads=False)) as started:
        yield started
