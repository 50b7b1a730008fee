"""Small scripts, in the shape of upstream's own tests, by real MLIR and by us."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.small_scripts import FOLDER, differences, read_scripts

FILES = sorted(FOLDER.glob("*.mlir"))


@pytest.mark.sampled(40)
@needs_mlir
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_both_come_to_the_same_end(path: Path) -> None:
    assert not (found := differences(read_scripts(path))), "\n".join(found)
