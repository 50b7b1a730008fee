"""Tuning kernels that the user has written: any callable, or a `@triton.jit` function.

    callable_tuner.py   times every configuration of a callable, in this process
    config_cache.py     winners by kernel, problem size and device, in JSON files
    configurations.py   spaces of well-known kernels
    metrics.py          latency, TFLOP/s, GB/s, shares of the card's peak
    tune_triton.py      tunes a `@triton.jit` function on the engine of `tune`

`tilewright.autotuner` has the public names. `tune_triton` turns each configuration into
a generated program, so it reads the rest of `tuning/`; the other files read little.
"""
