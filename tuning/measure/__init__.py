"""Measuring a program on a device: check its results, then time it.

    measurement.py       one measurement, from inputs to times
    inputs.py            random inputs from a seed
    references.py        the expected results; device_reference.py computes them there
    correctness.py       compares results with them
    device_turn.py       who has the GPU for itself, where several runs share it
    loading.py           loads launchers and kernels; warm_kernel.py is launched first
    timing.py            warm-up, flushed L2, repetitions, percentiles
    baselines.py         times to compare with; ceilings.py has the card's limits

It runs inside the processes of `workers/` and imports torch. Reads `codegen/`
and `ir/`.
"""
