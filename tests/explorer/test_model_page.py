"""The page of a torch model in a browser: selecting, filtering, keys, empty states."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from support.command_line import cli_in
from support.explorer.bars import Held
from support.explorer.browser import PHONE, Shown, open_page
from support.explorer.model_pages import many_kernels, small_model, written

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def opened(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shown]:
    path = written(small_model(), tmp_path_factory.mktemp("model"))
    shown = open_page(browser, path)
    yield shown
    shown.page.context.close()


def panel(page: Page) -> str:
    return page.locator(".kernel-panel h2").inner_text()


def test_a_kernel_leads_to_its_lines_and_texts(shown: Shown) -> None:
    page = shown.page
    page.locator(".graph-group .graph-label").first.click()
    assert panel(page) == "#1 layer_norm"
    assert "self.norm(x)" in page.locator(".line.selected").inner_text()
    assert "tile" in page.locator(".model-code-line.marked").inner_text()
    expect(page.locator("tr.selected")).to_contain_text("× 2")
    page.get_by_role("tab", name="Triton").click()
    expect(page.locator(".model-code").first).to_contain_text("@triton.jit")
    page.get_by_role("button", name="Equal kernel after").click()
    assert panel(page).startswith("#3 layer_norm")
    assert page.url.endswith("#kernel=3")
    page.reload()
    assert panel(page).startswith("#3 layer_norm")


@pytest.mark.slow
def test_the_slowest_kernel_shows_its_steps(browser: Browser, tmp_path: Path) -> None:
    data = small_model()
    number = next(
        n for n, one in enumerate(data["kernels"], 1) if one["program"] is not None
    )
    other = next(
        n for n, one in enumerate(data["kernels"], 1) if one["program"] is None
    )
    path = written(data, tmp_path)
    shown = open_page(browser, f"{path.resolve().as_uri()}#kernel={number}")
    shown.page.get_by_role("tab", name="Steps").click()
    expect(shown.page.locator(".program-view")).to_contain_text("@triton.jit")
    shown.page.goto(f"{path.resolve().as_uri()}#kernel={other}")
    shown.page.reload()
    shown.page.get_by_role("tab", name="Steps").click()
    expect(shown.page.locator(".kernel-panel")).to_contain_text("--details N")
    assert shown.errors == []


def test_a_line_leads_to_its_kernels(shown: Shown) -> None:
    page = shown.page
    page.get_by_role("button", name="y = self.norm(x)").click()
    assert page.locator(".kernel-list li").count() == 2
    assert page.locator(".graph-group.selected").count() == 2
    page.locator(".kernel-list button").nth(1).click()
    assert panel(page).startswith("#3 layer_norm")


def test_an_op_in_torch_says_why(shown: Shown) -> None:
    page = shown.page
    page.locator(".torch-part").get_by_role("button", name="special_airy_ai").click()
    assert panel(page) == "special_airy_ai"
    expect(page.locator(".kernel-panel")).to_contain_text(
        "tilewright has no kernel for it"
    )
    assert "airy_ai" in page.locator(".line.selected").inner_text()
    assert page.locator(".graph-node.warn.selected").count() == 1


def test_the_table_sorts_filters_and_groups(shown: Shown) -> None:
    page = shown.page
    rows = page.locator(".kernel-table tbody tr")
    grouped = rows.count()
    page.get_by_role("button", name="Equal kernels together").click()
    assert rows.count() == len(small_model()["kernels"]) > grouped
    page.get_by_role("button", name="Moves").click()
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Moves")
    page.get_by_role("searchbox").fill("softmax")
    assert rows.count() == 1
    page.get_by_role("searchbox").fill("no such op")
    expect(rows.first).to_contain_text("No kernel has these words.")


def test_the_keyboard_is_enough(shown: Shown) -> None:
    page = shown.page
    page.keyboard.press("]")
    page.keyboard.press("]")
    assert panel(page).startswith("#2")
    page.keyboard.press("[")
    assert panel(page).startswith("#1")
    page.locator(".graph-group").nth(2).focus()
    page.keyboard.press("Enter")
    assert panel(page).startswith("#3")
    before = page.locator(".graph-drawing > g").get_attribute("transform")
    page.locator(".graph-drawing").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("+")
    assert page.locator(".graph-drawing > g").get_attribute("transform") != before
    nodes = page.locator(".graph-node").count()
    page.keyboard.press("e")
    assert page.locator(".graph-node").count() < nodes


@pytest.mark.parametrize(
    ("size", "dark"),
    [
        ((1280, 800), True),
        pytest.param(PHONE, False, marks=pytest.mark.slow),
    ],
)
def test_nothing_is_in_the_way_of_reading(
    browser: Browser, tmp_path: Path, size: tuple[int, int], dark: bool
) -> None:
    shown = open_page(browser, written(small_model(), tmp_path), size, dark=dark)
    shown.page.keyboard.press("]")
    assert shown.accessibility() == []
    width = shown.page.evaluate("document.documentElement.scrollWidth")
    assert width == size[0]
    assert shown.errors == []


@pytest.mark.slow
def test_a_graph_can_be_dragged_and_scaled(shown: Shown) -> None:
    page = shown.page
    content = page.locator(".graph-drawing > g")
    before = content.get_attribute("transform")
    box = page.locator(".graph-drawing").bounding_box()
    assert box is not None
    x, y = box["x"] + 30, box["y"] + box["height"] - 30
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 40, steps=4)
    page.mouse.up()
    dragged = content.get_attribute("transform")
    assert dragged != before
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    assert content.get_attribute("transform") != dragged
    page.get_by_role("button", name="Show all").click()
    assert page.locator(".kernel-panel h2").count() == 0


@pytest.mark.slow
def test_pages_without_kernels_times_or_torch(browser: Browser, tmp_path: Path) -> None:
    data = small_model()
    for kernel in data["kernels"]:
        kernel |= {"seconds": None, "ceiling": None}
    data["totals"] |= {"seconds": 0.0, "measured": True, "unknown": 5, "torch_ops": 0}
    (graph,) = data["graphs"]
    graph["nodes"] = [one for one in graph["nodes"] if one["kind"] != "torch"]
    shown = open_page(browser, written(data, tmp_path))
    shown.page.keyboard.press("]")
    expect(shown.page.locator(".kernel-table tbody tr").first).to_contain_text(
        "not measured"
    )
    expect(shown.page.locator(".torch-part")).to_contain_text("Nothing stayed in torch")
    assert shown.errors == []

    none: dict[str, Any] = {**data, "kernels": [], "lines": [], "files": []}
    none["totals"] = {**data["totals"], "kernels": 0, "sorts": 0, "fused_ops": 0}
    none["graphs"] = [{**graph, "nodes": [], "refused": ["payload0: too large"]}]
    shown = open_page(browser, written(none, tmp_path))
    for text in ("no kernel to time", "computes nothing", "payload0: too large"):
        expect(shown.page.locator("main")).to_contain_text(text)
    assert shown.errors == [] and shown.accessibility() == []


@pytest.mark.slow
def test_hostile_names_are_only_text(browser: Browser, tmp_path: Path) -> None:
    hostile = "</script><img src=x onerror=alert(1)>"
    data = small_model()
    data |= {"title": hostile, "subtitle": hostile, "target": hostile}
    data["files"][0] = {"name": hostile, "lines": [hostile] * 60}
    for kernel in data["kernels"]:
        kernel |= {"name": hostile, "ops": [hostile], "bound": hostile}
    for node in data["graphs"][0]["nodes"]:
        node |= {"label": hostile, "reason": hostile, "type": hostile}
    data["graphs"][0] |= {
        "title": hostile,
        "refused": [hostile],
        "ended_by": {"reason": hostile, "hints": [hostile], "place": [0, 1, 1]},
    }
    data["texts"] = [[hostile] * 99 for _ in data["texts"]]
    shown = open_page(browser, written(data, tmp_path))
    dialogs: list[str] = []
    shown.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    shown.page.locator(".graph-group .graph-label").first.click()
    for tab in ("Triton", "Payload"):
        shown.page.get_by_role("tab", name=tab).click()
    assert shown.page.locator("h1").inner_text() == hostile
    assert shown.page.locator("img").count() == 0
    assert dialogs == [] and shown.errors == []


MODEL = """
import torch


def model(x):
    return torch.tanh(x) * 2
"""


@pytest.mark.slow
def test_the_command_writes_a_page(
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    cli = cli_in(tmp_path, monkeypatch, capsys)
    words = ("view", "model.py:model", "--input", "f32[4,8]")
    told = cli(*words, "--emit", "ptx", code=2).err
    assert "--emit: not for a torch model" in told
    assert "has no class or function" in cli("view", "model.py:other", code=1).err
    assert "model.html" in cli(*words, "--details", "0").err
    shown = open_page(browser, tmp_path / "model.html")
    expect(shown.page.locator(".total").first).to_contain_text("estimated")
    expect(shown.page.locator(".source")).to_contain_text("torch.tanh(x) * 2")
    assert shown.errors == []


@pytest.mark.slow
def test_200_kernels_stay_quick(browser: Browser, tmp_path: Path, held: Held) -> None:
    path = written(many_kernels(200), tmp_path)
    assert path.stat().st_size < 5_000_000
    first = min(_first_paint(browser, path) for _ in range(3))
    held("200 kernels, first paint", first, 1000)
    shown = open_page(browser, path)
    selecting = shown.page.evaluate(
        """() => {
          const times = [];
          const rows = document.querySelectorAll(".kernel-table tbody tr");
          for (let i = 5; i < 150; i += 10) {
            const start = performance.now();
            rows[i].click();
            document.body.getBoundingClientRect();
            times.push(performance.now() - start);
          }
          return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
        }"""
    )
    held("200 kernels, a kernel selected", selecting, 50)
    assert shown.page.locator(".graph-group").count() >= 200
    drawing = shown.page.evaluate(
        """() => {
          const start = performance.now();
          document.querySelector(".graph-part .part-head .button").click();
          return performance.now() - start;
        }"""
    )
    held("200 kernels, the graph drawn", drawing, 300)
    assert shown.errors == []


def _first_paint(browser: Browser, path: Path) -> float:
    """Milliseconds until the page is seen; the script draws all of it at once."""
    page = open_page(browser, path).page
    page.wait_for_selector(".graph-group")
    paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    # `wait_for_function` evaluates in the page, which the page's policy forbids.
    while (start := page.evaluate(paint)) is None:
        page.wait_for_timeout(20)
    return start
