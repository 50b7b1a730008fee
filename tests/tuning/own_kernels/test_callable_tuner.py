"""Tuning a callable: on the clock, with failing configurations, from the cache."""

from __future__ import annotations

import functools
import math
import time
from pathlib import Path
from typing import Any

import pytest

from tilewright.autotuner import TritonAutoTuner, TuningFailedError, TuningResult
from tilewright.ir.errors import UserError

SPACE = {"BLOCK": [32, 64, 128], "num_warps": [4, 8]}


class Kernel:
    """Sleeps for all configurations but the best one."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def __call__(self, *args: Any, BLOCK: int, num_warps: int, **kwargs: Any) -> None:
        self.calls.append({"BLOCK": BLOCK, "num_warps": num_warps})
        if BLOCK == 128:
            raise RuntimeError(f"out of shared memory at {num_warps} warps")
        if (BLOCK, num_warps) != (64, 8):
            time.sleep(0.01)


@pytest.fixture
def kernel() -> Kernel:
    return Kernel()


def tuner_of(kernel: Any, **options: Any) -> TritonAutoTuner:
    settings: dict[str, Any] = {"warmup_runs": 1, "benchmark_runs": 3, **options}
    return TritonAutoTuner(kernel, SPACE, **settings)


def test_the_fastest_configuration_wins(kernel: Kernel) -> None:
    result = tuner_of(kernel).tune(1, 2, scale=3)
    assert isinstance(result, TuningResult)
    assert result.best_config == {"BLOCK": 64, "num_warps": 8}
    assert 0 < result.metrics.latency_ms < 10.0
    assert result.problem_size is None and result.device is None
    assert str(result).startswith("Best config: {BLOCK=64, num_warps=8}\nLatency: 0.")
    shown = result._repr_html_()
    assert "best: BLOCK=64, num_warps=8" in shown and shown.count("<tr>") == 7


def test_every_configuration_is_in_the_results(kernel: Kernel) -> None:
    result = tuner_of(kernel).tune()
    tried = [config for config, _ in result.all_results]
    assert tried == [
        {"BLOCK": b, "num_warps": w} for b in (32, 64, 128) for w in (4, 8)
    ]
    latencies = [metrics.latency_ms for _, metrics in result.all_results]
    assert min(latencies) == result.metrics.latency_ms
    assert latencies[4:] == [math.inf, math.inf]
    assert result.failures == [
        (
            {"BLOCK": 128, "num_warps": warps},
            f"RuntimeError: out of shared memory at {warps} warps",
        )
        for warps in (4, 8)
    ]


def test_each_configuration_is_called_so_many_times(kernel: Kernel) -> None:
    tuner_of(kernel, warmup_runs=2, benchmark_runs=5).tune()
    assert kernel.calls.count({"BLOCK": 32, "num_warps": 4}) == 7
    assert kernel.calls.count({"BLOCK": 128, "num_warps": 4}) == 1


def test_defaults_of_the_constructor(kernel: Kernel) -> None:
    tuner = TritonAutoTuner(kernel, SPACE)
    assert (tuner.warmup_runs, tuner.benchmark_runs) == (10, 100)
    assert tuner.cache.cache_dir is None


def test_the_callable_gets_its_arguments() -> None:
    seen: list[Any] = []

    def kernel(x: int, y: int, *, flag: bool, BLOCK: int, num_warps: int) -> None:
        seen.append((x, y, flag, BLOCK, num_warps))

    tuner_of(kernel, warmup_runs=0, benchmark_runs=1).tune(1, 2, flag=True)
    assert seen[0] == (1, 2, True, 32, 4) and len(seen) == 6


def test_the_winner_is_cached(kernel: Kernel) -> None:
    tuner = tuner_of(kernel)
    first = tuner.tune(problem_size=(8, 8), device="cpu", kernel_type="k")
    kernel.calls.clear()
    second = tuner.tune(problem_size=(8, 8), device="cpu", kernel_type="k")
    assert kernel.calls == []
    assert second.best_config == first.best_config
    assert second.metrics.latency_ms == first.metrics.latency_ms
    assert (second.problem_size, second.device) == ((8, 8), "cpu")
    assert tuner.get_cached_config((8, 8), "cpu", "k") == first.best_config
    tuner.tune(problem_size=(8, 9), device="cpu", kernel_type="k")
    assert kernel.calls != []
    tuner.clear_cache()
    assert tuner.get_cached_config((8, 8), "cpu", "k") is None


@pytest.mark.parametrize("given", [{"problem_size": (8,)}, {"device": "cpu"}, {}])
def test_without_a_key_nothing_is_cached(kernel: Kernel, given: dict[str, Any]) -> None:
    tuner = tuner_of(kernel)
    tuner.tune(**given)
    assert tuner.cache.get_all_keys() == []


def test_the_cache_outlives_the_process(kernel: Kernel, tmp_path: Path) -> None:
    key: dict[str, Any] = {"problem_size": [8], "device": "cpu", "kernel_type": "k"}
    tuner_of(kernel, cache_dir=tmp_path).tune(**key)
    other = Kernel()
    found = tuner_of(other, cache_dir=str(tmp_path)).tune(**key)
    assert found.best_config == {"BLOCK": 64, "num_warps": 8}
    assert other.calls == []


def test_two_callables_under_one_key_do_not_mix(kernel: Kernel, tmp_path: Path) -> None:
    def another(BLOCK: int, num_warps: int) -> None:
        time.sleep(0.01 if BLOCK > 32 else 0)

    key: dict[str, Any] = {"problem_size": (8,), "device": "cpu"}
    tuner_of(kernel, cache_dir=tmp_path).tune(**key)
    found = tuner_of(another, cache_dir=tmp_path).tune(**key)
    assert found.best_config["BLOCK"] == 32


def test_an_entry_made_by_hand_is_timed_alone(kernel: Kernel) -> None:
    tuner = tuner_of(kernel)
    tuner.cache.set("k", (8,), "cpu", {"BLOCK": 32, "num_warps": 4})
    found = tuner.tune(problem_size=(8,), device="cpu", kernel_type="k")
    assert found.best_config == {"BLOCK": 32, "num_warps": 4}
    assert found.metrics.latency_ms > 0
    assert len(kernel.calls) == 4
    # One that does not work gives way to a search.
    tuner.cache.set("k", (8,), "cpu", {"BLOCK": 128, "num_warps": 4})
    found = tuner.tune(problem_size=(8,), device="cpu", kernel_type="k")
    assert found.best_config == {"BLOCK": 64, "num_warps": 8}


def test_a_tuple_comes_back_from_the_file_as_a_tuple(tmp_path: Path) -> None:
    def kernel(tile: tuple[int, int]) -> None:
        assert isinstance(tile, tuple)
        time.sleep(0.2 if tile[0] > 16 else 0)

    space = {"tile": [(16, 16), (128, 16)]}
    for _ in range(2):
        tuner = TritonAutoTuner(kernel, space, 0, 2, tmp_path)
        found = tuner.tune(problem_size=(1,), device="cpu")
        assert found.best_config == {"tile": (16, 16)}


def test_all_reasons_are_told_when_nothing_works() -> None:
    def kernel(BLOCK: int, num_warps: int) -> None:
        raise ValueError(f"block {BLOCK}")

    with pytest.raises(TuningFailedError) as raised:
        tuner_of(kernel).tune(problem_size=(8,), device="cpu")
    text = str(raised.value)
    assert "none of 6 configurations" in text and "kernel" in text
    for block in (32, 64, 128):
        assert f"2 x ValueError: block {block} (first at BLOCK={block}" in text
    error: Any = raised.value
    assert error.problem_size == (8,) and error.configs_tried == 6
    assert isinstance(error.last_error, ValueError)
    assert isinstance(error, UserError)


def test_an_interrupt_is_not_a_failure() -> None:
    def kernel(BLOCK: int, num_warps: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tuner_of(kernel).tune()


def test_arguments_that_cannot_be_used() -> None:
    def kernel(**_: Any) -> None: ...

    with pytest.raises(ValueError, match="time at least one run"):
        tuner_of(kernel, benchmark_runs=0)
    with pytest.raises(UserError, match="BLOCK has no values"):
        TritonAutoTuner(kernel, {"BLOCK": []})
    with pytest.raises(UserError, match="'BLOCK' is searched and also given"):
        tuner_of(kernel).tune(BLOCK=3)
    with pytest.raises(UserError, match="cannot be called"):
        tuner_of(3)


def test_a_partial_and_a_closure_are_callables() -> None:
    def kernel(x: list[int], BLOCK: int, num_warps: int) -> None:
        x.append(BLOCK)

    seen: list[int] = []
    result = tuner_of(functools.partial(kernel, seen)).tune()
    assert result.best_config.keys() == SPACE.keys() and seen


def test_torch_tensors_on_the_cpu_are_timed_by_the_clock() -> None:
    torch = pytest.importorskip("torch")

    def kernel(x: Any, BLOCK: int, num_warps: int) -> Any:
        return x * BLOCK

    result = tuner_of(kernel).tune(torch.ones(8), problem_size=(8,), device="cpu")
    assert result.metrics.latency_ms > 0 and not result.failures


def test_a_triton_function_is_sent_to_tune_triton() -> None:
    triton = pytest.importorskip("triton")

    @triton.jit
    def kernel(x, BLOCK):  # pyright: ignore
        pass

    with pytest.raises(UserError, match="tune it with tune_triton"):
        tuner_of(kernel)
