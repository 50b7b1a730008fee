"""`tilewright serve` and `tune --watch` as they are typed."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support.explorer.browser import open_page
from support.paths import EXAMPLES, ROOT
from tilewright.explorer.server import extra
from tilewright.ir.errors import UserError

MATMUL = EXAMPLES / "matmul_relu"


def started(*words: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tilewright", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def address_in(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return found.group()
    raise AssertionError("no address was printed")


def test_the_packages_are_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        extra, "find_spec", lambda name: None if name == "uvicorn" else find_spec(name)
    )
    with pytest.raises(UserError) as caught:
        extra.need_server_packages("tilewright serve")
    assert caught.value.fact == "tilewright serve needs uvicorn"
    assert caught.value.remedy == "pip install 'tilewright[serve]'"


def test_only_the_server_imports_its_packages() -> None:
    allowed = {"app.py", "serving.py", "watch.py"}
    users = {
        path.name
        for folder in ("explorer", "tilewright/cli", "tilewright/commands")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(
            r"^\s*(?:from|import) (?:starlette|uvicorn)", path.read_text(), re.M
        )
    }
    assert users == allowed


@pytest.mark.slow
def test_serve_answers_until_it_is_interrupted(tmp_path: Path) -> None:
    files = (str(MATMUL / "payload.mlir"), "-s", str(MATMUL / "tile.tw"))
    process = started("serve", *files, "--no-open", folder=tmp_path)
    with urllib.request.urlopen(address_in(process)) as answer:
        assert "linalg.matmul" in answer.read().decode()
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30)[0]
    assert process.returncode == 0 and "the server has ended" in output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.browser
def test_a_run_is_watched_to_its_end(browser: Browser, tmp_path: Path) -> None:
    files = (str(MATMUL / "payload.mlir"), "-s", str(MATMUL / "tuned.tw"))
    process = started("tune", *files, "--trials", "3", "--watch", folder=tmp_path)
    shown = open_page(browser, address_in(process))
    state = shown.page.locator(".page-tools .badge")
    expect(state).to_contain_text("running")
    expect(state).to_contain_text("ended, 3 trials", timeout=120_000)
    expect(shown.page.locator(".tuning")).to_contain_text("3")
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 0, output
    assert shown.errors == []
