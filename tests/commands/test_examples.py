"""`tilewright examples`: what comes with the package, and completion of its names."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.paths import EXAMPLES, ROOT
from tilewright.cli import completion
from tilewright.codegen.targets import TARGETS
from tilewright.commands.examples import SUFFIXES, descriptions
from tilewright.commands.opt.arguments import FORMS
from tilewright.tuning.search.strategies import STRATEGIES


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    return cli_in(tmp_path, monkeypatch, capsys)


def test_every_folder_is_listed_with_a_line(cli: Cli) -> None:
    folders = {path.name for path in EXAMPLES.iterdir() if path.is_dir()}
    assert set(descriptions()) == folders - {"__pycache__"}
    lines = cli("examples").out.splitlines()
    assert any(line.startswith("matmul_relu      the same three") for line in lines)


def test_an_example_is_copied_and_runs(cli: Cli, tmp_path: Path) -> None:
    cli("examples", "matmul_relu")
    copied = {path.name for path in (tmp_path / "matmul_relu").iterdir()}
    assert {"payload.mlir", "tile_fuse.tw", "README.md"} <= copied
    done = cli("opt", "matmul_relu/payload.mlir", "-s", "matmul_relu/tile_fuse.tw")
    assert "scf.forall" in done.out


def test_a_file_that_differs_is_not_replaced(cli: Cli) -> None:
    cli("examples", "matmul_relu", "-o", "mine")
    cli("examples", "matmul_relu", "-o", "mine")
    Path("mine/tile.tw").write_text("mine")
    Path("mine/tuned.tw").unlink()
    err = cli("examples", "matmul_relu", "-o", "mine", code=1).err
    assert "mine has other versions of tile.tw; copy to another folder" in err
    assert Path("mine/tile.tw").read_text() == "mine"
    assert not Path("mine/tuned.tw").exists(), "nothing is copied"


def test_a_wheel_has_every_file_of_the_examples() -> None:
    """Python files are in it as modules of a namespace package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = project["tool"]["setuptools"]["package-data"]["tilewright.examples"]
    packed = {path for pattern in patterns for path in EXAMPLES.glob(pattern)}
    for path in EXAMPLES.glob("*/*"):
        if path.suffix in SUFFIXES - {".py"}:
            assert path in packed, path


def test_values_are_completed() -> None:
    assert completion.emit_forms("") == list(FORMS)
    assert completion.emit_forms("tt") == ["ttir", "ttgir"]
    assert completion.target_names("") == list(TARGETS)
    assert completion.strategy_names("") == list(STRATEGIES)
    assert completion.example_names("mat") == ["matmul_relu"]


@pytest.mark.parametrize(
    "typed, offered",
    [
        ("opt --emit pt", ["ptx"]),
        ("run --target a", ["a100", "a40"]),
        ("examples thr", ["three_schedules"]),
        ("prof", ["profile"]),
    ],
)
def test_a_shell_is_answered(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, typed: str, offered: list[str]
) -> None:
    monkeypatch.setenv("_TILEWRIGHT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"tilewright {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    assert cli().out.split() == offered


def test_the_script_of_a_shell(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    # Typer asks for the shell among its parents; a machine may start tests without one.
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    assert "_TILEWRIGHT_COMPLETE=complete_bash" in cli("--show-completion", "bash").out
