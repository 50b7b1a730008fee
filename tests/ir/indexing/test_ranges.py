"""The range of an index, from the loops and ops that compute it."""

from __future__ import annotations

import pytest
from xdsl.ir import SSAValue

from tilewright.ir.context import payload_context
from tilewright.ir.indexing.ranges import PROVEN, Ranges, linear_of
from tilewright.ir.text import parse_module

LOOPS = """\
func.func @f(%n: index, %t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c4 {
    scf.for %j = %c0 to %n step %c1 {
      %x = VALUE
    }
  }
  return
}
"""


def value(text: str) -> SSAValue:
    """The value that a text computes in two loops, %i = 0, 4, 8 and %j below %n."""
    payload = LOOPS.replace("VALUE", text)
    module = parse_module(payload, "ranges.mlir", payload_context())
    loops = [op for op in module.walk() if op.name == "scf.for"]
    body = loops[1].regions[0].block
    last = body.last_op
    assert last is not None and last.prev_op is not None
    return last.prev_op.results[0]


def mapped(expr: str, *operands: str, op: str = "affine.apply") -> str:
    dims = ", ".join(f"d{dim}" for dim in range(len(operands)))
    return f"{op} affine_map<({dims}) -> ({expr})>({', '.join(operands)})"


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        (mapped("d0 * 2 + 1", "%i"), 1, 17),
        (mapped("10 - d0", "%i"), 2, 10),
        (mapped("d0 - d1", "%n", "%j"), 1, None),
        (mapped("4, 10 - d0", "%i", op="affine.min"), 2, 4),
        (mapped("4, 10 - d0", "%i", op="affine.max"), 4, 10),
        (mapped("d0 floordiv 4", "%i"), 0, 2),
        (mapped("d0 mod 3", "%i"), 0, 2),
        (mapped("d0 - (d0 - d0 mod 8)", "%n"), 0, 7),
        (mapped("d0 - (d0 floordiv 8) * 8", "%n"), 0, 7),
        ("arith.addi %i, %c4 : index", 4, 12),
        ("arith.subi %c10, %i : index", 2, 10),
        ("arith.muli %i, %c4 : index", 0, 32),
        ("arith.muli %i, %i : index", 0, 64),
        ("arith.muli %i, %j : index", 0, None),
        ("arith.ceildivsi %i, %c4 : index", 0, 2),
        ("arith.minsi %i, %c4 : index", 0, 4),
        ("arith.maxsi %n, %c4 : index", 4, None),
        ("arith.addi %n, %c4 : index", None, None),
        ("tensor.dim %t, %c0 : tensor<?xf32>", 0, None),
    ],
)
def test_range(text: str, low: int | None, high: int | None) -> None:
    index = value(text)
    assert (PROVEN.lowest(index), PROVEN.highest(index)) == (low, high)


def test_narrow_integers_may_wrap_around() -> None:
    cast = "arith.index_cast %i : index to i8\n%s = arith.addi %x, %x : i8\n"
    index = value(f"{cast}%y = arith.index_cast %s : i8 to index")
    assert PROVEN.lowest(index) is None


def test_a_client_adds_what_it_knows() -> None:
    index = value("arith.addi %n, %c4 : index")
    assert Ranges(lambda _: (0, 100)).lowest(index) == 4
    assert Ranges(lambda _: (0, 100)).highest(index) == 104


def test_sums_and_products_become_one_form() -> None:
    form = linear_of(value(mapped("d0 * 3 - d1 + 2", "%i", "%j")))
    assert sorted(form.terms.values()) == [-1, 3]
    assert form.constant == 2
    assert linear_of(value("arith.subi %i, %i : index")).is_constant


def test_the_rest_of_a_peeled_loop() -> None:
    """A loop over the last n mod 64 of n elements takes at most 63 of them."""
    text = """\
func.func @f(%t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %end = affine.apply affine_map<()[s0] -> (s0 - s0 mod 64)>()[%n]
  scf.for %i = %end to %n step %c64 {
    %size = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%i)[%n]
  }
  return
}
"""
    module = parse_module(text, "ranges.mlir", payload_context())
    sizes = [op for op in module.walk() if op.name == "affine.apply"]
    size = sizes[1].results[0]
    assert (PROVEN.lowest(size), PROVEN.highest(size)) == (1, 63)
