"""`tilewright.view` and what a notebook shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

import tilewright
from support.explorer.browser import open_page
from support.paths import EXAMPLES
from tilewright.explorer.notebook.shown_page import ShownPage

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"
SCHEDULE = EXAMPLES / "matmul_relu" / "tile_fuse.tw"


def test_a_program_shows_its_own_steps() -> None:
    program = tilewright.compile(PAYLOAD, SCHEDULE)
    shown = tilewright.view(program)
    assert shown.title == "payload.mlir under tile_fuse.tw"
    assert "tile_using_forall" in shown.text
    assert "srcdoc" in program._repr_html_()
    assert repr(shown).startswith("<page 'payload.mlir under tile_fuse.tw'")


def test_a_payload_alone_is_planned() -> None:
    assert tilewright.view(PAYLOAD).title == "payload.mlir under a planned schedule"


def test_a_page_is_saved(tmp_path: Path) -> None:
    path = tilewright.view(PAYLOAD, SCHEDULE).save(tmp_path / "page.html")
    assert path.read_text().startswith("<!doctype html>")


def test_the_markup_of_a_page_stays_in_its_frame() -> None:
    shown = ShownPage('"><script>alert(1)</script>', "<script>alert(2)</script>")
    assert "<script" not in shown._repr_html_()


@pytest.mark.browser
def test_a_notebook_shows_the_page_in_a_frame(browser: Browser, tmp_path: Path) -> None:
    cell = tmp_path / "cell.html"
    shown = tilewright.view(PAYLOAD, SCHEDULE)
    cell.write_text(f"<!doctype html><title>n</title>{shown._repr_html_()}", "utf-8")
    opened = open_page(browser, cell)
    title = opened.page.frame_locator("iframe").locator("h1")
    title.wait_for()
    assert title.inner_text() == shown.title
    assert opened.errors == []
