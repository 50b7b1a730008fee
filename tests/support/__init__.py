"""Helpers of the tests, which import them as `support.paths` and so on.

    ir/                 texts of MLIR, and the interpreter on them
    transforms/         payloads, schedules and scripts; comparisons with real MLIR
    codegen/            programs at the buffer level and built programs, a fake driver
    tuning/             records, logs, results files and programs of the tuner
    project/            pages as tests, described formats, modules of benchmarks
    random_programs/    random payloads, each with its expected results
    mlir_opt                            real MLIR as the reference
    command_line                        commands run in this process
    warm_python, warm_server            Python processes that have torch and triton
    built_payloads, attention, limits   payloads for tests of the builder and of limits
    opt_files, schedule_files           schedules that commands and tests run
    payload_results, planned_kernels    results of payloads, built or planned
    torch_compiling                     torch.compile, compared with eager torch
    examples, sampling                  how many examples and cases the quick tests run

Imports the compiler, and nothing from the tests.
"""
