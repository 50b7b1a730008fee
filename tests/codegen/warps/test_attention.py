"""Attention by warps with roles: late products, turns, masks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from support.codegen.specialized import (
    ATTENTION,
    ORDERS,
    Point,
    assert_right,
    assert_runs_right,
    attention,
    built,
    causal,
)
from support.paths import EXAMPLES
from tilewright import payloads
from tilewright.codegen.runtime.compile import compile_program
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.payloads import Payload
from tilewright.pipeline import Built

SLOW = pytest.mark.slow

CHANGES: list[Point] = [
    {},
    {"persistent": 1},
    {"ring": 1},
    {"consumers": 1},
    {"ring": 3, "persistent": 1},
    {"products": "plain"},
    {"products": "plain", "persistent": 1, "ring": 1},
]


@pytest.mark.sampled(20)
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_attention(change: Point) -> None:
    assert_right(attention(), "attention.tw", ATTENTION | change)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_masked_attention(change: Point) -> None:
    """The first tile has fewer steps than the late part needs to be in the loop."""
    assert_right(causal(), "attention_causal.tw", ATTENTION | change)


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ["attention.tw", "attention_causal.tw"])
def test_tiles_of_keys_that_are_wider_than_the_values(schedule: str) -> None:
    payload = attention(384) if schedule == "attention.tw" else causal(384)
    assert_right(payload, schedule, ATTENTION | {"BN": 128})


@pytest.mark.sampled(50)
@pytest.mark.parametrize("change", [{}, {"persistent": 1, "ring": 3}, {"ring": 1}])
@pytest.mark.parametrize("schedule", ["attention.tw", "attention_causal.tw"])
def test_groups_that_take_turns(change: Point, schedule: str) -> None:
    payload = attention() if schedule == "attention.tw" else causal()
    point = ATTENTION | {"ping_pong": 1, "pinned": 1} | change
    made = assert_right(payload, schedule, point)
    assert "_pin(" in made.program.text


@pytest.mark.parametrize("is_causal", [False, pytest.param(True, marks=SLOW)])
def test_attention_of_bytes(is_causal: bool, tmp_path: Path) -> None:
    """Weights of a byte stay in registers, values lie along the keys in memory."""
    p = Payload("attention")
    query, key = (p.input(name, (1, 1, 256, 64), "f8E4M3FN") for name in "qk")
    value = p.input("v", (1, 1, 64, 256), "f8E4M3FN")
    p.output(payloads.attention(query, key, value.T, causal=is_causal))
    schedule = "attention_causal.tw" if is_causal else "attention.tw"
    point = ATTENTION | {"persistent": 1, "ping_pong": 1}
    made = assert_right(p.text(), schedule, point, orders=ORDERS[2:4])
    assert "k_width=4" in made.program.text
    (stats,) = compile_program(made.program, target_named("h200"), tmp_path, ())
    assert stats.wgmma and not stats.spill_bytes


@pytest.mark.slow
@pytest.mark.parametrize("change", [{"products": "plain"}, {"ping_pong": 1}], ids=str)
@pytest.mark.parametrize("window", [256, 100])
def test_a_window(change: Point, window: int) -> None:
    """Loops before and after the whole tiles; the first step has no fixed place."""
    point = ATTENTION | {"persistent": 1} | change
    assert_right(causal(384, window=window), "attention_causal.tw", point)


@pytest.mark.parametrize(
    "change", [{"ping_pong": 1}, pytest.param({"ring": 1}, marks=pytest.mark.slow)]
)
def test_the_next_rows_are_loaded_ahead(change: Point) -> None:
    """Each group has barriers of its own for its rows, two slots of them."""
    point = ATTENTION | {"persistent": 1, "ahead": 2} | change
    made = assert_right(causal(384), "attention_causal.tw", point)
    text = to_text(made.kernel)
    assert "%q_empty = warps.barriers arrivals 1 : !warps.barriers<4>" in text
    assert "%q_ring = warps.ring : !warps.ring<4 x" in text


def test_rows_ahead_need_a_program_that_goes_on() -> None:
    schedule = (EXAMPLES / "specialized" / "attention.tw").read_text()
    schedule = schedule.replace("  require ahead == 1 or persistent == 1\n", "")
    with pytest.raises(UserError) as raised:
        built(attention(), schedule, ATTENTION | {"ahead": 2})
    assert "'triton.ring' changes nothing here: a program has one tile" in (
        raised.value.fact
    )


LEAST, MOST = -(2**31), 2**31 - 1
STARTS = {
    "sorted": np.arange(256) // 100 * 100,
    "any": np.random.default_rng(0).integers(-9, 256, 256),
    "nothing is seen": np.full(256, MOST),
    "everything is seen": np.full(256, LEAST),
}


@cache
def from_a_first_key() -> tuple[str, Built]:
    """A payload that reads where each row begins, and what it becomes."""
    p = Payload("attention")
    query, key, value = (p.input(name, (1, 1, 256, 64), "f16") for name in "qkv")
    first = p.input("first", (1, 256), "i32")
    p.output(
        payloads.attention(query, key, value, causal=True, key_range=(first, None))
    )
    point = ATTENTION | {"ping_pong": 1, "persistent": 1}
    return p.text(), built(p.text(), "attention_causal.tw", point)


@pytest.mark.slow
@pytest.mark.sampled(8)
@pytest.mark.parametrize("kind", STARTS)
def test_where_a_row_begins_is_data(kind: str) -> None:
    """Loops that may have no iteration keep one; the loader reduces the data too."""
    payload, made = from_a_first_key()
    integers = STARTS[kind].astype(np.int32)[None]
    assert_runs_right(made, payload, integers, ORDERS[2:5])
    program = made.program.text
    load = program.split("def attention_kernel_load")[1]
    assert "gl.min(first" in load, "the loader computes where it begins"


@pytest.mark.slow
def test_documents_are_searched_by_the_loader_too() -> None:
    p = Payload("attention")
    query, key, value = (p.input(name, (1, 1, 256, 64), "f16") for name in "qkv")
    ids = p.input("ids", (1, 256), "i32")
    p.output(payloads.attention(query, key, value, causal=True, documents=ids))
    point = ATTENTION | {"ping_pong": 1, "persistent": 1}
    for integers in (
        np.sort(np.random.default_rng(0).integers(0, 4, 256)),
        STARTS["any"],
    ):
        given = integers.astype(np.int32)[None]
        assert_right(p.text(), "attention_causal.tw", point, given)


@pytest.mark.slow
def test_grouped_heads() -> None:
    p = Payload("attention")
    query = p.input("q", (1, 4, 256, 64), "f16")
    key, value = (p.input(name, (1, 2, 256, 64), "f16") for name in "kv")
    p.output(payloads.attention(query, key, value, causal=True))
    assert_right(p.text(), "attention_gqa.tw", ATTENTION | {"ping_pong": 1})


@pytest.mark.slow
def test_four_groups_take_turns() -> None:
    text = (EXAMPLES / "specialized" / "attention.tw").read_text()
    text = text.replace("consumers = knob [1, 2] default 2", "consumers = 4")
    point = ATTENTION | {"BM": 256, "BN": 32, "ping_pong": 1}
    assert_right(
        attention(), text, {k: v for k, v in point.items() if k != "consumers"}
    )


@pytest.mark.slow
def test_the_parts_of_a_split_loop_share_their_rings() -> None:
    text = to_text(built(causal(), "attention_causal.tw", ATTENTION).kernel)
    assert text.count("= warps.ring") == 4, "queries, keys, values, results"
    program = built(causal(), "attention_causal.tw", ATTENTION).program.text
    compute = program.split("@gluon.jit")[1]
    whole = compute.split("for ")[1]
    assert "gl.where" not in whole, "the loop over whole tiles has no mask"


def test_exponentials_are_computed_while_a_product_runs() -> None:
    """Both products start, the first is waited for, and the second after the rest."""
    text = built(attention(), "attention.tw", ATTENTION).program.text
    loop = text.split("@gluon.jit")[1].split("for n in ")[1].split("\n\n")[0]
    steps = ("warpgroup_mma(", "warpgroup_mma(", "mma_wait(1", "exp2(", "mma_wait(\n")
    at = 0
    for step in steps:
        at = loop.index(step, at) + 1
    assert "softmax3" in loop[at:].split(")")[0], "what passes on is tied to the wait"


@pytest.mark.slow
def test_masked_attention_with_a_loop_of_its_own_length() -> None:
    """The loader stops where the consumers do."""
    schedule = """schedule s(root) {
      func = match "func.func" in root
      out  = match implementing [LinalgOp] in root at [-1]
      exp2 func
      out, grid = tile out by [1, 1, 128] onto [block.z, block.y, block.x]
      ops       = match implementing [LinalgOp] in root
      ops, grid = fuse_all ops into grid
      values, loop = stream grid by 64
      loop = trim loop
      launch grid descriptors = "where_legal" persistent = 1
      stage loop in 2
      specialize grid consumers = 2
    }"""
    assert_right(causal(), schedule, {})


@pytest.mark.parametrize(
    ("statement", "fact", "remedy"),
    [
        ("overlap loop ping_pong = 1", "needs another one of the same step", "'delay'"),
        (
            "overlap loop ping_pong = 1 // alone",
            "one group of warps has nobody to take turns with",
            "consumers = 2",
        ),
        ("overlap loop pinned = 1 // no roles", "'triton.pinned' needs groups", "spec"),
    ],
)
def test_turns_that_are_refused(statement: str, fact: str, remedy: str) -> None:
    text = (EXAMPLES / "specialized" / "attention.tw").read_text()
    text = text.replace("overlap loop ping_pong = ping_pong pinned = pinned", statement)
    text = "\n".join(line for line in text.split("\n") if "require" not in line)
    if "no roles" in statement:
        text = text.replace("stage loop in ring", "")
        text = text.replace("specialize grid consumers = consumers", "")
    alone = {"consumers": 1 if "alone" in statement else 2}
    point = ATTENTION | {"products": "plain"} | alone
    names = ("BM", "BN", "persistent", "products", *(n for n in alone))
    with pytest.raises(UserError) as raised:
        built(attention(), text, {name: point[name] for name in names})
    assert fact in raised.value.fact
    assert remedy in (raised.value.remedy or "")
