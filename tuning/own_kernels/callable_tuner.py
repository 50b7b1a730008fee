"""Tuning any callable: time every configuration, keep the fastest.

The callable runs in this process, on the arguments it is given. So it may be a closure,
a method or a wrapper of several launches; but a configuration that never returns, or
that breaks the device, is not survived. `tune_triton` isolates configurations.
"""

from __future__ import annotations

import functools
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilewright.ir.errors import Note
from tilewright.ir.notebook_html import table_html
from tilewright.tuning.own_kernels.config_cache import ConfigCache, jsonable
from tilewright.tuning.own_kernels.configurations import (
    Config,
    ConfigSpace,
    generate_configs,
)
from tilewright.tuning.own_kernels.errors import ArgumentError
from tilewright.tuning.own_kernels.metrics import (
    MIN_LATENCY_MS,
    KernelMetrics,
    failed_metrics,
)
from tilewright.tuning.results.tuning_result import TuningFailedError

if TYPE_CHECKING:
    from tilewright.tuning.measure.timing import Clock

_LONGEST_SPIN = 200.0
"""Microseconds that the device spins for a call while the host fills the queue."""


@dataclass
class TuningResult:
    """The fastest configuration, and the metrics of all."""

    best_config: Config
    metrics: KernelMetrics
    all_results: list[tuple[Config, KernelMetrics]] = field(
        default_factory=list[tuple[Config, KernelMetrics]]
    )
    """Every configuration in the order tried. One that failed has an infinite latency,
    and `metrics.error` says why. Empty where the cache had the answer."""
    problem_size: tuple[Any, ...] | None = None
    device: str | None = None

    @property
    def failures(self) -> list[tuple[Config, str]]:
        """The configurations that failed, with the reasons."""
        return [(c, m.error) for c, m in self.all_results if m.error is not None]

    def __str__(self) -> str:
        """Two lines for a person."""
        return f"Best config: {{{config_text(self.best_config)}}}\n{self.metrics}"

    def _repr_html_(self) -> str:
        """Every configuration, fastest first, as a table for notebooks."""
        tried = sorted(self.all_results, key=lambda one: one[1].latency_ms)
        names = list(self.best_config)
        rows = [
            (f"{metrics.latency_ms:.4f}", *(config.get(n, "") for n in names))
            for config, metrics in tried or [(self.best_config, self.metrics)]
        ]
        return table_html(
            f"best: {config_text(self.best_config)}", ["ms", *names], rows
        )


class ConfigurationsFailedError(TuningFailedError):
    """No configuration of a callable worked; the notes have every reason."""

    problem_size: tuple[Any, ...] | None = None
    configs_tried: int = 0
    last_error: BaseException | None = None


class TritonAutoTuner:
    """Times every configuration of a callable, and remembers the fastest."""

    def __init__(
        self,
        kernel_fn: Callable[..., Any],
        config_space: ConfigSpace,
        warmup_runs: int = 10,
        benchmark_runs: int = 100,
        cache_dir: str | os.PathLike[str] | None = None,
    ) -> None:
        """Take a callable that accepts a configuration as keyword arguments.

        Each configuration is called `warmup_runs` times, then timed `benchmark_runs`
        times. With `cache_dir`, winners are kept in files there.
        """
        _check_callable(kernel_fn)
        if warmup_runs < 0 or benchmark_runs < 1:
            raise ArgumentError(
                f"warmup_runs is {warmup_runs} and benchmark_runs {benchmark_runs}",
                remedy="warm up 0 times or more, and time at least one run",
            )
        self.kernel_fn = kernel_fn
        self.config_space = config_space
        self.warmup_runs = warmup_runs
        self.benchmark_runs = benchmark_runs
        self.cache = ConfigCache(cache_dir)
        self.all_configs = generate_configs(config_space)
        if not self.all_configs:
            empty = [name for name, values in config_space.items() if not len(values)]
            raise ArgumentError(
                f"the configuration space is empty: {', '.join(empty)} has no values",
                remedy="give every parameter at least one value",
            )

    def tune(
        self,
        *args: Any,
        problem_size: Sequence[Any] | int | None = None,
        device: object = None,
        kernel_type: str = "unknown",
        **kwargs: Any,
    ) -> TuningResult:
        """The fastest configuration for these arguments of the callable.

        With `problem_size` and `device`, the winner is cached under them and the
        `kernel_type`; the next call with the same three answers from the cache and
        calls nothing. Raises `TuningFailedError` if no configuration works.
        """
        if twice := [name for name in self.config_space if name in kwargs]:
            raise ArgumentError(
                f"'{twice[0]}' is searched and also given to tune()",
                remedy="leave it out of the arguments, or out of the space",
            )
        sizes = _sizes(problem_size)
        name = None if device is None else str(device)
        run = _Timing(self, args, kwargs, name)
        if sizes is not None and name is not None:
            known = self._cached(kernel_type, sizes, name, run)
            if known is not None:
                return known
        results = [(dict(config), run.metrics(config)) for config in self.all_configs]
        worked = [result for result in results if result[1].error is None]
        if not worked:
            raise _failure(self.kernel_fn, results, sizes, run.last_error)
        best, metrics = min(worked, key=lambda result: result[1].latency_ms)
        if sizes is not None and name is not None:
            self.cache.set(
                kernel_type,
                sizes,
                name,
                best,
                kernel=_name(self.kernel_fn),
                latency_ms=metrics.latency_ms,
            )
        return TuningResult(dict(best), metrics, results, sizes, name)

    def get_cached_config(
        self,
        problem_size: Sequence[Any] | int,
        device: object,
        kernel_type: str = "unknown",
    ) -> Config | None:
        """The winner of an earlier `tune`, or None."""
        return self.cache.get(kernel_type, problem_size, device)

    def clear_cache(self) -> None:
        """Forget all winners, and remove their files."""
        self.cache.clear()

    def _cached(
        self, kernel_type: str, sizes: tuple[Any, ...], device: str, run: _Timing
    ) -> TuningResult | None:
        """The answer of the cache, if it is about this callable and still works."""
        entry = self.cache.entry(kernel_type, sizes, device)
        if entry is None:
            return None
        config = self._as_in_space(entry.config)
        if (kernel := entry.details.get("kernel")) is None:
            # Somebody else's entry has no latency: time this configuration alone.
            metrics = run.metrics(config)
        elif (
            kernel != _name(self.kernel_fn) or config.keys() != self.config_space.keys()
        ):
            return None
        else:
            metrics = _recorded(entry.details) or run.metrics(config)
        if metrics.error is not None:
            return None
        return TuningResult(config, metrics, [], sizes, device)

    def _as_in_space(self, config: Config) -> Config:
        """The configuration with the space's own values; JSON has no tuples."""
        for known in self.all_configs:
            if jsonable(known) == config:
                return dict(known)
        return dict(config)


class _Timing:
    """Times configurations of one callable on the same arguments."""

    def __init__(
        self,
        tuner: TritonAutoTuner,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        device: str | None,
    ) -> None:
        self._tuner = tuner
        self._args = args
        self._kwargs = kwargs
        self._device = device
        self._clocks: dict[bool, Clock] = {}
        self._lost_by = ""
        """The configuration after which the device was unusable."""
        self.last_error: BaseException | None = None

    def metrics(self, config: Mapping[str, Any]) -> KernelMetrics:
        """The median latency of a configuration, or why it failed."""
        if self._lost_by:
            return failed_metrics(f"not tried: the device was lost at {self._lost_by}")
        call = functools.partial(
            self._tuner.kernel_fn, *self._args, **config, **self._kwargs
        )
        try:
            with self._on_device():
                return KernelMetrics(self._median(call))
        except Exception as error:  # noqa: BLE001 - whatever it raises is its result
            self.last_error = error
            if not _device_is_sound():
                self._lost_by = f"{{{config_text(config)}}}"
            return failed_metrics(_reason(error))

    def _median(self, call: Callable[[], Any]) -> float:
        launch = 0.0
        for _ in range(self._tuner.warmup_runs):
            start = time.perf_counter()
            call()
            launch = (time.perf_counter() - start) * 1e6
        clock = self._clock()
        clock.finish()
        lead = min(launch, _LONGEST_SPIN)
        samples = clock.sample(call, self._tuner.benchmark_runs, lead)
        # A call may be shorter than the clock can tell.
        return max(statistics.median(samples), MIN_LATENCY_MS)

    def _clock(self) -> Clock:
        """CUDA events where the callable uses a card, else the processor's clock."""
        from tilewright.tuning.measure.timing import CudaClock, HostClock

        on_card = self._uses_card()
        if on_card not in self._clocks:
            self._clocks[on_card] = CudaClock() if on_card else HostClock()
        return self._clocks[on_card]

    def _uses_card(self) -> bool:
        if (torch := _torch_with_card()) is None:
            return False
        tensors = self._tensors(torch)
        if tensors:
            return any(tensor.is_cuda for tensor in tensors)
        return not (self._device or "").startswith("cpu")

    def _on_device(self) -> AbstractContextManager[Any]:
        """Makes the card of the arguments the present one."""
        torch = sys.modules.get("torch")
        cards = [t.device for t in self._tensors(torch) if t.is_cuda] if torch else []
        return torch.cuda.device(cards[0]) if torch and cards else nullcontext()

    def _tensors(self, torch: Any) -> list[Any]:
        every = (*self._args, *self._kwargs.values())
        return [value for value in every if isinstance(value, torch.Tensor)]


def config_text(config: Mapping[str, Any]) -> str:
    """`BLOCK_M=64, num_warps=4`."""
    return ", ".join(f"{name}={value}" for name, value in config.items())


def _recorded(details: Mapping[str, Any]) -> KernelMetrics | None:
    """The metrics that an entry of the cache has."""
    latency = details.get("latency_ms")
    if isinstance(latency, int | float) and latency > 0:
        return KernelMetrics(float(latency))
    return None


def _check_callable(kernel_fn: Any) -> None:
    if hasattr(kernel_fn, "warmup") and hasattr(kernel_fn, "arg_names"):
        raise ArgumentError(
            f"'{_name(kernel_fn)}' is a @triton.jit function, which needs a grid",
            remedy="tune it with tune_triton(kernel, grid, space), or pass a function "
            "that launches it",
        )
    if not callable(kernel_fn):
        raise ArgumentError(
            f"kernel_fn is {kernel_fn!r}, which cannot be called",
            remedy="pass a function that takes a configuration as keyword arguments",
        )


def _torch_with_card() -> Any:
    """Torch, if it is loaded and uses a card; never loads it."""
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "cuda") or not torch.cuda.is_initialized():
        return None
    return torch


def _device_is_sound() -> bool:
    """Whether the card still works; an illegal access ends that for the process."""
    if (torch := _torch_with_card()) is None:
        return True
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        return False
    return True


def _sizes(problem_size: Sequence[Any] | int | None) -> tuple[Any, ...] | None:
    if problem_size is None:
        return None
    if isinstance(problem_size, Iterable) and not isinstance(problem_size, str):
        return tuple(problem_size)
    return (problem_size,)


def _name(kernel_fn: Any) -> str:
    """The callable's name: two callables under one key are told apart by it."""
    inner = kernel_fn
    while isinstance(inner, functools.partial):
        inner = inner.func
    name = getattr(inner, "__qualname__", None) or type(inner).__qualname__
    return f"{getattr(inner, '__module__', '')}.{name}"


def _reason(error: BaseException) -> str:
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _failure(
    kernel_fn: Any,
    results: Sequence[tuple[Config, KernelMetrics]],
    sizes: tuple[Any, ...] | None,
    last_error: BaseException | None,
) -> ConfigurationsFailedError:
    reasons = Counter(metrics.error for _, metrics in results)
    first = {metrics.error: config for config, metrics in reversed(results)}
    error = ConfigurationsFailedError(
        f"tuning failed: none of {len(results)} configurations of "
        f"'{_name(kernel_fn)}' works",
        remedy="see the reasons below; try one of them by hand",
        notes=[
            Note(f"{count} x {reason} (first at {config_text(first[reason])})")
            for reason, count in reasons.most_common()
        ],
    )
    error.problem_size = sizes
    error.configs_tried = len(results)
    error.last_error = last_error
    return error
