"""Split transfers compute the same numbers; `vector.type_cast` is verified.

The programs are compared with real MLIR's in `data/small/split_transfers.mlir`.
"""

from __future__ import annotations

import numpy as np
import pytest

from support.transforms.schedules import OP, Ran, match, schedule_of, transform
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import Options, run
from tilewright.ir.text import parse_module, to_text

PAYLOAD = """
func.func @f(%s: memref<5x?xf32>, %i: index, %j: index, %k: index) -> vector<2x4xf32> {
  %p = arith.constant 7.0 : f32
  %0 = vector.transfer_read %s[%i, %j], %p : memref<5x?xf32>, vector<2x4xf32>
  vector.transfer_write %0, %s[%k, %i] : vector<2x4xf32>, memref<5x?xf32>
  return %0 : vector<2x4xf32>
}
"""
STRATEGIES = ("vector-transfer", "linalg-copy")


def _split(strategy: str, times: int = 1, payload: str = PAYLOAD) -> Ran:
    group = "transform.apply_patterns.vector.split_transfer_full_partial"
    option = f'split_transfer_strategy = "{strategy}"'
    step = f"transform.apply_patterns to %f {{ {group} {option} }} : {OP}"
    return transform(payload, schedule_of(match("%f", "func.func"), *[step] * times))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("place", [(0, 0, 3), (1, 2, 2), (4, 1, 0), (3, 5, 4)])
def test_the_numbers_stay(strategy: str, place: tuple[int, int, int]) -> None:
    ran = _split(strategy)
    assert to_text(ran.module).count("scf.if") == 3
    buffers = [np.arange(30, dtype=np.float32).reshape(5, 6) for _ in range(2)]
    options = Options(poison_uninitialized=True)
    indices = [np.asarray(index) for index in place]
    want, got = (
        run(module, [buffer, *indices], options=options)
        for module, buffer in zip((ran.before, ran.module), buffers, strict=True)
    )
    np.testing.assert_array_equal(got[0], want[0])
    np.testing.assert_array_equal(buffers[1], buffers[0])


def _ops(ran: Ran) -> list[str]:
    return [op.name for op in ran.module.walk()]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_twice_is_as_once(strategy: str) -> None:
    once, twice = (sorted(_ops(_split(strategy, times))) for times in (1, 2))
    assert once == twice


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("source", ["tensor<5x?xf32>", "memref<5x?xf32>"])
def test_tensors_and_vectors_of_lower_rank_stay(strategy: str, source: str) -> None:
    lanes = "vector<2x4xf32>" if "tensor" in source else "vector<4xf32>"
    payload = f"""
    func.func @f(%s: {source}, %i: index) -> {lanes} {{
      %p = arith.constant 7.0 : f32
      %0 = vector.transfer_read %s[%i, %i], %p : {source}, {lanes}
      return %0 : {lanes}
    }}"""
    ran = _split(strategy, payload=payload)
    assert ran.text == to_text(ran.before)


def _cast(source: str, result: str) -> str:
    return f"""
    func.func @f(%m: {source}) -> {result} {{
      %0 = vector.type_cast %m : {source} to {result}
      return %0 : {result}
    }}"""


@pytest.mark.parametrize("source", ["memref<2x4xf32>", "memref<2xvector<4xf32>>"])
def test_a_type_cast_is_printed_as_it_is_read(source: str) -> None:
    text = _cast(source, "memref<vector<2x4xf32>>")
    printed = to_text(parse_module(text, "cast.mlir", payload_context()))
    assert f"vector.type_cast %m : {source} to memref<vector<2x4xf32>>" in printed


@pytest.mark.parametrize(
    ("source", "result", "why"),
    [
        ("memref<2x?xf32>", "memref<vector<2x4xf32>>", "statically shaped"),
        ("memref<2x4xf32>", "memref<vector<8xf32>>", "shapes to be equal"),
        ("memref<2x4xf32>", "memref<1xvector<2x4xf32>>", "shapes to be equal"),
        ("memref<2x4xf32>", "memref<vector<2x4xi32>>", "same underlying scalar"),
        ("memref<2x4xf32, 3>", "memref<vector<2x4xf32>>", "same memory space"),
        (
            "memref<2x4xf32, strided<[8, 1]>>",
            "memref<vector<2x4xf32>>",
            "identity layout",
        ),
    ],
)
def test_a_type_cast_is_refused(source: str, result: str, why: str) -> None:
    with pytest.raises(UserError, match=why):
        parse_module(_cast(source, result), "cast.mlir", payload_context())


def test_a_vector_of_more_dims_than_the_buffer_stays() -> None:
    payload = """
func.func @f(%s: memref<5xf32>, %i: index) -> vector<3x4xf32> {
  %p = arith.constant 7.0 : f32
  %0 = vector.transfer_read %s[%i], %p
    {permutation_map = affine_map<(d0) -> (0, d0)>} : memref<5xf32>, vector<3x4xf32>
  return %0 : vector<3x4xf32>
}
"""
    ran = _split("vector-transfer", payload=payload)
    assert _ops(ran) == [op.name for op in ran.before.walk()]


@pytest.mark.parametrize("place", [(0, 0, 3), (1, 2, 2), (4, 1, 0), (3, 5, 4)])
def test_loops_over_rows_in_memory_keep_the_numbers(
    place: tuple[int, int, int],
) -> None:
    group = "transform.apply_patterns.vector.transfer_to_scf full_unroll = false"
    step = f"transform.apply_patterns to %f {{ {group} }} : {OP}"
    ran = transform(PAYLOAD, schedule_of(match("%f", "func.func"), step))
    assert _ops(ran).count("scf.for") == 2
    buffers = [np.arange(30, dtype=np.float32).reshape(5, 6) for _ in range(2)]
    options = Options(poison_uninitialized=True)
    indices = [np.asarray(index) for index in place]
    want, got = (
        run(module, [buffer, *indices], options=options)
        for module, buffer in zip((ran.before, ran.module), buffers, strict=True)
    )
    np.testing.assert_array_equal(got[0], want[0])
    np.testing.assert_array_equal(buffers[1], buffers[0])
