"""From a lowered payload to a compiled program.

`cached.py` compiles equal payloads once, and `stored_programs.py` keeps programs on
disk by the keys of `keys.py`; `compile.py` plans a payload and builds its program
(`planned_program.py`), and `planners.py` lets other processes do so for many payloads;
`parallel.py` lets Triton compile the kernels in threads; `collector.py` keeps Python's
garbage collector out of the way meanwhile. Imports `lowering/`, the options and the
compiler; `runtime/` calls the programs.
"""
