"""Transform ops that are missing, old or misspelt are told apart."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest

from support.paths import DOCS
from support.transforms.schedules import OP, parse_schedule, schedule_of
from tilewright.ir.errors import UserError
from tilewright.ir.parsing.failures.upstream_transforms import (
    UPSTREAM_TRANSFORMS,
    why_declined,
)
from tilewright.transforms.dialect import (
    schedule_context,
    transform_names,
    transform_op,
)

CASES = {
    "transform.structured.winograd_conv2d": "is not supported yet",
    "transform.structured.tile": "it is transform.structured.tile_using_for today",
    "transform.structured.tile_using_fo": "did you mean "
    "'transform.structured.tile_using_for'?",
    "transform.split_handles": "it is transform.split_handle today",
}


@pytest.mark.parametrize("name", CASES)
def test_a_name_that_is_not_known(name) -> None:
    with pytest.raises(UserError) as caught:
        parse_schedule(schedule_of(f"%x = {name} %root : ({OP}) -> {OP}"))
    error = caught.value
    assert CASES[name] in str(error)
    assert error.place is not None and error.place.line == 3


PAGE = DOCS / "transforms" / "README.md"
REGISTERED = {
    op.name.removeprefix("transform.")
    for op in schedule_context().all_ops()
    if op.name.startswith("transform.")
}


def test_every_op_is_where_the_table_says() -> None:
    """A row with a wrong name or home would only show when somebody names the op."""
    for name in transform_names():
        op = transform_op(name)
        assert op is not None and op.name == name


MISSING = sorted(UPSTREAM_TRANSFORMS - REGISTERED)


def test_the_list_of_what_is_missing() -> None:
    """Every missing op is on it, and nothing that is there."""
    rows = PAGE.read_text().split("## Not there yet")[1].split("|---|---|")[1]
    cells = [row.split("|")[2] for row in rows.splitlines() if row.startswith("|")]
    told = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    missing = [name for name in MISSING if not name.startswith("apply_patterns.")]
    hits = {
        pattern: [n for n in missing if fnmatchcase(n, pattern)] for pattern in told
    }
    assert [pattern for pattern, names in hits.items() if not names] == []
    assert sorted({name for names in hits.values() for name in names}) == missing
    assert not [n for n in REGISTERED for pattern in told if fnmatchcase(n, pattern)]


@pytest.mark.parametrize("name", MISSING)
def test_what_is_missing_is_refused_by_name(name: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_schedule(schedule_of(f"%x = transform.{name} %root : ({OP}) -> {OP}"))
    fact, reason = f"the op 'transform.{name}' is not supported", why_declined(name)
    assert caught.value.fact == (fact if reason is not None else f"{fact} yet")
    assert reason is None or caught.value.remedy == reason
