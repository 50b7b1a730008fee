"""Fuzzers, each with a command line: `python tests/fuzz/run.py --seconds 600`.

    run.py, schedules/         random schedules over random payloads, every step checked
    run_kernels.py, kernels/   random schedules down to kernels, their results compared
    run_plans.py, plans/       random payloads under planned schedules, at some points
    run_names.py, names/       hostile names through the whole compiler
    bad_input.py, bad_files/   damaged files on the command line
    run_kills.py, kill_tuner.py    tuning runs that are killed at random moments
    shrinking.py               shortens the schedule of a finding
    found/                     findings of the past, which `tests/fuzzing/` replays

Imports `tests/support/` and the compiler. `tests/fuzzing/` runs each fuzzer for a short
time.
"""
