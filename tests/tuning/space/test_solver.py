"""The solver: exact where a brute force is, close where it estimates, always quick."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from tilewright.transforms.control.choices.formulas import FormulaBuilder
from tilewright.tuning.space.choices import (
    Alternative,
    Constraint,
    Item,
    Knob,
    canonical,
)
from tilewright.tuning.space.solving import solver
from tilewright.tuning.space.space import Space

NAMES = ("A", "B", "C", "x")
OPTIONS = {"A": (1, 2, 3), "B": (-2, 0, 4, 5), "C": (7, 1, 8)}

_NUMBERS = {"+": None, "*": None, "-": 2, "/": 2, "%": 2, "abs": 1}
_COMPARED = {"==": None, "!=": None, "<": 2, "<=": 2, ">": 2, ">=": 2}
_LOGIC = {"and": None, "or": None, "xor": 2, "not": 1, "implies": 2}
"""Operations on numbers and conditions, and how many they take; None is 2 or 3."""


@st.composite
def constraints(draw: st.DrawFn, largest: int = 9) -> Constraint:
    """A random formula over the names."""
    builder = FormulaBuilder()
    numbers = [builder.name(name) for name in NAMES]
    drawn = st.integers(-3, 9) | st.sampled_from([largest, largest - 1, -largest])
    numbers += [builder.constant(draw(drawn)) for _ in range(2)]
    if largest > 9:
        # Beyond what a float holds, and beyond where bounds are exact.
        for name in draw(st.permutations(numbers[:3])):
            power = draw(st.sampled_from([1, 4, 5, 20]))
            numbers.append(builder.add("*", *[name] * power))
    truths: list[int] = []

    def add(kinds: dict[str, int | None], given: list[int]) -> int:
        kind = draw(st.sampled_from(sorted(kinds)))
        arity = kinds[kind] or draw(st.integers(2, 3))
        return builder.add(kind, *(draw(st.sampled_from(given)) for _ in range(arity)))

    for _ in range(draw(st.integers(1, 9))):
        form = draw(st.sampled_from(["number", "comparison", "logic", "ite"]))
        if form == "number":
            numbers.append(add(_NUMBERS, numbers))
        elif form == "comparison" or not truths:
            truths.append(add(_COMPARED, numbers))
        elif form == "logic":
            truths.append(add(_LOGIC, truths))
        else:
            picked = [draw(st.sampled_from(numbers)) for _ in range(2)]
            test = draw(st.sampled_from(truths))
            numbers.append(builder.add("ite", test, *picked))
    formula = builder.formula(truths[-draw(st.integers(1, 2)) :])
    labels = CHOOSE.labels

    def holds(values: object) -> bool:
        given = [labels.index(v) if v in labels else v for v in values]  # type: ignore
        return formula.holds(given)

    return Constraint(formula.names, "drawn", holds, formula=formula)


CHOOSE = Alternative("x", ("l", "r"), ((Knob("C", OPTIONS["C"]),), ()))


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(constraints(), min_size=1, max_size=3))
def test_formulas_give_the_points_that_evaluation_gives(
    drawn: list[Constraint],
) -> None:
    items: list[Item] = [Knob("A", OPTIONS["A"]), Knob("B", OPTIONS["B"]), CHOOSE]
    known = Space((*items, *drawn))
    blind = [Constraint(c.names, c.text, c.holds) for c in drawn]
    opaque = Space((*items, *blind))
    points = list(known.points())
    assert points == list(opaque.points())
    assert all(known.why_not(point) is None for point in points)
    everything = Space(tuple(items))
    expected = sum(known.contains(point) for point in everything.points())
    assert known.count_valid() == len(points) == expected
    assert known.is_exact()


BIG = 1 << 62
LARGE = {"A": (1, BIG, BIG - 1), "B": (-BIG, 0, BIG), "C": (BIG, 1, -3)}


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(constraints(BIG), min_size=1, max_size=3))
def test_large_numbers_give_the_points_that_evaluation_gives(
    drawn: list[Constraint],
) -> None:
    choose = Alternative("x", ("l", "r"), ((Knob("C", LARGE["C"]),), ()))
    items: list[Item] = [Knob("A", LARGE["A"]), Knob("B", LARGE["B"]), choose]
    known = Space((*items, *drawn))
    everything = Space(tuple(items)).points()
    expected = [point for point in everything if known.why_not(point) is None]
    assert list(known.points()) == expected
    assert known.count_valid() == len(expected)


def total(names: list[str], limit: int, sign: str = "<=") -> Constraint:
    builder = FormulaBuilder()
    numbers = [builder.name(name) for name in names]
    bound = builder.constant(limit)
    formula = builder.formula([builder.add(sign, builder.add("+", *numbers), bound)])
    return Constraint(formula.names, "sum", lambda v: formula.holds(v), formula=formula)  # type: ignore


def product(names: list[str], limit: int) -> Constraint:
    builder = FormulaBuilder()
    numbers = [builder.name(name) for name in names]
    bound = builder.constant(limit)
    formula = builder.formula([builder.add("<=", builder.add("*", *numbers), bound)])
    return Constraint(
        formula.names, "product", lambda v: formula.holds(v), formula=formula
    )  # type: ignore


def test_a_requirement_over_all_of_10_to_the_12_points_is_counted_exactly() -> None:
    names = [f"K{i}" for i in range(12)]
    knobs = [Knob(name, tuple(range(1, 11))) for name in names]
    space = Space((*knobs, total(names, 50)))
    # Sums of 12 numbers from 1 to 10, by their generating function.
    ways = [1]
    for _ in names:
        ways = [
            sum(ways[s - v] for v in range(1, 11) if 0 <= s - v < len(ways))
            for s in range(len(ways) + 10)
        ]
    assert space.count_valid() == sum(ways[:51])
    assert space.is_exact()
    rng = random.Random(1)
    for _ in range(20):
        assert sum(map(int, space.sample(rng).values())) <= 50
    last = space.point_at(space.count_valid() - 1)
    assert last["K0"] == 10 and space.contains(last)
    assert list(itertools.islice(space.points(), 2)) == [
        dict.fromkeys(names, 1),
        {**dict.fromkeys(names, 1), "K11": 2},
    ]


def test_all_different_is_counted_by_what_is_left() -> None:
    names = [f"K{i}" for i in range(10)]
    items: list[Item] = [Knob(name, tuple(range(10))) for name in names]
    for a, b in itertools.combinations(names, 2):
        builder = FormulaBuilder()
        unequal = builder.add("!=", builder.name(a), builder.name(b))
        formula = builder.formula([unequal])
        items.append(
            Constraint(
                formula.names, "", lambda v, f=formula: f.holds(v), formula=formula
            )  # type: ignore
        )
    space = Space(tuple(items))
    assert space.is_exact()
    assert space.count_valid() == math.factorial(10)


@pytest.mark.slow
def test_a_thousand_knobs_and_knobs_of_ten_thousand_options() -> None:
    many = Space(tuple(Knob(f"K{i}", (1, 2, 4, 8)) for i in range(1000)))
    assert many.count_valid() == 4**1000
    assert str(many.count()) == "1.1e+602"
    assert len(many.sample(random.Random(0))) == len(many.first()) == 1000
    wide = Space(
        (
            Knob("A", tuple(range(1, 10001))),
            Knob("B", tuple(range(1, 10001))),
            product(["A", "B"], 10**5),
        )
    )
    expected = sum(min(10000, 10**5 // a) for a in range(1, 10001))
    assert wide.count_valid() == expected
    assert wide.is_exact()
    assert wide.describe().startswith(
        "A in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ..."
    )


def _estimated(space: Space, monkeypatch: pytest.MonkeyPatch) -> solver.Solver:
    monkeypatch.setattr(solver, "_WORK_OF_BUILD", 0)
    return solver.Solver(space.items)


@pytest.mark.parametrize(
    "limit",
    [pytest.param(60, id="blind draws suffice"), pytest.param(23, id="by layers")],
)
def test_estimates_are_close_and_say_so(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"K{i}" for i in range(12)]
    knobs = [Knob(name, (1, 2, 4, 8, 9)) for name in names]
    # A product with itself, so that the sum is not the whole state.
    space = Space((*knobs, total(names, limit), product(names[::2], 3000)))
    exact = solver.Solver(space.items).count
    guess = _estimated(space, monkeypatch).count
    assert exact.exact and not guess.exact
    assert abs(guess.number / exact.number - 1) < max(5 * guess.error, 0.02)
    assert guess.error < 0.5
    assert "estimated" in str(guess) and "about" in str(guess)


def test_a_space_that_is_only_estimated_is_walked_and_drawn_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"K{i}" for i in range(6)]
    knobs = [Knob(name, (1, 2, 4)) for name in names]
    space = Space((*knobs, total(names, 9), product(names[:3], 8)))
    estimated = _estimated(space, monkeypatch)
    points = list(estimated.points())
    monkeypatch.undo()
    assert points == list(space.points())
    rng = random.Random(5)
    seen = Counter(
        canonical(estimated.sample(rng) or {}) for _ in range(30 * len(points))
    )
    assert set(seen) == {canonical(point) for point in points}
    assert max(seen.values()) < 70


def test_requirements_that_nothing_satisfies_are_found_out() -> None:
    names = [f"K{i}" for i in range(12)]
    knobs = [Knob(name, tuple(range(2, 12))) for name in names]
    space = Space((*knobs, total(names, 23)))
    assert space.count_valid() == 0 and space.is_exact()
    assert list(space.points()) == []


def test_neighbours_fill_what_another_branch_opens() -> None:
    space = Space(
        (
            Knob("A", (1, 2)),
            Alternative("x", ("l", "r"), ((), (Knob("S", (2, 3)),))),
            total(["A", "S"], 3, ">"),
        )
    )
    assert space.neighbours({"A": 1, "x": "l"}) == [
        {"A": 2, "x": "l"},
        {"A": 1, "x": "r", "S": 3},
    ]
    assert space.neighbours({"A": 1, "x": "r", "S": 3}) == [
        {"A": 2, "x": "r", "S": 3},
        {"A": 1, "x": "l"},
    ]
