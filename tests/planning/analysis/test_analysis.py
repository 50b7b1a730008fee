"""Facts about single ops, and what depends on what."""

from __future__ import annotations

import pytest

from support.planned_kernels import planned
from tilewright.codegen.targets import TARGETS
from tilewright.codegen.targets.limits import Limit
from tilewright.payloads import Payload, relu, rmsnorm
from tilewright.pipeline import parse_payload
from tilewright.planning.analysis.bounds import bound_of, holds_row, reuses
from tilewright.planning.analysis.dataflow import Analysis, analyse
from tilewright.planning.analysis.facts import OpFacts, Role

H200 = TARGETS["h200"]


def analysed(payload: Payload) -> Analysis:
    return analyse(parse_payload(payload.text()))


def named(analysis: Analysis, name: str) -> OpFacts:
    (found,) = (facts for facts in analysis.ops if facts.name == name)
    return found


def matmul(m: int, n: int, k: int) -> OpFacts:
    p = Payload("f")
    p.output(p.input("a", (m, k), "bf16") @ p.input("b", (k, n), "bf16"))
    return named(analysed(p), "product")


def test_a_product_has_its_loops_its_work_and_its_reuse() -> None:
    facts = matmul(256, 512, 128)
    assert facts.role == Role.CONTRACTION
    assert facts.extents == (256, 512, 128)
    assert facts.reduced == (2,)
    assert facts.flops == 2 * 256 * 512 * 128
    assert facts.read_bytes == 2 * (256 + 512) * 128 + 4 * 256 * 512
    assert [(r.loops, r.times) for r in reuses(facts)] == [((1,), 512), ((0,), 256)]


@pytest.mark.parametrize(
    ("sizes", "limit"),
    [((4096, 4096, 4096), Limit.ARITHMETIC), ((1, 4096, 4096), Limit.MEMORY)],
)
def test_the_limit_of_a_product_depends_on_its_shape(
    sizes: tuple[int, int, int], limit: Limit
) -> None:
    assert bound_of(matmul(*sizes), H200).limit() == limit


def test_roles_follow_from_loops_and_bodies() -> None:
    p = Payload("f")
    x = p.input("x", (64, 32), "f32")
    p.output(rmsnorm(x, p.input("w", (32,), "f32")), relu(x), x.sum(0))
    roles = [facts.role for facts in analysed(p).ops]
    assert roles.count(Role.REDUCTION) == 2
    assert roles.count(Role.FILL) == 2
    assert set(roles) == {Role.REDUCTION, Role.FILL, Role.ELEMENTWISE}


@pytest.mark.parametrize(
    ("columns", "where"), [(1000, "registers"), (50_000, "shared memory")]
)
def test_a_row_fits_registers_or_shared_memory_or_nothing(
    columns: int, where: str
) -> None:
    p = Payload("f")
    p.output(p.input("x", (8, columns), "f32").max(1))
    (facts,) = (f for f in analysed(p).ops if f.reduced)
    assert holds_row(facts, H200) == where
    p = Payload("f")
    p.output(p.input("x", (8, 200_000), "f32").max(1))
    (facts,) = (f for f in analysed(p).ops if f.reduced)
    assert holds_row(facts, H200) == "memory"


def test_readers_are_found_behind_views_and_dead_ops_are_left_out() -> None:
    p = Payload("f")
    x = relu(p.input("x", (8, 16), "f32"))
    y = relu(x.reshape(4, 32))
    relu(y)  # nobody reads it
    p.output(y)
    analysis = analysed(p)
    first, second, dead = analysis.ops
    assert analysis.plannable == (first, second)
    assert analysis.escapes(first) and not analysis.uses(first)
    assert list(analysis.readers(first)) == [second]
    assert dead not in planned(p).kernels[0].group.ops
