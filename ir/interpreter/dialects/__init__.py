"""The numpy semantics of each dialect: a table from op to function.

Imports `ir.interpreter.core`. Dialects of scalars and values (arith, math, tensor) are
below those of loops, buffers, vectors and kernels.
"""
