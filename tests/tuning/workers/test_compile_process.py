"""Ahead-of-time compilation of real Triton text for sm_90, in a process of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from support.codegen.compiled_apart import compiled_apart
from support.tuning.samples import elementwise, matmul
from tilewright.codegen.runtime.compile import CompiledStats, source_file
from tilewright.codegen.targets import TARGETS, from_properties, target_named
from tilewright.ir.errors import UserError


@pytest.mark.slow
def test_kernels_compile_for_a_target_that_is_not_here(tmp_path: Path) -> None:
    programs = {
        "add": elementwise(),
        "matmul": matmul(),
        "again": matmul(),
        "spilling": matmul(bm=128, bn=256, warps=4, stages=2),
    }
    found = compiled_apart(list(programs.values()), tmp_path)
    printed = dict(zip(programs, found, strict=True))
    stats = {name: CompiledStats(**kernel) for name, (kernel,) in printed.items()}

    add = stats["add"]
    assert add.kernel == "add_one"
    assert 8 <= add.registers <= 40
    assert add.spill_bytes == add.shared_bytes == add.wgmma == add.tma_loads == 0
    assert add.num_warps == 4

    product = stats["matmul"]
    assert product.kernel == "matmul"
    # Three stages of a 128x64 and a 64x128 tile of bf16, and a few barriers.
    assert 3 * 32768 <= product.shared_bytes < 3 * 32768 + 1024
    assert product.wgmma > 0
    assert product.tma_loads > 0
    assert product.spill_bytes == 0

    # The second time it is found where outcomes are kept.
    again = stats["again"]
    assert 0 < again.seconds < product.seconds / 3
    assert replace(again, seconds=0) == replace(product, seconds=0)

    assert stats["spilling"].spill_bytes > 0
    assert stats["spilling"].registers == 255


def test_equal_texts_share_a_file(tmp_path: Path) -> None:
    first = source_file(elementwise(), tmp_path / "new" / "folder")
    stamp = first.stat().st_mtime_ns
    assert first.read_text() == elementwise().text
    assert source_file(elementwise(), tmp_path / "new" / "folder") == first
    assert first.stat().st_mtime_ns == stamp
    assert source_file(elementwise(warps=8), first.parent) != first
    assert sorted(first.parent.iterdir()) != []
    assert not list(first.parent.glob("*.tmp"))


def test_target_names() -> None:
    assert target_named("H200").hbm_bandwidth > target_named("h100").hbm_bandwidth
    with pytest.raises(UserError, match=r"unknown target 'h20'; did you mean 'h200'"):
        target_named("h20")
    with pytest.raises(
        UserError, match="known targets: a100, a40, b200, h100, h200, l40s, mi300x"
    ):
        target_named("tpu")


class Properties:
    """What torch reports for a device."""

    name = "NVIDIA H200"
    major, minor = 9, 0
    multi_processor_count = 132
    L2_cache_size = 60 * 2**20


def test_known_card_keeps_its_data_sheet() -> None:
    assert from_properties(Properties()) is TARGETS["h200"]


def test_unknown_card_keeps_its_own_limits() -> None:
    card = Properties()
    card.name, card.major, card.minor = "NVIDIA RTX 6000", 8, 9
    card.multi_processor_count = 54
    target = from_properties(card)
    assert (target.arch, target.sms, target.l2_bytes) == (89, 54, 60 * 2**20)
    assert target.flops("bf16") == pytest.approx(362e12 * 54 / 142)
    assert not target.has_descriptors
