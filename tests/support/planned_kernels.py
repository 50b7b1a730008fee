"""Plans of small payloads, and checks of their numbers without a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, check_triton_source, make_case
from tilewright.payloads import Payload
from tilewright.pipeline import Built, build, parse_payload
from tilewright.planning.plan import Plan, plan


def planned(payload: Payload) -> Plan:
    """The plan for an H200."""
    return plan(parse_payload(payload.text()), TARGETS["h200"])


def assert_right(
    payload: Payload,
    shapes: Sequence[tuple[int, ...]] | None = None,
    point: Mapping[str, int | str] | None = None,
    *,
    by_triton: bool = False,
) -> Built:
    """Check a planned program's numbers, at its defaults or at another point.

    Our interpreter runs the kernel IR; Triton's, which is slower, runs the source.
    """
    found = planned(payload)
    module = parse_payload(payload.text())
    made = build(module, found.schedule, point or {}, shapes=[shapes] if shapes else ())
    case = make_case(module, 0, shapes)
    found_by = [check_kernel_ir(made, case)]
    if by_triton:
        found_by += check_triton_source(made, [case])
    for comparison in found_by:
        assert comparison.ok, (comparison.message, found.text)
    return made
