"""Tuning kernels that you have written yourself.

    from tilewright.autotuner import TritonAutoTuner, tune_triton

    tuner = TritonAutoTuner(my_function, {"BLOCK": [64, 128], "num_warps": [4, 8]})
    print(tuner.tune(x, y).best_config)

    add = tune_triton(add_kernel, grid, {"BLOCK": [256, 512, 1024]}, reference=expected)
    add(x, y, out, n)    # tunes at the first call, then launches the winner

The code is in `tuning/own_kernels/`. Names are imported when they are first used: to
import this module needs neither torch nor a GPU.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.tuning.own_kernels.callable_tuner import (
        TritonAutoTuner,
        TuningResult,
    )
    from tilewright.tuning.own_kernels.config_cache import ConfigCache
    from tilewright.tuning.own_kernels.configurations import (
        FP8_GEMM_CONFIGS,
        GATED_MLP_CONFIGS,
        RMSNORM_ROPE_CONFIGS,
        filter_valid_configs,
        generate_configs,
        get_default_config,
    )
    from tilewright.tuning.own_kernels.metrics import (
        KernelMetrics,
        compute_elementwise_metrics,
        compute_gemm_metrics,
    )
    from tilewright.tuning.own_kernels.tune_triton import tune_triton
    from tilewright.tuning.results.tuning_result import TuningFailedError

_OWN = "tilewright.tuning.own_kernels"

_HOMES = {
    "ConfigCache": f"{_OWN}.config_cache",
    "FP8_GEMM_CONFIGS": f"{_OWN}.configurations",
    "GATED_MLP_CONFIGS": f"{_OWN}.configurations",
    "KernelMetrics": f"{_OWN}.metrics",
    "RMSNORM_ROPE_CONFIGS": f"{_OWN}.configurations",
    "TritonAutoTuner": f"{_OWN}.callable_tuner",
    "TuningFailedError": "tilewright.tuning.results.tuning_result",
    "TuningResult": f"{_OWN}.callable_tuner",
    "compute_elementwise_metrics": f"{_OWN}.metrics",
    "compute_gemm_metrics": f"{_OWN}.metrics",
    "filter_valid_configs": f"{_OWN}.configurations",
    "generate_configs": f"{_OWN}.configurations",
    "get_default_config": f"{_OWN}.configurations",
    "tune_triton": f"{_OWN}.tune_triton",
}

__all__ = [
    "FP8_GEMM_CONFIGS",
    "GATED_MLP_CONFIGS",
    "RMSNORM_ROPE_CONFIGS",
    "ConfigCache",
    "KernelMetrics",
    "TritonAutoTuner",
    "TuningFailedError",
    "TuningResult",
    "compute_elementwise_metrics",
    "compute_gemm_metrics",
    "filter_valid_configs",
    "generate_configs",
    "get_default_config",
    "tune_triton",
]


def __dir__() -> list[str]:
    """The public names, those not imported yet too."""
    return sorted({*globals(), *_HOMES})


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tilewright.autotuner' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
