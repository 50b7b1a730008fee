"""Decisions of the planner that are made the other way."""

from __future__ import annotations

import pytest

from support.structure_works import WORKS, Written
from tilewright.codegen.targets import TARGETS
from tilewright.payloads import (
    Payload,
    Scalar,
    cast,
    elementwise,
    exp,
    linear,
    reduce,
    relu,
    rmsnorm,
    rsqrt,
)
from tilewright.pipeline import parse_payload
from tilewright.planning.grouping.changes import NO_CHANGES, Change, Changes, Kind
from tilewright.planning.plan import Plan, plan


def planned(payload: Payload | Written, changes: Changes = NO_CHANGES) -> Plan:
    module = parse_payload(payload.text())
    return plan(module, TARGETS["h200"], changes=changes, margin=1.0)


def kernels(found: Plan) -> list[set[str]]:
    """The names of the ops of each kernel, without fills."""
    return [
        {facts.name for facts in group.ops if facts.role != "fill"}
        for group in found.grouping.groups
    ]


def changed(found: Plan) -> dict[str, Changes]:
    """The changes of the open decisions, by what the first of them does."""
    names = {facts.number: facts.name for facts in found.analysis.ops}
    return {
        f"{'+'.join(names[op] for op in min(one.changes).ops)} "
        f"{min(one.changes).kind}": one.changes
        for one in found.grouping.decisions
    }


def two_works() -> Payload:
    """Two works of equal size that share nothing."""
    p = Payload("two_works")
    x, y = (p.input(name, (4096, 4096), "f32") for name in "xy")
    p.output(relu(x), exp(y))
    return p


def sum_for_two_readers() -> Payload:
    """A sum of four tensors that two kernels read: the sum is less than they are."""
    p = Payload("sum_for_two_readers")
    a, b, c, d = (p.input(name, (4096, 4096), "f32") for name in "abcd")

    def mixed(a: Scalar, b: Scalar, c: Scalar, d: Scalar) -> Scalar:
        return a + b + c + d

    all_four = elementwise(mixed, a, b, c, d, dtype="f16")
    p.output(reduce("max", all_four, axis=0), reduce("sum", all_four, axis=1))
    return p


def layers(count: int) -> Payload:
    """Equal layers: a rmsnorm, a linear layer, a relu, a residual."""
    p = Payload("layers")
    x = p.input("x", (2048, 1024), "f16")
    for number in range(count):
        g = p.input(f"g{number}", (1024,), "f16")
        w = p.input(f"w{number}", (1024, 1024), "f16")
        x = x + relu(linear(rmsnorm(x, g), w))
    p.output(x)
    return p


def test_a_merge_that_was_made_may_be_left_out() -> None:
    payload = WORKS["softmax_of_a_matmul"]()
    found = planned(payload)
    assert len(found.grouping.groups) == 1
    other = planned(payload, changed(found)["product+exponential apart"])
    assert kernels(other) == [
        {"product"},
        {"largest", "exponential", "total_2", "softmax"},
    ]


def test_an_op_goes_to_the_other_kernel_if_it_may_not_go_to_the_first() -> None:
    payload = WORKS["two_layers"]()
    found = planned(payload)
    assert kernels(found) == [{"product", "linear"}, {"product_2", "linear_2"}]
    other = planned(payload, changed(found)["product+linear apart"])
    assert kernels(other) == [{"product"}, {"linear", "product_2", "linear_2"}]


def test_kernels_that_stay_apart_may_be_one() -> None:
    # As one they save 3%, and what shares nothing must save 5%.
    payload = two_works()
    found = planned(payload)
    assert kernels(found) == [{"relu"}, {"exp"}]
    (decision,) = found.grouping.decisions
    assert 0.95 < decision.ratio < 1
    assert kernels(planned(payload, decision.changes)) == [{"relu", "exp"}]


def test_what_several_kernels_compute_may_be_stored() -> None:
    payload = WORKS["gate_of_two_readers"]()
    found = planned(payload)
    assert [facts.name for facts in found.grouping.shared] == ["sigmoid"]
    other = planned(payload, changed(found)["sigmoid stored"])
    assert not other.grouping.shared
    assert sum("sigmoid" in kernel for kernel in kernels(other)) == 1


def test_what_is_stored_may_be_computed_again() -> None:
    payload = sum_for_two_readers()
    found = planned(payload)
    assert not found.grouping.shared
    asked = changed(found)["mixed recomputed"]
    assert [f.name for f in planned(payload, asked).grouping.shared] == ["mixed"]


@pytest.mark.slow
def test_equal_layers_change_together() -> None:
    found = planned(layers(3))
    assert changed(found).keys() == changed(planned(layers(2))).keys()
    assert {len(changes) for changes in changed(found).values()} == {3}
    other = planned(layers(3), changed(found)["product+linear apart"])
    assert (
        sum(
            kernel == {f"product{n}"}
            for n in ("", "_2", "_3")
            for kernel in kernels(other)
        )
        == 3
    )


def test_a_chain_that_is_streamed_may_be_kernels_apart() -> None:
    payload = WORKS["attention_and_projection"]()
    found = planned(payload)
    other = planned(payload, changed(found)["softmax+product_2 apart"])
    assert found.grouping.groups[0].stream is not None
    assert all(group.stream is None for group in other.grouping.groups)


def test_a_change_that_no_kernel_can_have_is_left_out() -> None:
    payload = WORKS["two_layers"]()
    found = planned(payload)
    sinks = tuple(group.sink.number for group in found.grouping.groups)
    asked = frozenset({Change(Kind.JOINED, sinks)})
    assert kernels(planned(payload, asked)) == kernels(found)


@pytest.mark.slow
def test_what_several_kernels_compute_is_in_no_matmuls_loop() -> None:
    """A step that computes it again puts it into the grid, not into the loop."""
    p = Payload("cast_for_norm_and_matmul")
    x, w = p.input("x", (4096, 1024), "bf16"), p.input("w", (1024, 1024), "bf16")
    wide = cast(x, "f32")
    scale = rsqrt(reduce("sum", wide * wide, axis=1, keepdims=True) + 1.0)
    p.output(cast(wide * scale, "bf16") @ w)
    found = planned(p)
    for one in found.grouping.decisions:
        other = planned(p, one.changes).grouping
        assert not any(set(other.shared) & group.prologues for group in other.groups)
