"""structured.pack, pack_greedily, pack_transpose, lower_pack and lower_unpack.

The small scripts of `data/small/pack.mlir` compare them with real MLIR.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.transforms.payloads import matmul
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    match,
    parse_payload,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.text import to_text
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import run_schedule

LOWER = (
    match("%packs", "linalg.pack"),
    f"%lp, %le, %lt = transform.structured.lower_pack %packs : ({OP}) -> ({OP}, {OP}, "
    f"{OP})",
    match("%unpacks", "linalg.unpack"),
    f"%ue, %ut, %uc, %us = transform.structured.lower_unpack %unpacks : ({OP}) -> "
    f"({OP}, {OP}, {OP}, {OP})",
)


def pack(sizes: object, op: str = "linalg.matmul") -> tuple[str, str]:
    return (
        match("%h", op),
        f"%p = transform.structured.pack %h packed_sizes = {sizes} : ({OP}) -> {OP}",
    )


def greedily(sizes: object, order: object, more: str = "") -> tuple[str, str]:
    return (
        match("%h", "linalg.matmul"),
        f"%p = transform.structured.pack_greedily %h matmul_packed_sizes = {sizes} "
        f"{more} matmul_inner_dims_order = {order} : ({OP}) -> {OP}",
    )


@pytest.mark.parametrize("lowered", [False, True])
def test_golden(golden, lowered) -> None:
    steps = (*pack([4, 0, 3]), *(LOWER if lowered else ()))
    name = "pack_lowered" if lowered else "pack"
    golden(
        f"transforms/{name}.mlir", transform(matmul(10, 4, 6), schedule_of(*steps)).text
    )


@settings(max_examples=examples(12), deadline=None)
@given(
    sizes=st.tuples(*[st.integers(1, 9)] * 3),
    tiles=st.tuples(*[st.integers(0, 6)] * 3),
    lowered=st.booleans(),
)
def test_any_sizes_and_tiles(sizes, tiles, lowered) -> None:
    steps = (*pack(list(tiles)), *(LOWER if lowered else ()))
    assert_same_numbers(transform(matmul(*sizes), schedule_of(*steps)), reduction=9)


@settings(max_examples=examples(12), deadline=None)
@given(
    sizes=st.tuples(*[st.integers(1, 9)] * 3),
    tiles=st.tuples(*[st.integers(0, 4)] * 3),
    order=st.permutations(range(3)),
    multiples=st.tuples(*[st.integers(0, 4)] * 3),
    inner=st.booleans(),
)
def test_any_order_and_transposition(sizes, tiles, order, multiples, inner) -> None:
    multiples = [
        0 if tile else multiple for tile, multiple in zip(tiles, multiples, strict=True)
    ]
    more = f"matmul_padded_sizes_next_multiple_of = {multiples}"
    steps = [*greedily(list(tiles), order, more)]
    cut = [a or b for a, b in zip(tiles, multiples, strict=True)]
    if cut[0] and cut[1]:
        orders = "outer_perm = [1, 0]" + (" inner_perm = [1, 0]" if inner else "")
        steps += [
            f"%u = transform.get_consumers_of_result %p[0] : ({OP}) -> {OP}",
            f"%a, %b, %c = transform.structured.pack_transpose %u with_compute_op(%p) "
            f"{orders} : ({OP}, {OP}) -> ({OP}, {OP}, {OP})",
        ]
    ran = transform(matmul(*sizes), schedule_of(*steps))
    assert_same_numbers(ran, reduction=9)


def test_a_packed_op_can_be_packed_again() -> None:
    again = (
        "%q = transform.structured.pack %p packed_sizes = [2, 0, 0, 0, 2, 0] "
        f": ({OP}) -> {OP}"
    )
    ran = transform(matmul(10, 6, 7), schedule_of(*pack([2, 3, 4]), again))
    assert_same_numbers(ran, reduction=7)


INDEX = """\
func.func @f(%o: tensor<7xi64>) -> tensor<7xi64> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
  } outs(%o : tensor<7xi64>) {
  ^bb0(%a: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<7xi64>
  return %r : tensor<7xi64>
}
"""


def test_an_index_counts_elements_and_not_tiles() -> None:
    assert_same_numbers(transform(INDEX, schedule_of(*pack([4], "linalg.generic"))))


MAXIMUM = """\
func.func @f(%x: tensor<3x7xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<3x7xf32>)
    outs(%o : tensor<3xf32>) dimensions = [1]
  return %r : tensor<3xf32>
}
"""


def test_zeros_must_not_change_a_reduction() -> None:
    error = refusal(MAXIMUM, schedule_of(*pack([0, 4], "linalg.reduce")))
    assert "filled with zeros, which would change result 0" in error.fact
    ran = transform(MAXIMUM, schedule_of(*pack([0, 7], "linalg.reduce")))
    assert_same_numbers(ran)


def test_a_size_for_each_loop() -> None:
    error = refusal(matmul(8, 4, 6), schedule_of(*pack([4, 4])))
    assert error.fact == "pack: there are 2 sizes for 3 loops"


def test_it_has_a_verb_and_takes_parameters() -> None:
    text = """schedule pack(root) {
      BM = 4
      mm = match "linalg.matmul" in root
      mm = pack mm by [BM, 0, 3]
    }"""
    payload = parse_payload(matmul(8, 4, 6))
    run_schedule(Schedule.from_text(text, "pack.tw").module, payload)
    assert "inner_tiles = [4, 3]" in to_text(payload)
