"""`--verify-each` runs the roles of warps in several orders."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from support.codegen.specialized import ATTENTION, SMALL, attention, built, product
from tilewright.inspect.verify_each import VerifyEach
from tilewright.inspect.verify_warps import ORDERS, has_roles, verify_warps
from tilewright.ir.dialects.warps import ArriveOp, DotWaitOp, WaitOp
from tilewright.ir.errors import CompilerBug
from tilewright.pipeline import parse_payload


def verified(text: str, module: ModuleOp) -> int:
    return verify_warps(module, VerifyEach(parse_payload(text)).questions)


def first(module: ModuleOp, kind: type[Operation]) -> Operation:
    return next(op for op in module.walk() if isinstance(op, kind))


def test_a_right_kernel() -> None:
    module = built(product(), "gemm.tw", SMALL).kernel
    assert has_roles(module)
    assert verified(product(), module) == len(ORDERS)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("kind", "reason"), [(WaitOp, "which is not full"), (ArriveOp, "the program hangs")]
)
def test_a_barrier_too_few_is_found(kind: type[Operation], reason: str) -> None:
    point = ATTENTION | {"ping_pong": 1}
    module = built(attention(), "attention.tw", point).kernel
    op = first(module, kind)
    op.detach()
    op.erase()
    with pytest.raises(CompilerBug, match=reason):
        verified(attention(), module)


@pytest.mark.slow
def test_a_wait_that_is_too_weak_is_found() -> None:
    module = built(attention(), "attention.tw", ATTENTION).kernel
    waits = [op for op in module.walk() if isinstance(op, DotWaitOp)]
    late = next(op for op in waits if op.pending.value.data == 1)
    late.properties["pending"] = type(late.pending)(2, late.pending.type)
    with pytest.raises(CompilerBug, match="a product that may still run"):
        verified(attention(), module)
