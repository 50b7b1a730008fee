"""The live page in a real browser: editing, choosing, completing, links."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from support.explorer.browser import PHONE, Shown, open_page
from support.explorer.live import PAYLOAD, SCHEDULE, Running, running
from tilewright.explorer.server.app import LiveServer, Start
from tilewright.explorer.server.texts import Texts

pytestmark = pytest.mark.browser
SECONDS = 20_000.0


def up_to_date(page: Page) -> None:
    status = page.locator(".live-status")
    expect(status).to_contain_text("up to date", timeout=SECONDS)


def opened(browser: Browser, url: str, size: tuple[int, int] = (1280, 800)) -> Shown:
    shown = open_page(browser, url, size)
    # Registers are another test's: the compiler takes seconds to load.
    shown.page.context.route("**/api/estimate", without_compiler)
    up_to_date(shown.page)
    return shown


def without_compiler(route) -> None:  # noqa: ANN001
    body = route.request.post_data_json
    route.continue_(post_data={**body, "compiled": False})


@pytest.fixture(scope="module")
def shown(browser: Browser, live: Running) -> Iterator[Shown]:
    """One page for the tests that leave it as they found it."""
    page = opened(browser, live.url)
    yield page
    assert page.errors == []
    page.page.context.close()


def shown_text(page: Page) -> Locator:
    return page.locator(".result .code-pane:visible")


def source(page: Page) -> str:
    return shown_text(page).inner_text()


@pytest.mark.slow
def test_the_token_leaves_the_address(shown: Shown) -> None:
    assert "token" not in shown.page.url
    assert shown.accessibility() == []


@pytest.mark.slow
def test_an_error_shows_at_its_place_and_goes_when_it_is_mended(shown: Shown) -> None:
    page = shown.page
    page.get_by_role("textbox", name="Schedule").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("tiel x")
    expect(page.locator(".live-status")).to_contain_text("1 error", timeout=SECONDS)
    expect(page.locator(".pane-schedule .cm-lintRange-error")).to_have_count(1)
    problem = page.locator(".problem")
    expect(problem).to_contain_text("schedule:10:1")
    expect(page.locator(".result")).to_have_class("result stale")
    assert "triton" in source(page)  # the last good result is still there
    assert shown.accessibility() == []
    problem.click()
    page.keyboard.press("Shift+End")
    page.keyboard.press("Delete")
    up_to_date(page)
    expect(page.locator(".problem")).to_have_count(0)
    expect(page.locator(".result")).to_have_class("result")


@pytest.mark.slow
def test_a_choice_changes_the_source_and_the_estimate(shown: Shown) -> None:
    page = shown.page
    assert "num_warps=1" in source(page)
    page.get_by_label("wide").check()
    expect(shown_text(page)).to_contain_text("num_warps=8", timeout=SECONDS)
    page.get_by_label("B", exact=True).press("End")
    fact = page.locator(".fact").first
    expect(fact).to_contain_text("→", timeout=SECONDS)
    expect(fact).to_contain_text("%")
    page.get_by_role("button", name="Reset").click()
    expect(shown_text(page)).to_contain_text("num_warps=1", timeout=SECONDS)


def test_verbs_are_offered(shown: Shown) -> None:
    page = shown.page
    page.get_by_role("textbox", name="Schedule").click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("vec")
    offer = page.locator(".cm-tooltip-autocomplete li").first
    expect(offer).to_contain_text("vectorizeHANDLE", timeout=SECONDS)
    page.keyboard.press("Escape")
    for _ in range(8):
        page.keyboard.press("Control+z")
    up_to_date(page)


def test_tab_does_not_trap(shown: Shown) -> None:
    page = shown.page
    page.get_by_role("textbox", name="Schedule").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused != "Schedule"


@pytest.mark.slow
def test_a_link_restores_everything(browser: Browser, shown: Shown) -> None:
    page = shown.page
    page.get_by_label("wide").check()
    expect(shown_text(page)).to_contain_text("num_warps=8", timeout=SECONDS)
    page.get_by_role("textbox", name="Payload").click()
    page.keyboard.insert_text("// kept é\n")
    up_to_date(page)
    page.wait_for_timeout(600)
    again = page.context.new_page()
    again.goto(page.url)
    up_to_date(again)
    assert "// kept é" in again.locator(".pane-payload .cm-content").inner_text()
    expect(again.get_by_label("wide")).to_be_checked()
    assert "num_warps=8" in source(again)
    again.close()


@pytest.mark.slow
def test_a_phone_shows_one_part_at_a_time(browser: Browser, live: Running) -> None:
    shown = opened(browser, live.url, PHONE)
    page = shown.page
    page.get_by_role("button", name="Result").click()
    expect(page.locator(".pane-schedule")).to_be_hidden()
    expect(page.locator(".result")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE[0]
    assert shown.accessibility() == [] and shown.errors == []


@pytest.mark.slow
def test_a_server_that_ends_is_noticed(browser: Browser, tmp_path: Path) -> None:
    texts = Texts(PAYLOAD, SCHEDULE)
    start = Start(texts, command="tilewright serve exp.mlir")
    with running(LiveServer(start, preloads=False)) as live:
        page = opened(browser, live.url).page
    page.get_by_role("textbox", name="Schedule").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" ")
    status = page.locator(".live-status")
    expect(status).to_contain_text("server gone: restart it with", timeout=SECONDS)
