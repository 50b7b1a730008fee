"""Tuning kernels that the user has written: any callable, or a `@triton.jit` function.

    callable_tuner.py      times every configuration of a callable, in this process
    config_cache.py        winners by kernel, problem size and device, in JSON files
    configurations.py      spaces of well-known kernels
    metrics.py             latency, TFLOP/s, GB/s, shares of the card's peak

    tune_triton.py         tunes a `@triton.jit` function on the engine of `tune`
    kernel_source.py       the function as text; argument_uses.py: what it writes
    kernel_call.py         the arguments of a call
    config_choices.py      the space and its conditions; space_text.py: as MLIR
    candidate_program.py   the program of a configuration
    engine_run.py          the run; inline_pool.py: its builds, in this process
    fingerprint.py         which reference and grid a result was measured under
    tuning_report.py       what a call was tuned to

`tilewright.autotuner` has the public names. The first four files read little of
`tuning/`; the others read the tuner and all below it.
"""
