"""What `tilewright view` refuses, and which files it writes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from support.command_line import cli_in
from tilewright.explorer.server.examples import FOLDER

PAYLOAD = FOLDER / "matmul_relu/payload.mlir"
SCHEDULE = FOLDER / "matmul_relu/tile_fuse.tw"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a payload, a schedule and an empty results file."""
    (tmp_path / "p.mlir").write_text(PAYLOAD.read_text())
    (tmp_path / "s.tw").write_text(SCHEDULE.read_text())
    (tmp_path / "results.db").touch()
    return tmp_path


@pytest.mark.parametrize("output", ["p.mlir", "./s.tw", "results.db", "link.html"])
def test_a_page_never_replaces_a_file_that_it_shows(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    output: str,
) -> None:
    (folder / "link.html").symlink_to("p.mlir")
    before = (folder / output).read_text()
    cli = cli_in(folder, monkeypatch, capsys)
    told = cli("view", "p.mlir", "-s", "s.tw", "--no-estimate", "-o", output, code=2)
    assert "would replace a file that it shows" in told.err
    assert (folder / output).read_text() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("p.mlir", "s.tw"), "a schedule follows -s: -s s.tw"),
        (("p.mlir", "--input", "f32[2]"), "--input: not for a payload"),
        (("results.db", "-s", "s.tw"), "--schedule: not for a results file"),
        (("results.db", "--emit", "ptx"), "--emit: not for a results file"),
    ],
)
def test_options_without_a_use_are_refused(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    told: str,
) -> None:
    cli = cli_in(folder, monkeypatch, capsys)
    assert told in cli("view", *words, code=2).err


def test_a_payload_from_a_pipe_has_a_page_with_a_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAYLOAD.read_bytes())))
    cli = cli_in(folder, monkeypatch, capsys)
    cli("view", "-", "-s", "s.tw", "--no-estimate")
    assert (folder / "page.html").is_file()


def test_a_page_goes_to_standard_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli = cli_in(folder, monkeypatch, capsys)
    told = cli("view", "p.mlir", "-s", "s.tw", "--no-estimate", "-o", "-")
    assert told.out.startswith("<!doctype html>")
    assert not (folder / "-").exists()
