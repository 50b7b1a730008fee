"""The page of a program in a browser: steps, views, handles, search, failures."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from support.explorer.browser import PHONE, Shown, open_page
from support.explorer.program_pages import data_of, write_page
from support.paths import ROOT

pytestmark = pytest.mark.browser

EXAMPLE = ROOT / "examples" / "matmul_relu"

SCHEDULE = """\
schedule example(root) {
  mm   = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  tail = match "linalg.generic" in root
  BM = knob [32, 64] default 64

  tail, grid = tile tail by [BM, 128] onto [block.y, block.x]
  mm, grid   = fuse mm into grid
  choose where default together {
    apart { launch grid warps = 8 }
    together {
      fill, grid = fuse fill into grid
      launch grid warps = 4
    }
  }
}
"""

FAILING = """\
schedule failing(root) {
  mm = match "linalg.matmul" in root
  mm, grid = tile mm by [32, 32] onto [block.y, block.x]
  vectorize mm to [8, 8, 8]
}
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    payload = (EXAMPLE / "payload.mlir").read_text()
    return data_of(tmp_path_factory.mktemp("program"), payload, SCHEDULE)


@pytest.fixture(scope="module")
def path(data: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("page"), data)


@pytest.fixture(scope="module")
def opened(browser: Browser, path: Path) -> Iterator[Shown]:
    """One page for all tests that begin by going to a step."""
    shown = open_page(browser, path)
    yield shown
    shown.page.context.close()


@pytest.fixture
def page(opened: Shown) -> Iterator[Page]:
    opened.page.mouse.move(0, 0)
    opened.page.keyboard.press("Escape")
    opened.page.locator("#content").focus()
    opened.page.keyboard.press("d")
    opened.page.keyboard.press("Home")
    yield opened.page
    assert opened.errors == []


def name(page: Page) -> str:
    return page.locator(".step-name").inner_text()


@pytest.mark.slow
def test_keys_go_from_step_to_step(page: Page) -> None:
    assert name(page) == "0payload"
    page.keyboard.press("ArrowRight")
    assert name(page) == "1tile"
    page.keyboard.press("j")
    assert name(page) == "2fuse"
    page.keyboard.press("k")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert name(page) == "0payload"
    page.keyboard.press("End")
    assert page.locator(".step-name").inner_text().endswith("Triton")
    expect(page.locator("[role=option][aria-selected=true]")).to_contain_text("Triton")
    assert "@triton.jit" in page.locator(".code-pane").last.inner_text()


def test_the_slider_says_where_it_is(page: Page) -> None:
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert name(page) == "1tile"
    assert "step 1 of" in (slider.get_attribute("aria-valuetext") or "")
    assert "tile" in page.locator("#announcer").inner_text()


def test_a_line_of_the_schedule_leads_to_its_step(page: Page) -> None:
    page.locator(".file-line[data-line='8'] .num").click()
    assert name(page) == "2fuse"
    expect(page.locator(".file-line[aria-current=step]")).to_have_attribute(
        "data-line", "8"
    )
    # A line that is no step leads to the step that has its handles first.
    page.locator(".file-line[data-line='2'] .num").click()
    assert name(page) == "0payload"
    page.locator(".file-line[data-line='7'] .num").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert name(page) == "2fuse"


@pytest.mark.slow
def test_the_step_is_in_the_address(browser: Browser, path: Path) -> None:
    page = open_page(browser, f"{path.resolve().as_uri()}#step=2&view=whole").page
    assert name(page) == "2fuse"
    assert page.get_by_role("tab", name="Whole").get_attribute("aria-selected")
    page.wait_for_timeout(750)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#step=3&view=whole$"))
    page.reload()
    assert name(page) == "3fuse"
    page.go_back()
    expect(page.locator(".step-name")).to_have_text("2fuse")
    page.context.close()


def test_the_difference_folds_what_did_not_change(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    pane = page.locator(".code-pane").last
    added = pane.locator(".row.add")
    assert "scf.forall" in "".join(added.all_inner_texts())
    gap = pane.locator(".gap-button").first
    assert "unchanged lines" in gap.inner_text()
    before = pane.locator(".row").count()
    gap.click()
    assert pane.locator(".row").count() > before
    page.keyboard.press("s")
    assert pane.locator(".row.split .left").count() > 0
    page.keyboard.press("t")
    assert pane.locator(".row").first.inner_text().startswith("builtin.module")


def test_a_region_folds_and_stays_folded(page: Page) -> None:
    page.keyboard.press("t")
    rows = page.locator(".code-pane").last.locator(".row")
    whole = rows.count()
    page.locator(".row", has_text="linalg.generic").locator(".fold").click()
    assert rows.count() < whole
    folded = page.locator(".row.gap")
    assert "lines folded" in folded.inner_text()
    page.locator(".row", has_text="linalg.generic").locator(".fold").click()
    assert rows.count() == whole


def test_a_handle_marks_its_ops_and_an_op_its_handles(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    page.locator(".handle[data-handle=grid]").first.hover()
    held = page.locator(".row.held")
    assert "scf.forall" in held.first.inner_text()
    assert "grid holds 1 op" in page.locator(".status").inner_text()
    page.keyboard.press("t")
    page.locator(".row", has_text="linalg.matmul").hover()
    marked = page.locator(".handle.held").all_inner_texts()
    assert set(marked) == {"mm"}
    assert "mm holds" in page.locator(".status").inner_text()
    # From the keyboard: the focus on a name does what the pointer does.
    page.locator(".handle[data-handle=fill]").first.focus()
    assert "linalg.fill" in page.locator(".row.held").inner_text()


def test_the_loop_nest_and_the_text_mark_each_other(page: Page) -> None:
    page.keyboard.press("t")
    nest = page.locator(".nest-panel")
    nest.locator(".nest-op", has_text="matmul").click()
    assert "linalg.matmul" in page.locator(".row.held").inner_text()
    page.keyboard.press("Escape")
    page.locator(".row", has_text="linalg.matmul").hover()
    assert "matmul" in nest.locator(".marked").inner_text()


def test_a_handle_that_is_not_valid_says_when_it_is(page: Page) -> None:
    page.locator(".handle[data-handle=grid]").first.hover()
    assert "grid is no valid handle" in page.locator(".status").inner_text()


def test_search_opens_what_hides_a_match(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    page.keyboard.press("/")
    page.keyboard.type("arith.constant")
    count = page.locator(".search-count")
    assert count.inner_text().startswith("1 /")
    assert page.locator(".row", has_text="arith.constant").first.is_visible()
    page.keyboard.type("xyz")
    assert count.inner_text() == "none"
    page.keyboard.press("Escape")
    assert page.locator(".search-input").input_value() == ""


def test_choices_and_skipped_branches(page: Page) -> None:
    chips = page.locator(".choices .pill").all_inner_texts()
    assert [" ".join(chip.split()) for chip in chips] == ["BM 64", "where together"]
    skipped = page.locator(".file-line.skipped")
    assert "apart" in skipped.inner_text()


def test_other_files_are_in_tabs(page: Page) -> None:
    page.get_by_role("tab", name="payload.mlir").click()
    assert "func.func @matmul_relu" in page.locator(".file-lines").inner_text()
    page.keyboard.press("ArrowLeft")
    assert "schedule example" in page.locator(".file-lines").inner_text()


def test_the_page_is_accessible(opened: Shown, page: Page) -> None:
    page.keyboard.press("ArrowRight")
    assert opened.accessibility() == []


@pytest.mark.slow
def test_a_phone_shows_it_all_without_scrolling_sideways(
    browser: Browser, path: Path
) -> None:
    shown = open_page(browser, path, PHONE, dark=True)
    for key in "jjtnpd":
        shown.page.keyboard.press(key)
        wide = "document.documentElement.scrollWidth - innerWidth"
        assert shown.page.evaluate(wide) <= 0
    assert shown.accessibility() == []
    assert shown.errors == []
    shown.page.context.close()


@pytest.mark.slow
def test_a_line_of_source_marks_where_it_comes_from(
    browser: Browser, data: dict[str, Any], tmp_path: Path
) -> None:
    data = copy.deepcopy(data)
    source = data["steps"][-1]
    count = len(source["lines"])
    source["origins"] = [[[data["schedule"], 7, 1], [data["payload"], 5, 1]]] * count
    ptx = {**source, "title": "PTX", "origin": "compiler", "origins": None}
    data["steps"].append({**ptx, "source_lines": list(range(count))})
    address = write_page(tmp_path, data).resolve().as_uri()
    shown = open_page(browser, f"{address}#step={len(data['steps']) - 2}")
    page = shown.page
    page.locator(".row").nth(3).hover()
    origin = page.locator(".file-line.origin")
    assert origin.get_attribute("data-line") == "7"
    assert "payload.mlir:5" in page.locator(".status").inner_text()
    page.get_by_role("tab", name="payload.mlir").click()
    page.locator(".file-line[data-line='5']").hover()
    assert page.locator(".row.held").count() > 10
    page.keyboard.press("End")
    page.keyboard.press("s")
    page.locator(".code-pane").last.locator(".row").nth(2).hover()
    left = page.locator(".code-pane").first
    assert left.locator(".row.held").get_attribute("data-row") == "2"
    assert "Triton line 3" in page.locator(".status").inner_text()
    assert shown.errors == []
    page.context.close()


def test_a_failure_has_its_place_and_the_steps_before(
    browser: Browser, tmp_path: Path
) -> None:
    payload = (EXAMPLE / "payload.mlir").read_text()
    shown = open_page(
        browser, write_page(tmp_path, data_of(tmp_path, payload, FAILING))
    )
    alert = shown.page.get_by_role("alert").inner_text()
    assert "schedule.tw:4:3" in alert and "Remedy:" in alert
    assert "vectorize mm" in shown.page.locator(".file-line.failed").inner_text()
    assert name(shown.page) == "1tile"
    assert shown.accessibility() == []
    shown.page.context.close()


@pytest.mark.slow
def test_hostile_names_are_only_text(browser: Browser, tmp_path: Path) -> None:
    script = "</script><script>window.hacked=1</script>"
    long_name = "n" * 300
    payload = f"""\
func.func @"{script}"(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %{long_name} = tensor.empty() : tensor<64x64xf32>
  %out = linalg.exp {{note = "\\22><img src=x onerror=window.hacked=1>"}}
    ins(%a : tensor<64x64xf32>) outs(%{long_name} : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  func.return %out : tensor<64x64xf32>
}}
"""
    schedule = """\
// </script><img src=x onerror=window.hacked=1>
schedule hostile(root) {
  op = match "linalg.exp" in root
  annotate op "</script><b>" = "<img src=x onerror=window.hacked=1>"
}
"""
    shown = open_page(
        browser, write_page(tmp_path, data_of(tmp_path, payload, schedule))
    )
    for key in "jtsdnp":
        shown.page.keyboard.press(key)
    shown.page.keyboard.press("t")
    assert script in shown.page.locator(".code-pane").last.inner_text()
    assert shown.page.evaluate("window.hacked") is None
    assert shown.page.locator("#app img, #app b").count() == 0
    wide = "document.documentElement.scrollWidth - innerWidth"
    assert shown.page.evaluate(wide) <= 0
    assert shown.errors == []
    shown.page.context.close()


@pytest.mark.slow
def test_without_a_schedule_the_page_says_so(browser: Browser, tmp_path: Path) -> None:
    payload = (EXAMPLE / "payload.mlir").read_text()
    shown = open_page(browser, write_page(tmp_path, data_of(tmp_path, payload, None)))
    assert "There is no schedule" in shown.page.locator(".file-lines").inner_text()
    shown.page.keyboard.press("End")
    assert name(shown.page).endswith("Triton")
    assert shown.errors == []
    shown.page.context.close()
