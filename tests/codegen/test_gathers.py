"""Kernels that gather: lookups in tables, flips, reflections, picked elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from support.payload_results import results_of
from support.planned_kernels import assert_right
from tilewright.ir.errors import UserError
from tilewright.payloads import (
    Payload,
    elementwise,
    embedding,
    exp,
    gather,
    index,
    linear,
    logsumexp,
    rmsnorm,
    softmax,
    take_along,
    where,
)
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule


def looked_up(p: Payload) -> None:
    ids, table = p.input("ids", (4, 33), "i64"), p.input("table", (100, 96), "f16")
    p.output(embedding(ids, table))


def normalized(p: Payload) -> None:
    ids, table = p.input("ids", (64,), "i32"), p.input("table", (100, 48), "f16")
    p.output(rmsnorm(embedding(ids, table), p.input("g", (48,), "f16")))


def projected(p: Payload) -> None:
    ids, table = p.input("ids", (32,), "i64"), p.input("table", (100, 64), "f16")
    p.output(linear(embedding(ids, table), p.input("w", (64, 32), "f16")))


def from_a_computed_table(p: Payload) -> None:
    ids, table = p.input("ids", (33,), "i64"), p.input("table", (40, 20), "f32")
    p.output(embedding(ids, exp(table)) + 1.0)


def along_an_axis(p: Payload) -> None:
    x, at = p.input("x", (16, 40), "f32"), p.input("at", (16, 7), "i64")
    p.output(take_along(softmax(x, -1), at, 1))


def picked_logits(p: Payload) -> None:
    x, target = p.input("x", (16, 100), "f32"), p.input("target", (16,), "i64")
    loss = elementwise(
        lambda total, at: total - gather(x, index(0), at), logsumexp(x, -1), target
    )
    p.output(loss)


def two_tables(p: Payload) -> None:
    first, second = p.input("first", (33,), "i64"), p.input("second", (50,), "i64")
    table = p.input("table", (40,), "f32")
    p.output(
        elementwise(lambda a: gather(table, gather(second, a)), first, dtype="f32")
    )


def flipped(p: Payload) -> None:
    x = p.input("x", (7, 13), "f32")
    p.output(p.generate(lambda i, j: gather(x, 6 - i, 12 - j), (7, 13), "f32") + x)


def reflected(p: Payload) -> None:
    x = p.input("x", (8, 16), "f32")

    def inside(i, size):
        i = where(i < 2, 2 - i, i - 2)
        return where(i >= size, 2 * (size - 1) - i, i)

    p.output(
        p.generate(lambda i, j: gather(x, inside(i, 8), inside(j, 16)), (12, 20), "f32")
    )


QUICK = [looked_up, picked_logits, reflected]
SLOW = [
    normalized,
    projected,
    from_a_computed_table,
    along_an_axis,
    two_tables,
    flipped,
]


@pytest.mark.parametrize(
    "made", [*QUICK, *(pytest.param(one, marks=pytest.mark.slow) for one in SLOW)]
)
def test_planned_kernels_gather(made: Callable[[Payload], None]) -> None:
    p = Payload(made.__name__)
    made(p)
    assert_right(p, by_triton=made in SLOW)


def test_an_open_number_of_rows() -> None:
    p = Payload("rows")
    ids, table = p.input("ids", ("M",), "i64"), p.input("table", (100, 96), "f16")
    p.output(embedding(ids, table))
    assert_right(p, [(45,), (100, 96)])


def text_of_rows(p: Payload) -> str:
    """The source of a payload of one op, 16 rows a program."""
    schedule = Schedule.from_text(
        "schedule rows(root) {\n"
        '  op = match "linalg.generic" in root\n'
        "  op, grid = tile op by [16, 0] onto [block.x]\n"
        "}\n",
        "rows.tw",
    )
    return build(parse_payload(p.text()), schedule).program.text


def test_the_source_reads_as_written_by_hand() -> None:
    p = Payload("rows")
    ids, table = p.input("ids", (64,), "i64"), p.input("table", (100, 128), "f16")
    p.output(embedding(ids, table))
    text = text_of_rows(p)
    assert "ids = tl.load(ids_ptr + offs_m)" in text
    assert "tl.load(table_ptr + " in text


def test_one_place_for_all_lanes_has_a_pointer_for_each_lane_of_a_mask() -> None:
    p = Payload("scaled")
    x, scale = p.input("x", (100, 64), "f32"), p.input("scale", (1,), "f32")
    p.output(elementwise(lambda a: a * gather(scale, 0), x))
    text = text_of_rows(p)
    assert "tl.broadcast_to(scale_ptr + 0, (16, 64))" in text


def test_a_store_transposes_what_is_gathered() -> None:
    p = Payload("turned")
    x = p.input("x", (3, 70, 40), "f32")
    made = p.generate(
        lambda b, i, j: gather(x, b, 69 - i, where(j < 2, 2 - j, j - 2)),
        (3, 70, 42),
        "f32",
    )
    p.output(elementwise(lambda x: x, made.transpose(0, 2, 1)))
    text = assert_right(p).program.text
    assert "tl.trans(" not in text


def test_the_payload_says_what_torch_says() -> None:
    p = Payload("flip")
    x = p.input("x", (3, 4), "f32")
    p.output(p.generate(lambda i, j: gather(x, 2 - i, j), (3, 4), "f32"))
    given = np.arange(12, dtype=np.float32).reshape(3, 4)
    (flip,) = results_of(p, [given])
    assert (flip == given[::-1]).all()


def test_mistakes_name_the_tensor() -> None:
    p = Payload("wrong")
    x = p.input("x", (3, 4), "f32")
    with pytest.raises(UserError, match=r"gather: 1 indices for 'x' \(3, 4\) f32"):
        elementwise(lambda a: gather(x, 0) + a, x)
    with pytest.raises(UserError, match="gather: an index is a f32"):
        elementwise(lambda a: gather(x, a, 0), x)
    with pytest.raises(UserError, match="gather: there is no element here"):
        gather(x, 0, 0)
