"""merge_chains: one op for a chain of element-wise ops."""

from __future__ import annotations

import numpy as np

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.interpreter import run
from tilewright.pipeline import parse_payload
from tilewright.transforms.structured.fuse.merge_chains import merge_chains

ROWS = "affine_map<(i, j) -> (i, j)>"
COLUMN = "affine_map<(i, j) -> (j)>"


def op(
    result: str, operands: str, maps: str, kinds: str, body: str, made: str = "f32"
) -> str:
    """An element-wise op on 3x4 tensors; `operands` are names."""
    names = [name.strip() for name in operands.split(",")]
    types = kinds.split(",")
    arguments = ", ".join(
        f"%a{i}: {kind.split('x')[-1].rstrip('>')}" for i, kind in enumerate(types)
    )
    return f"""
  %e_{result[1:]} = tensor.empty() : tensor<3x4x{made}>
  {result} = linalg.generic {{indexing_maps = [{maps}, {ROWS}],
      iterator_types = ["parallel", "parallel"]}}
      ins({", ".join(names)} : {kinds}) outs(%e_{result[1:]} : tensor<3x4x{made}>) {{
    ^bb0({arguments}, %o: {made}):
      {body}
  }} -> tensor<3x4x{made}>"""


WIDE, NARROW = "tensor<3x4xf32>", "tensor<4xf16>"
ADD = "%r = arith.addf %a0, %a1 : f32 linalg.yield %r : f32"
EXP = "%r = math.exp %a0 : f32 linalg.yield %r : f32"


def payload(*ops: str, results: str) -> str:
    count = len(results.split(","))
    types = ", ".join([WIDE] * count)
    return (
        f"func.func @f(%x: {WIDE}, %y: {WIDE}, %b: {NARROW}) -> ({types}) {{"
        + "".join(ops)
        + f"\n  return {results} : {types}\n}}\n"
    )


def merged(text: str) -> list[StructuredOp]:
    """The ops that are left; the numbers stay."""
    random = np.random.default_rng(0)
    given = [random.random(shape, np.float32) for shape in ((3, 4), (3, 4), (4,))]
    given[2] = given[2].astype(np.float16)
    before, module = parse_payload(text), parse_payload(text)
    merge_chains(module)
    module.verify()
    for wanted, found in zip(run(before, given), run(module, given), strict=True):
        np.testing.assert_array_equal(wanted, found)
    return [op for op in module.walk() if isinstance(op, StructuredOp)]


def two(result: str, operands: str) -> str:
    return op(result, operands, f"{ROWS}, {ROWS}", f"{WIDE}, {WIDE}", ADD)


def one(result: str, operand: str) -> str:
    return op(result, operand, ROWS, WIDE, EXP)


def test_a_chain_is_one_op_that_reads_each_tensor_once() -> None:
    text = payload(
        two("%a", "%x, %y"), one("%c", "%a"), two("%d", "%c, %x"), results="%d"
    )
    (left,) = merged(text)
    assert len(left.inputs) == 2


def test_a_result_with_two_readers_is_computed_once() -> None:
    text = payload(
        two("%a", "%x, %y"), one("%c", "%a"), one("%d", "%a"), results="%c, %d"
    )
    assert len(merged(text)) == 3


def test_widenings_are_computed_by_each_reader() -> None:
    widen = """
  %e_w = tensor.empty() : tensor<4xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%b : tensor<4xf16>)
      outs(%e_w : tensor<4xf32>) {
    ^bb0(%a0: f16, %o: f32):
      %r = arith.extf %a0 : f16 to f32 linalg.yield %r : f32
  } -> tensor<4xf32>"""
    biased = [
        op(name, f"{x}, %w", f"{ROWS}, {COLUMN}", f"{WIDE}, tensor<4xf32>", ADD)
        for name, x in (("%a", "%x"), ("%c", "%y"))
    ]
    left = merged(payload(widen, *biased, results="%a, %c"))
    assert len(left) == 2
    assert all(one.inputs[1].type == left[0].inputs[1].type for one in left)


def test_what_reads_a_reduction_stays() -> None:
    total = f"""
  %z = arith.constant 0.0 : f32
  %e_s = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e_s : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {{indexing_maps = [{ROWS}, {COLUMN}],
      iterator_types = ["reduction", "parallel"]}}
      ins(%x : {WIDE}) outs(%f : tensor<4xf32>) {{
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32 linalg.yield %r : f32
  }} -> tensor<4xf32>"""
    add = op("%a", "%y, %s", f"{ROWS}, {COLUMN}", f"{WIDE}, tensor<4xf32>", ADD)
    left = merged(payload(total, add, one("%c", "%a"), one("%d", "%c"), results="%d"))
    assert [len(each.inputs) for each in left[-2:]] == [2, 1]
    assert len(left) == 4


def test_a_chain_ends_where_others_read_it_instead_of_its_widening() -> None:
    half = "tensor<3x4xf16>"
    narrow = op(
        "%p",
        "%x",
        f"{ROWS}",
        WIDE,
        "%r = arith.truncf %a0 : f32 to f16 linalg.yield %r : f16",
        made="f16",
    )
    widen = op(
        "%w", "%p", ROWS, half, "%r = arith.extf %a0 : f16 to f32 linalg.yield %r : f32"
    )
    left = merged(payload(narrow, widen, one("%a", "%w"), results="%w, %a"))
    assert [len(each.inputs) for each in left] == [1, 1, 1]
    assert [each.inputs[0].owner for each in left[1:]] == [left[0], left[0]]
