"""`Program.estimate`: the cost model's answer, without a GPU."""

from __future__ import annotations

import pytest

import tilewright
from support.paths import EXAMPLES

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"
SCHEDULE = EXAMPLES / "matmul_relu" / "tile_fuse.tw"


@pytest.mark.slow
def test_an_estimate_is_for_the_target_that_is_named() -> None:
    program = tilewright.compile(PAYLOAD, SCHEDULE, target="h200")
    fast, slow = program.estimate(), program.estimate("a40")
    assert 0 < fast.milliseconds < slow.milliseconds
    assert "matmul_relu_kernel" in fast.explain()
    # Both factors in f16, read at least once, and the result.
    assert fast.kernels[0].hbm_bytes >= 3 * 512 * 512 * 2


def test_open_sizes_have_no_estimate() -> None:
    payload = EXAMPLES / "any_rows" / "payload.mlir"
    program = tilewright.compile(payload, target="h200")
    with pytest.raises(
        tilewright.UserError, match="have no estimate; give the payload"
    ):
        program.estimate()


def test_an_unknown_target_is_named() -> None:
    program = tilewright.compile(PAYLOAD, SCHEDULE, target="h200")
    with pytest.raises(tilewright.UserError, match="did you mean 'h200'"):
        program.estimate("h20")
