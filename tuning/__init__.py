"""Tuning: makes the open choices of a schedule by measuring candidates.

    tuner.py         a tuning run; search_loop.py and final_round.py are its two phases
    stages/          build, compile, check and measure a candidate; one file per stage
    search/          strategies that propose points, seeds, feedback
    run_guide.py     what a run's strategy may know of a point before it is measured
    learning/        features of programs, the learned cost model
    measure/         checking and timing on a device
    workers/         the processes that compile and measure, and their jobs
    cluster/         the same pools on the workers of a Dask cluster
    model/           the cost model, which needs no GPU
    results/         records, the results file, the result of a run
    explaining/      what the trials of a run teach: effects, failures, pictures
    own_kernels/     tunes a user's callables and @triton.jit functions
    space/           choices, constraints and the solver of valid points

Reads `codegen/`, `transforms/` and `ir/`. The caller gives it a function that builds
the program of a point, so it knows neither the pipeline nor the command line.
"""
