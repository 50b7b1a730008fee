"""Points of near shapes and other devices, from a results file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from support.tuning.records import SETTING, record
from tilewright.codegen.targets import TARGETS
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import Final
from tilewright.tuning.space.space import space_of
from tilewright.tuning.transfer.family import Family
from tilewright.tuning.transfer.known_points import (
    KnownPoint,
    Wanted,
    inheritable,
    known_points,
    starting_points,
)
from tilewright.tuning.transfer.nearness import (
    device_distance,
    size_distance,
    target_of,
)

SPACE = space_of({"BM": (16, 32, 64, 128), "BN": (16, 32, 64, 128)})


def wanted(*sizes: int, target: str = "h200", measured: bool = True) -> Wanted:
    return Wanted(Family("f", sizes), "schedule", TARGETS[target], measured)


def known(bm: int, *sizes: int, device: str = "NVIDIA H200", **other) -> KnownPoint:
    fields = {"measured": True, "schedule": "schedule", **other}
    return KnownPoint(
        {"BM": bm, "BN": 16},
        sizes,
        1.0,
        device,
        payload_name="gemm.mlir",
        created="2026-11-16T05:00:00",
        **fields,
    )


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ((64, 64), (64, 64), 0.0),
        ((64, 64), (128, 32), 1.0),
        ((64, 64), (64, 257), None),
        ((64, 64), (64,), None),
        ((64, 0), (64, 0), 0.0),
        ((64, 0), (64, 8), None),
    ],
)
def test_shapes_are_near_within_a_factor_of_four(one, two, expected) -> None:
    assert size_distance(one, two) == expected


def test_devices_are_near_by_their_features() -> None:
    h200, h100, a100 = (TARGETS[name] for name in ("h200", "h100", "a100"))
    assert device_distance(h200, h200) == 0
    assert 0 < device_distance(h200, h100) < device_distance(h200, a100)
    assert target_of("NVIDIA H200") == target_of("h200 (cost model)") == h200
    assert target_of("NVIDIA A100-SXM4-80GB") == a100
    assert target_of("a card of tomorrow") is None


def test_the_very_shape_comes_first_then_near_ones() -> None:
    one, two, far = known(32, 128, 64), known(64, 256, 64), known(128, 4096, 64)
    found = inheritable([far, two, one], wanted(128, 64), SPACE)
    assert [each.known for each in found] == [one, two]
    assert found[0].point == {"BM": 32, "BN": 16}
    assert found[0].known.origin == (
        "gemm.mlir 128x64 on NVIDIA H200, tuned 2026-11-16"
    )


def test_this_device_comes_before_another() -> None:
    here, there = known(32, 128), known(64, 128, device="NVIDIA H100")
    found = inheritable([there, here], wanted(128), SPACE)
    assert [each.known for each in found] == [here, there]


def test_another_generation_is_a_start_but_is_not_inherited() -> None:
    there = known(64, 128, device="NVIDIA A100-SXM4-80GB")
    assert inheritable([there], wanted(128), SPACE) == []
    assert len(starting_points([there], wanted(128), SPACE)) == 1


def test_estimates_are_not_for_a_device() -> None:
    guess = known(32, 128, device="h200 (cost model)", measured=False)
    assert inheritable([guess], wanted(128), SPACE) == []
    (found,) = inheritable([guess], wanted(128, measured=False), SPACE)
    assert found.known == guess


def test_a_point_of_another_schedule_is_not_inherited() -> None:
    other = replace(known(32, 128), point={"BM": 32, "rows": 4})
    assert inheritable([other], wanted(128), SPACE) == []
    # A search may begin with it: the choices of the same name are used.
    (start,) = starting_points([other], wanted(128), SPACE)
    assert start.point["BM"] == 32
    assert (
        starting_points([replace(other, point={"rows": 4})], wanted(128), SPACE) == []
    )


def test_starting_points_are_few_and_differ() -> None:
    many = [known(bm, 64 * bm) for bm in (16, 32, 64, 128)]
    many.append(known(16, 100 * 16))
    found = starting_points(many, wanted(2048), SPACE, most=3)
    assert [each.point["BM"] for each in found] == [32, 16, 64]


def test_the_best_of_each_shape_is_read_from_the_file(tmp_path: Path) -> None:
    setting = replace(SETTING, family="f", extents=((64, 8),), payload_name="g.mlir")
    several = replace(setting, extents=((16, 8), (32, 8)), sizes="M=16; M=32")
    with Database(tmp_path / "results.db") as database:
        database.record(record(2.0, setting=setting, point={"BM": 16}, program="a"))
        database.record(record(1.0, setting=setting, point={"BM": 32}, program="b"))
        kept = record(2.5, setting=setting, point={"BM": 64}, program="c")
        database.record_final(database.record(kept), Final(1.5, 1.4, 1.6))
        for program, each in (("d", (1.0, 4.0)), ("e", (2.0, 3.0))):
            made = record(2.0, setting=several, point={"P": program}, program=program)
            database.record(replace(made, each=each))
        database.record(record(0.1, setting=SETTING, program="no family"))
        found = {each.sizes: each for each in known_points(database, "f")}
    # The final round counts before single trials.
    assert (found[64, 8].point, found[64, 8].milliseconds) == ({"BM": 64}, 1.5)
    assert found[16, 8].point == {"P": "d"}
    assert (found[32, 8].point, found[32, 8].milliseconds) == ({"P": "e"}, 3.0)
    # For a payload that leaves the rows open: the best of all sizes together.
    assert found[0, 8].milliseconds == 2.0
    assert len(found) == 4


def test_damaged_rows_are_left_out(tmp_path: Path) -> None:
    setting = replace(SETTING, family="f", extents=((64, 8),))
    with Database(tmp_path / "results.db") as database:
        for place, damage in enumerate(("extents = '[1]'", "point = '['", "p50 = 'x'")):
            made = record(1.0, setting=setting, point={"n": place}, program=str(place))
            database.record(made)
            with database.writing() as connection:
                change = f"UPDATE measurements SET {damage} WHERE program = '{place}'"
                connection.execute(change)
        assert known_points(database, "f") == []
