"""`tilewright lsp` and `shell` without their extras say which install mends it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from support.command_line import cli_in
from tilewright.commands import lsp
from tilewright.ir.errors import UserError

shell = import_module("tilewright.commands.shell.shell")


def test_the_server_without_pygls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lsp, "find_spec", lambda name: None)
    done = cli_in(tmp_path, monkeypatch, capsys)("lsp", code=1)
    assert "pip install 'tilewright[lsp]'" in done.err


def test_the_prompt_without_prompt_toolkit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "find_spec", lambda name: None)
    with pytest.raises(UserError) as refused:
        shell.need_packages()
    assert "pip install 'tilewright[shell]'" in str(refused.value)
