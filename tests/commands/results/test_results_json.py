"""The JSON of `tilewright results ...` is what docs/result_formats.md says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import Cli, cli_in
from support.project.documented_formats import assert_documented, section
from support.tuning.tuned_files import BAD, FAST, SLOW, setting, tuned
from tilewright.planning.recorded import KernelSignature
from tilewright.tuning.results.database import Database
from tilewright.tuning.transfer.planned_kernels import PlannedKernels


@pytest.fixture
def cli(tmp_path: Path, monkeypatch, capsys) -> Cli:
    monkeypatch.chdir(tmp_path)
    tuned(Path("results.db"), setting(), {SLOW: 2.0, FAST: 1.0, BAD: None})
    tuned(Path("results.db"), setting("NVIDIA H100"), {SLOW: 3.0, BAD: None})
    with Database(Path("results.db")) as database:
        kernel = KernelSignature("h200", "s", (64, 8))
        PlannedKernels(database).record(kernel, "tiles", {"BM": 4})
    return cli_in(tmp_path, monkeypatch, capsys)


def answer(cli: Cli, *words: str) -> Any:
    return json.loads(cli("results", *words, "--json").out)


def tables(title: str) -> list[str]:
    """The tables of a section, which are apart by text."""
    return section(title).split("|---|---|---|")[1:]


def test_runs(cli: Cli) -> None:
    assert_documented(answer(cli, "list"), tables("Runs")[0])
    shown = answer(cli, "show", "h200")
    assert list(shown) == ["format", "run", "trials"]
    for trial in shown["trials"]:
        assert_documented(trial, tables("Runs")[1])
    assert f'"format": "{shown["format"]}"' in section("Runs")


def test_best(cli: Cli) -> None:
    assert_documented(answer(cli, "best"), section("The best"))


def test_comparison(cli: Cli) -> None:
    assert_documented(answer(cli, "compare", "h100", "h200"), section("A comparison"))


def test_cleaning_and_importing(cli: Cli) -> None:
    first, second = tables("Cleaning up and importing")
    assert_documented(answer(cli, "prune", "--failed", "--dry-run"), first)
    cli("results", "export", "-o", "all.json")
    assert_documented(answer(cli, "import", "all.json", "--db", "new.db"), second)
    assert_documented(answer(cli, "clear", "--yes"), first)


def test_winners(cli: Cli) -> None:
    document = json.loads(cli("results", "export", "--winners").out)
    assert len(document["winners"]) == 2
    assert_documented(document, section("The winners"))


@pytest.mark.parametrize(
    "title", ["Runs", "The best", "A comparison", "Cleaning up and importing"]
)
def test_formats_are_named(cli: Cli, title: str) -> None:
    found = {
        "Runs": answer(cli, "list"),
        "The best": answer(cli, "best"),
        "A comparison": answer(cli, "compare", "h100", "h200"),
        "Cleaning up and importing": answer(cli, "prune", "--failed", "--dry-run"),
    }
    assert f"`{found[title]['format']}`" in section(title)
