"""One run for several sizes: each size has its own strategy and its own leaders."""

from __future__ import annotations

from dataclasses import replace

from support.tuning.records import record
from tilewright.tuning.results.tuning_result import Trial
from tilewright.tuning.transfer.per_size import (
    PerSizeStrategy,
    best_times,
    leaders,
    ranked_at,
)


def trial(number: int, *each: float) -> Trial:
    made = record(1.0 if each else None, point={"n": number}, program=f"p{number}")
    return Trial(number, replace(made, each=each), "new")


class Listed:
    """Proposes listed points and keeps what it is told."""

    def __init__(self, *numbers: int) -> None:
        self.left = list(numbers)
        self.told: list[tuple[int, float | None]] = []

    def ask(self, count: int) -> list[dict]:
        taken, self.left = self.left[:count], self.left[count:]
        return [{"n": number} for number in taken]

    def tell(self, point: dict, milliseconds: float | None) -> None:
        self.told.append((point["n"], milliseconds))


def test_sizes_take_turns_and_know_all_times_at_their_size() -> None:
    first, second = Listed(1, 2, 3), Listed(11)
    strategy = PerSizeStrategy([first, second])
    asked = [[p["n"] for p in strategy.ask(2)] for _ in range(4)]
    assert asked == [[1, 2], [11], [3], []]
    for one in (trial(1, 1.0, 5.0), trial(11, 2.0, 4.0), trial(2)):
        strategy.note(one)
        strategy.tell(one.point, one.milliseconds)
    assert first.told == [(1, 1.0), (11, 2.0), (2, None)]
    assert second.told == [(1, 5.0), (11, 4.0), (2, None)]


def test_the_leaders_of_each_size() -> None:
    trials = [trial(1, 1.0, 9.0), trial(2, 2.0, 3.0), trial(3, 3.0, 2.0), trial(4)]
    assert [t.number for t in ranked_at(trials, 1)] == [3, 2, 1]
    assert [t.number for t in leaders(trials, 2, 1)] == [1, 3]
    same = replace(trials[1], record=replace(trials[1].record, program="p1"))
    assert [t.number for t in leaders([trials[0], same, trials[2]], 2, 2)] == [1, 3]


def test_the_best_times_at_each_size() -> None:
    trials = [trial(1, 1.0, 9.0), trial(2), trial(3, 3.0, 2.0)]
    assert best_times(trials) == (1.0, 2.0)
