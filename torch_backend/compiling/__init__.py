"""From a lowered payload to a compiled program.

`compile.py` plans the payload and builds its kernels. Imports `lowering/`, the options
and the compiler; `runtime/` calls the programs.
"""
