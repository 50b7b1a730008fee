"""Plans of small payloads, and a check of their numbers in Triton's interpreter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_triton_source, make_case
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
) -> Built:
    """Check a planned program's numbers, at its defaults or at another point."""
    found = planned(payload)
    module = parse_payload(payload.text())
    made = build(module, found.schedule, point or {}, shapes=[shapes] if shapes else ())
    case = make_case(module, 0, shapes)
    for comparison in check_triton_source(made, [case]):
        assert comparison.ok, (comparison.message, found.text)
    return made
