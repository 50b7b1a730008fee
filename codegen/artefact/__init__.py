"""Ahead-of-time artefacts: a folder that runs a program without the compiler.

    plan_metadata.py the launch plan as metadata: buffers, launches, copies, calls
    binaries.py      the machine code of every launch, and how its arguments are packed
    folder.py        writes the folder: binaries, metadata, source, loader
    loader/          the loader, copied as it is; it needs Python and CUDA's driver

`plan_metadata.py` reads `launches/`; `binaries.py` reads `runtime/`. The loader
imports nothing of tilewright.
"""
