"""The search space against brute force: what is generated, counted and sampled."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from tilewright.ir.errors import UserError
from tilewright.tuning.space.choices import (
    Alternative,
    Constraint,
    Item,
    Knob,
    Point,
    canonical,
)
from tilewright.tuning.space.space import Space, space_of

NAMES = ["A", "B", "C", "D"]
OPTIONS = {"A": (1, 2, 3), "B": (2, 4), "C": (1, 8, 64), "D": (0, 5)}
CHOOSERS = {"x": ("l", "r"), "y": ("p", "q", "s")}


def at_most(names: tuple[str, ...], bound: int) -> Constraint:
    text = f"{' + '.join(names)} <= {bound}"
    return Constraint(names, text, lambda values: sum(map(int, values)) <= bound)


knobs = st.sampled_from(NAMES).map(lambda name: Knob(name, OPTIONS[name]))
limits = st.builds(
    at_most,
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True).map(tuple),
    st.integers(0, 70),
)


def regions(depth: int) -> st.SearchStrategy[tuple[Item, ...]]:
    items = st.one_of(knobs, limits)
    if depth:
        items = st.one_of(
            items,
            st.sampled_from(list(CHOOSERS)).flatmap(
                lambda name: st.tuples(
                    *[regions(depth - 1) for _ in CHOOSERS[name]]
                ).map(lambda branches: Alternative(name, CHOOSERS[name], branches))
            ),
        )
    return st.lists(items, max_size=4).map(tuple)


def brute_force(space: Space) -> Iterator[Point]:
    """Every assignment to every name, cut to what is open, kept if it is valid."""
    domains = {name: choice.options for name, choice in space.choices.items()}
    seen = set()
    for values in itertools.product(*domains.values()):
        full = dict(zip(domains, values, strict=True))
        active: Point = {}
        limits: list[Constraint] = []
        collect(space.items, full, active, limits)
        if canonical(active) in seen:
            continue
        seen.add(canonical(active))
        if all(
            limit.holds([active[name] for name in limit.names])
            for limit in limits
            if all(name in active for name in limit.names)
        ):
            yield active


def collect(
    items: tuple[Item, ...], full: Point, active: Point, limits: list[Constraint]
) -> None:
    for item in items:
        if isinstance(item, Constraint):
            limits.append(item)
            continue
        active[item.name] = full[item.name]
        if isinstance(item, Alternative):
            branch = item.branches[item.labels.index(str(full[item.name]))]
            collect(branch, full, active, limits)


@settings(max_examples=examples(120), deadline=None)
@given(regions(2))
def test_points_counts_and_indices_agree_with_brute_force(
    items: tuple[Item, ...],
) -> None:
    space = Space(items)
    expected = Counter(canonical(point) for point in brute_force(space))
    points = list(space.points())
    assert Counter(canonical(point) for point in points) == expected
    assert space.count_valid() == len(points) <= space.size()
    assert [space.point_at(i) for i in range(len(points))] == points
    assert all(space.contains(point) for point in points)
    unconstrained = Space(tuple(i for i in items if isinstance(i, Knob)))
    assert unconstrained.size() == unconstrained.count_valid()


@settings(max_examples=examples(50), deadline=None)
@given(regions(2), st.integers(0, 1000))
def test_samples_are_valid(items: tuple[Item, ...], seed: int) -> None:
    space = Space(items)
    rng = random.Random(seed)
    if space.count_valid() == 0:
        with pytest.raises(UserError, match="no point of the space satisfies"):
            space.sample(rng)
        return
    for _ in range(5):
        assert space.contains(space.sample(rng))


LINEAR = Space(
    (
        Knob("BM", (64, 128)),
        Knob("BN", (64, 128)),
        Alternative(
            "tail",
            ("fused", "separate"),
            ((), (Knob("W2", (2, 4)), at_most(("BM", "W2"), 67))),
        ),
        at_most(("BM", "BN"), 192),
    )
)


def test_conditional_space() -> None:
    assert LINEAR.size() == 4 * (1 + 2)
    # 128 x 128 is out; with BM = 128 no W2 is left, with 64 only 2 is.
    assert LINEAR.count_valid() == 3 + 2
    assert LINEAR.conditional == {"W2"}
    assert {p["W2"] for p in LINEAR.points() if "W2" in p} == {2}


def test_name_in_every_branch_is_not_conditional() -> None:
    branches = ((Knob("S", (2, 3)),), (Knob("S", (2, 3)), Knob("T", (1, 2))))
    space = Space((Alternative("a", ("l", "r"), branches),))
    assert space.conditional == {"T"}
    assert space.size() == 2 + 4


def test_why_not() -> None:
    good = {"BM": 64, "BN": 64, "tail": "fused"}
    assert LINEAR.why_not(good) is None
    assert LINEAR.why_not({**good, "BM": 96}) == (
        "'BM' cannot be 96: options are [64, 128]"
    )
    assert LINEAR.why_not({"BM": 64, "tail": "fused"}) == "'BN' has no value"
    assert LINEAR.why_not({**good, "BM": 128, "BN": 128}) == (
        "constraint not satisfied: BM + BN <= 192"
    )
    assert LINEAR.why_not({**good, "W2": 2}) == (
        "'W2' is not open in the branches taken"
    )
    assert LINEAR.why_not({**good, "Q": 2}) == "the schedule has no choice 'Q'"


def test_constraints_prune_while_generating() -> None:
    """A space of 10^12 whose constraints leave 4 points is walked in no time."""
    asked = 0

    def equal(values: object) -> bool:
        nonlocal asked
        asked += 1
        first, second = values  # type: ignore[misc]
        return first == second

    names = [f"K{i}" for i in range(20)]
    items: list[Item] = [Knob(name, (1, 2, 3, 4)) for name in names]
    items += [
        Constraint((a, b), f"{a} == {b}", equal) for a, b in itertools.pairwise(names)
    ]
    space = Space(tuple(items))
    assert space.size() == 4**20
    assert len(list(space.points())) == space.count_valid() == 4
    assert asked < 2000


def test_large_space_is_counted_and_sampled_without_walking_it() -> None:
    names = [f"K{i}" for i in range(30)]
    items: list[Item] = [Knob(name, (1, 2, 3, 4)) for name in names]
    items += [at_most((a, b), 6) for a, b in itertools.pairwise(names)]
    space = Space(tuple(items))
    assert 10**12 < space.count_valid() < space.size() == 4**30
    assert space.contains(space.sample(random.Random(0)))
    assert space.contains(space.point_at(space.count_valid() - 1))


def test_sampling_is_uniform() -> None:
    rng = random.Random(7)
    seen = Counter(canonical(LINEAR.sample(rng)) for _ in range(5000))
    assert len(seen) == 5
    assert all(800 < count < 1200 for count in seen.values())


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (
            (Knob("A", (1, 2)), Alternative("x", ("l",), ((Knob("A", (1, 3)),),))),
            r"'A' is declared twice with different options: \[1, 2\] and \[1, 3\]",
        ),
        ((Knob("A", (1,)), Alternative("A", ("1",), ((),))), "declared twice"),
        ((Knob("A", ()),), "knob 'A' has no options"),
        ((Knob("A", (1, 1)),), "lists an option twice"),
        ((Alternative("x", ("l",), ((), ())),), "2 branches and 1 labels"),
    ],
)
def test_refusals(items: tuple[Item, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Space(items)


def test_describe() -> None:
    assert LINEAR.describe().splitlines() == [
        "BM in [64, 128]",
        "BN in [64, 128]",
        "choose tail",
        "  fused",
        "  separate",
        "    W2 in [2, 4]",
        "    require BM + W2 <= 67",
        "require BM + BN <= 192",
        "5 valid points of 12",
    ]


def test_space_of_a_dict() -> None:
    space = space_of({"BM": [32, 64], "fast": [True, False]})
    assert space.size() == 4
    assert next(space.points()) == {"BM": 32, "fast": True}
    assert list(space.choices) == ["BM", "fast"]
