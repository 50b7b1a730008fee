"""Requirements on numbers of the payload count where the payload is known."""

from __future__ import annotations

import pytest

from tilewright.payloads import Payload, matmul
from tilewright.pipeline import parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.requirements import requirement_errors
from tilewright.tuning.space.space import Space

MATCH = 'mm = match "linalg.matmul" in root'
KNOB = "B = 32 of pow2(16, 128)"
"""Four options."""
TILE = "mm, grid = tile mm by [B, B] onto [block.y, block.x]"


def payload(m: int | str = 96, products: int = 1):
    p = Payload("product")
    for n in range(products):
        x = p.input(f"x{n}", (m, 64), "f16")
        p.output(matmul(x, p.input(f"w{n}", (64, 64), "f16")))
    return parse_payload(p.text())


def space(*lines: str, more: str = "", m: int | str | None = 96, products: int = 1):
    body = "\n  ".join(lines)
    schedule = Schedule.from_text(f"{more}\nschedule s(root) {{\n  {body}\n}}", "s.tw")
    known = None if m is None else payload(m, products)
    return read_space(schedule.module, schedule.entry, known)


@pytest.mark.parametrize(
    "condition, valid",
    [
        ("dim(mm, 0) % B == 0", 2),
        ("B * elem_bits(mm) <= 512", 2),
        ("count(mm) == 1", 4),
        ("count(mm) == 2", 0),
        ("dim(mm, 0) <= 96 or B == 16", 4),
    ],
)
def test_it_counts(condition: str, valid: int) -> None:
    lines = (MATCH, KNOB, f"require {condition}", TILE)
    found = space(*lines)
    assert (found.count_valid(), found.uncounted) == (valid, ())
    without = space(*lines, m=None)
    assert without.count_valid() == 4 and len(without.uncounted) == 1
    assert str(without.count()) == "at most 4"
    assert without.describe().splitlines()[-1] == "at most 4 valid points of 4"
    assert f"require {without.uncounted[0].text} (depends on" in without.describe()


def test_numbers_computed_of_the_payload_count() -> None:
    found = space(MATCH, KNOB, "half = dim(mm, 0) / 2", "require B <= half", TILE)
    assert [point["B"] for point in found.points()] == [16, 32]


def test_bounds_of_options_count() -> None:
    found = space(MATCH, "B = 32 of pow2(16, dim(mm, 0))", TILE)
    assert [point["B"] for point in found.points()] == [16, 32, 64]
    assert str(space(MATCH, "B = 32 of pow2(16, dim(mm, 0))", TILE, m=None).count())


def test_an_open_size_is_ignored() -> None:
    found = space(MATCH, KNOB, "require dim(mm, 0) % B == 0", TILE, m="m")
    assert (found.count_valid(), found.uncounted) == (4, ())


def test_ops_of_a_changed_payload_are_not_known() -> None:
    found = space(
        MATCH,
        KNOB,
        TILE,
        "again = match elementwise in root",
        "require count(again) == B",
    )
    assert str(found.count()) == "at most 4"
    # What was found before is still known.
    found = space(
        MATCH, 'f = match "func.func" in root', KNOB, TILE, "require count(f) == 1"
    )
    assert str(found.count()) == "4"


def test_branches_do_not_see_each_other() -> None:
    found = space(
        MATCH,
        KNOB,
        "choose how {",
        f"  a {{ {TILE} }}",
        '  b { other = match "linalg.matmul" in root',
        "    require dim(other, 0) % B == 0; tile other by [B] }",
        "}",
    )
    assert (str(found.count()), found.uncounted) == ("6", ())


def test_included_sequences_are_read_with_their_handles() -> None:
    more = "sequence fits(h, n: param) { require dim(h, 0) % n == 0 }"
    lines = (MATCH, KNOB, "include fits(mm, B)", TILE)
    assert str(space(*lines, more=more).count()) == "2"
    # The same sequence with another handle is another requirement.
    two = (
        "mm = match contraction in root at [0]",
        "other = match fill in root at [0]",
        KNOB,
        "include fits(mm, B)",
        "include fits(other, B)",
        TILE,
    )
    assert str(space(*two, more=more, m=64).count()) == "3"


@pytest.mark.parametrize("around", ["try {", "suppress root {"])
def test_a_requirement_that_may_fail_excludes_nothing(around: str) -> None:
    end = "} else { cse root }" if around.startswith("try") else "}"
    found = space(KNOB, around, "require 4 > 5", "cse root", end, MATCH, TILE)
    assert str(found.count()) == "at most 4"


def test_the_error_names_the_numbers() -> None:
    found: Space = space(MATCH, KNOB, "require count(mm) == 1", TILE, products=2)
    (error,) = requirement_errors(found)
    assert error.fact == (
        "require: 'count(mm) == 1' never holds, as count(mm) = 2 in this payload"
    )
