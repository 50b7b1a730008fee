"""Tests of the torch backend compile anew: nothing is kept in the user's cache.

`model_cli` runs commands on a model of the test module.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from tilewright.codegen.runtime.source_cache import SETTING
from tilewright.torch_backend import graph_cache


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "off")
    monkeypatch.setattr(graph_cache, "_folder", lambda: None)


@pytest.fixture
def model_cli(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Cli:
    """Commands in a folder where the test module's `MODEL` is the file model.py."""
    (tmp_path / "model.py").write_text(request.module.MODEL)
    return cli_in(tmp_path, monkeypatch, capsys)
