"""What the tests of the pages share: a browser, and a server of the live page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from support.explorer.browser import chromium
from support.explorer.live import PAYLOAD, SCHEDULE, Running, running
from tilewright.explorer.server.app import LiveServer, Start
from tilewright.explorer.server.texts import Texts


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a worker."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def live() -> Iterator[Running]:
    """One server, whose process takes seconds to load the compiler."""
    texts = Texts(PAYLOAD, SCHEDULE, "exp.mlir", "exp.tw")
    with running(LiveServer(Start(texts), preloads=False)) as started:
        yield started
