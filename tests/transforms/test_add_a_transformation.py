"""The transformation that docs/architecture.md adds works as the page says."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from textwrap import dedent
from types import ModuleType

import pytest

from support.paths import DOCS
from support.transforms.schedules import (
    assert_same_numbers,
    match,
    parse_payload,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.text import to_text
from tilewright.schedules.schedule import Schedule
from tilewright.transforms import table
from tilewright.transforms.interpreter import run_schedule

PAGE = (DOCS / "architecture.md").read_text()

PAYLOAD = """
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
    -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""

SWAP = (
    "%s = transform.structured.swap_inputs %x "
    ": (!transform.any_op) -> !transform.any_op"
)


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file and the line of the table, as the page has them."""
    code = re.search(r"^   ```python\n(.*?)^   ```$", PAGE, re.M | re.S)
    line = re.search(r'^ +"(structured\.swap_inputs)": "(.*)",$', PAGE, re.M)
    assert code is not None and line is not None
    module_name = f"tilewright.transforms.{line[2].rpartition('.')[0]}"
    module = ModuleType(module_name)
    monkeypatch.setitem(sys.modules, module_name, module)
    exec(compile(dedent(code[1]), module_name, "exec"), vars(module))
    assert isinstance(table.HOMES, dict)
    monkeypatch.setitem(table.HOMES, line[1], line[2])
    table.transform_op.cache_clear()
    yield
    table.transform_op.cache_clear()


def test_it_rewrites_and_the_numbers_stay() -> None:
    ran = transform(PAYLOAD, schedule_of(match("%x", "linalg.add"), SWAP))
    assert "linalg.add ins(%b, %a" in to_text(ran.module)
    assert_same_numbers(ran)


def test_it_refuses_and_changes_nothing() -> None:
    error = refusal(PAYLOAD, schedule_of(match("%x", "tensor.empty"), SWAP))
    assert error.fact == "swap_inputs: 'tensor.empty' does not commute"


def test_it_is_a_statement_of_the_language() -> None:
    statement = re.search(r"`(swapped = structured\.swap_inputs sum)`", PAGE)
    assert statement is not None
    text = f"""schedule swap(root) {{
      sum = match "linalg.add" in root
      {statement[1]}
    }}"""
    schedule = Schedule.from_text(text, "swap.tw")
    payload = parse_payload(PAYLOAD)
    run_schedule(schedule.module, payload)
    assert "linalg.add ins(%b, %a" in to_text(payload)
