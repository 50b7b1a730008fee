"""Each wrong barrier of a generated kernel is found, with the schedule's line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from support.codegen.specialized import ATTENTION, SMALL, built, causal, product
from tilewright.inspect.verify_each import VerifyEach
from tilewright.inspect.verify_warps import verify_warps
from tilewright.ir.dialects.warps import (
    ArriveOp,
    BarriersOp,
    DotWaitOp,
    ExpectOp,
    FenceOp,
    StoreWaitOp,
    SyncOp,
    WaitOp,
)
from tilewright.ir.errors import CompilerBug
from tilewright.pipeline import parse_payload

PRODUCT = product(), "gemm.tw", SMALL | {"persistent": 1, "parts": 2, "BN": 128}
STREAM = (
    causal(384),
    "attention_causal.tw",
    ATTENTION | {"persistent": 1, "ping_pong": 1, "ahead": 2, "pinned": 1},
)


def _drop(op: Operation) -> None:
    op.detach()
    op.erase()


def _more(name: str) -> Callable[[Any], None]:
    def change(op: Any) -> None:
        number = op.properties[name]
        op.properties[name] = type(number)(number.value.data + 1, number.type)

    return change


def _twice(op: Operation) -> None:
    assert op.parent is not None
    op.parent.insert_op_after(op.clone(), op)


MISTAKES: dict[str, tuple[type[Operation], Callable[[Any], None]]] = {
    "no wait": (WaitOp, _drop),
    "no arrival": (ArriveOp, _drop),
    "two arrivals": (ArriveOp, _twice),
    "no bytes": (ExpectOp, _drop),
    "too many bytes": (ExpectOp, _more("bytes")),
    "too many arrivals": (BarriersOp, _more("arrivals")),
    "a weak wait": (DotWaitOp, _more("pending")),
    "no fence": (FenceOp, _drop),
    "no sync": (SyncOp, _drop),
    "no wait for a store": (StoreWaitOp, _drop),
}


@cache
def kernel(payload: str, schedule: str, point: tuple[tuple[str, Any], ...]) -> ModuleOp:
    return built(payload, schedule, dict(point)).kernel


def survivors(case: Any, kinds: Iterator[str]) -> list[str]:
    """The mistakes that nobody finds."""
    payload, schedule, point = case
    module = kernel(payload, schedule, tuple(point.items()))
    questions = VerifyEach(parse_payload(payload)).questions
    found: list[str] = []
    for kind in kinds:
        of, change = MISTAKES[kind]
        count = sum(isinstance(op, of) for op in module.walk())
        assert count, kind
        for number in range(count):
            wrong = module.clone()
            op = [op for op in wrong.walk() if isinstance(op, of)][number]
            slots = getattr(op, "barriers", None)
            change(op)
            try:
                verify_warps(wrong, questions)
            except CompilerBug as error:
                assert f"{schedule}:" in str(error), "the line of the schedule"
            else:
                found.append(f"{kind} {slots and slots.name_hint}")
    return found


@pytest.mark.parametrize("kind", ["no wait", "two arrivals", "no sync"])
def test_a_wrong_barrier_of_a_product_is_found(kind: str) -> None:
    assert not survivors(PRODUCT, iter([kind]))


@pytest.mark.slow
def test_all_wrong_barriers_of_a_product_are_found() -> None:
    assert not survivors(PRODUCT, iter(MISTAKES))


@pytest.mark.slow
def test_all_wrong_barriers_of_attention_are_found() -> None:
    """But for waits that others imply: a turn is passed on by a group that has waited
    for the same tile, and the slots of keys are released after those of the rows."""
    implied = {"turns", "k_full", "v_full", "q_empty"}
    found = {one.removeprefix("no wait ") for one in survivors(STREAM, iter(MISTAKES))}
    assert found <= implied
