"""Ops that move tensors and tiles into buffers of their own change no number."""

from __future__ import annotations

import pytest

from support.transforms.both_ends import assert_same_ends
from support.transforms.small_scripts import FOLDER, Small, by_us, read_scripts

FILES = (
    "allocations",
    "bufferize_to_allocation",
    "loop_independent",
    "memory_patterns",
    "one_shot_bufferize",
    "promote",
)
UNKNOWN = ("func.func private", '"use"(', "memref<*")
"""What cannot be computed: a function or an op nobody defines, a buffer of any rank."""
SCRIPTS = [
    script
    for name in FILES
    for script in read_scripts(FOLDER / f"{name}.mlir")
    if not any(text in script.text for text in UNKNOWN)
]
"""Those that can be run."""


@pytest.mark.sampled(12)
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.title)
def test_the_payload_computes_the_same(script: Small) -> None:
    if by_us(script).refusal is None:
        assert_same_ends(script)
