"""Tables of evenly spaced numbers are computed from the numbers of the lanes."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.codegen.passes.buffers.count_lanes import count_lanes
from tilewright.ir.interpreter import run
from tilewright.ir.text import to_text
from tilewright.pipeline import parse_payload


def function(table: str, kind: str) -> str:
    return f"""
func.func @f() -> {kind} {{
  %t = arith.constant dense<{table}> : {kind}
  return %t : {kind}
}}
"""


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("[0, 1, 2, 3]", "vector<4xindex>"),
        ("[4, 6, 8, 10]", "vector<4xindex>"),
        ("[3, 2, 1, 0]", "vector<4xi32>"),
    ],
)
def test_even_tables_are_counted(table: str, kind: str) -> None:
    module = parse_payload(function(table, kind))
    counted = count_lanes(module)
    assert "vector.step" in to_text(counted)
    assert "vector.step" not in to_text(module), "the caller's module stays"
    (want,), (got,) = run(module, []), run(counted, [])
    assert (np.asarray(got) == np.asarray(want)).all()


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("[0, 1, 3, 4]", "vector<4xindex>"),
        ("7", "vector<4xindex>"),
        ("[[0, 1], [2, 3]]", "vector<2x2xindex>"),
        ("[0.0, 1.0]", "vector<2xf32>"),
    ],
)
def test_other_constants_stay(table: str, kind: str) -> None:
    module = parse_payload(function(table, kind))
    assert count_lanes(module) is module
