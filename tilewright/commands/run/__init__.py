"""`tilewright run`: compile one program, check its numbers, time it.

    run.py          chooses schedule and points, and says which
    on_gpu.py       checks and times a program on the GPU
    without_gpu.py  checks it in interpreters, and estimates its time

Reads `inputs/`, `terminal/`, `planned.py` and what `commands/` may read.
"""
