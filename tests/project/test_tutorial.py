"""The tutorial and other pages: every command runs, and prints what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from support.paths import BENCHMARKS, DOCS, EXAMPLES
from support.project.console_blocks import Command, File, actions, agrees, follow
from support.sampling import mostly_slow

TUTORIAL = (DOCS / "tutorial.md").read_text("utf-8")
ACTIONS = actions(TUTORIAL)
ON_A_GPU = (
    "tilewright tune",
    "cat best.tw",
    "tilewright opt layer.mlir -s best.tw",
    "cat kernel.py",
    "python call.py",
    "tilewright run layer.mlir",
)
"""Commands that may print something else on a machine with a GPU: it measures."""
PAGES = sorted(
    path
    for path in DOCS.glob("**/*.md")
    if "```console" in path.read_text("utf-8") and path.name != "tutorial.md"
)
LONG_PAGES = (
    "attention",
    "codegen",
    "explain",
    "my_kernel_is_slow",
    "python_tuning",
    "quantize_matmul",
    "structure",
    "tune_a_structure",
    "warps",
)
QUICK_PAGES = [path for path in PAGES if path.stem not in LONG_PAGES]


@pytest.mark.slow
def test_every_command_of_the_tutorial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    not_compared = ON_A_GPU if torch.cuda.is_available() else ()
    follow(TUTORIAL, tmp_path, monkeypatch, not_compared)


def test_the_tutorial_has_files_and_commands() -> None:
    names = [action.name for action in ACTIONS if isinstance(action, File)]
    assert names == [
        *("layer.py", "first.tw", "wrong.tw", "tuned.tw", "call.py", "in_python.py"),
        *("whole.tw", "short.tw"),
    ]
    lines = [action.line for action in ACTIONS if isinstance(action, Command)]
    assert len(lines) == TUTORIAL.count("\n$ ") >= 12


@pytest.mark.parametrize(
    "page", mostly_slow(PAGES, QUICK_PAGES), ids=lambda path: path.stem
)
def test_every_command_of_other_pages(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are given in the folder of the repository."""
    (tmp_path / "examples").symlink_to(EXAMPLES)
    (tmp_path / "benchmarks").symlink_to(BENCHMARKS)
    follow(page.read_text("utf-8"), tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a 0.5 s\n", "a 12.25 s\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nb\nc\n", False),
        ("BM = 32\n", "BM = 64\n", False),
        ("", "a warning\n", False),
    ],
)
def test_an_output_that_differs_is_noticed(
    shown: str, printed: str, same: bool
) -> None:
    assert agrees(shown, printed) is same
