"""`tilewright.view` and what a notebook shows."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import torch
from playwright.sync_api import Browser

import tilewright
from support.explorer.browser import open_page
from support.paths import EXAMPLES
from tilewright.explorer.notebook.shown_page import ShownPage
from tilewright.explorer.notebook.widget import ProgramWidget
from tilewright.explorer.page.assets import ASSETS
from tilewright.explorer.page.html import embedded

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"
SCHEDULE = EXAMPLES / "matmul_relu" / "tile_fuse.tw"


@pytest.mark.slow
def test_a_program_shows_its_own_steps() -> None:
    program = tilewright.compile(PAYLOAD, SCHEDULE)
    shown = tilewright.view(program)
    assert shown.title == "payload.mlir under tile_fuse.tw"
    assert "tile_using_forall" in shown.text
    assert "srcdoc" in program._repr_html_()
    assert repr(shown).startswith("<page 'payload.mlir under tile_fuse.tw'")


def test_a_payload_alone_is_planned() -> None:
    assert tilewright.view(PAYLOAD).title == "payload.mlir under a planned schedule"


@pytest.mark.slow
def test_a_results_file_shows_its_trials() -> None:
    shown = tilewright.view(EXAMPLES / "demo" / "h200.space.xz")
    assert isinstance(shown, ShownPage) and shown.title.endswith("h200.space.xz")


@pytest.mark.slow
def test_a_torch_model_shows_its_kernels() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(16, 8), torch.nn.ReLU())
    shown = tilewright.view(model, args=(torch.ones(4, 16),))
    assert isinstance(shown, ShownPage) and shown.title == "Sequential"
    assert "relu" in shown.text


def test_what_has_no_page_is_said() -> None:
    with pytest.raises(tilewright.UserError, match="no page of int"):
        tilewright.view(3)  # pyright: ignore


def test_a_page_is_saved(tmp_path: Path) -> None:
    path = tilewright.view(PAYLOAD, SCHEDULE).save(tmp_path / "page.html")
    assert path.read_text().startswith("<!doctype html>")


def test_the_markup_of_a_page_stays_in_its_frame() -> None:
    shown = ShownPage('"><script>alert(1)</script>', "<script>alert(2)</script>")
    assert "<script" not in shown._repr_html_()


@pytest.mark.slow
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


# -- the live widget -------------------------------------------------------------

OPEN = EXAMPLES / "demo" / "softcap.tw"
ATTENTION = EXAMPLES / "demo" / "payload.mlir"


@pytest.mark.slow
def test_a_widget_answers_a_point() -> None:
    widget = tilewright.view(ATTENTION, OPEN, live=True)
    assert isinstance(widget, ProgramWidget)
    widget.point = {"structure": "stored"}
    now = json.loads(widget.data)
    taken = {choice["name"]: choice["value"] for choice in now["choices"]}
    assert taken["structure"] == "stored" and taken["loads"] is None
    widget.point = {"structure": "melted"}
    assert "melted" in json.loads(widget.data)["failure"]["message"]


NOTEBOOK = """<!doctype html><title>n</title><link rel="icon" href="data:,">
<div id="cell"></div>
<script type="module">
import widget from "./notebook.js";
const state = STATE;
const listeners = {};
window.model = {
  get: (name) => state[name],
  set(name, value) { state[name] = value; listeners[`change:${name}`]?.(); },
  save_changes() { window.saved = state.point; },
  on(name, run) { listeners[name] = run; },
  off() {},
};
widget.render({ model: window.model, el: document.getElementById("cell") });
</script>"""


@pytest.mark.slow
@pytest.mark.browser
def test_a_switch_in_the_widget_asks_python(browser: Browser, tmp_path: Path) -> None:
    """The widget's two scripts, with the model that anywidget gives them."""
    widget = tilewright.view(ATTENTION, OPEN, live=True)
    assert isinstance(widget, ProgramWidget)
    names = ("title", "page", "data", "point", "height")
    state = embedded({name: getattr(widget, name) for name in names})
    (tmp_path / "index.html").write_text(NOTEBOOK.replace("STATE", state), "utf-8")
    shutil.copy(ASSETS / "notebook.js", tmp_path)
    with served_folder(tmp_path) as url:
        shown = open_page(browser, url)
        frame = shown.page.frame_locator("iframe")
        frame.locator("h1").wait_for()
        frame.get_by_role("radio", name="stored").check()
        shown.page.wait_for_function("window.saved !== undefined")
        assert shown.page.evaluate("window.saved") == {"structure": "stored"}
        widget.point = {"structure": "stored"}
        shown.page.evaluate("data => model.set('data', data)", widget.data)
        frame.get_by_text("computing").wait_for(state="hidden")
        assert frame.get_by_text("values").count() > 0
        assert shown.errors == []


@contextmanager
def served_folder(folder: Path) -> Iterator[str]:
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
