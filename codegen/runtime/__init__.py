"""Running a generated program: compile, launch, CUDA graphs, Triton's interpreter.

Reads `codegen/program.py`, `codegen/source/` and `ir/`. Imports torch and triton only
inside functions, except for `interpreter_fixes.py`, which runs in a process of its own.
"""
