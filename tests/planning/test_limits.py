"""What limits a kernel: the estimate of its program says it."""

from __future__ import annotations

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.planning.analysis.bounds import Bound
from tilewright.tuning.calibrating.measuring import program_of
from tilewright.tuning.calibrating.points import KernelPoint, planned_work
from tilewright.tuning.calibrating.works import works
from tilewright.tuning.model.cost import estimate

H200 = TARGETS["h200"]


@pytest.mark.parametrize(
    ("work", "sketch", "limit"),
    [
        ("number", "numbers", "launch"),
        ("silu*y 256x1024 f32", "tiles", "launch"),
        ("silu*y 2048x2048 bf16", "tiles", "memory"),
        ("softmax 512x512 bf16", "whole_rows", "launch"),
        ("row sum 4096x16384 bf16", "long_rows", "memory"),
        ("matmul nn 4096x4096x4096 bf16", "tiles", "arithmetic"),
        ("matmul nn 2x11008x4096 bf16", "tiles", "memory"),
    ],
)
def test_what_limits_a_planned_program(work: str, sketch: str, limit: str) -> None:
    planned = planned_work(works()[work], H200)
    (kernel,) = planned.kernels
    chosen = next(c for c in kernel.candidates if c.sketch.label == sketch)
    program = program_of(KernelPoint(work, sketch, chosen.point), H200)
    (launched,) = estimate(program, None, H200).kernels
    assert launched.limit == limit
    assert f"us: {limit} is the limit (" in launched.explain()


def test_an_op_alone_is_limited_by_the_longest_part_of_its_roofline() -> None:
    assert Bound(0.5e-6, 1e-6, 2.5e-6).limit() == "launch"
    assert Bound(0.5e-6, 3e-6, 2.5e-6).limit() == "memory"
    assert Bound(4e-6, 3e-6, 2.5e-6).limit() == "arithmetic"
