"""The table of element types agrees with the libraries, and is the only one."""

from __future__ import annotations

import ml_dtypes
import pytest
import torch
import triton.language as tl

from support.paths import ROOT
from tilewright.codegen.artefact.loader.arrays import TYPES
from tilewright.ir.element_types import ELEMENT_TYPES, ElementType

FOLDERS = (
    *("ir", "frontend", "transforms", "schedules", "planning", "codegen", "tuning"),
    *("torch_backend", "explorer", "tilewright"),
)

OTHER_TABLES = (
    # Rates of each device by element type, from data sheets.
    "codegen/targets",
    # What a device is calibrated by: shapes and element types.
    "tuning/calibrating/works.py",
    # Copied into artefacts, where the compiler is missing; compared below.
    "codegen/artefact/loader/arrays.py",
)

FP8 = [row for row in ELEMENT_TYPES if row.is_fp8]


def test_no_other_file_names_the_fp8_formats() -> None:
    """A format that is named in one place shows that a new one is one new row."""
    names = {
        name.lower() for row in FP8 for name in (row.name, row.torch, row.triton)
    } | {f"Float{row.name[1:]}Type".lower() for row in FP8}
    found: list[str] = []
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            place = str(path.relative_to(ROOT))
            if place == "ir/element_types.py" or place.startswith(OTHER_TABLES):
                continue
            code = _code(path.read_text())
            found += [f"{place}: {name}" for name in names if name in code]
    assert found == []


def _code(text: str) -> str:
    """A file without its docstring, in lower case."""
    head, quotes, rest = text.partition('"""')
    return (head + rest.partition('"""')[2] if quotes else text).lower()


@pytest.mark.parametrize("row", ELEMENT_TYPES, ids=lambda row: row.name)
def test_a_row_agrees_with_the_libraries(row: ElementType) -> None:
    kind = getattr(torch, row.torch)
    assert kind.itemsize == row.byte_width == row.numpy.itemsize
    assert kind.is_floating_point == row.is_float
    bits = 1 if row.name == "i1" else 8 * row.byte_width
    assert getattr(tl, row.triton).primitive_bitwidth == bits
    if row.float_format is not None:
        limits = ml_dtypes.finfo(row.numpy)
        assert row.float_format.epsilon == float(limits.eps)
        assert row.float_format.largest == float(limits.max)
        assert row.float_format.smallest_normal == float(limits.smallest_normal)
        is_infinite = torch.tensor(float("inf")).to(kind).float().isinf().item()
        assert row.float_format.has_infinity == is_infinite


def test_artefacts_know_the_same_types() -> None:
    ours = {row.name: (f"torch.{row.torch}", row.byte_width) for row in ELEMENT_TYPES}
    theirs = {
        name: (torch_name, pack[1] // 8)
        for name, (torch_name, _, pack) in TYPES.items()
    }
    assert theirs == ours
