"""tune_triton on a card: bad configurations cost a trial each, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from support.tuning import own_kernels as samples
from tilewright.autotuner import TritonAutoTuner, tune_triton

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]


def test_wrong_illegal_and_endless_configurations_are_survived(tmp_path: Path) -> None:
    n = 1 << 16
    x, out = torch.randn(n, device="cuda"), torch.zeros(n, device="cuda")
    kernel = tune_triton(
        samples.hostile_kernel,
        samples.grid,
        {"MODE": [0, 1, 2, 3], "BLOCK": [256]},
        reference=samples.double,
        measure_limit=4.0,
        workers=4,
        db=tmp_path / "results.db",
    )
    kernel(x, out, n)
    torch.testing.assert_close(out, 2 * x)
    assert kernel.best_config == {"MODE": 0, "BLOCK": 256}
    run = kernel.last and kernel.last.run
    assert run
    ended = {t.point["MODE"]: t.outcome for t in run.trials}
    assert ended == {0: "ok", 1: "wrong", 2: "crash", 3: "timeout"}


def test_a_callable_is_timed_by_the_cards_events() -> None:
    x = torch.randn(1 << 22, device="cuda")

    def work(x: torch.Tensor, times: int) -> torch.Tensor:
        for _ in range(times):
            x = x * 2.0
        return x

    result = TritonAutoTuner(work, {"times": [1, 8]}, 3, 20).tune(x)
    latencies = [metrics.latency_ms for _, metrics in result.all_results]
    assert result.best_config == {"times": 1}
    assert 3 < latencies[1] / latencies[0] < 20
