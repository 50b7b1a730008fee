"""The pictures of the program page, in a browser: what they say, and the keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from support.explorer.browser import PHONE, open_page
from tilewright.commands.view.arguments import Options
from tilewright.commands.view.program import program_request
from tilewright.explorer.page.html import page
from tilewright.explorer.program.program_data import program_data

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "matmul_relu"

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a matmul with a tail."""
    options = Options(
        str(EXAMPLES / "payload.mlir"),
        schedule=EXAMPLES / "tile_fuse_vectorize.tw",
        estimate=False,
    )
    path = tmp_path_factory.mktemp("pictures") / "page.html"
    path.write_text(page("program", program_data(program_request(options))))
    return path


@pytest.mark.slow
def test_the_nest_says_where_data_is_and_how_much_moves(
    browser: Browser, written: Path
) -> None:
    """After both fusions: one grid, the product on chip, 4.72 MB in place of 5.77."""
    shown = open_page(browser, f"{written.as_uri()}#step=3&view=nest")
    nest = shown.page.locator(".nest").last
    assert "4.72 MB, 1.22× less" in nest.locator(".nest-bars").inner_text()
    assert "4 × 4 = 16 programs" in nest.locator(".nest-grid-head").inner_text()
    drawing = nest.get_by_role("img", name="result, 512 by 512, in tiles of 128 by 128")
    assert drawing.count() == 1
    product = nest.locator(".nest-op", has_text="matmul")
    assert product.locator(".in-memory").all_inner_texts() == ["a", "b"]
    assert product.locator(".on-chip").all_inner_texts() == ["product", "init"]
    assert shown.accessibility() == []
    assert shown.errors == []


def test_an_op_of_the_picture_marks_its_line(browser: Browser, written: Path) -> None:
    """By the keyboard alone."""
    shown = open_page(browser, f"{written.as_uri()}#step=3&view=nest")
    product = shown.page.locator(".nest-op", has_text="matmul").last
    product.focus()
    shown.page.keyboard.press("Enter")
    assert "marked" in (product.get_attribute("class") or "")


def test_the_program_has_a_group_for_the_kernel(
    browser: Browser, written: Path
) -> None:
    """Ops in their kernel; why there is no time is said."""
    shown = open_page(browser, f"{written.as_uri()}#step=0&view=program")
    picture = shown.page.locator(".kernel-picture")
    assert "No estimate was asked for." in picture.inner_text()
    assert picture.locator(".graph-group").count() == 1
    assert picture.locator(".graph-node").count() == 5
    assert "moves 4.72 MB" in picture.locator(".kernel-card").inner_text()
    assert shown.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("view", ["nest", "program"])
def test_a_phone_needs_no_sideways_scrolling(
    browser: Browser, written: Path, view: str
) -> None:
    """390 pixels wide, in the dark."""
    url = f"{written.as_uri()}#step=6&view={view}"
    shown = open_page(browser, url, PHONE, dark=True)
    wide = "document.documentElement.scrollWidth - innerWidth"
    assert shown.page.evaluate(wide) == 0
