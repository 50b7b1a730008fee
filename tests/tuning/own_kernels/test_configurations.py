"""Configuration spaces and metrics: the numbers by hand."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest

import tilewright.autotuner
from tilewright.autotuner import (
    FP8_GEMM_CONFIGS,
    GATED_MLP_CONFIGS,
    RMSNORM_ROPE_CONFIGS,
    KernelMetrics,
    compute_elementwise_metrics,
    compute_gemm_metrics,
    filter_valid_configs,
    generate_configs,
    get_default_config,
)
from tilewright.ir.errors import UserError

SPACES = {
    "rmsnorm_rope": RMSNORM_ROPE_CONFIGS,
    "gated_mlp": GATED_MLP_CONFIGS,
    "fp8_gemm": FP8_GEMM_CONFIGS,
}


def test_every_combination_comes_once() -> None:
    configs = generate_configs({"a": [1, 2], "b": ["x", "y", "z"]})
    assert configs[:4] == [
        {"a": 1, "b": "x"},
        {"a": 1, "b": "y"},
        {"a": 1, "b": "z"},
        {"a": 2, "b": "x"},
    ]
    assert len(configs) == 6
    assert generate_configs({}) == [{}]
    assert generate_configs({"a": []}) == []


def test_a_value_that_is_no_list_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"'a' .* is 64, not a list; write 'a': \[64\]"
    ):
        generate_configs({"a": 64})  # pyright: ignore[reportArgumentType]
    with pytest.raises(UserError, match="not a list"):
        generate_configs({"a": "xyz"})


@pytest.mark.parametrize("kernel_type", SPACES)
def test_a_default_is_a_configuration_of_its_space(kernel_type: str) -> None:
    default, space = get_default_config(kernel_type), SPACES[kernel_type]
    assert default.keys() == space.keys()
    assert default in generate_configs(space)
    assert {"num_warps", "num_stages"} <= default.keys()
    default["num_warps"] = 99
    assert get_default_config(kernel_type)["num_warps"] == 4


def test_a_default_of_an_unknown_kernel_is_refused() -> None:
    with pytest.raises(ValueError, match="did you mean 'fp8_gemm'"):
        get_default_config("fp8gemm")


def test_tiles_suit_the_problem() -> None:
    rows = generate_configs(RMSNORM_ROPE_CONFIGS)
    kept = filter_valid_configs(rows, hidden_dim=256)
    assert {c["BLOCK_SIZE"] for c in kept} == {64, 128, 256}
    assert filter_valid_configs(rows) == rows
    products = generate_configs(FP8_GEMM_CONFIGS)
    kept = filter_valid_configs(products, M=64, N=32, K=32)
    assert {c["BLOCK_M"] for c in kept} == {64, 128}
    assert {c["BLOCK_N"] for c in kept} == {64}
    assert {c["BLOCK_K"] for c in kept} == {32}


def test_a_gated_mlp_has_columns_and_a_sum() -> None:
    configs = generate_configs(GATED_MLP_CONFIGS)
    kept = filter_valid_configs(configs, hidden_dim=48, intermediate_dim=32)
    assert {c["BLOCK_N"] for c in kept} == {32, 64}
    assert {c["BLOCK_K"] for c in kept} == {32}
    assert {c["BLOCK_M"] for c in kept} == {32, 64, 128}


def test_metrics_of_a_product() -> None:
    metrics = compute_gemm_metrics(
        1000, 2000, 500, latency_ms=0.5, peak_tflops=10.0, peak_bandwidth_gbps=100.0
    )
    assert metrics.latency_ms == 0.5
    assert metrics.throughput_tflops == pytest.approx(4.0)  # 2e9 / 0.5e-3 / 1e12
    moved = (1000 * 500 + 500 * 2000 + 1000 * 2000) * 2
    assert metrics.bandwidth_gbps == pytest.approx(moved / 0.5e-3 / 1e9)
    assert metrics.bandwidth_utilization == pytest.approx(14.0)
    assert metrics.throughput_utilization == pytest.approx(40.0)
    assert metrics.fraction_of_peak == pytest.approx(0.4)


def test_the_peak_is_the_cards() -> None:
    bf16 = compute_gemm_metrics(4096, 4096, 4096, 0.2, device="h200")
    assert bf16.throughput_utilization == pytest.approx(
        100 * 2 * 4096**3 / 0.2e-3 / 989e12
    )
    fp8 = compute_gemm_metrics(4096, 4096, 4096, 0.2, dtype="f8E4M3FN", device="H200")
    assert fp8.fraction_of_peak == pytest.approx(bf16.fraction_of_peak * 989 / 1979)
    with pytest.raises(UserError, match="unknown target"):
        compute_gemm_metrics(1, 1, 1, 1.0, device="h2000")


def test_metrics_of_an_elementwise_kernel() -> None:
    metrics = compute_elementwise_metrics(
        10**6, 0.01, bytes_per_element=4, peak_bandwidth_gbps=1600.0
    )
    assert metrics.bandwidth_gbps == pytest.approx(800.0)
    assert metrics.bandwidth_utilization == pytest.approx(50.0)
    assert metrics.throughput_tflops == 0.0
    three = compute_elementwise_metrics(10**6, 0.01, 4, 1600.0, num_reads=2)
    assert three.bandwidth_gbps == pytest.approx(1200.0)


@pytest.mark.parametrize("latency", [-1.0, math.inf, math.nan, True])
def test_a_latency_without_a_rate_is_refused(latency: float) -> None:
    with pytest.raises(ValueError, match="gives no rate"):
        compute_gemm_metrics(1, 1, 1, latency)
    with pytest.raises(UserError, match="gives no rate"):
        compute_elementwise_metrics(1, latency)


def test_a_latency_that_the_clock_does_not_see_is_the_smallest() -> None:
    metrics = compute_elementwise_metrics(1000, 0.0, peak_bandwidth_gbps=1.0)
    assert metrics.latency_ms == 1e-6
    assert metrics.bandwidth_gbps == pytest.approx(4000.0)


@pytest.mark.parametrize("size", [0, -1, 8.0, True])
def test_sizes_are_positive_integers(size: int) -> None:
    with pytest.raises(ValueError, match="N is"):
        compute_gemm_metrics(8, size, 8, 1.0)
    with pytest.raises(UserError, match="positive integers"):
        compute_elementwise_metrics(size, 1.0)


def test_metrics_print_on_one_line() -> None:
    metrics = KernelMetrics(
        latency_ms=0.45,
        throughput_tflops=156.2,
        bandwidth_gbps=890.5,
        bandwidth_utilization=43.7,
    )
    assert str(metrics) == (
        "Latency: 0.450 ms, Throughput: 156.20 TFLOPS, Bandwidth: 890.5 GB/s (43.7%)"
    )


def test_metrics_print_no_rate_that_is_not_known() -> None:
    """A callable may compute anything: no FLOPs are known, and none are printed."""
    assert str(KernelMetrics(0.45)) == "Latency: 0.450 ms"
    known = str(compute_elementwise_metrics(1 << 20, 0.01))
    assert "TFLOPS" not in known and "Bandwidth" in known


@pytest.mark.slow
def test_the_module_is_light_and_complete() -> None:
    names = tilewright.autotuner.__all__
    script = (
        "import sys, tilewright.autotuner\n"
        "heavy = {'torch', 'triton', 'numpy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        f"from tilewright.autotuner import {', '.join(names)}\n"
        "heavy = {'torch', 'triton'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert set(names) <= set(dir(tilewright.autotuner))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tilewright.autotuner.nothing
