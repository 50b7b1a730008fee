"""`recompute`: a copy of a producer in every loop that reads slices of it."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import EXAMPLES
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    for_loops,
    forall,
    match,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import UserError
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule

PAYLOAD = """\
func.func @f(%x: tensor<{n}xf32>) -> (tensor<{n}xf32>, tensor<{n}xf32>) {{
  %e = tensor.empty() : tensor<{n}xf32>
  %q = linalg.square ins(%x : tensor<{n}xf32>) outs(%e : tensor<{n}xf32>)
      -> tensor<{n}xf32>
  %p = linalg.exp ins(%q : tensor<{n}xf32>) outs(%e : tensor<{n}xf32>)
      -> tensor<{n}xf32>
  %a = linalg.abs ins(%p : tensor<{n}xf32>) outs(%e : tensor<{n}xf32>)
      -> tensor<{n}xf32>
  %b = linalg.add ins(%p, %p : tensor<{n}xf32>, tensor<{n}xf32>)
      outs(%e : tensor<{n}xf32>) -> tensor<{n}xf32>
  return %a, {result} : tensor<{n}xf32>, tensor<{n}xf32>
}}
"""
HANDLES = [match("%p", "linalg.exp"), match("%q", "linalg.square")]
LOOPS = [
    match("%a", "linalg.abs"),
    match("%b", "linalg.add"),
    for_loops("%ta, %la", "%a", "16"),
    forall("%tb, %lb", "%b", "8"),
]
RECOMPUTE = f"%c = transform.tilewright.recompute %p : ({OP}) -> {OP}"
BOTH = [
    f"%pq = transform.merge_handles %q, %p : {OP}",
    RECOMPUTE.replace("%p", "%pq"),
]


def payload(n: int = 64, result: str = "%b") -> str:
    return PAYLOAD.format(n=n, result=result)


def test_golden(golden) -> None:
    ran = transform(payload(), schedule_of(*HANDLES, *LOOPS, RECOMPUTE))
    assert ran.text.count("linalg.exp") == 2
    golden("transforms/recompute.mlir", ran.text)


@pytest.mark.parametrize("n", [1, 7, 64, 127])
@pytest.mark.parametrize("steps", [[RECOMPUTE], BOTH], ids=["one", "chain"])
def test_numbers(n: int, steps: list[str]) -> None:
    ran = transform(payload(n), schedule_of(*HANDLES, *LOOPS, *steps))
    assert_same_numbers(ran)


def test_a_chain_is_copied_consumers_first() -> None:
    """The square's slices are there only once the exponential has been copied."""
    ran = transform(payload(), schedule_of(*HANDLES, *LOOPS, *BOTH))
    assert ran.text.count("linalg.exp") == ran.text.count("linalg.square") == 2
    assert "tensor<64xf32>) outs(%e" not in ran.text


def test_the_original_stays_for_other_readers() -> None:
    ran = transform(
        payload(result="%p"),
        schedule_of(*HANDLES, match("%a", "linalg.abs"), LOOPS[2], RECOMPUTE),
    )
    assert ran.text.count("linalg.exp") == 2
    assert_same_numbers(ran)


def test_a_loop_that_reads_the_whole_result_gets_a_copy() -> None:
    """Tiles of whole rows add a vector, as those of a norm do."""
    text = """\
func.func @f(%x: tensor<8x64xf32>, %v: tensor<64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %p = linalg.exp ins(%v : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %o = tensor.empty() : tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %p : tensor<8x64xf32>, tensor<64xf32>) outs(%o : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
"""
    steps = [match("%p", "linalg.exp"), match("%a", "linalg.generic")]
    steps += [for_loops("%ta, %la", "%a", "2, 0"), RECOMPUTE]
    ran = transform(text, schedule_of(*steps))
    assert ran.text.index("scf.for") < ran.text.index("linalg.exp")
    assert_same_numbers(ran)


def test_a_second_application_copies_the_copies() -> None:
    inner = [for_loops("%ti, %li", "%ta", "4"), RECOMPUTE.replace("%p", "%c")]
    inner[1] = inner[1].replace("%c =", "%d =")
    steps = [*HANDLES, match("%a", "linalg.abs"), LOOPS[2], RECOMPUTE, *inner]
    ran = transform(payload(result="%a"), schedule_of(*steps))
    widths = [line.split()[-1] for line in ran.text.splitlines() if ".exp" in line]
    assert widths == ["tensor<64xf32>", "tensor<4xf32>"]
    assert_same_numbers(ran)


def test_the_result_has_all_copies() -> None:
    mark = f'transform.annotate %c "copy" : {OP}'
    ran = transform(payload(), schedule_of(*HANDLES, *LOOPS, RECOMPUTE, mark))
    lines = [line for line in ran.text.splitlines() if "copy" in line]
    assert len(lines) == 2 and all("linalg.exp" in line for line in lines)
    one = f"%d = transform.tilewright.pick %c at [0] : ({OP}) -> {OP}"
    mark = f'transform.annotate %d "first" : {OP}'
    ran = transform(payload(), schedule_of(*HANDLES, *LOOPS, RECOMPUTE, one, mark))
    (line,) = (line for line in ran.text.splitlines() if "first" in line)
    assert "tensor<16xf32>" in line


@needs_mlir
@pytest.mark.parametrize("steps", [[RECOMPUTE], BOTH], ids=["one", "chain"])
def test_real_mlir_accepts_the_result(steps: list[str]) -> None:
    ran = transform(payload(), schedule_of(*HANDLES, *LOOPS, *steps))
    assert mlir_opt(ran.text, "--canonicalize", "--cse").count("linalg.exp") == 2


def test_refusals_change_nothing() -> None:
    error = refusal(payload(), schedule_of(*HANDLES, RECOMPUTE))
    assert "no loop reads slices of the results of 'linalg.exp'; tile what" in str(
        error
    )
    empty = match("%p", "tensor.empty")
    error = refusal(payload(), schedule_of(empty, RECOMPUTE))
    assert "'tensor.empty' is not a structured op" in str(error)
    # The exponential is copied before its producer turns out to have no reader.
    both = [
        match("%p", "linalg.exp"),
        match("%x", "linalg.abs"),
        match("%b", "linalg.add"),
        for_loops("%tb, %lb", "%b", "8"),
        f"%pq = transform.merge_handles %x, %p : {OP}",
        BOTH[1],
    ]
    error = refusal(payload(), schedule_of(*both))
    assert "no loop reads slices of the results of 'linalg.abs'" in str(error)


def test_the_verb() -> None:
    """The example needs no second match by position."""
    schedule = Schedule.from_path(EXAMPLES / "rows" / "softmax_loops.tw")
    text = schedule.to_tw()
    assert "exponential = recompute exponential" in text
    assert Schedule.from_text(text).to_mlir() == schedule.to_mlir()
    short = (EXAMPLES / "payloads" / "softmax.mlir").read_text()
    softmax = parse_payload(short.replace("1024", "4096"))
    built = build(softmax, schedule, {"BN": 1024}, verify_steps=False)
    assert built.program.text.count("tl.exp") == 2
    used = text.replace("exponential = recompute", "again = recompute")
    with pytest.raises(UserError) as caught:
        Schedule.from_text(used.replace("\n}", '\n  annotate exponential "x"\n}', 1))
    assert "'exponential' was consumed by 'recompute'" in str(caught.value)
