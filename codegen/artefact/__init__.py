"""Ahead-of-time artefacts: a folder that runs a program without the compiler.

    launch_plan.py   the launcher as plain data: buffers, launches, copies, calls
    binaries.py      the machine code of every launch, and how its arguments are packed
    folder.py        writes the folder: binaries, metadata, source, loader
    loader/          the loader, copied as it is; it needs Python and CUDA's driver

`launch_plan.py` and `folder.py` read `emit/`, `kernel/` and `source/`; `binaries.py`
reads `runtime/`. The loader imports nothing of tilewright.
"""
