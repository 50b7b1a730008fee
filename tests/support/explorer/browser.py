"""A page in a real browser: Debian's Chromium, driven by Playwright.

Playwright's own browsers are not used. Where Chromium is missing, tests are skipped.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

AXE = Path(__file__).parent / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DESKTOP = (1280, 800)
PHONE = (390, 844)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser; skips the test where there is none."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=arguments, headless=True
        )
        yield browser
        browser.close()


@dataclass
class Shown:
    """A page that was opened, and what went wrong in it."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list[str])
    """Console errors and uncaught exceptions; a test expects none."""

    def accessibility(self) -> list[str]:
        """What axe-core finds, a line for each rule with the first element."""
        # The page's policy forbids other scripts; DevTools may still evaluate one.
        self.page.evaluate(AXE.read_text() + "; 0")
        # What passes stays in the page: it is much, and takes seconds to send.
        found = self.page.evaluate(
            "axe.run(document, {resultTypes: ['violations']})"
            ".then((found) => found.violations)"
        )
        return [
            f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
            for one in found
        ]

    def begin_again(self) -> None:
        """Load the page anew; quicker than another context."""
        self.page.goto("about:blank")  # else an address with another hash is no load
        self.page.goto(self.address)


def open_page(
    browser: Browser,
    url: str | Path,
    size: tuple[int, int] = DESKTOP,
    *,
    dark: bool = False,
    **options: Any,
) -> Shown:
    """Open a file or an address in a new context."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        **options,
    )
    address = url.resolve().as_uri() if isinstance(url, Path) else url
    shown = Shown(context.new_page(), address)

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            shown.errors.append(message.text)

    shown.page.on("console", said)
    shown.page.on("pageerror", lambda error: shown.errors.append(str(error)))
    shown.page.goto(address)
    return shown
