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
SCRIPTS = [
    script
    for name in FILES
    for script in read_scripts(FOLDER / f"{name}.mlir")
    if "func.func private" not in script.text
]
"""Those that can be run: no function is only declared."""


@pytest.mark.sampled(6)
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.title)
def test_the_payload_computes_the_same(script: Small) -> None:
    if "\"use\"(" in str(script):
        pytest.skip("an op that nobody registered cannot be computed")
    if by_us(script).refusal is None:
        assert_same_ends(script)
