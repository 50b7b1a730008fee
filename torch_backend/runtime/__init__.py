"""The callable of a compiled graph: segments of kernels and calls of torch in order.

`runners.py` runs a payload on tensors; `segment_call.py` is a segment as a callable,
which specializes to the sizes of its inputs; `program.py` puts the segments and torch
calls of a graph together. Imports `partition/`, `lowering/` and the compiler.
"""
