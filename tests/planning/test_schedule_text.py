"""The text of a plan says what its statements do, and places name their kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.paths import EXAMPLES
from tilewright.check_schedule.report import checked
from tilewright.codegen.targets import target_named
from tilewright.ir.text import place_of
from tilewright.pipeline import apply_schedule, read_payload
from tilewright.planning.plan import PLANNED, plan
from tilewright.planning.writing.lines import Lines
from tilewright.schedules.schedule import Schedule, check_text
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp
from tilewright.transforms.handles.param_constant import ParamConstantOp

H200 = target_named("h200")
INSIDE = (ConstrainParamsOp, ParamConstantOp, MergeHandlesOp)
"""What is computed inside a statement has the statement's place."""
PAYLOADS = sorted((EXAMPLES / "payloads").glob("*.mlir"))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: path.stem)
@pytest.mark.parametrize("is_open", [True, False])
def test_the_text_reads_as_the_schedule(path: Path, is_open: bool) -> None:
    found = plan(read_payload(path), H200, is_open=is_open)
    assert check_text(found.text, PLANNED) == []
    read = Schedule.from_text(found.text, PLANNED)
    assert read.module.is_structurally_equivalent(found.schedule.module)
    assert read.name == found.schedule.name
    assert checked(read, ()).findings == ()
    # Errors point at the same places.
    pairs = zip(read.module.walk(), found.schedule.module.walk(), strict=True)
    for one, other in pairs:
        if isinstance(one, TransformOp):
            was, now = place_of(one), place_of(other)
            assert was is not None and now is not None
            assert now.line == was.line, one
            if not isinstance(one, INSIDE):
                assert now == was, one


def test_the_grid_of_a_kernel_has_its_name() -> None:
    payload = read_payload(EXAMPLES / "payloads/mlp_f16.mlir")
    found = plan(payload, H200)
    # Without library calls, so that both layers have a grid.
    point = {
        choice.name: "tiles"
        for choice in found.schedule.open_choices()
        if choice.name.startswith("kernel")
    }
    applied = apply_schedule(payload, found.schedule, point, complete=False)
    places = [place_of(op) for op in applied.payload.walk() if op.name == "scf.forall"]
    parts = {None if place is None else place.part for place in places}
    assert parts == {f"kernel {kernel.number}" for kernel in found.kernels}
    grids = [op for op in applied.payload.walk() if op.name == "scf.forall"]
    for grid, place in zip(grids, places, strict=True):
        assert place is not None
        inside = [place_of(op) for op in grid.walk() if op.name.startswith("linalg.")]
        assert {each.part for each in inside if each is not None} == {place.part}
    for place in places:
        assert place is not None
        kernel = found.kernel_at(place)
        assert kernel is not None
        assert place.line in found.written.line_ranges[kernel.number]


def test_lines_have_100_characters_at_most() -> None:
    lines = Lines()
    lines.comment("word " * 50)
    lines.knobs({f"knob_{n}": ((16, 32, 64), 32) for n in range(9)})
    assert 90 < max(map(len, lines.text)) <= 100
    assert min(map(len, (lines.text[0], lines.text[-2]))) > 50
