"""Points that try every option: few, valid, the same every time."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.tuning.space.choices import Alternative, Constraint, Knob, Point
from tilewright.tuning.space.covering import Covering, taken
from tilewright.tuning.space.space import Space

NESTED = Space(
    (
        Knob("BM", (16, 32, 64)),
        Knob("BN", (16, 32, 64)),
        Constraint(("BM", "BN"), "BM * BN <= 1024", lambda v: v[0] * v[1] <= 1024),  # type: ignore[operator]
        Alternative(
            "outer",
            ("plain", "split"),
            (
                (),
                (
                    Knob("S", (2, 4)),
                    Alternative("inner", ("a", "b", "c"), ((), (), (Knob("T", (1,)),))),
                    Constraint(("BM", "S"), "BM > 8 * S", lambda v: v[0] > 8 * v[1]),  # type: ignore[operator]
                ),
            ),
        ),
    )
)


def run(space: Space, works: Callable[[Point], bool]) -> tuple[Covering, list[Point]]:
    covering, points = Covering(space), list[Point]()
    while (point := covering.next_point()) is not None:
        points.append(point)
        covering.tell(point, works=works(point))
    return covering, points


def test_every_option_is_in_a_valid_point() -> None:
    covering, points = run(NESTED, lambda _: True)
    assert all(NESTED.contains(point) for point in points)
    seen = {option for point in points for option in taken(NESTED.items, point)}
    assert seen == set(covering.options) - set(covering.impossible)
    assert {str(option) for option in seen} >= {"inner = c", "T = 1", "S = 4"}
    assert covering.impossible == [] and len(points) <= 6


def test_the_same_every_time() -> None:
    assert run(NESTED, lambda _: True)[1] == run(NESTED, lambda _: True)[1]


def test_one_option_at_fault_is_told_from_the_others() -> None:
    covering, _ = run(NESTED, lambda point: point.get("inner") != "b")
    assert [str(o) for o in covering.options if o not in covering.works] == [
        "inner = b"
    ]


def test_an_option_beside_one_at_fault_is_not_blamed() -> None:
    covering, points = run(
        NESTED, lambda point: not (point["BM"] == 16 and point["outer"] == "plain")
    )
    faulty = [str(o) for o in covering.options if o not in covering.works]
    assert len(points) < 16
    # BM = 16 cannot go with 'split' (BM > 8 * S), nor BN = 64 with another BM.
    assert faulty == ["BM = 16", "BN = 64"]


def test_options_that_the_requirements_exclude() -> None:
    space = Space(
        (
            Knob("W", (4, 8)),
            Constraint(("W",), "W == 8", lambda values: values[0] == 8),
        )
    )
    covering, points = run(space, lambda _: True)
    assert [str(option) for option in covering.impossible] == ["W = 4"]
    assert points == [{"W": 8}]


def test_a_space_without_choices_has_one_point() -> None:
    assert run(Space(()), lambda _: True)[1] == [{}]
