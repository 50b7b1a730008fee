"""From the buffer level to Triton: kernel dialect, source, compilation, launch.

    generate.py   the list of passes: buffer passes, lower, kernel passes, emit
    passes/       one pass a file, from module to module
    lower/        buffer level to kernel level
    emit/         kernel level to Triton source
    describe/     arguments, results and work of the generated program
    kernel/       the parts that kernels are built from
    analysis/     facts about the buffer level
    source/       Python text: names, layout, helper functions
    standalone/   the program as a file that runs on its own
    artefact/     the program as a folder that runs without the compiler
    runtime/      compiling, launching, interpreting

Reads `ir/`, never `transforms/`. Only functions of `runtime/`, `artefact/` and
`targets.py` import torch or triton.
"""
