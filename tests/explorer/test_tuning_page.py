"""The tuning page in a browser: every part by mouse and by keyboard, and its limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from support.explorer.browser import PHONE, Shown, open_page
from support.explorer.tuned_files import SETTING, write_matmul_run, write_run
from tilewright.explorer.page.html import page
from tilewright.explorer.trials.trials_data import Extent, trials_data
from tilewright.tuning.results.database import Database

pytestmark = pytest.mark.browser

HOSTILE = "</script><script>alert(1)</script>.mlir"


def write_page(folder: Path, data: dict[str, Any]) -> Path:
    path = folder / "page.html"
    path.write_text(page("tuning", data))
    return path


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a file with two runs; the payload of one has a hostile name."""
    folder = tmp_path_factory.mktemp("tuned")
    results = folder / "results.db"
    hostile = replace(SETTING, device="NVIDIA A100", payload_name=HOSTILE)
    write_run(results, 40, seed=1, setting=hostile)
    write_run(results, 120)
    extent = Extent(finding_seconds=0.0)  # the run that is shown alone is explained
    return write_page(folder, trials_data(results, ["h200"], extent=extent))


@pytest.fixture(scope="module")
def opened(browser: Browser, tuned: Path) -> Iterator[Shown]:
    shown = open_page(browser, tuned)
    yield shown
    shown.page.context.close()


def panel(page: Page) -> Any:
    return page.locator("aside.drawer")


def trials(page: Page) -> str:
    return page.locator("#trials-title").inner_text()


@pytest.mark.slow
def test_a_click_says_why_one_structure_beats_another(shown: Shown) -> None:
    shown.page.get_by_role("button", name="as long: why?").click()
    said = panel(shown.page).locator(".sentence").inner_text()
    assert re.search(
        r"Trial \d+ \(the winner\) is [\d.]+× as fast as trial \d+\.", said
    )
    assert "loads=descriptors instead of pointers" in said
    panel(shown.page).get_by_role("tab", name="Schedule").click()
    added = panel(shown.page).locator(".diff .added").all_inner_texts()
    assert any("depth" in line for line in added)
    assert shown.accessibility() == []


@pytest.mark.slow
def test_a_cell_of_the_heat_map_filters_the_trials(shown: Shown) -> None:
    chosen = shown.page.locator("#map .cell").first
    count = chosen.locator(".small").inner_text().split(" ")[0]
    chosen.click()
    assert trials(shown.page) == f"Trials: {count} of 120"
    chip = shown.page.locator(".chip")
    chip.click()
    assert trials(shown.page) == "Trials: 120"
    shown.page.get_by_label("Rows").select_option("stages")
    shown.page.get_by_role("button", name="Median").click()
    expect(shown.page.locator("#map thead")).to_contain_text("stages")


@pytest.mark.slow
def test_a_mark_on_an_axis_filters_the_trials(shown: Shown) -> None:
    chart = shown.page.locator("#coordinates .chart")
    chart.scroll_into_view_if_needed()
    expect(chart.locator("canvas")).to_be_visible()
    box = chart.bounding_box()
    assert box is not None
    # The first axis, BM: from its top to a quarter of its height is the largest option.
    x, top, bottom = box["x"] + 56, box["y"] + 46, box["y"] + box["height"] - 22
    shown.page.mouse.move(x, top + 2)
    shown.page.mouse.down()
    shown.page.mouse.move(x, top + 0.1 * (bottom - top), steps=4)
    shown.page.mouse.move(x, top + 0.18 * (bottom - top), steps=4)
    shown.page.mouse.up()
    expect(shown.page.locator(".chip")).to_contain_text("marked on BM")
    marked = trials(shown.page)
    shown.page.get_by_role("searchbox").fill("BM=256")
    shown.page.get_by_role("button", name="Remove the filter marked").click()
    assert trials(shown.page) == marked != "Trials: 120"


@pytest.mark.slow
def test_the_table_works_by_keyboard(shown: Shown) -> None:
    page = shown.page
    page.keyboard.press("t")
    expect(page.locator(".trial-grid")).to_be_focused()
    for key in ("ArrowDown", " ", "End", "Home", " "):
        page.keyboard.press(key)
    expect(page.locator(".grid-row.chosen")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(panel(page).get_by_role("heading", level=2)).to_contain_text("the winner")
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    expect(page.locator(".trial-grid")).to_be_focused()
    page.get_by_role("button", name="Compare", exact=True).press("Enter")
    expect(panel(page).locator(".sentence")).to_contain_text("as fast as")


@pytest.mark.slow
def test_words_filter_and_headers_sort(shown: Shown) -> None:
    page = shown.page
    page.get_by_role("searchbox").fill("BM=128 ok <1.5")
    first = page.locator(".grid-rows .grid-row").first
    expect(first).to_contain_text("128")
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="trial", exact=True).click()
    expect(first.locator("span").nth(2)).to_have_text("1")
    page.get_by_label("Outcome").select_option("pruned")
    expect(page.locator(".grid-rows .badge.bad").first).to_have_text("pruned")
    page.get_by_role("searchbox").fill("nothing-has-this")
    expect(page.locator(".no-rows")).to_be_visible()


@pytest.mark.slow
def test_charts_are_drawn_when_they_are_seen(shown: Shown) -> None:
    page = shown.page
    expect(page.locator("#runs canvas")).to_have_count(0)
    page.locator("#runs").scroll_into_view_if_needed()
    expect(page.locator("#runs canvas")).to_have_count(1)
    page.get_by_role("button", name="Share of the final speed").click()
    page.get_by_role("button", name="At the winner").click()
    expect(page.locator("#effects .badge.good").first).to_have_text("winner")
    page.get_by_role("button", name="Pairs").click()
    expect(page.locator("#effects")).to_contain_text("of the variance")


def test_failures_say_where_why_and_what_to_do(shown: Shown) -> None:
    group = shown.page.locator("#failures li").first
    expect(group).to_contain_text("bytes of shared memory, h200 allows")
    expect(group).to_contain_text("Remedy: require that stages")
    group.get_by_role("button", name="Show these trials").click()
    assert re.fullmatch(r"Trials: \d+ of 120", trials(shown.page))
    group.get_by_role("button", name="Open the first").click()
    expect(panel(shown.page).locator(".error-text")).to_contain_text("gemm_kernel")


def test_another_run_is_shown_and_names_are_only_text(shown: Shown) -> None:
    page = shown.page
    page.locator(".run-line select").select_option(index=1)
    expect(page.locator(".run-line p")).to_contain_text(HOSTILE)
    assert trials(page) == "Trials: 40"
    page.locator("#runs").scroll_into_view_if_needed()
    expect(page.locator("#runs caption")).to_have_text("Best points")
    expect(page.locator("#effects")).to_contain_text("This run was not explained.")


@pytest.mark.slow
def test_it_fits_a_phone_in_the_dark(browser: Browser, tuned: Path) -> None:
    shown = open_page(browser, tuned, PHONE, dark=True)
    assert shown.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    shown.page.keyboard.press("w")
    assert shown.accessibility() == []
    assert shown.errors == []


@pytest.mark.slow
def test_a_trial_shows_its_source_and_its_steps(
    browser: Browser, tmp_path: Path
) -> None:
    results = write_matmul_run(tmp_path / "matmul.db", 3)
    extent = Extent(explained=False, programs=1)
    shown = open_page(
        browser, write_page(tmp_path, trials_data(results, extent=extent))
    )
    shown.page.get_by_role("button", name="Open the winner").click()
    drawer = panel(shown.page)
    expect(drawer.locator(".command")).to_contain_text("--set tail_placement=")
    drawer.get_by_role("tab", name="Schedule").click()
    expect(drawer.locator(".code-line.chosen").first).to_be_visible()
    drawer.get_by_role("tab", name="Source").click()
    expect(drawer.locator(".code-line").first).to_contain_text("Triton kernels")
    drawer.get_by_role("tab", name="IR").click()
    drawer.get_by_label("After step").select_option("0")
    expect(drawer.locator(".code")).to_contain_text("linalg.matmul")
    drawer.get_by_role("tab", name="Timings").click()
    expect(drawer).to_contain_text("3 launches")
    # A trial that is not in the page in full says how to get it.
    shown.page.keyboard.press("Escape")
    shown.page.keyboard.press("t")
    shown.page.keyboard.press("End")
    shown.page.keyboard.press("Enter")
    drawer.get_by_role("tab", name="Source").click()
    expect(drawer).to_contain_text("--trials N puts more into it")
    assert shown.errors == []


@pytest.mark.parametrize(
    ("trials", "says"),
    [
        (0, "has no runs"),
        pytest.param(1, "Fewer than two trials have a time.", marks=pytest.mark.slow),
        pytest.param(5, "a model needs 8", marks=pytest.mark.slow),
    ],
)
def test_files_with_few_trials_say_so(
    browser: Browser, tmp_path: Path, trials: int, says: str
) -> None:
    results = tmp_path / "few.db"
    if trials:
        write_run(results, trials, seed=4)
    else:
        Database(results).close()
    shown = open_page(browser, write_page(tmp_path, trials_data(results)))
    expect(shown.page.locator("main")).to_contain_text(says)
    assert shown.errors == []


@pytest.mark.slow
def test_a_run_without_a_time_has_a_page(browser: Browser, tmp_path: Path) -> None:
    data = trials_data(write_run(tmp_path / "none.db", 12), extent=Extent())
    run = data["runs"][0]
    columns = run["trials"]
    pruned = data["outcomes"].index("pruned")
    for name in ("ms", "low", "high"):
        columns[name] = None
    columns["outcome"] = [pruned] * 12
    run |= {"best": None, "best_ms": None, "best_point": None, "worked": 0}
    run |= {"findings": None, "structures": [], "counts": {"pruned": 12}}
    shown = open_page(browser, write_page(tmp_path, data))
    expect(shown.page.locator(".figure-value").first).to_have_text("none")
    expect(shown.page.locator("#convergence")).to_contain_text("No trial has a time.")
    shown.page.keyboard.press("t")
    shown.page.keyboard.press("Enter")
    expect(panel(shown.page)).to_contain_text("no time")
    assert shown.errors == []
