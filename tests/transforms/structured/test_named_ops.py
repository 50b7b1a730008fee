"""Named structured ops go through the transformations as generic ones do."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from support.ir.linalg_ops import one_op, tensor
from support.mlir_opt import needs_mlir
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    BUFFERIZE,
    OP,
    assert_same_numbers,
    by_real_mlir,
    for_loops,
    forall,
    match,
    patterns,
    schedule_of,
    transform,
    vectorize,
)


@dataclass(frozen=True)
class Case:
    """An op, the tile of its parallel loops, of its reductions, and vector sizes."""

    payload: str
    op: str
    grid: str
    reductions: str
    sizes: str


def case(
    op: str,
    shapes: list[tuple[int, ...]],
    grid: str,
    reductions: str,
    sizes: str,
    before: str = "",
    after: str = "",
) -> Case:
    types = [tensor(shape, "f32") for shape in shapes]
    payload = one_op(op, types[:-1], types[-1], before, after)
    return Case(payload, op.split()[0], grid, reductions, sizes)


SWAPPED = ", ".join(
    f"affine_map<(d0, d1) -> ({results})>" for results in ("d1, d0", "d0", "d0, d1")
)
CONTRACTED = ", ".join(
    f"affine_map<(d0, d1, d2) -> ({results})>"
    for results in ("d2, d0", "d1, d2", "d1, d0")
)
CASES = {
    "add": case("linalg.add", [(20, 12)] * 3, "8, 8", "0, 0", "8, 8"),
    "tanh": case("linalg.tanh", [(20, 12)] * 2, "8, 8", "0, 0", "8, 8"),
    "copy": case("linalg.copy", [(20, 12)] * 2, "8, 8", "0, 0", "8, 8"),
    "elementwise": case(
        "linalg.elementwise",
        [(12, 20), (20,), (20, 12)],
        "8, 8",
        "0, 0",
        "8, 8",
        f"kind=#linalg.elementwise_kind<mul> indexing_maps = [{SWAPPED}]",
    ),
    "reduce": case(
        "linalg.reduce { arith.addf }",
        [(20, 12), (20,)],
        "8, 0",
        "0, 8",
        "8, 8",
        after="dimensions = [1]",
    ),
    "reduce in front": case(
        "linalg.reduce { arith.maximumf }",
        [(20, 12), (12,)],
        "0, 8",
        "8, 0",
        "8, 8",
        after="dimensions = [0]",
    ),
    "broadcast": case(
        "linalg.broadcast",
        [(20,), (12, 20)],
        "8, 8",
        "0, 0",
        "8, 8",
        after="dimensions = [0]",
    ),
    "transpose": case(
        "linalg.transpose",
        [(3, 20, 12), (12, 3, 20)],
        "8, 1, 8",
        "0, 0, 0",
        "8, 1, 8",
        after="permutation = [2, 0, 1]",
    ),
    "matvec": case("linalg.matvec", [(20, 12), (12,), (20,)], "8", "0, 8", "8, 8"),
    "vecmat": case("linalg.vecmat", [(12,), (12, 20), (20,)], "8", "0, 8", "8, 8"),
    "dot": case("linalg.dot", [(20,), (20,), ()], "", "8", "8"),
    "batch_matmul": case(
        "linalg.batch_matmul",
        [(3, 20, 6), (3, 6, 12), (3, 20, 12)],
        "1, 8, 8",
        "0, 0, 0, 4",
        "1, 8, 8, 4",
    ),
    "batch_reduce_matmul": case(
        "linalg.batch_reduce_matmul",
        [(3, 20, 6), (3, 6, 12), (20, 12)],
        "0, 8, 8",
        "1, 0, 0, 4",
        "1, 8, 8, 4",
    ),
    "contract": case(
        "linalg.contract",
        [(6, 20), (12, 6), (12, 20)],
        "8, 8",
        "0, 0, 4",
        "8, 8, 4",
        f"indexing_maps = [{CONTRACTED}]",
    ),
}  # fmt: skip
EACH = pytest.mark.parametrize("name", CASES)


def tiled(case: Case) -> list[str]:
    """Tile the grid, then the reductions; %t is the op on one tile."""
    steps = [match("%m", case.op)]
    if case.grid:
        steps.append(forall("%g, %grid", "%m", case.grid))
    else:
        steps.append(f"%g = transform.merge_handles %m : {OP}")
    if set(case.reductions) <= set("0, "):
        return [*steps, f"%t = transform.merge_handles %g : {OP}"]
    loops = sum(1 for size in case.reductions.split(", ") if size != "0")
    names = ", ".join(["%t", *(f"%l{n}" for n in range(loops))])
    return [*steps, for_loops(names, "%g", case.reductions)]


@pytest.mark.sampled(12)
@EACH
def test_tiled_vectorized_and_bufferized(name: str) -> None:
    steps = [
        *tiled(CASES[name]),
        vectorize("%t", CASES[name].sizes),
        patterns("vector.lower_masked_transfers", "canonicalization"),
        BUFFERIZE,
    ]
    ran = transform(CASES[name].payload, schedule_of(*steps))
    assert_same_numbers(ran, reduction=20)
    assert "linalg." not in ran.text


@pytest.mark.sampled(12)
@EACH
@needs_mlir
def test_tiles_as_real_mlir_tiles(name: str) -> None:
    schedule = schedule_of(*tiled(CASES[name]))
    ran = transform(CASES[name].payload, schedule)
    assert_same_program(ran.text, by_real_mlir(CASES[name].payload, schedule))


@needs_mlir
def test_vectorizes_a_reduction_to_one_number_as_real_mlir_does() -> None:
    schedule = schedule_of(match("%m", "linalg.dot"), vectorize("%m"))
    ran = transform(CASES["dot"].payload, schedule)
    assert_same_program(ran.text, by_real_mlir(CASES["dot"].payload, schedule))
