"""Run the command line in this process, which is quick, and return its exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tilewright.cli import main


@dataclass(frozen=True)
class Ended:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


Cli = Callable[..., Ended]


def cli_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    """A function that runs a command in a folder and checks its exit code."""
    monkeypatch.chdir(folder)

    def run(*arguments: str, code: int = 0) -> Ended:
        monkeypatch.setattr(sys, "argv", ["tilewright", *arguments])
        ended = 0
        try:
            main()
        except SystemExit as end:
            ended = end.code if isinstance(end.code, int) else 0
        captured = capsys.readouterr()
        assert ended == code, captured.out + captured.err
        assert "Traceback" not in captured.err
        assert not list(Path().glob("tilewright-bug-*"))
        return Ended(ended, captured.out, captured.err)

    return run
