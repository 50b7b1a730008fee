"""The tasks of a plan: equal kernels are one, and points go back to the whole."""

from __future__ import annotations

import random

import pytest

from tilewright.codegen.targets import target_named
from tilewright.payloads import Payload, linear, softmax
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import Plan, plan
from tilewright.tuning.space.read import read_space
from tilewright.tuning.tasks.kernel_tasks import extract_tasks


def layers(count: int) -> Plan:
    """Linear layers with a softmax behind each, then two more."""
    p = Payload("layers")
    x = p.input("x", (512, 512), "f16")
    for number in range(count):
        x = softmax(linear(x, p.input(f"w{number}", (512, 512), "f16")))
    up, down = p.input("up", (512, 1024), "f16"), p.input("down", (1024, 512), "f16")
    p.output(linear(linear(x, up, activation="relu"), down))
    return plan(parse_payload(p.text()), target_named("h200"))


@pytest.mark.slow
def test_equal_kernels_are_one_task() -> None:
    few, many = extract_tasks(layers(2)), extract_tasks(layers(6))
    assert len(few.tasks) == len(many.tasks)
    assert not few.fixed
    assert sum(task.uses for task in few.tasks) + 8 == sum(
        task.uses for task in many.tasks
    )


def test_the_longest_task_is_first() -> None:
    tasks = extract_tasks(layers(6)).tasks
    times = [task.planned_ms * task.uses for task in tasks]
    assert times == sorted(times, reverse=True)
    assert all(0 < task.bound_ms < task.planned_ms for task in tasks)


@pytest.mark.slow
def test_points_of_all_tasks_are_a_point_of_the_whole() -> None:
    whole = layers(3)
    point: dict[str, int | float | bool | str] = {}
    for task in extract_tasks(whole).tasks:
        point |= task.in_whole(whole, task.space.sample(random.Random(1)))
    space = read_space(whole.schedule.module)
    assert space.why_not(point) is None
    assert point != space.default_point()
