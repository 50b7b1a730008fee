"""A kernel of a plan as a payload of its own: the same structure, and right numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.codegen.targets import target_named
from tilewright.ir.text import to_text
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, Tensor, attention, gated_mlp, linear, rmsnorm
from tilewright.pipeline import build, parse_payload
from tilewright.planning.alone import planned_alone, whole_point
from tilewright.planning.plan import Plan, plan
from tilewright.planning.recorded import signature_of
from tilewright.tuning.space.read import read_space

H200 = target_named("h200")


def block(rows: int = 32, width: int = 32, heads: int = 2, hidden: int = 48) -> Payload:
    """A transformer's layer."""
    p = Payload("block")
    x = p.input("x", (rows, width), "f16")

    def weight(name: str, *shape: int) -> Tensor:
        return p.input(name, shape, "f16")

    def heads_of(each: Tensor) -> Tensor:
        return each.reshape(rows, heads, width // heads).transpose(1, 0, 2)

    h = rmsnorm(x, weight("g", width))
    q, k, v = (heads_of(linear(h, weight(name, width, width))) for name in "qkv")
    seen = attention(q, k, v, causal=True).transpose(1, 0, 2).reshape(rows, width)
    x = linear(seen, weight("o", width, width), residual=x)
    h = rmsnorm(x, weight("n", width))
    gate, up = weight("gate", width, hidden), weight("up", width, hidden)
    p.output(x + gated_mlp(h, gate, up, weight("down", hidden, width)))
    return p


def planned_block() -> Plan:
    return plan(parse_payload(block().text()), H200)


def test_each_kernel_has_the_candidates_of_the_whole_plan() -> None:
    whole = planned_block()
    assert len(whole.kernels) > 3
    for kernel in whole.kernels:
        alone = planned_alone(whole, kernel)
        assert alone is not None
        shown = [(c.sketch.label, c.point, c.knobs) for c in kernel.candidates]
        assert [
            (c.sketch.label, c.point, c.knobs) for c in alone.kernel.candidates
        ] == shown
        assert np.isclose(
            alone.kernel.candidates[0].sketch.seconds(kernel.candidates[0].point),
            kernel.candidates[0].seconds,
        )
        assert signature_of(alone.kernel.group, "h200") == signature_of(
            kernel.group, "h200"
        )


@pytest.mark.slow
def test_the_choices_of_all_kernels_are_those_of_the_whole_schedule() -> None:
    whole = planned_block()
    names: set[str] = set()
    point: dict[str, object] = {}
    for kernel in whole.kernels:
        alone = planned_alone(whole, kernel)
        assert alone is not None
        space = read_space(alone.plan.schedule.module)
        names |= whole_point(whole, kernel, dict.fromkeys(space.choices, 0)).keys()
        default = space.default_point()
        assert default is not None
        point |= whole_point(whole, kernel, default)
    space = read_space(whole.schedule.module)
    assert names == set(space.choices)
    assert point == space.default_point()


@pytest.mark.slow
def test_kernels_alone_compute_their_ops() -> None:
    whole = planned_block()
    for kernel in whole.kernels:
        alone = planned_alone(whole, kernel)
        assert alone is not None
        alone.payload.verify()
        built = build(alone.payload, alone.plan.schedule)
        case = make_case(alone.payload, 0)
        compared = check_kernel_ir(built, case)
        assert compared.ok, (kernel.number, compared.message)


def test_equal_kernels_have_equal_texts_whatever_their_names() -> None:
    texts: list[str] = []
    for name in ("first", "second"):
        p = Payload(name)
        x = p.input(f"{name}_x", (64, 32), "f16")
        y = linear(x, p.input(f"{name}_w", (32, 48), "f16"))
        p.output(y.named(f"{name}_y"))
        whole = plan(parse_payload(p.text()), H200)
        alone = planned_alone(whole, whole.kernels[-1])
        assert alone is not None
        texts.append(to_text(alone.payload) + alone.plan.text)
    assert texts[0] == texts[1]
