"""From a lowered payload to a compiled program.

`compile.py` plans the payload and builds its kernels; `collector.py` keeps Python's
garbage collector out of the way meanwhile. Imports `lowering/`, the options
and the compiler; `runtime/` calls the programs.
"""
