"""gpu.map_forall_to_blocks: the parallel loop that is the grid."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.mlir_opt import mlir_opt, mlir_rejects, needs_mlir
from support.transforms.loops import assert_round_trips
from support.transforms.schedules import (
    OP,
    forall,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure, UserError

FUNC = match("%f", "func.func")
MARK = f'transform.annotate %g "grid" : {OP}'


def to_blocks(options: str = "generate_gpu_launch") -> str:
    return f"%g = transform.gpu.map_forall_to_blocks %f {options} : ({OP}) -> {OP}"


MAPPED = "{mapping = [#gpu.block<y>, #gpu.block<x>]}"


def storing(
    bounds: str = "in (4, 6)",
    mapping: str = MAPPED,
    inside: str = "",
    twice: bool = False,
) -> str:
    loop = f"""\
  scf.forall (%i, %j) {bounds} {{
    memref.store %z, %t[%i, %j] : memref<4x6xf32>
    {inside}
  }} {mapping}
"""
    return f"""\
func.func @f(%t: memref<4x6xf32>, %z: f32, %n: index) {{
{loop * (2 if twice else 1)}  return
}}
"""


@needs_mlir
@pytest.mark.parametrize(
    "options",
    [
        "generate_gpu_launch",
        "generate_gpu_launch grid_dims = [6, 4, 1]",
        "generate_gpu_launch grid_dims = [12, 8, 1]",
    ],
)
@pytest.mark.parametrize("target", ["func.func", "scf.forall"])
def test_the_grid_is_found_and_stays(options: str, target: str) -> None:
    """Upstream launches what we keep as it is."""
    steps = [match("%f", target), to_blocks(options)]
    after = transform(storing(), schedule_of(*steps, MARK)).text
    assert (
        "{grid, mapping" in after
        or "mapping = [#gpu.block<y>, #gpu.block<x>], grid" in after
    )
    schedule = schedule_of(*steps)
    whole = (
        f"module attributes {{transform.with_named_sequence}} {{{schedule}{storing()}}}"
    )
    assert "gpu.launch blocks" in mlir_opt(whole, "--transform-interpreter")


REFUSED = {
    "no mapping": (storing(mapping=""), "the forall has no mapping"),
    "threads": (
        storing(mapping=MAPPED.replace("block", "thread")),
        "not mapped to blocks",
    ),
    "one dimension twice": (
        storing(mapping=MAPPED.replace("<y>", "<x>")),
        "mapped to the same dimension",
    ),
    "linear and not": (
        storing(mapping=MAPPED.replace("<y>", "<linear_dim_0>")),
        "linear and other dimensions are mixed",
    ),
    "not from 0": (
        storing("= (0, 2) to (4, 6) step (1, 1)"),
        "does not count from 0 in steps of 1",
    ),
    "dynamic": (storing("in (4, %n)"), "known only at run time"),
    "two grids": (storing(twice=True), "there are 2"),
    "no grid": ("func.func @f() { return }\n", "there are 0"),
}


@needs_mlir
@pytest.mark.parametrize(("payload", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_upstream_refuses_is_refused(payload: str, reason: str) -> None:
    schedule = schedule_of(FUNC, to_blocks())
    error = refusal(payload, schedule)
    assert isinstance(error, SilenceableFailure) and reason in error.fact
    whole = (
        f"module attributes {{transform.with_named_sequence}} {{{schedule}{payload}}}"
    )
    assert mlir_rejects(whole, "--transform-interpreter")


def test_fewer_blocks_than_tiles_are_refused() -> None:
    step = to_blocks("generate_gpu_launch grid_dims = [4, 4, 1]")
    error = refusal(storing(), schedule_of(FUNC, step))
    assert "grid_dims [4, 4, 1] has no room for [4, 6] tiles" in error.fact


@pytest.mark.parametrize(
    ("dims", "fits"), [("[24, 1, 1]", True), ("[23, 1, 1]", False)]
)
def test_linear_dimensions_share_the_blocks(dims: str, fits: bool) -> None:
    linear = "{mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}"
    schedule = schedule_of(FUNC, to_blocks(f"generate_gpu_launch grid_dims = {dims}"))
    if fits:
        transform(storing(mapping=linear), schedule)
    else:
        assert "no room" in refusal(storing(mapping=linear), schedule).fact


def test_loops_over_threads_in_the_grid_are_refused() -> None:
    inner = "scf.forall (%k) in (4) {} {mapping = [#gpu.thread<x>]}"
    error = refusal(storing(inside=inner), schedule_of(FUNC, to_blocks()))
    assert "Triton owns what is inside a block" in error.fact


MATMUL = """\
func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x96xf32>, %c: tensor<64x96xf32>)
    -> tensor<64x96xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x96xf32>)
                     outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}
"""


def test_a_grid_on_tensors_is_accepted() -> None:
    """Upstream wants it bufferized first; ours is bufferized later."""
    tile = forall("%t, %l", "%mm", "32, 32", "#gpu.block<y>, #gpu.block<x>")
    steps = [match("%mm", "linalg.matmul"), tile, FUNC, to_blocks()]
    once = transform(MATMUL, schedule_of(*steps[:2])).text
    assert transform(MATMUL, schedule_of(*steps)).text == once
    again = to_blocks().replace("%g =", "%h =").replace("%f", "%g")
    assert transform(MATMUL, schedule_of(*steps, again)).text == once


def test_three_dimensions_or_none() -> None:
    with pytest.raises(UserError, match="empty or size-3 grid_dims"):
        parse_schedule(schedule_of(FUNC, to_blocks("grid_dims = [4, 4]")))


def test_the_target_is_consumed() -> None:
    late = f'transform.annotate %f "late" : {OP}'
    error = refusal(storing(), schedule_of(FUNC, to_blocks(), late))
    assert "invalidated" in error.fact


def to_threads(options: str = "") -> str:
    return (
        "%g = transform.gpu.map_nested_forall_to_threads %f "
        f"block_dims = [32, 4, 1]{options} : ({OP}) -> {OP}"
    )


def test_threads_are_refused_with_the_reason() -> None:
    error = refusal(storing(), schedule_of(FUNC, to_threads()))
    assert isinstance(error, DefiniteFailure)
    assert "Triton owns what is inside a block" in error.fact
    assert "triton.num_warps" in (error.remedy or "")


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize(
    "step",
    [
        to_blocks(),
        to_blocks(""),
        to_blocks("generate_gpu_launch grid_dims = [4, 5, 6]"),
        to_threads(),
        to_threads(" sync_after_distribute = false warp_size = 64"),
    ],
)
def test_round_trip(step: str) -> None:
    assert_round_trips(FUNC, step)


def test_golden(golden: Callable[[str, str], None]) -> None:
    after = transform(storing(), schedule_of(FUNC, to_blocks(), MARK)).text
    golden("transforms/map_forall_to_blocks.mlir", after)
