"""Rounds go where they pay: long tasks first, none to tasks without gains."""

from __future__ import annotations

from tilewright.tuning.tasks.allocation import PATIENCE, TaskHistory, next_task


def history(planned_ms: float, uses: int = 1, bound_ms: float = 0.01) -> TaskHistory:
    return TaskHistory(uses, planned_ms, bound_ms)


def with_rounds(made: TaskHistory, *times: float, trials: int = 8) -> TaskHistory:
    for number, ms in enumerate(times, 1):
        made.rounds += 1
        made.end_round(trials * number, ms, 1.0 * number)
    return made


def test_every_task_gets_a_first_round_and_the_longest_is_first() -> None:
    tasks = [history(1.0), history(1.0, uses=3), history(2.0)]
    order: list[int] = []
    for _ in tasks:
        chosen = next_task(tasks, [0, 1, 2])
        assert chosen is not None
        order.append(chosen)
        with_rounds(tasks[chosen], 0.5)
    assert order == [1, 2, 0]


def test_planned_kernels_come_before_those_of_other_structures() -> None:
    other = TaskHistory(1, 3.0, 0.01, is_planned=False)
    assert next_task([other, history(1.0)], [0, 1]) == 1
    assert next_task([other, with_rounds(history(1.0), 0.5)], [0, 1]) == 0


def test_a_task_that_hardly_counts_has_no_right_to_a_first_round() -> None:
    long = with_rounds(history(1.0), 1.0, 0.8)
    assert next_task([long, history(0.001, bound_ms=0.0001)], [0, 1]) == 0


def test_the_task_that_improves_gets_the_round() -> None:
    better = with_rounds(history(1.0), 1.0, 0.8, 0.7)
    steady = with_rounds(history(1.0), 0.7, 0.7, 0.7)
    assert next_task([steady, better], [0, 1]) == 1


def test_uses_count() -> None:
    once = with_rounds(history(1.0), 1.0, 0.9)
    often = with_rounds(history(0.5, uses=24), 0.5, 0.45)
    assert next_task([once, often], [0, 1]) == 1


def test_a_slow_round_must_promise_more() -> None:
    quick = with_rounds(history(1.0), 1.0, 0.9)
    slow = with_rounds(history(1.1), 1.1, 0.99)
    slow.seconds = 20.0
    assert next_task([slow, quick], [0, 1]) == 1


def test_a_task_near_its_bound_is_done() -> None:
    near = with_rounds(history(1.0, bound_ms=0.5), 1.0, 0.52)
    far = with_rounds(history(0.1, bound_ms=0.01), 0.1, 0.1)
    assert near.is_done
    assert next_task([near, far], [0, 1]) == 1
    assert next_task([near], [0]) is None


def test_a_task_without_gains_is_done_after_some_trials() -> None:
    made = with_rounds(history(1.0), 1.0)
    assert not made.is_done
    for trials in range(16, 16 + PATIENCE + 1, 8):
        made.end_round(trials, 0.999, 1.0)
    assert made.is_done


def test_a_gain_in_the_second_half_of_the_trials_keeps_a_task_open() -> None:
    made = history(1.0)
    made.rounds = 12
    for trials, ms in [(8, 1.0), (60, 0.9), (96, 0.9)]:
        made.end_round(trials, ms, 1.0)
    assert not made.is_done
    made.end_round(130, 0.9, 1.0)
    assert made.is_done


def test_a_task_that_never_ran_is_given_up() -> None:
    made = history(1.0)
    made.rounds = 4
    made.end_round(PATIENCE, None, 1.0)
    assert made.is_done


def test_a_task_of_which_nothing_works_yet_gets_a_round_whatever_its_estimate() -> None:
    """An attention kernel whose estimate was below its bound got no second round."""
    failing = history(0.043, bound_ms=0.0438)
    failing.rounds = 1
    failing.end_round(4, None, 1.0)
    steady = with_rounds(history(0.066, bound_ms=0.04), *[0.066] * 12, trials=1)
    assert next_task([steady, failing], [0, 1]) == 1
    failing.end_round(PATIENCE, None, 4.0)
    assert failing.is_done
