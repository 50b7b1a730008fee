"""one_shot_bufferize, op by op: numbers, and no more buffers than real MLIR makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt_both, needs_mlir
from support.random_programs.tensor_programs import (
    BRANCHES,
    CALLS,
    ELEMENTS,
    VIEWS,
    Program,
)
from support.transforms.bufferize_cases import (
    CASES,
    K,
    V,
    counts,
    not_written,
)
from support.transforms.same_program import CLEAN
from support.transforms.schedules import (
    BUFFERIZE,
    assert_same_numbers,
    by_real_mlir,
    each_by_real_mlir,
    evaluate,
    inputs_of,
    parse_payload,
    schedule_of,
    transform,
)
from tilewright.ir.interpreter import run
from tilewright.ir.text import to_text


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", CASES)
def test_numbers_and_buffers(name) -> None:
    payload, expected = CASES[name]
    ran = transform(payload, schedule_of(BUFFERIZE))
    assert "tensor" not in ran.text
    assert counts(ran.text) == expected
    assert_same_numbers(ran)
    assert to_text(parse_payload(ran.text)) == ran.text


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", CASES)
def test_no_more_buffers_than_real_mlir(name) -> None:
    payload, _ = CASES[name]
    ran = transform(payload, schedule_of(BUFFERIZE))
    real = by_real_mlir(not_written(payload), schedule_of(BUFFERIZE))
    ours, theirs = mlir_opt_both(ran.text, real, *CLEAN)
    assert counts(ours) == counts(theirs)


@pytest.mark.slow
@given(st.integers(0, 2**32))
@settings(max_examples=examples(25), deadline=None)
def test_random_programs_of_everything(seed: int) -> None:
    program = Program(seed, *VIEWS, *ELEMENTS, *BRANCHES, *CALLS)
    assert_same_numbers(transform(program.text(), schedule_of(BUFFERIZE)), each=False)


# Not in these: grids, of which real MLIR lets iterations read what others write; two
# loop results in one buffer; `index_switch`, whose results it takes for new buffers.
@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize(
    "more", [(), VIEWS, ELEMENTS, ("if", "execute")], ids=lambda m: "_".join(m[:2])
)
def test_real_mlir_decides_the_same(more) -> None:
    """Whether each operand of random programs is in place."""
    texts = [Program(seed, *more, loops=("for",)).text() for seed in range(12)]
    schedule = schedule_of(ANALYZE)
    real = each_by_real_mlir([not_written(text) for text in texts], schedule)
    for text, theirs in zip(texts, real, strict=True):
        assert decisions(transform(text, schedule).text) == decisions(theirs), text


ANALYZE = BUFFERIZE.replace("{bufferize", "{test_analysis_only = true, bufferize")


def decisions(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for op in parse_payload(text).walk():
        decided = op.attributes.get("__inplace_operands_attr__")
        if decided is not None:
            found.append((op.name, str(decided)))
    return found


def test_two_results_in_one_buffer_are_not_written_apart() -> None:
    """Real MLIR lets both results of the loop be one buffer, and writes one of them."""
    payload = f"""\
func.func @f(%a: {V}, %b: {V}) -> ({V}, {V}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %l:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> ({V}, {V}) {{
    %e = tensor.empty() : {V}
    %z = linalg.add ins(%x, %y : {V}, {V}) outs(%e : {V}) -> {V}
    scf.yield %z, %z : {V}, {V}
  }}
  %w = tensor.insert %one into %l#0[%c1] : {V}
  return %w, %l#1 : {V}, {V}
}}
"""
    ran = transform(payload, schedule_of(BUFFERIZE))
    assert_same_numbers(ran)
    inputs = inputs_of(ran.before)
    first, second = evaluate(ran.module, inputs)
    assert not np.shares_memory(first, second)


def test_a_constant_that_a_loop_yields_is_not_written() -> None:
    payload = f"""\
func.func @f(%a: {K}) -> ({K}, {K}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> ({K}) {{
    %k = arith.constant dense<[2.0, 3.0, 4.0, 5.0]> : {K}
    scf.yield %k : {K}
  }}
  %w = tensor.insert %one into %l[%c1] : {K}
  %k = arith.constant dense<[2.0, 3.0, 4.0, 5.0]> : {K}
  return %w, %k : {K}, {K}
}}
"""
    assert_same_numbers(transform(payload, schedule_of(BUFFERIZE)))


GATHER_UNDER_A_MASK = """\
func.func @f(%x: tensor<5xf32>, %at: vector<3xindex>, %m: vector<3xi1>,
             %n: vector<3xi1>, %p: vector<3xf32>) -> vector<3xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.mask %n { vector.gather %x[%c0] [%at], %m, %p : tensor<5xf32>,
    vector<3xindex>, vector<3xi1>, vector<3xf32> into vector<3xf32> }
    : vector<3xi1> -> vector<3xf32>
  return %v : vector<3xf32>
}
"""


READ_THAT_PASSES_THROUGH = """\
func.func @f(%x: tensor<3xf32>, %n: vector<3xi1>, %p: vector<3xf32>) -> vector<3xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 7.0 : f32
  %v = vector.mask %n, %p { vector.transfer_read %x[%c0], %pad {in_bounds = [true]}
    : tensor<3xf32>, vector<3xf32> } : vector<3xi1> -> vector<3xf32>
  return %v : vector<3xf32>
}
"""


@pytest.mark.parametrize("text", [GATHER_UNDER_A_MASK, READ_THAT_PASSES_THROUGH])
def test_accesses_under_masks_keep_their_numbers(text: str) -> None:
    ran = transform(text, schedule_of(BUFFERIZE))
    x, at = np.arange(1, 6, dtype=np.float32), np.array([4, 0, 0])
    on, passed = np.array([True, False, True]), -np.arange(1, 4, dtype=np.float32)
    inputs: list[Any] = [x[:3], on, passed]
    if text is GATHER_UNDER_A_MASK:
        inputs = [x, at, np.array([True, True, False]), on, passed]
    before, after = (run(module, inputs) for module in (ran.before, ran.module))
    np.testing.assert_array_equal(before, after)
    assert "vector.mask" not in ran.text and "tensor<" not in ran.text
