"""Which changes the whole keeps: all if they pay, else the halves that do."""

from __future__ import annotations

from collections.abc import Collection

from tilewright.tuning.tasks.whole import adopt


def always() -> bool:
    return True


def test_all_changes_are_tried_first() -> None:
    asked: list[set[int]] = []

    def time(part: Collection[int]) -> float:
        asked.append(set(part))
        return 1.0 - 0.1 * len(part)

    assert adopt(3, 1.0, time, always) == [True] * 3
    assert asked == [{0, 1, 2}]


def test_a_wrong_change_is_left_out() -> None:
    def time(part: Collection[int]) -> float | None:
        return None if 2 in part else 1.0 - 0.1 * len(part)

    assert adopt(5, 1.0, time, always) == [True, True, False, True, True]


def test_a_slow_change_is_left_out() -> None:
    def time(part: Collection[int]) -> float:
        return 1.0 - 0.1 * len(part) + (0.5 if 0 in part else 0.0)

    assert adopt(4, 1.0, time, always) == [False, True, True, True]


def test_changes_that_there_is_no_time_for_are_not_made() -> None:
    asked: list[Collection[int]] = []

    def time(part: Collection[int]) -> float | None:
        asked.append(part)
        return None if 3 in part else 0.9

    made = adopt(4, 1.0, time, lambda: len(asked) < 2)
    assert made == [True, True, None, None]


def test_a_program_that_time_ran_out_for_is_not_called_wrong() -> None:
    left = iter([True, False])
    assert adopt(1, 1.0, lambda part: None, lambda: next(left)) == [None]


def test_any_program_that_works_is_better_than_a_default_that_does_not() -> None:
    assert adopt(1, None, lambda part: 5.0, always) == [True]
    assert adopt(0, None, lambda part: 5.0, always) == []


def test_a_difference_within_the_noise_is_left_to_the_final_round() -> None:
    asked: list[Collection[int]] = []

    def time(part: Collection[int]) -> float:
        asked.append(part)
        return 1.0005

    assert adopt(4, 1.0, time, always) == [True] * 4
    assert len(asked) == 1
