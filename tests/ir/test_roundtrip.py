"""Every IR level: our print is stable, and real MLIR reads the same program in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.mlir_opt import mlir_opt_both, needs_mlir
from support.paths import DATA
from tilewright.ir.context import payload_context
from tilewright.ir.text import parse_module, to_text

LEVELS = sorted((DATA / "levels").glob("*.mlir"))

each_level = pytest.mark.parametrize("path", LEVELS, ids=lambda path: path.stem)


def our_print(text: str, name: str) -> str:
    return to_text(parse_module(text, name, payload_context()))


def test_there_are_level_files() -> None:
    assert len(LEVELS) >= 30


@pytest.mark.sampled(6)
@each_level
def test_print_parse_print_is_stable(path: Path) -> None:
    once = our_print(path.read_text(), str(path))
    assert our_print(once, "printed") == once


@pytest.mark.sampled(12)
@each_level
def test_generic_form_is_read_back(path: Path) -> None:
    module = parse_module(path.read_text(), str(path), payload_context())
    generic = to_text(module, generic=True)
    again = parse_module(generic, "generic", payload_context())
    assert to_text(again) == to_text(module)


@pytest.mark.sampled(6)
@each_level
@needs_mlir
def test_real_mlir_reads_the_same_program(path: Path) -> None:
    original = path.read_text()
    printed = our_print(original, str(path))
    left, right = mlir_opt_both(printed, original, "--canonicalize", "--cse")
    assert left == right
