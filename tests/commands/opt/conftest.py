"""`cli` runs commands where the files of `support/opt_files.py` are."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.opt_files import PAYLOAD, SCRIPT, TW


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    """Run a command in a folder with the files above."""
    both = (
        f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{SCRIPT}}}"
    )
    (tmp_path / "p.mlir").write_text(PAYLOAD)
    (tmp_path / "s.tw").write_text(TW)
    (tmp_path / "both.mlir").write_text(both)
    return cli_in(tmp_path, monkeypatch, capsys)
