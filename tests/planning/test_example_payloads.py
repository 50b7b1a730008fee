"""Planned schedules of the payloads in `examples/`: their numbers at several points."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from support.paths import EXAMPLES
from tilewright.codegen.targets import TARGETS
from tilewright.ir.errors import SilenceableFailure
from tilewright.numeric_check import CheckCase, check_kernel_ir, make_case
from tilewright.pipeline import build, read_payload
from tilewright.planning.plan import plan
from tilewright.tuning.space.covering import Covering
from tilewright.tuning.space.read import read_space

PAYLOADS = sorted((EXAMPLES / "payloads").glob("*.mlir"))
QUICK = "attention_odd"
POINTS = 1
"""Points besides the defaults; the fuzzer of plans tries more."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=() if path.stem == QUICK else pytest.mark.slow)
        for path in PAYLOADS
    ],
    ids=lambda path: path.stem,
)
def test_the_defaults_compute_the_payload(path: Path) -> None:
    payload = read_payload(path)
    built = build(payload, plan(payload, TARGETS["h200"]).schedule)
    found = check_kernel_ir(built, make_case(payload, 0))
    assert found.ok, found.message


@pytest.mark.slow
@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: path.stem)
def test_other_points_compute_the_payload(path: Path) -> None:
    payload = read_payload(path)
    schedule = plan(payload, TARGETS["h200"]).schedule
    case: CheckCase = make_case(payload, 0)
    covering = Covering(read_space(schedule.module))
    right = 0
    for point in islice(iter(covering.next_point, None), POINTS):
        try:
            built = build(payload, schedule, point)
        except SilenceableFailure:
            covering.tell(point, works=False)
            continue
        found = check_kernel_ir(built, case)
        assert found.ok, (point, found.message)
        covering.tell(point, works=True)
        right += 1
    assert right or not schedule.open_choices()
