"""Whole scripts, as an MLIR engineer writes them, through real MLIR and through us.

A script is a file of `data/scripts`, payload and schedule in one module, and runs
unchanged in both. Its head says how far it goes:

    // level: tensors       tiling, fusing, splitting: the very same program
    // level: buffers       vectors and buffers: the same numbers, and of each op that
                            costs time no more than real MLIR leaves
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fuzz.files import Outcome, run_file
from mlir_tools import mlir_opt, needs_mlir
from same_program import CLEAN, assert_same_program

SCRIPTS = sorted((Path(__file__).parent / "data" / "scripts").glob("*.mlir"))
EACH = pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)

COUNTED = (
    "scf.for ",
    "scf.forall ",
    "vector.contract",
    "vector.transfer_read",
    "vector.transfer_write",
    "vector.multi_reduction",
    "memref.alloc",
    "memref.copy",
    "linalg.",
)
"""What costs time in the end."""


def level(path: Path) -> str:
    found = re.search(r"^// level: (\w+)$", path.read_text(), re.MULTILINE)
    assert found is not None, f"{path.name} does not say how far it goes"
    return found[1]


def ours(path: Path) -> Outcome:
    """Run by us, with every check after every step."""
    return run_file(path.read_text(), path.name)


def by_real_mlir(path: Path) -> str:
    return mlir_opt(
        path.read_text(),
        "--transform-interpreter",
        "--test-transform-dialect-erase-schedule",
    )


@EACH
def test_every_step_keeps_the_numbers(path: Path) -> None:
    ran = ours(path)
    assert ran.refusal is None, str(ran.refusal)
    assert ran.steps > 0


@needs_mlir
@EACH
def test_real_mlir_gives_the_same(path: Path) -> None:
    ran, theirs = ours(path), by_real_mlir(path)
    if level(path) == "tensors":
        assert_same_program(ran.text, theirs)
        return
    left, right = (mlir_opt(text, *CLEAN) for text in (ran.text, theirs))
    more = {
        name: (left.count(name), right.count(name))
        for name in COUNTED
        if left.count(name) > right.count(name)
    }
    assert not more, f"ours has more of these (ours, theirs): {more}\n{left}\n{right}"
