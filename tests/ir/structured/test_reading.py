"""What `ir/structured` reads off an op: loops, reductions, contractions, products."""

from __future__ import annotations

import pytest
from xdsl.dialects.vector import CombiningKindFlag

from tilewright.ir.context import payload_context
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.ir.structured.bodies import captured_values, operand_behind, yielded
from tilewright.ir.structured.contractions import (
    ContractionLoops,
    contraction_dims,
    is_contraction,
    product_of,
)
from tilewright.ir.structured.loops import nest_of, writes_each_once
from tilewright.ir.structured.reductions import accumulation, reductions_of
from tilewright.ir.text import parse_module

MATMUL = """func.func @f(%a: tensor<2x4x8xf16>, %b: tensor<2x8x6xf16>,
    %o: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf16>, tensor<2x8x6xf16>)
      outs(%o : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %r : tensor<2x4x6xf32>
}"""


def generic(body: str) -> StructuredOp:
    """A reduction of the rows of a matrix, whose body yields `%y`."""
    return structured(f"""func.func @f(%x: tensor<4x8xf32>, %o: tensor<4xf32>,
    %s: f32) -> tensor<4xf32> {{
  %r = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  }} ins(%x : tensor<4x8xf32>) outs(%o : tensor<4xf32>) {{
  ^bb0(%in: f32, %acc: f32):
    {body}
    linalg.yield %y : f32
  }} -> tensor<4xf32>
  return %r : tensor<4xf32>
}}""")


def structured(text: str) -> StructuredOp:
    module = parse_module(text, "p.mlir", payload_context())
    return next(op for op in module.walk() if isinstance(op, StructuredOp))


def test_a_batch_of_products() -> None:
    op = structured(MATMUL)
    nest = nest_of(op)
    assert (nest.parallel, nest.reduced) == ((0, 1, 2), (3,))
    assert writes_each_once(nest, nest.output_maps[0])
    dims = contraction_dims(op)
    assert dims is not None
    assert (dims.batch, dims.m, dims.n, dims.k) == ([0], [1], [2], [3])
    assert is_contraction(op, "arith.mulf", "arith.addf")
    assert not is_contraction(op, "arith.muli", "arith.addi")
    product = product_of(op)
    assert product is not None
    assert (product.kind, product.factors) == (CombiningKindFlag.ADD, (0, 1))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("%y = arith.addf %in, %acc : f32", CombiningKindFlag.ADD),
        ("%y = arith.maxnumf %acc, %in : f32", CombiningKindFlag.MAXNUMF),
        ("%y = arith.subf %acc, %in : f32", None),
        ("%t = arith.addf %acc, %in : f32 %y = arith.addf %t, %acc : f32", None),
    ],
)
def test_how_an_output_is_reduced(body: str, kind: CombiningKindFlag | None) -> None:
    reductions = reductions_of(generic(body))
    assert (reductions and reductions[0].kind) == kind


def test_what_combines_need_not_be_in_the_table() -> None:
    op = generic("%y = arith.subf %acc, %in : f32")
    combiner = accumulation(op, 0)
    assert combiner is not None and combiner.name == "arith.subf"
    assert accumulation(op, 1) is None


def test_values_behind_conversions_and_from_outside() -> None:
    op = generic("%p = arith.mulf %in, %s : f32 %y = arith.addf %acc, %p : f32")
    assert [value.name_hint for value in captured_values(op)] == ["s"]
    assert not is_contraction(op, "arith.mulf", "arith.addf")
    assert operand_behind(op, op.body.block.args[1]) == 1
    assert operand_behind(op, yielded(op)[0]) is None


def test_loops_of_one_factor_alone_are_summed_and_not_inner() -> None:
    loops = ContractionLoops((0, 2, 3), (3, 1), (0, 1))
    assert (loops.rows, loops.columns, loops.batch) == ((0,), (1,), ())
    assert (loops.summed, loops.inner, loops.is_product) == ((2, 3), (3,), False)


def test_the_left_value_stands_for_both_sets() -> None:
    sets = DisjointSets[str]()
    sets.union_left("a", "b")
    sets.union_left("c", "b")
    assert [sets.find(value) for value in "abcd"] == ["c", "c", "c", "d"]
    assert list(sets) == ["a", "b", "c", "d"]


def test_a_copy_of_sets_is_joined_apart() -> None:
    sets = DisjointSets[str]()
    sets.union_left("a", "b")
    copy = sets.copy()
    copy.union_left("c", "a")
    assert [copy.find(value) for value in "abc"] == ["c", "c", "c"]
    assert [sets.find(value) for value in "ab"] == ["a", "a"]
