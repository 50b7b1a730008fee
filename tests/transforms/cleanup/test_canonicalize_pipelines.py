"""Our canonicalization against real MLIR's, on what schedules leave behind.

Each step of a schedule without clean-ups gives a payload. Ours is canonicalized by us
alone, real MLIR canonicalizes the same text, and nothing may differ but the order of
ops without effects. What ours does further is left out here.
"""

from __future__ import annotations

import difflib

import pytest

from support.mlir_opt import mlir_opt_each, needs_mlir
from support.transforms.canonicalized import canonicalized, parse_payload, whole_form
from support.transforms.payloads import linear
from support.transforms.schedules import (
    BUFFERIZE,
    for_loops,
    forall,
    fuse,
    match,
    patterns,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.ir.text import to_text

BLOCKS = "#gpu.block<y>, #gpu.block<x>"
TILE = (
    match("%mm", "linalg.matmul"),
    match("%fill", "linalg.fill"),
    match("%tail", "linalg.generic"),
    forall("%t, %g", "%tail", "16, 32", BLOCKS),
    fuse("%m, %g1", "%mm", "%g"),
    fuse("%f, %g2", "%fill", "%g1"),
    for_loops("%m1, %k", "%m", "0, 0, 8"),
)
VECTORIZE = (
    vectorize("%m1", "16, 32, 8"),
    vectorize("%f", "16, 32"),
    vectorize("%t", "16, 32"),
)
SIZES = {
    "dividing": (64, 64, 16),
    "ragged": (50, 68, 26),
    "one_tile": (16, 32, 8),
    "small": (7, 20, 3),
    "rows_of_one": (1, 64, 16),
}


def steps(size: str, *body: str) -> list[tuple[str, str]]:
    """The payload after each step, by name."""
    ran = transform(linear(*SIZES[size], "f32", True), schedule_of(*body))
    return [(dump.step, dump.text) for dump in ran.dumps]


def compare(dumps: list[tuple[str, str]]) -> None:
    ours = [
        to_text(canonicalized(parse_payload(text), further=False)) for _, text in dumps
    ]
    printed = mlir_opt_each(ours)
    theirs = mlir_opt_each([text for _, text in dumps], "--canonicalize")
    for (step, text), mine, real in zip(dumps, printed, theirs, strict=True):
        assert mine is not None and real is not None, f"{step}: refused\n{text}"
        left, right = whole_form(mine), whole_form(real)
        if left != right:
            diff = difflib.unified_diff(
                right.splitlines(), left.splitlines(), "real MLIR", "ours", lineterm=""
            )
            pytest.fail(f"after {step} the programs differ:\n" + "\n".join(diff))


@pytest.mark.sampled(20)
@needs_mlir
@pytest.mark.parametrize("size", SIZES)
def test_tiled(size) -> None:
    compare(steps(size, *TILE))


@pytest.mark.sampled(12)
@needs_mlir
# On smaller tiles real MLIR puts a cast under a mask, and refuses what it has made.
@pytest.mark.sampled(20)
@pytest.mark.parametrize("size", ["dividing", "one_tile", "ragged"])
def test_vectorized(size) -> None:
    compare(steps(size, *TILE, *VECTORIZE)[-3:])


@pytest.mark.sampled(20)
@needs_mlir
@pytest.mark.parametrize("size", SIZES)
def test_bufferized(size) -> None:
    compare(steps(size, *TILE, BUFFERIZE)[-1:])


@pytest.mark.sampled(20)
@needs_mlir
@pytest.mark.parametrize("size", SIZES)
def test_vectorized_and_bufferized(size) -> None:
    masks = patterns("vector.lower_masked_transfers")
    compare(steps(size, *TILE, *VECTORIZE, masks, BUFFERIZE)[-2:])


DYNAMIC = """\
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""  # noqa: E501


@pytest.mark.slow
@needs_mlir
def test_dynamic_shapes() -> None:
    mm = match("%mm", "linalg.matmul")
    body = (
        mm,
        forall("%t, %g", "%mm", "16, 32", BLOCKS),
        for_loops("%m1, %k", "%t", "0, 0, 8"),
        vectorize("%m1", "16, 32, 8"),
    )
    ran = transform(DYNAMIC, schedule_of(*body))
    compare([(dump.step, dump.text) for dump in ran.dumps])
