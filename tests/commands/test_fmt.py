"""`tilewright fmt`: what it writes, what it prints, and its exit codes."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in

UGLY = "// why\nschedule s(root){\n    cse   root  // now\n}\n"
FORMATTED = "// why\nschedule s(root) {\n  cse root  // now\n}\n"


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    (tmp_path / "ugly.tw").write_text(UGLY)
    (tmp_path / "good.tw").write_text(FORMATTED)
    (tmp_path / "bad.tw").write_text("schedule s(root) { tile [ }")
    return cli_in(tmp_path, monkeypatch, capsys)


def test_it_formats_in_place(cli: Cli) -> None:
    assert cli("fmt", "ugly.tw").err == "formatted ugly.tw\n"
    assert Path("ugly.tw").read_text() == FORMATTED
    done = cli("fmt", "ugly.tw")
    assert (done.out, done.err) == ("", "")


def test_a_formatted_file_is_not_written(cli: Cli) -> None:
    Path("good.tw").chmod(0o444)
    before = Path("good.tw").stat().st_mtime_ns
    cli("fmt", "good.tw")
    assert Path("good.tw").stat().st_mtime_ns == before


def test_check_writes_nothing(cli: Cli) -> None:
    cli("fmt", "--check", "good.tw")
    done = cli("fmt", "--check", "good.tw", "ugly.tw", code=1)
    assert done.err == (
        "would format ugly.tw\n1 file to format, 1 file formatted already\n"
    )
    assert Path("ugly.tw").read_text() == UGLY


def test_diff_shows_what_would_change(cli: Cli) -> None:
    assert cli("fmt", "--diff", "good.tw").out == ""
    done = cli("fmt", "--diff", "ugly.tw", code=1)
    assert done.out == (
        "--- ugly.tw\n+++ ugly.tw\n@@ -1,4 +1,4 @@\n // why\n"
        "-schedule s(root){\n-    cse   root  // now\n"
        "+schedule s(root) {\n+  cse root  // now\n }\n"
    )
    assert Path("ugly.tw").read_text() == UGLY


def test_a_file_that_cannot_be_parsed_is_2_and_the_others_are_formatted(
    cli: Cli,
) -> None:
    done = cli("fmt", "bad.tw", "nowhere.tw", "ugly.tw", code=2)
    assert "bad.tw:1:25: error: '[' is closed by '}'" in done.err
    assert "no such file: nowhere.tw" in done.err
    assert Path("ugly.tw").read_text() == FORMATTED
    assert Path("bad.tw").read_text() == "schedule s(root) { tile [ }"


def test_a_folder_stands_for_its_schedules(cli: Cli) -> None:
    Path("bad.tw").unlink()
    done = cli("fmt", ".")
    assert done.err == "formatted ugly.tw\n1 file formatted, 1 file formatted already\n"


def stdin(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_standard_input_goes_to_standard_output(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin(UGLY, monkeypatch)
    done = cli("fmt", "-")
    assert (done.out, done.err) == (FORMATTED, "")
    stdin(UGLY, monkeypatch)
    assert cli("fmt", "--check", "-", code=1).out == ""
    stdin("schedule s(root) {", monkeypatch)
    assert "<stdin>:1:18: error" in cli("fmt", "-", code=2).err


def test_windows_line_ends_are_rewritten(cli: Cli) -> None:
    Path("good.tw").write_bytes(FORMATTED.replace("\n", "\r\n").encode())
    assert cli("fmt", "good.tw").err == "formatted good.tw\n"
    assert Path("good.tw").read_bytes() == FORMATTED.encode()


def test_other_files_are_refused(cli: Cli) -> None:
    Path("p.mlir").write_text("module {}")
    assert "p.mlir: not a .tw file" in cli("fmt", "p.mlir", code=2).err
