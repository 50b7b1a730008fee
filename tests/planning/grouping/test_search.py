"""When groups become one kernel: by estimates that the tests give, and by limits."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.payloads import Payload, Tensor, elementwise, matmul
from tilewright.pipeline import parse_payload
from tilewright.planning.analysis.dataflow import Analysis, analyse
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.grouping import group_ops
from tilewright.planning.grouping.homes import Homes
from tilewright.planning.grouping.legality import why_not

Estimate = Callable[[set[int]], float]
"""The time of a kernel that computes some ops, over that of one op alone."""
SLOW = 100.0


def siblings(count: int) -> Payload:
    """Ops of one size that have no tensor in common."""
    p = Payload("f")
    p.output(*(p.input(f"x{i}", (64, 64), "f32") * 2.0 for i in range(count)))
    return p


def chain(count: int, instructions: int = 1) -> Payload:
    """Ops of some instructions each, which read the one before."""

    def of(x: Tensor) -> Tensor:
        for _ in range(instructions):
            x = x * 2.0
        return x

    p = Payload("f")
    x = p.input("x", (64, 64), "f32")
    for _ in range(count):
        x = elementwise(of, x)  # type: ignore[arg-type]
    p.output(x)
    return p


def stored_chain(count: int) -> Payload:
    """The same with every result stored: it depends on estimates what is merged."""
    p = Payload("f")
    made = [p.input("x", (64, 64), "f32")]
    for _ in range(count):
        made.append(made[-1] * 2.0)
    p.output(*made[1:])
    return p


def analysed(payload: Payload) -> Analysis:
    return analyse(parse_payload(payload.text()))


def kernels(payload: Payload, estimate: Estimate) -> list[list[int]]:
    """The ops of each kernel, counted from 0."""
    analysis = analysed(payload)
    at = {facts: number for number, facts in enumerate(analysis.plannable)}

    def seconds(group: Group) -> float:
        ops = {at[facts] for facts in group.ops}
        return 1e-5 * (1.0 if len(ops) == 1 else estimate(ops))

    found = group_ops(analysis, TARGETS["h200"], seconds).groups
    return [[at[facts] for facts in group.ops] for group in found]


@pytest.mark.parametrize(("time", "count"), [(1.88, 1), (1.92, 2)])
def test_siblings_have_to_save_a_twentieth(time: float, count: int) -> None:
    assert len(kernels(siblings(2), lambda ops: time)) == count


@pytest.mark.parametrize(("time", "count"), [(2.02, 1), (2.06, 2)])
def test_a_reader_may_be_a_fiftieth_slower(time: float, count: int) -> None:
    assert len(kernels(stored_chain(2), lambda ops: time)) == count


@pytest.mark.parametrize(("other", "count"), [(3, 4), (4, 5)])
def test_siblings_are_compared_to_three_others(other: int, count: int) -> None:
    found = kernels(siblings(5), lambda ops: 1.0 if ops == {0, other} else SLOW)
    assert len(found) == count


@pytest.mark.parametrize(("length", "count"), [(5, 1), (6, 6)])
def test_up_to_five_groups_become_one_at_once(length: int, count: int) -> None:
    def time(ops: set[int]) -> float:
        return 1.0 if len(ops) == length else SLOW

    assert len(kernels(stored_chain(length), time)) == count


def reason(analysis: Analysis, sinks: list[OpFacts] | None = None) -> str | None:
    """Why all ops of a payload may not be one kernel."""
    ops = list(analysis.plannable)
    homes = Homes(analysis, [Group([facts]) for facts in ops])
    last = sinks or ops[-1:]
    both = Group(ops, also_sinks=last[:-1], leaving=set(last))
    return why_not(homes, list(homes.groups), both)


@pytest.mark.slow
@pytest.mark.parametrize("count", [192, 193])
def test_a_kernel_has_192_ops(count: int) -> None:
    found = reason(analysed(chain(count)))
    assert (found or "").startswith("together they have more than") is (count > 192)


@pytest.mark.parametrize("instructions", [160, 161])
def test_an_element_takes_320_instructions(instructions: int) -> None:
    found = reason(analysed(chain(2, instructions)))
    is_long = (found or "").startswith("together they compute more than")
    assert is_long is (instructions > 160)


@pytest.mark.parametrize("count", [2, 3])
def test_two_matmuls_have_one_tail(count: int) -> None:
    p = Payload("f")
    x = p.input("x", (64, 64), "f16")
    made = [matmul(x, p.input(f"w{i}", (64, 64), "f16")) for i in range(count)]
    p.output(elementwise(lambda *all: sum(all[1:], all[0]), *made))
    found = reason(analysed(p))
    too_many = "registers do not hold tiles of 3 matmuls"
    assert (found == too_many) is (count > 2)


@pytest.mark.parametrize("count", [3, 4])
def test_three_matmuls_have_a_result_each(count: int) -> None:
    p = Payload("f")
    x = p.input("x", (64, 64), "f16")
    p.output(*(matmul(x, p.input(f"w{i}", (64, 64), "f16")) for i in range(count)))
    analysis = analysed(p)
    sinks = [f for f in analysis.plannable if f.role == Role.CONTRACTION]
    found = reason(analysis, sinks)
    too_many = "registers do not hold tiles of 4 matmuls"
    assert (found == too_many) is (count > 3)
