"""Wrong schedules: we name the line and the reason, and real MLIR refuses them too.

`data/refused/schedules.mlir` holds bodies of `@__transform_main(%root)`, two or more
for each op that only looks, cleans up or controls; all run over the same payload.
A comment `// error: words` stands before the line that is to blame.
"""

from __future__ import annotations

import pytest

from support.ir.snippets import Snippet, snippets_in
from support.mlir_opt import mlir_rejects, needs_mlir
from support.paths import DATA
from support.transforms.schedules import schedule_of
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule

PAYLOAD = """
func.func @f(%x: tensor<8x12xf32>, %y: tensor<12x8xf32>) -> tensor<8x8xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %fill = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mm = linalg.matmul ins(%x, %y : tensor<8x12xf32>, tensor<12x8xf32>)
      outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.exp ins(%mm : tensor<8x8xf32>)
      outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
"""

EACH = pytest.mark.parametrize(
    "snippet",
    snippets_in(DATA / "refused"),
    ids=lambda snippet: snippet.name,
)


def text_of(snippet: Snippet) -> str:
    schedule = schedule_of(*snippet.text.splitlines())
    return (
        f"module attributes {{transform.with_named_sequence}} {{\n{schedule}{PAYLOAD}}}"
    )


@pytest.mark.sampled(2)
@EACH
def test_the_line_and_the_reason(snippet: Snippet) -> None:
    head, marker, rest = snippet.text.partition("// error: ")
    assert marker, "nothing says what is wrong"
    words, _, after = rest.partition("\n")
    with pytest.raises(UserError) as caught:
        both = parse_module(text_of(snippet), "wrong.mlir", schedule_context())
        payload, schedule = Schedule.split(both)
        assert schedule is not None
        run_schedule(schedule.module, payload)
    error = caught.value
    assert words.strip() in error.fact
    assert error.place is not None and error.place.file == "wrong.mlir"
    assert error.place.text.strip() == after.splitlines()[0].strip()


@pytest.mark.sampled(12)
@needs_mlir
@EACH
def test_real_mlir_refuses_it_too(snippet: Snippet) -> None:
    assert mlir_rejects(text_of(snippet), "--transform-interpreter")
