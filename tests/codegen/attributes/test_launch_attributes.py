"""The table of launch attributes: names, hosts, values."""

from __future__ import annotations

import pytest

import tilewright
from support.codegen.buffer_level import generated, matmul_relu
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import UserError
from tilewright.ir.launch_attributes.table import LAUNCH_ATTRIBUTES, PREFIX
from tilewright.tuning.model.occupancy import prune_program


def complaint(attributes: str) -> UserError:
    with pytest.raises(UserError) as caught:
        generated(matmul_relu(64, 64, 64, (32, 32, 32), attributes=attributes))
    assert caught.value.place is not None
    return caught.value


def test_table_is_complete() -> None:
    assert {row.name for row in LAUNCH_ATTRIBUTES} == {
        "triton.num_warps",
        "triton.num_stages",
        "triton.descriptors",
        "triton.group",
        "triton.reversed",
        "triton.persistent",
        "triton.store_parts",
        "triton.aligned_rows",
        "triton.held_operands",
        "triton.ring",
        "triton.ping_pong",
        "triton.pinned",
        "triton.consumers",
        "triton.consumer_registers",
        "triton.last_arriver",
        "triton.dot_precision",
        "triton.eviction",
        "triton.cache",
        "triton.read_once",
        "triton.unroll",
        "triton.flatten",
        "triton.single_accumulator",
        "triton.wide_offsets",
        "triton.stream",
        "triton.library",
    }
    for row in LAUNCH_ATTRIBUTES:
        assert row.name.startswith(PREFIX) and row.doc and row.values
        assert row.hosts and (row.words or row.legal(row.default))


def test_unknown_name() -> None:
    error = complaint("triton.num_wraps = 4 : i64")
    assert error.fact == "unknown launch attribute 'triton.num_wraps'"
    assert error.remedy == "did you mean 'triton.num_warps'?"


@pytest.mark.parametrize("attribute", ["triton.nope = 8", "triton.num_warps = 8"])
def test_on_an_op_that_is_rewritten(attribute: str) -> None:
    """Vectorizing would drop it, and nobody would see that it did nothing."""
    text = f"""func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {{
      %r = linalg.exp {{{attribute}}} ins(%a : tensor<4xf32>)
        outs(%b : tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }}"""
    with pytest.raises(UserError, match=r"2:7: error: .*'triton\.n") as caught:
        tilewright.compile(text)
    assert caught.value.place is not None


def test_wrong_host() -> None:
    error = complaint("triton.unroll = 4 : i64")
    assert "does not belong on 'scf.forall'" in error.fact
    assert error.remedy == "set it on a loop (scf.for)"


@pytest.mark.parametrize(
    ("attributes", "fact"),
    [
        ("triton.num_warps = 3 : i64", "'triton.num_warps' is 3"),
        ("triton.num_warps = 64 : i64", "'triton.num_warps' is 64"),
        ("triton.group = 0 : i64", "'triton.group' is 0"),
        ('triton.group = "many"', "'triton.group' is \"many\""),
        ("triton.descriptors = 2 : i64", "'triton.descriptors' is 2"),
        ('triton.descriptors = "yes"', "'triton.descriptors' is \"yes\""),
        ("triton.store_parts = 3 : i64", "'triton.store_parts' is 3"),
        ("triton.persistent = -1 : i64", "'triton.persistent' is -1"),
        ('triton.dot_precision = "bf16"', "'triton.dot_precision' is \"bf16\""),
        ('triton.eviction = "evict_first"', "'triton.eviction' is \"evict_first\""),
        ('triton.eviction = {a = "now"}', "'triton.eviction' is \"now\""),
    ],
)
def test_wrong_value(attributes: str, fact: str) -> None:
    error = complaint(attributes)
    assert error.fact == fact
    assert error.remedy is not None and error.remedy.startswith("it takes")


def test_stages_out_of_range() -> None:
    with pytest.raises(UserError, match="'triton.num_stages' is 9"):
        generated(matmul_relu(64, 64, 64, (32, 32, 32), stages=9))


def test_descriptors_on_a_card_without_them() -> None:
    tile = (32, 32, 32)
    asked = generated(matmul_relu(64, 64, 64, tile, attributes="triton.descriptors"))
    plain = generated(matmul_relu(64, 64, 64, tile))
    a100, h200 = target_named("a100"), target_named("h200")
    reason = prune_program(asked.program, None, a100)
    assert reason is not None and "a100 has no tensor descriptors" in reason
    assert prune_program(asked.program, None, h200) is None
    assert prune_program(plain.program, None, a100) is None
