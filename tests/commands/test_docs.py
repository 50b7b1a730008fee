"""`tilewright docs`, and the page of the package index."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.paths import DOCS, EXAMPLES
from tilewright.cli import completion
from tilewright.commands.docs import page_names


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    return cli_in(tmp_path, monkeypatch, capsys)


def test_every_page_of_the_first_level_is_listed(cli: Cli) -> None:
    listed = cli("docs").out
    for path in DOCS.glob("*.md"):
        if path.stem not in ("README", "package"):
            assert re.search(rf"^  {path.stem}\b", listed, re.M), path


@pytest.mark.parametrize("name", ["planning", "docs/planning.md", "planning.md"])
def test_a_page_is_printed_as_it_is(cli: Cli, name: str) -> None:
    assert cli("docs", name).out.strip() == (DOCS / "planning.md").read_text().strip()


def test_a_verb_names_its_page(cli: Cli) -> None:
    assert cli("docs", "stream").out == cli("docs", "transforms/stream").out
    assert cli("docs", "tile").out == cli("docs", "transforms/tile_using_for").out
    fuse_all = cli("docs", "fuse_all").out
    assert fuse_all == cli("docs", "transforms/fuse_into_containing_op").out


def test_a_folder_names_its_first_page(cli: Cli) -> None:
    text = (DOCS / "transforms" / "README.md").read_text().strip()
    assert cli("docs", "transforms/").out.strip() == text


def test_an_unknown_page_gets_a_suggestion(cli: Cli) -> None:
    assert "did you mean 'tuning'?" in cli("docs", "tunning", code=2).err
    assert "'tilewright docs' lists them" in cli("docs", "qqqqqq", code=2).err


def test_an_op_without_a_page_is_explained_by_its_file(cli: Cli) -> None:
    told = cli("docs", "structured.scalarize").out
    assert told.startswith("# structured.scalarize") and "Before:" in told


def test_pages_complete() -> None:
    assert completion.page_names("pla") == ["planner", "planning"]
    assert "transforms/stream" in page_names()


def test_the_page_of_the_package_has_no_link_into_the_repository() -> None:
    text = (DOCS / "package.md").read_text()
    assert not re.findall(r"\]\((?!https://)", text)


def test_the_page_of_the_package_quotes_the_recorded_times() -> None:
    ms = json.loads((EXAMPLES / "demo" / "h200.json").read_text())["ms"]
    text = (DOCS / "package.md").read_text()
    for name, title in {
        "torch eager": "torch eager",
        "torch.compile": "torch.compile",
        "FlexAttention": "FlexAttention, compiled",
        "planned": "tilewright, no schedule given",
        "tuned": "tilewright, tuned",
    }.items():
        assert f"| {title} | {ms[name]:.2f} |" in text
