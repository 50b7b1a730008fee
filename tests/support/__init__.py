"""Helpers of the tests, which import them as `support.paths` and so on.

    codegen/            programs at the buffer level and built programs, a fake driver
    transforms/         payloads, schedules and scripts; comparisons with real MLIR
    random_programs/    random payloads, each with its expected results
    mlir_opt, printed, snippets, interpreter, linalg_ops    texts of MLIR
    command_line, console_blocks    commands run in this process; pages as tests
    warm_python, warm_server        Python processes that have imported torch and triton
    tuning_records, tuning_samples  records and programs for the tests of the tuner
    payload_results                 results of payloads that were built in Python
    examples, sampling              how many examples and cases the quick tests run

Imports the compiler, and nothing from the tests.
"""
